//! Host programs as text, which [`super::parse`] reads back as they are. Kernels are written as [`crate::print`] has them, checks, provenances and constants as core has them. A scalar, memory,
//! a kernel and a function are written with name and number, as `x_0`; where a statement comes from is not written if it is not known.
//!
//! ```text
//! program = "futi-host" VERSION kernel* constant* check* threshold* fun* PROVENANCES
//! kernel  = KERNEL ("fails" NUMBER CHECK "@" PROV)*
//! constant = "constant" NUMBER "=" VALUE
//! check   = "check" NUMBER CHECK "@" PROV
//! threshold = "threshold" NUMBER STRING
//! fun     = "fun" NAME_NUMBER ("entry" STRING)? "{" declaration* stm* "return" "(" value,* ")" "}"
//! declaration
//!         = "scalar" NAME_NUMBER ":" TYPE | "mem" NAME_NUMBER ":" TYPE
//!         | "param" scalar | "param" mem shape "unique"?
//! stm     = head ("@" PROV)? body
//! head    = scalar "=" exp
//!         | mem "=" ("alloc" | "scratch") shape | mem "=" "constant" NUMBER
//!         | "check" NUMBER "(" exp,* ")"
//!         | "free" mem
//!         | "copy" slice "=" slice
//!         | "write" mem "[" exp "]" "=" exp
//!         | "read" "(" (scalar "=" mem "[" exp "]"),* ")"
//!         | "launch" "kernel." NAME_NUMBER "groups" exp "points" exp "(" exp,* ")" "(" slice,* ")"
//!         | "if" exp "->" "(" (scalar | mem),* ")"                                    body: block "else" block
//!         | "loop" ("for" scalar "below" exp | "while" NUMBER) "(" (scalar "=" exp | mem "=" mem),* ")" "->" "(" (scalar | mem),* ")"    body: block
//!         | "call" "fun." NAME_NUMBER "(" value,* ")" "->" "(" (scalar | mem "at" scalar),* ")"
//! block   = "{" stm* "in" "(" (exp | mem),* ")" "}"
//! value   = exp | mem "at" exp shape
//! slice   = mem "[" OFFSET-exp ":" LENGTH-exp "]"
//! shape   = ("[" exp "]")*
//! exp     = CONSTANT | scalar | OPERATOR "(" exp,* ")" | "@" TUNING | "few" "(" NUMBER "," POINTS-exp ")"
//!         | "group_size" "(" "kernel." NAME_NUMBER ")" | "groups" "(" "kernel." NAME_NUMBER "," WANTED-exp "," OWN-exp ")"
//! scalar  = NAME_NUMBER          mem = "mem." NAME_NUMBER
//! ```

use super::ir::*;
use crate::print::{kernel, numbered};
use futi_core::ir::Prov;
use futi_core::ir::print::quoted;
use futi_core::value::Value as Constant;
use std::fmt::{self, Display, Formatter, Write};

/// The version of the text, in its first line.
pub const VERSION: u32 = 1;

impl Display for HostProgram {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "futi-host {VERSION}")?;
        Kernels(self).fmt(f)?;
        Host(self).fmt(f)?;
        let prov = self.prov.to_string();
        if prov.is_empty() { Ok(()) } else { write!(f, "\n{prov}") }
    }
}

/// The kernels of a host program, as its text has them.
pub struct Kernels<'a>(pub &'a HostProgram);

impl Display for Kernels<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.kernels.iter().try_for_each(|k| {
            writeln!(f)?;
            kernel(k.kernel.kernel(), f)?;
            sites(f, "fails", &k.sites)
        })
    }
}

/// A host program without its kernels.
pub struct Host<'a>(pub &'a HostProgram);

impl Display for Host<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Host(program) = self;
        if !program.constants.is_empty() || !program.checks.is_empty() || !program.thresholds.is_empty() {
            writeln!(f)?;
        }
        for (i, array) in program.constants.iter().enumerate() {
            writeln!(f, "constant {i} = {}", Constant::Array(array.clone()))?;
        }
        sites(f, "check", &program.checks)?;
        for (i, name) in program.thresholds.iter().enumerate() {
            writeln!(f, "threshold {i} {}", quoted(name))?;
        }
        program.funs.iter().enumerate().try_for_each(|(i, fun)| {
            writeln!(f)?;
            Printer { program, fun, out: f, indent: 1 }.fun(i)
        })
    }
}

fn sites(f: &mut Formatter<'_>, word: &str, sites: &[Site]) -> fmt::Result {
    sites.iter().enumerate().try_for_each(|(i, site)| writeln!(f, "{word} {i} {} @{}", site.check, site.prov.0))
}

