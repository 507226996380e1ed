//! Source programs as text, with as few parentheses as the language allows, or as many.

use super::ast::*;
use super::rewrite::may_open;
use std::fmt::Write;

/// How programs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parentheses {
    /// Where they are needed.
    Few,
    /// Around every operand.
    Many,
}

/// How tightly an expression binds, loosest first; the levels between are those of operators.
const LOOSE: u8 = 0;
const APPLICATION: u8 = 20;
const ATOM: u8 = 21;

/// The level of an operator, by the language reference (futhark-compat.md has none; Futhark 0.25.32 agrees).
fn level(op: &str) -> u8 {
    match op {
        "|>" => 1,
        "<|" => 2,
        "||" => 3,
        "&&" => 4,
        "==" | "!=" | "<" | "<=" | ">" | ">=" | ">->" => 5,
        "&" | "^" | "|" => 6,
        "<<" | ">>" | ">>>" => 7,
        "+" | "-" | "++" => 8,
        "**" => 10,
        _ => 9,
    }
}

/// A whole program.
pub fn program(decls: &[Decl], style: Parentheses) -> String {
    let mut p = Printer { out: String::new(), style, open: None };
    for decl in decls {
        match decl {
            Decl::Def(d) => p.def("def", d),
            Decl::Entry(d) => p.def("entry", d),
            Decl::Module(name, defs) => {
                let _ = writeln!(p.out, "module {name} = {{");
                defs.iter().for_each(|d| p.def("  def", d));
                p.out.push_str("}\n");
            }
        }
    }
    p.out
}

/// A type.
pub fn ty(t: &Ty) -> String {
    match t {
        Ty::Scalar(t) => t.name().to_string(),
        Ty::Param(a) => a.to_string(),
        Ty::Tuple(ts) => format!("({})", ts.iter().map(ty).collect::<Vec<_>>().join(", ")),
        Ty::Array(n, t) => format!("[{}]{}", size(n), ty(t)),
        Ty::Fun(ps, r) => {
            let parts: Vec<String> = ps.iter().chain([&**r]).map(ty).collect();
            format!("({})", parts.join(" -> "))
        }
    }
}

fn size(n: &Size) -> String {
    match n {
        Size::Const(n) => n.to_string(),
        Size::Name(n) => n.to_string(),
        Size::Sum(ab) => format!("{} + {}", size(&ab[0]), size(&ab[1])),
        Size::Product(ab) => {
            let factor = |n: &Size| if let Size::Sum(_) = n { format!("({})", size(n)) } else { size(n) };
            format!("{} * {}", factor(&ab[0]), factor(&ab[1]))
        }
    }
}

struct Printer {
    out: String,
    style: Parentheses,
    /// The module that is open: its names are written without it.
    open: Option<Name>,
}

impl Printer {
    fn def(&mut self, keyword: &str, d: &Def) {
        let _ = write!(self.out, "{keyword} ");
        self.head(d);
        self.out.push_str(" =\n  ");
        self.exp(&d.body, LOOSE);
        self.out.push('\n');
    }

    /// Name, parameters, type.
    fn head(&mut self, d: &Def) {
        let _ = write!(self.out, "{}", d.name);
        d.sizes.iter().for_each(|n| {
            let _ = write!(self.out, " [{n}]");
        });
        d.types.iter().for_each(|a| {
            let _ = write!(self.out, " '{a}");
        });
        self.params(&d.params);
        if d.typed {
            let _ = write!(self.out, ": {}", ty(&d.body.ty));
        }
    }

    fn params(&mut self, params: &[Pat]) {
        for p in params {
            self.out.push(' ');
            match p {
                Pat::Name(_, _, true) => {
                    self.out.push('(');
                    self.pat(p);
                    self.out.push(')');
                }
                _ => self.pat(p),
            }
        }
    }

    /// A pattern, with its type if that is written.
    fn pat(&mut self, p: &Pat) {
        match p {
            Pat::Name(n, t, true) => {
                let _ = write!(self.out, "{n}: {}", ty(t));
            }
            Pat::Name(n, ..) => self.out.push_str(n),
            Pat::Tuple(ps) => {
                self.out.push('(');
                for (i, p) in ps.iter().enumerate() {
                    self.out.push_str(if i > 0 { ", " } else { "" });
                    self.pat(p);
                }
                self.out.push(')');
            }
        }
    }

    fn list(&mut self, es: &[Exp]) {
        for (i, e) in es.iter().enumerate() {
            self.out.push_str(if i > 0 { ", " } else { "" });
            self.exp(e, LOOSE);
        }
    }

    /// An expression where one that binds at least as tightly as `min` belongs.
    fn exp(&mut self, e: &Exp, min: u8) {
        let own = match &*e.kind {
            Kind::Lit(x) if x.to_string().starts_with('-') => LOOSE,
            Kind::Infix(op, ..) => level(op),
            Kind::Pipe(..) => level("|>"),
            Kind::PipeLeft(..) => level("<|"),
            Kind::Compose(..) => level(">->"),
            Kind::Neg(_) | Kind::UpTo(_) | Kind::Lambda(..) | Kind::If(..) => LOOSE,
            Kind::Let(..) | Kind::LetFun(..) | Kind::Loop(..) => LOOSE,
            Kind::Not(_) => APPLICATION - 1,
            Kind::App(..) => APPLICATION,
            _ => ATOM,
        };
        let many = self.style == Parentheses::Many && min > LOOSE && own < ATOM;
        let wrap = own < min || many;
        self.out.push_str(if wrap { "(" } else { "" });
        self.bare(e);
        self.out.push_str(if wrap { ")" } else { "" });
    }

