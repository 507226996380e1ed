//! Kernels as text, which [`crate::parse`] reads back as they are. An entry of a table is written with its name and its number, as `x_0`; a constant with its type; an operator as the IR of
//! programs writes it.
//!
//! ```text
//! kernel  = "futi-kernel" VERSION "kernel" NAME "@" PROV "{" declaration* stm* "}"
//! declaration
//!         = "group" LEAST "to" MOST "power_of_two"?
//!         | "param" NAME_NUMBER ":" TYPE
//!         | "block" NAME_NUMBER ":" "read"? "write"? "atomic"? TYPE
//!         | "shared" NAME_NUMBER ":" TYPE "[" FIXED "+" EACH "each" "]"
//!         | "private" NAME_NUMBER ":" TYPE "[" LENGTH "]"
//!         | "local" NAME_NUMBER ":" TYPE
//!         | "site" NUMBER "of" OPERANDS "@" PROV
//!         | "cost" "reads" exp "writes" exp "operations" exp
//! stm     = local "=" exp
//!         | local "=" "load" element
//!         | "store" element "=" exp
//!         | (local "=")? "atomic" OPERATION element "(" exp,* ")" ORDER scope
//!         | "fence" scope | "barrier"
//!         | "if" exp "{" stm* "}" ("else" "{" stm* "}")?
//!         | "for" local "from" exp "below" exp "step" exp "{" stm* "}"
//!         | "loop" "{" stm* "}" "while" exp "{" stm* "}"
//!         | "fail" SITE "at" exp "(" exp,* ")"
//!         | local "=" "subgroup" ("shuffle" exp "from" exp | "up" exp "by" exp "else" exp | "any" exp | "all" exp)
//! element = ("block." | "shared." | "private.") NAME_NUMBER "[" exp "]"
//! exp     = CONSTANT | local | "param." NAME_NUMBER | "@" BUILTIN | "length" "(" "block." NAME_NUMBER ")" | OPERATOR "(" exp,* ")"
//! local   = NAME_NUMBER          scope = "group" | "device"
//! ```

use crate::ir::*;
use std::fmt::{self, Display, Formatter, Write};

/// The version of the text, in its first line.
pub const VERSION: u32 = 1;

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "futi-kernel {VERSION}\n")?;
        kernel(self, f)
    }
}

/// A kernel without the version of its text.
pub(crate) fn kernel(kernel: &Kernel, out: &mut impl Write) -> fmt::Result {
    Printer { kernel, out, indent: 1 }.kernel()
}

/// The first line of the text of a statement, for messages.
pub(crate) fn first_line(kernel: &Kernel, stm: &Stm) -> String {
    let mut out = String::new();
    // a String takes all that is written
    let _ = Printer { kernel, out: &mut out, indent: 0 }.head(stm);
    out
}

/// The name of an array as the text has it.
pub(crate) fn array_name(kernel: &Kernel, array: Array) -> String {
    Printer { kernel, out: &mut String::new(), indent: 0 }.array(array)
}

struct Printer<'a, W> {
    kernel: &'a Kernel,
    out: &'a mut W,
    indent: usize,
}

