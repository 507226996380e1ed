//! IR text, read. What [`super::print`] writes comes back as the same program.
//!
//! ```text
//! program ::= "futi-ir" version fun* ["files" string*] ("prov" number "=" node)*
//! fun     ::= ("fun" | "entry") string params "->" results ["sig" …] body
//! body    ::= "{" stm* "in" operands "}"
//! stm     ::= "let" pattern "=" exp ["certs" vars] ["attrs" …] ["@" prov]
//! var     ::= name "_" number
//! ```
//!
//! `--` starts a comment. What an expression looks like is best read off [`super::print`]. The text is not checked here: see [`super::check`](mod@super::check).

use super::print::{VERSION, quoted, role_name};
use super::*;
use std::fmt;
use std::str::FromStr;

/// Where and why text is not IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was expected.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}
impl std::error::Error for ParseError {}

type Result<T> = std::result::Result<T, ParseError>;

impl FromStr for Program {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Program> {
        Parser::new(text)?.program()
    }
}

impl FromStr for ProvTable {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<ProvTable> {
        Parser::new(text)?.whole("provenance", Parser::prov_table)
    }
}

impl FromStr for Check {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Check> {
        Parser::new(text)?.whole("a check", Parser::check)
    }
}

/// The string whose literal a text begins with, and how many bytes the literal has.
pub fn string_literal(text: &str) -> Option<(String, usize)> {
    let mut string = String::new();
    let mut chars = text.strip_prefix('"')?.char_indices();
    loop {
        match chars.next()? {
            (i, '"') => return Some((string, i + 2)),
            (_, '\\') => match chars.next()? {
                (_, 'n') => string.push('\n'),
                (_, c) => string.push(c),
            },
            (_, c) => string.push(c),
        }
    }
}

/// Array, offset, and size and stride of each dimension.
type Flat = (Var, SubExp, Vec<(Dim, SubExp)>);

/// Bodies and types may nest this deep (DESIGN.md, invariant 2).
const MAX_DEPTH: usize = 512;

/// Variables are below: tables that are as long as the greatest number stay small.
const MAX_VARS: u32 = 1 << 24;

#[derive(Clone, PartialEq, Debug)]
enum Token<'a> {
    /// A keyword, operator or variable: letters, digits, `_`, `'` and `.`.
    Word(&'a str),
    /// A number with its suffix, if any.
    Number(&'a str),
    Str(String),
    Symbol(&'static str),
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(s) | Token::Number(s) => write!(f, "`{s}`"),
            Token::Str(s) => f.write_str(&quoted(s)),
            Token::Symbol(s) => write!(f, "`{s}`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

struct Located<'a> {
    token: Token<'a>,
    line: usize,
    column: usize,
}

fn lex(text: &str) -> Result<Vec<Located<'_>>> {
    const SYMBOLS: [&str; 17] = ["->", "(", ")", "[", "]", "{", "}", ",", ":", "=", "<", "*", "\\", "@", "-", ";", "."];
    let mut tokens = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let mut rest = content;
        let mut column = 1;
        loop {
            let blank = rest.len() - rest.trim_start().len();
            column += rest[..blank].chars().count();
            rest = &rest[blank..];
            let fail = |message: String| Err(ParseError { line: line + 1, column, message });
            let Some(first) = rest.chars().next() else { break };
            if rest.starts_with("--") {
                break;
            }
            let digits_follow = rest.strip_prefix('-').unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit());
            let (token, length) = if first.is_ascii_alphabetic() || first == '_' {
                let fine = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'\'' | b'.');
                let end = rest.bytes().position(|b| !fine(b)).unwrap_or(rest.len());
                (Token::Word(&rest[..end]), end)
            } else if digits_follow {
                let bytes = rest.as_bytes();
                let mut end = 1;
                while end < bytes.len() {
                    let exponent_sign = matches!(bytes[end], b'+' | b'-') && bytes[end - 1] == b'e';
                    if !(bytes[end].is_ascii_alphanumeric() || bytes[end] == b'.' || exponent_sign) {
                        break;
                    }
                    end += 1;
                }
                (Token::Number(&rest[..end]), end)
            } else if first == '"' {
                match string_literal(rest) {
                    Some((string, end)) => (Token::Str(string), end),
                    None => return fail("a string without its end".into()),
                }
            } else if let Some(symbol) = SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
                (Token::Symbol(symbol), symbol.len())
            } else {
                return fail(format!("unexpected character {first:?}"));
            };
            tokens.push(Located { token, line: line + 1, column });
            column += rest[..length].chars().count();
            rest = &rest[length..];
        }
    }
    let line = text.lines().count().max(1);
    tokens.push(Located { token: Token::End, line, column: text.lines().last().map_or(1, |l| l.chars().count() + 1) });
    Ok(tokens)
}

