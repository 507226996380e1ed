//! A shorthand for IR text, so that tests stay readable: [`ir`] expands it to the text that the parser reads.
//!
//! * Names need no numbers: every name that is bound (a word before `:`) gets one. A name is bound once in a program.
//! * `<<x, i: i64 -> x*x + 1, i>>` is the lambda with these parameters, `f64` where nothing is said, whose results are these expressions.
//! * `let (y: f64) = $ x*sin(y) $` is the statements that compute an expression.
//!
//! Expressions are names, numbers, `+ - * /`, `< <= ==`, `f(a, b)` with f a scalar operator or a type to convert to, `xs[i, j]` for elements of `f64`
//! arrays, and `if a then b else c`, which is lazy. Parameters of a shorthand lambda may have the names of others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The IR text of a program in shorthand, without its first line.
pub fn ir(text: &str) -> String {
    let mut fresh = 0;
    let scope = scalars(text);
    numbered(&statements(&lambdas(text, &scope, &mut fresh), &scope, &mut fresh))
}

/// The names that the text binds with a scalar type.
fn scalars(text: &str) -> Scope {
    let words = spaceless(text);
    let bound = words.windows(3).filter(|w| w[1] == ":" && is_name(w[0]) && is_type(w[2]));
    bound.map(|w| (w[0].to_string(), (w[0].to_string(), w[2].to_string()))).collect()
}

/// What names become, and their types.
type Scope = BTreeMap<String, (String, String)>;

/// Values in which a number without suffix is an `f64`.
pub fn numbers(text: &str) -> String {
    let mut out = String::new();
    for word in words(text) {
        let bare = word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | '-'));
        // the sizes of empty arrays stay
        let size = out.ends_with('[') && out.contains("empty(") && !out.rsplit("empty(").next().unwrap().contains(')');
        match word {
            "inf" | "nan" => write!(out, "f64.{word}").unwrap(),
            _ if bare && !size => write!(out, "{word}f64").unwrap(),
            _ => out.push_str(word),
        }
    }
    out
}

/// The text cut into words (names and numbers), strings and single other characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if first == '"' {
            rest[1..].find('"').expect("the end of a string") + 2
        } else if first.is_ascii_digit() {
            // the sign of an exponent belongs to the number
            let bytes = rest.as_bytes();
            let part = |i: usize| {
                bytes[i].is_ascii_alphanumeric() || bytes[i] == b'.' || (bytes[i] == b'-' && bytes[i - 1] == b'e')
            };
            (1..bytes.len()).find(|i| !part(*i)).unwrap_or(bytes.len())
        } else if first.is_ascii_alphabetic() || first == '_' {
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '.'))).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        words.push(&rest[..end]);
        rest = &rest[end..];
    }
    words
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Every bound name with its number.
fn numbered(text: &str) -> String {
    let words = words(text);
    let bound: BTreeSet<&str> = (words.windows(2)).filter(|w| w[1] == ":" && is_name(w[0])).map(|w| w[0]).collect();
    let numbers: BTreeMap<&str, usize> = bound.into_iter().enumerate().map(|(i, w)| (w, i + 1)).collect();
    let number = |w: &str| numbers.get(w).map_or(w.to_string(), |n| format!("{w}_{n}"));
    words.into_iter().map(number).collect()
}

/// `<<…>>` expanded.
fn lambdas(text: &str, outer: &Scope, fresh: &mut usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<<") {
        let (inside, after) = after.split_once(">>").expect("`>>`");
        let (params, results) = inside.split_once("->").expect("`->`");
        out.push_str(before);
        *fresh += 1;
        let mut scope = outer.clone();
        let mut binders = Vec::new();
        for p in params.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (name, ty) = p.split_once(':').unwrap_or((p, "f64"));
            let renamed = format!("{}'{fresh}", name.trim());
            binders.push(format!("{renamed}: {}", ty.trim()));
            scope.insert(name.trim().to_string(), (renamed, ty.trim().to_string()));
        }
        let mut p = Expand { words: spaceless(results), pos: 0, fresh, scope, stms: String::new() };
        let mut ret = Vec::new();
        while p.pos < p.words.len() {
            let e = p.expr();
            let ty = p.ty(&e).unwrap_or("f64".into());
            ret.push((p.emit(&e, &ty), ty));
            if p.pos < p.words.len() {
                p.expect(",");
            }
        }
        let part = |f: fn(&(String, String)) -> &str| ret.iter().map(f).collect::<Vec<_>>().join(", ");
        let (types, values) = (part(|r| &r.1), part(|r| &r.0));
        write!(out, "\\({}) -> ({types}) {{ {}in ({values}) }}", binders.join(", "), p.stms).unwrap();
        rest = after;
    }
    out + rest
}

/// `let (y: t) = $ … $` expanded.
fn statements(text: &str, scope: &Scope, fresh: &mut usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        let (inside, after) = after.split_once('$').expect("`$`");
        let (done, this) = before.rsplit_once("let (").expect("`let (`");
        let ty = this.split_once(':').expect("a type").1.split_once(')').expect("`)`").0.trim();
        let mut p = Expand { words: spaceless(inside), pos: 0, fresh, scope: scope.clone(), stms: String::new() };
        let e = p.expr();
        assert_eq!(p.pos, p.words.len(), "{inside}");
        let value = p.emit(&e, ty);
        write!(out, "{done}{}let ({this}{value}", p.stms).unwrap();
        rest = after;
    }
    out + rest
}

fn spaceless(text: &str) -> Vec<&str> {
    words(text).into_iter().filter(|w| !w.trim().is_empty()).collect()
}

enum Expr {
    Number(String),
    Name(String),
    Call(String, Vec<Expr>),
    Index(String, Vec<Expr>),
    If(Box<[Expr; 3]>),
}

