//! From text to expression.

use super::{Exp, Pat, ScriptError, fail};
use futi_core::value::text;

/// How deep expressions may nest.
const MAX_NESTING: usize = 200;

/// Words that are no names.
const KEYWORDS: [&str; 2] = ["let", "in"];

/// Reads an expression.
///
/// # Errors
/// Where the text is none.
pub fn parse(text: &str) -> Result<Exp, ScriptError> {
    let mut p = Parser { text, pos: 0, depth: 0 };
    let exp = p.exp()?;
    p.blank();
    if p.rest().is_empty() { Ok(exp) } else { p.unexpected() }
}

struct Parser<'a> {
    text: &'a str,
    pos: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    /// Blanks and comments.
    fn blank(&mut self) {
        loop {
            self.pos = self.text.len() - self.rest().trim_start().len();
            if !self.rest().starts_with("--") {
                return;
            }
            self.pos += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn unexpected<T>(&self) -> Result<T, ScriptError> {
        let found = self.rest().split_whitespace().next().map_or("the end".to_string(), |w| format!("`{w}`"));
        let before = &self.text[..self.pos];
        let (line, column) =
            (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap_or("").chars().count());
        fail(format!("FutharkScript, line {line}, column {}: {found} does not fit here", column + 1))
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        self.blank();
        let found = self.rest().starts_with(symbol);
        self.pos += if found { symbol.len() } else { 0 };
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), ScriptError> {
        if self.symbol(symbol) { Ok(()) } else { self.unexpected() }
    }

    /// The name that comes next, if one does; a keyword is none.
    fn name(&mut self) -> Option<String> {
        self.blank();
        let name = self.peek_word();
        let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !starts || KEYWORDS.contains(&name) {
            return None;
        }
        self.pos += name.len();
        Some(name.to_string())
    }

    fn peek_word(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(|c: char| !is_name_char(c)).unwrap_or(rest.len())]
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        self.blank();
        let found = self.peek_word() == keyword;
        self.pos += if found { keyword.len() } else { 0 };
        found
    }

    fn exp(&mut self) -> Result<Exp, ScriptError> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return fail(format!("FutharkScript nested more than {MAX_NESTING} deep"));
        }
        let mut bindings = Vec::new();
        while self.keyword("let") {
            let pat = self.pat()?;
            self.expect("=")?;
            // a `let` of its own would have to stand in parentheses
            bindings.push((pat, self.application()?));
            // a chain of `let` needs one `in` alone
            if self.keyword("in") {
                continue;
            }
            self.blank();
            if self.peek_word() != "let" {
                return self.unexpected();
            }
        }
        let body = self.application()?;
        self.depth -= 1;
        Ok(if bindings.is_empty() { body } else { Exp::Let(bindings, Box::new(body)) })
    }

    fn pat(&mut self) -> Result<Pat, ScriptError> {
        if !self.symbol("(") {
            return self.name().map(Pat::Name).map_or_else(|| self.unexpected(), Ok);
        }
        let names = self.list(")", |p| p.name().map_or_else(|| p.unexpected(), Ok))?;
        Ok(Pat::Tuple(names))
    }

    /// What stands between commas, up to the closing symbol; a comma may stand before it.
    fn list<T>(
        &mut self,
        close: &str,
        mut one: impl FnMut(&mut Self) -> Result<T, ScriptError>,
    ) -> Result<Vec<T>, ScriptError> {
        let mut items = Vec::new();
        while !self.symbol(close) {
            items.push(one(self)?);
            if !self.symbol(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(items)
    }

    fn application(&mut self) -> Result<Exp, ScriptError> {
        let Some(head) = self.part()? else { return self.unexpected() };
        let mut args = Vec::new();
        if matches!(head, Exp::Name(_) | Exp::Procedure(_)) {
            while let Some(arg) = self.part()? {
                args.push(arg);
            }
        }
        Ok(if args.is_empty() && !matches!(head, Exp::Procedure(_)) { head } else { Exp::Apply(Box::new(head), args) })
    }

    /// An atom with what is taken of it; none if none begins here.
    fn part(&mut self) -> Result<Option<Exp>, ScriptError> {
        let Some(mut exp) = self.atom()? else { return Ok(None) };
        loop {
            // no blank before either: `f [1]` is an application
            if self.rest().starts_with('.') {
                self.pos += 1;
                let field = self.peek_word().to_string();
                if field.is_empty() {
                    return self.unexpected();
                }
                self.pos += field.len();
                exp = Exp::Field(Box::new(exp), field);
            } else if self.rest().starts_with('[') && matches!(exp, Exp::Name(_) | Exp::Field(..)) {
                self.pos += 1;
                exp = Exp::Index(Box::new(exp), self.list("]", Self::exp)?);
            } else {
                return Ok(Some(exp));
            }
        }
    }

    fn atom(&mut self) -> Result<Option<Exp>, ScriptError> {
        self.blank();
        if self.symbol("$") {
            return self.name().map(|name| Some(Exp::Procedure(name))).map_or_else(|| self.unexpected(), Ok);
        }
        if self.symbol("(") {
            let mut items = self.list(")", Self::exp)?;
            return Ok(Some(if items.len() == 1 { items.remove(0) } else { Exp::Tuple(items) }));
        }
        if self.symbol("[") {
            return Ok(Some(Exp::Array(self.list("]", Self::exp)?)));
        }
        if self.symbol("{") {
            let fields = self.list("}", |p| {
                let Some(name) = p.name() else { return p.unexpected() };
                p.expect("=")?;
                Ok((name, p.exp()?))
            })?;
            return Ok(Some(Exp::Record(fields)));
        }
        if self.rest().starts_with('"') {
            return self.text().map(Some);
        }
        if self.peek_word() == "empty" && self.rest()["empty".len()..].trim_start().starts_with('(') {
            return self.empty().map(Some);
        }
        if let Some(constant) = self.constant() {
            return Ok(Some(Exp::Constant(constant)));
        }
        Ok(self.name().map(Exp::Name))
    }

    /// A number as the data format has it, `true` or `false`.
    fn constant(&mut self) -> Option<String> {
        let rest = self.rest();
        let signs = |(i, c): (usize, char)| {
            let before = rest[..i].chars().next_back();
            is_name_char(c) || c == '.' || matches!(c, '-' | '+') && (i == 0 || matches!(before, Some('e' | 'E')))
        };
        let end = rest.char_indices().find(|x| !signs(*x)).map_or(rest.len(), |(i, _)| i);
        let word = &rest[..end];
        text::parse_scalar(word)?;
        self.pos += end;
        Some(word.to_string())
    }

    fn text(&mut self) -> Result<Exp, ScriptError> {
        let inside = &self.rest()[1..];
        let Some(end) = inside.find('"') else { return self.unexpected() };
        self.pos += end + 2;
        Ok(Exp::Text(inside[..end].to_string()))
    }

    fn empty(&mut self) -> Result<Exp, ScriptError> {
        let rest = self.rest();
        let end = rest.find(')').map_or(rest.len(), |i| i + 1);
        let written: String = rest[..end].split_whitespace().collect();
        match text::parse_values(&written) {
            Ok(mut values) if values.len() == 1 => {
                self.pos += end;
                Ok(Exp::Empty(values.remove(0)))
            }
            _ => self.unexpected(),
        }
    }
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(s: &str) -> Exp {
        Exp::Name(s.into())
    }

    fn constant(s: &str) -> Exp {
        Exp::Constant(s.into())
    }

    #[test]
    fn applications_associate_to_the_left_and_arguments_are_parts() {
        let f = |args| Exp::Apply(Box::new(name("f")), args);
        assert_eq!(
            parse("f x.0 -1.5e-3f32 (g y)"),
            Ok(f(vec![
                Exp::Field(Box::new(name("x")), "0".into()),
                constant("-1.5e-3f32"),
                Exp::Apply(Box::new(name("g")), vec![name("y")]),
            ]))
        );
        assert_eq!(parse("f [1, 2,]"), Ok(f(vec![Exp::Array(vec![constant("1"), constant("2")])])));
        assert_eq!(parse("f[1]"), Ok(Exp::Index(Box::new(name("f")), vec![constant("1")])));
        assert_eq!(parse("(f)"), Ok(name("f")));
        let load = Exp::Apply(Box::new(Exp::Procedure("loaddata".into())), vec![Exp::Text("a b.in".into())]);
        assert_eq!(parse("$loaddata \"a b.in\""), Ok(load));
    }

    #[test]
    fn lets_chain() {
        let two = [(Pat::Tuple(vec!["a".into(), "b".into()]), name("x")), (Pat::Name("c".into()), name("a"))];
        let exp = Exp::Let(two.to_vec(), Box::new(Exp::Record(vec![("u".into(), name("c")), ("v".into(), name("b"))])));
        assert_eq!(parse("let (a, b) = x in let c = a in {u = c, v = b}"), Ok(exp.clone()));
        assert_eq!(parse("let (a,b) = x -- why\nlet c = a in { u=c, v=b, }"), Ok(exp));
    }

    #[test]
    fn constants_are_those_of_the_data_format() {
        for text in ["1", "-2i8", "0xff", "1_000", "3.5", "1e-3", "f32.nan", "true"] {
            assert_eq!(parse(text), Ok(constant(text)));
        }
        assert!(matches!(parse("empty([0][3]i32)"), Ok(Exp::Empty(v)) if v.shape() == [0, 3]));
        assert_eq!(parse("()"), Ok(Exp::Tuple(vec![])));
    }

    #[test]
    fn what_does_not_fit_is_said_with_its_place() {
        for (text, said) in [
            ("f (1", "line 1, column 5: the end does not fit here"),
            ("let x = 1\nx", "line 2, column 1: `x` does not fit here"),
            ("1 2", "line 1, column 3: `2` does not fit here"),
            ("{a = 1; b}", "line 1, column 7: `;` does not fit here"),
            ("\"a", "line 1, column 1: `\"a` does not fit here"),
            ("", "line 1, column 1: the end does not fit here"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.ends_with(said), "{text}: {error}");
        }
        assert!(parse(&"(".repeat(100_000)).unwrap_err().to_string().contains("nested more than"));
    }
}
