//! Both modes of differentiation against literals: of the digests' checklists (row names in the comments), or worked out by hand. [`gradient`] also
//! holds `vjp` against `jvp` and against central differences.

use crate::testing::*;
use crate::{Code, Ctx};
use futi_core::ir::{BinOp, Prim, ScalarType, UnOp};
use futi_core::value::{Array, Value};

fn f64_array(xs: &[f64]) -> Value {
    floats(&[xs.len()], xs)
}

/// `op` as an operator in IR text, with its neutral element; variables from `first` on.
fn operator(op: &str, neutral: &str, first: usize) -> String {
    let [x, y, r] = [first, first + 1, first + 2];
    format!(
        "\\(x_{x}: f64, y_{y}: f64) -> (f64) {{ let (r_{r}: f64) = {op}(x_{x}, y_{y}) in (r_{r}) }} neutral ({neutral})"
    )
}

/// `reduce op ne` of n floats.
fn reduce(n: usize, op: &str, neutral: &str) -> String {
    let op = operator(op, neutral, 11);
    format!(
        "\\(xs_1: [{n}]f64) -> (f64) {{ let (y_2: f64) = screma {n} (xs_1) map \\(x_3: f64) -> (f64) {{ in (x_3) }} reduce {op} in (y_2) }}"
    )
}

fn scan(n: usize, op: &str, neutral: &str) -> String {
    let op = operator(op, neutral, 11);
    format!(
        "\\(xs_1: [{n}]f64) -> ([{n}]f64) {{ let (y_2: [{n}]f64) = screma {n} (xs_1) map \\(x_3: f64) -> (f64) {{ in (x_3) }} scan {op} in (y_2) }}"
    )
}

#[test]
fn figure_1_of_002() {
    // 002-A1, A2: f(x0, x1) = (x1 sin x0, x0 x1) at (0.5, 2)
    let f = "\\(x_1: f64, y_2: f64) -> (f64, f64) { let (s_3: f64) = sin.f64(x_1) let (p_4: f64) = mul.f64(y_2, s_3) \
             let (q_5: f64) = mul.f64(x_1, y_2) in (p_4, q_5) }";
    let at = [float(0.5), float(2.)];
    let (a, b) = (1.7551651237807455, 0.479425538604203);
    let rows = [gradient(f, &at, &[float(1.), float(0.)]), gradient(f, &at, &[float(0.), float(1.)])];
    for (got, expected) in rows.concat().iter().zip([a, b, 2., 0.5]) {
        assert_close(got, &float(expected), 1e-15);
    }
}

#[test]
fn a_worked_example_of_003() {
    // f(x1, x2) = x1 + x1 x2 at (5, 3)
    let f = "\\(x_1: f64, y_2: f64) -> (f64) { let (p_3: f64) = mul.f64(x_1, y_2) let (s_4: f64) = add.f64(x_1, p_3) in (s_4) }";
    assert_eq!(gradient(f, &[float(5.), float(3.)], &[float(1.)]), [float(4.), float(5.)]);
}

#[test]
fn uses_add_up() {
    // R1: x*x + x has derivative 2x + 1
    let f = "\\(x_1: f64) -> (f64) { let (q_2: f64) = mul.f64(x_1, x_1) let (s_3: f64) = add.f64(q_2, x_1) in (s_3) }";
    assert_eq!(gradient(f, &[float(3.)], &[float(1.)]), [float(7.)]);
}

#[test]
fn dead_code_and_unused_arguments() {
    // T19, T20: let y = x*x in x + 1, and an argument that nothing uses
    let f = "\\(x_1: f64, z_2: f64, zs_5: [2]f64) -> (f64) { let (y_3: f64) = mul.f64(x_1, x_1) let (s_4: f64) = add.f64(x_1, 1.0f64) in (s_4) }";
    let args = [float(3.), float(4.), f64_array(&[5., 6.])];
    assert_eq!(gradient(f, &args, &[float(1.)]), [float(1.), float(0.), f64_array(&[0., 0.])]);
}

#[test]
fn indices_gather_and_scatter() {
    // R2, T12
    let f = "\\(as_1: [3]f64, is_2: [3]i64) -> ([3]f64) { let (r_3: [3]f64) = screma 3 (is_2) \
             map \\(i_4: i64) -> (f64) { let (a_5: f64) = index as_1[i_4] in (a_5) } in (r_3) }";
    let args = [f64_array(&[1., 2., 3.]), ints(&[3], &[0, 2, 2])];
    assert_eq!(
        gradient(f, &args, &[f64_array(&[1., 10., 100.])]),
        [f64_array(&[1., 0., 110.]), ints(&[3], &[0, 0, 0])]
    );
    // dense and sparse contributions to one array, and rows of rows: xss[0][1] + sum xss[1] + sum (xss[0])
    let op = |n| operator("add.f64", "0.0f64", n);
    let sum = |r: usize, xs: &str| {
        let op = op(10 * r + 1);
        format!("let (s_{r}: f64) = screma 2 ({xs}) map \\(x_{r}9: f64) -> (f64) {{ in (x_{r}9) }} reduce {op}")
    };
    let f = format!(
        "\\(m_1: [2][2]f64) -> (f64, [2][2]f64) {{ let (e_2: f64) = index m_1[0i64, 1i64] let (r_3: [2]f64) = index m_1[1i64] let (q_4: [2]f64) = index m_1[0i64] \
         {} {} let (t_7: f64) = add.f64(e_2, s_5) let (u_8: f64) = add.f64(t_7, s_6) in (u_8, m_1) }}",
        sum(5, "r_3"),
        sum(6, "q_4")
    );
    let seeds = [float(1.), floats(&[2, 2], &[10., 20., 30., 40.])];
    let expected = floats(&[2, 2], &[11., 22., 31., 41.]);
    assert_eq!(gradient(&f, &[floats(&[2, 2], &[1., 2., 3., 4.])], &seeds), [expected]);
}

#[test]
fn branches() {
    // R3: if x < 2 then x*y else y
    let f = "\\(x_1: f64, y_2: f64) -> (f64) { let (c_3: bool) = lt.f64(x_1, 2.0f64) \
             let (r_4: f64) = if c_3 then { let (p_5: f64) = mul.f64(x_1, y_2) in (p_5) } else { in (y_2) } in (r_4) }";
    assert_eq!(gradient(f, &[float(1.), float(5.)], &[float(1.)]), [float(5.), float(1.)]);
    assert_eq!(gradient(f, &[float(3.), float(5.)], &[float(1.)]), [float(0.), float(1.)]);
}

