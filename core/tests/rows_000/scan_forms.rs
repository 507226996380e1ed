//! 000 §5.E: scans of rows, several scans in one, scans of mixed types, and scans within other constructs.

use super::*;
use crate::common::row::{row, row_of};

/// The scan of rows of m by an operator mapped over them. Parameters: n, m, the rows.
fn of_rows(op: &str, neutral: &str) -> String {
    format!(
        "fun \"f\"(n: i64, m: i64, xss: [n][m]f64) -> (r: [n][m]f64) {{
          let (ne: [m]f64) = replicate [m] {neutral}
          let (y: [n][m]f64) = screma n (xss) map \\(xs: [m]f64) -> ([m]f64) {{ in (xs) }} scan \\(us: [m]f64, vs: [m]f64) -> ([m]f64) {{
            let (ws: [m]f64) = screma m (us, vs) map {op}
            in (ws)
          }} neutral (ne)
          in (y)
        }}"
    )
}

#[test]
fn e15_scans_of_rows() {
    let mul = of_rows("<<x, y -> x*y>>", "1.0f64");
    let add = of_rows("<<x, y -> x + y>>", "0.0f64");
    row(&mul, "3i64 2i64 [[1, 2], [3, 0], [2, 5]]", "[[1, 2], [3, 0], [6, 0]]")
        .adjoints("[[1, 1], [1, 1], [1, 1]]", "[[10, 1], [3, 12], [3, 0]]");
    row(&add, "3i64 2i64 [[1, 2], [3, 0], [2, 5]]", "[[1, 2], [4, 2], [6, 7]]")
        .adjoints("[[1, 1], [10, 10], [100, 100]]", "[[111, 111], [110, 110], [100, 100]]");
    // no rows, rows of none, one row
    row(&mul, "0i64 2i64 empty([0][2]f64)", "empty([0][2]f64)").adjoints("empty([0][2]f64)", "empty([0][2]f64)");
    row(&mul, "2i64 0i64 empty([2][0]f64)", "empty([2][0]f64)").adjoints("empty([2][0]f64)", "empty([2][0]f64)");
    row(&mul, "1i64 2i64 [[3, 4]]", "[[3, 4]]").adjoints("[[5, 6]]", "[[5, 6]]");
    // two levels
    let f = "fun \"f\"(n: i64, xsss: [n][1][2]f64) -> (r: [n][1][2]f64) {
      let (ne: [1][2]f64) = replicate [1][2] 1.0f64
      let (y: [n][1][2]f64) = screma n (xsss) map \\(xss: [1][2]f64) -> ([1][2]f64) { in (xss) } scan \\(uss: [1][2]f64, vss: [1][2]f64) -> ([1][2]f64) {
        let (wss: [1][2]f64) = screma 1 (uss, vss) map \\(us: [2]f64, vs: [2]f64) -> ([2]f64) {
          let (ws: [2]f64) = screma 2 (us, vs) map <<x, y -> x*y>>
          in (ws)
        }
        in (wss)
      } neutral (ne)
      in (y)
    }";
    row(f, "3i64 [[[1, 2]], [[3, 0]], [[2, 5]]]", "[[[1, 2]], [[3, 0]], [[6, 0]]]")
        .adjoints("[[[1, 1]], [[1, 1]], [[1, 1]]]", "[[[10, 1]], [[3, 12]], [[3, 0]]]");
}

#[test]
fn e18_several_scans_and_a_map_in_one() {
    let args = "3i64 [2, 3, 4]";
    let fused = "fun \"f\"(n: i64, xs: [n]f64) -> (r: [n]f64, s: [n]f64) {
      let (a: [n]f64, b: [n]f64) = screma n (xs) map <<x -> x*x, x + 1>> scan <<x, y -> x + y>> neutral (0.0f64) scan <<x, y -> x*y>> neutral (1.0f64)
      in (a, b)
    }";
    let split = "fun \"f\"(n: i64, xs: [n]f64) -> (r: [n]f64, s: [n]f64) {
      let (us: [n]f64, vs: [n]f64) = screma n (xs) map <<x -> x*x, x + 1>>
      let (a: [n]f64) = screma n (us) map <<x -> x>> scan <<x, y -> x + y>> neutral (0.0f64)
      let (b: [n]f64) = screma n (vs) map <<x -> x>> scan <<x, y -> x*y>> neutral (1.0f64)
      in (a, b)
    }";
    // a = [4, 13, 29], b = [3, 12, 60]; x̄0 = 2*2*111 + 1 + 4 + 20
    let of = |f: &str| {
        row(f, args, "[4, 13, 29] [3, 12, 60]").adjoints("[1, 10, 100] [1, 1, 1]", "[469, 678, 812]").by_vjp()
    };
    assert_eq!(of(fused), of(split));
}

#[test]
fn e19_components_of_different_types() {
    // sums of reals and of integers, each with adjoints of its own type: suffix sums
    let f = "fun \"f\"(n: i64, xs: [n]f64, ks: [n]i64) -> (r: [n]f64, s: [n]i64) {
      let (a: [n]f64, b: [n]i64) = screma n (xs, ks) map <<x, k: i64 -> x, k>> scan <<x, k: i64, y, l: i64 -> x + y, k + l>> neutral (0.0f64, 0i64)
      in (a, b)
    }";
    row(f, "2i64 [1.5, 2] [3i64, 4i64]", "[1.5, 3.5] [3i64, 7i64]")
        .adjoints("[1, 10] [5i64, 7i64]", "[11, 10] [12i64, 7i64]");
}

