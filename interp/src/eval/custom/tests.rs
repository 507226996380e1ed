//! Rules that are not the function's derivative, so that it shows who was asked.

use crate::testing::*;
use crate::{Ctx, eval};
use futi_core::failure::FailureKind;
use futi_core::value::Value;

fn fs(xs: &[f64]) -> Value {
    floats(&[xs.len()], xs)
}

/// x², which saves x.
const SQUARE: &str =
    "custom \\(x_31: f64) -> (f64, f64) { let (q_32: f64) = mul.f64(x_31, x_31) in (x_31, q_32) } saved 1";
/// Says that its adjoint is x³ ȳ.
const VJP: &str = "vjp \\(s_41: f64, y_42: f64) -> (f64) { let (a_43: f64) = mul.f64(s_41, s_41) let (b_44: f64) = mul.f64(a_43, s_41) let (c_45: f64) = mul.f64(b_44, y_42) in (c_45) }";
/// Says that its tangent is x⁴ ẋ.
const JVP: &str = "jvp \\(x_51: f64, t_52: f64) -> (f64) { let (a_53: f64) = mul.f64(x_51, x_51) let (b_54: f64) = mul.f64(a_53, a_53) let (c_55: f64) = mul.f64(b_54, t_52) in (c_55) }";

fn function(rules: &str) -> String {
    format!("\\(x_1: f64) -> (f64) {{ let (y_2: f64) = {SQUARE} {rules} at (x_1) in (y_2) }}")
}

#[test]
fn each_mode_asks_its_rule() {
    let at = [float(3.)];
    let both = |rules: &str| {
        let f = function(rules);
        [jvp(&f, &at, &[float(1.)]).remove(0), vjp(&f, &at, &[float(1.)]).remove(0)]
    };
    assert_eq!(both(""), [float(6.), float(6.)]);
    assert_eq!(both(VJP), [float(6.), float(27.)]);
    // the forward rule transposed
    assert_eq!(both(JVP), [float(81.), float(81.)]);
    assert_eq!(both(&format!("{VJP} {JVP}")), [float(81.), float(27.)]);
    let p = ir(&format!(
        "fun \"main\"(x_1: f64) -> (r_9: f64) {{ let (y_2: f64) = {SQUARE} {VJP} {JVP} at (x_1) in (y_2) }}"
    ));
    assert_eq!(run(&p, &at), [float(9.)]);
}

/// The derivative, by this mode, of a function of one number.
fn derived(mode: &str, f: &str) -> String {
    format!("\\(u_71: f64) -> (f64) {{ let (p_72: f64, d_73: f64) = {mode} {f} at (u_71) with (1.0f64) in (d_73) }}")
}

#[test]
fn derivatives_of_derivatives_are_those_of_the_rules() {
    let at = [float(3.)];
    for (rules, inner, expected) in [
        // x³ has derivative 3x², x⁴ 4x³, by either outer mode
        (VJP.to_string(), "vjp", 27.),
        (JVP.to_string(), "jvp", 108.),
        (JVP.to_string(), "vjp", 108.),
        (format!("{VJP} {JVP}"), "vjp", 27.),
        (format!("{VJP} {JVP}"), "jvp", 108.),
        (String::new(), "jvp", 2.),
    ] {
        let f = derived(inner, &function(&rules));
        assert_eq!(jvp(&f, &at, &[float(1.)]), [float(expected)], "jvp of {inner}, {rules}");
        assert_eq!(vjp(&f, &at, &[float(1.)]), [float(expected)], "vjp of {inner}, {rules}");
    }
    // third order: 6x
    let f = derived("vjp", &function(VJP)).replace("_7", "_8");
    let f = derived("jvp", &f);
    assert_eq!(vjp(&f, &at, &[float(1.)]), [float(18.)]);
}

/// (a, b) ↦ (a b, a + b), whose rules weigh what they say by 2 and 3.
fn pair(free: &str) -> String {
    format!(
        "\\(a_1: f64, b_2: f64) -> (f64, f64) {{ let (p_3: f64, q_4: f64) = custom \\(x_31: f64, y_32: f64) -> (f64, f64, f64, f64) {{ \
         let (m_33: f64) = mul.f64(x_31, y_32) let (s_34: f64) = add.f64(x_31, y_32) in (x_31, y_32, m_33, s_34) }} saved 2 \
         vjp \\(x_41: f64, y_42: f64, m_43: f64, s_44: f64) -> (f64, f64) {{ let (a_45: f64) = mul.f64(m_43, y_42) let (b_46: f64) = mul.f64(m_43, x_41) \
         let (c_47: f64) = mul.f64(2.0f64, s_44) let (d_48: f64) = mul.f64(3.0f64, s_44) let (e_49: f64) = add.f64(a_45, c_47) let (f_50: f64) = add.f64(b_46, d_48) in (e_49, f_50) }} \
         at {free} in (p_3, q_4) }}"
    )
}

