//! What reverse mode keeps of a loop, and how often it executes the loop's body, counted (digest 002_003, row R7; Note [Strip-mining]).

mod common;
use common::*;
use futi_core::ir::{Prim, Scalar, ScalarType, UnOp};
use futi_core::passes::pipeline::Stage;
use futi_core::value::{Array, Value};

const ROWS: u64 = 1000;

/// The gradient of a loop with this attribute over a state of [`ROWS`] f64: how often the body was executed, and how many states were held at once.
fn cost(attribute: &str, trips: i64) -> (u64, u64, Vec<Value>) {
    // exp's derivative is its result, so that each execution of the body counts
    let source = format!(
        "def f (n: i64) (xs: [{ROWS}]f64) = {attribute} loop ys = xs for _i < n do map (\\y -> f64.exp (-y)) ys
         entry main (n: i64) (xs: [{ROWS}]f64) = vjp (f n) xs (replicate {ROWS} 1)"
    );
    let compiled = futi_core::compile("test.fut", &|_: &str| Ok(source.clone()));
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let program = at(&program, Stage::Ad);
    let xs: Vec<f64> = (0..ROWS).map(|i| i as f64 / ROWS as f64).collect();
    let args = [Scalar::I64(trips).into(), Array::from_vec(&[ROWS as usize], xs).into()];
    let (results, counters) = run(&program, &args);
    let executed = counters.prim(Prim::Un(UnOp::Exp, ScalarType::F64));
    (executed / ROWS, counters.peak / (8 * ROWS), results)
}

#[test]
fn strip_mining_trades_states_for_executions() {
    let (_, _, expected) = cost("", 64);
    // 64 trips: k loops of 64, 8, 4 and 2 trips each
    for (k, states) in [(1, 64), (2, 16), (3, 12), (6, 12)] {
        let (executed, held, gradient) = cost(&format!("#[stripmine({k})]"), 64);
        assert_eq!(executed, (k + 1) * 64, "k = {k}");
        // beside the states kept, the one at hand, what the body makes of it, and the adjoint before and after
        assert!((states..=states + 6).contains(&held), "k = {k}: {held} states, not {states}");
        assert_eq!(gradient, expected, "k = {k}");
    }
}

#[test]
fn every_trip_is_executed_whatever_their_number() {
    for trips in [0, 1, 2, 7, 8, 9, 26, 27, 28, 63, 65] {
        let (_, _, expected) = cost("", trips);
        for k in [2, 3] {
            let (executed, _, gradient) = cost(&format!("#[stripmine({k})]"), trips);
            assert_eq!(gradient, expected, "{trips} trips, k = {k}");
            assert!(executed <= (k + 1) * trips as u64, "{trips} trips, k = {k}: {executed}");
        }
    }
}
