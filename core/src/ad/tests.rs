//! The derivative of every construct is valid; what has no rule is said with its place; functions with derivatives of their own are plain code afterwards.

use super::*;
use crate::budget::Budget;
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

const ADD: &str =
    "\\(a_90: f64, b_91: f64) -> (f64) { let (t_92: f64) = add.f64(a_90, b_91) in (t_92) } neutral (0.0f64)";

/// A statement that makes `r_12: [n_0]f64` of `p_10`, and `c_11`, which it may consume.
fn in_mode(mode: &str, exp: &str, inside: bool) -> String {
    let exp = match inside {
        false => format!("let (r_12: [n_0]f64) = {exp}"),
        true => format!(
            "let (b_13: bool) = eq.i64(k_3, 1i64) let (r_12: [n_0]f64) = if b_13 then {{ let (r_14: [n_0]f64) = {exp} in (r_14) }} else {{ in (p_10) }}"
        ),
    };
    format!(
        "let (r_7: [n_0]f64, t_8: [n_0]f64) = {mode} \\(p_10: [n_0]f64) -> ([n_0]f64) {{ let (c_11: [n_0]f64) = copy x_1 {exp} in (r_12) }} \
         at (x_1) with (s_2) in (r_7, t_8)"
    )
}

#[test]
fn derivatives_of_every_construct_are_valid() {
    let scan = format!(
        "screma n_0 (p_10) map \\(y_20: f64) -> (f64) {{ in (y_20) }} scan comm {ADD} post \\(v_21: f64) -> (f64) {{ in (v_21) }} @1"
    );
    let hist = format!(
        "hist n_0 (js_4, p_10) map \\(j_20: i64, y_21: f64) -> (i64, f64) {{ in (j_20, y_21) }} dest [n_0] (c_11) comm {ADD} @1"
    );
    let best = hist.replace("add.f64", "max.f64").replace("0.0f64", "-f64.inf");
    let cases: [String; 15] = [
        "slice p_10[0i64 : n_0 : 1i64] @1".into(),
        "updslice c_11[0i64 : n_0 : 1i64] = p_10 @1".into(),
        "flatindex p_10 at 0i64 [n_0 : 1i64] @1".into(),
        "flatupd c_11 at 0i64 [n_0 : 1i64] = p_10 @1".into(),
        "manifest (0) p_10 @1".into(),
        "rotate 1i64 p_10 @1".into(),
        "opaque p_10 @1".into(),
        "match (k_3) case (1i64) { in (p_10) } case (2i64) { in (x_1) } else { in (x_1) } @1".into(),
        scan,
        hist,
        best,
        "scatter n_0 (js_4, p_10) map \\(j_20: i64, y_21: f64) -> (i64, f64) { let (k_22: i64) = add.i64(j_20, 1i64) in (k_22, y_21) } dest [n_0] c_11 @1".into(),
        "streampar n_0 (p_10) reduce comm \\() -> () { in () } neutral () chunk \\(c_20: i64, ys_21: [c_20]f64) -> ([c_20]f64) { in (ys_21) } @1".into(),
        "custom \\(q_20: [n_0]f64) -> ([n_0]f64, [n_0]f64) { in (q_20, q_20) } saved 1 vjp \\(t_23: [n_0]f64, q_21: [n_0]f64) -> ([n_0]f64) { in (q_21) } at (p_10) @1".into(),
        "custom \\(q_20: [n_0]f64) -> ([n_0]f64) { in (q_20) } saved 0 jvp \\(q_21: [n_0]f64, q_22: [n_0]f64) -> ([n_0]f64) { in (q_22) } at (p_10) @1".into(),
    ];
    for exp in cases {
        for mode in ["vjp", "jvp"] {
            for inside in [false, true] {
                // in a branch, an array from outside is not consumed; that needs no other test
                if inside && exp.contains("c_11") {
                    continue;
                }
                let program = differentiate(parse(&in_mode(mode, &exp, inside))).unwrap_or_else(|e| panic!("{e:?}"));
                assert_eq!(errors(&program), [], "{mode} of {exp}:\n{program}");
            }
        }
    }
}