#[test]
fn e20_an_operator_on_arrays_that_is_no_map() {
    // the data of E6 as arrays: products of matrices
    let f = "fun \"f\"(n: i64, ms: [n][2][2]f64) -> (r: [n][2][2]f64) {
      let (row0: [2]f64) = array [1.0f64, 0.0f64] of f64
      let (row1: [2]f64) = array [0.0f64, 1.0f64] of f64
      let (id: [2][2]f64) = array [row0, row1] of [2]f64
      let (y: [n][2][2]f64) = screma n (ms) map \\(m: [2][2]f64) -> ([2][2]f64) { in (m) } scan \\(as: [2][2]f64, bs: [2][2]f64) -> ([2][2]f64) {
        let (bt: [2][2]f64) = rearrange (1, 0) bs
        let (cs: [2][2]f64) = screma 2 (as) map \\(a: [2]f64) -> ([2]f64) {
          let (c: [2]f64) = screma 2 (bt) map \\(b: [2]f64) -> (f64) {
            let (s: f64) = screma 2 (a, b) map <<x, y -> x*y>> reduce comm <<x, y -> x + y>> neutral (0.0f64)
            in (s)
          }
          in (c)
        }
        in (cs)
      } neutral (id)
      in (y)
    }";
    row(
        f,
        "3i64 [[[1, 2], [3, 4]], [[4, 3], [2, 1]], [[1, 0], [2, 1]]]",
        "[[[1, 2], [3, 4]], [[8, 5], [20, 13]], [[18, 5], [46, 13]]]",
    )
    .adjoints(
        "[[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]",
        "[[[159, 64], [201, 82]], [[68, 160], [100, 236]], [[292, 320], [188, 206]]]",
    );
}

#[test]
fn e23_scans_within_other_constructs() {
    // in a map, with a free variable in what is scanned: row [1, 2] c = 3 gives [3, 9], [4, 5] gives [12, 27]
    let in_map = "fun \"f\"(xss: [2][2]f64, c: f64) -> (r: [2][2]f64) {
      let (yss: [2][2]f64) = screma 2 (xss) map \\(xs: [2]f64) -> ([2]f64) {
        let (ys: [2]f64) = screma 2 (xs) map <<x -> x*c>> scan <<x, y -> x + y>> neutral (0.0f64)
        in (ys)
      }
      in (yss)
    }";
    // c̄ = 1*1 + 10*(1+2) + 100*4 + 1000*(4+5)
    row(in_map, "[[1, 2], [4, 5]] 3", "[[3, 9], [12, 27]]")
        .adjoints("[[1, 10], [100, 1000]]", "[[33, 30], [3300, 3000]] 9431");
    // in a loop: running sums twice, [a, b, c] to [a, 2a+b, 3a+2b+c]
    let in_loop = "fun \"f\"(xs: [3]f64) -> (r: [3]f64) {
      let (ys: [3]f64) = loop (zs: [3]f64 = xs) for i: i64 < 2i64 do {
        let (ws: [3]f64) = screma 3 (zs) map <<x -> x>> scan <<x, y -> x + y>> neutral (0.0f64)
        in (ws)
      }
      in (ys)
    }";
    row(in_loop, "[1, 2, 3]", "[1, 4, 10]").adjoints("[1, 10, 100]", "[321, 210, 100]");
    // under a condition
    let in_if = "fun \"f\"(b: bool, xs: [3]f64) -> (r: [3]f64) {
      let (ys: [3]f64) = if b then {
        let (zs: [3]f64) = screma 3 (xs) map <<x -> x>> scan <<x, y -> x*y>> neutral (1.0f64)
        in (zs)
      } else { in (xs) }
      in (ys)
    }";
    row(in_if, "true [2, 3, 4]", "[2, 6, 24]").adjoints("[1, 1, 1]", "false [16, 10, 6]");
    row(in_if, "false [2, 3, 4]", "[2, 3, 4]").adjoints("[1, 1, 1]", "false [1, 1, 1]");
    // a map within the operator, with a variable free there: rows x ⊙ y = x y c with 1/c; two rows: x y c, c̄ = Σ seed x y
    let free = "fun \"f\"(xss: [2][2]f64, c: f64) -> (r: [2][2]f64) {
      let (e: f64) = $ 1/c $
      let (ne: [2]f64) = replicate [2] e
      let (yss: [2][2]f64) = screma 2 (xss) map \\(xs: [2]f64) -> ([2]f64) { in (xs) } scan \\(us: [2]f64, vs: [2]f64) -> ([2]f64) {
        let (ws: [2]f64) = screma 2 (us, vs) map <<x, y -> x*y*c>>
        in (ws)
      } neutral (ne)
      in (yss)
    }";
    row(free, "[[1, 2], [3, 4]] 2", "[[1, 2], [6, 16]]").adjoints("[[1, 1], [1, 10]]", "[[7, 81], [2, 40]] 83");
}

#[test]
fn e22_tangents_of_scans_of_every_operator() {
    let ops = [(2, DUAL), (4, MM2), (2, ["<<d, c, e, b -> e + b*d, b*c>>", "0.0f64, 1.0f64"])];
    for (d, [op, neutral]) in ops {
        let arrays: Vec<String> = (0..d).map(|k| list(random(k as u64 + 1, 4, 5))).collect();
        let args = values(&format!("4i64 {}", arrays.join(" ")));
        row_of(parse(&notation::ir(&scan(d, op, neutral))), &args).jacobians();
    }
}
