use crate::testing::*;
use crate::{Ctx, eval};
use futi_core::failure::FailureKind;
use futi_core::ir::Prov;

/// Checks an index into 3 elements, with a place; variables from `v` on.
fn checked(i: &str, v: u32, place: u32) -> String {
    let (c, x) = (v, v + 1);
    format!(
        "let (c_{c}: cert) = check bounds ({i}) [3] @{place} let (x_{x}: f64) = index a_1[{i}] certs (c_{c}) @{place}"
    )
}

fn messages(p: &futi_core::ir::Program, args: &[futi_core::value::Value], ctx: &Ctx) -> Vec<(String, Prov)> {
    let e = eval(p, "main", args, ctx).unwrap_err();
    let failures = ctx.failures();
    assert_eq!(failures.first(), Some(&e));
    failures.into_iter().map(|e| (e.message, e.prov)).collect()
}

#[test]
fn all_failures_that_other_iterations_leave_reachable() {
    // rows of indices, a sum of each, and the sums' own indices after all; the second construct is not reached
    let p = ir(&format!(
        "fun \"main\"(a_1: [3]f64, is_2: [2][3]i64) -> (r_3: [2]f64, s_4: f64) {{ \
         let (m_5: [2]f64) = screma 2 (is_2) map \\(js_6: [3]i64) -> (f64) {{ \
         let (t_7: f64) = screma 3 (js_6) map \\(j_8: i64) -> (f64) {{ {} in (x_11) }} reduce \\(x_12: f64, y_13: f64) -> (f64) {{ let (z_14: f64) = add.f64(x_12, y_13) in (z_14) }} neutral (0.0f64) \
         {} in (x_21) }} {} in (m_5, x_31) }}\nfiles \"a.fut\"\nprov 1 = span 0 1 2\nprov 2 = span 0 3 4\nprov 3 = span 0 5 6",
        checked("j_8", 10, 1),
        checked("9i64", 20, 2),
        checked("8i64", 30, 3)
    ));
    let a = floats(&[3], &[1., 2., 3.]);
    let message = |i: i64| format!("Index [{i}] out of bounds for array of shape [3].");
    let bad = [a.clone(), ints(&[2, 3], &[0, 5, -1, 5, 1, 7])];
    let all = Ctx { all_failures: true, ..Ctx::default() };
    let expected = [5, -1, 7].map(|i| (message(i), Prov(1)));
    assert_eq!(messages(&p, &bad, &all), expected);
    assert_eq!(messages(&p, &bad, &Ctx::default()), expected[..1]);
    // a row without failures reaches its own next statement, and then that fails too
    let half = [a, ints(&[2, 3], &[0, 5, -1, 0, 1, 2])];
    assert_eq!(messages(&p, &half, &all), [(message(5), Prov(1)), (message(-1), Prov(1)), (message(9), Prov(2))]);
}

#[test]
fn all_failures_of_each_construct() {
    let add = "\\(x_40: f64, y_41: f64) -> (f64) { let (z_42: f64) = add.f64(x_40, y_41) in (z_42) } neutral (0.0f64)";
    let body = checked("i_8", 10, 1);
    for (results, construct) in [
        (
            "r_5: [3]f64",
            format!("scatter 4 (is_2) map \\(i_8: i64) -> (i64, f64) {{ {body} in (i_8, x_11) }} dest [3] d_3"),
        ),
        (
            "r_5: [3]f64",
            format!(
                "hist 4 (is_2) map \\(i_8: i64) -> (i64, f64) {{ {body} in (i_8, x_11) }} dest [3] (d_3) comm {add}"
            ),
        ),
        (
            "n_50: i64, k_51: [4]i64, f_52: [n_50]bool, o_53: [4]i64, e_54: [n_50]f64, r_5: [4]f64",
            format!(
                "flatmap 4 (is_2) size k_60: i64 irregular 1 map \\(i_8: i64) -> (i64, [k_60]f64, f64) {{ {body} let (q_61: [2]f64) = replicate [2] x_11 in (2i64, q_61, x_11) }}"
            ),
        ),
        (
            "r_5: [4]f64",
            format!(
                "segop grid (g_7: i64 < 4) scan {add} -> (f64) {{ let (i_8: i64) = index is_2[g_7] {body} in (x_11) }}"
            ),
        ),
        (
            "r_5: [4]f64",
            format!(
                "screma 4 (is_2) map \\(i_9: i64) -> (i64) {{ in (i_9) }} post \\(i_8: i64) -> (f64) {{ {body} in (x_11) }}"
            ),
        ),
        (
            "s_6: f64",
            format!(
                "streampar 4 (is_2) reduce {add} chunk \\(c_70: i64, js_71: [c_70]i64) -> (f64) {{ let (e_72: cert) = check bounds (0i64) [c_70] @2 let (i_8: i64) = index js_71[0i64] certs (e_72) {body} in (x_11) }}"
            ),
        ),
    ] {
        let p = ir(&format!(
            "fun \"main\"(a_1: [3]f64, is_2: [4]i64, *d_3: [3]f64) -> (z_4: i64) {{ let ({results}) = {construct} in (0i64) }}\nfiles \"a.fut\"\nprov 1 = span 0 1 2\nprov 2 = span 0 3 4"
        ));
        let zeros = floats(&[3], &[0.; 3]);
        let args = [zeros.clone(), ints(&[4], &[-1, 1, 3, -1]), zeros];
        let ctx = Ctx { all_failures: true, partition: crate::ctx::Partition::Chunks(1), ..Ctx::default() };
        let found: Vec<String> = messages(&p, &args, &ctx).into_iter().map(|m| m.0).collect();
        assert_eq!(found, [-1, 3].map(|i| format!("Index [{i}] out of bounds for array of shape [3].")), "{construct}");
    }
}