#[test]
fn loops() {
    // R4
    let cube = "\\(x_1: f64, n_2: i64) -> (f64) { let (y_3: f64) = loop (x_4: f64 = x_1) for i_5: i64 < n_2 do { \
                let (q_6: f64) = mul.f64(x_4, x_4) in (q_6) } in (y_3) }";
    assert_eq!(gradient(cube, &[float(2.), int(3)], &[float(1.)]), [float(1024.), int(0)]);
    // R5: no trips
    assert_eq!(gradient(cube, &[float(2.), int(0)], &[float(1.)]), [float(1.), int(0)]);
    // R4, R6: a used in the loop, and before and after it: a + x*a*a*a + a
    let scale = "\\(x_1: f64, a_2: f64) -> (f64) { let (y_3: f64) = loop (x_4: f64 = x_1) for i_5: i64 < 3i64 do { \
                 let (q_6: f64) = mul.f64(x_4, a_2) in (q_6) } let (s_7: f64) = add.f64(a_2, y_3) let (s_8: f64) = add.f64(s_7, a_2) in (s_8) }";
    assert_eq!(gradient(scale, &[float(1.), float(2.)], &[float(1.)]), [float(8.), float(14.)]);
}

#[test]
fn while_loops() {
    // R9, R10: x := x*x while x < 100, from 1.1
    let f = "\\(x_1: f64) -> (f64) { let (c_2: bool) = lt.f64(x_1, 100.0f64) \
             let (c_3: bool, y_4: f64) = loop (c_5: bool = c_2, x_6: f64 = x_1) while c_5 do { \
             let (q_7: f64) = mul.f64(x_6, x_6) let (d_8: bool) = lt.f64(q_7, 100.0f64) in (d_8, q_7) } in (y_4) }";
    let primal = run(&derivative_program("jvp", f, &[float(1.1)], &[float(0.)]), &[float(1.1), float(0.)]);
    assert_close(&primal[0], &float(445.7915), 1e-6);
    assert_close(&vjp(f, &[float(1.1)], &[float(1.)])[0], &float(25936.964), 1e-7);
    assert_close(&jvp(f, &[float(1.1)], &[float(1.)])[0], &float(25936.964), 1e-7);
}

#[test]
fn arrays_updated_in_loops() {
    // R11: prefix products xs[i] = v[i] * xs[i-1], of [2,3,4]: the last has gradient [12, 8, 6], the sum [1+3+12, 2+8, 6]
    let f = "\\(v_1: [3]f64) -> ([3]f64) { let (x_2: [3]f64) = copy v_1 \
             let (y_3: [3]f64) = loop (*xs_4: [3]f64 = x_2) for i_5: i64 < 2i64 do { \
             let (k_6: i64) = add.i64(i_5, 1i64) let (p_7: f64) = index xs_4[i_5] let (e_8: f64) = index v_1[k_6] \
             let (m_9: f64) = mul.f64(p_7, e_8) let (u_10: [3]f64) = update xs_4[k_6] = m_9 in (u_10) } in (y_3) }";
    let v = [f64_array(&[2., 3., 4.])];
    assert_eq!(gradient(f, &v, &[f64_array(&[0., 0., 1.])]), [f64_array(&[12., 8., 6.])]);
    assert_eq!(gradient(f, &v, &[f64_array(&[1., 1., 1.])]), [f64_array(&[16., 10., 6.])]);
}

#[test]
fn what_is_overwritten_has_no_adjoint() {
    // R14: ys = xs with [3] = v0, [0] = v1
    let f = "\\(x_1: [5]f64, v_2: [2]f64) -> ([5]f64) { let (c_3: [5]f64) = copy x_1 let (a_4: f64) = index v_2[0i64] let (b_5: f64) = index v_2[1i64] \
             let (u_6: [5]f64) = update c_3[3i64] = a_4 let (w_7: [5]f64) = update u_6[0i64] = b_5 in (w_7) }";
    let args = [f64_array(&[1., 2., 3., 4., 5.]), f64_array(&[9., 8.])];
    let seeds = [f64_array(&[0.1, 0.2, 0.3, 0.4, 0.5])];
    assert_eq!(gradient(f, &args, &seeds), [f64_array(&[0., 0.2, 0.3, 0., 0.5]), f64_array(&[0.4, 0.1])]);
    // a row, on one branch (R16), used before
    let f = "\\(m_1: [2][2]f64, r_2: [2]f64, c_3: bool) -> ([2][2]f64, f64) { let (k_4: [2][2]f64) = copy m_1 let (e_5: f64) = index m_1[1i64, 0i64] \
             let (y_6: [2][2]f64) = if c_3 then { let (u_7: [2][2]f64) = update k_4[1i64] = r_2 in (u_7) } else { in (k_4) } in (y_6, e_5) }";
    let args = [floats(&[2, 2], &[1., 2., 3., 4.]), f64_array(&[5., 6.]), truth(true)];
    let seeds = [floats(&[2, 2], &[1., 2., 3., 4.]), float(10.)];
    let expected = [floats(&[2, 2], &[1., 2., 10., 0.]), f64_array(&[3., 4.]), truth(false)];
    assert_eq!(gradient(f, &args, &seeds), expected);
}

#[test]
fn reductions() {
    // R18, R19, R20, R22
    let of = |op, ne, xs: &[f64]| vjp(&reduce(xs.len(), op, ne), &[f64_array(xs)], &[float(1.)]).remove(0);
    assert_eq!(of("add.f64", "0.0f64", &[2., 4., 5.]), f64_array(&[1., 1., 1.]));
    assert_eq!(of("mul.f64", "1.0f64", &[2., 0., 3.]), f64_array(&[0., 6., 0.]));
    assert_eq!(of("mul.f64", "1.0f64", &[2., 0., 0.]), f64_array(&[0., 0., 0.]));
    assert_eq!(of("mul.f64", "1.0f64", &[2., 4., 5.]), f64_array(&[20., 10., 8.]));
    assert_eq!(of("min.f64", "f64.inf", &[3., 1., 2., 1.]), f64_array(&[0., 1., 0., 0.]));
    assert_eq!(of("max.f64", "-f64.inf", &[3., 1., 3., 1.]), f64_array(&[1., 0., 0., 0.]));
    assert_eq!(of("mul.f64", "1.0f64", &[]), Value::from(Array::from_vec::<f64>(&[0], vec![])));
    gradient(&reduce(4, "mul.f64", "1.0f64"), &[f64_array(&[2., 0., 3., -1.])], &[float(2.)]);
}

