//! Host programs from text: what [`mod@super::print`] writes comes back as the same program. `--` starts a comment. What the program says is not checked here, but for its kernels: see
//! [`super::check`].

use super::ir::*;
use super::print::VERSION;
use crate::check::Checked;
use crate::ir::{Ident, Named};
use crate::parse::kernel_of;
use crate::tokens::{Parser, Result, Token, split, tokens};
use futi_core::ir::parse::{ParseError, string_literal};
use futi_core::ir::{Check, Prov};
use futi_core::prim::Prim;
use futi_core::value::text::{parse_scalar, parse_values};
use futi_core::value::{Array, Value as Constant};
use std::str::FromStr;

impl FromStr for HostProgram {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<HostProgram> {
        let tokens = tokens(text);
        let known = Known { text, program: HostProgram::default(), names: Vec::new(), fun: empty(Ident::default()) };
        let mut parser = Parser::new(&tokens, known);
        parser.known.names = fun_names(&tokens);
        parser.header("host", VERSION)?;
        parser.program(&tokens)
    }
}

/// What is known of a program.
struct Known<'a> {
    text: &'a str,
    /// What has been read.
    program: HostProgram,
    /// The names of all functions: they call each other.
    names: Vec<Ident>,
    /// What has been read of the function that is being read.
    fun: Fun,
}

fn empty(name: Ident) -> Fun {
    Fun { name, entry: None, scalars: vec![], mems: vec![], params: vec![], body: vec![], results: vec![] }
}

