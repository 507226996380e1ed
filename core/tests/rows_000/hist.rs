//! 000 §5.D: histograms, as the node and through accumulators.

use super::*;
use crate::common::row::{Row, row, row_of};

/// Indices S of the digest: bin 1 of 4 is empty; -1, 5 and 4 are out of range.
const S: [i64; 9] = [2, 0, -1, 2, 5, 0, 3, 2, 4];
const SEEDS: &str = "[1, 10, 100, 1000]";

pub const ADD: [&str; 2] = ["<<x, y -> x + y>>", "0.0f64"];
pub const MUL: [&str; 2] = ["<<x, y -> x*y>>", "1.0f64"];
pub const MAX: [&str; 2] = ["<<x, y -> max(x, y)>>", "-f64.inf"];
pub const MIN: [&str; 2] = ["<<x, y -> min(x, y)>>", "f64.inf"];
const TWICE: [&str; 2] = ["<<x, y -> x*y*2>>", "0.5f64"];
pub const SATADD: [&str; 2] = ["<<x, y -> if 15 - x < y then 15 else x + y>>", "0.0f64"];

/// Both forms of a histogram of scalars. Parameters: w, n, destination, indices, values.
pub fn hists([op, neutral]: [&str; 2]) -> [String; 2] {
    let head =
        "fun \"f\"(w: i64, n: i64, dst: [w]f64, is: [n]i64, vs: [n]f64) -> (r: [w]f64) { let (d: [w]f64) = copy dst";
    let acc = "acc(c, [w] (f64))";
    [
        format!("{head} let (h: [w]f64) = hist n (is, vs) map <<i: i64, v -> i, v>> dest [w] (d) comm {op} neutral ({neutral}) in (h) }}"),
        format!(
            "{head} let (h: [w]f64) = withacc input [w] (d) comm {op} neutral ({neutral}) do \\(c: cert, a: {acc}) -> ({acc}) {{
               let (a1: {acc}) = screma n (is, vs, a) map \\(i: i64, v: f64, a2: {acc}) -> ({acc}) {{
                 let (a3: {acc}) = updacc a2[i] (v)
                 in (a3)
               }}
               in (a1)
             }} in (h) }}"
        ),
    ]
}

pub fn args(dst: &[f64], is: &[i64], vs: &[f64]) -> String {
    let (dst, vs) = (dst.to_vec(), vs.to_vec());
    format!("{}i64 {}i64 {} {} {}", dst.len(), is.len(), list(dst), indices(is.to_vec()), list(vs))
}

/// What a row says of a histogram: result, adjoints of destination and values.
struct Says<'a> {
    dst: &'a [f64],
    is: &'a [i64],
    vs: &'a [f64],
    seeds: &'a str,
    primal: &'a str,
    dst_adjoint: &'a str,
    vs_adjoint: &'a str,
}

impl Says<'_> {
    fn of(&self, op: [&str; 2], finish: fn(Row) -> Row) {
        for f in hists(op) {
            let zeros = indices(self.is.iter().map(|_| 0));
            let expected = format!("{} {zeros} {}", self.dst_adjoint, self.vs_adjoint);
            finish(row(&f, &args(self.dst, self.is, self.vs), self.primal)).adjoints(self.seeds, &expected);
        }
    }
}

#[test]
fn d1_add() {
    Says {
        dst: &[1., 2., 3., 4.],
        is: &S,
        vs: &[10., 11., 12., 13., 14., 15., 16., 17., 18.],
        seeds: SEEDS,
        primal: "[27, 2, 43, 20]",
        dst_adjoint: SEEDS,
        vs_adjoint: "[100, 1, 0, 100, 0, 1, 1000, 100, 0]",
    }
    .of(ADD, |r| r);
}

