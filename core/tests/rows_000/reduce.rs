//! 000 §5.C: reductions.

use super::*;
use crate::common::row::{Row, row};

const MUL: &str = "comm <<x, y -> x*y>>";

fn mul(xs: &str, n: usize, primal: &str, seed: &str, adjoint: &str) -> Row {
    row(&reduce(1, MUL, "1.0f64"), &format!("{n}i64 {xs}"), primal).adjoints(seed, adjoint)
}

#[test]
fn c1_add() {
    let add = reduce(1, "comm <<x, y -> x + y>>", "0.0f64");
    row(&add, "4i64 [1, 2, 3, 4]", "10").adjoints("3", "[3, 3, 3, 3]");
    row(&add, "0i64 empty([0]f64)", "0").adjoints("3", "empty([0]f64)");
}

#[test]
fn c2_mul_without_zero() {
    mul("[2, 3, 4]", 3, "24", "3", "[36, 24, 18]");
}

#[test]
fn c3_mul_with_one_zero() {
    mul("[2, 0, 4]", 3, "0", "3", "[0, 24, 0]");
    mul("[0]", 1, "0", "3", "[3]");
}

#[test]
fn c4_mul_with_several_zeros() {
    mul("[0, 0, 3]", 3, "0", "3", "[0, 0, 0]");
    mul("[0, 0]", 2, "0", "3", "[0, 0]");
}

#[test]
fn c5_mul_of_none_and_of_one() {
    mul("empty([0]f64)", 0, "1", "3", "empty([0]f64)");
    mul("[5]", 1, "5", "3", "[3]");
}

#[test]
fn c6_min_and_max() {
    let max = reduce(1, "comm <<x, y -> max(x, y)>>", "-f64.inf");
    let min = reduce(1, "comm <<x, y -> min(x, y)>>", "f64.inf");
    row(&max, "3i64 [1, 5, 2]", "5").adjoints("2", "[0, 2, 0]");
    row(&min, "3i64 [4, 1, 2]", "1").adjoints("2", "[0, 2, 0]");
    row(&max, "5i64 [1, 3, 3, 2, 3]", "3").at_a_kink().adjoints("1", "[0, 1, 0, 0, 0]");
    row(&min, "5i64 [5, 3, 3, 4, 3]", "3").at_a_kink().adjoints("1", "[0, 1, 0, 0, 0]");
    row(&max, "3i64 [7, 7, 7]", "7").at_a_kink().adjoints("1", "[1, 0, 0]");
    row(&max, "0i64 empty([0]f64)", "-inf").adjoints("1", "empty([0]f64)");
    // the operand that is not NaN (strict mode would rightly say that -inf is not neutral for NaN)
    let vjp = derivative(&parse(&notation::ir(&max)), D::Vjp);
    let args = values("3i64 [f64.nan, 2f64, 1f64] 1f64");
    let ctx = futi_interp::Ctx::default();
    let got = futi_interp::eval(&vjp, "main", &args, &ctx).unwrap();
    assert_eq!(got, values("2f64 [0f64, 1f64, 0f64]"));
    // zeros of both signs are equal, and the first is taken
    row(&max, "2i64 [-0.0, 0.0]", "-0.0").at_a_kink().adjoints("1", "[1, 0]");
}

#[test]
fn c7_generic_that_does_not_commute() {
    let args = format!("3i64 {}", columns(&[[1., 2., 3., 4.], [0., 1., 1., 1.], [2., 0., 1., 3.]]));
    let expected = columns(&[[1., 3., 0., 0.], [2., 1., 4., 2.], [2., 0., 3., 0.]]);
    row(&reduce(4, MM2[0], MM2[1]), &args, "7 9 15 21").adjoints("1 0 0 0", &expected);
}

#[test]
fn c8_generic_on_tuples() {
    let args = format!("3i64 {}", columns(&[[1., 10.], [2., 11.], [3., 12.]]));
    let expected = columns(&[[132., 189.], [120., 162.], [110., 141.]]);
    row(&reduce(2, DUAL[0], DUAL[1]), &args, "702 1320").adjoints("1 1", &expected);
}

