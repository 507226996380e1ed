use super::close;
use crate::eval::Val;
use crate::testing::*;
use crate::{Ctx, eval};
use futi_core::failure::FailureKind;
use futi_core::ir::Program;
use futi_core::value::Value;

/// What strict mode says of a program that runs when not strict.
fn reported(p: &Program, args: &[Value]) -> String {
    eval(p, "main", args, &Ctx::default()).expect("runs when not strict");
    let e = eval(p, "main", args, &Ctx::strict()).unwrap_err();
    assert_eq!(e.kind, FailureKind::Strict, "{e}");
    e.message
}

#[test]
fn what_consumes_an_array_is_told_apart_from_what_reads_it() {
    let add =
        "comm \\(x_40: f64, y_41: f64) -> (f64) { let (z_42: f64) = add.f64(x_40, y_41) in (z_42) } neutral (0.0f64)";
    let acc = "acc(c_50, [3] (f64))";
    let consuming = [
        "let (u_2: [3]f64) = update a_0[0i64] = 5.0f64".to_string(),
        "let (u_2: f64) = call \"write\"(a_0)".to_string(),
        // no trips
        "let (u_2: [3]f64) = loop (*p_3: [3]f64 = a_0) for i_4: i64 < 0i64 do { let (q_5: [3]f64) = update p_3[0i64] = 5.0f64 in (q_5) }".to_string(),
        format!("let (u_2: [3]f64) = withacc input [3] (a_0) {add} do \\(c_50: cert, b_51: {acc}) -> ({acc}) {{ in (b_51) }}"),
    ];
    let reading = [
        "let (r_8: f64) = index a_0[1i64]",
        "let (v_9: [3]f64) = update a_0[1i64] = 6.0f64 let (r_8: f64) = index v_9[2i64]",
        "let (v_9: [3]f64) = updslice a_0[0i64 : 2 : 1i64] = b_1 let (r_8: f64) = index v_9[2i64]",
        "let (v_9: [3]f64) = flatupd a_0 at 0i64 [2 : 1i64] = b_1 let (r_8: f64) = index v_9[2i64]",
        "let (v_9: [2]f64) = slice a_0[0i64 : 2 : 1i64] let (r_8: f64) = index v_9[1i64]",
        "let (v_9: [3]f64) = coerce [3] a_0 let (r_8: f64) = index v_9[2i64]",
        "let (v_9: [3]f64) = rotate 1i64 a_0 let (r_8: f64) = index v_9[2i64]",
    ];
    for consumes in &consuming {
        for reads in reading {
            // the checker would not have it
            let p: Program = format!(
                "futi-ir 1 fun \"main\"(*a_0: [3]f64, b_1: [2]f64) -> (x_7: f64) {{ {consumes} {reads} in (r_8) }}
                 fun \"write\"(*a_60: [3]f64) -> (r_62: f64) {{ let (b_63: [3]f64) = update a_60[0i64] = 5.0f64 let (x_64: f64) = index b_63[1i64] in (x_64) }}"
            )
            .parse()
            .unwrap();
            let message = reported(&p, &[floats(&[3], &[1., 2., 3.]), floats(&[2], &[7., 8.])]);
            assert_eq!(message, "An array is used after it was consumed.", "{consumes} {reads}");
        }
    }
}

/// A reduction of two values; the operator makes z_5 of x_3 and y_4.
fn reduction(elem: &str, op: &str, neutral: &str) -> Program {
    ir(&format!(
        "fun \"main\"(a_0: [2]{elem}) -> (r_1: {elem}) {{ let (s_2: {elem}) = screma 2 (a_0) map \\(e_6: {elem}) -> ({elem}) {{ in (e_6) }}
         reduce \\(x_3: {elem}, y_4: {elem}) -> ({elem}) {{ {op} in (z_5) }} neutral ({neutral}) in (s_2) }}"
    ))
}

#[test]
fn what_a_neutral_element_changes_is_no_rounding() {
    let add = "let (z_5: f64) = add.f64(x_3, y_4)";
    // ten times the elements, though next to nothing
    let tiny = (reduction("f64", add, "1.0e-8f64"), floats(&[2], &[1e-9; 2]));
    // one more than 2⁵³, which as a float is the same
    let large = reduction("i64", "let (z_5: i64) = add.i64(x_3, y_4)", "1i64");
    let large = (large, ints(&[2], &[1 << 53; 2]));
    let infinite = (reduction("f64", "let (z_5: f64) = max.f64(x_3, y_4)", "f64.inf"), floats(&[2], &[3., 4.]));
    // of 0 on the left 0 * inf
    let nan = "let (w_7: f64) = mul.f64(x_3, f64.inf) let (z_5: f64) = add.f64(w_7, y_4)";
    let nan = (reduction("f64", nan, "0.0f64"), floats(&[2], &[3., 4.]));
    for (p, args) in [tiny, large, infinite, nan] {
        let message = reported(&p, std::slice::from_ref(&args));
        assert!(message.starts_with("A neutral element is not neutral"), "{args:?}: {message}");
    }
    // 0 + -0 is 0, and NaN stays NaN
    for xs in [[-0.0; 2], [f64::NAN; 2], [f64::INFINITY, 1.0], [0.1, 1e300]] {
        assert!(eval(&reduction("f64", add, "0.0f64"), "main", &[floats(&[2], &xs)], &Ctx::strict()).is_ok(), "{xs:?}");
    }
    // of NaN and another number the greater is the other
    let max = reduction("f64", "let (z_5: f64) = max.f64(x_3, y_4)", "-f64.inf");
    for xs in [[1.0, f64::NAN], [f64::NAN, 1.0], [f64::NAN; 2]] {
        assert!(eval(&max, "main", &[floats(&[2], &xs)], &Ctx::strict()).is_ok(), "{xs:?}");
    }
}

