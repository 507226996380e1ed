//! Histograms: the rows of document 000 §5.D (names in the comments), with both modes of differentiation by hand-made vectors and central differences.

use crate::testing::*;
use crate::{Code, Ctx};
use futi_core::value::{Array, Value};

/// Shared by rows D1 to D6: indices into 4 bins, of which bin 1 is empty and -1, 5, 4 are out of range; and the adjoint.
const IS: [i64; 9] = [2, 0, -1, 2, 5, 0, 3, 2, 4];
const SEED: [f64; 4] = [1., 10., 100., 1000.];

fn fs(xs: &[f64]) -> Value {
    floats(&[xs.len()], xs)
}
fn is(xs: &[i64]) -> Value {
    ints(&[xs.len()], xs)
}

/// An operator of one statement on f64.
fn simple(op: &str, neutral: &str) -> String {
    format!(
        "comm \\(x_21: f64, y_22: f64) -> (f64) {{ let (r_23: f64) = {op}(x_21, y_22) in (r_23) }} neutral ({neutral})"
    )
}

/// `\dest is vs -> hist` of w bins and n values.
fn hist(w: usize, n: usize, op: &str) -> String {
    format!(
        "\\(dest_1: [{w}]f64, is_2: [{n}]i64, vs_3: [{n}]f64) -> ([{w}]f64) {{ let (d_4: [{w}]f64) = copy dest_1 \
         let (h_5: [{w}]f64) = hist {n} (is_2, vs_3) map \\(i_6: i64, v_7: f64) -> (i64, f64) {{ in (i_6, v_7) }} \
         dest [{w}] (d_4) {op} in (h_5) }}"
    )
}

/// The results of a function, by `jvp` with tangents zero.
fn value(lambda: &str, args: &[Value], results: usize) -> Vec<Value> {
    let zeros: Vec<Value> = args
        .iter()
        .map(|v| match v {
            Value::Scalar(x) => x.scalar_type().zero().into(),
            Value::Array(a) => Array::filled(a.shape(), a.elem().zero()).into(),
        })
        .collect();
    let mut all = run(&derivative_program("jvp", lambda, args, &zeros), &[args, &zeros].concat());
    all.truncate(results);
    all
}

/// Result, adjoint of the destination, adjoints of the values.
fn row(op: &str, dest: &[f64], at: &[i64], vs: &[f64], seed: &[f64]) -> [Value; 3] {
    let f = hist(dest.len(), vs.len(), op);
    let args = [fs(dest), is(at), fs(vs)];
    let adjoints = vjp(&f, &args, &[fs(seed)]);
    [value(&f, &args, 1).remove(0), adjoints[0].clone(), adjoints[2].clone()]
}

#[test]
fn d1_add() {
    let vs = [10., 11., 12., 13., 14., 15., 16., 17., 18.];
    let got = row(&simple("add.f64", "0.0f64"), &[1., 2., 3., 4.], &IS, &vs, &SEED);
    assert_eq!(got, [fs(&[27., 2., 43., 20.]), fs(&SEED), fs(&[100., 1., 0., 100., 0., 1., 1000., 100., 0.])]);
    let args = [fs(&[1., 2., 3., 4.]), is(&IS), fs(&vs)];
    gradient(&hist(4, 9, &simple("add.f64", "0.0f64")), &args, &[fs(&SEED)]);
}

#[test]
fn d2_d3_d4_products_with_zeros() {
    let mul = simple("mul.f64", "1.0f64");
    assert_eq!(
        row(&mul, &[2., 3., 5., 0.], &IS, &[2., 3., 9., 4., 9., 7., 6., 5., 9.], &SEED),
        [fs(&[42., 3., 200., 0.]), fs(&[21., 10., 4000., 6000.]), fs(&[10000., 14., 0., 5000., 0., 6., 0., 4000., 0.])]
    );
    assert_eq!(
        row(&mul, &[2., 3., 5., 7.], &IS, &[2., 3., 9., 0., 9., 7., 6., 5., 9.], &SEED),
        [fs(&[42., 3., 0., 42.]), fs(&[21., 10., 0., 6000.]), fs(&[0., 14., 0., 5000., 0., 6., 7000., 0., 0.])]
    );
    assert_eq!(
        row(&mul, &[2., 3., 5., 7.], &IS, &[0., 3., 9., 0., 9., 7., 6., 5., 9.], &SEED),
        [fs(&[42., 3., 0., 42.]), fs(&[21., 10., 0., 6000.]), fs(&[0., 14., 0., 0., 0., 6., 7000., 0., 0.])]
    );
    let args = [fs(&[2., 3., 5., 0.]), is(&IS), fs(&[2., 3., 9., 4., 9., 7., 6., 5., 9.])];
    gradient(&hist(4, 9, &mul), &args, &[fs(&[1., 0.5, -0.25, 2.])]);
}