#[test]
fn c9_generic_with_a_neutral_element_that_is_no_unit() {
    let f = reduce(1, "comm <<x, y -> x*y*2>>", "0.5f64");
    row(&f, "3i64 [1, 2, 3]", "24").adjoints("1", "[24, 12, 8]");
}

#[test]
fn c10_generic_and_special_rules_agree() {
    // the same operators, so written that no pattern matches
    let pairs = [
        ("<<x, y -> x + y>>", "<<x, y -> x - (0 - y)>>", "0.0f64"),
        ("<<x, y -> x*y>>", "<<x, y -> x*y*1>>", "1.0f64"),
        ("<<x, y -> max(x, y)>>", "<<x, y -> if x < y then y else x>>", "-f64.inf"),
    ];
    for (special, generic, neutral) in pairs {
        for seed in 1..6 {
            let xs = random(seed, 6, 4);
            let args = values(&format!("6i64 {}", list(xs)));
            let of =
                |op: &str| row::row_of(parse(&notation::ir(&reduce(1, op, neutral))), &args).at_a_kink().jacobians();
            assert_eq!(of(special).by_vjp(), of(generic).by_vjp(), "{special}");
        }
    }
}

/// The reduction of rows of two by an operator mapped over them.
fn of_rows(op: &str, neutral: &str) -> String {
    format!(
        "fun \"f\"(n: i64, xss: [n][2]f64) -> (r: [2]f64) {{
          let (ne: [2]f64) = replicate [2] {neutral}
          let (y: [2]f64) = screma n (xss) map \\(xs: [2]f64) -> ([2]f64) {{ in (xs) }} reduce comm \\(us: [2]f64, vs: [2]f64) -> ([2]f64) {{
            let (ws: [2]f64) = screma 2 (us, vs) map {op}
            in (ws)
          }} neutral (ne)
          in (y)
        }}"
    )
}

#[test]
fn c11_reductions_of_rows() {
    // column 0: [2, 0, 4], column 1: [0, 3, 5]
    row(&of_rows("<<x, y -> x*y>>", "1.0f64"), "3i64 [[2, 0], [0, 3], [4, 5]]", "[0, 0]")
        .adjoints("[1, 10]", "[[0, 150], [8, 0], [0, 0]]");
    row(&of_rows("<<x, y -> max(x, y)>>", "-f64.inf"), "3i64 [[1, 5], [3, 2], [2, 9]]", "[3, 9]")
        .adjoints("[1, 10]", "[[0, 0], [1, 0], [0, 10]]");
    let nested = "fun \"f\"(n: i64, xsss: [n][1][2]f64) -> (r: [1][2]f64) {
      let (ne: [1][2]f64) = replicate [1][2] 1.0f64
      let (y: [1][2]f64) = screma n (xsss) map \\(xss: [1][2]f64) -> ([1][2]f64) { in (xss) } reduce comm \\(uss: [1][2]f64, vss: [1][2]f64) -> ([1][2]f64) {
        let (wss: [1][2]f64) = screma 1 (uss, vss) map \\(us: [2]f64, vs: [2]f64) -> ([2]f64) {
          let (ws: [2]f64) = screma 2 (us, vs) map <<x, y -> x*y>>
          in (ws)
        }
        in (wss)
      } neutral (ne)
      in (y)
    }";
    row(nested, "2i64 [[[2, 3]], [[5, 7]]]", "[[10, 21]]").adjoints("[[1, 10]]", "[[[5, 70]], [[2, 30]]]");
}

#[test]
fn c12_a_map_before_the_reduction() {
    // Σ c x_i w_i, with c and w free in the map: x̄ = c w, c̄ = Σ x w, w̄ = c x
    let f = "fun \"f\"(n: i64, xs: [n]f64, c: f64, ws: [n]f64) -> (r: f64) {
      let (is: [n]i64) = iota i64 (n, 0i64, 1i64)
      let (s: f64) = screma n (xs, is) map <<x, i: i64 -> c*x*ws[i]>> reduce comm <<x, y -> x + y>> neutral (0.0f64)
      in (s)
    }";
    row(f, "3i64 [1, 2, 3] 4 [5, 6, 7]", "152").adjoints("1", "[20, 24, 28] 38 [4, 8, 12]");
}
