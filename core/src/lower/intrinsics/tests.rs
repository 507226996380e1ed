//! The lowering of what is built in and has many results or accumulators. The harness runs the same IR, `conformance/suite/prelude/flatmap.ir` and `accumulators.ir`, and says whether it computes the right thing.

use super::super::lower;
use crate::ir::visit::{VisitMut, walk_exp_mut};
use crate::ir::{Body, Program, Prov, ProvTable, check};
use crate::{prelude, syntax, types};

struct Forget;

impl VisitMut for Forget {
    fn body(&mut self, body: &mut Body) {
        for stm in &mut body.stms {
            stm.prov = Prov::UNKNOWN;
            walk_exp_mut(self, &mut stm.exp);
        }
    }
}

/// The text of a program, without the places where its statements come from.
fn text(mut program: Program) -> String {
    program.funs.iter_mut().for_each(|f| Forget.body(&mut f.body));
    program.prov = ProvTable::default();
    program.to_string()
}

/// Compiles a program, checks the result, and compares it with a program of the suite.
fn lowered(source: &str, stored: &str) {
    let prelude::Prelude { env, mut sources, .. } = prelude::load();
    let file = sources.add("t.fut", source);
    let (ast, errors) = syntax::parse(file, source);
    assert!(errors.is_empty(), "{errors:?}");
    let (typed, env, errors) = types::check(&ast, &env, &sources);
    assert!(errors.is_empty(), "{errors:?}");
    let entries: Vec<_> = typed.entries().cloned().collect();
    let program = lower(&entries, &env, &sources).unwrap();
    assert!(check::check(program.clone()).is_ok(), "{program}");
    let program = text(program);
    assert_eq!(program, text(stored.parse().unwrap()), "{program}");
}

#[test]
fn flatmap() {
    lowered(
        "entry main (ks: []i64) : ([]i64, []bool, []i64, []i64, []bool, []f64) =
           let below k = (map (\\i -> (i, i % 2 == 0)) (filter (< k) (iota 4)), f64.i64 k / 2)
           let (shape, flags, offsets, data, halves) = intrinsics.flatmap below ks
           let (is, even) = unzip data
           in (shape, flags, offsets, is, even, halves)",
        include_str!("../../../../conformance/suite/prelude/flatmap.ir"),
    );
}

#[test]
fn accumulators() {
    lowered(
        "entry main [k][n] (dest: *[k]f64) (flags: *[k]bool) (is: [n]i64) (xs: [n]f64) : ([k]f64, [k]bool, [k]f64) =
           let write (acc: *acc ([k](f64, bool))) (i, x) =
             intrinsics.acc_write (intrinsics.acc_write acc i (x, true)) (i + 1) (2 * x, false)
           let (a, b) = unzip (intrinsics.scatter_stream (zip (copy dest) flags) write (zip is xs))
           let add (acc: *acc ([k]f64)) (i, x) = intrinsics.acc_write (intrinsics.acc_write acc i x) (i + 1) (2 * x)
           in (a, b, intrinsics.hist_stream dest (+) 0 add (zip is xs))",
        include_str!("../../../../conformance/suite/prelude/accumulators.ir"),
    );
}