#[test]
fn d5_an_operator_with_another_neutral_element() {
    let op = "comm \\(x_21: f64, y_22: f64) -> (f64) { let (p_23: f64) = mul.f64(x_21, y_22) let (r_24: f64) = mul.f64(p_23, 2.0f64) in (r_24) } neutral (0.5f64)";
    assert_eq!(
        row(op, &[1., 2., 3., 4.], &IS, &[1., 2., 9., 3., 9., 4., 5., 6., 9.], &SEED),
        [
            fs(&[32., 2., 432., 40.]),
            fs(&[32., 10., 14400., 10000.]),
            fs(&[43200., 16., 0., 14400., 0., 8., 8000., 7200., 0.])
        ]
    );
}

#[test]
fn d6_a_saturating_sum() {
    let op = "comm \\(x_21: f64, y_22: f64) -> (f64) { let (s_23: f64) = add.f64(x_21, y_22) let (r_24: f64) = min.f64(s_23, 15.0f64) in (r_24) } neutral (0.0f64)";
    assert_eq!(
        row(op, &[1., 2., 3., 4.], &IS, &[4., 5., 12., 3., 12., 6., 15., 4., 2.], &SEED),
        [fs(&[12., 2., 14., 15.]), fs(&[1., 10., 100., 0.]), fs(&[100., 1., 0., 100., 0., 1., 0., 100., 0.])]
    );
}

/// A histogram of pairs by the product of dual numbers.
fn dual_hist(w: usize, n: usize) -> String {
    format!(
        "\\(a_1: [{w}]f64, b_2: [{w}]f64, is_3: [{n}]i64, x_4: [{n}]f64, y_5: [{n}]f64) -> ([{w}]f64, [{w}]f64) {{ \
         let (c_6: [{w}]f64) = copy a_1 let (d_7: [{w}]f64) = copy b_2 \
         let (h_8: [{w}]f64, k_9: [{w}]f64) = hist {n} (is_3, x_4, y_5) map \\(i_10: i64, v_11: f64, w_12: f64) -> (i64, f64, f64) {{ in (i_10, v_11, w_12) }} \
         dest [{w}] (c_6, d_7) comm \\(a_21: f64, b_22: f64, c_23: f64, d_24: f64) -> (f64, f64) {{ let (p_25: f64) = mul.f64(a_21, c_23) \
         let (q_26: f64) = mul.f64(a_21, d_24) let (r_27: f64) = mul.f64(b_22, c_23) let (s_28: f64) = add.f64(q_26, r_27) in (p_25, s_28) }} neutral (1.0f64, 0.0f64) \
         in (h_8, k_9) }}"
    )
}

#[test]
fn d7_tuples_whose_parts_interact() {
    let f = dual_hist(3, 7);
    // The digest's pairs have the derivative first: here the primal parts come first.
    let args = [
        fs(&[1., 2., 6.]),
        fs(&[0., 1., 5.]),
        is(&[1, 0, 1, -3, 0, 1, 7]),
        fs(&[2., 4., 6., 9., 8., 3., 9.]),
        fs(&[1., 3., 5., 9., 7., 1., 9.]),
    ];
    assert_eq!(value(&f, &args, 2), [fs(&[32., 72., 6.]), fs(&[52., 156., 5.])]);
    let adjoints = gradient(&f, &args, &[fs(&[1., 0., 3.]), fs(&[1., 1., 2.])]);
    assert_eq!(adjoints[..2], [fs(&[84., 60., 3.]), fs(&[32., 36., 2.])]);
    assert_eq!(adjoints[3..], [fs(&[60., 15., 16., 0., 7., 44., 0.]), fs(&[36., 8., 12., 0., 4., 24., 0.])]);
}

