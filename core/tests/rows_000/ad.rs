//! 000 §5.B: what differentiation does with statements.

use super::hist::{ADD, MAX, MUL, args, hists};
use super::*;
use crate::common::row::{row, row_of};
use futi_core::driver::pipeline::Stage;

#[test]
fn b1_a_scalar_function() {
    let f = "fun \"f\"(x: f64, y: f64) -> (r: f64) { let (z: f64) = $ abs(x*y) + 2*x*x $ in (z) }";
    let r = row(f, "3 -2", "24").adjoints("1", "14 -3");
    assert_eq!(r.by_jvp(), [[14., -3.]]);
}

#[test]
fn b2_statements() {
    // used k times: k contributions; twice in one statement; not at all
    let f = "fun \"f\"(x: f64, unused: [2]f64) -> (r: f64) {
      let (y: f64) = $ x*x $
      let (z: f64) = $ y + y*x + x $
      in (z)
    }";
    // x³ + x² + x: 3x² + 2x + 1
    row(f, "2 [5, 6]", "14").adjoints("1", "17 [0, 0]");
}

#[test]
fn b3_contributions_to_adjoints_add() {
    // the values are results, too, with seeds 2, 2, 4; the bins' are 1 and 10. Bin 0 has 4, 3, 5, bin 1 has 1, 2
    let expected = [
        (ADD, "[12, 3]", "[1, 10]", "[3, 12, 5]"),
        (MUL, "[60, 2]", "[15, 20]", "[22, 12, 16]"),
        (MAX, "[5, 2]", "[0, 0]", "[2, 12, 5]"),
    ];
    for (op, primal, dst, vs) in expected {
        for f in hists(op) {
            let f = f.replace("(r: [w]f64)", "(r: [w]f64, s: [n]f64)").replace("in (h)", "in (h, vs)");
            row(&f, &args(&[4., 1.], &[0, 1, 0], &[3., 2., 5.]), &format!("{primal} [3, 2, 5]"))
                .adjoints("[1, 10] [2, 2, 4]", &format!("{dst} [0i64, 0i64, 0i64] {vs}"));
        }
    }
}

#[test]
fn b4_branches_and_loops() {
    // the branch taken alone has derivatives; the condition none
    let f = "fun \"f\"(x: f64, y: f64) -> (r: f64) { let (z: f64) = $ if x < y then x*y else sqrt(x) $ in (z) }";
    row(f, "2 3", "6").adjoints("1", "3 2");
    row(f, "4 3", "2").adjoints("1", "0.25 0");
    // an array carried by a loop: [a, b] to [a b, b + 1] three times from (2, 1): [2, 2], [4, 3], [12, 4]
    let f = "fun \"f\"(xs: [2]f64) -> (r: [2]f64) {
      let (ys: [2]f64) = loop (zs: [2]f64 = xs) for i: i64 < 3i64 do {
        let (a: f64) = index zs[0i64]
        let (b: f64) = index zs[1i64]
        let (p: f64) = $ a*b $
        let (q: f64) = $ b + 1 $
        let (ws: [2]f64) = array [p, q] of f64
        in (ws)
      }
      in (ys)
    }";
    // a b (b+1)(b+2): d/da = 6, d/db = a (3b² + 6b + 2) = 22
    row(f, "[2, 1]", "[12, 4]").adjoints("[1, 10]", "[6, 32]");
}

#[test]
fn b5_free_variables_of_a_map() {
    let f = "fun \"f\"(xs: [3]f64, c: f64, ws: [3]f64) -> (r: [3]f64) {
      let (is: [3]i64) = iota i64 (3i64, 0i64, 1i64)
      let (ys: [3]f64) = screma 3 (xs, is) map <<x, i: i64 -> x*c + ws[0]*ws[i]>>
      in (ys)
    }";
    // w̄0 = Σ s w_i + s0 w0 = (5 + 60 + 700) + 5
    row(f, "[1, 2, 3] 4 [5, 6, 7]", "[29, 38, 47]").adjoints("[1, 10, 100]", "[4, 40, 400] 321 [770, 50, 500]");
}

#[test]
fn b7_scalar_code_is_executed_at_most_twice() {
    let f = "fun \"f\"(n: i64, m: i64, xss: [n][m]f64) -> (r: [n][m]f64) {
      let (yss: [n][m]f64) = screma n (xss) map \\(xs: [m]f64) -> ([m]f64) {
        let (ys: [m]f64) = screma m (xs) map <<x -> sin(exp(x))>>
        in (ys)
      }
      in (yss)
    }";
    let vjp = derivative(&parse(&notation::ir(f)), D::Vjp);
    let args = values(
        "2i64 3i64 [[0.1f64, 0.2f64, 0.3f64], [0.4f64, 0.5f64, 0.6f64]] [[1f64, 1f64, 1f64], [1f64, 1f64, 1f64]]",
    );
    let (_, counters) = run(&at(&vjp, Stage::Fused), &args);
    let exps = counters.by_prim().filter(|(op, _)| op.to_string() == "exp.f64").map(|(_, n)| n).sum::<u64>();
    assert!((6..=12).contains(&exps), "{exps}");
}

