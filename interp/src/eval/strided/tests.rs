use crate::testing::*;
use crate::{Code, Ctx, NodeKind};
use futi_core::value::Value;

fn fs(xs: &[f64]) -> Value {
    floats(&[xs.len()], xs)
}

/// `[3][4]`, with 10 i + j at [i, j].
fn table() -> Value {
    let xs: Vec<f64> = (0..3).flat_map(|i| (0..4).map(move |j| (10 * i + j) as f64)).collect();
    floats(&[3, 4], &xs)
}

#[test]
fn slices() {
    let p = ir(
        "fun \"main\"(xs_1: [3][4]f64) -> (a_2: [2][2]f64, b_3: [2]f64, c_4: [2][4]f64, d_5: [0][4]f64, e_6: [3]f64, f_7: f64, g_8: [3][0]f64) { \
         let (a_12: [2][2]f64) = slice xs_1[2i64 : 2 : -2i64, 1i64 : 2 : 2i64] let (b_13: [2]f64) = slice xs_1[1i64, 3i64 : 2 : -1i64] \
         let (c_14: [2][4]f64) = slice xs_1[1i64 : 2 : 1i64] let (d_15: [0][4]f64) = slice xs_1[3i64 : 0 : 1i64] \
         let (e_16: [3]f64) = slice xs_1[0i64 : 3 : 1i64, 2i64] let (f_17: f64) = slice xs_1[2i64, 3i64] \
         let (g_18: [3][0]f64) = slice xs_1[0i64 : 3 : 1i64, 4i64 : 0 : -1i64] in (a_12, b_13, c_14, d_15, e_16, f_17, g_18) }",
    );
    let expected = [
        // rows 2 and 0, columns 1 and 3
        floats(&[2, 2], &[21., 23., 1., 3.]),
        fs(&[13., 12.]),
        floats(&[2, 4], &[10., 11., 12., 13., 20., 21., 22., 23.]),
        floats(&[0, 4], &[]),
        fs(&[2., 12., 22.]),
        float(23.),
        floats(&[3, 0], &[]),
    ];
    assert_eq!(run(&p, &[table()]), expected);
}

#[test]
fn slices_are_differentiated() {
    let f = "\\(xs_1: [3][4]f64) -> ([2][2]f64, [2][4]f64, f64) { let (a_2: [2][2]f64) = slice xs_1[2i64 : 2 : -2i64, 1i64 : 2 : 2i64] \
             let (c_3: [2][4]f64) = slice xs_1[1i64 : 2 : 1i64] let (e_4: f64) = slice xs_1[2i64, 1i64] in (a_2, c_3, e_4) }";
    let seeds =
        [floats(&[2, 2], &[1., 2., 3., 4.]), floats(&[2, 4], &[10., 20., 30., 40., 50., 60., 70., 80.]), float(100.)];
    let adjoints = gradient(f, &[table()], &seeds);
    // [2,1] gets 1 + 60 + 100
    assert_eq!(adjoints, [floats(&[3, 4], &[0., 3., 0., 4., 10., 20., 30., 40., 50., 161., 70., 82.])]);
    // few elements of a large array: parts of its adjoint
    let f = "\\(xs_1: [100]f64) -> ([2]f64, [2]f64) { let (a_2: [2]f64) = slice xs_1[90i64 : 2 : -45i64] let (b_3: [2]f64) = slice xs_1[45i64 : 2 : 5i64] in (a_2, b_3) }";
    let xs: Vec<f64> = (0..100).map(f64::from).collect();
    let mut expected = vec![0.; 100];
    (expected[90], expected[45], expected[50]) = (1., 2. + 10., 20.);
    assert_eq!(gradient(f, &[fs(&xs)], &[fs(&[1., 2.]), fs(&[10., 20.])]), [fs(&expected)]);
}

