//! 001 A1 to A7, A33 to A35: seeds and contributions.

use super::*;
use crate::common::row::{row, row_of};

#[test]
fn a1_adjoints_have_the_types_of_values() {
    let f = format!(
        "fun \"f\"(a: [3]f64, k: [2]i32, l: i64, t: bool) -> (r: f64) {{ let (s: f64) = {} in (s) }}",
        fold(ADD, 3, "a")
    );
    row(&f, "[1, 2, 3] [4i32, 5i32] 6i64 true", "6").adjoints("2", "[2, 2, 2] [0i32, 0i32] 0i64 false");
}

#[test]
fn a2_rows_and_columns() {
    let g =
        "fun \"f\"(x: f64, y: f64) -> (r: f64, s: f64) { let (p: f64) = $ x + y $ let (q: f64) = $ x*y $ in (p, q) }";
    let r = row(g, "2 3", "5 6").jacobians();
    assert_eq!(r.by_vjp(), [[1., 1.], [3., 2.]]);
    assert_eq!(r.by_jvp(), [[1., 1.], [3., 2.]]);
    // linear in the seed: 10 times the first row and 100 times the second
    r.adjoints("10 100", "310 210");
    let twice = "fun \"f\"(x: f64, y: f64) -> (r: f64, s: f64, t: f64) { in (x, y, y) }";
    row(twice, "2 3", "2 3 3").adjoints("1 10 100", "1 110");
    let f = "fun \"f\"(x: f64, y: f64) -> (r: f64) { let (z: f64) = $ x*x + 7*x*y*y*y $ in (z) }";
    row(f, "2 3", "382").adjoints("1", "193 378");
}

#[test]
fn a3_duality() {
    let programs = [
        "fun \"f\"(x: f64, y: f64) -> (r: f64, s: f64) { let (p: f64) = $ sin(x)*y $ let (q: f64) = $ exp(x*y) $ in (p, q) }".to_string(),
        "fun \"f\"(x: f64, y: f64) -> (r: f64, s: f64) { let (p: f64) = $ if x < y then x*y else x/y $ let (q: f64) = $ p*p $ in (p, q) }".to_string(),
    ];
    programs.iter().for_each(|f| drop(row_of(parse(&notation::ir(f)), &values("0.5f64 1.5f64")).jacobians().duality()));
}

#[test]
fn a4_fanout_adds() {
    let h = "fun \"f\"(x: f64, y: f64) -> (r: f64) { let (z: f64) = $ x*y - y + log(y)*x $ in (z) }";
    row_to(SIX_DIGITS, h, "2 3", "5.1972246").adjoints("1", "4.0986123 1.6666667");
}

#[test]
fn a5_shared_arrays() {
    // let b = map (*3) arg in sum (map (\x -> x * b[round x]) b)
    let f = format!(
        "fun \"f\"(a: [4]f64) -> (r: f64) {{
          let (b: [4]f64) = screma 4 (a) map <<x -> x*3>>
          let (s: f64) = screma 4 (b) map <<x -> x*b[i64(round(x))]>> reduce {ADD}
          in (s)
        }}"
    );
    row_to(SIX_DIGITS, &f, "[0.4, 0.7, 0.1, 1.0]", "12.51").adjoints("1", "[7.2, 4.5, 9.9, 18]");
    // §3.3.1: sum (zipWith (*) (map (^2) a) (map (+1) a)), 3x² + 2x
    let body = format!(
        "let (p: [6]f64) = screma 6 (a) map <<x -> x*x>> let (q: [6]f64) = screma 6 (a) map <<x -> x + 1>> let (r: f64) = screma 6 (p, q) map <<x, y -> x*y>> reduce {ADD} in (r)"
    );
    on_a(&body, "58.69112", "[7.1875, 10.6875, 3.1875, 38.1875, 0.1875, 18.92]");
    // §3.3.2: sum (map (\x -> x + a[round x]) a); round halves to even
    let f = format!(
        "fun \"f\"(a: [4]f64) -> (r: f64) {{ let (s: f64) = screma 4 (a) map <<x -> x + a[i64(round(x))]>> reduce {ADD} in (s) }}"
    );
    row_to(SIX_DIGITS, &f, "[0.25, 2, 1.25, 0]", "7.25").adjoints("1", "[3, 2, 2, 1]");
}

#[test]
fn a6_unused_arguments() {
    on_a("let (unused: f64) = $ a[0]*a[1] $ in (42.0f64)", "42", ZEROS);
    on_a(
        &format!("let (r: f64) = screma 6 (a) map <<x -> 42.0>> reduce {ADD} in (r)").replace("42.0>>", "42.0f64>>"),
        "252",
        ZEROS,
    );
}

#[test]
fn a7_discrete_types_break_derivatives() {
    let f = "fun \"f\"(x: f64) -> (r: f64) { let (i: i64) = $ i64(round(x)) $ let (y: f64) = conv.i64.f64(i) in (y) }";
    row(f, "2.3", "2").adjoints("1", "0");
    // nonfloat_lam
    let body = format!(
        "let (is: [6]i64, ss: [6]f64) = screma 6 (a) map <<x -> i64(round(x)), sin(x)>>
         let (r: f64) = screma 6 (is, ss) map <<i: i64, x -> f64(i)*x>> reduce {ADD} in (r)"
    );
    on_a(&body, "5.160816", "[0.315322, 1.25635, 0.731689, -2.98239, -0.731689, -1.177]");
}

/// The gradient of sum (x² (x + 1)) in the language.
const GRADIENT: &str = "let (v: f64, g: [3]f64) = vjp \\(xs: [3]f64) -> (f64) {
  let (s: f64) = screma 3 (xs) map <<x -> x*x*(x + 1)>> reduce comm <<x, y -> x + y>> neutral (0.0f64)
  in (s)
} at (a) with (1.0f64)";

#[test]
fn a33_hessians() {
    let f = format!("fun \"f\"(a: [3]f64) -> (r: [3]f64) {{ {GRADIENT} in (g) }}");
    let r = row(&f, "[1, 2, -3]", "[5, 16, 21]").jacobians();
    // 6x + 2
    assert_eq!(r.by_jvp(), [[8., 0., 0.], [0., 14., 0.], [0., 0., -16.]]);
}

#[test]
fn a34_the_value_with_the_gradient() {
    let f = format!("fun \"f\"(a: [3]f64) -> (r: f64, grad: [3]f64) {{ {GRADIENT} in (v, g) }}");
    // 2 + 12 - 18
    row(&f, "[1, 2, -3]", "-4 [5, 16, 21]").jacobians();
}

#[test]
fn a35_arbitrary_cotangents() {
    let f = format!(
        "fun \"f\"(a: [3]f64) -> (r: [3]f64, s: [3]f64) {{ let (p: [3]f64, q: [3]f64) = screma 3 (a) map <<x -> x, x*x>> scan {ADD} in (p, q) }}"
    );
    // sums of the seeds from i on, and 2 x s
    row(&f, "[1, 2, 3]", "[1, 3, 6] [1, 4, 9]").adjoints("[0.5, -2, 4] [1, 10, -100]", "[4.5, 42, -596]");
}
