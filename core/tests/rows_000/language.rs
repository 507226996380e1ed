//! 000 §5.A: the language, as far as the IR has it.

use super::hist::{ADD, MAX, args, hists};
use super::*;
use crate::common::row::row;
use futi_core::driver::pipeline::Stage;
use futi_core::ir::{Program, check};
use futi_interp::{Ctx, eval};

fn accepted(text: &str) -> bool {
    let program: Program = format!("futi-ir 1\n{}", notation::ir(text)).parse().unwrap();
    check::errors(&program).is_empty()
}

#[test]
fn a1_updates_in_place() {
    let f = "fun \"f\"(xs: [3]f64, i: i64, v: f64) -> (r: [3]f64) {
      let (zs: [3]f64) = copy xs
      let (ys: [3]f64) = update zs[i] = v
      in (ys)
    }";
    row(f, "[1, 2, 3] 1i64 9", "[1, 9, 3]").adjoints("[1, 10, 100]", "[1, 0, 100] 0i64 10");
    // the array, or an alias of it, afterwards; the same of a copy
    let after = |what: &str| {
        format!(
            "fun \"f\"(*xs: [3]f64) -> (r: [3]f64, s: [3]f64) {{
              let (alias: [3]f64) = xs
              let (copied: [3]f64) = copy xs
              let (ys: [3]f64) = update xs[0i64] = 1.0f64
              in (ys, {what})
            }}"
        )
    };
    assert!(!accepted(&after("xs")) && !accepted(&after("alias")) && accepted(&after("copied")));
}

#[test]
fn a2_uniqueness() {
    // g consumes its parameter and gives a unique result
    let call = |arg: &str, last: &str| {
        format!(
            "fun \"f\"(*xs: [3]f64) -> (r: [3]f64, s: [3]f64) {{
              let (alias: [3]f64) = xs
              let (copied: [3]f64) = copy xs
              let (ys: [3]f64) = call \"g\"({arg})
              let (zs: [3]f64) = update ys[0i64] = 1.0f64
              in (zs, {last})
            }}
            fun \"g\"(*us: [3]f64) -> (*t: [3]f64) {{ let (vs: [3]f64) = update us[1i64] = 2.0f64 in (vs) }}"
        )
    };
    assert!(!accepted(&call("alias", "xs")) && accepted(&call("copied", "xs")) && accepted(&call("xs", "copied")));
}

const SCATTER: &str = "fun \"f\"(n: i64, m: i64, dst: [n]f64, is: [m]i64, vs: [m]f64) -> (r: [n]f64) {
  let (d: [n]f64) = copy dst
  let (y: [n]f64) = scatter m (is, vs) map <<i: i64, v -> i, v>> dest [n] d
  in (y)
}";

#[test]
fn a4_scatter_out_of_range() {
    let is = indices([-1, 0, 3, i64::MIN, i64::MAX, 2]);
    row(SCATTER, &format!("3i64 6i64 [7, 8, 9] {is} [1, 2, 3, 4, 5, 6]"), "[2, 8, 6]")
        .adjoints("[1, 10, 100]", &format!("[0, 10, 0] {} [0, 1, 0, 0, 0, 100]", indices([0; 6])));
}

#[test]
fn a5_scatter_twice_to_one_position() {
    let program = parse(&notation::ir(SCATTER));
    let args = values("3i64 2i64 [7f64, 8f64, 9f64] [1i64, 1i64] [1f64, 2f64]");
    assert_eq!(eval(&program, "f", &args, &Ctx::default()).unwrap(), values("[7f64, 2f64, 9f64]"));
    assert!(eval(&program, "f", &args, &Ctx::strict()).is_err());
}

#[test]
fn a6_nothing_to_fold() {
    row(&reduce(1, "<<x, y -> x*y*2>>", "0.5f64"), "0i64 empty([0]f64)", "0.5");
    row(&scan(1, "<<x, y -> x*y*2>>", "0.5f64"), "0i64 empty([0]f64)", "empty([0]f64)");
    hists(ADD).iter().for_each(|f| drop(row(f, &args(&[1., 2.], &[], &[]), "[1, 2]")));
}

#[test]
fn a7_exclusive_scans() {
    let f = "fun \"f\"(n: i64, xs: [n]f64) -> (r: [n]f64) {
      let (is: [n]i64) = iota i64 (n, 0i64, 1i64)
      let (ys: [n]f64) = screma n (is) map <<i: i64 -> if i == 0 then 0.0 else xs[i - 1]>> scan <<x, y -> x + y>> neutral (0.0f64)
      in (ys)
    }";
    row(f, "3i64 [1, 2, 3]", "[0, 1, 3]").adjoints("[1, 10, 100]", "[110, 100, 0]");
    row(f, "0i64 empty([0]f64)", "empty([0]f64)");
    row(f, "1i64 [5]", "[0]").adjoints("[1]", "[0]");
}

