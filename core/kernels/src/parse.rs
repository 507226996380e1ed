//! Kernels from text: what [`mod@crate::print`] writes comes back as the same kernel. `--` starts a comment. What the kernel says is not checked here: see [`crate::check`].

use crate::ir::*;
use crate::print::VERSION;
use futi_core::ir::Prov;
use futi_core::prim::{Prim, ScalarType};
use futi_core::value::text::parse_scalar;
use std::str::FromStr;

pub use futi_core::ir::parse::ParseError;

impl FromStr for Kernel {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Kernel> {
        let tokens = tokens(text);
        let end = Token {
            text: "",
            line: text.lines().count().max(1),
            column: text.lines().last().map_or(0, |line| line.chars().count()) + 1,
        };
        Parser { tokens: &tokens, end, at: 0, depth: 0, kernel: Kernel::new("", Prov(0)) }.kernel()
    }
}

type Result<T, E = ParseError> = std::result::Result<T, E>;

/// How deep statements and expressions may nest.
const MAX_DEPTH: usize = 512;

#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

/// Words, with dots and signs in them; every other character for itself.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut out = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let (mut rest, mut column) = (line, 1);
        while let Some(first) = rest.chars().next().filter(|_| !rest.starts_with("--")) {
            let len = if is_word(first) || first == '-' {
                let word = |from: usize| rest[from..].find(|c| !is_word(c)).map_or(rest.len(), |n| from + n);
                let end = word(1);
                // an exponent may have a sign: 1e-5f64
                let is_number = rest.starts_with(|c: char| c.is_ascii_digit() || c == '-');
                let has_sign = is_number && rest[..end].ends_with(['e', 'E']) && rest[end..].starts_with(['-', '+']);
                if has_sign { word(end + 1) } else { end }
            } else {
                first.len_utf8()
            };
            let (text, behind) = rest.split_at(len);
            if !first.is_whitespace() {
                out.push(Token { text, line: i + 1, column });
            }
            (rest, column) = (behind, column + text.chars().count());
        }
    }
    out
}

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    end: Token<'a>,
    at: usize,
    depth: usize,
    /// What is known of the kernel: names are looked up in it.
    kernel: Kernel,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token<'a> {
        self.tokens.get(self.at).copied().unwrap_or(self.end)
    }

    fn peek(&self) -> &'a str {
        self.token().text
    }

    fn fail<T>(&self, wanted: &str) -> Result<T> {
        let Token { text, line, column } = self.token();
        let there = if text.is_empty() { "the end of the text".to_string() } else { format!("`{text}`") };
        Err(ParseError { line, column, message: format!("{wanted} is wanted, and there is {there}") })
    }

    /// Takes the next word if it means something.
    fn word<T>(&mut self, wanted: &str, read: impl FnOnce(&'a str) -> Option<T>) -> Result<T> {
        match read(self.peek()) {
            Some(x) => {
                self.at += 1;
                Ok(x)
            }
            None => self.fail(wanted),
        }
    }

    fn eat(&mut self, text: &str) -> bool {
        let is = self.peek() == text;
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { self.fail(&format!("`{text}`")) }
    }

    fn number<T: FromStr>(&mut self) -> Result<T> {
        self.word("a number", |word| word.parse().ok())
    }

    /// Something that may contain itself.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return self.fail(&format!("what is nested less than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(64 << 10, 1 << 20, || parse(self));
        self.depth -= 1;
        result
    }

    fn kernel(mut self) -> Result<Kernel> {
        self.expect("futi")?;
        self.expect("-kernel")?;
        self.word(&format!("version {VERSION}"), |word| (word == VERSION.to_string()).then_some(()))?;
        self.expect("kernel")?;
        let is_name = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        // a kernel without a name has nothing before its place
        if self.peek() != "@" {
            self.kernel.name =
                self.word("a name", |word| (is_name(word) && !word.is_empty()).then(|| Ident::new(word)))?;
        }
        self.kernel.prov = self.prov()?;
        self.expect("{")?;
        while self.declaration()? {}
        self.kernel.body = self.stms()?;
        if self.at < self.tokens.len() {
            return self.fail("the end of the text");
        }
        Ok(self.kernel)
    }

    fn prov(&mut self) -> Result<Prov> {
        self.expect("@")?;
        Ok(Prov(self.number()?))
    }

    /// An entry of one of the kernel's tables, if there is one.
    fn declaration(&mut self) -> Result<bool> {
        let word = self.peek();
        if !["group", "param", "block", "shared", "private", "local", "site", "cost"].contains(&word) {
            return Ok(false);
        }
        self.at += 1;
        match word {
            "group" => {
                let least = self.number()?;
                self.expect("to")?;
                self.kernel.group = GroupSizes { least, most: self.number()?, power_of_two: self.eat("power_of_two") };
            }
            "param" => {
                let (name, ty) = self.declared(self.kernel.params.len())?;
                self.kernel.params.push(Named { name, ty });
            }
            "block" => {
                let name = self.declared_name(self.kernel.blocks.len())?;
                let access = Access { reads: self.eat("read"), writes: self.eat("write"), atomics: self.eat("atomic") };
                let elem = self.word("a type", ScalarType::from_name)?;
                self.kernel.blocks.push(BlockDecl { name, elem, access });
            }
            "shared" => {
                let (name, elem) = self.declared(self.kernel.shared.len())?;
                self.expect("[")?;
                let fixed = self.number()?;
                self.expect("+")?;
                let each = self.number()?;
                self.expect("each")?;
                self.expect("]")?;
                self.kernel.shared.push(SharedDecl { name, elem, fixed, each });
            }
            "private" => {
                let (name, elem) = self.declared(self.kernel.private.len())?;
                self.expect("[")?;
                let len = self.number()?;
                self.expect("]")?;
                self.kernel.private.push(PrivateDecl { name, elem, len });
            }
            "local" => {
                let (name, ty) = self.declared(self.kernel.locals.len())?;
                self.kernel.locals.push(Named { name, ty });
            }
            "site" => {
                let next = self.kernel.sites.len();
                self.word(&format!("the number {next}"), |word| (word == next.to_string()).then_some(()))?;
                self.expect("of")?;
                let operands = self.number()?;
                let prov = self.prov()?;
                self.kernel.sites.push(SiteDecl { operands, prov });
            }
            _ => {
                self.expect("reads")?;
                let reads = self.exp()?;
                self.expect("writes")?;
                let writes = self.exp()?;
                self.expect("operations")?;
                self.kernel.cost = Some(Cost { reads, writes, operations: self.exp()? });
            }
        }
        Ok(true)
    }

    /// `NAME_NUMBER: TYPE` of a table's next entry.
    fn declared(&mut self, at: usize) -> Result<(Ident, ScalarType)> {
        Ok((self.declared_name(at)?, self.word("a type", ScalarType::from_name)?))
    }

    fn declared_name(&mut self, at: usize) -> Result<Ident> {
        let name = self.word(&format!("a name with `_{at}` at its end"), |word| {
            split(word)
                .filter(|(name, number)| *number as usize == at && !name.contains('.'))
                .map(|(name, _)| Ident::new(name))
        })?;
        self.expect(":")?;
        Ok(name)
    }

    /// The number of an entry of a table; its name is what the table says, if it has such an entry.
    fn entry(&mut self, what: &str, kind: &str, own: impl FnOnce(&Kernel, usize) -> Option<&Ident>) -> Result<u32> {
        let known = self.peek().strip_prefix(kind).and_then(split).filter(|(name, _)| !name.contains('.'));
        let Some((name, number)) = known else { return self.fail(what) };
        match own(&self.kernel, number as usize) {
            Some(ident) if ident.to_string() != name => self.fail(&format!("`{kind}{ident}_{number}`")),
            _ => {
                self.at += 1;
                Ok(number)
            }
        }
    }

    fn local(&mut self) -> Result<Local> {
        self.entry("a variable", "", |k, i| k.locals.get(i).map(|l| &l.name)).map(Local)
    }

    fn array(&mut self) -> Result<Array> {
        let kind = self.peek().split_once('.').map_or("", |(kind, _)| kind);
        match kind {
            "block" => {
                self.entry("a block", "block.", |k, i| k.blocks.get(i).map(|b| &b.name)).map(|b| Array::Block(Block(b)))
            }
            "shared" => self
                .entry("an array", "shared.", |k, i| k.shared.get(i).map(|s| &s.name))
                .map(|s| Array::Shared(Shared(s))),
            "private" => self
                .entry("an array", "private.", |k, i| k.private.get(i).map(|p| &p.name))
                .map(|p| Array::Private(Private(p))),
            _ => self.fail("an array"),
        }
    }

    fn element(&mut self) -> Result<(Array, Exp)> {
        let array = self.array()?;
        self.expect("[")?;
        let index = self.exp()?;
        self.expect("]")?;
        Ok((array, index))
    }

    fn list(&mut self) -> Result<Vec<Exp>> {
        self.expect("(")?;
        let mut all = Vec::new();
        while !self.eat(")") {
            if !all.is_empty() {
                self.expect(",")?;
            }
            all.push(self.exp()?);
        }
        Ok(all)
    }

    fn exp(&mut self) -> Result<Exp> {
        self.nested(Self::exp_here)
    }

    fn exp_here(&mut self) -> Result<Exp> {
        if self.eat("@") {
            let builtin = |word: &str| Builtin::ALL.into_iter().find(|b| b.name() == word);
            return self.word("what a launch says", builtin).map(Exp::Builtin);
        }
        if self.eat("length") {
            self.expect("(")?;
            let block = self.entry("a block", "block.", |k, i| k.blocks.get(i).map(|b| &b.name))?;
            self.expect(")")?;
            return Ok(Exp::Length(Block(block)));
        }
        let word = self.peek();
        if word.starts_with("param.") {
            return self
                .entry("a parameter", "param.", |k, i| k.params.get(i).map(|p| &p.name))
                .map(|p| Exp::Param(Param(p)));
        }
        if let Some(op) = Prim::from_name(word) {
            self.at += 1;
            return Ok(Exp::Prim(op, self.list()?));
        }
        // before constants: `1_0` is a variable of the name `1`
        if split(word).is_some() {
            return self.local().map(Exp::Local);
        }
        self.word("an expression", parse_scalar).map(Exp::Lit)
    }

    /// Statements up to `}`, which is taken.
    fn stms(&mut self) -> Result<Vec<Stm>> {
        let mut all = Vec::new();
        while !self.eat("}") {
            all.push(self.nested(Self::stm)?);
        }
        Ok(all)
    }

    fn stm(&mut self) -> Result<Stm> {
        let word = self.peek();
        if !["store", "fence", "barrier", "if", "for", "loop", "fail"].contains(&word) {
            return if word == "atomic" { self.atomic(None) } else { self.assignment() };
        }
        self.at += 1;
        match word {
            "store" => {
                let (to, index) = self.element()?;
                self.expect("=")?;
                Ok(Stm::Store { to, index, value: self.exp()? })
            }
            "fence" => self.scope().map(Stm::Fence),
            "barrier" => Ok(Stm::Barrier),
            "if" => {
                let cond = self.exp()?;
                self.expect("{")?;
                let yes = self.stms()?;
                let mut no = Vec::new();
                if self.eat("else") {
                    self.expect("{")?;
                    no = self.stms()?;
                }
                Ok(Stm::If { cond, yes, no })
            }
            "for" => {
                let index = self.local()?;
                self.expect("from")?;
                let from = self.exp()?;
                self.expect("below")?;
                let below = self.exp()?;
                self.expect("step")?;
                let step = self.exp()?;
                self.expect("{")?;
                Ok(Stm::For { index, from, below, step, body: self.stms()? })
            }
            "loop" => {
                self.expect("{")?;
                let before = self.stms()?;
                self.expect("while")?;
                let cond = self.exp()?;
                self.expect("{")?;
                Ok(Stm::While { before, cond, body: self.stms()? })
            }
            _ => {
                let site = Site(self.number()?);
                self.expect("at")?;
                let point = self.exp()?;
                Ok(Stm::Fail { site, point, operands: self.list()? })
            }
        }
    }

    /// What gives a variable a value.
    fn assignment(&mut self) -> Result<Stm> {
        if split(self.peek()).is_none() {
            return self.fail("a statement");
        }
        let to = self.local()?;
        self.expect("=")?;
        match self.peek() {
            "load" => {
                self.at += 1;
                let (from, index) = self.element()?;
                Ok(Stm::Load { to, from, index })
            }
            "atomic" => self.atomic(Some(to)),
            "subgroup" => {
                self.at += 1;
                self.exchange(to)
            }
            _ => Ok(Stm::Let(to, self.exp()?)),
        }
    }

    fn exchange(&mut self, to: Local) -> Result<Stm> {
        let kind = self.word("an exchange of a subgroup", |word| {
            ["shuffle", "up", "any", "all"].contains(&word).then_some(word)
        })?;
        let value = self.exp()?;
        let op = match kind {
            "shuffle" => {
                self.expect("from")?;
                SubgroupOp::Shuffle(self.exp()?)
            }
            "up" => {
                self.expect("by")?;
                let by = self.exp()?;
                self.expect("else")?;
                SubgroupOp::Up { by, otherwise: self.exp()? }
            }
            "any" => SubgroupOp::Any,
            _ => SubgroupOp::All,
        };
        Ok(Stm::Subgroup { to, op, value })
    }

    fn atomic(&mut self, old: Option<Local>) -> Result<Stm> {
        self.expect("atomic")?;
        let op = self.word("an atomic operation", |word| AtomicOp::ALL.into_iter().find(|op| op.name() == word))?;
        let (at, index) = self.element()?;
        let operands = self.list()?;
        let order = self.word("an order", |word| Order::ALL.into_iter().find(|order| order.name() == word))?;
        Ok(Stm::Atomic(Atomic { op, old, at, index, operands, order, scope: self.scope()? }))
    }

    fn scope(&mut self) -> Result<Scope> {
        self.word("`group` or `device`", |word| Scope::ALL.into_iter().find(|scope| scope.name() == word))
    }
}