#[test]
fn d8_d9_ties() {
    let (dest, at) = ([1., 7., 9., 5.], [0, 0, 1, 1, 2, 0, -1, 2]);
    let vs = [3., 3., 7., 7., 4., 2., 99., 9.];
    let expected = [fs(&[3., 7., 9., 5.]), fs(&[0., 10., 100., 1000.]), fs(&[1., 0., 0., 0., 0., 0., 0., 0.])];
    assert_eq!(row(&simple("max.f64", "-f64.inf"), &dest, &at, &vs, &SEED), expected);
    // D9: by comparison and selection
    let op = "comm \\(x_21: f64, y_22: f64) -> (f64) { let (c_23: bool) = lt.f64(x_21, y_22) let (r_24: f64) = if c_23 then { in (y_22) } else { in (x_21) } in (r_24) } neutral (-f64.inf)";
    assert_eq!(row(op, &dest, &at, &vs, &SEED), expected);
}

#[test]
fn d13_the_destination_before_and_after() {
    // a = map (**2) dst; b = hist a; a + b
    for (op, neutral) in [("add.f64", "0.0f64"), ("mul.f64", "1.0f64"), ("max.f64", "-f64.inf")] {
        let op = simple(op, neutral);
        let f = format!(
            "\\(dst_1: [3]f64, is_2: [4]i64, vs_3: [4]f64) -> ([3]f64) {{ let (a_4: [3]f64) = screma 3 (dst_1) map \\(x_5: f64) -> (f64) {{ let (q_6: f64) = mul.f64(x_5, x_5) in (q_6) }} \
             let (d_7: [3]f64) = copy a_4 let (h_8: [3]f64) = hist 4 (is_2, vs_3) map \\(i_9: i64, v_10: f64) -> (i64, f64) {{ in (i_9, v_10) }} dest [3] (d_7) {op} \
             let (s_11: [3]f64) = screma 3 (a_4, h_8) map \\(x_12: f64, y_13: f64) -> (f64) {{ let (z_14: f64) = add.f64(x_12, y_13) in (z_14) }} in (s_11) }}"
        );
        let args = [fs(&[1.5, 2., -3.]), is(&[0, 2, 0, -1]), fs(&[2., 11., 4., 5.])];
        let adjoints = gradient(&f, &args, &[fs(&[1., 10., 100.])]);
        // bin 1 is untouched: 10 * (2*2 + 2*2)
        assert_eq!(adjoints[0].elements().nth(1), Some(futi_core::prim::Scalar::F64(80.)));
    }
}

#[test]
fn d14_empty_and_degenerate_sizes() {
    let add = simple("add.f64", "0.0f64");
    let empty = Array::from_vec::<i64>(&[0], vec![]);
    let none = [fs(&[1., 2.]), empty.clone().into(), fs(&[])];
    assert_eq!(vjp(&hist(2, 0, &add), &none, &[fs(&[3., 4.])]), [fs(&[3., 4.]), empty.into(), fs(&[])]);
    assert_eq!(value(&hist(2, 0, &add), &none, 1), [fs(&[1., 2.])]);
    // no bins, one bin, one value, all out of range, the extremes among them
    assert_eq!(row(&add, &[], &[0, -1], &[1., 2.], &[]), [fs(&[]), fs(&[]), fs(&[0., 0.])]);
    assert_eq!(row(&add, &[5.], &[0], &[1.], &[7.]), [fs(&[6.]), fs(&[7.]), fs(&[7.])]);
    let outside = [-1, 2, i64::MIN, i64::MAX];
    let got = row(&simple("mul.f64", "1.0f64"), &[5., 6.], &outside, &[1., f64::NAN, f64::INFINITY, 4.], &[7., 8.]);
    assert_eq!(got, [fs(&[5., 6.]), fs(&[7., 8.]), fs(&[0., 0., 0., 0.])]);
}

