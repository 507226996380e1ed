//! 000 §5.D: histograms of no elements, of indices far out of range, and of rows.

use super::hist::{ADD, MIN, MUL, SATADD, args, hists};
use super::*;
use crate::common::row::row;

#[test]
fn d14_empty_and_degenerate_sizes() {
    let none = "empty([0]f64)";
    for f in hists(ADD) {
        // n = 0, w = 0, w = n = 1
        row(&f, &args(&[1., 2.], &[], &[]), "[1, 2]").adjoints("[3, 4]", "[3, 4] empty([0]i64) empty([0]f64)");
        row(&f, &args(&[], &[0, -1], &[1., 2.]), none).adjoints(none, &format!("{none} [0i64, 0i64] [0, 0]"));
        row(&f, &args(&[5.], &[0], &[1.]), "[6]").adjoints("[7]", "[7] [0i64] [7]");
        // all in one bin
        row(&f, &args(&[5., 6.], &[1, 1, 1], &[1., 2., 3.]), "[5, 12]")
            .adjoints("[7, 8]", "[7, 8] [0i64, 0i64, 0i64] [8, 8, 8]");
    }
    for f in hists(MUL) {
        // all out of range
        row(&f, &args(&[5., 6.], &[2, -1], &[3., 4.]), "[5, 6]").adjoints("[7, 8]", "[7, 8] [0i64, 0i64] [0, 0]");
    }
}

#[test]
fn d15_indices_far_out_of_range() {
    // a quarter of the indices out of range, among them the extremes; sums and adjoints by a loop
    let (w, n) = (7, 60);
    let far = [i64::MIN, -1, w as i64, i64::MAX];
    let bins = random(1, n, w as u64);
    let is: Vec<i64> =
        random(2, n, 16).iter().zip(bins).map(|(k, b)| far.get(*k as usize).copied().unwrap_or(b as i64)).collect();
    assert!(far.iter().all(|i| is.contains(i)));
    let (dst, vs, seeds) = (random(3, w, 9), random(4, n, 9), random(5, w, 9));
    let mut sums = dst.clone();
    let mut adjoints = vec![0.; n];
    for (k, i) in is.iter().enumerate().filter(|(_, i)| (0..w as i64).contains(*i)) {
        sums[*i as usize] += vs[k];
        adjoints[k] = seeds[*i as usize];
    }
    for f in hists(ADD) {
        let expected = format!("{} {} {}", list(seeds.clone()), indices(vec![0; n]), list(adjoints.clone()));
        row(&f, &args(&dst, &is, &vs), &list(sums.clone())).adjoints(&list(seeds.clone()), &expected);
    }
}

/// A histogram of rows of m by an operator mapped over them. Parameters: w, n, m, destination, indices, rows.
fn of_rows([op, neutral]: [&str; 2]) -> String {
    format!(
        "fun \"f\"(w: i64, n: i64, m: i64, dst: [w][m]f64, is: [n]i64, vss: [n][m]f64) -> (r: [w][m]f64) {{
          let (d: [w][m]f64) = copy dst
          let (ne: [m]f64) = replicate [m] {neutral}
          let (h: [w][m]f64) = hist n (is, vss) map \\(i: i64, vs: [m]f64) -> (i64, [m]f64) {{ in (i, vs) }} dest [w] (d)
            comm \\(us: [m]f64, ws: [m]f64) -> ([m]f64) {{
              let (xs: [m]f64) = screma m (us, ws) map {op}
              in (xs)
            }} neutral (ne)
          in (h)
        }}"
    )
}

const ROWS: &str =
    "3i64 5i64 2i64 [[4, 1], [2, 3], [8, 9]] [0i64, 1i64, 0i64, -1i64, 1i64] [[5, 1], [0, 2], [3, 4], [7, 7], [6, 0]]";
const ROW_SEEDS: &str = "[[1, 2], [3, 4], [5, 6]]";

#[test]
fn d21_mul_of_rows() {
    row(&of_rows(MUL), ROWS, "[[60, 4], [0, 0], [8, 9]]").adjoints(
        ROW_SEEDS,
        "[[15, 8], [0, 0], [5, 6]] [0i64, 0i64, 0i64, 0i64, 0i64] [[12, 8], [36, 0], [20, 2], [0, 0], [0, 24]]",
    );
}

#[test]
fn d22_min_of_rows() {
    row(&of_rows(MIN), ROWS, "[[3, 1], [0, 0], [8, 9]]").at_a_kink().adjoints(
        ROW_SEEDS,
        "[[0, 2], [0, 0], [5, 6]] [0i64, 0i64, 0i64, 0i64, 0i64] [[0, 0], [3, 0], [1, 0], [0, 0], [0, 4]]",
    );
}

#[test]
fn d23_add_of_rows_of_rows_and_of_nothing() {
    row(&of_rows(ADD), ROWS, "[[12, 6], [8, 5], [8, 9]]").adjoints(
        ROW_SEEDS,
        &format!("{ROW_SEEDS} [0i64, 0i64, 0i64, 0i64, 0i64] [[1, 2], [3, 4], [1, 2], [0, 0], [3, 4]]"),
    );
    // rows without elements keep their shapes
    row(&of_rows(ADD), "3i64 2i64 0i64 empty([3][0]f64) [0i64, 9i64] empty([2][0]f64)", "empty([3][0]f64)")
        .adjoints("empty([3][0]f64)", "empty([3][0]f64) [0i64, 0i64] empty([2][0]f64)");
    // three levels
    let f = "fun \"f\"(w: i64, n: i64, dst: [w][1][2]f64, is: [n]i64, vsss: [n][1][2]f64) -> (r: [w][1][2]f64) {
      let (d: [w][1][2]f64) = copy dst
      let (ne: [1][2]f64) = replicate [1][2] 0.0f64
      let (h: [w][1][2]f64) = hist n (is, vsss) map \\(i: i64, vss: [1][2]f64) -> (i64, [1][2]f64) { in (i, vss) } dest [w] (d)
        comm \\(us: [1][2]f64, ws: [1][2]f64) -> ([1][2]f64) {
          let (xs: [1][2]f64) = screma 1 (us, ws) map \\(u: [2]f64, v: [2]f64) -> ([2]f64) {
            let (x: [2]f64) = screma 2 (u, v) map <<a, b -> a + b>>
            in (x)
          }
          in (xs)
        } neutral (ne)
      in (h)
    }";
    row(
        f,
        "2i64 3i64 [[[1, 2]], [[3, 4]]] [1i64, 1i64, 2i64] [[[5, 6]], [[7, 8]], [[9, 9]]]",
        "[[[1, 2]], [[15, 18]]]",
    )
    .adjoints("[[[1, 2]], [[3, 4]]]", "[[[1, 2]], [[3, 4]]] [0i64, 0i64, 0i64] [[[3, 4]], [[3, 4]], [[0, 0]]]");
}

#[test]
fn d24_a_saturating_sum_of_rows() {
    // column 0 of bin 0 saturates: 4 + 5 + 8 > 15
    row(&of_rows(SATADD), "1i64 2i64 2i64 [[4, 1]] [0i64, 0i64] [[5, 1], [8, 2]]", "[[15, 4]]")
        .adjoints("[[1, 10]]", "[[0, 10]] [0i64, 0i64] [[0, 10], [0, 10]]");
}