/// A name and the number at its end.
fn split(word: &str) -> Option<(&str, u32)> {
    let (name, number) = word.rsplit_once('_')?;
    let plain = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    Some((name, number.parse().ok().filter(|_| plain)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a text is wrong, and why.
    fn error(body: &str) -> String {
        let text = format!(
            "-- a comment\nfuti-kernel 1\nkernel k @0 {{\n  block y_0: write i32\n  local x_0: i32\n{body}\n}}\n"
        );
        text.parse::<Kernel>().map_or_else(|e| e.to_string(), |kernel| kernel.to_string())
    }

    #[test]
    fn errors_say_where_and_what() {
        let cases = [
            ("  x_0 = add.i32(1i32, )", "6:23: an expression is wanted, and there is `)`"),
            ("  y_0 = 1i32", "6:3: `x_0` is wanted, and there is `y_0`"),
            ("  store y_0[0i32] = 1i32", "6:9: an array is wanted, and there is `y_0`"),
            ("  store block.x_0[0i32] = 1i32", "6:9: `block.y_0` is wanted, and there is `block.x_0`"),
            ("  x_0 = frob.i32(1i32)", "6:9: an expression is wanted, and there is `frob.i32`"),
            (
                "  x_0 = atomic add block.y_0[0i32](1i32) relaxed",
                "7:1: `group` or `device` is wanted, and there is `}`",
            ),
            ("  x_0 = subgroup down x_0", "6:18: an exchange of a subgroup is wanted, and there is `down`"),
            ("  x_0 = @lanes", "6:10: what a launch says is wanted, and there is `lanes`"),
            ("  if true {", "7:2: a statement is wanted, and there is the end of the text"),
            ("  } barrier", "6:5: the end of the text is wanted, and there is `barrier`"),
            ("  param n_1: i32", "6:9: a name with `_0` at its end is wanted, and there is `n_1`"),
            ("  private p_0: i33[1]", "6:16: a type is wanted, and there is `i33`"),
            ("  shared s_0: i32[1 + -1 each]", "6:23: a number is wanted, and there is `-1`"),
            ("  site 1 of 0 @0", "6:8: the number 0 is wanted, and there is `1`"),
            ("  x_0 = 300i8", "6:9: an expression is wanted, and there is `300i8`"),
            ("  \u{e4} = 1", "6:3: a statement is wanted, and there is `\u{e4}`"),
        ];
        for (body, wanted) in cases {
            assert_eq!(error(body), wanted, "{body}");
        }
        let version = "futi-kernel 2\n".parse::<Kernel>().unwrap_err().to_string();
        assert_eq!(version, "1:13: version 1 is wanted, and there is `2`");
        assert_eq!(
            "".parse::<Kernel>().unwrap_err().to_string(),
            "1:1: `futi` is wanted, and there is the end of the text"
        );
    }

    #[test]
    fn nesting_ends() {
        let deep = |n: usize| format!("{}{}", "if true {\n".repeat(n), "}\n".repeat(n));
        assert!(error(&deep(MAX_DEPTH - 1)).starts_with("futi-kernel"));
        assert!(error(&deep(100_000)).contains("nested less than 512 deep"));
        let exp = format!("x_0 = {}1i32{}", "neg.i32(".repeat(100_000), ")".repeat(100_000));
        assert!(error(&exp).contains("nested less than 512 deep"));
    }

    #[test]
    fn signs_of_exponents_are_part_of_numbers() {
        let kernel = error("  x_0 = conv.f64.i32(sub.f64(1e-5f64, -1.5e+3f64))");
        assert!(kernel.contains("x_0 = conv.f64.i32(sub.f64(1e-5f64, -1500.0f64))"), "{kernel}");
    }
}
