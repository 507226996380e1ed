//! Versions of a nest: with sequential code at each point, or with all that is parallel inside of it made for all points at once.
//!
//! Which one is run is decided by how many points there are: with [`ENOUGH`] of them a device is busy. The interpreter takes that number as it stands, a device its own; and either will do, so
//! that who cannot run one runs the other (DEVICE.md §2).
//!
//! Note [Points of sequential code]
//!
//! The points that count are those of the dimensions around the sequential code, where there are the fewest of them. Where all that the other version adds are further dimensions of a uniform
//! nest, these must be worth a kernel, too: if each has fewer than [`FEW`] rows there are as good as any number of points. One comparison says both, so that it can be given any outcome:
//!
//! ```text
//! max(points, (FEW - min(FEW, rows)) * 2^32) < ENOUGH
//! ```

use super::control::{FEW, is_small, is_worth_kernels};
use super::irregular::product;
use super::nest::Nest;
use super::{MAX_SPACE, rows};
use crate::hash::HashSet;
use crate::ir::build::Builder;
use crate::ir::visit::{Visit, VisitMut, walk_exp, walk_exp_mut, walk_fun_mut};
use crate::ir::*;
use std::cell::{Cell, RefCell};

/// So many points keep a device busy, each with sequential code, unless it says otherwise.
pub const ENOUGH: i64 = 32 * 1024;

/// The name of a threshold: the number with which a function's comparison of that number compares points. Edits of other functions leave it as it is.
pub fn threshold(fun: &str, number: i64) -> String {
    format!("{fun}.enough_{number}")
}

/// The number of a comparison of points with [`ENOUGH`], in its function; none of another statement, or of a comparison that has none and is as any other.
pub fn threshold_number(stm: &Stm) -> Option<i64> {
    stm.attr(Attr::ENOUGH)?.arg
}

