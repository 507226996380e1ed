//! The common mistakes, by what stands at the place of the error.

use super::super::token::{Keyword, Token};
use super::{brackets, header, words};
use crate::diag::Edit;
use crate::source::Span;

/// An error, and the text around it.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub text: &'a str,
    pub tokens: &'a [(Token<'a>, Span)],
    /// For each token, and for the end, the innermost bracket that is open before it.
    pub brackets: &'a [Option<usize>],
    /// Which token does not fit; as many as there are at the end of the text.
    pub at: usize,
    /// What could stand there, in words.
    pub expected: &'a str,
    pub is_expr: bool,
}

/// A change of the text that may mend it, and what is said of the mistake.
pub(super) struct Fix {
    /// Another message than that of the error.
    pub message: Option<String>,
    /// Other places than that of the error.
    pub labels: Vec<(Span, String)>,
    /// Other words than the lines as they are to be written.
    pub hint: Option<String>,
    pub edits: Vec<Edit>,
}

impl Fix {
    pub(super) fn new(edits: Vec<Edit>) -> Fix {
        Fix { message: None, labels: vec![], hint: None, edits }
    }

    pub(super) fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    pub(super) fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }
}

impl<'a> Site<'a> {
    /// A token, or nothing outside of the text.
    pub(super) fn token(&self, i: usize) -> Option<Token<'a>> {
        self.tokens.get(i).map(|(t, _)| *t)
    }

    /// Where a token is; behind the last one, where the text ends.
    pub(super) fn span(&self, i: usize) -> Span {
        let end = self.tokens.last().map(|(_, s)| s.at_end()).unwrap_or_default();
        self.tokens.get(i).map_or(end, |(_, s)| *s)
    }

    /// The place right behind the token before this one.
    pub(super) fn behind(&self, i: usize) -> Span {
        self.span(i.saturating_sub(1)).at_end()
    }

    /// The place right before a token.
    pub(super) fn before(&self, i: usize) -> Span {
        let span = self.span(i);
        Span { end: span.start, ..span }
    }

    pub(super) fn is_sym(&self, i: usize, sym: &str) -> bool {
        matches!(self.token(i), Some(Token::Sym(s)) if s == sym)
    }

    pub(super) fn is_keyword(&self, i: usize, keyword: Keyword) -> bool {
        self.token(i) == Some(Token::Keyword(keyword))
    }

    pub(super) fn is_ident(&self, i: usize, names: &[&str]) -> bool {
        matches!(self.token(i), Some(Token::Ident(name)) if names.contains(&name))
    }

    /// Is the token the first of its line?
    pub(super) fn begins_line(&self, i: usize) -> bool {
        i > 0 && self.text[self.span(i - 1).end as usize..self.span(i).start as usize].contains('\n')
    }

    /// How far from the beginning of its line a token is.
    pub(super) fn column(&self, i: usize) -> usize {
        let start = self.span(i).start as usize;
        start - self.text[..start].rfind('\n').map_or(0, |at| at + 1)
    }

    /// Do these tokens stand without a blank between them?
    pub(super) fn adjacent(&self, i: usize) -> bool {
        i > 0 && self.span(i - 1).end == self.span(i).start && i < self.tokens.len()
    }

    /// Can an operand end with this token?
    pub(super) fn ends_operand(&self, i: usize) -> bool {
        use Keyword::{False, True};
        matches!(
            self.token(i),
            Some(
                Token::Ident(_)
                    | Token::Int(..)
                    | Token::Float(..)
                    | Token::Field(_)
                    | Token::Str(_)
                    | Token::Sym(")" | "]" | "}")
                    | Token::Keyword(True | False)
            )
        )
    }

    /// Can an operand begin with this token?
    pub(super) fn begins_operand(&self, i: usize) -> bool {
        use Keyword::{False, True};
        matches!(
            self.token(i),
            Some(
                Token::Ident(_)
                    | Token::Int(..)
                    | Token::Float(..)
                    | Token::Str(_)
                    | Token::Sym("(" | "[" | "{" | "#")
                    | Token::Keyword(True | False)
            )
        )
    }

    /// Does an argument seem to begin here?
    pub(super) fn begins_argument(&self, i: usize) -> bool {
        i > 0 && self.ends_operand(i - 1) && self.begins_operand(i) && !self.adjacent(i)
    }

    /// The innermost bracket that is open before a token.
    pub(super) fn open_bracket(&self, i: usize) -> Option<usize> {
        self.brackets.get(i.min(self.tokens.len())).copied().flatten()
    }

    /// Where the bracket that a token stands in is closed, or the text ends.
    pub(super) fn close_bracket(&self, i: usize) -> usize {
        let mut depth = 0;
        for j in i..self.tokens.len() {
            if brackets::closer(&self.tokens[j].0).is_some() {
                depth += 1;
            } else if brackets::is_closer(&self.tokens[j].0) {
                if depth == 0 {
                    return j;
                }
                depth -= 1;
            }
        }
        self.tokens.len()
    }
}