#[test]
fn several_results_and_arguments() {
    let at = [float(3.), float(5.)];
    // (5 + 2, 3 + 3); one result alone: (5, 3) and (2, 3)
    assert_eq!(vjp(&pair("(a_1, b_2)"), &at, &[float(1.), float(1.)]), [float(7.), float(6.)]);
    assert_eq!(vjp(&pair("(a_1, b_2)"), &at, &[float(1.), float(0.)]), [float(5.), float(3.)]);
    assert_eq!(vjp(&pair("(a_1, b_2)"), &at, &[float(0.), float(1.)]), [float(2.), float(3.)]);
    // an argument twice, a constant argument, no dependence at all
    assert_eq!(vjp(&pair("(a_1, a_1)"), &at, &[float(1.), float(1.)]), [float(3. + 2. + 3. + 3.), float(0.)]);
    assert_eq!(vjp(&pair("(7.0f64, b_2)"), &at, &[float(1.), float(1.)]), [float(0.), float(10.)]);
    assert_eq!(vjp(&pair("(7.0f64, 8.0f64)"), &at, &[float(1.), float(1.)]), [float(0.), float(0.)]);
    // one result is not used
    let f = pair("(a_1, b_2)")
        .replace("-> (f64, f64) { let (p_3", "-> (f64) { let (p_3")
        .replace("in (p_3, q_4) }", "in (q_4) }");
    assert_eq!(vjp(&f, &at, &[float(1.)]), [float(2.), float(3.)]);
    // two directions at once
    let f = format!(
        "fun \"main\"(x_60: f64, y_61: f64, s_62: [2]f64, t_63: [2]f64) -> (r_64: [2]f64, q_65: [2]f64) {{ \
         let (a_66: f64, b_67: f64, c_68: [2]f64, d_69: [2]f64) = vjp [2] {} at (x_60, y_61) with (s_62, t_63) in (c_68, d_69) }}",
        pair("(a_1, b_2)")
    );
    let args = [at[0].clone(), at[1].clone(), fs(&[1., 0.]), fs(&[0., 1.])];
    assert_eq!(run(&ir(&f), &args), [fs(&[5., 2.]), fs(&[3., 3.])]);
}

#[test]
fn derivatives_by_free_variables_are_refused() {
    // λ x = x w with w free; the rules say w ẋ and w ȳ, nothing of w
    let f = |rules: &str| {
        format!(
            "\\(x_1: f64, w_2: f64) -> (f64) {{ let (y_3: f64) = custom \\(x_31: f64) -> (f64) {{ let (m_32: f64) = mul.f64(x_31, w_2) in (m_32) }} saved 0 {rules} at (x_1) in (y_3) }}"
        )
    };
    let forward = "jvp \\(x_41: f64, t_42: f64) -> (f64) { let (r_43: f64) = mul.f64(t_42, w_2) in (r_43) }";
    let reverse = "vjp \\(y_51: f64) -> (f64) { let (r_52: f64) = mul.f64(y_51, w_2) in (r_52) }";
    let at = [float(3.), float(5.)];
    let refused = |mode: &str, rules: &str, seeds: &[Value]| {
        let p = derivative_program(mode, &f(rules), &at, seeds);
        eval(&p, "main", &[&at[..], seeds].concat(), &Ctx::default()).map_err(|e| e.kind)
            == Err(FailureKind::Derivative)
    };
    assert!(refused("vjp", reverse, &[float(1.)]) && refused("vjp", forward, &[float(1.)]));
    assert!(refused("jvp", forward, &[float(1.), float(10.)]));
    // without a rule for the mode the function is differentiated, and so it is where w is a constant
    assert_eq!(gradient(&f(""), &at, &[float(1.)]), [float(5.), float(3.)]);
    let constant = |rules| f(rules).replace("(x_1: f64, w_2: f64)", "(x_1: f64)").replace("w_2", "5.0f64");
    for rules in [reverse, forward] {
        assert_eq!(vjp(&constant(rules), &at[..1], &[float(1.)]), [float(5.)]);
    }
}