#[test]
fn d2_mul_with_a_zero_in_the_destination() {
    Says {
        dst: &[2., 3., 5., 0.],
        is: &S,
        vs: &[2., 3., 9., 4., 9., 7., 6., 5., 9.],
        seeds: SEEDS,
        primal: "[42, 3, 200, 0]",
        dst_adjoint: "[21, 10, 4000, 6000]",
        vs_adjoint: "[10000, 14, 0, 5000, 0, 6, 0, 4000, 0]",
    }
    .of(MUL, |r| r);
}

#[test]
fn d3_mul_with_one_zero_in_a_bin() {
    Says {
        dst: &[2., 3., 5., 7.],
        is: &S,
        vs: &[2., 3., 9., 0., 9., 7., 6., 5., 9.],
        seeds: SEEDS,
        primal: "[42, 3, 0, 42]",
        dst_adjoint: "[21, 10, 0, 6000]",
        vs_adjoint: "[0, 14, 0, 5000, 0, 6, 7000, 0, 0]",
    }
    .of(MUL, |r| r);
}

#[test]
fn d4_mul_with_two_zeros_in_a_bin() {
    Says {
        dst: &[2., 3., 5., 7.],
        is: &S,
        vs: &[0., 3., 9., 0., 9., 7., 6., 5., 9.],
        seeds: SEEDS,
        primal: "[42, 3, 0, 42]",
        dst_adjoint: "[21, 10, 0, 6000]",
        vs_adjoint: "[0, 14, 0, 0, 0, 6, 7000, 0, 0]",
    }
    .of(MUL, |r| r);
}

#[test]
fn d5_generic_with_a_neutral_element_that_is_no_unit() {
    Says {
        dst: &[1., 2., 3., 4.],
        is: &S,
        vs: &[1., 2., 9., 3., 9., 4., 5., 6., 9.],
        seeds: SEEDS,
        primal: "[32, 2, 432, 40]",
        dst_adjoint: "[32, 10, 14400, 10000]",
        vs_adjoint: "[43200, 16, 0, 14400, 0, 8, 8000, 7200, 0]",
    }
    .of(TWICE, |r| r);
}

#[test]
fn d6_a_saturating_sum() {
    Says {
        dst: &[1., 2., 3., 4.],
        is: &S,
        vs: &[4., 5., 12., 3., 12., 6., 15., 4., 2.],
        seeds: SEEDS,
        primal: "[12, 2, 14, 15]",
        dst_adjoint: "[1, 10, 100, 0]",
        vs_adjoint: "[100, 1, 0, 100, 0, 1, 0, 100, 0]",
    }
    .of(SATADD, |r| r);
}

#[test]
fn d7_generic_on_tuples_whose_parts_interact() {
    let [op, neutral] = DUAL;
    let f = format!(
        "fun \"f\"(w: i64, n: i64, as: [w]f64, bs: [w]f64, is: [n]i64, xs: [n]f64, ys: [n]f64) -> (r: [w]f64, s: [w]f64) {{
          let (as1: [w]f64) = copy as
          let (bs1: [w]f64) = copy bs
          let (as2: [w]f64, bs2: [w]f64) = hist n (is, xs, ys) map <<i: i64, x, y -> i, x, y>> dest [w] (as1, bs1) comm {op} neutral ({neutral})
          in (as2, bs2)
        }}"
    );
    let dst = columns(&[[0., 1.], [1., 2.], [5., 6.]]);
    let vs = columns(&[[1., 2.], [3., 4.], [5., 6.], [9., 9.], [7., 8.], [1., 3.], [9., 9.]]);
    let is = indices([1, 0, 1, -3, 0, 1, 7]);
    let expected = format!(
        "{} {} {}",
        columns(&[[32., 84.], [36., 60.], [2., 3.]]),
        indices([0; 7]),
        columns(&[[36., 60.], [8., 15.], [12., 16.], [0., 0.], [4., 7.], [24., 44.], [0., 0.]])
    );
    row(&f, &format!("3i64 7i64 {dst} {is} {vs}"), &columns(&[[52., 32.], [156., 72.], [5., 6.]]))
        .adjoints(&columns(&[[1., 1.], [1., 0.], [2., 3.]]), &expected);
}