/// The first line of the text of a statement, for messages.
pub(super) fn first_line(program: &HostProgram, fun: &Fun, op: &Op) -> String {
    Printer { program, fun, out: &mut String::new(), indent: 0 }.head(op)
}

/// The name of memory as the text has it.
pub(super) fn mem_name(fun: &Fun, mem: Mem) -> String {
    format!("mem.{}", numbered(fun.mems.get(mem.at()).map(|m| &m.name), mem.0))
}

/// The name of a scalar as the text has it.
pub(super) fn scalar_name(fun: &Fun, scalar: HostScalar) -> String {
    numbered(fun.scalars.get(scalar.at()).map(|s| &s.name), scalar.0)
}

struct Printer<'a, W> {
    program: &'a HostProgram,
    fun: &'a Fun,
    out: &'a mut W,
    indent: usize,
}

impl<W: Write> Printer<'_, W> {
    fn line(&mut self, text: impl Display) -> fmt::Result {
        writeln!(self.out, "{:width$}{text}", "", width = 2 * self.indent)
    }

    fn fun(&mut self, number: usize) -> fmt::Result {
        let fun = self.fun;
        write!(self.out, "fun {}_{number}", fun.name)?;
        if let Some(entry) = &fun.entry {
            write!(self.out, " entry {}", quoted(entry))?;
        }
        writeln!(self.out, " {{")?;
        for (i, s) in fun.scalars.iter().enumerate() {
            self.line(format_args!("scalar {}_{i}: {}", s.name, s.ty))?;
        }
        for (i, m) in fun.mems.iter().enumerate() {
            self.line(format_args!("mem {}_{i}: {}", m.name, m.ty))?;
        }
        for param in &fun.params {
            let text = match param {
                Param::Scalar(s) => self.scalar(*s),
                Param::Array { mem, shape, unique } => {
                    let unique = if *unique { " unique" } else { "" };
                    format!("{}{}{unique}", self.mem(*mem), self.shape(shape))
                }
            };
            self.line(format_args!("param {text}"))?;
        }
        self.stms(&fun.body)?;
        self.line(format_args!("return ({})", self.list(&fun.results, Self::value)))?;
        self.out.write_str("}\n")
    }

    fn stms(&mut self, stms: &[Stm]) -> fmt::Result {
        stms.iter().try_for_each(|stm| self.stm(stm))
    }

    fn block(&mut self, block: &Block) -> fmt::Result {
        self.indent += 1;
        self.stms(&block.stms)?;
        let scalars = block.scalars.iter().map(|e| self.exp(e));
        let results: Vec<_> = scalars.chain(block.mems.iter().map(|m| self.mem(*m))).collect();
        self.line(format_args!("in ({})", results.join(", ")))?;
        self.indent -= 1;
        Ok(())
    }

    fn stm(&mut self, stm: &Stm) -> fmt::Result {
        let prov = if stm.prov == Prov::UNKNOWN { String::new() } else { format!(" @{}", stm.prov.0) };
        let head = self.head(&stm.op);
        match &stm.op {
            Op::If { yes, no, .. } | Op::When { yes, no, .. } => {
                self.line(format_args!("{head}{prov} {{"))?;
                self.block(yes)?;
                self.line("} else {")?;
                self.block(no)?;
                self.line("}")
            }
            Op::Loop { body, .. } => {
                self.line(format_args!("{head}{prov} {{"))?;
                self.block(body)?;
                self.line("}")
            }
            _ => self.line(format_args!("{head}{prov}")),
        }
    }

    /// The first line of a statement, without its end.
    fn head(&self, op: &Op) -> String {
        match op {
            Op::Let(to, e) => format!("{} = {}", self.scalar(*to), self.exp(e)),
            Op::Check { check, operands } => format!("check {} ({})", check.0, self.list(operands, Self::exp)),
            Op::Alloc { mem, scratch, shape } => {
                let word = if *scratch { "scratch" } else { "alloc" };
                match &shape[..] {
                    [] => format!("{} = {word}", self.mem(*mem)),
                    shape => format!("{} = {word} {}", self.mem(*mem), self.shape(shape)),
                }
            }
            Op::Constant(mem, constant) => format!("{} = constant {}", self.mem(*mem), constant.0),
            Op::Free(mem) => format!("free {}", self.mem(*mem)),
            Op::Copy { to, from } => format!("copy {} = {}", self.slice(to), self.slice(from)),
            Op::Write { to, index, value } => {
                format!("write {} = {}", self.element(*to, index), self.exp(value))
            }
            Op::Read(reads) => {
                let read = |p: &Self, (to, mem, index): &(HostScalar, Mem, Exp)| {
                    format!("{} = {}", p.scalar(*to), p.element(*mem, index))
                };
                format!("read ({})", self.list(reads, read))
            }
            Op::Launch(Launch { kernel, groups, points, params, blocks }) => {
                let [groups, points] = [groups, points].map(|e| self.exp(e));
                let (params, blocks) = (self.list(params, Self::exp), self.list(blocks, Self::slice));
                format!("launch {} groups {groups} points {points} ({params}) ({blocks})", self.kernel(*kernel))
            }
            Op::If { cond, scalars, mems, .. } => format!("if {} -> ({})", self.exp(cond), self.bound(scalars, mems)),
            Op::When { cond, .. } => format!("when {}", self.mem(*cond)),
            Op::Loop { form, scalars, mems, frees, last_scalars, last_mems, .. } => {
                let form = match form {
                    Form::For(index, bound) => format!("for {} below {}", self.scalar(*index), self.exp(bound)),
                    Form::While(position) => format!("while {position}"),
                    Form::Device(position) => format!("device {position}"),
                };
                let scalars = scalars.iter().map(|(s, init)| format!("{} = {}", self.scalar(*s), self.exp(init)));
                let mems = mems.iter().map(|(m, init)| format!("{} = {}", self.mem(*m), self.mem(*init)));
                let params = scalars.chain(mems).collect::<Vec<_>>().join(", ");
                let frees = match &frees[..] {
                    [] => String::new(),
                    frees => format!(" frees ({})", self.bound(&[], frees)),
                };
                format!("loop {form} ({params}){frees} -> ({})", self.bound(last_scalars, last_mems))
            }
            Op::Call { fun, args, results } => {
                let result = |p: &Self, result: &CallResult| match result {
                    CallResult::Scalar(s) => p.scalar(*s),
                    CallResult::Array(mem, offset) => format!("{} at {}", p.mem(*mem), p.scalar(*offset)),
                };
                let (args, results) = (self.list(args, Self::value), self.list(results, result));
                let name = numbered(self.program.funs.get(fun.at()).map(|f| &f.name), fun.0);
                format!("call fun.{name} ({args}) -> ({results})")
            }
        }
    }

    fn list<T>(&self, all: &[T], text: impl Fn(&Self, &T) -> String) -> String {
        all.iter().map(|x| text(self, x)).collect::<Vec<_>>().join(", ")
    }

    fn bound(&self, scalars: &[HostScalar], mems: &[Mem]) -> String {
        let all = scalars.iter().map(|s| self.scalar(*s)).chain(mems.iter().map(|m| self.mem(*m)));
        all.collect::<Vec<_>>().join(", ")
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Scalar(e) => self.exp(e),
            Value::Array { mem, offset, shape } => {
                let shape = if shape.is_empty() { String::new() } else { format!(" {}", self.shape(shape)) };
                format!("{} at {}{shape}", self.mem(*mem), self.exp(offset))
            }
        }
    }

    fn slice(&self, slice: &Slice) -> String {
        format!("{}[{} : {}]", self.mem(slice.mem), self.exp(&slice.offset), self.exp(&slice.len))
    }

    fn element(&self, mem: Mem, index: &Exp) -> String {
        format!("{}[{}]", self.mem(mem), self.exp(index))
    }

    fn shape(&self, shape: &[Exp]) -> String {
        shape.iter().map(|e| format!("[{}]", self.exp(e))).collect()
    }

    fn scalar(&self, scalar: HostScalar) -> String {
        scalar_name(self.fun, scalar)
    }

    fn mem(&self, mem: Mem) -> String {
        mem_name(self.fun, mem)
    }

    fn kernel(&self, kernel: KernelId) -> String {
        let own = self.program.kernels.get(kernel.at()).map(|k| &k.kernel.kernel().name);
        format!("kernel.{}", numbered(own, kernel.0))
    }

    fn exp(&self, exp: &Exp) -> String {
        match exp {
            Exp::Lit(x) => x.to_string(),
            Exp::Var(s) => self.scalar(*s),
            Exp::Prim(op, args) => format!("{op}({})", self.list(args, Self::exp)),
            Exp::Tuning(tuning) => format!("@{}", tuning.name()),
            Exp::Few { threshold, points } => format!("few({}, {})", threshold.0, self.exp(points)),
            Exp::GroupSize(kernel) => format!("group_size({})", self.kernel(*kernel)),
            Exp::Groups { kernel, wanted, own } => {
                format!("groups({}, {}, {})", self.kernel(*kernel), self.exp(wanted), self.exp(own))
            }
        }
    }
}