#[test]
fn the_neutral_element_has_an_adjoint() {
    // T14: z + a0 + a1, at z = 0
    let op = operator("add.f64", "z_2", 11);
    let f = format!(
        "\\(xs_1: [2]f64, z_2: f64) -> (f64) {{ let (y_3: f64) = screma 2 (xs_1) map \\(x_4: f64) -> (f64) {{ in (x_4) }} reduce {op} in (y_3) }}"
    );
    let p = derivative_program("vjp", &f, &[f64_array(&[1., 2.]), float(0.)], &[float(3.)]);
    let got = run(&p, &[f64_array(&[1., 2.]), float(0.), float(3.)]);
    assert_eq!(got, [float(3.), f64_array(&[3., 3.]), float(3.)]);
}

#[test]
fn a_reduction_of_matrices_with_a_free_variable() {
    // R17: 2x2 products c*(A B), not commutative; neutral I/c; checked by differences
    let f = "\\(c_0: f64, a_1: [3]f64, b_2: [3]f64, d_3: [3]f64, e_4: [3]f64) -> (f64, f64, f64, f64) { let (n_5: f64) = div.f64(1.0f64, c_0) \
             let (p_6: f64, q_7: f64, r_8: f64, s_9: f64) = screma 3 (a_1, b_2, d_3, e_4) \
             map \\(w_10: f64, x_11: f64, y_12: f64, z_13: f64) -> (f64, f64, f64, f64) { in (w_10, x_11, y_12, z_13) } \
             reduce \\(a_20: f64, b_21: f64, d_22: f64, e_23: f64, f_24: f64, g_25: f64, h_26: f64, i_27: f64) -> (f64, f64, f64, f64) { \
             let (t_30: f64) = mul.f64(a_20, f_24) let (t_31: f64) = mul.f64(b_21, h_26) let (t_32: f64) = add.f64(t_30, t_31) let (t_33: f64) = mul.f64(c_0, t_32) \
             let (t_34: f64) = mul.f64(a_20, g_25) let (t_35: f64) = mul.f64(b_21, i_27) let (t_36: f64) = add.f64(t_34, t_35) let (t_37: f64) = mul.f64(c_0, t_36) \
             let (t_38: f64) = mul.f64(d_22, f_24) let (t_39: f64) = mul.f64(e_23, h_26) let (t_40: f64) = add.f64(t_38, t_39) let (t_41: f64) = mul.f64(c_0, t_40) \
             let (t_42: f64) = mul.f64(d_22, g_25) let (t_43: f64) = mul.f64(e_23, i_27) let (t_44: f64) = add.f64(t_42, t_43) let (t_45: f64) = mul.f64(c_0, t_44) \
             in (t_33, t_37, t_41, t_45) } neutral (n_5, 0.0f64, 0.0f64, n_5) in (p_6, q_7, r_8, s_9) }";
    let column = |x: f64| f64_array(&[x, 0.5 - x, 1.5 * x]);
    let args = [float(2.), column(0.3), column(1.1), column(-0.7), column(0.9)];
    let adjoints = gradient(f, &args, &[float(1.), float(2.), float(-1.), float(0.5)]);
    assert_eq!(adjoints.len(), 5);
}

#[test]
fn scans() {
    // R27, R28
    let of =
        |op, ne, xs: &[f64], seed: &[f64]| gradient(&scan(3, op, ne), &[f64_array(xs)], &[f64_array(seed)]).remove(0);
    assert_eq!(of("mul.f64", "1.0f64", &[2., 3., 4.], &[1., 1., 1.]), f64_array(&[16., 10., 6.]));
    assert_eq!(of("add.f64", "0.0f64", &[2., 3., 4.], &[1., 2., 3.]), f64_array(&[6., 5., 3.]));
}

#[test]
fn a_scan_of_affine_functions() {
    // R29: (d1,c1) then (d2,c2) is (d2 + c2 d1, c2 c1); not commutative
    let f = "\\(d_1: [3]f64, c_2: [3]f64) -> ([3]f64, [3]f64) { let (a_3: [3]f64, b_4: [3]f64) = screma 3 (d_1, c_2) \
             map \\(x_5: f64, y_6: f64) -> (f64, f64) { in (x_5, y_6) } \
             scan \\(p_10: f64, q_11: f64, r_12: f64, s_13: f64) -> (f64, f64) { let (t_14: f64) = mul.f64(s_13, p_10) let (u_15: f64) = add.f64(r_12, t_14) \
             let (v_16: f64) = mul.f64(s_13, q_11) in (u_15, v_16) } neutral (0.0f64, 1.0f64) in (a_3, b_4) }";
    let args = [f64_array(&[1., 2., 3.]), f64_array(&[0.5, -1.5, 2.])];
    let adjoints = gradient(f, &args, &[f64_array(&[1., 10., 100.]), f64_array(&[3., 5., 7.])]);
    // d0 reaches a0, a1 = d1 + c1 d0 and a2 = d2 + c2 a1: 1 + 10*c1 + 100*c2*c1 = 1 - 15 - 300
    assert_eq!(adjoints[0], f64_array(&[-314., 210., 100.]));
}

/// `withacc` of `dest` with updates at `is` by `vs`, and this operator.
fn histogram(n: usize, m: usize, op: &str, neutral: &str) -> String {
    let op = operator(op, neutral, 21);
    format!(
        "\\(dest_1: [{n}]f64, is_2: [{m}]i64, vs_3: [{m}]f64) -> ([{n}]f64) {{ let (d_4: [{n}]f64) = copy dest_1 \
         let (h_5: [{n}]f64) = withacc input [{n}] (d_4) comm {op} do \\(c_6: cert, a_7: acc(c_6, [{n}] (f64))) -> (acc(c_6, [{n}] (f64))) {{ \
         let (b_8: acc(c_6, [{n}] (f64))) = screma {m} (is_2, vs_3, a_7) map \\(i_9: i64, v_10: f64, e_11: acc(c_6, [{n}] (f64))) -> (acc(c_6, [{n}] (f64))) {{ \
         let (f_12: acc(c_6, [{n}] (f64))) = updacc e_11[i_9] (v_10) in (f_12) }} in (b_8) }} in (h_5) }}"
    )
}