#[test]
fn slices_are_replaced() {
    let f = "\\(xs_1: [3][4]f64, v_2: [2][2]f64, w_3: [4]f64) -> ([3][4]f64) { let (c_4: [3][4]f64) = copy xs_1 \
             let (u_5: [3][4]f64) = updslice c_4[2i64 : 2 : -2i64, 1i64 : 2 : 2i64] = v_2 \
             let (t_6: [3][4]f64) = updslice u_5[1i64, 0i64 : 4 : 1i64] = w_3 in (t_6) }";
    let args = [table(), floats(&[2, 2], &[100., 200., 300., 400.]), fs(&[5., 6., 7., 8.])];
    let seed = [floats(&[3, 4], &[1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.])];
    let primal = run(&derivative_program("vjp", f, &args, &seed), &[&args[..], &seed].concat()).remove(0);
    assert_eq!(primal, floats(&[3, 4], &[0., 300., 2., 400., 5., 6., 7., 8., 20., 100., 22., 200.]));
    let expected = [
        floats(&[3, 4], &[1., 0., 3., 0., 0., 0., 0., 0., 9., 0., 11., 0.]),
        floats(&[2, 2], &[10., 12., 2., 4.]),
        fs(&[5., 6., 7., 8.]),
    ];
    assert_eq!(gradient(f, &args, &seed), expected);
}

#[test]
fn updates_of_slices_copy_nothing() {
    let p = ir(
        "fun \"main\"(*xs_1: [6]f64, v_2: [3]f64, w_3: [2]f64) -> (r_4: [6]f64) { let (a_5: [6]f64) = updslice xs_1[4i64 : 3 : -2i64] = v_2 \
         let (b_6: [6]f64) = flatupd a_5 at 1i64 [2 : 4i64] = w_3 in (b_6) }",
    );
    let ctx = Ctx::default();
    let args = vec![fs(&[0.; 6]), fs(&[1., 2., 3.]), fs(&[7., 8.])];
    assert_eq!(run(&p, &args), [fs(&[3., 7., 2., 0., 1., 8.])]);
    assert_eq!(Code::new(&p).unwrap().call("main", args, &ctx).unwrap(), [fs(&[3., 7., 2., 0., 1., 8.])]);
    assert_eq!((ctx.counters().copied, ctx.counters().node(NodeKind::UpdateSlice)), (0, 1));
}

/// Windows of 3 of 5 elements: [i, j] is element i + j.
const WINDOWS: &str = "flatindex xs_1 at 0i64 [3 : 1i64, 3 : 1i64]";

#[test]
fn views_by_strides() {
    let f = format!(
        "\\(xs_1: [5]f64) -> ([3][3]f64, [2][2]f64) {{ let (w_2: [3][3]f64) = {WINDOWS} let (v_3: [2][2]f64) = flatindex xs_1 at 4i64 [2 : -3i64, 2 : 0i64] in (w_2, v_3) }}"
    );
    let xs = [fs(&[1., 2., 3., 4., 5.])];
    let seeds =
        [floats(&[3, 3], &[1., 2., 3., 10., 20., 30., 100., 200., 300.]), floats(&[2, 2], &[0.5, 0.5, 0.25, 0.5])];
    let primal = run(&derivative_program("vjp", &f, &xs, &seeds), &[&xs[..], &seeds].concat());
    assert_eq!(primal[0], floats(&[3, 3], &[1., 2., 3., 2., 3., 4., 3., 4., 5.]));
    assert_eq!(primal[1], floats(&[2, 2], &[5., 5., 2., 2.]));
    // 1, 2+10+(0.75), 3+20+100, 30+200, 300+(1)
    assert_eq!(gradient(&f, &xs, &seeds), [fs(&[1., 12.75, 123., 230., 301.])]);
}