#[test]
fn derivative_code_that_fails_is_told_apart() {
    let p = |place: u32| {
        ir(&format!(
            "fun \"main\"(x_0: i64) -> (y_1: i64) {{ let (c_2: cert) = check nonzero x_0 @{place} let (y_3: i64) = div.i64(1i64, x_0) certs (c_2) @{place} in (y_3) }}\n\
             files \"a.fut\"\nprov 1 = span 0 3 9\nprov 2 = adjoint 1\nprov 3 = recomputed 1\nprov 4 = merged 1 2\nprov 5 = tangent 3\n\
             prov 6 = inlined 1 2\nprov 7 = inlined 2 1\nprov 8 = inlined 1 1"
        ))
    };
    // derivative code calls, and is called
    for (place, derivative) in
        [(1, false), (2, true), (3, false), (4, false), (5, true), (6, true), (7, true), (8, false)]
    {
        let ctx = Ctx::default();
        assert_eq!(eval(&p(place), "main", &[int(0)], &ctx).unwrap_err().kind, FailureKind::DivisionByZero);
        assert_eq!(ctx.counters().derivative_failures, derivative as u64);
        let e = eval(&p(place), "main", &[int(0)], &Ctx::strict()).unwrap_err();
        let expected = if derivative { "derivative code failed: division by zero" } else { "division by zero" };
        assert_eq!((e.message.as_str(), e.kind == FailureKind::Strict, e.prov), (expected, derivative, Prov(place)));
    }
}

#[test]
fn primal_code_within_derivative_code_fails_as_itself() {
    // an adjoint's nest, in which a statement that is recomputed divides by 0
    let p = ir(
        "fun \"main\"(is_0: [2]i64) -> (r_1: [2]i64) { let (r_2: [2]i64) = screma 2 (is_0) map \\(i_3: i64) -> (i64) { \
         let (c_4: cert) = check nonzero i_3 @3 let (q_5: i64) = div.i64(1i64, i_3) certs (c_4) @3 in (q_5) } @2 in (r_2) }\n\
         files \"a.fut\"\nprov 1 = span 0 3 9\nprov 2 = adjoint 1\nprov 3 = recomputed 1",
    );
    for ctx in [Ctx::default(), Ctx::strict()] {
        let e = eval(&p, "main", &[ints(&[2], &[1, 0])], &ctx).unwrap_err();
        assert_eq!((e.kind, e.message.as_str(), e.prov), (FailureKind::DivisionByZero, "division by zero", Prov(3)));
        assert_eq!(ctx.counters().derivative_failures, 0);
    }
}