/// What may mend the error, the likeliest first.
pub(super) fn fixes(site: &Site<'_>) -> Vec<Fix> {
    let mut fixes = vec![];
    fixes.extend(comment(site));
    if !site.is_expr {
        fixes.extend(header::fixes(site));
    }
    fixes.extend(arrow(site));
    fixes.extend(equals(site));
    fixes.extend(words::fixes(site));
    fixes.extend(brackets::fixes(site));
    fixes.extend(argument(site));
    fixes.extend(ternary(site));
    fixes.extend(number(site));
    fixes.extend(quotes(site));
    fixes.extend(spaced_index(site));
    fixes.extend(semicolon(site));
    fixes
}

fn replace(site: &Site<'_>, i: usize, new: &str) -> Fix {
    Fix::new(vec![(site.span(i), new.to_string())])
}

/// `// text`, `# text` and `/* text */` are no comments.
fn comment(site: &Site<'_>) -> Option<Fix> {
    let near = site.at.saturating_sub(2)..=site.at;
    let i = near.rev().find(|i| {
        let starts = matches!(site.token(*i), Some(Token::Op("//" | "/*" | "///" | "/**")) | Some(Token::Sym("#")));
        starts && (*i == 0 || site.begins_line(*i)) && !site.adjacent(i + 1)
    })?;
    let start = site.span(i).start as usize;
    let mut end = site.text[start..].find('\n').map_or(site.text.len(), |at| start + at);
    let mut new = format!("-- {}", site.text[site.span(i).end as usize..end].trim());
    if site.token(i) == Some(Token::Op("/*")) || site.token(i) == Some(Token::Op("/**")) {
        let body = site.text[start..].split_once("*/")?.0;
        end = start + body.len() + 2;
        let lines = body.trim_start_matches(['/', '*']).trim().lines();
        new = lines.map(|line| format!("-- {}", line.trim())).collect::<Vec<_>>().join("\n");
    }
    let span = Span { end: end as u32, ..site.span(i) };
    Some(
        Fix::new(vec![(span, new)])
            .message("A comment begins with `--`.")
            .label(site.span(i), "this begins no comment"),
    )
}

/// The arrow of a lambda or a case.
fn arrow(site: &Site<'_>) -> Vec<Fix> {
    let mut fixes = vec![];
    let is_arrow = |i| {
        site.is_sym(i, "=")
            || site.is_sym(i, ":")
            || site.is_sym(i, ".")
            || site.token(i) == Some(Token::Dot)
            || matches!(site.token(i), Some(Token::Op("=>" | "->>" | "-->" | "==>" | "|->")))
    };
    // behind the parameters of a function, or the pattern of a case
    let begins = (0..site.at)
        .rev()
        .take_while(|i| !site.is_sym(*i, "->"))
        .any(|i| site.is_sym(i, "\\") || site.is_keyword(i, Keyword::Case));
    if begins && site.expected.contains("`->`") && is_arrow(site.at) {
        let message = "What a function or a `case` gives stands behind `->`.";
        fixes.push(replace(site, site.at, "->").message(message).label(site.span(site.at), "expected `->`"));
    }
    // `lambda x: e`, `fun x -> e`, `fn x => e`
    let from = site.open_bracket(site.at).map_or(0, |i| i + 1);
    let word = (from..site.at).rev().find(|i| site.is_ident(*i, &["lambda", "fun", "fn", "function"]));
    if let Some(word) = word.filter(|i| *i > 0) {
        let arrow = (word + 1..site.tokens.len()).find(|i| is_arrow(*i) || site.is_sym(*i, "->"));
        if let Some(arrow) = arrow {
            let gap = Span { end: site.span(word + 1).start, ..site.span(word) };
            let before = if site.adjacent(arrow) { " ->" } else { "->" };
            let fix = Fix::new(vec![(gap, "\\".to_string()), (site.span(arrow), before.to_string())]);
            let message = "A function without a name begins with `\\`.";
            fixes.push(fix.message(message).label(site.span(word), "write `\\` here"));
        }
    }
    // `(x -> e)`
    let names = (0..site.at).rev().take_while(|i| matches!(site.token(*i), Some(Token::Ident(_)))).last();
    if let Some(first) = names.filter(|i| {
        site.is_sym(site.at, "->") && (site.is_sym(i.wrapping_sub(1), "(") || site.is_sym(i.wrapping_sub(1), ","))
    }) {
        let fix = Fix::new(vec![(site.before(first), "\\".to_string())]);
        let message = "A function without a name begins with `\\`.";
        fixes.push(fix.message(message).label(site.span(first), "`\\` is missing before this"));
    }
    fixes
}