#[test]
fn accumulators() {
    // R23, R24, R25 (as accumulators): the adjoints of the values, and of the destination
    let of = |op, ne: &str, dest: &[f64], is: &[i64], vs: &[f64], seed: &[f64]| {
        let args = [f64_array(dest), ints(&[is.len()], is), f64_array(vs)];
        let mut all = vjp(&histogram(dest.len(), is.len(), op, ne), &args, &[f64_array(seed)]);
        (all.pop().unwrap(), all.remove(0))
    };
    let (vs, dest) = of("add.f64", "0.0f64", &[0.; 3], &[0, 1, 0, 2], &[1., 2., 3., 4.], &[10., 20., 30.]);
    assert_eq!((vs, dest), (f64_array(&[10., 20., 10., 30.]), f64_array(&[10., 20., 30.])));
    let (vs, _) = of("mul.f64", "1.0f64", &[1., 1.], &[0, 0, 1], &[2., 3., 4.], &[1., 10.]);
    assert_eq!(vs, f64_array(&[3., 2., 10.]));
    let (vs, _) = of("mul.f64", "1.0f64", &[1., 1.], &[0, 0, 1, 1, 1], &[0., 3., 0., 0., 2.], &[1., 1.]);
    assert_eq!(vs, f64_array(&[3., 0., 0., 0., 0.]));
    // the destination wins ties, then the lowest index
    let (vs, dest) = of("min.f64", "f64.inf", &[5., 1.], &[0, 0, 1, 0], &[2., 7., 1., 2.], &[1., 1.]);
    assert_eq!((vs, dest), (f64_array(&[1., 0., 0., 0.]), f64_array(&[0., 1.])));
    // out of range: ignored, with adjoint zero even where a partial is infinite
    let (vs, _) = of("add.f64", "0.0f64", &[0.], &[1, -1, 0], &[1., 2., 3.], &[f64::INFINITY]);
    assert_eq!(vs, f64_array(&[0., 0., f64::INFINITY]));
    let args = [f64_array(&[1., 2.]), ints(&[3], &[1, 0, 1]), f64_array(&[2., 3., 4.])];
    gradient(&histogram(2, 3, "mul.f64", "1.0f64"), &args, &[f64_array(&[1., 10.])]);
}

#[test]
fn accumulators_in_nests() {
    // R32: under a map, a loop and a branch, of rows, by the operator x + y + xy (R26) on each element
    let acc = "acc(c_6, [2] ([2]f64))";
    let f = format!(
        "\\(dest_1: [2][2]f64, vs_2: [3][2]f64) -> ([2][2]f64) {{ let (d_4: [2][2]f64) = copy dest_1 \
         let (h_5: [2][2]f64) = withacc input [2] (d_4) comm \\(x_20: [2]f64, y_21: [2]f64) -> ([2]f64) {{ \
         let (r_22: [2]f64) = screma 2 (x_20, y_21) map \\(a_23: f64, b_24: f64) -> (f64) {{ let (p_25: f64) = mul.f64(a_23, b_24) \
         let (q_26: f64) = add.f64(a_23, b_24) let (s_27: f64) = add.f64(p_25, q_26) in (s_27) }} in (r_22) }} neutral (z_3) \
         do \\(c_6: cert, a_7: {acc}) -> ({acc}) {{ let (k_30: [3]i64) = iota i64 (3i64, 0i64, 1i64) \
         let (b_8: {acc}) = screma 3 (vs_2, k_30, a_7) map \\(v_10: [2]f64, k_31: i64, e_11: {acc}) -> ({acc}) {{ \
         let (l_12: {acc}) = loop (m_13: {acc} = e_11) for i_14: i64 < 2i64 do {{ let (t_15: bool) = lt.i64(i_14, k_31) \
         let (n_16: {acc}) = if t_15 then {{ let (o_17: {acc}) = updacc m_13[i_14] (v_10) in (o_17) }} else {{ in (m_13) }} in (n_16) }} \
         in (l_12) }} in (b_8) }} in (h_5) }}"
    );
    let f = f.replace("let (d_4", "let (z_3: [2]f64) = replicate [2] 0.0f64 let (d_4");
    let args = [floats(&[2, 2], &[1., 2., 3., 4.]), floats(&[3, 2], &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])];
    let adjoints = gradient(&f, &args, &[floats(&[2, 2], &[1., 10., 100., 1000.])]);
    // dest[0] gets rows 1 and 2, dest[1] row 2: 1 + h = (1 + dest)(1 + v)...
    let expected = floats(&[2, 2], &[1.3 * 1.5, 10. * 1.4 * 1.6, 150., 1600.]);
    assert_close(&adjoints[0], &expected, 1e-12);
    let expected = floats(&[3, 2], &[0., 0., 2. * 1.5, 10. * 3. * 1.6, 2. * 1.3 + 400., 10. * 3. * 1.4 + 5000.]);
    assert_close(&adjoints[1], &expected, 1e-12);
}

#[test]
fn maps_with_free_variables() {
    // R31, T13: map (\b -> a*b) bs
    let f = "\\(a_1: f64, bs_2: [3]f64) -> ([3]f64) { let (r_3: [3]f64) = screma 3 (bs_2) map \\(b_4: f64) -> (f64) { \
             let (p_5: f64) = mul.f64(a_1, b_4) in (p_5) } in (r_3) }";
    let args = [float(5.), f64_array(&[1., 2., 3.])];
    assert_eq!(gradient(f, &args, &[f64_array(&[1., 10., 100.])]), [float(321.), f64_array(&[5., 50., 500.])]);
    // an array both mapped and free: map (\x -> x * xs[0]) xs
    let f = "\\(xs_1: [3]f64) -> ([3]f64) { let (r_3: [3]f64) = screma 3 (xs_1) map \\(b_4: f64) -> (f64) { \
             let (e_6: f64) = index xs_1[0i64] let (p_5: f64) = mul.f64(e_6, b_4) in (p_5) } in (r_3) }";
    assert_eq!(gradient(f, &[f64_array(&[2., 3., 4.])], &[f64_array(&[1., 1., 1.])]), [f64_array(&[11., 2., 2.])]);
}

#[test]
fn array_operations_move_adjoints_back() {
    // replicate, rearrange, reshape, reverse, concat, literals: each element of the result has its own seed
    let f = "\\(m_1: [2][3]f64, x_2: f64) -> ([11]f64, [2][2][3]f64) { let (t_3: [3][2]f64) = rearrange (1, 0) m_1 let (f_4: [6]f64) = reshape [6] t_3 \
             let (r_5: [6]f64) = reverse f_4 let (l_6: [2]f64) = array [x_2, 7.0f64] of f64 let (w_7: [3]f64) = index m_1[0i64] \
             let (c_8: [11]f64) = concat 11 (r_5, l_6, w_7) let (p_9: [2][2][3]f64) = replicate [2] m_1 in (c_8, p_9) }";
    let args = [floats(&[2, 3], &[1., 2., 3., 4., 5., 6.]), float(0.5)];
    let seeds = [f64_array(&[1., 2., 3., 4., 5., 6., 7., 8., 100., 200., 300.]), floats(&[2, 2, 3], &[1000.; 12])];
    // m[i][j] is element 5 - (2j + i) of the reversed transpose, with seed 6 - 2j - i
    let m = floats(&[2, 3], &[2106., 2204., 2302., 2005., 2003., 2001.]);
    assert_eq!(gradient(f, &args, &seeds), [m, float(7.)]);
}