#[test]
fn b8_integers_booleans_and_indices() {
    // integer programs have Jacobians like others, modulo 2³²: (x y, x + 3y)
    let f = "fun \"f\"(x: i32, y: i32) -> (r: i32, s: i32) {
      let (p: i32) = mul.i32(x, y)
      let (t: i32) = mul.i32(3i32, y)
      let (q: i32) = add.i32(x, t)
      in (p, q)
    }";
    row(f, "5i32 7i32", "35i32 26i32").of_integers().adjoints("1i32 10i32", "17i32 35i32");
    // indices have adjoint zero, as a histogram's have
    let f = "fun \"f\"(xs: [3]f64, is: [2]i64) -> (r: [2]f64) { let (ys: [2]f64) = screma 2 (is) map <<i: i64 -> xs[i]>> in (ys) }";
    row(f, "[1, 2, 3] [2i64, 2i64]", "[3, 3]").adjoints("[1, 10]", "[0, 0, 11] [0i64, 0i64]");
    row(&hists(MUL)[0], &args(&[1., 2.], &[0, 1], &[3., 4.]), "[3, 8]")
        .adjoints("[1, 1]", "[3, 4] [0i64, 0i64] [1, 2]");
}

#[test]
fn b9_derivatives_of_derivatives() {
    let programs = [
        (reduce(1, "comm <<x, y -> x*y>>", "1.0f64"), "4i64 [2f64, 0f64, 3f64, 0.5f64]", "1f64"),
        (scan(1, "<<x, y -> x*y>>", "1.0f64"), "4i64 [2f64, 0f64, 3f64, 0.5f64]", "[1f64, 10f64, 100f64, 1000f64]"),
        (
            hists(MUL)[0].clone(),
            "2i64 4i64 [2f64, 3f64] [0i64, 1i64, 0i64, 5i64] [2f64, 0f64, 3f64, 0.5f64]",
            "[1f64, 10f64]",
        ),
        (
            hists(MUL)[1].clone(),
            "2i64 4i64 [2f64, 3f64] [0i64, 1i64, 0i64, 5i64] [2f64, 0f64, 3f64, 0.5f64]",
            "[1f64, 10f64]",
        ),
    ];
    for (f, args, seeds) in programs {
        // the Jacobian of the gradient, by vjp, by jvp and by differences of the gradient
        let gradient = derivative(&parse(&notation::ir(&f)), D::Vjp);
        row_of(gradient, &values(&format!("{args} {seeds}"))).jacobians();
    }
}

#[test]
fn b10_full_jacobians_by_unit_vectors() {
    // in the language itself: all unit seeds at once. f(x, y, z) = (x y, y z) at (2, 3, 5)
    let body = "\\(xs1: [3]f64) -> ([2]f64) {
      let (x: f64) = index xs1[0i64]
      let (y: f64) = index xs1[1i64]
      let (z: f64) = index xs1[2i64]
      let (p: f64) = $ x*y $
      let (q: f64) = $ y*z $
      let (ps: [2]f64) = array [p, q] of f64
      in (ps)
    }";
    let units = |n: usize| {
        let rows = (0..n).map(|i| list((0..n).map(|j| if i == j { 1. } else { 0. }))).collect::<Vec<_>>();
        format!("[{}]", rows.join(", "))
    };
    let vjp = format!(
        "fun \"f\"(xs: [3]f64, us: [2][2]f64) -> (r: [2][3]f64) {{ let (a: [2]f64, js: [2][3]f64) = vjp [2] {body} at (xs) with (us) in (js) }}"
    );
    row(&vjp, &format!("[2, 3, 5] {}", units(2)), "[[3, 2, 0], [0, 5, 3]]");
    let jvp = format!(
        "fun \"f\"(xs: [3]f64, us: [3][3]f64) -> (r: [3][2]f64) {{ let (a: [2]f64, js: [3][2]f64) = jvp [3] {body} at (xs) with (us) in (js) }}"
    );
    row(&jvp, &format!("[2, 3, 5] {}", units(3)), "[[3, 0], [2, 5], [0, 3]]");
}

#[test]
fn b12_subderivatives() {
    // x ≥ y: the first; x ≤ y: the first
    for op in ["max", "min"] {
        let f = format!("fun \"f\"(x: f64, y: f64) -> (r: f64) {{ let (z: f64) = $ {op}(x, y) $ in (z) }}");
        row(&f, "3 3", "3").at_a_kink().adjoints("1", "1 0");
    }
    let f = |op: &str| format!("fun \"f\"(x: f64, y: f64) -> (r: f64) {{ let (z: f64) = $ {op}(x, y) $ in (z) }}");
    row(&f("max"), "2 3", "3").adjoints("1", "0 1");
    row(&f("min"), "2 3", "2").adjoints("1", "1 0");
}