#[test]
fn a_limit_is_nobodys_failure() {
    // rows of so many zeros, and one over the size of each: the first takes too much memory; the second, of which there is none, would divide by 0
    let p = ir(
        "fun \"main\"(is_0: [2]i64) -> (r_1: [2]i64) { let (r_2: [2]i64) = screma 2 (is_0) map \\(i_3: i64) -> (i64) { \
         let (a_4: [i_3]i64) = replicate [i_3] 0i64 @2 let (c_5: cert) = check nonzero i_3 @1 let (q_6: i64) = div.i64(1i64, i_3) certs (c_5) @1 in (q_6) } @1 in (r_2) }\n\
         files \"a.fut\"\nprov 1 = span 0 3 9\nprov 2 = adjoint 1",
    );
    // it ends the run, whatever other iterations would do, and says nothing of the derivative code that meets it
    for strict in [false, true] {
        let ctx = Ctx { all_failures: true, memory: Some(1000), strict, ..Ctx::default() };
        let e = eval(&p, "main", &[ints(&[2], &[1000, 0])], &ctx).unwrap_err();
        assert_eq!((e.kind, e.prov, ctx.counters().derivative_failures), (FailureKind::Memory, Prov(2), 0));
        assert_eq!(ctx.failures(), [e]);
    }
}

#[test]
fn a_failure_of_the_construct_itself_has_the_place_of_the_construct() {
    // position 1 is written twice, and the third index is out of range where it is checked
    let p = ir(&format!(
        "fun \"main\"(a_1: [3]f64, is_2: [3]i64, *d_3: [3]f64) -> (z_4: [3]f64) {{ let (r_5: [3]f64) = scatter 3 (is_2) map \\(i_8: i64) -> (i64, f64) {{ {} let (v_20: f64) = conv.i64.f64(i_8) in (1i64, v_20) }} dest [3] d_3 @2 in (r_5) }}\n\
         files \"a.fut\"\nprov 1 = span 0 1 2\nprov 2 = span 0 3 4",
        checked("i_8", 10, 1)
    ));
    let zeros = floats(&[3], &[0.; 3]);
    let ctx = Ctx { all_failures: true, ..Ctx::strict() };
    let found = messages(&p, &[zeros.clone(), ints(&[3], &[0, 2, 5]), zeros], &ctx);
    let expected = [
        ("A scatter writes position [1] twice, with different values.".to_string(), Prov(2)),
        ("Index [5] out of bounds for array of shape [3].".to_string(), Prov(1)),
    ];
    assert_eq!(found, expected);
}

#[test]
fn accumulators_go_on_after_a_failed_iteration() {
    // updates at 0, then a check, of values 1 to 3: the second and third fail
    let p = ir(&format!(
        "fun \"main\"(a_1: [3]f64, is_2: [3]i64, *d_3: [1]f64) -> (z_4: [1]f64) {{ let (r_5: [1]f64) = withacc input [1] (d_3) comm \\(x_40: f64, y_41: f64) -> (f64) {{ let (z_42: f64) = add.f64(x_40, y_41) in (z_42) }} neutral (0.0f64) \
         do \\(c_50: cert, b_51: acc(c_50, [1] (f64))) -> (acc(c_50, [1] (f64))) {{ let (e_52: acc(c_50, [1] (f64))) = screma 3 (is_2, b_51) map \\(i_8: i64, f_53: acc(c_50, [1] (f64))) -> (acc(c_50, [1] (f64))) {{ \
         let (g_54: acc(c_50, [1] (f64))) = updacc f_53[0i64] (1.0f64) {} in (g_54) }} in (e_52) }} in (r_5) }}\nfiles \"a.fut\"\nprov 1 = span 0 1 2",
        checked("i_8", 10, 1)
    ));
    let args = |is: &[i64]| [floats(&[3], &[0.; 3]), ints(&[3], is), floats(&[1], &[5.])];
    let all = Ctx { all_failures: true, ..Ctx::default() };
    let expected = [4, -9].map(|i| (format!("Index [{i}] out of bounds for array of shape [3]."), Prov(1)));
    assert_eq!(messages(&p, &args(&[1, 4, -9]), &all), expected);
    assert_eq!(eval(&p, "main", &args(&[1, 2, 0]), &all).unwrap(), [floats(&[1], &[8.])]);
    assert_eq!(all.failures(), []);
}