#[test]
fn segmented_nests_are_differentiated() {
    let op = operator("add.f64", "0.0f64", 21);
    let f = format!(
        "\\(m_1: [2][3]f64) -> ([2]f64, [2][3]f64) {{ let (s_2: [2]f64, q_3: [2][3]f64) = segop grid (i_4: i64 < 2, j_5: i64 < 3) reduce comm {op} -> (f64, f64) {{ \
         let (x_6: f64) = index m_1[i_4, j_5] let (y_7: f64) = mul.f64(x_6, x_6) in (y_7, y_7) }} in (s_2, q_3) }}"
    );
    let args = [floats(&[2, 3], &[1., 2., 3., 4., 5., 6.])];
    let seeds = [f64_array(&[1., 10.]), floats(&[2, 3], &[0., 0., 0., 0., 0., 100.])];
    assert_eq!(gradient(&f, &args, &seeds), [floats(&[2, 3], &[2., 4., 6., 80., 100., 1320.])]);
}

#[test]
fn integers_and_booleans() {
    // futhark-compat.md §2.2
    let square = "\\(x_1: i64) -> (i64) { let (q_2: i64) = mul.i64(x_1, x_1) in (q_2) }";
    assert_eq!(jvp(square, &[int(5)], &[int(1)]), [int(10)]);
    assert_eq!(vjp(square, &[int(5)], &[int(3)]), [int(30)]);
    let convert = "\\(x_1: i64) -> (f64) { let (y_2: f64) = conv.i64.f64(x_1) in (y_2) }";
    assert_eq!(jvp(convert, &[int(5)], &[int(2)]), [float(2.)]);
    assert_eq!(vjp(convert, &[int(5)], &[float(2.)]), [int(2)]);
    let not = "\\(x_1: bool) -> (bool) { let (y_2: bool) = not.bool(x_1) in (y_2) }";
    assert_eq!(vjp(not, &[truth(true)], &[truth(true)]), [truth(true)]);
    let less = "\\(x_1: f64) -> (bool) { let (y_2: bool) = lt.f64(x_1, 3.0f64) in (y_2) }";
    assert_eq!(jvp(less, &[float(1.)], &[float(1.)]), [truth(false)]);
    assert_eq!(vjp(less, &[float(1.)], &[truth(true)]), [float(0.)]);
    // and an iota: start + i*step
    let iota = "\\(x_1: i64, s_2: i64) -> ([3]i64) { let (r_3: [3]i64) = iota i64 (3i64, x_1, s_2) in (r_3) }";
    assert_eq!(jvp(iota, &[int(5), int(7)], &[int(10), int(1)]), [ints(&[3], &[10, 11, 12])]);
    assert_eq!(vjp(iota, &[int(5), int(7)], &[ints(&[3], &[1, 10, 100])]), [int(111), int(210)]);
}

#[test]
fn nothing_times_a_singular_partial_is_nothing() {
    // loop s = 0 for i < 2 do sqrt s + a*a: s2 = sqrt(a*a) + a*a = a + a*a at a = 3
    let f = "\\(a_1: f64) -> (f64) { let (y_2: f64) = loop (s_3: f64 = 0.0f64) for i_4: i64 < 2i64 do { \
             let (r_5: f64) = sqrt.f64(s_3) let (q_6: f64) = mul.f64(a_1, a_1) let (t_7: f64) = add.f64(r_5, q_6) in (t_7) } in (y_2) }";
    assert_eq!(gradient(f, &[float(3.)], &[float(1.)]), [float(7.)]);
}

#[test]
fn perturbations_are_not_confused() {
    // A7: jvp (\x -> x * jvp (\y -> x+y) 1 1) 1 1
    let f = "\\(x_1: f64) -> (f64) { let (p_2: f64, d_3: f64) = jvp \\(y_4: f64) -> (f64) { let (s_5: f64) = add.f64(x_1, y_4) in (s_5) } \
             at (1.0f64) with (1.0f64) let (r_6: f64) = mul.f64(x_1, d_3) in (r_6) }";
    assert_eq!(jvp(f, &[float(1.)], &[float(1.)]), [float(1.)]);
    let g = f.replace("jvp", "vjp");
    assert_eq!(vjp(&g, &[float(1.)], &[float(1.)]), [float(1.)]);
    // d/dx (x * d/dy (x*y*y)) = d/dx (x * 2xy) = 4xy, at x = 3, y = 5
    let h = "\\(x_1: f64) -> (f64) { let (p_2: f64, d_3: f64) = MODE \\(y_4: f64) -> (f64) { let (s_5: f64) = mul.f64(x_1, y_4) let (s_7: f64) = mul.f64(s_5, y_4) \
             in (s_7) } at (5.0f64) with (1.0f64) let (r_6: f64) = mul.f64(x_1, d_3) in (r_6) }";
    for mode in ["jvp", "vjp"] {
        assert_eq!(gradient(&h.replace("MODE", mode), &[float(3.)], &[float(1.)]), [float(60.)]);
    }
}

#[test]
fn what_an_inner_derivative_writes_to_an_array_of_an_outer_one() {
    // d/dx d/dy y²x = 2y, at y = 5: y is written to an array of x
    let f = "\\(x_1: f64) -> (f64) { let (p_2: f64, d_3: f64) = MODE \\(y_4: f64) -> (f64) { let (a_5: [2]f64) = replicate [2] x_1 \
             let (u_6: [2]f64) = update a_5[0i64] = y_4 let (e_7: f64) = index u_6[0i64] let (g_8: f64) = index u_6[1i64] \
             let (m_9: f64) = mul.f64(e_7, g_8) let (n_10: f64) = mul.f64(m_9, e_7) in (n_10) } at (5.0f64) with (1.0f64) in (d_3) }";
    for mode in ["jvp", "vjp"] {
        assert_eq!(gradient(&f.replace("MODE", mode), &[float(3.)], &[float(1.)]), [float(10.)]);
    }
}

#[test]
fn derivatives_nest_in_all_four_ways_and_deeper() {
    // A6: the derivatives of x^4: 4x^3, 12x^2, 24x, at 2: 32, 48, 48
    fn nest(modes: &[&str]) -> String {
        let mut f =
            "\\(x_1: f64) -> (f64) { let (a_2: f64) = mul.f64(x_1, x_1) let (b_3: f64) = mul.f64(a_2, a_2) in (b_3) }"
                .to_string();
        for (i, mode) in modes.iter().enumerate() {
            let n = 10 * (i + 1);
            let [x, p, d] = [n, n + 1, n + 2];
            f = format!(
                "\\(x_{x}: f64) -> (f64) {{ let (p_{p}: f64, d_{d}: f64) = {mode} {f} at (x_{x}) with (1.0f64) in (d_{d}) }}"
            );
        }
        f
    }
    for inner in ["jvp", "vjp"] {
        assert_eq!(gradient(&nest(&[inner]), &[float(2.)], &[float(1.)]), [float(48.)]);
        for middle in ["jvp", "vjp"] {
            assert_eq!(gradient(&nest(&[inner, middle]), &[float(2.)], &[float(1.)]), [float(48.)]);
            for outer in ["jvp", "vjp"] {
                assert_eq!(vjp(&nest(&[inner, middle, outer]), &[float(2.)], &[float(1.)]), [float(24.)]);
            }
        }
    }
}