#[test]
fn a8_segmented_scans() {
    // exclusive, from the right: reverse, shift within segments, scan, reverse (Table 6.1)
    let f = "fun \"f\"(n: i64, flags: [n]bool, xs: [n]f64) -> (r: [n]f64) {
      let (is: [n]i64) = iota i64 (n, 0i64, 1i64)
      let (rs: [n]f64) = reverse xs
      let (begins: [n]bool, us: [n]f64) = screma n (is) map \\(i: i64) -> (bool, f64) {
        let (first: bool) = eq.i64(i, 0i64)
        let (b: bool) = if first then { in (true) } else {
          let (j: i64) = sub.i64(n, i)
          let (b1: bool) = index flags[j]
          in (b1)
        }
        let (u: f64) = if b then { in (0.0f64) } else {
          let (k: i64) = sub.i64(i, 1i64)
          let (u1: f64) = index rs[k]
          in (u1)
        }
        in (b, u)
      }
      let (fs: [n]bool, ys: [n]f64) = screma n (begins, us) map <<b: bool, u -> b, u>>
        scan <<f1: bool, x, f2: bool, y -> or(f1, f2), if f2 then y else x + y>> neutral (false, 0.0f64)
      let (zs: [n]f64) = reverse ys
      in (zs)
    }";
    let table = "[true, false, false, true, false, false, false, false, true]";
    row(f, &format!("9i64 {table} [0, 1, 2, 3, 4, 5, 6, 7, 8]"), "[3, 2, 0, 22, 18, 13, 7, 0, 0]").jacobians();
    // one segment; nothing but segments of one
    row(f, "3i64 [true, false, false] [1, 2, 3]", "[5, 3, 0]").jacobians();
    row(f, "3i64 [true, true, true] [1, 2, 3]", "[0, 0, 0]").adjoints("[1, 1, 1]", "[false, false, false] [0, 0, 0]");
}

#[test]
fn a10_several_scans_in_one() {
    let f = "fun \"f\"(xs: [3]f64) -> (r: [3]f64, s: [3]f64) {
      let (a: [3]f64, b: [3]f64) = screma 3 (xs) map <<x -> x*3, x>> scan <<x, y -> x + y>> neutral (0.0f64) scan <<x, y -> x*y>> neutral (1.0f64)
      in (a, b)
    }";
    row(f, "[1, 2, 3]", "[3, 9, 18] [1, 2, 6]").jacobians();
}

#[test]
fn a11_several_reductions_histograms_and_scatters_in_one() {
    let f = "fun \"f\"(xs: [3]f64) -> (r: f64, s: f64) {
      let (a: f64, b: f64) = screma 3 (xs) map <<x -> x, x>> reduce <<x, y -> x + y>> neutral (0.0f64) reduce <<x, y -> x*y>> neutral (1.0f64)
      in (a, b)
    }";
    row(f, "[2, 3, 4]", "9 24").adjoints("1 10", "[121, 81, 61]");
    let f = "fun \"f\"(is: [3]i64, vs: [3]f64, dst: [2]f64, dst1: [3]f64) -> (r: [2]f64, s: [3]f64) {
      let (d: [2]f64) = copy dst
      let (e: [3]f64) = copy dst1
      let (a: [2]f64, b: [3]f64) = scatter 3 (is, vs) map <<i: i64, v -> i, i + 1, v, v*v>> dest [2] d dest [3] e
      in (a, b)
    }";
    row(f, "[0i64, 1i64, 2i64] [2, 3, 4] [0, 0] [7, 7, 7]", "[2, 3] [7, 4, 9]")
        .adjoints("[1, 10] [100, 1000, 10000]", "[0i64, 0i64, 0i64] [4001, 60010, 0] [0, 0] [100, 0, 0]");
    let f = "fun \"f\"(is: [3]i64, vs: [3]f64, dst: [2]f64, dst1: [3]f64) -> (r: [2]f64, s: [3]f64) {
      let (d: [2]f64) = copy dst
      let (e: [3]f64) = copy dst1
      let (a: [2]f64, b: [3]f64) = hist 3 (is, vs) map <<i: i64, v -> i, i + 1, v, v>> dest [2] (d) <<x, y -> x + y>> neutral (0.0f64) dest [3] (e) <<x, y -> x*y>> neutral (1.0f64)
      in (a, b)
    }";
    row(f, "[0i64, 1i64, 2i64] [2, 3, 4] [0, 0] [5, 6, 7]", "[2, 3] [5, 12, 21]")
        .adjoints("[1, 10] [100, 1000, 10000]", "[0i64, 0i64, 0i64] [6001, 70010, 0] [1, 10] [100, 2000, 30000]");
}

#[test]
fn a12_mapped_results_beside_a_scan() {
    let f = "fun \"f\"(xs: [3]f64) -> (r: [3]f64, s: f64, t: [3]f64) {
      let (a: [3]f64, b: f64, c: [3]f64) = screma 3 (xs) map <<x -> x, x, x*x>> scan <<x, y -> x + y>> neutral (0.0f64) reduce <<x, y -> x + y>> neutral (0.0f64)
      in (a, b, c)
    }";
    row(f, "[1, 2, 3]", "[1, 3, 6] 6 [1, 4, 9]").jacobians();
}

