//! The host's program, as plain data: what is done before, between and behind kernels.
//!
//! The host has *scalars*, which it computes with, and knows *memory*: arrays of one type of elements, one element behind the other, of which it reads and writes single ones and which it
//! gives to kernels. What is an array in the source is a part of one: from an element on, row-major. A scalar that a kernel has computed is the element of a memory of one, until the host
//! reads it; it does so only if a size, or which way it goes on, depends on it.
//!
//! [`super::check`] says what is well-formed, [`super::run`] what it means, on any [`super::run::Machine`]; [`super::print`] and [`super::parse`] how it is written.

// Note [Who frees memory]
// ~~~~~~~~~~~~~~~~~~~~~~~
// A variable names memory, and several may name the same: the result of a branch is what the branch has for it, and a loop's parameter what the round before has left. Memory is there as
// long as a variable names it, and is freed with the last one. A variable ends with the block that binds it, or with `Free` before that, behind its last use, be that in a branch, or with a
// loop's beginning, if the loop begins with its memory and has no use for it afterwards (unless the option `free` is off).

// Note [What is guarded]
// ~~~~~~~~~~~~~~~~~~~~~~
// What depends on a truth value in memory need not wait until the host has read that. The host goes through both sides of an [`Op::When`], and through rounds of a loop of the form [`Form::Device`]
// that there may not be: it computes with its scalars, takes and frees memory, and asks the machine for launches, copies and writes that are *guarded*: they do nothing where the truth value, the guard, is
// false. So nothing in there may be read, and which memory is whose may not depend on what is read: no read, no call, no loop whose end is the machine's to see; and rounds that there may not be take
// as much memory as those that there are, and have as many rounds of loops inside, lest they never end. A failure of the host's counts only if the guard holds, which it then looks at.

use crate::check::Checked;
use crate::ir::{Ident, Named, ids};
use futi_core::ir::{Check, Prov, ProvTable};
use futi_core::prim::{Prim, Scalar, ScalarType};
use futi_core::value::Array;

ids! {
    /// A kernel of the program.
    KernelId
    /// A constant of the program.
    ConstantId
    /// A function of the program.
    FunId
    /// A place where the host's own code may fail.
    CheckId
    /// A threshold of the program.
    ThresholdId
    /// A scalar of a function.
    HostScalar
    /// Memory, of a function.
    Mem
}

/// A program for the host, and its kernels.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HostProgram {
    /// The kernels.
    pub kernels: Vec<HostKernel>,
    /// Arrays that are written out in the program.
    pub constants: Vec<Array>,
    /// What the host checks.
    pub checks: Vec<Site>,
    /// The names of the numbers of points from which on a nest is no more one of few points.
    pub thresholds: Vec<String>,
    /// The functions.
    pub funs: Vec<Fun>,
    /// What provenances refer to.
    pub prov: ProvTable,
}

/// A kernel, and what the host must know to tell why it has failed.
#[derive(Clone, PartialEq, Debug)]
pub struct HostKernel {
    /// The kernel.
    pub kernel: Checked,
    /// Of each of its sites, what does not hold.
    pub sites: Vec<Site>,
}

/// Something that must hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// The check. Its operands, in the order of [`Check::operands`], are the variables 0, 1, ….
    pub check: Check,
    /// Where in the program it stands.
    pub prov: Prov,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Fun {
    /// The name.
    pub name: Ident,
    /// The name by which it is called from outside, if it is.
    pub entry: Option<String>,
    /// Its scalars: each is bound once.
    pub scalars: Vec<Named>,
    /// Its memory: each is bound once.
    pub mems: Vec<Named>,
    /// The parameters.
    pub params: Vec<Param>,
    /// The code.
    pub body: Vec<Stm>,
    /// The results.
    pub results: Vec<Value>,
}

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Param {
    /// A scalar.
    Scalar(HostScalar),
    /// An array, row-major, from the first element of its memory on.
    Array {
        /// Where it is. The function does not change it, unless it may be consumed.
        mem: Mem,
        /// Its shape, of constants and of scalars among the parameters before.
        shape: Vec<Exp>,
        /// Whether it may be consumed: nobody else looks at the memory any more.
        unique: bool,
    },
}