#[test]
fn hessians_of_array_code() {
    // sum_i xs[i] * xs[is[i]] in a loop that updates an array: H v by each nest of modes; is = [1, 1, 0], so f = x0 x1 + x1 x1 + x2 x0
    let inner = "\\(xs_1: [3]f64) -> (f64) { let (z_2: [3]f64) = copy xs_1 let (y_3: [3]f64) = loop (*a_4: [3]f64 = z_2) for i_5: i64 < 3i64 do { \
                 let (k_6: i64) = index is_900[i_5] let (e_7: f64) = index a_4[i_5] let (h_8: f64) = index xs_1[k_6] let (m_9: f64) = mul.f64(e_7, h_8) \
                 let (u_10: [3]f64) = update a_4[i_5] = m_9 in (u_10) } let (s_11: f64) = screma 3 (y_3) map \\(x_12: f64) -> (f64) { in (x_12) } \
                 reduce OP in (s_11) }"
        .replace("OP", &operator("add.f64", "0.0f64", 21));
    // grad f . v, as a function of xs
    let by_vjp = format!(
        "\\(is_900: [3]i64, ys_30: [3]f64, v_31: [3]f64) -> ([3]f64) {{ let (p_32: f64, g_33: [3]f64) = vjp {inner} at (ys_30) with (1.0f64) in (g_33) }}"
    );
    let by_jvp = format!(
        "\\(is_900: [3]i64, ys_30: [3]f64, v_31: [3]f64) -> (f64) {{ let (p_32: f64, d_33: f64) = jvp {inner} at (ys_30) with (v_31) in (d_33) }}"
    );
    let is = ints(&[3], &[1, 1, 0]);
    let args = [is.clone(), f64_array(&[2., 3., 5.]), f64_array(&[1., 10., 100.])];
    // H = [[0,1,1],[1,2,0],[1,0,0]]; H v = [110, 21, 1]; gradient = [x1 + x2, x0 + 2 x1, x0] = [8, 8, 2]
    let hv = f64_array(&[110., 21., 1.]);
    let seeds = [is.clone(), args[1].clone(), args[2].clone()];
    let zero = [ints(&[3], &[0; 3]), args[2].clone(), f64_array(&[0.; 3])];
    assert_eq!(jvp(&by_vjp, &args, &zero)[0], hv);
    assert_eq!(gradient(&by_vjp, &args, &seeds[2..])[1], hv);
    let adjoints = gradient(&by_jvp, &args, &[float(1.)]);
    assert_eq!(adjoints[1..], [hv, f64_array(&[8., 8., 2.])]);
}

#[test]
fn derivatives_with_respect_to_a_seed() {
    // vjp (\t -> jvp sqrt 4 t) 0 1 = 1/(2 sqrt 4)
    let f = "\\(t_1: f64) -> (f64) { let (p_2: f64, d_3: f64) = jvp \\(x_4: f64) -> (f64) { let (r_5: f64) = sqrt.f64(x_4) in (r_5) } at (4.0f64) with (t_1) in (d_3) }";
    assert_eq!(gradient(f, &[float(0.)], &[float(1.)]), [float(0.25)]);
    assert_eq!(gradient(&f.replace("jvp", "vjp"), &[float(0.)], &[float(1.)]), [float(0.25)]);
}

#[test]
fn seed_shapes() {
    // f(x, ys) = x * ys, in two directions, none, and 1 x 2
    let map = "\\(x_1: f64, ys_2: [2]f64) -> ([2]f64) { let (r_3: [2]f64) = screma 2 (ys_2) map \\(y_4: f64) -> (f64) { let (p_5: f64) = mul.f64(x_1, y_4) in (p_5) } in (r_3) }";
    let p = |shape: &str, n: &str| {
        ir(&format!(
            "fun \"main\"(a_80: f64, b_81: [2]f64, s_82: {n}f64, t_83: {n}[2]f64, u_84: {n}[2]f64) -> (r_94: [2]f64, r_90: {n}[2]f64, r_95: [2]f64, r_91: {n}f64, r_92: {n}[2]f64) {{ \
             let (p_85: [2]f64, d_86: {n}[2]f64) = jvp {shape} {map} at (a_80, b_81) with (s_82, t_83) \
             let (q_87: [2]f64, e_88: {n}f64, f_89: {n}[2]f64) = vjp {shape} {} at (a_80, b_81) with (u_84) in (p_85, d_86, q_87, e_88, f_89) }}",
            map.replace("_1", "_101")
                .replace("_2", "_102")
                .replace("_3", "_103")
                .replace("_4", "_104")
                .replace("_5", "_105")
        ))
    };
    let (x, ys) = (float(3.), f64_array(&[5., 7.]));
    let directions = |n: &[usize], count: usize| {
        let one: Vec<f64> = [1., 10.][..count].to_vec();
        let rows: Vec<f64> = [1., 0., 0., 2.][..2 * count].to_vec();
        let shape = [n, &[2]].concat();
        vec![x.clone(), ys.clone(), floats(n, &one), floats(&shape, &rows), floats(&shape, &rows)]
    };
    // tangents: s*ys + x*t; adjoints: u . ys, and x*u
    let y = f64_array(&[15., 21.]);
    let (tangents, of_x, of_ys) = ([8., 7., 50., 76.], [5., 14.], [3., 0., 0., 6.]);
    let expected = |n: &[usize]| {
        let shape = [n, &[2]].concat();
        [y.clone(), floats(&shape, &tangents), y.clone(), floats(n, &of_x), floats(&shape, &of_ys)]
    };
    assert_eq!(run(&p("[2]", "[2]"), &directions(&[2], 2)), expected(&[2]));
    assert_eq!(run(&p("[1][2]", "[1][2]"), &directions(&[1, 2], 2)), expected(&[1, 2]));
    let none = run(&p("[0]", "[0]"), &directions(&[0], 0));
    assert_eq!(none, [y.clone(), floats(&[0, 2], &[]), y, floats(&[0], &[]), floats(&[0, 2], &[])]);
}