const TIES: Says = Says {
    dst: &[1., 7., 9., 5.],
    is: &[0, 0, 1, 1, 2, 0, -1, 2],
    vs: &[3., 3., 7., 7., 4., 2., 99., 9.],
    seeds: SEEDS,
    primal: "[3, 7, 9, 5]",
    dst_adjoint: "[0, 10, 100, 1000]",
    vs_adjoint: "[1, 0, 0, 0, 0, 0, 0, 0]",
};

#[test]
fn d8_max_with_ties() {
    TIES.of(MAX, Row::at_a_kink);
}

#[test]
fn d9_ties_under_the_generic_rule() {
    TIES.of(["<<x, y -> if x < y then y else x>>", "-f64.inf"], Row::at_a_kink);
}

#[test]
fn d10_min_with_ties() {
    let minus = |xs: &[f64]| -> Vec<f64> { xs.iter().map(|x| -x).collect() };
    Says { dst: &minus(TIES.dst), vs: &minus(TIES.vs), primal: "[-3, -7, -9, -5]", ..TIES }.of(MIN, Row::at_a_kink);
}

#[test]
fn d11_the_adjoints_of_max_add_to_others() {
    for f in hists(MAX) {
        let f = f.replace("(r: [w]f64)", "(r: [w]f64, s: [n]f64)").replace("in (h)", "in (h, vs)");
        let seeds = format!("{SEEDS} [1, 2, 3, 4, 5, 6, 7, 8]");
        let expected = format!("[0, 10, 100, 1000] {} [2, 2, 3, 4, 5, 6, 7, 8]", indices([0; 8]));
        let primal = format!("[3, 7, 9, 5] {}", list(TIES.vs.to_vec()));
        row(&f, &args(TIES.dst, TIES.is, TIES.vs), &primal).at_a_kink().adjoints(&seeds, &expected);
    }
}

/// The larger value and where it is; of equal ones the first place.
const ARGMAX: &str = "\\(u: f64, i: i64, v: f64, j: i64) -> (f64, i64) {
  let (same: bool) = eq.f64(u, v)
  let (more: bool) = lt.f64(v, u)
  let (best: f64, place: i64) = if same then {
    let (m: i64) = min.i64(i, j)
    in (u, m)
  } else {
    let (best1: f64, place1: i64) = if more then { in (u, i) } else { in (v, j) }
    in (best1, place1)
  }
  in (best, place)
} neutral (-f64.inf, 9223372036854775807i64)";

#[test]
fn d12_argmax() {
    let f = format!(
        "fun \"f\"(w: i64, n: i64, dst: [w]f64, at: [w]i64, is: [n]i64, vs: [n]f64, js: [n]i64) -> (r: [w]f64, s: [w]i64) {{
          let (d: [w]f64) = copy dst
          let (e: [w]i64) = copy at
          let (h: [w]f64, l: [w]i64) = hist n (is, vs, js) map <<x: i64, y, z: i64 -> x, y, z>> dest [w] (d, e) comm {ARGMAX}
          in (h, l)
        }}"
    );
    // bin 0: 3 at places 0 and 1; bin 1: the destination's 9; bin 2: 8 at place 4
    let args = "3i64 5i64 [1, 9, 2] [100i64, 100i64, 100i64] [0i64, 0i64, 1i64, 2i64, 2i64] [3, 3, 7, 7, 8] [0i64, 1i64, 2i64, 3i64, 4i64]";
    // places are integers: what is selected passes their adjoints on too
    let expected =
        "[0, 10, 0] [0i64, 6i64, 0i64] [0i64, 0i64, 0i64, 0i64, 0i64] [1, 0, 0, 0, 100] [5i64, 0i64, 0i64, 0i64, 7i64]";
    row(&f, args, "[3, 9, 8] [0i64, 100i64, 4i64]").at_a_kink().adjoints("[1, 10, 100] [5i64, 6i64, 7i64]", expected);
}

