//! Kernel IR to GLSL: [`print()`], and to a kernel of a device: [`compile`]. Statements are written one by one; nothing is decided here that another device would decide otherwise, but
//! for how a type, an operator or an atomic operation is written where the device lacks it: `memory` and `fail` say how, and `refuse` what cannot be written at all.
//!
//! A kernel gets the address of its arguments ([`args`]). Failures are left in a [`Record`].

mod fail;
mod memory;
mod refuse;
#[cfg(test)]
mod tests;

pub use fail::{RECORD_BYTES, Record};
pub use refuse::{refusals, shared_bytes};

use crate::device::{self, Caps, Device};
use crate::glsl::{self, folds_zero, literal, of_word, operator, type_name};
use crate::recording::KernelId;
use futi_core::backend::Unsupported;
use futi_core::prim::{Scalar, ScalarType};
use futi_kernels::check::Checked;
use futi_kernels::ir::*;
use std::fmt::{self, Write};

// Note [Leaving at a barrier]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// An invocation that fails does nothing more, and its group leaves at the next barrier; but all invocations have to come to that. So where a kernel has both, what stands between two barriers becomes a
// function, out of which a failure returns, and `main` has the barriers and the branches and loops around them, which are the same for a whole group. Behind each barrier all look whether one of
// them has failed. What `main` decides by may be what an invocation that has failed did not come to compute, so that there is one more barrier before a decision that comes behind a place of failure.

