//! Whether derivatives are still to be taken.

use crate::ir::visit::any_exp;
use crate::ir::*;

/// Whether the program has derivatives still to be taken.
pub fn differentiates(program: &Program) -> bool {
    any_exp(program, |e| matches!(e, Exp::Jvp(_) | Exp::Vjp(_)))
}