#[test]
fn a13_scratch() {
    // filled by a scatter of all positions, and with one left out
    let f = "fun \"f\"(is: [3]i64, vs: [3]f64) -> (r: f64) {
      let (s: [3]f64) = scratch [3]f64
      let (d: [3]f64) = scatter 3 (is, vs) map <<i: i64, v -> i, v>> dest [3] s
      let (t: f64) = screma 3 (d) map <<x -> x>> reduce <<x, y -> x + y>> neutral (0.0f64)
      in (t)
    }";
    row(f, "[2i64, 0i64, 1i64] [1, 2, 3]", "6").adjoints("1", "[0i64, 0i64, 0i64] [1, 1, 1]");
    let program = parse(&notation::ir(f));
    let args = values("[2i64, 3i64, 1i64] [1f64, 2f64, 3f64]");
    assert!(eval(&program, "f", &args, &Ctx::strict()).is_err());
}

#[test]
fn a15_fusion_duplicates_no_work() {
    // a is used by two maps, one of which is reduced
    let f = "fun \"f\"(n: i64, xs: [n]f64) -> (r: [n]f64, s: f64) {
      let (as: [n]f64) = screma n (xs) map <<x -> exp(x)>>
      let (bs: [n]f64) = screma n (as) map <<x -> sin(x)>>
      let (cs: [n]f64) = screma n (as) map <<x -> cos(x)>>
      let (t: f64) = screma n (cs) map <<x -> x>> reduce <<x, y -> x + y>> neutral (0.0f64)
      in (bs, t)
    }";
    let program = parse(&notation::ir(f));
    let args = values("4i64 [0.1f64, 0.2f64, 0.3f64, 0.4f64]");
    let (before, after) = (run(&program, &args), run(&at(&program, Stage::Fused), &args));
    assert_eq!(before.0, after.0);
    assert_eq!(before.1.prims(), after.1.prims());
}

#[test]
fn a16_loops() {
    // Fibonacci of reals: (a, b) to (b, a + b), 5 times from (x, y): (3x + 5y, 5x + 8y)
    let f = "fun \"f\"(n: i32, x: f64, y: f64) -> (r: f64, s: f64) {
      let (p: f64, q: f64) = loop (a: f64 = x, b: f64 = y) for i: i32 < n do {
        let (c: f64) = $ a + b $
        in (b, c)
      }
      in (p, q)
    }";
    row(f, "5i32 1 1", "8 13").adjoints("1 10", "0i32 53 85");
    row(f, "0i32 1 2", "1 2").adjoints("1 10", "0i32 1 10");
    row(f, "-3i32 1 2", "1 2").adjoints("1 10", "0i32 1 10");
    // nested, over an array that is updated: xs[i] := xs[i] xs[i-1], for i = 1 and 2, twice: [a, a²b, a³b²c...]
    let f = "fun \"f\"(xs: [3]f64) -> (r: [3]f64) {
      let (ws: [3]f64) = copy xs
      let (ys: [3]f64) = loop (*us: [3]f64 = ws) for i: i64 < 2i64 do {
        let (zs: [3]f64) = loop (*vs: [3]f64 = us) for j: i64 < 2i64 do {
          let (v: f64) = index vs[j]
          let (k: i64) = add.i64(j, 1i64)
          let (w: f64) = index vs[k]
          let (q: f64) = $ v*w $
          let (ts: [3]f64) = update vs[k] = q
          in (ts)
        }
        in (zs)
      }
      in (ys)
    }";
    // after one round [a, ab, abc], after two [a, a²b, a³b²c]: at (2, 3, 5): [2, 12, 360]
    row(f, "[2, 3, 5]", "[2, 12, 360]").adjoints("[1, 1, 1]", "[553, 244, 72]");
    // while: double until above 100, x 2^6 at 2
    let f = "fun \"f\"(x: f64) -> (r: f64) {
      let (below: bool) = $ x < 100 $
      let (go: bool, y: f64) = loop (c: bool = below, z: f64 = x) while c do {
        let (w: f64) = $ z*2 $
        let (d: bool) = lt.f64(w, 100.0f64)
        in (d, w)
      }
      in (y)
    }";
    row(f, "2", "128").adjoints("1", "64");
}

#[test]
fn a17_few_and_many_bins() {
    for w in [1, 31, 1023] {
        let n = 40;
        let is: Vec<i64> = random(w as u64, n, 2 * w as u64).into_iter().map(|x| x as i64).collect();
        let vs = random(9, n, 100);
        let of = |op: fn(f64, f64) -> f64, dst: f64| {
            let mut bins = vec![dst; w];
            is.iter()
                .zip(&vs)
                .filter(|(i, _)| **i < w as i64)
                .for_each(|(i, v)| bins[*i as usize] = op(bins[*i as usize], *v));
            bins
        };
        for (f, dst, expected) in [(hists(ADD), 0., of(|a, b| a + b, 0.)), (hists(MAX), -1., of(f64::max, -1.))] {
            f.iter().for_each(|f| drop(row(f, &args(&vec![dst; w], &is, &vs), &list(expected.clone()))));
        }
    }
}