#[test]
fn rules_run_after_the_function_has_returned_and_once_for_each_row() {
    // sum of x² over an array, through a call, in a map; sizes are free in the rule
    let p = format!(
        "fun \"main\"(xs_0: [3]f64) -> (r_1: [3]f64) {{ let (p_2: f64, a_3: [3]f64) = vjp \\(xs_4: [3]f64) -> (f64) {{ let (s_5: f64) = screma 3 (xs_4) map \\(x_6: f64) -> (f64) {{ \
         let (y_7: f64) = call \"square\"(x_6, 2.0f64) in (y_7) }} reduce comm \\(x_8: f64, y_9: f64) -> (f64) {{ let (z_10: f64) = add.f64(x_8, y_9) in (z_10) }} neutral (0.0f64) in (s_5) }} \
         at (xs_0) with (1.0f64) in (a_3) }} \
         fun \"square\"(x_20: f64, w_21: f64) -> (r_22: f64) {{ let (y_23: f64) = {SQUARE} vjp \\(s_41: f64, y_42: f64) -> (f64) {{ let (c_45: f64) = mul.f64(w_21, y_42) let (d_46: f64) = mul.f64(c_45, s_41) in (d_46) }} at (x_20) in (y_23) }}"
    );
    assert_eq!(run(&ir(&p), &[fs(&[1., 2., 3.])]), [fs(&[2., 4., 6.])]);
}

#[test]
fn arrays_go_through_rules() {
    // reverse, by rules of its own
    let f = |rule: &str| {
        format!(
            "\\(xs_1: [3]f64) -> ([3]f64) {{ let (y_2: [3]f64) = custom \\(zs_3: [3]f64) -> ([3]f64) {{ let (r_4: [3]f64) = reverse zs_3 in (r_4) }} saved 0 {rule} at (xs_1) in (y_2) }}"
        )
    };
    let args = [fs(&[1., 2., 3.])];
    let seeds = [fs(&[1., 10., 100.])];
    let reverse = "vjp \\(y_5: [3]f64) -> ([3]f64) { let (r_6: [3]f64) = reverse y_5 in (r_6) }";
    let forward = "jvp \\(x_7: [3]f64, t_8: [3]f64) -> ([3]f64) { let (r_9: [3]f64) = reverse t_8 in (r_9) }";
    for rules in ["".to_string(), reverse.to_string(), forward.to_string(), format!("{reverse} {forward}")] {
        assert_eq!(gradient(&f(&rules), &args, &seeds), [fs(&[100., 10., 1.])], "{rules}");
    }
}

#[test]
fn several_arrays_go_through_a_rule() {
    // (x, x), whose rule says of adjoints (y, z): z reversed
    let f = "\\(xs_1: [3]f64) -> ([3]f64, [3]f64) { let (a_2: [3]f64, b_3: [3]f64) = custom \\(zs_4: [3]f64) -> ([3]f64, [3]f64) { in (zs_4, zs_4) } saved 0 \
             vjp \\(y_5: [3]f64, z_6: [3]f64) -> ([3]f64) { let (r_7: [3]f64) = reverse z_6 in (r_7) } at (xs_1) in (a_2, b_3) }";
    let seeds = [fs(&[1., 10., 100.]), fs(&[2., 20., 200.])];
    assert_eq!(vjp(f, &[fs(&[1., 2., 3.])], &seeds), [fs(&[200., 20., 2.])]);
    // y reversed
    let f = f.replace("reverse z_6", "reverse y_5");
    assert_eq!(vjp(&f, &[fs(&[1., 2., 3.])], &seeds), [fs(&[100., 10., 1.])]);
}

#[test]
fn no_rule_is_asked_about_scratch() {
    // (x, s), whose rule says that nothing of s changes; its tangent in strict mode is what has not been written
    let f = "\\(x_1: f64) -> (f64) { let (s_2: [1]i8) = scratch [1]i8 let (y_3: f64, r_4: [1]i8) = custom \\(a_5: f64, b_6: [1]i8) -> (f64, [1]i8) { in (a_5, b_6) } saved 0 \
             jvp \\(a_7: f64, b_8: [1]i8, c_9: f64, d_10: [1]i8) -> (f64, [1]i8) { let (z_11: [1]i8) = replicate [1] 0i8 in (c_9, z_11) } at (x_1, s_2) \
             let (e_12: i8) = index r_4[0i64] let (g_13: f64) = conv.i8.f64(e_12) let (h_14: f64) = add.f64(y_3, g_13) in (h_14) }";
    let p = derivative_program("jvp", f, &[float(1.)], &[float(1.)]);
    let run = |ctx: &Ctx| eval(&p, "main", &[float(1.), float(1.)], ctx);
    assert_eq!(run(&Ctx::default()).unwrap(), [float(1.), float(1.)]);
    let e = run(&Ctx::strict()).unwrap_err();
    assert_eq!(e.message, "An element of a scratch array is read before it is written.");
}

#[test]
fn a_trace_that_is_a_program_has_the_steps_of_the_function() {
    let p = ir(&format!(
        "fun \"main\"(x_1: f64) -> (r_9: f64) {{ let (y_2: f64) = {SQUARE} {VJP} {JVP} at (x_1) in (y_2) }}"
    ));
    let trace = crate::trace(&p, "main", &[float(3.)], &Ctx::default()).unwrap();
    assert_eq!(run(&trace.program, &[float(4.)]), [float(16.)]);
}