#[test]
fn an_operator_that_fails_leaves_the_value_before_it() {
    // sums from 3 on are refused: 1 + 5, and 2 + 7, where 2 is the sum of those that were not
    for (ret, kind) in [("[4]i64", "scan"), ("i64", "reduce")] {
        let p = ir(&format!(
            "fun \"main\"(is_2: [4]i64) -> (r_3: {ret}) {{ let (r_4: {ret}) = segop grid (g_5: i64 < 4) {kind} \\(x_6: i64, y_7: i64) -> (i64) {{ \
             let (z_8: i64) = add.i64(x_6, y_7) let (k_9: cert) = check bounds (z_8) [3] in (z_8) }} neutral (0i64) -> (i64) {{ \
             let (i_10: i64) = index is_2[g_5] in (i_10) }} in (r_4) }}"
        ));
        let ctx = Ctx { all_failures: true, ..Ctx::default() };
        let found: Vec<String> = messages(&p, &[ints(&[4], &[1, 5, 1, 7])], &ctx).into_iter().map(|m| m.0).collect();
        assert_eq!(found, [6, 9].map(|i| format!("Index [{i}] out of bounds for array of shape [3].")), "{kind}");
    }
}

#[test]
fn what_a_failed_row_has_left_is_let_go() {
    // each row fails while an array of its own is still to be read
    let p = ir(
        "fun \"main\"(is_2: [3]i64) -> (r_1: [3]i64) { let (r_5: [3]i64) = screma 3 (is_2) map \\(i_7: i64) -> (i64) { let (a_6: [1000]i64) = replicate [1000] i_7 \
         let (k_8: cert) = check nonzero 0i64 let (x_9: i64) = index a_6[0i64] in (x_9) } in (r_5) }",
    );
    let ctx = Ctx { all_failures: true, ..Ctx::default() };
    assert_eq!(eval(&p, "main", &[ints(&[3], &[1, 2, 3])], &ctx).unwrap_err().kind, FailureKind::DivisionByZero);
    assert_eq!((ctx.counters().node(crate::NodeKind::Replicate), ctx.counters().live), (3, 0));
}

#[test]
fn a_failure_on_a_neutral_element_alone_is_nobodys() {
    // the operator divides by its second operand, in a map, which the program has no 0 for; strict mode tries it with the neutral element
    let p = ir(
        "fun \"main\"(is_2: [2]i64) -> (r_1: i64) { let (r_3: i64) = screma 2 (is_2) map \\(i_4: i64) -> (i64) { in (i_4) } reduce \\(x_5: i64, y_6: i64) -> (i64) { \
         let (a_7: [1]i64) = array [y_6] of i64 \
         let (b_8: [1]i64) = screma 1 (a_7) map \\(z_9: i64) -> (i64) { let (k_10: cert) = check nonzero z_9 in (z_9) } \
         let (c_11: i64) = index b_8[0i64] let (d_12: i64) = add.i64(x_5, c_11) in (d_12) } neutral (0i64) in (r_3) }",
    );
    let ctx = Ctx { all_failures: true, ..Ctx::strict() };
    assert_eq!(eval(&p, "main", &[ints(&[2], &[1, 2])], &ctx).unwrap(), [int(3)]);
    assert_eq!(ctx.failures(), []);
}

#[test]
fn an_operator_of_a_fold_or_a_stream_that_fails_leaves_the_value_before_it() {
    // sums from 3 on are refused, as above
    let op = "\\(x_6: i64, y_7: i64) -> (i64) { let (z_8: i64) = add.i64(x_6, y_7) let (k_9: cert) = check bounds (z_8) [3] in (z_8) } neutral (0i64)";
    let screma = |kind| format!("screma 4 (is_2) map \\(i_10: i64) -> (i64) {{ in (i_10) }} {kind} {op}");
    let stream = format!(
        "streampar 4 (is_2) reduce {op} chunk \\(c_11: i64, js_12: [c_11]i64) -> (i64) {{ let (e_13: cert) = check bounds (0i64) [c_11] \
         let (i_14: i64) = index js_12[0i64] certs (e_13) in (i_14) }}"
    );
    for (ret, construct) in [("[4]i64", screma("scan")), ("i64", screma("reduce")), ("i64", stream)] {
        let p =
            ir(&format!("fun \"main\"(is_2: [4]i64) -> (r_3: {ret}) {{ let (r_4: {ret}) = {construct} in (r_4) }}"));
        let ctx = Ctx { all_failures: true, partition: crate::ctx::Partition::Chunks(1), ..Ctx::default() };
        let found: Vec<String> = messages(&p, &[ints(&[4], &[1, 5, 1, 7])], &ctx).into_iter().map(|m| m.0).collect();
        let expected = [6, 9].map(|i| format!("Index [{i}] out of bounds for array of shape [3]."));
        assert_eq!(found, expected, "{construct}");
    }
}
