//! The instructions of a kernel, and what its execution counts.

use super::operators::{One, Two};
use crate::eval::code::Slot;
use futi_core::ir::Check;
use futi_core::prim::{Prim, ScalarType};

/// A register: a word, or a column of words. A kernel has at most [`REGS`] of them, so that no access needs a check.
pub(super) type Reg = u8;

/// The number of registers.
pub(super) const REGS: usize = 256;

/// An instruction. One that fails, or that a check stops, ends the kernel without a result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ins {
    Move {
        to: Reg,
        from: Reg,
    },
    One {
        op: One,
        to: Reg,
        x: Reg,
    },
    Two {
        op: Two,
        to: Reg,
        x: Reg,
        y: Reg,
    },
    Select {
        to: Reg,
        c: Reg,
        x: Reg,
        y: Reg,
    },
    /// An operator of [`Kernel::calls`].
    Call {
        call: u16,
        to: Reg,
        args: [Reg; 3],
    },
    /// An element of an array of one dimension.
    Index {
        array: u8,
        to: Reg,
        at: Reg,
    },
    /// [`Kernel::indices`]: of several dimensions.
    IndexMany {
        index: u16,
        to: Reg,
    },
    /// 0 ≤ i < n.
    InRange {
        i: Reg,
        n: Reg,
    },
    NonZero {
        x: Reg,
    },
    NonNegative {
        x: Reg,
    },
    Same {
        x: Reg,
        y: Reg,
    },
    /// [`Kernel::checks`].
    Check {
        check: u16,
    },
    /// A block has been executed.
    Enter {
        block: u16,
    },
    /// A block has been executed so many times.
    Count {
        block: u16,
        times: Reg,
    },
    Jump {
        target: u32,
    },
    JumpUnless {
        c: Reg,
        target: u32,
    },
    /// i = 0; jump unless i < n.
    Begin {
        i: Reg,
        n: Reg,
        exit: u32,
    },
    /// i = i + 1; jump if i < n.
    Next {
        i: Reg,
        n: Reg,
        head: u32,
    },
}

impl Ins {
    /// Calls `f` with each register and whether it is written; false when there are others, in a table.
    pub fn registers(&mut self, f: &mut dyn FnMut(&mut Reg, bool)) -> bool {
        match self {
            Ins::Move { to, from: x } | Ins::One { to, x, .. } | Ins::Index { to, at: x, .. } => {
                f(to, true);
                f(x, false);
            }
            Ins::Two { to, x, y, .. } => {
                f(to, true);
                f(x, false);
                f(y, false);
            }
            Ins::Select { to, c, x, y } => {
                f(to, true);
                [c, x, y].into_iter().for_each(|r| f(r, false));
            }
            Ins::Call { to, args, .. } => {
                f(to, true);
                args.iter_mut().for_each(|r| f(r, false));
            }
            Ins::InRange { i: x, n: y } | Ins::Same { x, y } => {
                f(x, false);
                f(y, false);
            }
            Ins::NonZero { x }
            | Ins::NonNegative { x }
            | Ins::JumpUnless { c: x, .. }
            | Ins::Count { times: x, .. } => f(x, false),
            Ins::Begin { i, n, .. } | Ins::Next { i, n, .. } => {
                // mutant: the counter of a loop has a register of its own, which no result or parameter of a loop around it is in
                f(i, true);
                f(n, false);
            }
            Ins::Enter { .. } | Ins::Jump { .. } => {}
            Ins::IndexMany { .. } | Ins::Check { .. } => return false,
        }
        true
    }
}

/// An array that a kernel reads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Source {
    Free(Slot),
    /// What a parameter is a row of, indexed by the element first.
    RowsOf(usize),
}

/// Compiled scalar code: from the values of parameters, of free scalars and of the elements of free arrays to results.
#[derive(Debug, Default)]
pub(crate) struct Kernel {
    pub(super) code: Vec<Ins>,
    /// Constants.
    pub(super) literals: Vec<(Reg, u64)>,
    /// Free variables.
    pub(super) scalars: Vec<(Reg, Slot)>,
    /// The arrays that it reads, and by how many indices.
    pub(super) arrays: Vec<(Source, usize)>,
    /// Which element it is, for rows.
    pub(super) element: Option<Reg>,
    /// Where the parameters go; `None` for one that is not read.
    pub(super) params: Vec<Option<Reg>>,
    /// Where the results are.
    pub(super) results: Vec<Reg>,
    /// What a run of each block counts; the first is the whole.
    pub(super) blocks: Vec<Tally>,
    /// Operators that have no instruction, with the types of their operands.
    pub(super) calls: Vec<(Prim, Vec<ScalarType>)>,
    pub(super) indices: Vec<(u8, Vec<Reg>)>,
    /// Checks that have no instruction, with the registers of their variables.
    pub(super) checks: Vec<(Check, Vec<(u32, Reg)>)>,
    /// How many registers it has.
    pub(super) regs: usize,
    /// Whether it is straight-line: every instruction makes sense on columns.
    pub(super) straight: bool,
}

/// What one execution of a block adds to the counters.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub statements: u64,
    pub bodies: u64,
    /// By kind of expression.
    pub nodes: Vec<(crate::ctx::NodeKind, u64)>,
    pub prims: Vec<(Prim, u64)>,
}

impl Tally {
    /// What a body counts, its statements apart.
    pub fn body() -> Tally {
        Tally { bodies: 1, ..Tally::default() }
    }

    pub fn steps(&self) -> u64 {
        self.statements + self.bodies
    }

    pub fn statement(&mut self, kind: crate::ctx::NodeKind) {
        self.statements += 1;
        bump(&mut self.nodes, kind);
    }

    pub fn prim(&mut self, op: Prim) {
        bump(&mut self.prims, op);
    }
}

fn bump<K: PartialEq>(counts: &mut Vec<(K, u64)>, key: K) {
    match counts.iter_mut().find(|(k, _)| *k == key) {
        Some((_, n)) => *n += 1,
        None => counts.push((key, 1)),
    }
}