#[test]
fn derivatives_of_derivatives_of_views() {
    // the gradient of the sum of the squares of all windows: 2 c x, where c counts the windows that hold an element
    let f = format!(
        "\\(zs_0: [5]f64) -> ([5]f64) {{ let (p_20: f64, a_21: [5]f64) = vjp \\(xs_1: [5]f64) -> (f64) {{ let (w_2: [3][3]f64) = {WINDOWS} let (u_3: [9]f64) = reshape [9] w_2 \
         let (s_4: f64) = screma 9 (u_3) map \\(x_5: f64) -> (f64) {{ let (q_6: f64) = mul.f64(x_5, x_5) in (q_6) }} \
         reduce \\(x_7: f64, y_8: f64) -> (f64) {{ let (z_9: f64) = add.f64(x_7, y_8) in (z_9) }} neutral (0.0f64) in (s_4) }} at (zs_0) with (1.0f64) in (a_21) }}"
    );
    let adjoints = gradient(&f, &[fs(&[1., -2., 3., 0.5, 4.])], &[fs(&[1., 2., 3., 4., 5.])]);
    assert_eq!(adjoints, [fs(&[2., 8., 18., 16., 10.])]);
}

#[test]
fn where_positions_coincide_the_last_wins() {
    let f = "\\(xs_1: [5]f64, v_2: [2][3]f64) -> ([5]f64) { let (c_3: [5]f64) = copy xs_1 let (u_4: [5]f64) = flatupd c_3 at 1i64 [2 : 1i64, 3 : 1i64] = v_2 in (u_4) }";
    let args = [fs(&[1., 2., 3., 4., 5.]), floats(&[2, 3], &[10., 20., 30., 40., 50., 60.])];
    let seed = [fs(&[1., 2., 3., 4., 5.])];
    let primal = run(&derivative_program("vjp", f, &args, &seed), &[&args[..], &seed].concat()).remove(0);
    assert_eq!(primal, fs(&[1., 10., 40., 50., 60.]));
    let expected = [fs(&[1., 0., 0., 0., 0.]), floats(&[2, 3], &[2., 0., 0., 3., 4., 5.])];
    assert_eq!(gradient(f, &args, &seed), expected);
    // what is overwritten has adjoint zero by selection, whatever the others are
    let adjoints = vjp(f, &args, &[fs(&[1., f64::INFINITY, f64::NAN, 1., 1.])]);
    assert_eq!(adjoints[0], fs(&[1., 0., 0., 0., 0.]));
}

#[test]
fn rotations() {
    let p = ir("fun \"main\"(xs_1: [5]f64, r_2: i64, none_3: [0][3]f64) -> (a_4: [5]f64, b_5: [0][3]f64) { \
         let (a_6: [5]f64) = rotate r_2 xs_1 let (b_7: [0][3]f64) = rotate r_2 none_3 in (a_6, b_7) }");
    let by = |r: i64| run(&p, &[fs(&[1., 2., 3., 4., 5.]), int(r), floats(&[0, 3], &[])]);
    assert_eq!(by(2), [fs(&[3., 4., 5., 1., 2.]), floats(&[0, 3], &[])]);
    assert_eq!(by(-1)[0], fs(&[5., 1., 2., 3., 4.]));
    // -2^63 = -3 = 2 (mod 5)
    assert_eq!(by(i64::MIN)[0], by(2)[0]);
    let f = "\\(xs_1: [3][2]f64, r_2: i64) -> ([3][2]f64) { let (a_3: [3][2]f64) = rotate r_2 xs_1 in (a_3) }";
    for (r, expected) in [(1, [5., 6., 1., 2., 3., 4.]), (i64::MIN, [5., 6., 1., 2., 3., 4.])] {
        // -2^63 = 1 (mod 3)
        let args = [floats(&[3, 2], &[1., 2., 3., 4., 5., 6.]), int(r)];
        let seed = [floats(&[3, 2], &[1., 2., 3., 4., 5., 6.])];
        assert_eq!(gradient(f, &args, &seed)[0], floats(&[3, 2], &expected));
    }
}