/// An operand or a result of a function.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A scalar.
    Scalar(Exp),
    /// An array, row-major.
    Array {
        /// Where it is.
        mem: Mem,
        /// Its first element, an `i64`.
        offset: Exp,
        /// Its shape, `i64`s.
        shape: Vec<Exp>,
    },
}

/// Elements of memory, one behind the other.
#[derive(Clone, PartialEq, Debug)]
pub struct Slice {
    /// The memory.
    pub mem: Mem,
    /// The first of them, an `i64`.
    pub offset: Exp,
    /// How many, an `i64`.
    pub len: Exp,
}

/// A scalar expression of the host. It is total, and reads no memory.
#[derive(Clone, PartialEq, Debug)]
pub enum Exp {
    /// A constant.
    Lit(Scalar),
    /// A scalar.
    Var(HostScalar),
    /// A scalar operator.
    Prim(Prim, Vec<Exp>),
    /// A number that suits the machine, an `i64`: results do not depend on it, but for the order in which operators are applied.
    Tuning(Tuning),
    /// Whether so many points of a nest, an `i64`, are fewer than a threshold: a truth value that suits the machine, as results do not depend on it.
    Few {
        /// The threshold.
        threshold: ThresholdId,
        /// The points.
        points: Box<Exp>,
    },
    /// How many invocations a group of a kernel has, an `i64`.
    GroupSize(KernelId),
    /// How many groups of a kernel are launched, an `i64`: as many as are asked for, or fewer, if the machine would not run them at once or has too little memory for what each invocation
    /// has for itself; but one at least if any is asked for.
    Groups {
        /// The kernel.
        kernel: KernelId,
        /// So many would have something to do, an `i64`.
        wanted: Box<Exp>,
        /// Bytes of each invocation's own memory, an `i64`.
        own: Box<Exp>,
    },
}

/// A number that suits the machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tuning {
    /// Over how many groups a reduction is spread, if it is long enough.
    ReduceGroups,
    /// From how many segments on each is reduced by one invocation.
    ReduceEachSegments,
    /// Up to which length a segment is reduced by one invocation.
    ReduceEachLength,
    /// Into how many chunks a scan is cut at most.
    ScanChunks,
    /// How many rounds of loops an invocation may take in all.
    Rounds,
    /// So many points keep the machine busy, each with sequential code: what a threshold is, unless it is given by its name.
    Enough,
    /// How many rounds of a loop the host is ahead at most, where the machine decides whether there are any more.
    Batch,
    /// Up to how many points and elements in a round a loop is run by one invocation.
    WholeLoops,
}

impl Tuning {
    /// All of them.
    pub const ALL: [Tuning; 8] = {
        use Tuning::*;
        [ReduceGroups, ReduceEachSegments, ReduceEachLength, ScanChunks, Rounds, Batch, WholeLoops, Enough]
    };

    /// The name in text, and for those who set it.
    pub fn name(self) -> &'static str {
        match self {
            Tuning::ReduceGroups => "reduce_groups",
            Tuning::ReduceEachSegments => "reduce_each_segments",
            Tuning::ReduceEachLength => "reduce_each_length",
            Tuning::ScanChunks => "scan_chunks",
            Tuning::Rounds => "rounds",
            Tuning::Enough => "enough",
            Tuning::Batch => "batch",
            Tuning::WholeLoops => "whole_loops",
        }
    }
}

/// A statement, and where in the program it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Stm {
    /// What is done.
    pub op: Op,
    /// Where it comes from.
    pub prov: Prov,
}