/// Why there is no kernel.
#[derive(Clone, PartialEq, Debug)]
pub enum Error {
    /// What it asks for and the device lacks.
    Unsupported(Vec<Unsupported>),
    /// The device, or the compiler.
    Device(device::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unsupported(all) => {
                let all: Vec<_> = all.iter().map(|u| format!("{} (it lacks: {})", u.construct, u.missing)).collect();
                write!(f, "the device cannot do {}", all.join(", "))
            }
            Error::Device(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// A kernel for groups of so many invocations, compiled for a device; found if it has been before. The size of groups is a constant of the code: arrays of a group have sizes that depend on it.
///
/// # Errors
/// What the device cannot do ([`refusals`]), and failures of the device or of the compiler.
pub fn compile(device: &Device, kernel: &Checked, group_size: u32) -> Result<KernelId, Error> {
    let source = print(kernel, device.caps(), group_size).map_err(Error::Unsupported)?;
    device.compile(&source, &kernel.kernel().name.to_string()).map_err(Error::Device)
}

/// Such a kernel, which is compiled before what it is recorded in runs: [`Device::announce`].
///
/// # Errors
/// What the device cannot do: [`refusals`].
pub fn announce(device: &Device, kernel: &Checked, group_size: u32) -> Result<KernelId, Error> {
    let source = print(kernel, device.caps(), group_size).map_err(Error::Unsupported)?;
    Ok(device.announce(&source, &kernel.kernel().name.to_string()))
}

/// The argument block of a launch, words of eight bytes each: the address of the record of failures ([`RECORD_BYTES`], all zero before the first launch that it is for), what the kernel's
/// sites are counted from in it, and in the upper half the number of the launch, above zero: the kernel does nothing if a launch of another number has failed; the address of its guard, an `i64` with which it does nothing if that is zero, or zero if it has none; the scalars in the order of the kernel's parameters ([`Scalar::bits`]), and of each block the address of its first element and the number of its elements.
pub fn args(
    record: u64,
    first_site: u32,
    launch: u32,
    guard: u64,
    params: &[Scalar],
    blocks: &[(u64, u64)],
) -> Vec<u8> {
    let scalars = params.iter().map(|x| x.bits());
    let blocks = blocks.iter().flat_map(|(address, len)| [*address, *len]);
    [record, u64::from(launch) << 32 | u64::from(first_site), guard]
        .into_iter()
        .chain(scalars)
        .chain(blocks)
        .flat_map(u64::to_le_bytes)
        .collect()
}

/// The text of a kernel for groups of so many invocations on a device of these capabilities.
///
/// # Errors
/// What the device cannot do: [`refusals`].
pub fn print(kernel: &Checked, caps: &Caps, group_size: u32) -> Result<String, Vec<Unsupported>> {
    let refused = refusals(kernel, caps, group_size);
    if refused.is_empty() { Ok(glsl::shader(caps, &code(kernel.kernel(), caps, group_size))) } else { Err(refused) }
}

/// The part of the text that is of the kernel's own, without what it uses of the library.
fn code(ir: &Kernel, caps: &Caps, group_size: u32) -> String {
    let mut printer = Printer {
        kernel: ir,
        caps,
        group_size,
        out: String::new(),
        depth: 1,
        fresh: 0,
        seen: memory::seen(ir),
        has_bits: memory::in_bits(ir),
        functions: String::new(),
        may_have_failed: false,
    };
    let mut globals = printer.globals() + &printer.seen_references();
    let fails = printer.fail_functions();
    // where functions do not share them, variables are those of one
    if printer.leaves_at_barriers() {
        globals += &variables(ir, "");
        printer.together(&ir.body);
    } else {
        printer.out = variables(ir, "    ");
        printer.stms(&ir.body);
    }
    let Printer { out, functions, .. } = printer;
    let setup = setup(ir);
    let noted = if ir.sites.is_empty() { "" } else { "    if (failed_at != 0u) note_failure();\n" };
    let mut text =
        format!("layout(local_size_x = {group_size}) in;\n{globals}{fails}{functions}\nvoid body() {{\n{out}}}\n\n");
    text += &format!("void main() {{\n{setup}    body();\n{noted}{}}}\n", fail::look_at_rounds(caps));
    // what it uses of the library will come before it
    text
}

struct Printer<'a> {
    kernel: &'a Kernel,
    caps: &'a Caps,
    group_size: u32,
    out: String,
    depth: usize,
    /// How many names have been made.
    fresh: usize,
    /// Of each block, whether groups tell each other about its elements.
    seen: Vec<bool>,
    /// Of each array of the group, whether it has the bits of its elements.
    has_bits: Vec<bool>,
    /// What stands between barriers, where that is in functions.
    functions: String,
    /// Whether an invocation may have failed since all looked, where a group leaves together.
    may_have_failed: bool,
}

/// A variable's name.
fn local(l: Local) -> String {
    format!("x{}", l.0)
}

/// The declarations of a kernel's variables.
fn variables(kernel: &Kernel, indent: &str) -> String {
    let declared = |(i, l): (usize, &Named)| format!("{indent}{} x{i};\n", type_name(l.ty));
    kernel.locals.iter().enumerate().map(declared).collect()
}

/// The value that a word of the arguments holds.
fn from_word(ty: ScalarType, word: &str) -> String {
    if ty.bytes() == 8 { of_word(ty, word) } else { of_word(ty, &format!("uint({word})")) }
}

/// What `main` begins with: the arguments go to variables.
fn setup(kernel: &Kernel) -> String {
    let mut text =
        "    record = args.w[0];\n    first_site = uint(args.w[1]);\n    launch = uint(args.w[1] >> 32);\n".to_string();
    // what an earlier launch has not made cannot be worked with; of its own failures a launch has to find the first
    text += "    uint failed_before = Record(record).launch;\n    if (failed_before != 0u && failed_before != launch) return;\n";
    text += "    if (args.w[2] != 0UL && Guard(args.w[2]).on == int64_t(0)) return;\n";
    let mut word = 3;
    let mut next = || {
        word += 1;
        format!("args.w[{}]", word - 1)
    };
    for (i, param) in kernel.params.iter().enumerate() {
        let _ = writeln!(text, "    p{i} = {};", from_word(param.ty, &next()));
    }
    for i in 0..kernel.blocks.len() {
        let _ = writeln!(text, "    b{i} = {};\n    n{i} = int64_t({});", next(), next());
    }
    text
}

impl Printer<'_> {
    /// Declarations of what all functions see.
    fn globals(&self) -> String {
        let k = self.kernel;
        let words = 3 + k.params.len() + 2 * k.blocks.len();
        let mut text = format!(
            "layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {{ uint64_t w[{words}]; }};\n\
             layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Guard {{ int64_t on; }};\n\
             layout(push_constant, scalar) uniform Push {{ Args args; }};\n\
             uint64_t record;\nuint first_site;\nuint launch;\n"
        );
        for (i, param) in k.params.iter().enumerate() {
            let _ = writeln!(text, "{} p{i};", type_name(param.ty));
        }
        for i in 0..k.blocks.len() {
            let _ = writeln!(text, "uint64_t b{i};\nint64_t n{i};");
        }
        for (i, s) in k.shared.iter().enumerate() {
            let len = u64::from(s.fixed) + u64::from(s.each) * u64::from(self.group_size);
            let _ = writeln!(text, "shared {} s{i}[{}];", self.shared_type(Shared(i as u32)), len.max(1));
        }
        for (i, p) in k.private.iter().enumerate() {
            let _ = writeln!(text, "{} a{i}[{}];", type_name(p.elem), p.len.max(1));
        }
        text
    }

    fn line(&mut self, text: impl AsRef<str>) {
        if !text.as_ref().is_empty() {
            let _ = writeln!(self.out, "{:width$}{}", "", text.as_ref(), width = 4 * self.depth);
        }
    }

    /// Writes `head {`, what `inside` writes, and `}`.
    fn block(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.line(format!("{head} {{").trim_start());
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line("}");
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}_{}", self.fresh)
    }

    fn exp(&self, e: &Exp) -> String {
        match e {
            Exp::Lit(x) => literal(*x),
            Exp::Local(l) => local(*l),
            Exp::Param(p) => format!("p{}", p.0),
            Exp::Length(b) => format!("n{}", b.0),
            Exp::Builtin(b) => match b {
                Builtin::Group => "int(gl_WorkGroupID.x)",
                Builtin::Groups => "int(gl_NumWorkGroups.x)",
                Builtin::Invocation => "int(gl_LocalInvocationID.x)",
                Builtin::GroupSize => "int(gl_WorkGroupSize.x)",
                Builtin::Subgroup => "int(gl_SubgroupID)",
                Builtin::Lane => "int(gl_SubgroupInvocationID)",
                Builtin::SubgroupSize => "int(gl_SubgroupSize)",
            }
            .into(),
            Exp::Prim(prim, args) => {
                let hides = folds_zero(*prim);
                let args: Vec<String> = args
                    .iter()
                    .enumerate()
                    .map(|(i, e)| if i < hides { self.hidden(e) } else { self.exp(e) })
                    .collect();
                operator(*prim, &args.iter().map(String::as_str).collect::<Vec<_>>())
            }
        }
    }