struct Parser<'a> {
    tokens: Vec<Located<'a>>,
    pos: usize,
    depth: usize,
    /// The largest provenance of a statement, and at which token it is.
    prov: (Prov, usize),
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Result<Parser<'a>> {
        Ok(Parser { tokens: lex(text)?, pos: 0, depth: 0, prov: (Prov::UNKNOWN, 0) })
    }

    /// What is all of the text.
    fn whole<T>(mut self, what: &str, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let all = parse(&mut self)?;
        if *self.peek() == Token::End { Ok(all) } else { self.fail(&format!("the end of {what}")) }
    }

    fn peek(&self) -> &Token<'a> {
        &self.tokens[self.pos].token
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.peek().clone();
        if token != Token::End {
            self.pos += 1;
        }
        token
    }

    fn fail<T>(&self, expected: &str) -> Result<T> {
        let at = &self.tokens[self.pos];
        Err(ParseError {
            line: at.line,
            column: at.column,
            message: format!("expected {expected}, found {}", at.token),
        })
    }

    fn is(&self, s: &str) -> bool {
        matches!(self.peek(), Token::Symbol(x) | Token::Word(x) if *x == s)
    }

    fn eat(&mut self, s: &str) -> bool {
        let found = self.is(s);
        self.pos += found as usize;
        found
    }

    fn expect(&mut self, s: &str) -> Result<()> {
        if self.eat(s) { Ok(()) } else { self.fail(&format!("`{s}`")) }
    }

    fn word(&mut self, what: &str) -> Result<&'a str> {
        let Token::Word(word) = *self.peek() else { return self.fail(what) };
        self.pos += 1;
        Ok(word)
    }

    fn string(&mut self) -> Result<Name> {
        let Token::Str(s) = self.peek() else { return self.fail("a string") };
        let name = Name::from(s.as_str());
        self.pos += 1;
        Ok(name)
    }

    fn number<T: FromStr>(&mut self) -> Result<T> {
        let Token::Number(s) = self.peek() else { return self.fail("a number") };
        let Ok(n) = s.parse() else { return self.fail("a number in range") };
        self.pos += 1;
        Ok(n)
    }

    /// `open item, item close`
    fn list<T>(&mut self, open: &str, close: &str, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.expect(open)?;
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn program(mut self) -> Result<Program> {
        for part in ["futi", "-", "ir"] {
            self.expect(part)?;
        }
        if self.number::<u32>()? != VERSION {
            self.pos -= 1;
            return self.fail(&format!("version {VERSION}"));
        }
        let mut program = Program::default();
        while self.is("fun") || self.is("entry") {
            program.funs.push(self.fun()?);
        }
        program.prov = self.prov_table()?;
        if *self.peek() != Token::End {
            return self.fail("a function or the end of the text");
        }
        if self.prov.0.0 as usize >= program.prov.nodes().len() {
            self.pos = self.prov.1;
            return self.fail("a statement's end, as there is no provenance of that number");
        }
        Ok(program)
    }

    fn prov_table(&mut self) -> Result<ProvTable> {
        let mut table = ProvTable::default();
        if self.eat("files") {
            while let Token::Str(s) = self.peek() {
                table.file(s);
                self.pos += 1;
            }
        }
        while self.eat("prov") {
            let number: u32 = self.number()?;
            self.expect("=")?;
            let node = self.prov_node()?;
            let of = match node {
                ProvNode::Unknown | ProvNode::Span { .. } => Prov::UNKNOWN,
                ProvNode::Inlined { body, call } => body.max(call),
                ProvNode::Merged(a, b) => a.max(b),
                ProvNode::Role { of, .. } => of,
            };
            if of != Prov::UNKNOWN && of.0 >= number {
                return self.fail("provenance that refers to earlier numbers only, before this");
            }
            if table.intern(node) != Prov(number) {
                return self.fail("provenance in the order of its numbers, each node once");
            }
        }
        Ok(table)
    }

    fn prov_node(&mut self) -> Result<ProvNode> {
        let kind = self.word("a kind of provenance")?;
        let role = [Role::Tangent, Role::Adjoint, Role::Recomputed].into_iter().find(|r| role_name(*r) == kind);
        Ok(match (kind, role) {
            ("unknown", _) => ProvNode::Unknown,
            ("span", _) => ProvNode::Span { file: self.number()?, start: self.number()?, end: self.number()? },
            ("inlined", _) => ProvNode::Inlined { body: Prov(self.number()?), call: Prov(self.number()?) },
            ("merged", _) => ProvNode::Merged(Prov(self.number()?), Prov(self.number()?)),
            (_, Some(role)) => ProvNode::Role { role, of: Prov(self.number()?) },
            _ => return self.fail("`span`, `inlined`, `merged` or a role before this"),
        })
    }

    fn fun(&mut self) -> Result<Fun> {
        let is_entry = self.word("`fun` or `entry`")? == "entry";
        let name = self.string()?;
        let params = self.list("(", ")", |p| Ok(FunParam { unique: p.eat("*"), binder: p.binder()? }))?;
        self.expect("->")?;
        let results = self.list("(", ")", |p| Ok(FunResult { unique: p.eat("*"), binder: p.binder()? }))?;
        let entry = if is_entry { Some(self.entry_sig()?) } else { None };
        Ok(Fun { name, entry, params, results, body: self.body()? })
    }

    fn entry_sig(&mut self) -> Result<EntrySig> {
        self.expect("sig")?;
        let sizes = self.number()?;
        let params = self.list("(", ")", |p| {
            let name = p.string()?;
            p.expect(":")?;
            Ok(EntryParam { name, ty: p.entry_type()? })
        })?;
        self.expect("->")?;
        Ok(EntrySig { sizes, params, result: self.entry_type()? })
    }

    /// Something that may contain itself.
    fn nested<T>(&mut self, what: &str, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail(&format!("{what} nested less than {MAX_DEPTH} deep"));
        }
        let result = stacker::maybe_grow(64 << 10, 1 << 20, || parse(self));
        self.depth -= 1;
        result
    }

    fn entry_type(&mut self) -> Result<EntryType> {
        self.nested("types", Self::entry_type_)
    }

    fn entry_type_(&mut self) -> Result<EntryType> {
        if self.is("(") {
            return Ok(EntryType::Tuple(self.list("(", ")", Self::entry_type)?));
        }
        if self.is("{") {
            let fields = self.list("{", "}", |p| {
                let name = p.string()?;
                p.expect(":")?;
                Ok((name, p.entry_type()?))
            })?;
            return Ok(EntryType::Record(fields));
        }
        if self.eat("opaque") {
            let name = self.string()?;
            return Ok(EntryType::Opaque(name, self.list("(", ")", Self::entry_type)?));
        }
        if self.eat("sum") {
            let (name, leaves) = (self.string()?, self.list("(", ")", Self::entry_type)?);
            let variants = self.list("{", "}", |p| {
                let (name, holds) = (p.string()?, p.list("(", ")", Self::entry_type)?);
                p.expect("at")?;
                Ok(Variant { name, holds, places: p.list("(", ")", Self::number)? })
            })?;
            return Ok(EntryType::Sum(name, leaves, variants));
        }
        let mut dims = Vec::new();
        while self.eat("[") {
            dims.push(self.string()?);
            self.expect("]")?;
        }
        if dims.is_empty() {
            return Ok(EntryType::Scalar(self.scalar_type()?));
        }
        Ok(EntryType::Array(dims, Box::new(self.entry_type()?)))
    }

    /// A variable and its name, if that comes next.
    fn named_var(&self) -> Option<(&'a str, Var)> {
        let Token::Word(word) = *self.peek() else { return None };
        let (name, number) = word.rsplit_once('_')?;
        Some((name, Var(number.parse().ok().filter(|n| *n < MAX_VARS)?)))
    }

    fn var(&mut self) -> Result<Var> {
        let Some((_, var)) = self.named_var() else { return self.fail("a variable") };
        self.pos += 1;
        Ok(var)
    }

    fn vars(&mut self) -> Result<Vec<Var>> {
        self.list("(", ")", Self::var)
    }

    fn binder(&mut self) -> Result<Binder> {
        let Some((name, var)) = self.named_var() else { return self.fail("a variable") };
        self.pos += 1;
        self.expect(":")?;
        Ok(Binder { var, name: name.into(), ty: self.ty()? })
    }

    fn subexp(&mut self) -> Result<SubExp> {
        if let Some((_, var)) = self.named_var() {
            self.pos += 1;
            return Ok(SubExp::Var(var));
        }
        match self.scalar() {
            Some(x) => Ok(SubExp::Lit(x)),
            None => self.fail("a variable or a constant"),
        }
    }

    /// A constant, if one comes next.
    fn scalar(&mut self) -> Option<Scalar> {
        let start = self.pos;
        let negative = self.eat("-");
        let x = match self.next() {
            Token::Number(s) => crate::value::text::parse_scalar(s),
            Token::Word(w) if negative => crate::value::text::parse_scalar(&format!("-{w}")),
            Token::Word(w) => crate::value::text::parse_scalar(w),
            _ => None,
        };
        if x.is_none() {
            self.pos = start;
        }
        x
    }

    fn subexps(&mut self) -> Result<Vec<SubExp>> {
        self.list("(", ")", Self::subexp)
    }

    fn triple(&mut self) -> Result<[SubExp; 3]> {
        match self.subexps()?.try_into() {
            Ok(three) => Ok(three),
            Err(_) => self.fail("three operands before this"),
        }
    }

    fn indices(&mut self) -> Result<Vec<SubExp>> {
        self.list("[", "]", Self::subexp)
    }

    fn dim(&mut self) -> Result<Dim> {
        match self.peek() {
            Token::Number(_) => Ok(Dim::Const(self.number()?)),
            _ => Ok(Dim::Var(self.var()?)),
        }
    }

    fn shape(&mut self) -> Result<Vec<Dim>> {
        let mut dims = Vec::new();
        while self.eat("[") {
            dims.push(self.dim()?);
            self.expect("]")?;
        }
        Ok(dims)
    }

    fn scalar_type(&mut self) -> Result<ScalarType> {
        match self.peek() {
            Token::Word(w) => match ScalarType::from_name(w) {
                Some(t) => {
                    self.pos += 1;
                    Ok(t)
                }
                None => self.fail("a scalar type"),
            },
            _ => self.fail("a scalar type"),
        }
    }

    fn ty(&mut self) -> Result<Type> {
        self.nested("types", Self::ty_)
    }

    fn ty_(&mut self) -> Result<Type> {
        if self.eat("cert") {
            return Ok(Type::Cert);
        }
        if self.eat("acc") {
            self.expect("(")?;
            let id = self.var()?;
            self.expect(",")?;
            let acc = AccType { id, shape: self.shape()?, elems: self.types()? };
            self.expect(")")?;
            return Ok(Type::Acc(acc));
        }
        let shape = self.shape()?;
        let elem = self.scalar_type()?;
        Ok(Type::Scalar(elem).array_of(&shape))
    }

    fn types(&mut self) -> Result<Vec<Type>> {
        self.list("(", ")", Self::ty)
    }

    fn body(&mut self) -> Result<Body> {
        self.nested("bodies", Self::body_)
    }

    fn body_(&mut self) -> Result<Body> {
        self.expect("{")?;
        let mut stms = Vec::new();
        while self.is("let") {
            stms.push(self.stm()?);
        }
        self.expect("in")?;
        let result = self.subexps()?;
        self.expect("}")?;
        Ok(Body { stms, result })
    }

    fn stm(&mut self) -> Result<Stm> {
        self.expect("let")?;
        let pat = self.list("(", ")", Self::binder)?;
        self.expect("=")?;
        let exp = self.exp()?;
        let certs = if self.eat("certs") { self.vars()? } else { Vec::new() };
        let attrs = if self.eat("attrs") {
            self.list("(", ")", |p| {
                let name = p.string()?;
                let arg = if matches!(p.peek(), Token::Number(_)) { Some(p.number()?) } else { None };
                Ok(Attr { name, arg })
            })?
        } else {
            Vec::new()
        };
        let at = self.pos;
        let prov = if self.eat("@") { Prov(self.number()?) } else { Prov::UNKNOWN };
        self.prov = self.prov.max((prov, at));
        Ok(Stm { pat, exp, certs, attrs, prov })
    }

    fn lambda(&mut self) -> Result<Lambda> {
        self.expect("\\")?;
        let params = self.list("(", ")", Self::binder)?;
        self.expect("->")?;
        let ret = self.types()?;
        Ok(Lambda { params, ret, body: self.body()? })
    }

    fn operator(&mut self) -> Result<Operator> {
        let commutative = self.eat("comm");
        let lambda = self.lambda()?;
        self.expect("neutral")?;
        Ok(Operator { lambda, neutral: self.subexps()?, commutative })
    }

    fn operators(&mut self, keyword: &str) -> Result<Vec<Operator>> {
        let mut ops = Vec::new();
        while self.eat(keyword) {
            ops.push(self.operator()?);
        }
        Ok(ops)
    }

    fn exp(&mut self) -> Result<Exp> {
        let Token::Word(word) = *self.peek() else {
            return Ok(Exp::SubExp(self.subexp()?));
        };
        if let Some(op) = Prim::from_name(word) {
            self.pos += 1;
            let args = self.subexps()?;
            return Ok(Exp::Prim(op, args));
        }
        if self.named_var().is_some() || crate::value::text::parse_scalar(word).is_some() {
            return Ok(Exp::SubExp(self.subexp()?));
        }
        self.pos += 1;
        Ok(match word {
            "array" => {
                let elems = self.indices()?;
                self.expect("of")?;
                Exp::ArrayLit { elems, row: self.ty()? }
            }
            "opaque" => Exp::Opaque(self.subexp()?),
            "index" => Exp::Index { array: self.var()?, indices: self.indices()? },
            "slice" => Exp::Slice { array: self.var()?, slice: self.slice()? },
            "updslice" => {
                let (array, slice) = (self.var()?, self.slice()?);
                self.expect("=")?;
                Exp::UpdateSlice { array, slice, value: self.var()? }
            }
            "flatindex" => {
                let (array, offset, dims) = self.flat()?;
                Exp::FlatIndex { array, offset, dims }
            }
            "flatupd" => {
                let (array, offset, dims) = self.flat()?;
                self.expect("=")?;
                Exp::FlatUpdate { array, offset, dims, value: self.var()? }
            }
            "update" => {
                let (array, indices) = (self.var()?, self.indices()?);
                self.expect("=")?;
                Exp::Update { array, indices, value: self.subexp()? }
            }
            "iota" => {
                let elem = self.scalar_type()?;
                let [n, start, step] = self.triple()?;
                Exp::Iota { n, start, step, elem }
            }
            "replicate" => Exp::Replicate { shape: self.shape()?, value: self.subexp()? },
            "scratch" => Exp::Scratch { shape: self.shape()?, elem: self.scalar_type()? },
            "rearrange" => Exp::Rearrange { perm: self.list("(", ")", Self::number)?, array: self.var()? },
            "manifest" => Exp::Manifest { perm: self.list("(", ")", Self::number)?, array: self.var()? },
            "reshape" => Exp::Reshape { shape: self.shape()?, array: self.var()? },
            "coerce" => Exp::Coerce { shape: self.shape()?, array: self.var()? },
            "reverse" => Exp::Reverse { array: self.var()? },
            "rotate" => Exp::Rotate { by: self.subexp()?, array: self.var()? },
            "concat" => Exp::Concat { size: self.dim()?, arrays: self.vars()? },
            "copy" => Exp::Copy(self.var()?),
            "check" => Exp::Check(self.check()?),
            "call" => Exp::Apply { fun: self.string()?, args: self.subexps()? },
            "if" => {
                let cond = self.subexp()?;
                self.expect("then")?;
                let yes = self.body()?;
                self.expect("else")?;
                Exp::If { cond, yes, no: self.body()? }
            }
            "match" => {
                let scrutinees = self.subexps()?;
                let mut cases = Vec::new();
                while self.eat("case") {
                    let pattern = self.list("(", ")", Self::case_pattern)?;
                    cases.push(Case { pattern, body: self.body()? });
                }
                self.expect("else")?;
                Exp::Match { scrutinees, cases, default: self.body()? }
            }
            "loop" => self.loop_()?,
            "screma" => {
                let (width, arrays, map) = self.map_over()?;
                let (scans, reduces) = (self.operators("scan")?, self.operators("reduce")?);
                let post = if self.eat("post") { Some(self.lambda()?) } else { None };
                Exp::from(Screma { width, arrays, map, scans, reduces, post })
            }
            "hist" => {
                let (width, arrays, map) = self.map_over()?;
                Exp::from(Hist { width, arrays, map, ops: self.hist_ops()? })
            }
            "scatter" => {
                let (width, arrays, map) = self.map_over()?;
                Exp::from(Scatter { width, arrays, map, dests: self.dests()? })
            }
            "streamseq" | "streampar" => {
                let (width, arrays) = (self.dim()?, self.vars()?);
                let form = if word == "streamseq" {
                    self.expect("from")?;
                    StreamForm::Seq(self.subexps()?)
                } else {
                    self.expect("reduce")?;
                    StreamForm::Par(self.operator()?)
                };
                self.expect("chunk")?;
                Exp::from(Stream { width, arrays, form, lambda: self.lambda()? })
            }
            "flatmap" => {
                let (width, arrays) = (self.dim()?, self.vars()?);
                self.expect("size")?;
                let size = self.binder()?;
                self.expect("irregular")?;
                let irregular = self.number()?;
                self.expect("map")?;
                Exp::from(FlatMap { width, arrays, size, irregular, lambda: self.lambda()? })
            }
            "withacc" => {
                let mut inputs = Vec::new();
                while self.eat("input") {
                    inputs.push(AccInput { shape: self.shape()?, arrays: self.vars()?, op: self.operator()? });
                }
                self.expect("do")?;
                Exp::WithAcc(WithAcc { inputs, lambda: self.lambda()? })
            }
            "updacc" => Exp::UpdAcc { acc: self.var()?, indices: self.indices()?, values: self.subexps()? },
            "jvp" => Exp::Jvp(self.ad()?),
            "vjp" => Exp::Vjp(self.ad()?),
            "custom" => {
                let lambda = self.lambda()?;
                self.expect("saved")?;
                let saved = self.number()?;
                let vjp = if self.eat("vjp") { Some(self.lambda()?) } else { None };
                let jvp = if self.eat("jvp") { Some(self.lambda()?) } else { None };
                self.expect("at")?;
                Exp::from(Custom { lambda, saved, vjp, jvp, args: self.subexps()? })
            }
            "segop" => self.segop()?,
            _ => {
                self.pos -= 1;
                return self.fail("an expression");
            }
        })
    }

    /// `width (arrays) map λ`
    fn map_over(&mut self) -> Result<(Dim, Vec<Var>, Lambda)> {
        let (width, arrays) = (self.dim()?, self.vars()?);
        self.expect("map")?;
        Ok((width, arrays, self.lambda()?))
    }

    fn hist_ops(&mut self) -> Result<Vec<HistOp>> {
        let mut ops = Vec::new();
        while self.eat("dest") {
            ops.push(HistOp { shape: self.shape()?, dests: self.vars()?, op: self.operator()? });
        }
        Ok(ops)
    }

    fn case_pattern(&mut self) -> Result<Option<Scalar>> {
        if self.eat("_") {
            return Ok(None);
        }
        match self.scalar() {
            Some(x) => Ok(Some(x)),
            None => self.fail("a constant or `_`"),
        }
    }

    fn slice(&mut self) -> Result<Vec<SliceDim>> {
        self.list("[", "]", |p| {
            let start = p.subexp()?;
            if !p.eat(":") {
                return Ok(SliceDim::Fix(start));
            }
            let count = p.dim()?;
            p.expect(":")?;
            Ok(SliceDim::Range { start, count, stride: p.subexp()? })
        })
    }

    /// `array at offset [count : stride, …]`
    fn flat(&mut self) -> Result<Flat> {
        let array = self.var()?;
        self.expect("at")?;
        let offset = self.subexp()?;
        let dims = self.list("[", "]", |p| {
            let count = p.dim()?;
            p.expect(":")?;
            Ok((count, p.subexp()?))
        })?;
        Ok((array, offset, dims))
    }

    fn check(&mut self) -> Result<Check> {
        let kind = self.word("a kind of check")?;
        Ok(match kind {
            "assert" => Check::Assert(self.subexp()?, self.string()?),
            "bounds" => Check::Bounds { indices: self.subexps()?, sizes: self.shape()? },
            "slice" => {
                let [start, end, stride] = self.triple()?;
                match self.shape()?[..] {
                    [size] => Check::Slice { start, end, stride, size },
                    _ => return self.fail("one size before this"),
                }
            }
            "size" => {
                let actual = self.shape()?;
                self.expect("=")?;
                Check::SizeEq { actual, expected: self.shape()? }
            }
            "nonzero" => Check::NonZero(self.subexp()?),
            "exponent" => Check::NonNegativeExponent(self.subexp()?),
            "nonnegative" => Check::NonNegativeSize(self.subexp()?),
            "shape" => Check::Shape(self.shape()?),
            "made" => Check::Made(self.var()?),
            "range" => {
                let kind = match self.word("a kind of range")? {
                    "inclusive" => RangeKind::Inclusive,
                    "upto" => RangeKind::UpTo,
                    "downto" => RangeKind::DownTo,
                    _ => return self.fail("`inclusive`, `upto` or `downto` before this"),
                };
                let (start, second, end) = match self.subexps()?[..] {
                    [start, end] => (start, None, end),
                    [start, second, end] => (start, Some(second), end),
                    _ => return self.fail("two or three operands before this"),
                };
                Check::Range { start, second, end, kind }
            }
            _ => return self.fail("a kind of check before this"),
        })
    }

    fn dests(&mut self) -> Result<Vec<ScatterDest>> {
        let mut dests = Vec::new();
        while self.eat("dest") {
            dests.push(ScatterDest { shape: self.shape()?, array: self.var()? });
        }
        Ok(dests)
    }

    fn loop_(&mut self) -> Result<Exp> {
        let params = self.list("(", ")", |p| {
            let (unique, binder) = (p.eat("*"), p.binder()?);
            p.expect("=")?;
            Ok(LoopParam { binder, unique, init: p.subexp()? })
        })?;
        let form = if self.eat("for") {
            let index = self.binder()?;
            self.expect("<")?;
            LoopForm::For { index, bound: self.subexp()? }
        } else {
            self.expect("while")?;
            LoopForm::While(self.var()?)
        };
        self.expect("do")?;
        Ok(Exp::Loop { params, form, body: self.body()? })
    }

    fn ad(&mut self) -> Result<Ad> {
        let seed_shape = self.shape()?;
        let lambda = self.lambda()?;
        self.expect("at")?;
        let args = self.subexps()?;
        self.expect("with")?;
        Ok(Ad { lambda, args, seeds: self.subexps()?, seed_shape })
    }

    fn segop(&mut self) -> Result<Exp> {
        let level = if self.eat("grid") {
            Level::Grid
        } else {
            self.expect("group")?;
            Level::Group
        };
        let space = self.list("(", ")", |p| {
            let binder = p.binder()?;
            p.expect("<")?;
            Ok((binder, p.dim()?))
        })?;
        let (scans, reduces, dests) = (self.operators("scan")?, self.operators("reduce")?, self.dests()?);
        let kind = match (scans.is_empty(), reduces.is_empty(), dests.is_empty()) {
            (true, true, true) => SegKind::Map,
            (false, true, true) => SegKind::Scan(scans),
            (true, false, true) => SegKind::Reduce(reduces),
            (true, true, false) => SegKind::Write(dests),
            _ => return self.fail("scans, reductions or destinations, not several of them, before this"),
        };
        self.expect("->")?;
        let ret = self.types()?;
        Ok(Exp::SegOp(SegOp { level, space, kind, ret, body: self.body()? }))
    }
}