/// `\dest is vs -> hist` with rows of m elements, by an operator mapped over them.
fn hist_of_rows(w: usize, n: usize, m: usize, op: &str, neutral: &str) -> String {
    format!(
        "\\(dest_1: [{w}][{m}]f64, is_2: [{n}]i64, vs_3: [{n}][{m}]f64) -> ([{w}][{m}]f64) {{ let (d_4: [{w}][{m}]f64) = copy dest_1 \
         let (ne_5: [{m}]f64) = replicate [{m}] {neutral} \
         let (h_6: [{w}][{m}]f64) = hist {n} (is_2, vs_3) map \\(i_7: i64, v_8: [{m}]f64) -> (i64, [{m}]f64) {{ in (i_7, v_8) }} \
         dest [{w}] (d_4) comm \\(x_21: [{m}]f64, y_22: [{m}]f64) -> ([{m}]f64) {{ let (r_23: [{m}]f64) = screma {m} (x_21, y_22) \
         map \\(a_24: f64, b_25: f64) -> (f64) {{ let (c_26: f64) = {op}(a_24, b_25) in (c_26) }} in (r_23) }} neutral (ne_5) in (h_6) }}"
    )
}

#[test]
fn d21_d22_d23_rows() {
    let m2 = |xs: &[f64]| floats(&[xs.len() / 2, 2], xs);
    let args = [m2(&[4., 1., 2., 3., 8., 9.]), is(&[0, 1, 0, -1, 1]), m2(&[5., 1., 0., 2., 3., 4., 7., 7., 6., 0.])];
    let seed = [m2(&[1., 2., 3., 4., 5., 6.])];
    let of = |op, neutral| {
        let adjoints = vjp(&hist_of_rows(3, 5, 2, op, neutral), &args, &seed);
        (adjoints[0].clone(), adjoints[2].clone())
    };
    let mul = (m2(&[15., 8., 0., 0., 5., 6.]), m2(&[12., 8., 36., 0., 20., 2., 0., 0., 0., 24.]));
    assert_eq!(of("mul.f64", "1.0f64"), mul);
    let min = (m2(&[0., 2., 0., 0., 5., 6.]), m2(&[0., 0., 3., 0., 1., 0., 0., 0., 0., 4.]));
    assert_eq!(of("min.f64", "f64.inf"), min);
    let add = (seed[0].clone(), m2(&[1., 2., 3., 4., 1., 2., 0., 0., 3., 4.]));
    assert_eq!(of("add.f64", "0.0f64"), add);
    // D23: rows without elements keep their shape
    let args = [floats(&[3, 0], &[]), is(&[0, 9]), floats(&[2, 0], &[])];
    let adjoints = vjp(&hist_of_rows(3, 2, 0, "add.f64", "0.0f64"), &args, &[floats(&[3, 0], &[])]);
    assert_eq!(adjoints, [args[0].clone(), is(&[0, 0]), args[2].clone()]);
}