#[test]
fn an_element_needs_the_derivative_of_its_own_computation_only() {
    // R21, in the form that a trace can see: (map (\x -> x*x) xs)[1] reverses one of the n multiplications
    let f = "\\(xs_1: [100]f64) -> (f64) { let (ys_2: [100]f64) = screma 100 (xs_1) map \\(x_3: f64) -> (f64) { let (q_4: f64) = mul.f64(x_3, x_3) in (q_4) } \
             let (y_5: f64) = index ys_2[1i64] in (y_5) }";
    let args = [f64_array(&[3.; 100]), float(1.)];
    let p = derivative_program("vjp", f, &args[..1], &args[1..]);
    let ctx = Ctx::default();
    let results = crate::eval(&p, "main", &args, &ctx).unwrap();
    let mut expected = [0.; 100];
    expected[1] = 6.;
    assert_eq!(results[1], f64_array(&expected));
    assert_eq!([BinOp::Mul, BinOp::Zmul].map(|op| ctx.counters().prim(Prim::Bin(op, ScalarType::F64))), [100, 2]);
}

#[test]
fn traces_keep_what_partials_read() {
    // c*x keeps c; x+c nothing; exp x its result; x*y both
    let f = "\\(x_1: f64, y_2: f64) -> (f64) { let (a_3: f64) = mul.f64(2.0f64, x_1) let (b_4: f64) = add.f64(a_3, 3.0f64) let (c_5: f64) = exp.f64(b_4) \
             let (d_6: f64) = mul.f64(c_5, y_2) in (d_6) }";
    let args = [float(1.), float(2.), float(1.)];
    let ctx = Ctx::default();
    crate::eval(&derivative_program("vjp", f, &args[..2], &args[2..]), "main", &args, &ctx).unwrap();
    assert_eq!((ctx.counters().trace_nodes, ctx.counters().trace_kept), (4, 4));
    assert_eq!(ctx.counters().prim(Prim::Un(UnOp::Exp, ScalarType::F64)), 1);
}

#[test]
fn long_traces_strain_no_stack() {
    // 10^6 times x := x + a*x/n, about e^a; the derivative with respect to a is about e^a too
    let f = "\\(a_1: f64) -> (f64) { let (h_2: f64) = mul.f64(a_1, 1.0e-6f64) let (y_3: f64) = loop (x_4: f64 = 1.0f64) for i_5: i64 < 1000000i64 do { \
             let (p_6: f64) = mul.f64(h_2, x_4) let (s_7: f64) = add.f64(x_4, p_6) in (s_7) } in (y_3) }";
    let args = [float(1.), float(1.)];
    let p = derivative_program("vjp", f, &args[..1], &args[1..]);
    let results = crate::eval(&p, "main", &args, &Ctx::default()).unwrap();
    // (1 + a h)^n with derivative n h (1 + a h)^(n-1)
    let base: f64 = 1.0 + 1e-6;
    assert_close(&results[0], &float(base.powi(1_000_000)), 1e-9);
    assert_close(&results[1], &float(base.powi(999_999)), 1e-9);
}

#[test]
fn derivatives_update_in_place_too() {
    // 10^5 updates of an array of 10^5: under jvp, under vjp, and in their reverse pass
    const N: usize = 100_000;
    for mode in ["jvp", "vjp"] {
        let program = program(&[("a", f64s(&[N as i64])), ("s", f64s(&[N as i64]))], |b, v| {
            use futi_core::ir::{Ad, Exp};
            let lambda =
                b.lambda(&[("x", f64s(&[N as i64]))], |b, p| vars(&[crate::eval::tests::fill(b, N as i64, p[0])]));
            let ad = Ad { lambda, args: vars(&v[..1]), seeds: vars(&v[1..]), seed_shape: vec![] };
            let d = b.let_many("d", if mode == "jvp" { Exp::Jvp(ad) } else { Exp::Vjp(ad) });
            vars(&d)
        });
        let ctx = Ctx::default();
        let args = vec![floats(&[N], &[1.; N]), floats(&[N], &[3.; N])];
        let results = Code::new(&program).unwrap().call("main", args, &ctx).unwrap();
        assert_eq!(results, [floats(&[N], &[2.; N]), floats(&[N], &[3.; N])], "{mode}");
        assert_eq!(ctx.counters().copied, 0, "{mode}");
    }
}

#[test]
fn a_function_called_under_both_modes() {
    // power x n = if n < 1 then 1 else x * power x (n-1), differentiated at x = 2, n = 5: 5 * 16
    let p = ir(
        "fun \"power\"(x_1: f64, n_2: i64) -> (r_3: f64) { let (c_4: bool) = lt.i64(n_2, 1i64) let (y_5: f64) = if c_4 then { in (1.0f64) } else { \
                let (m_6: i64) = sub.i64(n_2, 1i64) let (z_7: f64) = call \"power\"(x_1, m_6) let (w_8: f64) = mul.f64(x_1, z_7) in (w_8) } in (y_5) } \
                fun \"main\"(x_11: f64, n_12: i64) -> (r_13: f64, s_14: f64) { \
                let (a_15: f64, b_16: f64) = jvp \\(x_17: f64) -> (f64) { let (y_18: f64) = call \"power\"(x_17, n_12) in (y_18) } at (x_11) with (1.0f64) \
                let (c_19: f64, d_20: f64) = vjp \\(x_21: f64) -> (f64) { let (y_22: f64) = call \"power\"(x_21, n_12) in (y_22) } at (x_11) with (1.0f64) \
                in (b_16, d_20) }",
    );
    assert_eq!(run(&p, &[float(2.), int(5)]), [float(80.), float(80.)]);
}

#[test]
fn a_neutral_element_whose_tangent_is_not_neutral_is_reported() {
    // 000-E21: reduce (+) z at z = 0 with tangent 1 is not neutral for the lifted operator
    let op = operator("add.f64", "z_2", 11);
    let f = format!(
        "\\(xs_1: [2]f64, z_2: f64) -> (f64) {{ let (y_3: f64) = screma 2 (xs_1) map \\(x_4: f64) -> (f64) {{ in (x_4) }} reduce {op} in (y_3) }}"
    );
    let args = [f64_array(&[1., 2.]), float(0.), f64_array(&[0., 0.]), float(1.)];
    let p = derivative_program("jvp", &f, &args[..2], &args[2..]);
    assert_eq!(crate::eval(&p, "main", &args, &Ctx::default()).unwrap(), [float(3.), float(1.)]);
    let e = crate::eval(&p, "main", &args, &Ctx::strict()).unwrap_err();
    assert_eq!(e.kind, futi_core::failure::FailureKind::Strict);
    assert_eq!(
        e.message,
        "A neutral element is not neutral: with 0.0f64 (tangent 1.0f64) the operator makes 1.0f64 (tangent 1.0f64) of 1.0f64 (tangent 0.0f64)."
    );
}

