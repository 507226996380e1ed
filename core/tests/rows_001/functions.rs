//! 001 A29, A30, A36 to A38: compositions, networks, loops, custom derivatives, kinks.

use super::*;
use crate::common::row::row;

#[test]
fn a29_log_sum_exp() {
    let head = format!(
        "let (m: f64) = {} let (s: f64) = screma 6 (a) map <<x -> exp(x - m)>> reduce {ADD} let (l: f64) = $ log(s) $",
        fold(MAX, 6, "a")
    );
    on_a(
        &format!("{head} let (r: f64) = $ l + m $ in (r)"),
        "3.713583",
        "[0.0851294, 0.00257068, 0.0516336, 0.629026, 0.011521, 0.22012]",
    );
    on_a(&format!("{head} in (l)"), "0.4635833", "[0.0851294, 0.00257068, 0.0516336, -0.370974, 0.011521, 0.22012]");
    on_a(&format!("let (m: f64) = {} let (r: f64) = $ m + m $ in (r)", fold(MAX, 6, "a")), "6.5", "[0, 0, 0, 2, 0, 0]");
}

#[test]
fn a5_tuples_of_arrays() {
    // tuple1
    let body = format!(
        "let (b: [6]f64, unused: [6]f64) = screma 6 (a) map <<x -> x*2, x + 3>>
         let (a1: [6]f64) = screma 6 (b, a) map <<x, y -> sin(x)*y>>
         let (s: f64) = screma 6 (a1, a, b) map <<x, y, z -> x + y*z>> reduce {ADD}
         let (r: f64) = $ s + 5 $ in (r)"
    );
    on_a(&body, "49.95551", "[3.59561, -7.07389, 4.1036, 19.5629, -4.1036, 6.49613]");
    // tuple2: log (sum (a b + b) * sum b) … with everything passed round in pairs
    let body = format!(
        "let (is: [4]i64) = iota i64 (4i64, 0i64, 1i64)
         let (p: [4]f64) = screma 4 (is) map <<i: i64 -> a[i]*b[i]>>
         let (b1: [4]f64) = screma 4 (p, b) map <<x, y -> x + y>>
         let (c2: [4]f64) = screma 4 (b, b) map <<x, y -> x + y>>
         let (d1: f64) = {} let (d2: f64) = {} let (s: f64) = {}
         let (r: f64) = $ log(d2*s) + d1 $ in (r)",
        fold(&ADD.replace("add", "p"), 4, "c2").replace("foldx", "v1"),
        fold(&ADD.replace("add", "q"), 4, "b1").replace("foldx", "v2"),
        fold(&ADD.replace("add", "o"), 4, "b").replace("foldx", "v3"),
    );
    on_ab(&body, "15.05612", "[0.047619, 0.119048, 0.190476, 0.166667, 0, 0]", "[2.3961, 2.06277, 2.34848, 2.58658]");
    // tuple4: s1 * sum b + (sum a * product a + s2) * s3 with s1 = s3 = sum a, s2 = sum b
    let body = format!(
        "let (s1: f64) = {} let (s2: f64) = {} let (p: f64) = {}
         let (r: f64) = $ s1*s2 + (s2*p + s2)*s1 $ in (r)",
        fold(ADD, 6, "a"),
        fold(ADD, 4, "b"),
        fold(MUL, 6, "a")
    );
    on_ab(
        &body,
        "325.7995",
        "[294.693, -49.8309, 442.346, 158.398, -295.919, 199.054]",
        "[59.2363, 59.2363, 59.2363, 59.2363]",
    );
}

#[test]
fn a30_a_neural_network() {
    // weight (i, j) of a layer is b[((i + j + j² seed)^(1 + seed)) mod 4]; two layers of 2 and 3, and a last one of 1
    let weight = |seed: u32, i: &str, j: &str| format!("b[mod(pow({i} + {j} + {j}*{j}*{seed}, {}), 4)]", seed + 1);
    let layer = |seed: u32, rows: usize, columns: usize, input: &str, output: &str| {
        let (i, j, is, js) = (format!("i{seed}"), format!("j{seed}"), format!("is{seed}"), format!("js{seed}"));
        format!(
            "let ({is}: [{rows}]i64) = iota i64 ({rows}i64, 0i64, 1i64)
             let ({js}: [{columns}]i64) = iota i64 ({columns}i64, 0i64, 1i64)
             let ({output}: [{rows}]f64) = screma {rows} ({is}) map \\({i}: i64) -> (f64) {{
               let (dot{seed}: f64) = screma {columns} ({js}, {input}) map <<{j}: i64, x -> x*{}>> reduce {ADD}
               let (act{seed}: f64) = $ 1/(1 + exp(-dot{seed})) $
               in (act{seed})
             }}",
            weight(seed, &i, &j)
        )
    };
    let body = format!(
        "{} {}
         let (is3: [3]i64) = iota i64 (3i64, 0i64, 1i64)
         let (dot3: f64) = screma 3 (is3, y2) map <<k: i64, x -> x*b[mod(pow(k + k*k*3, 4), 4)]>> reduce {ADD}
         let (r: f64) = $ 1/(1 + exp(-dot3)) $ in (r)",
        layer(1, 2, 6, "a", "y1"),
        layer(2, 3, 2, "y1", "y2")
    );
    let input = "[0.00120826, 0.00120826, 0.00120826, 0.00120826, 0.00120826, 0.00120826]";
    on_ab(&body, "0.7841874", input, "[0.474531, 0.0220844, 0, 0.00760285]");
}