    /// A zero that drivers do not see in the place of one that is written: Note [Zeros that drivers fold].
    fn hidden(&self, e: &Exp) -> String {
        match e {
            Exp::Lit(x @ (Scalar::F32(_) | Scalar::F64(_))) if x.bits() == 0 => {
                format!("{}(uint(record >> 63))", type_name(x.scalar_type()))
            }
            e => self.exp(e),
        }
    }

    fn stms(&mut self, stms: &[Stm]) {
        stms.iter().for_each(|stm| self.stm(stm));
    }

    fn stm(&mut self, stm: &Stm) {
        match stm {
            Stm::Let(to, value) => {
                let value = self.exp(value);
                self.line(format!("{} = {value};", local(*to)));
            }
            Stm::Load { to, from, index } => {
                let value = self.load(*from, index);
                self.line(format!("{} = {value};", local(*to)));
            }
            Stm::Store { to, index, value } => {
                let value = self.exp(value);
                let text = self.store(*to, index, &value);
                self.line(text);
            }
            Stm::Atomic(atomic) => self.atomic(atomic),
            Stm::Fence(scope) => self.line(memory::fence(self.caps, *scope)),
            Stm::Barrier => self.barrier(),
            Stm::If { cond, yes, no } => self.branch(cond, yes, no, Self::stms),
            Stm::For { index, from, below, step, body } => {
                self.count(*index, [from, below, step], |p| p.stms(body));
            }
            Stm::While { before, cond, body } => self.repeat(before, cond, body, Self::stms),
            Stm::Fail { site, point, operands } => {
                let args: Vec<String> = [point].into_iter().chain(operands).map(|e| self.exp(e)).collect();
                self.line(format!("fail_{}({});", site.0, args.join(", ")));
                self.line("return;");
            }
            Stm::Subgroup { to, op, value } => {
                let ty = type_name(self.kernel.locals[to.at()].ty);
                let (to, value) = (local(*to), self.exp(value));
                match op {
                    SubgroupOp::Shuffle(lane) => {
                        let lane = self.exp(lane);
                        self.line(format!("{to} = subgroupShuffle({value}, uint({lane}));"));
                    }
                    SubgroupOp::Up { by, otherwise } => {
                        let (by, otherwise) = (self.exp(by), self.exp(otherwise));
                        let (lane, other) = (self.name("lane"), self.name("other"));
                        self.line(format!("int {lane} = int(gl_SubgroupInvocationID) - {by};"));
                        self.line(format!("{ty} {other} = {otherwise};"));
                        self.line(format!("{to} = subgroupShuffle({value}, uint(max({lane}, 0)));"));
                        self.line(format!("if ({lane} < 0) {to} = {other};"));
                    }
                    SubgroupOp::Any => self.line(format!("{to} = subgroupAny({value});")),
                    SubgroupOp::All => self.line(format!("{to} = subgroupAll({value});")),
                }
            }
        }
    }

    fn branch(&mut self, cond: &Exp, yes: &[Stm], no: &[Stm], inside: fn(&mut Self, &[Stm])) {
        let cond = self.exp(cond);
        self.block(&format!("if ({cond})"), |p| inside(p, yes));
        if !no.is_empty() {
            self.block("else", |p| inside(p, no));
        }
    }

    /// A counting loop, whose end and step are looked at once. It counts in a variable of its own, and constants stand where they are used: compilers unroll such loops.
    fn count(&mut self, index: Local, bounds: [&Exp; 3], body: impl FnOnce(&mut Self)) {
        let ty = type_name(self.kernel.locals[index.at()].ty);
        let i = self.name("i");
        self.block("", |p| {
            let from = p.exp(bounds[0]);
            let [end, by] = [("end", bounds[1]), ("step", bounds[2])].map(|(what, e)| match e {
                Exp::Lit(_) => p.exp(e),
                _ => {
                    let (name, value) = (p.name(what), p.exp(e));
                    p.line(format!("{ty} {name} = {value};"));
                    name
                }
            });
            p.block(&format!("for ({ty} {i} = {from}; {i} < {end}; {i} += {by})"), |p| {
                p.line("TICK;");
                p.line(format!("{} = {i};", local(index)));
                body(p);
            });
        });
    }

    fn repeat(&mut self, before: &[Stm], cond: &Exp, body: &[Stm], inside: fn(&mut Self, &[Stm])) {
        self.block("for (;;)", |p| {
            p.line("TICK;");
            inside(p, before);
            let cond = p.exp(cond);
            p.line(format!("if (!{cond}) break;"));
            inside(p, body);
        });
    }
}
