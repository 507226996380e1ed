//! Kernels: scalar code compiled, so that a loop or a parallel node on plain scalars does not walk over the tree for each of them.
//!
//! `words` are scalars as bits, `operators` what inner loops are made of; `code` the instructions, `compile` makes them, `run` executes them: element by
//! element, or on columns. `nest` and `looped` are the hooks in parallel nodes and loops. The plain path remains the definition ([`crate::Ctx::plain`]):
//! results, failures and counts are the same, which the tests compare. `columns` serves the reverse pass.

mod code;
pub(crate) mod columns;
mod compile;
mod looped;
mod nest;
mod operators;
mod run;
#[cfg(test)]
mod tests;
mod words;

use super::code::{Exp, Lambda, Loop, Ty};
pub(crate) use code::Tally;
pub(crate) use compile::LoopKernel;
pub(crate) use nest::{Nest, Scratch};
pub(crate) use words::Word;

/// Whether a lambda is nothing but scalar operators and operands, with scalar results: no branch, loop, check or array.
pub(crate) fn is_straight_line(l: &Lambda) -> bool {
    l.body.stms.iter().all(|s| matches!(s.exp, Exp::Prim { .. } | Exp::Operand(_)))
        && l.ret.iter().all(|t| matches!(t, Ty::Value(_, shape) if shape.is_empty()))
}

/// The kernel of a loop on scalars.
pub(crate) fn of_loop(l: &Loop) -> Option<Box<LoopKernel>> {
    compile::looped(l).map(Box::new)
}
