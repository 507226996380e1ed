//! The examples at every stage: source to IR, differentiated, simplified, fused; in the interpreter, against their own test blocks' values.

mod common;
use common::*;
use futi_core::entry::{arguments, inputs, results};
use futi_core::ir::Program;
use futi_core::passes::pipeline::{Stage, only};
use futi_core::value::Value;
use futi_core::value::compare::{Tolerance, compare};
use futi_core::value::text::parse_values_as;
use futi_interp::{Ctx, eval};

fn example(name: &str) -> Program {
    let path = format!("{}/../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let read = |p: &str| std::fs::read_to_string(p).map_err(|_| panic!("{p}"));
    let compiled = futi_core::compile(&path, &read);
    assert!(compiled.diagnostics.is_empty(), "{:?}", compiled.diagnostics);
    compiled.program.unwrap()
}

fn run_entry(program: &Program, entry: &str, args: &str, what: &str) -> Vec<Value> {
    let fun = program.entry(entry).unwrap();
    let types: Vec<_> = inputs(fun.entry.as_ref().unwrap()).into_iter().map(|(t, _)| t).collect();
    let args = arguments(fun, parse_values_as(args, &types).unwrap()).unwrap();
    let start = std::time::Instant::now();
    let ctx = Ctx::strict();
    let out = eval(program, entry, &args, &ctx).unwrap_or_else(|e| panic!("{what}: {e}"));
    eprintln!(
        "{entry} {what}: {:?}, {} operations, {} statements",
        start.elapsed(),
        ctx.counters().prims(),
        ctx.counters().statements
    );
    results(fun, out)
}

fn check_entry(file: &str, entry: &str, args: &str, expected: &str, tolerance: Tolerance) {
    let program = only(&example(file), entry);
    let expected = values(expected);
    for to in [Stage::Lowered, Stage::Simplified, Stage::Ad, Stage::Fused, Stage::Flat] {
        let start = std::time::Instant::now();
        let program = at(&program, to);
        eprintln!("{} took {:?}: {} lines", to.name(), start.elapsed(), program.to_string().lines().count());
        let got = run_entry(&program, entry, args, to.name());
        for (g, e) in got.iter().zip(&expected) {
            let difference = compare(g, e, tolerance);
            assert_eq!(difference, None, "{}", to.name());
        }
    }
}

/// The literals are rounded to seven digits.
const ROUNDED: Tolerance = Tolerance { absolute: 1e-6, relative: 1e-6 };

#[test]
fn gradient_of_a_gaussian_mixture() {
    let args = include_str!("../../examples/data/gmm-small.in");
    check_entry("gmm.fut", "objective", args, "1.40535043", ROUNDED);
    // digest 001 §3.3
    let expected = "[0.7342538, -0.7342538]
        [[1.363625, -0.1162804, -0.4722301], [0.2273507, -0.4812845, -0.6258151]]
        [[2.759833, 2.124961, 2.552398, 0.7985843, -0.03336518, 1.0159],
         [-0.5021009, 1.17311, 1.420683, -0.8339519, 0.5305257, 0.7103839]]";
    check_entry("gmm.fut", "gradient", args, expected, ROUNDED);
}

#[test]
fn k_means_by_newton() {
    let points = "[[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [5.0, 6.0]] [[1.0, 1.0], [4.0, 4.0]]";
    check_entry("kmeans.fut", "derivative", points, "[[4.0, 2.0], [-4.0, -6.0]] [[4.0, 4.0], [4.0, 4.0]]", CLOSE);
    check_entry("kmeans.fut", "main", &format!("{points} 3i64"), "1.0 [[0.0, 0.5], [5.0, 5.5]]", CLOSE);
}