#[test]
fn d13_the_destination_before_and_after() {
    // a = map (**2) dst; b = hist dst; a + b. Values 2, 4 in bin 0, 11 in bin 2, 5 nowhere; seeds 1, 10, 100
    // dst̄ = 2 dst s + s ∂(dst ⊙ h)/∂dst
    let expected = [
        (ADD, "[9.75, 6, 17]", "[4, 50, -500]", "[1, 100, 1, 0]"),
        (MUL, "[14.25, 6, -24]", "[11, 50, 500]", "[6, -300, 3, 0]"),
        (MAX, "[6.25, 6, 20]", "[3, 50, -600]", "[0, 100, 1, 0]"),
        (TWICE, "[50.25, 6, -57]", "[35, 50, 1600]", "[24, -600, 12, 0]"),
    ];
    for (op, primal, dst, vs) in expected {
        for f in hists(op) {
            let f = f
                .replace("{ let (d: [w]f64)", "{ let (q: [w]f64) = screma w (dst) map <<x -> x*x>> let (d: [w]f64)")
                .replace("in (h)", "let (s: [w]f64) = screma w (q, h) map <<x, y -> x + y>> in (s)");
            row(&f, "3i64 4i64 [1.5, 2, -3] [0i64, 2i64, 0i64, -1i64] [2, 11, 4, 5]", primal)
                .adjoints("[1, 10, 100]", &format!("{dst} [0i64, 0i64, 0i64, 0i64] {vs}"));
        }
    }
    // the destination is consumed: read afterwards, it has to be a copy
    for (dest, accepted) in [("d", true), ("dst", false)] {
        let [f, _] = hists(ADD);
        let f = f
            .replace("dst: [w]f64", "*dst: [w]f64")
            .replace("(d) comm", &format!("({dest}) comm"))
            .replace("in (h)", "let (s: [w]f64) = screma w (dst, h) map <<x, y -> x + y>> in (s)");
        let program: futi_core::ir::Program = format!("futi-ir 1\n{}", notation::ir(&f)).parse().unwrap();
        assert_eq!(futi_core::ir::check::errors(&program).is_empty(), accepted, "{dest}");
    }
}

#[test]
fn d16_infinite_and_undefined_values_out_of_range() {
    for op in [ADD, MUL, MAX, MIN, TWICE] {
        for f in hists(op) {
            let vjp = derivative(&parse(&notation::ir(&f)), D::Vjp);
            let is = [-1, 2, i64::MIN, 1];
            let text =
                format!("{} [7f64, 8f64]", args(&[5., 6.], &is, &[f64::INFINITY, f64::NAN, f64::NEG_INFINITY, 3.]));
            let text = text.replace("-inf", "-f64.inf").replace(" inff64", " f64.inf").replace("[inff64", "[f64.inf");
            let text = text.replace("NaNf64", "f64.nan").replace("-f64.inff64", "-f64.inf");
            let adjoints = row::compared(&vjp, &values(&text)).split_off(1);
            let of_vs: Vec<f64> = adjoints[2].elements().map(|x| x.to_f64()).collect();
            assert_eq!(of_vs[..3], [0., 0., 0.], "{op:?}");
        }
    }
}