#[test]
fn several_destinations_of_several_ranks() {
    // counts by (i, j, k) in a box of 2*2*2, sums of v by i, and of pairs (v, 1) by j: all in one pass
    let add = |n: u32, t: &str, zero: &str| {
        format!(
            "comm \\(x_{n}1: {t}, y_{n}2: {t}) -> ({t}) {{ let (r_{n}3: {t}) = add.{t}(x_{n}1, y_{n}2) in (r_{n}3) }} neutral ({zero})"
        )
    };
    let p = ir(&format!(
        "fun \"main\"(*a_0: [2][2][2]i64, *b_1: [3]f64, *c_2: [2]f64, *d_3: [2]i64, is_4: [5]i64, js_5: [5]i64, vs_6: [5]f64) -> (p_7: [2][2][2]i64, q_8: [3]f64, r_9: [2]f64, s_10: [2]i64) {{ \
         let (a_11: [2][2][2]i64, b_12: [3]f64, c_13: [2]f64, d_14: [2]i64) = hist 5 (is_4, js_5, vs_6) \
         map \\(i_15: i64, j_16: i64, v_17: f64) -> (i64, i64, i64, i64, i64, i64, f64, f64, i64) {{ in (i_15, j_16, i_15, i_15, j_16, 1i64, v_17, v_17, 1i64) }} \
         dest [2][2][2] (a_11_) {} dest [3] (b_1) {} dest [2] (c_2, d_3) comm \\(x_41: f64, m_42: i64, y_43: f64, n_44: i64) -> (f64, i64) {{ \
         let (z_45: f64) = add.f64(x_41, y_43) let (k_46: i64) = add.i64(m_42, n_44) in (z_45, k_46) }} neutral (0.0f64, 0i64) in (a_11, b_12, c_13, d_14) }}",
        add(2, "i64", "0i64"),
        add(3, "f64", "0.0f64")
    ).replace("a_11_", "a_0"));
    let args = vec![
        ints(&[2, 2, 2], &[0; 8]),
        fs(&[0.5, 0., 0.]),
        fs(&[0., 100.]),
        is(&[10, 20]),
        is(&[0, 1, 2, 1, -1]),
        is(&[1, 1, 0, 5, 0]),
        fs(&[1., 2., 4., 8., 16.]),
    ];
    // (i,j,i): (0,1,0) and (1,1,1) are in range, (2,0,2), (1,5,1), (-1,0,-1) are not
    let expected = [
        ints(&[2, 2, 2], &[0, 0, 1, 0, 0, 0, 0, 1]),
        // by i: 1 to 0, 2+8 to 1, 4 to 2
        fs(&[1.5, 10., 4.]),
        // by j: 4+16 to 0, 1+2 to 1
        fs(&[20., 103.]),
        is(&[12, 22]),
    ];
    assert_eq!(run(&p, &args), expected);
    let ctx = Ctx::default();
    assert_eq!(Code::new(&p).unwrap().call("main", args, &ctx).unwrap(), expected);
    assert_eq!(ctx.counters().copied, 0);
}

#[test]
fn a_histogram_in_a_map() {
    // for each row of values, the sums into two bins from zero: rows of their own
    let f = "\\(vss_1: [2][3]f64, is_2: [3]i64) -> ([2][2]f64) { let (r_3: [2][2]f64) = screma 2 (vss_1) map \\(vs_4: [3]f64) -> ([2]f64) { \
             let (z_5: [2]f64) = replicate [2] 0.0f64 let (h_6: [2]f64) = hist 3 (is_2, vs_4) map \\(i_7: i64, v_8: f64) -> (i64, f64) { let (w_9: f64) = mul.f64(v_8, v_8) in (i_7, w_9) } \
             dest [2] (z_5) comm \\(x_21: f64, y_22: f64) -> (f64) { let (r_23: f64) = add.f64(x_21, y_22) in (r_23) } neutral (0.0f64) in (h_6) } in (r_3) }";
    let args = [floats(&[2, 3], &[1., 2., 3., 4., 5., 6.]), is(&[1, 0, 1])];
    assert_eq!(value(f, &args, 1), [floats(&[2, 2], &[4., 10., 25., 52.])]);
    // 2 v times the bin's seed
    let adjoints = gradient(f, &args, &[floats(&[2, 2], &[1., 10., 100., 1000.])]);
    assert_eq!(adjoints[0], floats(&[2, 3], &[20., 4., 60., 8000., 1000., 12000.]));
}

#[test]
fn strict_mode_reports_reads_of_destinations() {
    let op = simple("add.f64", "0.0f64");
    for node in [
        format!("hist 2 (is_2) map \\(i_7: i64) -> (i64, f64) {{ in (i_7, 1.0f64) }} dest [2] (d_1) {op}"),
        "segop grid (i_7: i64 < 2) dest [2] d_1 -> (i64, f64) { in (i_7, 1.0f64) }".to_string(),
    ] {
        // the checker would not have it
        let text = format!(
            "futi-ir 1 fun \"main\"(*d_1: [2]f64, is_2: [2]i64) -> (r_4: [2]f64, x_5: f64) {{ let (h_6: [2]f64) = {node} let (x_9: f64) = index d_1[0i64] in (h_6, x_9) }}"
        );
        let p: futi_core::ir::Program = text.parse().unwrap();
        let e = crate::eval(&p, "main", &[fs(&[1., 2.]), is(&[0, 1])], &Ctx::strict()).unwrap_err();
        assert_eq!(e.message, "An array is used after it was consumed.", "{node}");
    }
}