#[test]
fn opaque_and_manifest_are_identities() {
    let f = "\\(xs_1: [2][2]f64, y_2: f64) -> ([2][2]f64, f64) { let (a_3: [2][2]f64) = manifest (1, 0) xs_1 let (b_4: [2][2]f64) = opaque a_3 \
             let (c_5: f64) = opaque y_2 let (d_6: f64) = mul.f64(c_5, c_5) in (b_4, d_6) }";
    let args = [floats(&[2, 2], &[1., 2., 3., 4.]), float(3.)];
    let seeds = [floats(&[2, 2], &[5., 6., 7., 8.]), float(1.)];
    assert_eq!(gradient(f, &args, &seeds), [seeds[0].clone(), float(6.)]);
    let p = ir(
        "fun \"main\"(*xs_1: [2]f64) -> (a_2: [2]f64, b_3: [2]f64) { let (c_4: [2]f64) = manifest (0) xs_1 let (u_5: [2]f64) = update xs_1[0i64] = 9.0f64 in (c_4, u_5) }",
    );
    assert_eq!(run(&p, &[fs(&[1., 2.])]), [fs(&[1., 2.]), fs(&[9., 2.])]);
}

#[test]
fn traces_of_views_are_programs() {
    // slices, updates, rotation, and the adjoint of windows
    let p = ir(
        "fun \"main\"(xs_1: [5]f64, m_2: [2][3]f64) -> (a_3: [2]f64, b_4: [2][3]f64, c_5: [5]f64, d_6: [5]f64, e_7: [5]f64) { \
         let (s_8: [2]f64) = slice xs_1[3i64 : 2 : -2i64] let (k_9: [2][3]f64) = copy m_2 \
         let (b_10: [2][3]f64) = updslice k_9[0i64 : 2 : 1i64, 1i64] = s_8 let (c_11: [5]f64) = rotate 2i64 xs_1 let (l_12: [5]f64) = copy c_11 \
         let (w_13: [2]f64) = slice m_2[0i64 : 2 : 1i64, 0i64] let (d_14: [5]f64) = flatupd l_12 at 0i64 [2 : 3i64] = w_13 \
         let (p_15: f64, e_16: [5]f64) = vjp \\(zs_17: [5]f64) -> (f64) { let (v_18: [3][3]f64) = flatindex zs_17 at 0i64 [3 : 1i64, 3 : 1i64] let (u_19: [9]f64) = reshape [9] v_18 \
         let (t_20: f64) = screma 9 (u_19) map \\(x_21: f64) -> (f64) { let (q_22: f64) = mul.f64(x_21, x_21) in (q_22) } \
         reduce \\(x_23: f64, y_24: f64) -> (f64) { let (z_25: f64) = add.f64(x_23, y_24) in (z_25) } neutral (0.0f64) in (t_20) } at (xs_1) with (1.0f64) \
         in (s_8, b_10, c_11, d_14, e_16) }",
    );
    let args = [fs(&[1., -2., 3., 0.5, 4.]), floats(&[2, 3], &[1., 2., 3., 4., 5., 6.])];
    let expected = run(&p, &args);
    // 2 c x, where c = 1 2 3 2 1 windows hold an element
    assert_eq!(expected[4], fs(&[2., -8., 18., 2., 8.]));
    for keep in ["reals", "reals,arrays", "reals,booleans,arrays"] {
        let ctx = Ctx { keep: keep.parse().unwrap(), ..Ctx::default() };
        let trace = crate::trace(&p, "main", &args, &ctx).unwrap();
        assert_eq!(futi_core::ir::check::errors(&trace.program), [], "{}", trace.program);
        assert_eq!(run(&trace.program, &args), expected, "{keep}: {}", trace.program);
        assert_eq!(trace.results, expected);
    }
}

#[test]
fn positions_are_those_of_elements() {
    let part = |offset| super::Lmad { offset, dims: vec![(2, 1)] }.positions(3);
    assert_eq!((part(0), part(1)), (Ok(vec![0, 1]), Ok(vec![1, 2])));
    assert!(part(2).is_err() && part(-1).is_err());
}