/// What is done.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// Gives a scalar its value.
    Let(HostScalar, Exp),
    /// Checks that something holds; if not, the call fails.
    Check {
        /// What.
        check: CheckId,
        /// The operands of the check.
        operands: Vec<Exp>,
    },
    /// Memory for an array of a shape. Nothing is in it.
    Alloc {
        /// The memory.
        mem: Mem,
        /// Whether it is the program's own scratch: what is in that may be moved before it is written, as no result depends on it.
        scratch: bool,
        /// `i64`s. A negative one counts as zero: what is made with such a size is checked elsewhere, and perhaps not made at all.
        shape: Vec<Exp>,
    },
    /// The memory of a constant, which nobody changes.
    Constant(Mem, ConstantId),
    /// A variable is not used any more: Note [Who frees memory].
    Free(Mem),
    /// Copies elements, between memory of the same type; as many as the first one has, and the second has as many.
    Copy {
        /// Where they go.
        to: Slice,
        /// Where they come from. It does not overlap where they go.
        from: Slice,
    },
    /// Writes an element.
    Write {
        /// The memory.
        to: Mem,
        /// The element, an `i64`.
        index: Exp,
        /// Its value.
        value: Exp,
    },
    /// Waits, and reads elements: of each memory the one at an index, an `i64`.
    Read(Vec<(HostScalar, Mem, Exp)>),
    /// Runs a kernel, if there is any group of it.
    Launch(Launch),
    /// A choice.
    If {
        /// Which.
        cond: Exp,
        /// What is done if it is true.
        yes: Block,
        /// What is done if it is false.
        no: Block,
        /// Bound to the scalars of the block that was run.
        scalars: Vec<HostScalar>,
        /// Bound to its memory.
        mems: Vec<Mem>,
    },
    /// A choice that the machine makes: Note [What is guarded]. The blocks have no results.
    When {
        /// Memory, the first element of which decides.
        cond: Mem,
        /// What is done if it is true.
        yes: Block,
        /// What is done if it is false.
        no: Block,
    },
    /// A loop.
    Loop {
        /// How it goes on.
        form: Form,
        /// The scalars that change, with their first values.
        scalars: Vec<(HostScalar, Exp)>,
        /// The memory that changes, with what it is at first.
        mems: Vec<(Mem, Mem)>,
        /// Variables that are not used any more once it has begun: Note [Who frees memory].
        frees: Vec<Mem>,
        /// A round. Its results are what the next one begins with.
        body: Block,
        /// Bound to the scalars at the end.
        last_scalars: Vec<HostScalar>,
        /// Bound to the memory at the end.
        last_mems: Vec<Mem>,
    },
    /// Calls a function.
    Call {
        /// Which.
        fun: FunId,
        /// The arguments. The shape of an array is told by scalars before it, and it is the whole of a memory's beginning: its offset is 0.
        args: Vec<Value>,
        /// What is bound to the results.
        results: Vec<CallResult>,
    },
}

/// What is bound to a result of a call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CallResult {
    /// A scalar.
    Scalar(HostScalar),
    /// An array: its memory, and its first element.
    Array(Mem, HostScalar),
}

/// A launch of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Launch {
    /// The kernel.
    pub kernel: KernelId,
    /// How many groups, an `i64`.
    pub groups: Exp,
    /// How many points of a parallel nest they have, an `i64`, for profiles.
    pub points: Exp,
    /// Its scalars.
    pub params: Vec<Exp>,
    /// Its blocks. Two of them may overlap if neither is changed, or if the kernel orders nothing: it has no barrier and no fence, and acquires nothing.
    pub blocks: Vec<Slice>,
}

/// Statements, and what comes of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stms: Vec<Stm>,
    /// The scalars.
    pub scalars: Vec<Exp>,
    /// The memory.
    pub mems: Vec<Mem>,
}

/// How a loop goes on.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// For a scalar from 0 up to a bound, of the same integer type.
    For(HostScalar, Exp),
    /// As long as a condition holds, which is looked at before each round: one of the scalars that change, by its position.
    While(usize),
    /// Likewise, as long as the first element of memory holds: of one of those that change, by its position. The machine looks at it, and the host now and then how far it has come: Note [What is guarded].
    Device(usize),
}

impl Op {
    /// The expressions in it, but for those of statements inside it.
    pub fn exps(&self) -> Vec<&Exp> {
        fn slice(slice: &Slice) -> [&Exp; 2] {
            [&slice.offset, &slice.len]
        }
        match self {
            Op::Let(_, e) | Op::If { cond: e, .. } => vec![e],
            Op::Check { operands, .. } => operands.iter().collect(),
            Op::Alloc { shape, .. } => shape.iter().collect(),
            Op::Constant(..) | Op::Free(_) | Op::When { .. } => vec![],
            Op::Copy { to, from } => [slice(to), slice(from)].concat(),
            Op::Write { index, value, .. } => vec![index, value],
            Op::Read(reads) => reads.iter().map(|(_, _, index)| index).collect(),
            Op::Launch(l) => {
                [&l.groups, &l.points].into_iter().chain(&l.params).chain(l.blocks.iter().flat_map(slice)).collect()
            }
            Op::Loop { form, scalars, .. } => {
                let bound = if let Form::For(_, bound) = form { Some(bound) } else { None };
                bound.into_iter().chain(scalars.iter().map(|(_, init)| init)).collect()
            }
            Op::Call { args, .. } => args.iter().flat_map(Value::exps).collect(),
        }
    }