#[test]
fn strict_mode_reports_neutral_elements_that_are_none() {
    let f = hist(2, 2, &simple("add.f64", "1.0f64"));
    let p = derivative_program(
        "jvp",
        &f,
        &[fs(&[0., 0.]), is(&[0, 1]), fs(&[3., 4.])],
        &[fs(&[0., 0.]), is(&[0, 0]), fs(&[0., 0.])],
    );
    let args = [fs(&[0., 0.]), is(&[0, 1]), fs(&[3., 4.]), fs(&[0., 0.]), is(&[0, 0]), fs(&[0., 0.])];
    let e = crate::eval(&p, "main", &args, &Ctx::strict()).unwrap_err();
    assert!(e.message.starts_with("A neutral element is not neutral: with 1.0f64"), "{}", e.message);
}

#[test]
fn d10_d11_min_and_seeds_on_the_values_too() {
    // D8 negated: the same positions
    let (dest, at) = ([-1., -7., -9., -5.], [0, 0, 1, 1, 2, 0, -1, 2]);
    let vs = [-3., -3., -7., -7., -4., -2., -99., -9.];
    let min = simple("min.f64", "f64.inf");
    let expected = [fs(&[-3., -7., -9., -5.]), fs(&[0., 10., 100., 1000.]), fs(&[1., 0., 0., 0., 0., 0., 0., 0.])];
    assert_eq!(row(&min, &dest, &at, &vs, &SEED), expected);
    let f =
        hist(4, 8, &min).replace("-> ([4]f64) {", "-> ([4]f64, [8]f64) {").replace("in (h_5) }", "in (h_5, vs_3) }");
    let of_values = fs(&[1., 2., 3., 4., 5., 6., 7., 8.]);
    let adjoints = vjp(&f, &[fs(&dest), is(&at), fs(&vs)], &[fs(&SEED), of_values]);
    assert_eq!(adjoints[2], fs(&[2., 2., 3., 4., 5., 6., 7., 8.]));
    // 001-A20: without ties, by differences
    for op in [min, simple("max.f64", "-f64.inf")] {
        let args = [fs(&[1.5, -2., 3.]), is(&[0, 1, 0, 2, 1]), fs(&[2., 5., -1., 4., -6.])];
        gradient(&hist(3, 5, &op), &args, &[fs(&[1., 2., 3.])]);
    }
}

#[test]
fn derivatives_of_histograms_copy_nothing() {
    const N: usize = 2000;
    let args = [
        floats(&[N], &[1.; N]),
        ints(&[N], &(0..N as i64).map(|i| i * 7 % N as i64).collect::<Vec<_>>()),
        floats(&[N], &[2.; N]),
    ];
    for op in [simple("add.f64", "0.0f64"), simple("mul.f64", "1.0f64")] {
        for (mode, seeds) in [("jvp", args.to_vec()), ("vjp", vec![args[0].clone()])] {
            let p = derivative_program(mode, &hist(N, N, &op), &args, &seeds);
            let ctx = Ctx::default();
            Code::new(&p).unwrap().call("main", [&args[..], &seeds].concat(), &ctx).unwrap();
            // nothing that grows with the number of updates: at most an array or two
            assert!(ctx.counters().copied <= 2 * N as u64, "{mode}: {} copied", ctx.counters().copied);
        }
    }
}