/// `=` where values are compared, or where a `let` is missing before a name.
fn equals(site: &Site<'_>) -> Vec<Fix> {
    let i = site.at;
    if !site.is_sym(i, "=") {
        return vec![];
    }
    let mut fixes = vec![];
    if site.is_sym(i.wrapping_sub(1), ":") {
        let message = "A name and its value stand beside `=`.";
        let span = site.span(i - 1).to(site.span(i));
        fixes.push(Fix::new(vec![(span, "=".to_string())]).message(message).label(span, "expected `=`"));
    }
    let is_name = matches!(site.token(i.wrapping_sub(1)), Some(Token::Ident(_)));
    if is_name
        && (site.begins_line(i - 1) || site.is_sym(i.wrapping_sub(2), "="))
        && !site.is_sym(i.wrapping_sub(2), ".")
    {
        let let_ = (site.before(i - 1), "let ".to_string());
        let fix = Fix::new(vec![let_]).message("A name gets its value by `let`.");
        fixes.push(fix.label(site.span(i - 1), "`let` is missing before this"));
    }
    let compare = replace(site, i, "==").message("Values are compared by `==`.");
    fixes.push(compare.label(site.span(i), "`=` gives a name its meaning"));
    fixes
}

/// `f !x` and `f if ..`: an argument of this form needs parentheses.
fn argument(site: &Site<'_>) -> Option<Fix> {
    use Keyword::{If, Let, Loop, Match};
    let i = site.at;
    if i == 0 || !site.ends_operand(i - 1) {
        return None;
    }
    let end = match site.token(i)? {
        Token::Sym("!") => site.span(i + 1),
        Token::Keyword(If | Let | Loop | Match) => site.span(site.close_bracket(i).saturating_sub(1)),
        _ => return None,
    };
    let edits = vec![(site.before(i), "(".to_string()), (end.at_end(), ")".to_string())];
    let message = "An argument that is more than a name needs parentheses.";
    Some(Fix::new(edits).message(message).label(site.span(i), "`(` is missing before this"))
}

/// `c ? a : b`
fn ternary(site: &Site<'_>) -> Option<Fix> {
    let question = (0..=site.at).rev().find(|i| site.is_sym(*i, "?"))?;
    let open = site.open_bracket(question);
    let begins = |i: usize| {
        use Keyword::{Else, In, Then};
        site.open_bracket(i) == open
            && matches!(site.token(i), Some(Token::Sym("=" | "->" | ",") | Token::Keyword(Then | Else | In)))
    };
    let start = (0..question).rev().find(|i| begins(*i)).map(|i| i + 1).or(open.map(|i| i + 1)).unwrap_or(0);
    let colon = (question..site.tokens.len()).find(|i| site.is_sym(*i, ":") && site.open_bracket(*i) == open)?;
    let edits = vec![
        (site.before(start), "if ".to_string()),
        (site.span(question), "then".to_string()),
        (site.span(colon), "else".to_string()),
    ];
    let fix = Fix::new(edits).message("A choice between two values is an `if`.");
    Some(fix.label(site.span(question), "this is no operator"))
}

/// `1.` and `.5`
fn number(site: &Site<'_>) -> Option<Fix> {
    let i = site.at;
    let point =
        [i, i.wrapping_sub(1)].into_iter().find(|i| site.is_sym(*i, ".") || site.token(*i) == Some(Token::Dot))?;
    let message = "A number has digits on both sides of its point.";
    let fix = if site.adjacent(point) && matches!(site.token(point - 1), Some(Token::Int(..))) {
        Fix::new(vec![(site.span(point).at_end(), "0".to_string())])
    } else if site.adjacent(point + 1) && matches!(site.token(point + 1), Some(Token::Field(_) | Token::Int(..))) {
        Fix::new(vec![(site.before(point), "0".to_string())])
    } else {
        return None;
    };
    Some(fix.message(message).label(site.span(point), "digits are missing beside this"))
}

/// `'text'`
fn quotes(site: &Site<'_>) -> Option<Fix> {
    let i = (site.at.saturating_sub(2)..=site.at).find(|i| site.is_sym(*i, "'"))?;
    let start = site.span(i).start as usize;
    let line = site.text[start + 1..].lines().next()?;
    let end = start + 1 + line.find('\'')?;
    let span = Span { end: end as u32 + 1, ..site.span(i) };
    let fix = Fix::new(vec![(span, format!("\"{}\"", &site.text[start + 1..end]))]);
    Some(fix.message("A text stands between `\"` and `\"`.").label(span, "this is no text"))
}

/// `a [i:j]`: what is indexed stands right before the bracket.
fn spaced_index(site: &Site<'_>) -> Option<Fix> {
    let i = site.open_bracket(site.at)?;
    let gap = Span { start: site.span(i.checked_sub(1)?).end, end: site.span(i).start, ..site.span(i) };
    if !site.is_sym(i, "[") || !site.ends_operand(i - 1) || gap.start == gap.end {
        return None;
    }
    let fix = Fix::new(vec![(gap, String::new())]).message("An index stands right behind its array.");
    Some(fix.label(site.span(i), "leave out the blank before this"))
}

/// Nothing ends with a semicolon.
fn semicolon(site: &Site<'_>) -> Option<Fix> {
    if !site.is_sym(site.at, ";") {
        return None;
    }
    let all = site.tokens.iter().filter(|(t, _)| *t == Token::Sym(";")).map(|(_, s)| (*s, String::new())).collect();
    Some(Fix::new(all).message("There are no semicolons.").label(site.span(site.at), "leave this out"))
}
