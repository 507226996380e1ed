use crate::testing::*;
use crate::{Code, Ctx};
use futi_core::failure::FailureKind;
use futi_core::value::{Array, Value};

fn fs(xs: &[f64]) -> Value {
    floats(&[xs.len()], xs)
}
fn is(xs: &[i64]) -> Value {
    ints(&[xs.len()], xs)
}

fn scatter(w: usize, n: usize) -> String {
    format!(
        "\\(dest_1: [{w}]f64, is_2: [{n}]i64, vs_3: [{n}]f64) -> ([{w}]f64) {{ let (d_4: [{w}]f64) = copy dest_1 \
         let (h_5: [{w}]f64) = scatter {n} (is_2, vs_3) map \\(i_6: i64, v_7: f64) -> (i64, f64) {{ let (q_8: f64) = mul.f64(v_7, v_7) in (i_6, q_8) }} \
         dest [{w}] d_4 in (h_5) }}"
    )
}

/// `main` is that function of a destination that it may consume.
fn program(w: usize, n: usize) -> futi_core::ir::Program {
    ir(&format!(
        "fun \"main\"(*d_1: [{w}]f64, is_2: [{n}]i64, vs_3: [{n}]f64) -> (r_4: [{w}]f64) {{ \
         let (h_5: [{w}]f64) = scatter {n} (is_2, vs_3) map \\(i_6: i64, v_7: f64) -> (i64, f64) {{ in (i_6, v_7) }} dest [{w}] d_1 in (h_5) }}"
    ))
}

#[test]
fn out_of_range_is_ignored() {
    // 000-A4: -1, n, and the extremes
    let args = vec![fs(&[1., 2., 3.]), is(&[-1, 3, i64::MIN, i64::MAX, 2, 0]), fs(&[10., 11., 12., 13., 14., 15.])];
    let p = program(3, 6);
    assert_eq!(run(&p, &args), [fs(&[15., 2., 14.])]);
    let ctx = Ctx::default();
    Code::new(&p).unwrap().call("main", args, &ctx).unwrap();
    assert_eq!(ctx.counters().copied, 0);
    let none = [fs(&[1., 2.]), Array::from_vec::<i64>(&[0], vec![]).into(), fs(&[])];
    assert_eq!(run(&program(2, 0), &none), [fs(&[1., 2.])]);
    assert_eq!(run(&program(0, 1), &[fs(&[]), is(&[0]), fs(&[1.])]), [fs(&[])]);
}

#[test]
fn adjoints_go_to_what_is_left() {
    // dest'[1] stays; values: 2 v times the seed at their position, zero out of range
    let args = [fs(&[1., 2., 3.]), is(&[2, -1, 0, 3]), fs(&[10., 20., 30., 40.])];
    let adjoints = gradient(&scatter(3, 4), &args, &[fs(&[1., 10., 100.])]);
    assert_eq!(adjoints, [fs(&[0., 10., 0.]), is(&[0; 4]), fs(&[2000., 0., 60., 0.])]);
}

#[test]
fn the_last_write_wins_and_strict_mode_reports_it() {
    let p = program(2, 3);
    let args = [fs(&[1., 2.]), is(&[0, 1, 0]), fs(&[5., 6., 7.])];
    assert_eq!(crate::eval(&p, "main", &args, &Ctx::default()).unwrap(), [fs(&[7., 6.])]);
    let e = crate::eval(&p, "main", &args, &Ctx::strict()).unwrap_err();
    assert_eq!(
        (e.kind, e.message.as_str()),
        (FailureKind::Strict, "A scatter writes position [0] twice, with different values.")
    );
    // equal values may be written twice: the last has the derivative
    let equal = [fs(&[1., 2.]), is(&[0, 1, 0]), fs(&[5., 6., 5.])];
    assert_eq!(run(&p, &equal), [fs(&[5., 6.])]);
    assert_eq!(gradient(&scatter(2, 3), &equal, &[fs(&[1., 1.])])[2], fs(&[0., 12., 10.]));
}

#[test]
fn strict_mode_reports_reads_of_destinations() {
    let text = "fun \"main\"(*d_1: [2]f64, is_2: [2]i64, vs_3: [2]f64) -> (r_4: [2]f64, x_5: f64) { \
         let (h_6: [2]f64) = scatter 2 (is_2, vs_3) map \\(i_7: i64, v_8: f64) -> (i64, f64) { in (i_7, v_8) } dest [2] d_1 \
         let (x_9: f64) = index d_1[0i64] in (h_6, x_9) }";
    // the checker would not have it
    let p: futi_core::ir::Program = format!("futi-ir 1\n{text}").parse().unwrap();
    let e = crate::eval(&p, "main", &[fs(&[1., 2.]), is(&[0, 1]), fs(&[3., 4.])], &Ctx::strict()).unwrap_err();
    assert_eq!(e.message, "An array is used after it was consumed.");
}

/// Two positions are two also where rows have no elements.
#[test]
fn rows_without_elements() {
    let f = "\\(a_1: [2][0]f64, vs_2: [2][0]f64) -> ([2][0]f64) { let (b_3: [2][0]f64) = copy a_1 let (is_4: [2]i64) = iota i64 (2i64, 0i64, 1i64) \
             let (c_5: [2][0]f64) = scatter 2 (is_4, vs_2) map \\(i_6: i64, v_7: [0]f64) -> (i64, [0]f64) { in (i_6, v_7) } dest [2] b_3 in (c_5) }";
    let rows = floats(&[2, 0], &[]);
    assert_eq!(gradient(f, &[rows.clone(), rows.clone()], std::slice::from_ref(&rows)), [rows.clone(), rows]);
}

