//! Kernels from text: what [`mod@crate::print`] writes comes back as the same kernel. `--` starts a comment. What the kernel says is not checked here: see [`crate::check`].

use crate::ir::*;
use crate::print::VERSION;
use crate::tokens::{Parser, Result, Token, split, tokens};
use futi_core::ir::Prov;
use futi_core::prim::{Prim, ScalarType};
use futi_core::value::text::parse_scalar;
use std::str::FromStr;

pub use futi_core::ir::parse::ParseError;

impl FromStr for Kernel {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Kernel> {
        let tokens = tokens(text);
        let mut parser = Parser::new(&tokens, Kernel::new("", Prov(0)));
        parser.header("kernel", VERSION)?;
        parser.kernel()
    }
}

/// The kernel that tokens are, of which the last one is the end; without a version.
pub(crate) fn kernel_of(tokens: &[Token<'_>]) -> Result<Kernel> {
    Parser::new(tokens, Kernel::new("", Prov(0))).kernel()
}

impl Parser<'_, Kernel> {
    fn kernel(mut self) -> Result<Kernel> {
        self.expect("kernel")?;
        let is_name = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        // a kernel without a name has nothing before its place
        if self.peek() != "@" {
            self.known.name =
                self.word("a name", |word| (is_name(word) && !word.is_empty()).then(|| Ident::new(word)))?;
        }
        self.known.prov = self.prov()?;
        self.expect("{")?;
        while self.declaration()? {}
        self.known.body = self.stms()?;
        self.end()?;
        Ok(self.known)
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
                self.known.group = GroupSizes { least, most: self.number()?, power_of_two: self.eat("power_of_two") };
            }
            "param" => {
                let (name, ty) = self.declared(self.known.params.len())?;
                self.known.params.push(Named { name, ty });
            }
            "block" => {
                let name = self.declared_name(self.known.blocks.len())?;
                let access = Access { reads: self.eat("read"), writes: self.eat("write"), atomics: self.eat("atomic") };
                let elem = self.word("a type", ScalarType::from_name)?;
                self.known.blocks.push(BlockDecl { name, elem, access });
            }
            "shared" => {
                let (name, elem) = self.declared(self.known.shared.len())?;
                self.expect("[")?;
                let fixed = self.number()?;
                self.expect("+")?;
                let each = self.number()?;
                self.expect("each")?;
                self.expect("]")?;
                self.known.shared.push(SharedDecl { name, elem, fixed, each });
            }
            "private" => {
                let (name, elem) = self.declared(self.known.private.len())?;
                self.expect("[")?;
                let len = self.number()?;
                self.expect("]")?;
                self.known.private.push(PrivateDecl { name, elem, len });
            }
            "local" => {
                let (name, ty) = self.declared(self.known.locals.len())?;
                self.known.locals.push(Named { name, ty });
            }
            "site" => {
                let next = self.known.sites.len();
                self.next_number(next)?;
                self.expect("of")?;
                let operands = self.number()?;
                let prov = self.prov()?;
                self.known.sites.push(SiteDecl { operands, prov });
            }
            _ => {
                self.expect("reads")?;
                let reads = self.exp()?;
                self.expect("writes")?;
                let writes = self.exp()?;
                self.expect("operations")?;
                self.known.cost = Some(Cost { reads, writes, operations: self.exp()? });
            }
        }
        Ok(true)
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
            return Ok(Exp::Prim(op, self.list(Self::exp)?));
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
                Ok(Stm::Fail { site, point, operands: self.list(Self::exp)? })
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
        let operands = self.list(Self::exp)?;
        let order = self.word("an order", |word| Order::ALL.into_iter().find(|order| order.name() == word))?;
        Ok(Stm::Atomic(Atomic { op, old, at, index, operands, order, scope: self.scope()? }))
    }

    fn scope(&mut self) -> Result<Scope> {
        self.word("`group` or `device`", |word| Scope::ALL.into_iter().find(|scope| scope.name() == word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::MAX_DEPTH;

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