struct Expand<'a> {
    words: Vec<&'a str>,
    pos: usize,
    fresh: &'a mut usize,
    scope: Scope,
    stms: String,
}

impl<'a> Expand<'a> {
    fn peek(&self) -> &'a str {
        self.words.get(self.pos).copied().unwrap_or("")
    }
    fn eat(&mut self, w: &str) -> bool {
        let found = self.peek() == w;
        self.pos += found as usize;
        found
    }
    fn expect(&mut self, w: &str) {
        assert!(self.eat(w), "expected {w}, found {:?} in {:?}", self.peek(), self.words);
    }

    fn expr(&mut self) -> Expr {
        if self.eat("if") {
            let cond = self.expr();
            self.expect("then");
            let yes = self.expr();
            self.expect("else");
            return Expr::If(Box::new([cond, yes, self.expr()]));
        }
        let left = self.sum();
        let op = if self.eat("<") {
            if self.eat("=") { "le" } else { "lt" }
        } else if self.eat("=") {
            self.expect("=");
            "eq"
        } else {
            return left;
        };
        Expr::Call(op.into(), vec![left, self.sum()])
    }
    fn sum(&mut self) -> Expr {
        let mut left = self.product();
        loop {
            let op = if self.eat("+") {
                "add"
            } else if self.eat("-") {
                "sub"
            } else {
                return left;
            };
            left = Expr::Call(op.into(), vec![left, self.product()]);
        }
    }
    fn product(&mut self) -> Expr {
        let mut left = self.unary();
        loop {
            let op = if self.eat("*") {
                "mul"
            } else if self.eat("/") {
                "div"
            } else {
                return left;
            };
            left = Expr::Call(op.into(), vec![left, self.unary()]);
        }
    }
    fn unary(&mut self) -> Expr {
        if !self.eat("-") {
            return self.atom();
        }
        match self.atom() {
            Expr::Number(n) => Expr::Number(format!("-{n}")),
            e => Expr::Call("neg".into(), vec![e]),
        }
    }
    fn atom(&mut self) -> Expr {
        if self.eat("(") {
            let e = self.expr();
            self.expect(")");
            return e;
        }
        let word = self.peek().to_string();
        self.pos += 1;
        if word.starts_with(|c: char| c.is_ascii_digit()) || word.ends_with(".inf") {
            Expr::Number(word)
        } else if self.eat("(") {
            Expr::Call(word, self.exprs(")"))
        } else if self.eat("[") {
            Expr::Index(word, self.exprs("]"))
        } else {
            assert!(is_name(&word), "unexpected {word:?} in {:?}", self.words);
            Expr::Name(word)
        }
    }
    fn exprs(&mut self, close: &str) -> Vec<Expr> {
        let mut es = Vec::new();
        while !self.eat(close) {
            if !es.is_empty() {
                self.expect(",");
            }
            es.push(self.expr());
        }
        es
    }

    /// The type; none of a bare number.
    fn ty(&self, e: &Expr) -> Option<String> {
        match e {
            Expr::Number(n) => {
                let suffix = n.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
                (suffix.len() == 3).then(|| suffix.to_string())
            }
            Expr::Name(n) if n == "true" || n == "false" => Some("bool".into()),
            Expr::Name(n) => Some(self.scope.get(n).map_or("f64".into(), |(_, ty)| ty.clone())),
            Expr::Call(f, _) if matches!(f.as_str(), "lt" | "le" | "eq") => Some("bool".into()),
            Expr::Call(f, _) if is_type(f) => Some(f.clone()),
            Expr::Call(_, es) => es.iter().find_map(|e| self.ty(e)),
            Expr::Index(..) => Some("f64".into()),
            Expr::If(es) => self.ty(&es[1]).or(self.ty(&es[2])),
        }
    }

    fn let_(&mut self, ty: &str, exp: String) -> String {
        *self.fresh += 1;
        let name = format!("t'{}", self.fresh);
        write!(self.stms, "let ({name}: {ty}) = {exp} ").unwrap();
        name
    }

    /// The operand, after statements that compute it.
    fn emit(&mut self, e: &Expr, ty: &str) -> String {
        match e {
            Expr::Number(n) if self.ty(e).is_some() || n.ends_with("inf") => n.clone(),
            Expr::Number(n) => format!("{n}{ty}"),
            Expr::Name(n) => self.scope.get(n).map_or(n.clone(), |(new, _)| new.clone()),
            Expr::Call(f, es) => {
                let of = es.iter().find_map(|e| self.ty(e)).unwrap_or(ty.to_string());
                let args: Vec<String> = es.iter().map(|e| self.emit(e, &of)).collect();
                let op = if is_type(f) { format!("conv.{of}.{f}") } else { format!("{f}.{of}") };
                self.let_(ty, format!("{op}({})", args.join(", ")))
            }
            Expr::Index(array, es) => {
                let array = self.scope.get(array).map_or(array.clone(), |(new, _)| new.clone());
                let indices: Vec<String> = es.iter().map(|e| self.emit(e, "i64")).collect();
                self.let_(ty, format!("index {array}[{}]", indices.join(", ")))
            }
            Expr::If(es) => {
                let cond = self.emit(&es[0], "bool");
                let outer = std::mem::take(&mut self.stms);
                let mut branch = |e: &Expr| {
                    let value = self.emit(e, ty);
                    format!("{{ {}in ({value}) }}", std::mem::take(&mut self.stms))
                };
                let (yes, no) = (branch(&es[1]), branch(&es[2]));
                self.stms = outer;
                self.let_(ty, format!("if {cond} then {yes} else {no}"))
            }
        }
    }
}

fn is_type(f: &str) -> bool {
    matches!(f, "f64" | "f32" | "i64" | "i32" | "bool")
}
