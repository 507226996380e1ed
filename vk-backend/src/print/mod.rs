//! Kernel IR to GLSL: [`print()`]. Statements are written one by one, nothing is decided here that another device would decide otherwise, but for how a type, an operator or an atomic
//! operation is written where the device lacks it: [`memory`] and [`fail`] say how.
//!
//! A kernel gets the address of its arguments, words of eight bytes: the failure record, the number of its first site there, its parameters, and of each block the address and the number of
//! elements ([`words`]).

mod fail;
mod memory;

pub use fail::{RECORD_BYTES, Record};

use crate::device::Caps;
use crate::glsl::{self, literal, operator, type_name};
use futi_core::prim::{BinOp, Prim, Scalar, ScalarType};
use futi_kernels::check::Checked;
use futi_kernels::ir::*;
use std::fmt::Write;

// Note [Leaving at a barrier]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// An invocation that fails does nothing more, and its group leaves at the next barrier; but all invocations have to come to that. So where a kernel has both, what stands between two barriers becomes a
// function, out of which a failure returns, and `main` has the barriers and the branches and loops around them, which are the same for a whole group. Behind each barrier all look whether one of
// them has failed. What `main` decides by may be what an invocation that has failed did not come to compute, so that there is one more barrier before a decision that comes behind a place of failure.

/// The words of a kernel's arguments, in their order.
pub fn words(record: u64, first_site: u32, params: &[Scalar], blocks: &[(u64, u64)]) -> Vec<u64> {
    let scalars = params.iter().map(|x| x.bits());
    let blocks = blocks.iter().flat_map(|(address, len)| [*address, *len]);
    [record, first_site.into()].into_iter().chain(scalars).chain(blocks).collect()
}

/// A kernel for groups of so many invocations on a device of these capabilities.
pub fn print(kernel: &Checked, caps: &Caps, group_size: u32) -> String {
    let ir = kernel.kernel();
    let mut printer = Printer {
        kernel: ir,
        caps,
        group_size,
        out: String::new(),
        depth: 1,
        fresh: 0,
        functions: String::new(),
        may_have_failed: false,
    };
    let globals = printer.globals() + &printer.seen_references();
    let fails = printer.fail_functions();
    match printer.leaves_at_barriers() {
        true => printer.together(&ir.body),
        false => printer.stms(&ir.body),
    }
    let Printer { out, functions, .. } = printer;
    let setup = setup(ir);
    // what is counted is a little less than what the driver counts
    let limited = caps.loop_limit.map_or(String::new(), |limit| {
        format!("    if (ROUNDS > {}u) fail_rounds();\n", limit / 100 * 99)
    });
    let text = format!("layout(local_size_x = {group_size}) in;\n{globals}{fails}{functions}\nvoid body() {{\n{out}}}\n\nvoid main() {{\n{setup}    body();\n{limited}}}\n");
    glsl::shader(caps, &text)
}

struct Printer<'a> {
    kernel: &'a Kernel,
    caps: &'a Caps,
    group_size: u32,
    out: String,
    depth: usize,
    /// How many names have been made.
    fresh: usize,
    /// What stands between barriers, where that is in functions.
    functions: String,
    /// Whether an invocation may have failed since all looked, where a group leaves together.
    may_have_failed: bool,
}

/// A variable's name.
fn local(l: Local) -> String {
    format!("x{}", l.0)
}

/// The value that a word holds: see [`futi_core::prim::Scalar::bits`].
fn from_word(ty: ScalarType, word: &str) -> String {
    match ty {
        ScalarType::I32 => format!("int(uint({word}))"),
        ScalarType::I8 | ScalarType::I16 => format!("wrap_{ty}(int(uint({word})))"),
        ScalarType::F16 => format!("f16_of_bits(uint({word}))"),
        ScalarType::F32 => format!("uintBitsToFloat(uint({word}))"),
        ScalarType::F64 => format!("from_bits_f64({word})"),
        ScalarType::Bool => format!("({word} != 0UL)"),
        _ => format!("{}({word})", type_name(ty)),
    }
}

/// What `main` begins with: the arguments go to variables.
fn setup(kernel: &Kernel) -> String {
    let mut text = "    record = args.w[0];\n    first_site = uint(args.w[1]);\n".to_string();
    let mut word = 2;
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
        let words = 2 + k.params.len() + 2 * k.blocks.len();
        let mut text = format!(
            "layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {{ uint64_t w[{words}]; }};\n\
             layout(push_constant, scalar) uniform Push {{ Args args; }};\n\
             uint64_t record;\nuint first_site;\n"
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
        for (i, l) in k.locals.iter().enumerate() {
            let _ = writeln!(text, "{} x{i};", type_name(l.ty));
        }
        text
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "{:width$}{}", "", text.as_ref(), width = 4 * self.depth);
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
                let args: Vec<String> =
                    args.iter().enumerate().map(|(i, e)| if i < hides { self.hidden(e) } else { self.exp(e) }).collect();
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
            Stm::Fence(scope) => self.line(memory::fence(*scope)),
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
                let (to, value) = (local(*to), self.exp(value));
                match op {
                    SubgroupOp::Shuffle(lane) => {
                        let lane = self.exp(lane);
                        self.line(format!("{to} = subgroupShuffle({value}, uint({lane}));"));
                    }
                    SubgroupOp::Up { by, otherwise } => {
                        let (by, otherwise) = (self.exp(by), self.exp(otherwise));
                        let (lane, other) = (self.name("lane"), self.name("other"));
                        let ty = type_name(self.kernel.locals[stm_local(stm)].ty);
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

    /// A counting loop, whose end and step are looked at once.
    fn count(&mut self, index: Local, bounds: [&Exp; 3], body: impl FnOnce(&mut Self)) {
        let [from, below, step] = bounds.map(|e| self.exp(e));
        let ty = type_name(self.kernel.locals[index.at()].ty);
        let (i, end, by) = (local(index), self.name("end"), self.name("step"));
        self.block("", |p| {
            p.line(format!("{ty} {end} = {below};"));
            p.line(format!("{ty} {by} = {step};"));
            p.block(&format!("for ({i} = {from}; {i} < {end}; {i} += {by})"), |p| {
                p.line("TICK;");
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

/// The position of the variable that a statement gives a value.
fn stm_local(stm: &Stm) -> usize {
    stm.gives().map_or(0, Local::at)
}

// Note [Zeros that drivers fold]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// llvmpipe makes 0 of x * 0 and 0 / x, and x of x + 0, where it sees the constant, also for infinities, NaN and -0, and whatever float controls the module asks
// for. So a literal zero among the operands of these is written as a number that no driver can know to be zero: the highest bit of an address. A quotient by zero is
// a product with infinity, see `operator`.

/// Among how many of the operands, the first, drivers fold a zero.
fn folds_zero(prim: Prim) -> usize {
    match prim {
        Prim::Bin(BinOp::Add | BinOp::Mul, t) if t.is_float() => 2,
        Prim::Bin(BinOp::Div, t) if t.is_float() => 1,
        _ => 0,
    }
}