#[test]
fn d25_products_that_overflow() {
    // 65536² = 0 modulo 2³², but the product of the others is 65536*3
    for f in hists(["<<x: i32, y: i32 -> x*y>>", "1i32"]) {
        let f = f.replace("f64", "i32").replace("v -> i, v", "v: i32 -> i, v");
        row(&f, "1i64 3i64 [1i32] [0i64, 0i64, 0i64] [65536i32, 65536i32, 3i32]", "[0i32]")
            .of_integers()
            .adjoints("[1i32]", "[0i32] [0i64, 0i64, 0i64] [196608i32, 196608i32, 0i32]");
    }
    // 2^100 2^100 2^-100 in order: the product is infinite already after two; nothing is divided. (Forward mode meets 0 times infinity.)
    for f in hists(["<<x: f32, y: f32 -> x*y>>", "1.0f32"]) {
        let f = f.replace("f64", "f32").replace("v -> i, v", "v: f32 -> i, v");
        let big = "1267650600228229401496703205376f32";
        let args = format!("1i64 3i64 [1f32] [0i64, 0i64, 0i64] [{big}, {big}, 7.888609052210118e-31f32]");
        row(&f, &args, "[f32.inf]")
            .adjoints_alone("[1f32]", &format!("[{big}] [0i64, 0i64, 0i64] [1f32, 1f32, f32.inf]"));
    }
}

#[test]
fn d26_several_histograms_and_a_map_in_one() {
    let head = "fun \"f\"(w: i64, m: i64, n: i64, dst: [w]f64, dst1: [m]f64, is: [n]i64, vs: [n]f64) -> (r: [w]f64, s: [m]f64) {
      let (d: [w]f64) = copy dst
      let (e: [m]f64) = copy dst1";
    let [add, mul] = [ADD, MUL].map(|[op, neutral]| format!("comm {op} neutral ({neutral})"));
    let fused = format!(
        "{head} let (h: [w]f64, k: [m]f64) = hist n (is, vs) map <<i: i64, v -> i, i - 1, v*v, v + 1>> dest [w] (d) {add} dest [m] (e) {mul} in (h, k) }}"
    );
    let split = format!(
        "{head}
          let (js: [n]i64, us: [n]f64, ws: [n]f64) = screma n (is, vs) map <<i: i64, v -> i - 1, v*v, v + 1>>
          let (h: [w]f64) = hist n (is, us) map <<i: i64, v -> i, v>> dest [w] (d) {add}
          let (k: [m]f64) = hist n (js, ws) map <<i: i64, v -> i, v>> dest [m] (e) {mul}
          in (h, k)
        }}"
    );
    let args = "3i64 2i64 4i64 [1, 2, 3] [4, 5] [0i64, 1i64, 2i64, 1i64] [6, 7, 8, 9]";
    // [1+36, 2+49+81, 3+64], [4*8*10, 5*9]
    let of = |f: &str| row(f, args, "[37, 132, 67] [320, 45]").jacobians().by_vjp();
    assert_eq!(of(&fused), of(&split));
}

#[test]
fn d28_tangents_at_ties() {
    for f in hists(MAX) {
        let r = row(&f, &args(TIES.dst, TIES.is, TIES.vs), TIES.primal);
        // dst then vs: bin 0 is v0's, the others the destination's
        let mut expected = vec![vec![0.; 12]; 4];
        expected[0][4] = 1.;
        (1..4).for_each(|i| expected[i][i] = 1.);
        assert_eq!(r.by_jvp(), expected);
    }
}

#[test]
fn d29_generic_and_special_rules_agree() {
    let pairs = [
        (ADD, ["<<x, y -> x - (0 - y)>>", "0.0f64"]),
        (MUL, ["<<x, y -> x*y*1>>", "1.0f64"]),
        (MAX, ["<<x, y -> if x < y then y else x>>", "-f64.inf"]),
    ];
    for (special, generic) in pairs {
        for seed in 1..4 {
            // -1, 0, 1, 2 and 3 for three bins
            let is: Vec<i64> = random(seed, 8, 5).into_iter().map(|x| x as i64 - 1).collect();
            let args = values(&args(&random(seed + 10, 3, 4), &is, &random(seed + 20, 8, 4)));
            let of = |op| hists(op).map(|f| row_of(parse(&notation::ir(&f)), &args).at_a_kink().jacobians().by_vjp());
            let [all @ .., last] = [of(special), of(generic)].concat().try_into().unwrap_or([const { vec![] }; 4]);
            all.into_iter().for_each(|j| assert_eq!(j, last));
        }
    }
}