#[test]
fn rows_that_a_map_counts_into_are_its_own() {
    // each row of a dead matrix is the destination of a histogram, a scatter or an update by strides: nothing is copied as something shared
    let add = simple("add.f64", "0.0f64");
    for (node, expected) in [
        (
            format!("hist 2 (is_2) map \\(i_6: i64) -> (i64, f64) {{ in (i_6, 10.0f64) }} dest [3] (d_4) {add}"),
            [1., 12., 13., 4., 15., 16.],
        ),
        (
            "scatter 2 (is_2) map \\(i_6: i64) -> (i64, f64) { in (i_6, 10.0f64) } dest [3] d_4".to_string(),
            [1., 10., 10., 4., 10., 10.],
        ),
        ("updslice d_4[2i64 : 2 : -2i64] = v_3".to_string(), [8., 2., 7., 8., 5., 7.]),
        ("flatupd d_4 at 0i64 [2 : 2i64] = v_3".to_string(), [7., 2., 8., 7., 5., 8.]),
    ] {
        let p = ir(&format!(
            "fun \"main\"(*m_1: [2][3]f64, is_2: [2]i64, v_3: [2]f64) -> (r_10: [2][3]f64) {{ let (k_11: [2][3]f64) = screma 2 (m_1) map \\(d_4: [3]f64) -> ([3]f64) {{ \
             let (h_5: [3]f64) = {node} in (h_5) }} in (k_11) }}"
        ));
        let args = vec![floats(&[2, 3], &[1., 2., 3., 4., 5., 6.]), is(&[1, 2]), fs(&[7., 8.])];
        let ctx = Ctx::default();
        let results = Code::new(&p).unwrap().call("main", args.clone(), &ctx).unwrap();
        assert_eq!(results, [floats(&[2, 3], &expected)], "{node}");
        assert_eq!(ctx.counters().copied, 0, "{node}");
        assert_eq!(run(&p, &args), results);
    }
}

#[test]
fn nests_of_each_kind() {
    // over [2][3]: running products of rows with the points doubled, sums of rows, and rows moved down by one, the first of each nowhere
    let f = "\\(xs_1: [2][3]f64, ys_2: [2][3]f64) -> ([2][3]f64, [2]f64, [2][3]f64, [2][3]f64) { let (d_3: [2][3]f64) = copy ys_2 \
             let (s_4: [2][3]f64, m_7: [2][3]f64) = segop grid (i_8: i64 < 2, j_9: i64 < 3) \
             scan \\(x_21: f64, y_22: f64) -> (f64) { let (r_23: f64) = mul.f64(x_21, y_22) in (r_23) } neutral (1.0f64) \
             -> (f64, f64) { let (x_10: f64) = index xs_1[i_8, j_9] let (z_12: f64) = add.f64(x_10, x_10) in (x_10, z_12) } \
             let (t_5: [2]f64) = segop grid (i_13: i64 < 2, j_14: i64 < 3) \
             reduce \\(x_31: f64, y_32: f64) -> (f64) { let (r_33: f64) = add.f64(x_31, y_32) in (r_33) } neutral (0.0f64) \
             -> (f64) { let (x_15: f64) = index xs_1[i_13, j_14] in (x_15) } \
             let (h_6: [2][3]f64) = segop grid (i_16: i64 < 2, j_17: i64 < 3) dest [2][3] d_3 \
             -> (i64, i64, f64) { let (x_18: f64) = index xs_1[i_16, j_17] let (k_11: i64) = sub.i64(j_17, 1i64) in (i_16, k_11, x_18) } \
             in (s_4, t_5, h_6, m_7) }";
    let args = [floats(&[2, 3], &[1., 2., 3., 4., 5., 6.]), floats(&[2, 3], &[10., 20., 30., 40., 50., 60.])];
    let expected = [
        floats(&[2, 3], &[1., 2., 6., 4., 20., 120.]),
        fs(&[6., 15.]),
        floats(&[2, 3], &[2., 3., 30., 5., 6., 60.]),
        floats(&[2, 3], &[2., 4., 6., 8., 10., 12.]),
    ];
    assert_eq!(value(f, &args, 4), expected);
    let seeds = [
        floats(&[2, 3], &[1., 2., 3., 4., 5., 6.]),
        fs(&[0.5, 0.25]),
        floats(&[2, 3], &[10., 20., 30., 40., 50., 60.]),
        floats(&[2, 3], &[1., 1., 1., 2., 2., 2.]),
    ];
    gradient(f, &args, &seeds);
}