#[test]
fn a36_a_recurrent_network() {
    // h ← tanh (w h + u x), the state kept in a loop; and as an array of all states
    let f = "fun \"f\"(xs: [4]f64, w: f64, u: f64, h: f64) -> (r: f64) {
      let (y: f64) = loop (s: f64 = h) for i: i64 < 4i64 do {
        let (x: f64) = index xs[i]
        let (t: f64) = $ tanh(w*s + u*x) $
        in (t)
      }
      in (y)
    }";
    let g = "fun \"f\"(xs: [4]f64, w: f64, u: f64, h: f64) -> (r: f64) {
      let (zeros: [5]f64) = replicate [5] 0.0f64
      let (start: [5]f64) = update zeros[0i64] = h
      let (hs: [5]f64) = loop (*ss: [5]f64 = start) for i: i64 < 4i64 do {
        let (s: f64) = index ss[i]
        let (x: f64) = index xs[i]
        let (t: f64) = $ tanh(w*s + u*x) $
        let (j: i64) = add.i64(i, 1i64)
        let (ts: [5]f64) = update ss[j] = t
        in (ts)
      }
      let (y: f64) = index hs[4i64]
      in (y)
    }";
    // the same program in another language's arithmetic
    let (xs, w, u, h) = ([0.5, -1.0, 0.25, 2.0], 0.75, 0.5, 0.125);
    let state = xs.iter().fold(h, |s: f64, x| (w * s + u * x).tanh());
    let of = |f: &str| row(f, "[0.5, -1, 0.25, 2] 0.75 0.5 0.125", &format!("{state:?}")).jacobians().by_vjp();
    let (a, b) = (of(f), of(g));
    a[0].iter().zip(&b[0]).for_each(|(x, y)| assert!((x - y).abs() < 1e-14));
}

#[test]
fn a37_custom_derivatives() {
    // floor, with the derivative of the identity: each mode asks its rule
    let floor = "custom \\(x: f64) -> (f64) { let (y: f64) = $ floor(x) $ in (y) } saved 0
      vjp \\(c: f64) -> (f64) { in (c) } jvp \\(p: f64, t: f64) -> (f64) { in (t) }";
    let f =
        format!("fun \"f\"(a: f64) -> (r: f64) {{ let (b: f64) = {floor} at (a) let (c1: f64) = $ b*b $ in (c1) }}");
    let r = row(&f, "2.5", "4").at_a_kink().adjoints("1", "4");
    assert_eq!(r.by_jvp(), [[4.]]);
    // a series with its derivative by another: -log (1 - x) = Σ x^k/k, derivative 1/(1 - x)
    let series = "custom \\(x: f64) -> (f64, f64) {
        let (power: f64, sum: f64) = loop (p: f64 = 1.0f64, s: f64 = 0.0f64) for i: i64 < 60i64 do {
          let (k: i64) = add.i64(i, 1i64)
          let (q: f64) = $ p*x $
          let (t: f64) = $ s + q/f64(k) $
          in (q, t)
        }
        in (x, sum)
      } saved 1
      vjp \\(z: f64, c: f64) -> (f64) { let (d: f64) = $ c/(1 - z) $ in (d) }";
    let f = format!("fun \"f\"(a: f64) -> (r: f64) {{ let (b: f64) = {series} at (a) in (b) }}");
    row(&f, "0.5", "0.6931471805599453").adjoints("1", "2");
}

#[test]
fn a38_kinks() {
    let of = |e: &str, at: &str, gives: &str, slope: &str| {
        let f = format!("fun \"f\"(x: f64) -> (r: f64) {{ let (y: f64) = $ {e} $ in (y) }}");
        row(&f, at, gives).adjoints_alone("1", slope);
    };
    of("abs(x)", "0", "0", "0");
    of("sqrt(x)", "0", "0", "inf");
    of("max(x, 1)", "1", "1", "1");
    of("max(1, x)", "1", "1", "0");
    of("min(x, 1)", "1", "1", "1");
    of("min(1, x)", "1", "1", "0");
    of("floor(x)", "2", "2", "0");
    of("round(x)", "2.5", "2", "0");
    of("sgn(x)", "0", "0", "0");
}