#[test]
fn parts_of_one_element_reach_rows_of_one_element() {
    // Rows of shape [1]: x_1² x_2² of rows [x²] has the gradient (0, 2 x_1 x_2², 2 x_1² x_2).
    let f = "\\(xs_1: [3]f64) -> (f64) { let (a_3: [3][1]f64) = screma 3 (xs_1) map \\(x_4: f64) -> ([1]f64) { \
             let (q_5: f64) = mul.f64(x_4, x_4) let (l_6: [1]f64) = array [q_5] of f64 in (l_6) } \
             let (y_7: f64) = index a_3[1i64, 0i64] let (z_8: f64) = index a_3[2i64, 0i64] let (p_9: f64) = mul.f64(y_7, z_8) in (p_9) }";
    assert_eq!(gradient(f, &[f64_array(&[1., 2., 3.])], &[float(1.)]), [f64_array(&[0., 36., 24.])]);
    // A slice of one scalar: that of x_0 x_1 has the gradient (x_1, x_0, 0). What arrives at the scalar is one.
    let f = "\\(xs_1: [3]f64) -> ([1]f64, f64) { let (x_3: f64) = index xs_1[0i64] let (y_4: f64) = index xs_1[1i64] \
             let (q_5: f64) = mul.f64(x_3, y_4) let (l_6: [2]f64) = array [q_5, x_3] of f64 \
             let (s_7: [1]f64) = slice l_6[0i64 : 1 : 1i64] in (s_7, q_5) }";
    let seeds = [f64_array(&[1.]), float(10.)];
    assert_eq!(gradient(f, &[f64_array(&[2., 5., 7.])], &seeds), [f64_array(&[55., 22., 0.])]);
}

#[test]
fn an_adjoint_that_all_rows_share_is_one_for_each() {
    // d/dx of the adjoint of max(x, c) + x² …: an inner derivative whose switch depends on no row, seen by an outer one. Each of the two rows of
    // c^x has d/dx c^x = c^x log c for c > 0 and 0 for c ≤ 0; of both orders.
    let f = "\\(xs_1: [2]f64, c_2: f64) -> ([2]f64) { let (r_3: [2]f64) = screma 2 (xs_1) map \\(x_4: f64) -> (f64) { \
             let (p_5: f64) = pow.f64(c_2, x_4) let (s_6: f64) = add.f64(p_5, x_4) in (s_6) } in (r_3) }";
    let twice = format!(
        "\\(xs_11: [2]f64, c_12: f64, t_13: [2]f64) -> ([2]f64) {{ let (y_14: [2]f64, d_15: [2]f64, e_16: f64) = vjp {f} at (xs_11, c_12) with (t_13) in (d_15) }}"
    );
    let seed = f64_array(&[3., 5.]);
    for c in [0., 1.] {
        // log 1 = 0: the first derivative is that of x in both cases, the second 0
        let args = [f64_array(&[1., 2.]), float(c), seed.clone()];
        let adjoints = vjp(&twice, &args, &[f64_array(&[1., 1.])]);
        assert_eq!(adjoints[0], f64_array(&[0., 0.]), "{c}");
        assert_eq!(adjoints[2], f64_array(&[1., 1.]), "{c}");
    }
}

#[test]
fn a_switch_of_all_rows_sends_nothing_to_what_it_leaves_out() {
    // if x > 0 then x log x else 0, at 0: log 0 = -inf must not meet an adjoint of zero. At 1 the derivative is log x + 1 = 1.
    let f = "\\(xs_1: [2]f64) -> ([2]f64) { let (r_3: [2]f64) = screma 2 (xs_1) map \\(x_4: f64) -> (f64) { \
             let (l_5: f64) = log.f64(x_4) let (m_6: f64) = mul.f64(x_4, l_5) let (c_7: bool) = lt.f64(0.0f64, x_4) \
             let (s_8: f64) = select.f64(c_7, m_6, 0.0f64) in (s_8) } in (r_3) }";
    assert_eq!(vjp(f, &[f64_array(&[0., 1.])], &[f64_array(&[1., 1.])]), [f64_array(&[0., 1.])]);
    assert_eq!(jvp(f, &[f64_array(&[0., 1.])], &[f64_array(&[1., 1.])]), [f64_array(&[0., 1.])]);
}

#[test]
fn a_part_of_many_dimensions_reaches_an_array_of_one() {
    // through a reshape: the seed of the second half of xs² as a matrix
    let f = "\\(xs_1: [8]f64) -> ([2][2]f64) { let (b_3: [8]f64) = screma 8 (xs_1) map \\(x_4: f64) -> (f64) { \
             let (q_5: f64) = mul.f64(x_4, x_4) in (q_5) } let (m_6: [2][2][2]f64) = reshape [2][2][2] b_3 \
             let (s_7: [2][2]f64) = index m_6[1i64] in (s_7) }";
    let twice = format!(
        "\\(xs_11: [8]f64, t_13: [2][2]f64) -> ([8]f64) {{ let (y_14: [2][2]f64, d_15: [8]f64) = vjp {f} at (xs_11) with (t_13) in (d_15) }}"
    );
    let args = [f64_array(&[1., 2., 3., 4., 5., 6., 7., 8.]), floats(&[2, 2], &[1., 10., 100., 1000.])];
    // d/dx of 2 x t is 2 t, d/dt is 2 x
    let adjoints = vjp(&twice, &args, &[f64_array(&[1.; 8])]);
    assert_eq!(adjoints, [f64_array(&[0., 0., 0., 0., 2., 20., 200., 2000.]), floats(&[2, 2], &[10., 12., 14., 16.])]);
}

#[test]
fn the_way_back_is_bounded_and_interrupted() {
    // 1000 trips of one step, whose trace has 1000 nodes: fuel for the way forward alone does not do.
    let f = "\\(x_1: f64) -> (f64) { let (y_2: f64) = loop (z_3: f64 = x_1) for i_4: i64 < 1000i64 do { \
             let (s_5: f64) = sin.f64(z_3) in (s_5) } in (y_2) }";
    let p = derivative_program("vjp", f, &[float(1.)], &[float(1.)]);
    let forward = derivative_program("jvp", f, &[float(1.)], &[float(1.)]);
    let args = [float(1.), float(1.)];
    let count = Ctx::default();
    crate::eval(&forward, "main", &args, &count).unwrap();
    let steps = count.counters().statements + count.counters().bodies;
    let run = |fuel, threads| crate::eval(&p, "main", &args, &Ctx { fuel: Some(fuel), threads, ..Ctx::default() });
    for threads in [1, 3] {
        let e = run(steps + 500, threads).unwrap_err();
        assert_eq!(e.kind, futi_core::failure::FailureKind::Fuel);
        assert!(run(steps + 1500, threads).is_ok());
    }
}