#[test]
fn a_neutral_element_may_add_no_tangent() {
    // the operator adds k, of which the elements know nothing: where it is 0 its tangent tells, and where that is 0 its value
    let sum = "\\(k_1: f64) -> (f64) { let (xs_2: [2]f64) = array [3.0f64, 4.0f64] of f64 let (s_3: f64) = screma 2 (xs_2) map \\(e_4: f64) -> (f64) { in (e_4) } \
               reduce \\(a_5: f64, b_6: f64) -> (f64) { let (c_7: f64) = add.f64(a_5, b_6) let (d_8: f64) = add.f64(c_7, k_1) in (d_8) } neutral (0.0f64) in (s_3) }";
    let rows = "\\(k_1: f64) -> ([2]f64) { let (x_2: [2]f64) = array [3.0f64, 4.0f64] of f64 let (xs_3: [2][2]f64) = array [x_2, x_2] of [2]f64 let (z_4: [2]f64) = replicate [2] 0.0f64 \
                let (s_5: [2]f64) = screma 2 (xs_3) map \\(e_6: [2]f64) -> ([2]f64) { in (e_6) } reduce \\(a_7: [2]f64, b_8: [2]f64) -> ([2]f64) { \
                let (c_9: [2]f64) = screma 2 (a_7, b_8) map \\(x_10: f64, y_11: f64) -> (f64) { let (t_12: f64) = add.f64(x_10, y_11) let (w_13: f64) = add.f64(t_12, k_1) in (w_13) } in (c_9) } \
                neutral (z_4) in (s_5) }";
    for f in [sum, rows] {
        let p = derivative_program("jvp", f, &[float(0.)], &[float(0.)]);
        for (k, tangent) in [(0., 1.), (1., 0.)] {
            let message = reported(&p, &[float(k), float(tangent)]);
            assert!(message.starts_with("A neutral element is not neutral"), "{k} {tangent}: {message}");
        }
        assert!(eval(&p, "main", &[float(0.), float(0.)], &Ctx::strict()).is_ok());
    }
}

#[test]
fn values_of_different_kinds_are_not_close() {
    let (scalar, array) = (Val::from(float(0.)), Val::from(floats(&[1], &[0.])));
    assert!(close(&scalar, &scalar, 1.) && close(&array, &array, 1.));
    assert!(!close(&scalar, &array, 1.) && !close(&array, &scalar, 1.));
}

#[test]
fn what_borders_on_a_consumed_array_is_not_consumed() {
    // the halves of an array
    for (consumed, kept, x) in [("b_1", "c_2", 3.), ("c_2", "b_1", 1.)] {
        // the checker would not have it
        let p: Program = format!(
            "futi-ir 1 fun \"main\"(*a_0: [4]f64) -> (x_3: f64) {{ let (b_1: [2]f64) = slice a_0[0i64 : 2 : 1i64] let (c_2: [2]f64) = slice a_0[2i64 : 2 : 1i64]
             let (u_4: [2]f64) = update {consumed}[0i64] = 5.0f64 let (y_5: f64) = index {kept}[0i64] in (y_5) }}"
        )
        .parse()
        .unwrap();
        assert_eq!(
            eval(&p, "main", &[floats(&[4], &[1., 2., 3., 4.])], &Ctx::strict()),
            Ok(vec![float(x)]),
            "{consumed}"
        );
    }
}

#[test]
fn a_row_of_a_tangent_that_is_scratch_is_scratch() {
    // the rule gives as tangent what has not been written; a row of it leaves the derivative
    let p = ir(
        "fun \"main\"(x_0: f64) -> (r_1: i8) { let (y_2: f64, q_3: [1]i8, dy_4: f64, dq_5: [1]i8) = jvp \\(x_6: f64) -> (f64, [1]i8) { let (s_7: [1][1]i8) = replicate [1][1] 0i8
         let (y_8: f64, r_9: [1][1]i8) = custom \\(a_10: f64, b_11: [1][1]i8) -> (f64, [1][1]i8) { in (a_10, b_11) } saved 0
         jvp \\(a_12: f64, b_13: [1][1]i8, c_14: f64, d_15: [1][1]i8) -> (f64, [1][1]i8) { let (z_16: [1][1]i8) = scratch [1][1]i8 in (c_14, z_16) } at (x_6, s_7)
         let (q_17: [1]i8) = index r_9[0i64] in (y_8, q_17) } at (x_0) with (1.0f64) let (e_18: i8) = index dq_5[0i64] in (e_18) }",
    );
    assert_eq!(reported(&p, &[float(3.)]), "An element of a scratch array is read before it is written.");
}