impl<W: Write> Printer<'_, W> {
    fn line(&mut self, text: impl Display) -> fmt::Result {
        writeln!(self.out, "{:width$}{text}", "", width = 2 * self.indent)
    }

    fn kernel(&mut self) -> fmt::Result {
        let k = self.kernel;
        writeln!(self.out, "kernel {} @{} {{", k.name, k.prov.0)?;
        let power = if k.group.power_of_two { " power_of_two" } else { "" };
        self.line(format_args!("group {} to {}{power}", k.group.least, k.group.most))?;
        for (i, p) in k.params.iter().enumerate() {
            self.line(format_args!("param {}_{i}: {}", p.name, p.ty))?;
        }
        for (i, b) in k.blocks.iter().enumerate() {
            // before the type: behind it `atomic` would be the next statement's
            let access = [(b.access.reads, "read "), (b.access.writes, "write "), (b.access.atomics, "atomic ")];
            let access: String = access.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
            self.line(format_args!("block {}_{i}: {access}{}", b.name, b.elem))?;
        }
        for (i, s) in k.shared.iter().enumerate() {
            self.line(format_args!("shared {}_{i}: {}[{} + {} each]", s.name, s.elem, s.fixed, s.each))?;
        }
        for (i, p) in k.private.iter().enumerate() {
            self.line(format_args!("private {}_{i}: {}[{}]", p.name, p.elem, p.len))?;
        }
        for (i, l) in k.locals.iter().enumerate() {
            self.line(format_args!("local {}_{i}: {}", l.name, l.ty))?;
        }
        for (i, s) in k.sites.iter().enumerate() {
            self.line(format_args!("site {i} of {} @{}", s.operands, s.prov.0))?;
        }
        if let Some(cost) = &k.cost {
            let [reads, writes, operations] = cost.parts().map(|e| self.exp(e));
            self.line(format_args!("cost reads {reads} writes {writes} operations {operations}"))?;
        }
        self.stms(&k.body)?;
        self.out.write_str("}\n")
    }

    fn stms(&mut self, stms: &[Stm]) -> fmt::Result {
        stms.iter().try_for_each(|stm| self.stm(stm))
    }

    fn inside(&mut self, stms: &[Stm]) -> fmt::Result {
        self.indent += 1;
        self.stms(stms)?;
        self.indent -= 1;
        Ok(())
    }

    fn stm(&mut self, stm: &Stm) -> fmt::Result {
        write!(self.out, "{:width$}", "", width = 2 * self.indent)?;
        self.head(stm)?;
        self.out.write_char('\n')?;
        match stm {
            Stm::If { yes, no, .. } => {
                self.inside(yes)?;
                if !no.is_empty() {
                    self.line("} else {")?;
                    self.inside(no)?;
                }
                self.line("}")
            }
            Stm::For { body, .. } => {
                self.inside(body)?;
                self.line("}")
            }
            Stm::While { before, cond, body } => {
                self.inside(before)?;
                self.line(format_args!("}} while {} {{", self.exp(cond)))?;
                self.inside(body)?;
                self.line("}")
            }
            _ => Ok(()),
        }
    }

    /// The first line of a statement, without its end.
    fn head(&mut self, stm: &Stm) -> fmt::Result {
        if let Some(to) = stm.gives().filter(|_| !matches!(stm, Stm::For { .. })) {
            write!(self.out, "{} = ", self.local(to))?;
        }
        let text = match stm {
            Stm::Let(_, value) => self.exp(value),
            Stm::Load { from, index, .. } => format!("load {}", self.element(*from, index)),
            Stm::Store { to, index, value } => format!("store {} = {}", self.element(*to, index), self.exp(value)),
            Stm::Atomic(Atomic { op, at, index, operands, order, scope, .. }) => {
                let (element, operands) = (self.element(*at, index), self.list(operands));
                format!("atomic {} {element}({operands}) {} {}", op.name(), order.name(), scope.name())
            }
            Stm::Fence(scope) => format!("fence {}", scope.name()),
            Stm::Barrier => "barrier".into(),
            Stm::If { cond, .. } => format!("if {} {{", self.exp(cond)),
            Stm::For { index, from, below, step, .. } => {
                let [from, below, step] = [from, below, step].map(|e| self.exp(e));
                format!("for {} from {from} below {below} step {step} {{", self.local(*index))
            }
            Stm::While { .. } => "loop {".into(),
            Stm::Fail { site, point, operands } => {
                format!("fail {} at {} ({})", site.0, self.exp(point), self.list(operands))
            }
            Stm::Subgroup { op, value, .. } => {
                let value = self.exp(value);
                match op {
                    SubgroupOp::Shuffle(from) => format!("subgroup shuffle {value} from {}", self.exp(from)),
                    SubgroupOp::Up { by, otherwise } => {
                        format!("subgroup up {value} by {} else {}", self.exp(by), self.exp(otherwise))
                    }
                    SubgroupOp::Any => format!("subgroup any {value}"),
                    SubgroupOp::All => format!("subgroup all {value}"),
                }
            }
        };
        self.out.write_str(&text)
    }

    fn list(&self, exps: &[Exp]) -> String {
        exps.iter().map(|e| self.exp(e)).collect::<Vec<_>>().join(", ")
    }

    fn local(&self, local: Local) -> String {
        numbered(self.kernel.locals.get(local.at()).map(|l| &l.name), local.0)
    }

    fn element(&self, array: Array, index: &Exp) -> String {
        format!("{}[{}]", self.array(array), self.exp(index))
    }

    fn array(&self, array: Array) -> String {
        let k = self.kernel;
        match array {
            Array::Block(b) => format!("block.{}", numbered(k.blocks.get(b.at()).map(|b| &b.name), b.0)),
            Array::Shared(s) => format!("shared.{}", numbered(k.shared.get(s.at()).map(|s| &s.name), s.0)),
            Array::Private(p) => format!("private.{}", numbered(k.private.get(p.at()).map(|p| &p.name), p.0)),
        }
    }

    fn exp(&self, exp: &Exp) -> String {
        match exp {
            Exp::Lit(x) => x.to_string(),
            Exp::Local(local) => self.local(*local),
            Exp::Param(p) => format!("param.{}", numbered(self.kernel.params.get(p.at()).map(|p| &p.name), p.0)),
            Exp::Builtin(b) => format!("@{}", b.name()),
            Exp::Length(block) => format!("length({})", self.array(Array::Block(*block))),
            Exp::Prim(op, args) => format!("{op}({})", self.list(args)),
        }
    }
}

/// An entry of a table by its name and number. What is missing in the table has a number, too: ill-formed kernels can be written.
pub(crate) fn numbered(own: Option<&Ident>, at: u32) -> String {
    own.map_or(format!("missing_{at}"), |own| format!("{own}_{at}"))
}
