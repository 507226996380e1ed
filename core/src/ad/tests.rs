//! What has no rule is said with its place; functions with derivatives of their own are plain code afterwards.

use super::*;
use crate::ir::check::errors;

fn parse(body: &str) -> Program {
    let text = format!(
        "futi-ir 1\nfun \"f\"(n_0: i64, x_1: [n_0]f64, s_2: [n_0]f64, k_3: i64, js_4: [n_0]i64) -> (r_5: [n_0]f64, t_6: [n_0]f64) {{ {body} }}
         files \"a.fut\"\nprov 1 = span 0 3 9"
    );
    let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(errors(&program), [], "{program}");
    program
}

#[test]
fn every_construct_without_a_rule_is_named_with_its_place() {
    const ADD: &str =
        "\\(a_90: f64, b_91: f64) -> (f64) { let (t_92: f64) = add.f64(a_90, b_91) in (t_92) } neutral (0.0f64)";
    let scan = format!(
        "screma n_0 (p_10) map \\(y_20: f64) -> (f64) {{ in (y_20) }} scan comm {ADD} post \\(v_21: f64) -> (f64) {{ in (v_21) }} @1"
    );
    let hist = format!(
        "hist n_0 (js_4, p_10) map \\(j_20: i64, y_21: f64) -> (i64, f64) {{ in (j_20, y_21) }} dest [n_0] (c_11) comm {ADD} @1"
    );
    let cases: [(&str, String); 13] = [
        ("a slice", "slice p_10[0i64 : n_0 : 1i64] @1".into()),
        ("a slice", "updslice c_11[0i64 : n_0 : 1i64] = p_10 @1".into()),
        ("a view by strides", "flatindex p_10 at 0i64 [n_0 : 1i64] @1".into()),
        ("a view by strides", "flatupd c_11 at 0i64 [n_0 : 1i64] = p_10 @1".into()),
        ("manifest", "manifest (0) p_10 @1".into()),
        ("rotate", "rotate 1i64 p_10 @1".into()),
        ("opaque", "opaque p_10 @1".into()),
        ("match", "match (k_3) case (1i64) { in (p_10) } else { in (x_1) } @1".into()),
        ("a function after scans", scan),
        ("a histogram", hist),
        ("a scatter", "scatter n_0 (js_4, p_10) map \\(j_20: i64, y_21: f64) -> (i64, f64) { in (j_20, y_21) } dest [n_0] c_11 @1".into()),
        (
            "a stream",
            "streampar n_0 (p_10) reduce comm \\() -> () { in () } neutral () chunk \\(c_20: i64, ys_21: [c_20]f64) -> ([c_20]f64) { in (ys_21) } @1".into(),
        ),
        ("a custom derivative", "custom \\(q_20: [n_0]f64) -> ([n_0]f64) { in (q_20) } saved 0 vjp \\(q_21: [n_0]f64) -> ([n_0]f64) { in (q_21) } at (p_10) @1".into()),
    ];
    for (construct, exp) in cases {
        for mode in ["vjp", "jvp"] {
            // inside of another body, too
            for inner in [
                format!("let (r_12: [n_0]f64) = {exp}"),
                format!(
                    "let (b_13: bool) = eq.i64(k_3, 1i64) let (r_12: [n_0]f64) = if b_13 then {{ let (r_14: [n_0]f64) = {exp} in (r_14) }} else {{ in (p_10) }}"
                ),
            ] {
                let body = format!(
                    "let (r_7: [n_0]f64, t_8: [n_0]f64) = {mode} \\(p_10: [n_0]f64) -> ([n_0]f64) {{ let (c_11: [n_0]f64) = copy x_1 {inner} in (r_12) }} \
                     at (x_1) with (s_2) in (r_7, t_8)"
                );
                // in a branch, an array from outside is not consumed; that needs no other test
                if inner.contains("if ") && exp.contains("c_11") {
                    continue;
                }
                let errors = differentiate(parse(&body)).expect_err(construct);
                let [unsupported] = &errors.constructs[..] else { panic!("{:?}", errors.constructs) };
                assert_eq!(unsupported.construct, construct);
                assert_eq!(errors.prov.backtrace(unsupported.prov), [(0, 3, 9)], "{construct}");
            }
        }
    }
}