#[test]
fn derivatives_of_a_flatmap_are_valid() {
    for mode in ["vjp", "jvp"] {
        let body = format!(
            "let (r_7: f64, t_8: f64) = {mode} \\(p_10: f64) -> (f64) {{ \
            let (m_11: i64, s_12: [n_0]i64, f_13: [m_11]bool, o_14: [n_0]i64, ys_15: [m_11]f64) = flatmap n_0 (js_4) size z_16: i64 irregular 1 \
            map \\(j_17: i64) -> (i64, [z_16]f64) {{ let (ys_18: [2]f64) = replicate [2] p_10 in (2i64, ys_18) }} @1 \
            let (y_19: f64) = index ys_15[0i64] in (y_19) }} at (1.0f64) with (1.0f64) in (x_1, s_2)"
        );
        let program = differentiate(parse(&body)).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(errors(&program), [], "{mode}:\n{program}");
    }
}

#[test]
fn a_function_that_differentiates_itself_is_refused() {
    for mode in ["vjp", "jvp"] {
        let text = format!(
            "futi-ir 1\nfun \"f\"(x_0: f64) -> (r_1: f64) {{ let (y_2: f64, t_3: f64) = {mode} \\(z_4: f64) -> (f64) {{ \
             let (w_5: f64) = call \"f\"(z_4) @1 in (w_5) }} at (x_0) with (1.0f64) in (t_3) }}\nfiles \"a.fut\"\nprov 1 = span 0 3 9"
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let errors = differentiate(program).expect_err(mode);
        assert!(errors.constructs[0].missing.contains("differentiates itself"), "{:?}", errors.constructs);
        assert_eq!(errors.prov.backtrace(errors.constructs[0].prov), [(0, 3, 9)]);
    }
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

/// The derivative of a derivative that there is none of: said once, of the inner one, and in each place.
#[test]
fn what_is_refused_inside_is_said_once() {
    let inner = |k: usize| {
        format!(
            "let (r_{k}7: f64, t_{k}8: f64) = vjp \\(p_{k}10: f64) -> (f64) {{ \
             let (u_{k}11: [2]f64) = segop grid (i_{k}13: i64 < 2) -> (f64) {{ in (p_{k}10) }} @1 \
             let (x_{k}12: f64) = index u_{k}11[0i64] in (x_{k}12) }} at (q_40) with (1.0f64) "
        )
    };
    for times in [1, 2] {
        let all: String = (1..=times).map(inner).collect();
        let body = format!(
            "let (a_50: f64, b_51: f64) = vjp \\(q_40: f64) -> (f64) {{ {all} in (t_18) }} at (1.0f64) with (1.0f64) in (x_1, s_2)"
        );
        let errors = differentiate(parse(&body)).expect_err("a nest");
        assert_eq!(errors.constructs.len(), times, "{:?}", errors.constructs);
    }
}

#[test]
fn a_derivative_has_no_more_statements_than_there_is_room_for() {
    let body = "let (r_7: f64, t_8: f64) = jvp \\(p_10: f64) -> (f64) { \
        let (y_11: f64) = sin.f64(p_10) let (z_12: f64) = mul.f64(y_11, y_11) in (z_12) } at (1.0f64) with (1.0f64) in (x_1, s_2)";
    let within = |nodes| {
        let options = Options { nodes: Some(nodes), ..Options::default() };
        (differentiate_with(parse(body), options), options.statements())
    };
    let made = |p: &Program| p.funs[0].body.stms.iter().map(statements_in).sum::<u64>();
    let (program, _) = within(Budget::DEFAULT).0.unwrap_or_else(|e| panic!("{e:?}"));
    let few = (1..).map(within).find(|(_, most)| *most >= made(&program)).unwrap();
    assert_eq!((few.1, few.0.is_ok()), (made(&program), true));
    let (refused, most) = (1..).map(within).take_while(|(_, most)| *most < made(&program)).last().unwrap();
    assert_eq!(most, made(&program) - 1);
    let errors = refused.expect_err("one statement more");
    assert_eq!(errors.constructs[0].construct, "this derivative");
    assert_eq!(errors.prov.backtrace(errors.constructs[0].prov), []);
}