    /// The memory that it uses, but for what statements inside it do.
    pub fn uses(&self) -> Vec<Mem> {
        match self {
            Op::Let(..) | Op::Check { .. } | Op::Alloc { .. } | Op::Constant(..) | Op::If { .. } => vec![],
            Op::Free(mem) | Op::Write { to: mem, .. } | Op::When { cond: mem, .. } => vec![*mem],
            Op::Copy { to, from } => vec![to.mem, from.mem],
            Op::Read(reads) => reads.iter().map(|(_, mem, _)| *mem).collect(),
            Op::Launch(l) => l.blocks.iter().map(|b| b.mem).collect(),
            Op::Loop { mems, frees, .. } => mems.iter().map(|(_, init)| init).chain(frees).copied().collect(),
            Op::Call { args, .. } => args.iter().filter_map(Value::mem).collect(),
        }
    }

    /// The memory that it binds, but for what statements inside it do.
    pub fn binds(&self) -> Vec<Mem> {
        match self {
            Op::Alloc { mem, .. } | Op::Constant(mem, _) => vec![*mem],
            Op::If { mems, .. } => mems.clone(),
            Op::Loop { last_mems, .. } => last_mems.clone(),
            Op::Call { results, .. } => results.iter().filter_map(CallResult::mem).collect(),
            _ => vec![],
        }
    }

    /// The blocks inside it.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Op::If { yes, no, .. } | Op::When { yes, no, .. } => vec![yes, no],
            Op::Loop { body, .. } => vec![body],
            _ => vec![],
        }
    }

    /// The blocks inside it, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Op::If { yes, no, .. } | Op::When { yes, no, .. } => vec![yes, no],
            Op::Loop { body, .. } => vec![body],
            _ => vec![],
        }
    }
}

impl Value {
    /// The expressions in it.
    pub fn exps(&self) -> Vec<&Exp> {
        match self {
            Value::Scalar(e) => vec![e],
            Value::Array { offset, shape, .. } => [offset].into_iter().chain(shape).collect(),
        }
    }

    /// The memory, if it is an array.
    pub fn mem(&self) -> Option<Mem> {
        match self {
            Value::Scalar(_) => None,
            Value::Array { mem, .. } => Some(*mem),
        }
    }
}

impl CallResult {
    /// The memory, if it is an array.
    pub fn mem(&self) -> Option<Mem> {
        match self {
            CallResult::Scalar(_) => None,
            CallResult::Array(mem, _) => Some(*mem),
        }
    }
}

impl Exp {
    /// A size.
    pub fn i64(x: i64) -> Exp {
        Exp::Lit(Scalar::I64(x))
    }

    /// Looks at it and at all that is inside it.
    pub fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Exp)) {
        see(self);
        match self {
            Exp::Prim(_, args) => args.iter().for_each(|arg| arg.walk(see)),
            Exp::Few { points, .. } => points.walk(see),
            Exp::Groups { wanted, own, .. } => {
                wanted.walk(see);
                own.walk(see);
            }
            Exp::Lit(_) | Exp::Var(_) | Exp::Tuning(_) | Exp::GroupSize(_) => {}
        }
    }
}

impl Fun {
    /// The type of the elements of memory, if there is such memory.
    pub fn elem(&self, mem: Mem) -> Option<ScalarType> {
        self.mems.get(mem.at()).map(|m| m.ty)
    }
}

impl HostProgram {
    /// An entry point, by its name.
    pub fn entry(&self, name: &str) -> Option<&Fun> {
        self.funs.iter().find(|fun| fun.entry.as_deref() == Some(name))
    }
}
