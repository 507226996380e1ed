//! The checklist of document 001 (digest 001 §5.2, rows A1 to A38) with the golden values of its §2.4, §1.12 and §3.4, as IR: each test is named after its row.
//! Arrays of several dimensions are nests of maps, `generate` and `backpermute` maps over indices.

#[path = "../common/mod.rs"]
mod common;

mod arrays;
mod branches;
mod bundle;
mod functions;
mod seeds;

use common::row::{Row, SIX_DIGITS, row_to};
use common::*;

/// The digest's arguments.
const A: &str = "[1.25, -2.25, 0.75, 3.25, -0.75, 2.2]";
const B: &str = "[0.5, 1.25, 2.0, 1.75]";
/// -A, so that other branches are taken.
const MINUS_A: &str = "[-1.25, 2.25, -0.75, -3.25, 0.75, -2.2]";

const ADD: &str = "comm <<addx, addy -> addx + addy>> neutral (0.0f64)";
const MUL: &str = "comm <<mulx, muly -> mulx*muly>> neutral (1.0f64)";
const MAX: &str = "comm <<maxx, maxy -> max(maxx, maxy)>> neutral (-f64.inf)";

/// A reduction without map.
fn fold(op: &str, n: usize, xs: &str) -> String {
    format!("screma {n} ({xs}) map <<foldx -> foldx>> reduce {op}")
}

/// `generate n λ`, summed.
fn generate_sum(n: usize, lambda: &str) -> String {
    format!(
        "let (gi: [{n}]i64) = iota i64 ({n}i64, 0i64, 1i64) let (r: f64) = screma {n} (gi) map {lambda} reduce {ADD} in (r)"
    )
}

/// `generate (n, m) (\i j -> e)` as the array `xss`.
fn generate2(n: usize, m: usize, e: &str) -> String {
    format!(
        "let (rows: [{n}]i64) = iota i64 ({n}i64, 0i64, 1i64)
         let (columns: [{m}]i64) = iota i64 ({m}i64, 0i64, 1i64)
         let (xss: [{n}][{m}]f64) = screma {n} (rows) map \\(i: i64) -> ([{m}]f64) {{
           let (xs: [{m}]f64) = screma {m} (columns) map <<j: i64 -> {e}>>
           in (xs)
         }}"
    )
}

/// The sums of the rows of `xss` as `sums`.
fn row_sums(n: usize, m: usize) -> String {
    format!(
        "let (sums: [{n}]f64) = screma {n} (xss) map \\(row: [{m}]f64) -> (f64) {{ let (s: f64) = {} in (s) }}",
        fold(ADD, m, "row")
    )
}

/// All elements of `xss` summed.
fn sum_all(n: usize, m: usize) -> String {
    format!("let (flat: [{}]f64) = reshape [{}] xss let (r: f64) = {} in (r)", n * m, n * m, fold(ADD, n * m, "flat"))
}

/// The gradient of a function of `a`, at A.
fn on_a(body: &str, gives: &str, gradient: &str) -> Row {
    on(A, body, gives, gradient)
}

/// The gradient of a function of `a`.
fn on(a: &str, body: &str, gives: &str, gradient: &str) -> Row {
    let f = format!("fun \"f\"(a: [6]f64) -> (res: f64) {{ {body} }}");
    row_to(SIX_DIGITS, &f, a, gives).adjoints("1", gradient)
}

/// The gradients of a function of `a` and `b`, at A and B.
fn on_ab(body: &str, gives: &str, of_a: &str, of_b: &str) -> Row {
    let f = format!("fun \"f\"(a: [6]f64, b: [4]f64) -> (res: f64) {{ {body} }}");
    row_to(SIX_DIGITS, &f, &format!("{A} {B}"), gives).adjoints("1", &format!("{of_a} {of_b}"))
}

const ONES: &str = "[1, 1, 1, 1, 1, 1]";
const TWOS: &str = "[2, 2, 2, 2, 2, 2]";
const ZEROS: &str = "[0, 0, 0, 0, 0, 0]";

// Rows that are not here, and why:
// A20 (histograms and scatters): `conformance/suite/ad/acc_a20_permute.fut`; each rule is in rows D of document 000, in `rows_000/hist.rs`.
// A31 (no index out of bounds): the interpreter checks every index of a derivative; all tests here rely on it. `conformance/suite/ad/acc_a31_bounds.fut` has
// programs that come close.
// O1 to O11 (digest 001 §5.3): `conformance/suite/ad/acc_o*.fut`.
// A36's D-LSTM: a benchmark; a recurrent network of one number is here. A38 on the GPU: the GPU's.
// `fold max (-9) [1, 2, 2]` and `fold1 max [2, 2, 1]` give the last of equal elements in document 001, the first here (futhark-compat.md §2.3).