    fn infix(&mut self, op: &str, a: &Exp, b: &Exp) {
        let l = level(op);
        // comparisons do not associate, `<|` does to the right
        let (left, right) = match op {
            "<|" => (l + 1, l),
            _ if l == level("==") => (l + 1, l + 1),
            _ => (l, l + 1),
        };
        self.exp(a, left);
        let _ = write!(self.out, " {op} ");
        self.exp(b, right);
    }

    fn bare(&mut self, e: &Exp) {
        match &*e.kind {
            Kind::Lit(x) => self.out.push_str(&x.to_string()),
            Kind::Size(n) => self.out.push_str(&n.to_string()),
            Kind::Var(n) => {
                let here = self.open.as_ref().and_then(|m| n.strip_prefix(&**m)?.strip_prefix('.'));
                self.out.push_str(here.unwrap_or(n));
            }
            Kind::Tuple(es) => {
                self.out.push('(');
                self.list(es);
                self.out.push(')');
            }
            Kind::Array(es) => {
                self.out.push('[');
                self.list(es);
                self.out.push(']');
            }
            Kind::Project(e, i) => {
                self.exp(e, ATOM);
                let _ = write!(self.out, ".{i}");
            }
            Kind::Index(a, is) => {
                self.exp(a, ATOM);
                self.out.push('[');
                self.list(is);
                self.out.push(']');
            }
            Kind::Infix(op, a, b) => self.infix(op, a, b),
            Kind::Pipe(x, f) => self.infix("|>", x, f),
            Kind::PipeLeft(f, x) => self.infix("<|", f, x),
            Kind::Compose(f, g) => self.infix(">->", f, g),
            Kind::Neg(e) => {
                self.out.push('-');
                self.exp(e, APPLICATION);
            }
            Kind::Not(e) => {
                self.out.push('!');
                self.exp(e, APPLICATION);
            }
            Kind::UpTo(n) => {
                self.out.push_str("0i64..<");
                self.exp(n, level("*"));
            }
            Kind::App(f, args) => {
                // `(f x) y` is not written `f x y`
                self.exp(f, ATOM);
                for a in args {
                    self.out.push(' ');
                    self.exp(a, ATOM);
                }
            }
            Kind::Lambda(params, body) => {
                self.out.push('\\');
                let start = self.out.len();
                self.params(params);
                self.out.remove(start);
                self.out.push_str(" -> ");
                self.exp(body, LOOSE);
            }
            Kind::Operator(op) => {
                let _ = write!(self.out, "({op})");
            }
            Kind::Left(e, op) => {
                self.out.push('(');
                self.exp(e, ATOM);
                let _ = write!(self.out, " {op})");
            }
            Kind::Right(op, e) => {
                let _ = write!(self.out, "({op} ");
                self.exp(e, ATOM);
                self.out.push(')');
            }
            Kind::Field(i) => {
                let _ = write!(self.out, "(.{i})");
            }
            Kind::If(c, a, b) => {
                self.out.push_str("if ");
                self.exp(c, LOOSE);
                self.out.push_str(" then ");
                self.exp(a, LOOSE);
                self.out.push_str(" else ");
                self.exp(b, LOOSE);
            }
            Kind::Let(p, a, b) => {
                self.out.push_str("let ");
                self.pat(p);
                self.out.push_str(" = ");
                self.exp(a, LOOSE);
                self.out.push_str("\n  in ");
                self.exp(b, LOOSE);
            }
            Kind::LetFun(d, b) => {
                self.out.push_str("let ");
                self.head(d);
                self.out.push_str(" = ");
                self.exp(&d.body, LOOSE);
                self.out.push_str("\n  in ");
                self.exp(b, LOOSE);
            }
            Kind::Loop(p, a, form, b) => {
                self.out.push_str("loop");
                self.params(std::slice::from_ref(p));
                self.out.push_str(" = ");
                self.exp(a, LOOSE);
                match form {
                    Form::For(i, n) => {
                        let _ = write!(self.out, " for {i} < ");
                        self.exp(n, LOOSE);
                    }
                    Form::In(p, xs) => {
                        self.out.push_str(" for");
                        self.params(std::slice::from_ref(p));
                        self.out.push_str(" in ");
                        self.exp(xs, LOOSE);
                    }
                    Form::While(c) => {
                        self.out.push_str(" while ");
                        self.exp(c, LOOSE);
                    }
                }
                self.out.push_str(" do ");
                self.exp(b, LOOSE);
            }
            Kind::Ascribe(e) => self.typed(e, ":", &e.ty.clone()),
            Kind::Coerce(inner) => self.typed(inner, ":>", &e.ty),
            // what was put in place of a variable may have names that the module hides
            Kind::Open(m, e) if !may_open(m, e) => {
                self.out.push('(');
                self.exp(e, LOOSE);
                self.out.push(')');
            }
            Kind::Open(m, e) => {
                let _ = write!(self.out, "{m}.(");
                let outer = self.open.replace(m.clone());
                self.exp(e, LOOSE);
                self.open = outer;
                self.out.push(')');
            }
        }
    }

    fn typed(&mut self, e: &Exp, mark: &str, t: &Ty) {
        self.out.push('(');
        self.exp(e, level("|>"));
        let _ = write!(self.out, " {mark} {})", ty(t));
    }
}
