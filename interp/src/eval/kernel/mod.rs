//! Scalar code compiled: what a loop or a parallel node does with plain scalars, without a walk over the tree for each of them.

pub(crate) mod columns;
mod operators;
mod words;

use super::code::{Exp, Lambda};

/// Whether a lambda is nothing but scalar operators and operands: no branch, loop, check or array.
pub(crate) fn is_straight_line(l: &Lambda) -> bool {
    l.body.stms.iter().all(|s| matches!(s.exp, Exp::Prim { .. } | Exp::Operand(_)))
}
