//! Versions of a nest: with sequential code at each point, or with all that is parallel inside of it made for all points at once.
//!
//! Which one is run is decided by how many points there are: with [`ENOUGH`] of them a device is busy. The interpreter takes that number as it stands, a device its own; and either will do, so
//! that who cannot run one runs the other (DEVICE.md §2).

use super::control::is_worth_kernels;
use super::rows;
use crate::hash::HashSet;
use crate::ir::visit::{Visit, VisitMut, walk_exp, walk_exp_mut, walk_fun_mut};
use crate::ir::*;
use std::cell::Cell;

/// So many points keep a device busy, each with sequential code, unless it says otherwise.
pub const ENOUGH: i64 = 32 * 1024;

/// The attribute of a comparison of a nest's points with [`ENOUGH`], for which a device puts its own number.
pub const IS_ENOUGH: &str = "enough";

/// The attribute of a branch whose sides come to the same: whoever runs the program may take either.
pub const EQUIVALENT: &str = "equivalent";

/// The program with another number for [`ENOUGH`]; `None` if it asks for none.
pub fn with_enough(program: &Program, points: i64) -> Option<Program> {
    struct With(i64, bool);
    impl VisitMut for With {
        fn stm(&mut self, stm: &mut Stm) {
            if stm.attrs.iter().any(|attr| attr.name.as_str() == IS_ENOUGH)
                && let Exp::Prim(_, operands) = &mut stm.exp
                && let [_, number] = &mut operands[..]
            {
                *number = SubExp::i64(self.0);
                self.1 = true;
            }
            walk_exp_mut(self, &mut stm.exp);
        }
    }
    let (mut program, mut with) = (program.clone(), With(points, false));
    program.funs.iter_mut().for_each(|fun| walk_fun_mut(&mut with, fun));
    with.1.then_some(program)
}

/// What has come of the attempt to make what is irregular for all points at once.
#[derive(Default)]
pub(super) struct Lifted {
    /// There was something irregular.
    pub(super) used: Cell<bool>,
    /// There was something for which there is no way.
    pub(super) failed: Cell<bool>,
}

/// Whether a function has SOACs of widths that it finds out itself, or in loops and branches.
pub(super) fn may_be_lifted(map: &Lambda) -> bool {
    struct Own {
        bound: HashSet<Var>,
        found: bool,
    }
    impl Visit for Own {
        fn bind(&mut self, b: &Binder) {
            self.bound.insert(b.var);
        }
        fn stm(&mut self, stm: &Stm) {
            self.found |= match &stm.exp {
                Exp::Loop { body, .. } => is_worth_kernels(body),
                Exp::If { yes, no, .. } => is_worth_kernels(yes) || is_worth_kernels(no),
                exp => rows(exp).is_some_and(|(rows, _)| matches!(rows.width, Dim::Var(v) if self.bound.contains(&v))),
            };
            stm.pat.iter().for_each(|p| self.bind(p));
            walk_exp(self, &stm.exp);
        }
    }
    let mut own = Own { bound: HashSet::default(), found: false };
    own.lambda(map);
    own.found
}