/// The names of a function's thresholds, each once, in the order of the function.
pub fn thresholds(fun: &Fun) -> Vec<String> {
    struct Numbers(Vec<i64>);
    impl Visit for Numbers {
        fn stm(&mut self, stm: &Stm) {
            self.0.extend(threshold_number(stm).filter(|number| !self.0.contains(number)));
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
            if let Some(points) = threshold_number(stm).and_then(|number| self.1(&threshold(self.0, number)))
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
    /// The sizes of dimensions below the first [`MAX_SPACE`].
    pub(super) deeper: RefCell<Vec<Dim>>,
}

/// Whether there are so few points, Note [Points of sequential code], that all that is parallel is to be made for all points at once. `outer` is the nest with sequential code, `number` that of the
/// comparison.
pub(super) fn are_few(b: &mut Builder, outer: &Nest, lifted: &Lifted, number: i64) -> SubExp {
    let known = |dim: &Dim| !matches!(dim, Dim::Var(v) if v.0 >= outer.first);
    let sequential = outer.sequential.borrow();
    let points = sequential.iter().map(|dims| {
        let dims: Vec<Dim> = dims.iter().copied().filter(known).collect();
        product(b, &dims)
    });
    let points: Vec<SubExp> = points.collect();
    // where nothing is sequential, any number of points will do
    let mut points = points.into_iter().reduce(|x, y| b.int(BinOp::Min, x, y)).unwrap_or(SubExp::i64(i64::MAX));
    let deeper = lifted.deeper.borrow();
    // mutant dropped term -> `!lifted.used.get()`: a size that the host does not know is made by what is lifted
    // mutant swap: likewise
    if !lifted.used.get() && deeper.iter().all(known) {
        let rows = deeper.iter().map(|dim| SubExp::from(*dim)).reduce(|x, y| b.int(BinOp::Max, x, y));
        if let Some(rows) = rows {
            let rows = b.int(BinOp::Min, rows, SubExp::i64(FEW));
            let fewer = b.int(BinOp::Sub, SubExp::i64(FEW), rows);
            let any_number = b.int(BinOp::Mul, fewer, SubExp::i64(1 << 32));
            points = b.int(BinOp::Max, points, any_number);
        }
    }
    is_enough(b, points, number)
}

/// The comparison of that number of points, or of what is as good as points, with [`ENOUGH`].
pub(super) fn is_enough(b: &mut Builder, points: SubExp, number: i64) -> SubExp {
    b.attrs = vec![Attr { name: Attr::ENOUGH.into(), arg: Some(number) }];
    b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[points, SubExp::i64(ENOUGH)])
}

/// Whether a function that is mapped has SOACs of widths that it finds out itself, or in loops and branches, or below [`MAX_SPACE`] dimensions.
pub(super) fn may_be_lifted(map: &Lambda) -> bool {
    struct Own {
        bound: HashSet<Var>,
        arrays: HashSet<Var>,
        depth: usize,
        found: bool,
    }
    impl Visit for Own {
        fn bind(&mut self, b: &Binder) {
            self.bound.insert(b.var);
            if b.ty.rank() > 0 {
                self.arrays.insert(b.var);
            }
        }
        fn stm(&mut self, stm: &Stm) {
            self.found |= match &stm.exp {
                exp @ (Exp::Loop { .. } | Exp::If { .. } | Exp::WithAcc(_)) => is_worth_kernels(exp),
                Exp::Apply { .. } => true,
                exp => rows(exp).is_some_and(|(rows, kind)| {
                    let worth = !is_small(rows.width, rows.map);
                    let own = |dim: &Dim| matches!(dim, Dim::Var(v) if self.bound.contains(v));
                    let others = match &kind {
                        SegKind::Write(dests) => dests.iter().any(|d| d.shape.iter().any(own)),
                        // neutral elements that are arrays
                        SegKind::Scan(ops) | SegKind::Reduce(ops) => ops
                            .iter()
                            .flat_map(|op| &op.neutral)
                            .any(|e| e.as_var().is_some_and(|v| self.arrays.contains(&v))),
                        SegKind::Map => false,
                    };
                    worth && (self.depth >= MAX_SPACE || others || own(&rows.width))
                }),
            };
            stm.pat.iter().for_each(|p| self.bind(p));
            let soac = usize::from(rows(&stm.exp).is_some());
            self.depth += soac;
            walk_exp(self, &stm.exp);
            self.depth -= soac;
        }
    }
    let mut own = Own { bound: HashSet::default(), arrays: HashSet::default(), depth: 1, found: false };
    own.lambda(map);
    own.found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_have_names_and_numbers_of_their_own() {
        let text = "futi-ir 1
            entry \"main\"(n_0: i64) -> (r_9: bool) sig 0 (\"n\": i64) -> bool {
              let (a_1: bool) = lt.i64(n_0, 32768i64) attrs (\"is enough\" 0)
              let (b_2: bool) = lt.i64(n_0, 32768i64) attrs (\"is enough\" 1)
              let (c_3: bool) = and.bool(a_1, b_2)
              in (c_3)
            }";
        let program: Program = text.parse().expect("a program");
        let fun = &program.funs[0];
        assert_eq!(thresholds(fun), ["main.enough_0", "main.enough_1"]);
        let changed = with_enough(&program, |name| (name == "main.enough_1").then_some(7));
        let numbers = |program: &Program| {
            let stms = &program.funs[0].body.stms;
            let numbers = stms[..2].iter().map(|stm| match &stm.exp {
                Exp::Prim(_, operands) => operands[1],
                _ => SubExp::i64(-1),
            });
            numbers.collect::<Vec<_>>()
        };
        assert_eq!(numbers(&program), [SubExp::i64(ENOUGH), SubExp::i64(ENOUGH)]);
        assert_eq!(numbers(&changed), [SubExp::i64(ENOUGH), SubExp::i64(7)]);
    }

    #[test]
    fn thresholds_are_those_of_sides_of_branches_too() {
        let text = "futi-ir 1
            entry \"main\"(n_0: i64) -> (r_9: bool) sig 0 (\"n\": i64) -> bool {
              let (a_1: bool) = lt.i64(n_0, 32768i64) attrs (\"is enough\" 0)
              let (b_2: bool) = if a_1 then {
                let (c_3: bool) = lt.i64(n_0, 32768i64) attrs (\"is enough\" 1)
                in (c_3)
              } else {
                in (false)
              }
              in (b_2)
            }";
        let program: Program = text.parse().expect("a program");
        assert_eq!(thresholds(&program.funs[0]), ["main.enough_0", "main.enough_1"]);
        let changed = with_enough(&program, |name| (name == "main.enough_1").then_some(7)).to_string();
        assert!(changed.contains("(c_3: bool) = lt.i64(n_0, 7i64)"), "{changed}");
    }
}