#[test]
fn rows_and_several_destinations() {
    // rows by i into a matrix, and elements by (i, j, i) into a box of rank 3
    let f = "\\(a_1: [3][2]f64, b_2: [2][2][2]f64, is_3: [3]i64, vs_4: [3][2]f64) -> ([3][2]f64, [2][2][2]f64) { \
             let (c_5: [3][2]f64) = copy a_1 let (d_6: [2][2][2]f64) = copy b_2 \
             let (e_7: [3][2]f64, f_8: [2][2][2]f64) = scatter 3 (is_3, vs_4) map \\(i_9: i64, v_10: [2]f64) -> (i64, i64, i64, i64, [2]f64, f64) { \
             let (x_11: f64) = index v_10[1i64] let (y_12: f64) = mul.f64(x_11, x_11) in (i_9, i_9, 1i64, i_9, v_10, y_12) } dest [3] c_5 dest [2][2][2] d_6 in (e_7, f_8) }";
    let args = [
        floats(&[3, 2], &[1., 2., 3., 4., 5., 6.]),
        floats(&[2, 2, 2], &[1., 2., 3., 4., 5., 6., 7., 8.]),
        is(&[2, 1, -1]),
        floats(&[3, 2], &[10., 20., 30., 40., 50., 60.]),
    ];
    let seeds = [floats(&[3, 2], &[1., 2., 3., 4., 5., 6.]), floats(&[2, 2, 2], &[1., 2., 3., 4., 5., 6., 7., 8.])];
    let adjoints = gradient(f, &args, &seeds);
    // row 2 gets v0, row 1 gets v1; position (1,1,1) gets 40*40, (2,1,2) does not exist
    assert_eq!(adjoints[0], floats(&[3, 2], &[1., 2., 0., 0., 0., 0.]));
    assert_eq!(adjoints[1], floats(&[2, 2, 2], &[1., 2., 3., 4., 5., 6., 7., 0.]));
    assert_eq!(adjoints[3], floats(&[3, 2], &[5., 6., 3., 4. + 2. * 40. * 8., 0., 0.]));
}

#[test]
fn a_permutation_through_scratch() {
    // 000-A13: every element of scratch is written before it is read, of a boolean array too
    let f = |writes: &str| {
        ir(&format!(
            "fun \"main\"(is_1: [3]i64, xs_2: [3]bool) -> (r_3: [3]bool) {{ let (s_4: [3]bool) = scratch [3]bool \
             let (t_5: [3]bool) = scatter 3 (is_1, xs_2) map \\(i_6: i64, x_7: bool) -> (i64, bool) {{ in ({writes}, x_7) }} dest [3] s_4 \
             let (u_8: [3]bool) = screma 3 (t_5) map \\(x_9: bool) -> (bool) {{ let (n_10: bool) = not.bool(x_9) in (n_10) }} in (u_8) }}"
        ))
    };
    let bools = |xs: &[bool]| Value::from(Array::from_vec(&[3], xs.to_vec()));
    let args = [is(&[2, 0, 1]), bools(&[true, false, false])];
    assert_eq!(run(&f("i_6"), &args), [bools(&[true, true, false])]);
    let e = crate::eval(
        &f("0i64"),
        "main",
        &args[..1].iter().cloned().chain([bools(&[true; 3])]).collect::<Vec<_>>(),
        &Ctx::strict(),
    );
    assert_eq!(e.unwrap_err().message, "An element of a scratch array is read before it is written.");
}

#[test]
fn rows_that_are_written_twice() {
    let p = ir("fun \"main\"(*d_1: [1][2]f64, vs_2: [2][2]f64) -> (r_3: [1][2]f64) { \
         let (s_4: [1][2]f64) = scatter 2 (vs_2) map \\(v_5: [2]f64) -> (i64, [2]f64) { in (0i64, v_5) } dest [1] d_1 in (s_4) }");
    let args = |last: f64| [floats(&[1, 2], &[0.; 2]), floats(&[2, 2], &[1., 2., 1., last])];
    assert_eq!(run(&p, &args(2.)), [floats(&[1, 2], &[1., 2.])]);
    assert_eq!(crate::eval(&p, "main", &args(3.), &Ctx::default()).unwrap(), [floats(&[1, 2], &[1., 3.])]);
    let e = crate::eval(&p, "main", &args(3.), &Ctx::strict()).unwrap_err();
    assert_eq!(e.message, "A scatter writes position [0] twice, with different values.");
    // whatever says which elements of scratch are undefined is no derivative
    let p = ir(
        "fun \"main\"(*d_1: [1][2]bool, b_2: bool) -> (r_3: [1][2]bool) { let (s_4: [2][2]bool) = scratch [2][2]bool let (v_5: [2]bool) = array [b_2, true] of bool \
         let (t_6: [2][2]bool) = update s_4[0i64] = v_5 let (u_7: [2][2]bool) = update t_6[1i64] = v_5 \
         let (w_8: [1][2]bool) = scatter 2 (u_7) map \\(x_9: [2]bool) -> (i64, [2]bool) { in (0i64, x_9) } dest [1] d_1 in (w_8) }",
    );
    let bools = |xs: &[bool]| Value::from(Array::from_vec(&[1, 2], xs.to_vec()));
    assert_eq!(run(&p, &[bools(&[true, false]), truth(false)]), [bools(&[false, true])]);
}
