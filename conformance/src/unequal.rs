//! The same program but where floats are equal: what it computes beside such a point.

use futi_core::ir::visit::{VisitMut, walk_exp_mut, walk_fun_mut};
use futi_core::ir::*;
use futi_core::prim::{CmpOp, Prim, Scalar};

/// The programs in which equal floats compare as if they were not: none is equal to another, and of two that are equal the one is below the other, or neither
/// is. No program where floats are not compared.
pub fn unequal(program: &Program) -> Vec<Program> {
    let variant = |from, to| {
        let mut unequal = Unequal { from, to, compares: false };
        let mut program = program.clone();
        program.funs.iter_mut().for_each(|f| walk_fun_mut(&mut unequal, f));
        unequal.compares.then_some(program)
    };
    [variant(CmpOp::Le, CmpOp::Lt), variant(CmpOp::Lt, CmpOp::Le)].into_iter().flatten().collect()
}

struct Unequal {
    from: CmpOp,
    to: CmpOp,
    compares: bool,
}

impl VisitMut for Unequal {
    fn exp(&mut self, e: &mut Exp) {
        walk_exp_mut(self, e);
        let Exp::Prim(Prim::Cmp(op, t), _) = e else { return };
        if t.is_float() {
            self.compares = true;
            if *op == CmpOp::Eq {
                *e = Exp::SubExp(Scalar::Bool(false).into());
            } else if *op == self.from {
                *op = self.to;
            }
        }
    }
}