/// The names of the functions: what is behind `fun`.
fn fun_names(tokens: &[Token<'_>]) -> Vec<Ident> {
    let name = |pair: &[Token<'_>]| Some(Ident::new(split(pair[1].text).filter(|_| pair[0].text == "fun")?.0));
    tokens.windows(2).filter_map(name).collect()
}

type Reading<'a> = Parser<'a, Known<'a>>;

impl<'a> Reading<'a> {
    fn program(mut self, tokens: &[Token<'_>]) -> Result<HostProgram> {
        while self.peek() == "kernel" {
            let kernel = self.kernel(tokens)?;
            let sites = self.sites("fails")?;
            self.known.program.kernels.push(HostKernel { kernel, sites });
        }
        while self.eat("constant") {
            self.next_number(self.known.program.constants.len())?;
            self.expect("=")?;
            let array = self.constant()?;
            self.known.program.constants.push(array);
        }
        self.known.program.checks = self.sites("check")?;
        while self.eat("threshold") {
            self.next_number(self.known.program.thresholds.len())?;
            let name = self.string()?;
            self.known.program.thresholds.push(name);
        }
        while self.eat("fun") {
            let fun = self.fun()?;
            self.known.program.funs.push(fun);
        }
        if ["files", "prov"].contains(&self.peek()) {
            let first = self.token(self.at);
            self.known.program.prov = self.of_core(first, self.known.text.len())?;
        } else {
            self.end()?;
        }
        Ok(self.known.program)
    }

    /// What core reads: the text from a token on, to a byte.
    fn of_core<T: FromStr<Err = ParseError>>(&self, first: Token<'_>, end: usize) -> Result<T> {
        self.known.text[first.start..end].parse().map_err(|e: ParseError| ParseError {
            line: first.line + e.line - 1,
            column: if e.line == 1 { first.column + e.column - 1 } else { e.column },
            message: e.message,
        })
    }

    /// Tokens up to the one that closes the first that opens something; the first of them.
    fn enclosed(&mut self, what: &str, open: &[&str], close: &[&str]) -> Result<usize> {
        let (first, mut depth) = (self.at, 0u32);
        loop {
            let token = self.peek();
            if token.is_empty() {
                return self.fail(what);
            }
            self.at += 1;
            if open.contains(&token) {
                depth += 1;
            } else if close.contains(&token) {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Ok(first);
                }
            }
        }
    }

    fn kernel(&mut self, tokens: &[Token<'_>]) -> Result<Checked> {
        let first = self.enclosed("the end of the kernel", &["{"], &["}"])?;
        let mut own = tokens[first..self.at].to_vec();
        own.push(Token { text: "", ..self.token(self.at) });
        let Token { line, column, .. } = own[0];
        Checked::new(kernel_of(&own)?).map_err(|errors| {
            let message = errors.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("; ");
            ParseError { line, column, message }
        })
    }

    /// An array, as values are written.
    fn constant(&mut self) -> Result<Array> {
        let first = self.enclosed("an array", &["[", "("], &["]", ")"])?;
        let (first, last) = (self.token(first), self.token(self.at - 1));
        match parse_values(&self.known.text[first.start..last.start + last.text.len()]).as_deref() {
            Ok([Constant::Array(array)]) => Ok(array.clone()),
            _ => Err(ParseError { line: first.line, column: first.column, message: "an array is wanted".into() }),
        }
    }

    /// Checks, each with its number behind a word.
    fn sites(&mut self, word: &str) -> Result<Vec<Site>> {
        let mut all = Vec::new();
        while self.eat(word) {
            self.next_number(all.len())?;
            let first = self.token(self.at);
            while !["@", ""].contains(&self.peek()) {
                self.at += 1;
            }
            let check: Check = self.of_core(first, self.token(self.at).start)?;
            all.push(Site { check, prov: self.prov()? });
        }
        Ok(all)
    }

    fn fun(&mut self) -> Result<Fun> {
        let name = self.new_name(self.known.program.funs.len())?;
        self.known.fun = empty(name);
        if self.eat("entry") {
            self.known.fun.entry = Some(self.string()?);
        }
        self.expect("{")?;
        while self.declaration()? {}
        let mut body = Vec::new();
        while !self.eat("return") {
            body.push(self.nested(Self::stm)?);
        }
        let results = self.list(Self::value)?;
        self.expect("}")?;
        let fun = std::mem::replace(&mut self.known.fun, empty(Ident::default()));
        Ok(Fun { body, results, ..fun })
    }

    fn string(&mut self) -> Result<String> {
        self.word("a string", |word| string_literal(word).filter(|(_, len)| *len == word.len()).map(|(text, _)| text))
    }

    /// An entry of one of the function's tables, if there is one.
    fn declaration(&mut self) -> Result<bool> {
        if self.eat("scalar") {
            let (name, ty) = self.declared(self.known.fun.scalars.len())?;
            self.known.fun.scalars.push(Named { name, ty });
        } else if self.eat("mem") {
            let (name, ty) = self.declared(self.known.fun.mems.len())?;
            self.known.fun.mems.push(Named { name, ty });
        } else if self.eat("param") {
            let param = if self.is_mem() {
                Param::Array { mem: self.mem()?, shape: self.shape()?, unique: self.eat("unique") }
            } else {
                Param::Scalar(self.scalar()?)
            };
            self.known.fun.params.push(param);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn is_mem(&self) -> bool {
        self.peek().starts_with("mem.")
    }

    fn scalar(&mut self) -> Result<HostScalar> {
        self.entry("a scalar", "", |k, i| k.fun.scalars.get(i).map(|s| &s.name)).map(HostScalar)
    }

    fn mem(&mut self) -> Result<Mem> {
        self.entry("memory", "mem.", |k, i| k.fun.mems.get(i).map(|m| &m.name)).map(Mem)
    }

    fn kernel_id(&mut self) -> Result<KernelId> {
        self.entry("a kernel", "kernel.", |k, i| k.program.kernels.get(i).map(|k| &k.kernel.kernel().name))
            .map(KernelId)
    }

    fn fun_id(&mut self) -> Result<FunId> {
        self.entry("a function", "fun.", |k, i| k.names.get(i)).map(FunId)
    }

    fn shape(&mut self) -> Result<Vec<Exp>> {
        let mut all = Vec::new();
        while self.eat("[") {
            all.push(self.exp()?);
            self.expect("]")?;
        }
        Ok(all)
    }

    fn element(&mut self) -> Result<(Mem, Exp)> {
        let mem = self.mem()?;
        self.expect("[")?;
        let index = self.exp()?;
        self.expect("]")?;
        Ok((mem, index))
    }

    fn slice(&mut self) -> Result<Slice> {
        let mem = self.mem()?;
        self.expect("[")?;
        let offset = self.exp()?;
        self.expect(":")?;
        let len = self.exp()?;
        self.expect("]")?;
        Ok(Slice { mem, offset, len })
    }

    fn value(&mut self) -> Result<Value> {
        if !self.is_mem() {
            return self.exp().map(Value::Scalar);
        }
        let mem = self.mem()?;
        self.expect("at")?;
        Ok(Value::Array { mem, offset: self.exp()?, shape: self.shape()? })
    }

    fn exp(&mut self) -> Result<Exp> {
        self.nested(Self::exp_here)
    }

    fn exp_here(&mut self) -> Result<Exp> {
        if self.eat("@") {
            let tuning = |word: &str| Tuning::ALL.into_iter().find(|t| t.name() == word);
            return self.word("a number that suits the machine", tuning).map(Exp::Tuning);
        }
        if self.eat("few") {
            self.expect("(")?;
            let threshold = ThresholdId(self.number()?);
            self.expect(",")?;
            let points = Box::new(self.exp()?);
            self.expect(")")?;
            return Ok(Exp::Few { threshold, points });
        }
        if self.eat("group_size") {
            self.expect("(")?;
            let kernel = self.kernel_id()?;
            self.expect(")")?;
            return Ok(Exp::GroupSize(kernel));
        }
        if self.eat("groups") {
            self.expect("(")?;
            let kernel = self.kernel_id()?;
            self.expect(",")?;
            let wanted = Box::new(self.exp()?);
            self.expect(",")?;
            let own = Box::new(self.exp()?);
            self.expect(")")?;
            return Ok(Exp::Groups { kernel, wanted, own });
        }
        let word = self.peek();
        if let Some(op) = Prim::from_name(word) {
            self.at += 1;
            return Ok(Exp::Prim(op, self.list(Self::exp)?));
        }
        // before constants: `1_0` is a scalar of the name `1`
        if split(word).is_some() {
            return self.scalar().map(Exp::Var);
        }
        self.word("an expression", parse_scalar).map(Exp::Lit)
    }

    /// `(scalar, mem)`, as they are asked for.
    fn either<S, M>(
        &mut self,
        scalar: impl Fn(&mut Self) -> Result<S>,
        mem: impl Fn(&mut Self) -> Result<M>,
    ) -> Result<(Vec<S>, Vec<M>)> {
        let (mut scalars, mut mems) = (Vec::new(), Vec::new());
        self.list(|p| {
            if p.is_mem() {
                mems.push(mem(p)?);
            } else {
                scalars.push(scalar(p)?);
            }
            Ok(())
        })?;
        Ok((scalars, mems))
    }

    fn block(&mut self) -> Result<Block> {
        self.expect("{")?;
        let mut stms = Vec::new();
        while !self.eat("in") {
            stms.push(self.nested(Self::stm)?);
        }
        let (scalars, mems) = self.either(Self::exp, Self::mem)?;
        self.expect("}")?;
        Ok(Block { stms, scalars, mems })
    }

    /// Where a statement comes from, if that is known.
    fn place(&mut self) -> Result<Prov> {
        if self.peek() == "@" { self.prov() } else { Ok(Prov::UNKNOWN) }
    }

    fn stm(&mut self) -> Result<Stm> {
        let (op, prov) = match self.peek() {
            "if" => {
                self.at += 1;
                let cond = self.exp()?;
                self.expect("->")?;
                let (scalars, mems) = self.either(Self::scalar, Self::mem)?;
                let prov = self.place()?;
                let yes = self.block()?;
                self.expect("else")?;
                (Op::If { cond, yes, no: self.block()?, scalars, mems }, prov)
            }
            "when" => {
                self.at += 1;
                let cond = self.mem()?;
                let prov = self.place()?;
                let yes = self.block()?;
                self.expect("else")?;
                (Op::When { cond, yes, no: self.block()? }, prov)
            }
            "loop" => {
                self.at += 1;
                self.loop_()?
            }
            _ => (self.simple()?, self.place()?),
        };
        Ok(Stm { op, prov })
    }

    fn loop_(&mut self) -> Result<(Op, Prov)> {
        let form = if self.eat("for") {
            let index = self.scalar()?;
            self.expect("below")?;
            Form::For(index, self.exp()?)
        } else if self.eat("device") {
            Form::Device(self.number()?)
        } else {
            self.expect("while")?;
            Form::While(self.number()?)
        };
        let (scalars, mems) = self.either(
            |p| {
                let scalar = p.scalar()?;
                p.expect("=")?;
                Ok((scalar, p.exp()?))
            },
            |p| {
                let mem = p.mem()?;
                p.expect("=")?;
                Ok((mem, p.mem()?))
            },
        )?;
        let frees = if self.eat("frees") { self.list(Self::mem)? } else { Vec::new() };
        self.expect("->")?;
        let (last_scalars, last_mems) = self.either(Self::scalar, Self::mem)?;
        let prov = self.place()?;
        Ok((Op::Loop { form, scalars, mems, frees, body: self.block()?, last_scalars, last_mems }, prov))
    }

    /// What has no statements inside it.
    fn simple(&mut self) -> Result<Op> {
        if self.is_mem() {
            let mem = self.mem()?;
            self.expect("=")?;
            if self.eat("alloc") {
                return Ok(Op::Alloc { mem, scratch: false, shape: self.shape()? });
            }
            if self.eat("scratch") {
                return Ok(Op::Alloc { mem, scratch: true, shape: self.shape()? });
            }
            self.expect("constant")?;
            return Ok(Op::Constant(mem, ConstantId(self.number()?)));
        }
        if self.eat("check") {
            let check = CheckId(self.number()?);
            Ok(Op::Check { check, operands: self.list(Self::exp)? })
        } else if self.eat("free") {
            self.mem().map(Op::Free)
        } else if self.eat("copy") {
            let to = self.slice()?;
            self.expect("=")?;
            Ok(Op::Copy { to, from: self.slice()? })
        } else if self.eat("write") {
            let (to, index) = self.element()?;
            self.expect("=")?;
            Ok(Op::Write { to, index, value: self.exp()? })
        } else if self.eat("read") {
            let read = |p: &mut Self| {
                let to = p.scalar()?;
                p.expect("=")?;
                let (mem, index) = p.element()?;
                Ok((to, mem, index))
            };
            self.list(read).map(Op::Read)
        } else if self.eat("launch") {
            let kernel = self.kernel_id()?;
            self.expect("groups")?;
            let groups = self.exp()?;
            self.expect("points")?;
            let points = self.exp()?;
            let params = self.list(Self::exp)?;
            Ok(Op::Launch(Launch { kernel, groups, points, params, blocks: self.list(Self::slice)? }))
        } else if self.eat("call") {
            let fun = self.fun_id()?;
            let args = self.list(Self::value)?;
            self.expect("->")?;
            let result = |p: &mut Self| {
                if !p.is_mem() {
                    return p.scalar().map(CallResult::Scalar);
                }
                let mem = p.mem()?;
                p.expect("at")?;
                Ok(CallResult::Array(mem, p.scalar()?))
            };
            Ok(Op::Call { fun, args, results: self.list(result)? })
        } else if split(self.peek()).is_some() {
            let to = self.scalar()?;
            self.expect("=")?;
            Ok(Op::Let(to, self.exp()?))
        } else {
            self.fail("a statement")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::MAX_DEPTH;

    const KERNEL: &str = "kernel k @0 { block y_0: write i32 local x_0: i32 store block.y_0[0i32] = 1i32 }";

    /// Where a text is wrong, and why; the body of a function begins in line 5.
    fn error(body: &str) -> String {
        let text = format!(
            "futi-host 1 -- a comment\n{KERNEL}\nfun main_0 entry \"main\" {{\n  scalar x_0: i32 mem a_0: f32\n{body}\n  return ()\n}}\n"
        );
        text.parse::<HostProgram>().map_or_else(|e| e.to_string(), |program| program.to_string())
    }

    #[test]
    fn errors_say_where_and_what() {
        let cases = [
            ("  x_0 = add.i32(1i32, )", "5:23: an expression is wanted, and there is `)`"),
            ("  y_0 = 1i32", "5:3: `x_0` is wanted, and there is `y_0`"),
            ("  mem.a_0 = 1i32", "5:13: `constant` is wanted, and there is `1i32`"),
            ("  write a_0[0i64] = 1f32", "5:9: memory is wanted, and there is `a_0`"),
            ("  x_0 = @lanes", "5:10: a number that suits the machine is wanted, and there is `lanes`"),
            ("  launch kernel.q_0 groups 1i64", "5:10: `kernel.k_0` is wanted, and there is `kernel.q_0`"),
            ("  call fun.f_0 () -> ()", "5:8: `fun.main_0` is wanted, and there is `fun.f_0`"),
            ("  loop x_0 < 3i32", "5:8: `while` is wanted, and there is `x_0`"),
            ("  if true -> () { in () }", "6:3: `else` is wanted, and there is `return`"),
            ("  barrier", "5:3: a statement is wanted, and there is `barrier`"),
            ("  x_0 = 1i32 @x", "5:15: a number is wanted, and there is `x`"),
            ("  return () }\n}", "6:1: the end of the text is wanted, and there is `}`"),
        ];
        for (body, wanted) in cases {
            assert_eq!(error(body), wanted, "{body}");
        }
        let whole = [
            ("futi-host 2\n", "1:11: version 1 is wanted, and there is `2`"),
            ("", "1:1: `futi` is wanted, and there is the end of the text"),
            ("futi-host 1\nconstant 0 = 3i32", "2:18: an array is wanted, and there is the end of the text"),
            ("futi-host 1\nconstant 0 = [1i32, [2i32]]", "2:14: an array is wanted"),
            ("futi-host 1\nconstant 1 = [1i32]", "2:10: the number 0 is wanted, and there is `1`"),
            (
                "futi-host 1\ncheck 0 nonzero 3 @1 check 1 nonsense v_0 @1",
                "2:39: expected a kind of check before this, found `v_0`",
            ),
            ("futi-host 1\ncheck 0 nonzero v_0", "2:20: `@` is wanted, and there is the end of the text"),
            ("futi-host 1\nkernel k @0 {", "2:14: the end of the kernel is wanted, and there is the end of the text"),
            ("futi-host 1\nkernel k @0 {\n  barriers\n}", "3:3: a statement is wanted, and there is `barriers`"),
            (
                "futi-host 1\nkernel k @0 {\n  block y_0: read i32\n}",
                "2:1: Access: block y is declared to be read, and is not",
            ),
            (
                "futi-host 1\nfiles \"a\"\n  prov 2 = span 0 0 1",
                "3:22: expected provenance in the order of its numbers, each node once, found the end of the text",
            ),
            ("futi-host 1\nfun f_0 entry main {", "2:15: a string is wanted, and there is `main`"),
        ];
        for (text, wanted) in whole {
            assert_eq!(text.parse::<HostProgram>().unwrap_err().to_string(), wanted, "{text}");
        }
    }

    #[test]
    fn nesting_ends() {
        let deep = |n: usize| format!("{}{}", "if true -> () {\n".repeat(n), "in () } else { in () }\n".repeat(n));
        assert!(error(&deep(MAX_DEPTH - 1)).starts_with("futi-host"));
        assert!(error(&deep(100_000)).contains("nested less than 512 deep"));
    }
}