#[test]
fn a_flatmap_has_no_rule() {
    let body = "let (r_7: f64, t_8: f64) = vjp \\(p_10: f64) -> (f64) { \
        let (m_11: i64, s_12: [n_0]i64, f_13: [m_11]bool, o_14: [n_0]i64, ys_15: [m_11]f64) = flatmap n_0 (js_4) size z_16: i64 irregular 1 \
        map \\(j_17: i64) -> (i64, [z_16]f64) { let (ys_18: [2]f64) = replicate [2] p_10 in (2i64, ys_18) } @1 in (p_10) } at (1.0f64) with (1.0f64) in (x_1, s_2)";
    let errors = differentiate(parse(body)).expect_err("flatmap");
    assert_eq!(errors.constructs[0].construct, "flatmap");
}

#[test]
fn any_result_of_a_kernel_may_have_the_adjoint() {
    for k in ["k_13", "k_14"] {
        let body = format!(
            "let (r_7: f64, t_8: f64) = vjp \\(p_10: f64) -> (f64) {{ \
             let (k_13: [2]f64, k_14: [2]f64) = segop grid (i_11: i64 < 2) -> (f64, f64) {{ in (p_10, p_10) }} @1 \
             let (x_12: f64) = index {k}[0i64] in (x_12) }} at (1.0f64) with (1.0f64) in (x_1, s_2)"
        );
        let errors = differentiate(parse(&body)).expect_err(k);
        assert_eq!(errors.constructs[0].construct, "a flattened nest");
    }
}

#[test]
fn functions_with_derivatives_are_applied_when_nobody_differentiates_them() {
    // one inside of another's λ, one inside of a rule; what is saved goes
    let body = "let (a_7: [n_0]f64) = custom \\(p_10: [n_0]f64) -> (f64, [n_0]f64) { \
          let (q_11: [n_0]f64) = custom \\(u_12: [n_0]f64) -> ([n_0]f64) { let (w_13: [n_0]f64) = reverse u_12 in (w_13) } saved 0 at (p_10) \
          in (1.0f64, q_11) } saved 1 \
          vjp \\(s_14: f64, y_15: [n_0]f64) -> ([n_0]f64) { \
            let (z_16: [n_0]f64) = custom \\(u_17: [n_0]f64) -> ([n_0]f64) { let (w_18: [n_0]f64) = rotate 1i64 u_17 in (w_18) } saved 0 at (y_15) in (z_16) } \
          at (x_1) in (a_7, s_2)";
    let program = differentiate(parse(body)).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(errors(&program), [], "{program}");
    let text = program.to_string();
    assert!(!text.contains("custom") && !text.contains("rotate") && text.matches("reverse").count() == 1, "{text}");
}

#[test]
fn a_nest_is_refused_whichever_of_its_results_is_differentiated() {
    let body = "let (r_7: f64, t_8: [n_0]f64) = vjp \\(p_10: [n_0]f64) -> (f64) { \
        let (u_11: [n_0]f64, v_12: [n_0]f64) = segop grid (i_13: i64 < n_0) -> (f64, f64) { let (y_14: f64) = index p_10[i_13] in (1.0f64, y_14) } @1 \
        let (z_15: f64) = index v_12[0i64] in (z_15) } at (x_1) with (1.0f64) in (t_8, s_2)";
    let errors = differentiate(parse(body)).expect_err("a nest");
    assert_eq!(errors.constructs[0].construct, "a flattened nest");
    assert_eq!(errors.prov.backtrace(errors.constructs[0].prov), [(0, 3, 9)]);
}
