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

/// The name of a threshold: the number with which a function's comparison of that number compares points. Edits of other functions leave it as it is.
pub fn threshold(fun: &str, number: i64) -> String {
    format!("{fun}.enough_{number}")
}

/// The number of a comparison of points with [`ENOUGH`], in its function.
fn number(stm: &Stm) -> Option<i64> {
    let attr = stm.attrs.iter().find(|attr| attr.name.as_str() == Attr::ENOUGH)?;
    Some(attr.arg.unwrap_or(0))
}

/// The names of a function's thresholds, each once, in the order of the function.
pub fn thresholds(fun: &Fun) -> Vec<String> {
    struct Numbers(Vec<i64>);
    impl Visit for Numbers {
        fn stm(&mut self, stm: &Stm) {
            self.0.extend(number(stm).filter(|number| !self.0.contains(number)));
            walk_exp(self, &stm.exp);
        }
    }
    let mut numbers = Numbers(Vec::new());
    numbers.body(&fun.body);
    numbers.0.into_iter().map(|number| threshold(fun.name.as_str(), number)).collect()
}

/// The program with other numbers for [`ENOUGH`], where there is one for the name of the threshold.
pub fn with_enough(program: &Program, points: impl Fn(&str) -> Option<i64>) -> Program {
    struct With<'a>(&'a str, &'a dyn Fn(&str) -> Option<i64>);
    impl VisitMut for With<'_> {
        fn stm(&mut self, stm: &mut Stm) {
            if let Some(points) = number(stm).and_then(|number| self.1(&threshold(self.0, number)))
                && let Exp::Prim(_, operands) = &mut stm.exp
                && let [_, number] = &mut operands[..]
            {
                *number = SubExp::i64(points);
            }
            walk_exp_mut(self, &mut stm.exp);
        }
    }
    let mut program = program.clone();
    for fun in &mut program.funs {
        let name = fun.name.to_string();
        walk_fun_mut(&mut With(&name, &points), fun);
    }
    program
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
