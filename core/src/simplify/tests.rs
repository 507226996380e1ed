//! Rules of the simplifier, on IR text: what becomes of a body.

use super::{rules, simplify};
use crate::analysis::Analyses;
use crate::ir::check::errors;
use crate::ir::*;

/// The program simplified, which stays well-formed, also in between.
fn simplified(text: &str) -> Program {
    let program: Program = format!("futi-ir 1\n{text}").parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(errors(&program), [], "{program}");
    let once = rules(program.clone(), &mut Analyses::default());
    assert_eq!(errors(&once), [], "{once}");
    let program = simplify(program, &mut Analyses::default());
    assert_eq!(errors(&program), [], "{program}");
    assert_eq!(simplify(program.clone(), &mut Analyses::default()), program, "not a fixed point");
    program
}

/// The body of `fun f(n, xs: [n], *ys: [n], x, y, i, j, b) -> result` simplified, on one line.
fn body(result: &str, text: &str) -> String {
    let params = "n_0: i64, xs_1: [n_0]f64, *ys_2: [n_0]f64, x_3: f64, y_4: f64, i_5: i64, j_6: i64, b_7: bool";
    let program = simplified(&format!("fun \"f\"({params}) -> ({result}) {{ {text} }}"));
    let text = program.to_string();
    let (_, body) = text.split_once('{').unwrap();
    let (body, _) = body.rsplit_once('}').unwrap();
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn constants_and_identities() {
    let f64 = |text: &str| body("r_9: f64", text);
    assert_eq!(f64("let (a_10: f64) = mul.f64(2.0f64, 3.0f64) in (a_10)"), "in (6.0f64)");
    assert_eq!(f64("let (a_10: f64) = mul.f64(x_3, 1.0f64) in (a_10)"), "in (x_3)");
    // x + 0.0 is not x at -0.0; x - 0.0 and x + -0.0 are
    assert_eq!(
        f64("let (a_10: f64) = add.f64(x_3, 0.0f64) in (a_10)"),
        "let (a_10: f64) = add.f64(x_3, 0.0f64) in (a_10)"
    );
    assert_eq!(f64("let (a_10: f64) = add.f64(x_3, -0.0f64) in (a_10)"), "in (x_3)");
    assert_eq!(f64("let (a_10: f64) = sub.f64(x_3, 0.0f64) in (a_10)"), "in (x_3)");
    // 0*x is not 0 at infinity
    assert_eq!(
        f64("let (a_10: f64) = mul.f64(x_3, 0.0f64) in (a_10)"),
        "let (a_10: f64) = mul.f64(x_3, 0.0f64) in (a_10)"
    );
    assert_eq!(
        f64("let (a_10: f64) = neg.f64(y_4) let (c_11: f64) = add.f64(x_3, a_10) in (c_11)"),
        "let (c_11: f64) = sub.f64(x_3, y_4) in (c_11)"
    );
    // the scaled value is a constant
    assert_eq!(f64("let (a_10: f64) = zmul.f64(x_3, 1.0f64) in (a_10)"), "in (x_3)");
    assert_eq!(
        f64("let (a_10: f64) = zmul.f64(-2.0f64, x_3) in (a_10)"),
        "let (a_10: f64) = mul.f64(-2.0f64, x_3) in (a_10)"
    );
    // zero times x is -0 for some x, times infinity it is 0
    // integers have no infinity
    assert_eq!(
        body("r_9: i64", "let (a_10: i64) = zmul.i64(i_5, j_6) in (a_10)"),
        "let (a_10: i64) = mul.i64(i_5, j_6) in (a_10)"
    );
    let kept = "let (a_10: f64) = zmul.f64(x_3, 0.0f64) in (a_10)";
    assert_eq!(f64(kept), kept);
    let i64 = |text: &str| body("r_9: i64", text);
    assert_eq!(i64("let (a_10: i64) = mul.i64(i_5, 0i64) in (a_10)"), "in (0i64)");
    assert_eq!(i64("let (a_10: i64) = sub.i64(i_5, j_6) let (c_11: i64) = add.i64(a_10, j_6) in (c_11)"), "in (i_5)");
    // a size is not negative, another variable may be
    assert_eq!(i64("let (a_10: i64) = max.i64(n_0, 0i64) in (a_10)"), "in (n_0)");
    assert_eq!(i64("let (a_10: i64) = max.i64(i_5, 0i64) in (a_10)"), "let (a_10: i64) = max.i64(i_5, 0i64) in (a_10)");
    let bool = |text: &str| body("r_9: bool", text);
    assert_eq!(bool("let (a_10: bool) = and.bool(b_7, true) in (a_10)"), "in (b_7)");
    assert_eq!(bool("let (a_10: bool) = eq.i64(i_5, i_5) in (a_10)"), "in (true)");
    // NaN is not NaN
    assert_eq!(bool("let (a_10: bool) = eq.f64(x_3, x_3) in (a_10)"), "let (a_10: bool) = eq.f64(x_3, x_3) in (a_10)");
}

#[test]
fn identities_of_integers_and_booleans() {
    let i64 = |exp: &str| body("r_9: i64", &format!("let (a_10: i64) = {exp} in (a_10)"));
    for same in ["add.i64(0i64, i_5)", "sub.i64(i_5, 0i64)", "mul.i64(1i64, i_5)", "mul.i64(i_5, 1i64)"] {
        assert_eq!(i64(same), "in (i_5)", "{same}");
    }
    for same in ["quot.i64(i_5, 1i64)", "min.i64(i_5, i_5)", "and.i64(i_5, i_5)", "select.i64(b_7, i_5, i_5)"] {
        assert_eq!(i64(same), "in (i_5)", "{same}");
    }
    assert_eq!(i64("sub.i64(i_5, i_5)"), "in (0i64)");
    for negated in ["mul.i64(-1i64, i_5)", "mul.i64(i_5, -1i64)"] {
        assert_eq!(i64(negated), "let (a_10: i64) = neg.i64(i_5) in (a_10)", "{negated}");
    }
    for (bounded, result) in
        [("max.i64(0i64, n_0)", "n_0"), ("min.i64(n_0, 0i64)", "0i64"), ("min.i64(0i64, n_0)", "0i64")]
    {
        assert_eq!(i64(bounded), format!("in ({result})"), "{bounded}");
    }
    let two = |first: &str, second: &str| {
        body("r_9: i64", &format!("let (a_10: i64) = {first} let (c_11: i64) = {second} in (c_11)"))
    };
    // x - (x - z), (y + z) - y, (z + y) - y, x + -y, x - -y, - -x
    assert_eq!(two("sub.i64(i_5, j_6)", "sub.i64(i_5, a_10)"), "in (j_6)");
    assert_eq!(two("add.i64(i_5, j_6)", "sub.i64(a_10, i_5)"), "in (j_6)");
    assert_eq!(two("add.i64(i_5, j_6)", "sub.i64(a_10, j_6)"), "in (i_5)");
    assert_eq!(two("neg.i64(j_6)", "add.i64(i_5, a_10)"), "let (c_11: i64) = sub.i64(i_5, j_6) in (c_11)");
    assert_eq!(two("neg.i64(j_6)", "sub.i64(i_5, a_10)"), "let (c_11: i64) = add.i64(i_5, j_6) in (c_11)");
    assert_eq!(two("neg.i64(i_5)", "neg.i64(a_10)"), "in (i_5)");

    let bool = |exp: &str| body("r_9: bool", &format!("let (a_10: bool) = {exp} in (a_10)"));
    for same in [
        "and.bool(true, b_7)",
        "or.bool(false, b_7)",
        "or.bool(b_7, false)",
        "eq.bool(b_7, true)",
        "eq.bool(true, b_7)",
    ] {
        assert_eq!(bool(same), "in (b_7)", "{same}");
    }
    assert_eq!(bool("select.bool(b_7, true, false)"), "in (b_7)");
    assert_eq!(bool("select.bool(b_7, false, true)"), "let (a_10: bool) = select.bool(b_7, false, true) in (a_10)");
    assert_eq!(bool("select.bool(b_7, true, true)"), "in (true)");
    for no in ["and.bool(false, b_7)", "and.bool(b_7, false)", "lt.f64(x_3, x_3)", "lt.i64(n_0, 0i64)"] {
        assert_eq!(bool(no), "in (false)", "{no}");
    }
    for yes in ["or.bool(true, b_7)", "or.bool(b_7, true)", "le.i64(i_5, i_5)", "le.i64(0i64, n_0)"] {
        assert_eq!(bool(yes), "in (true)", "{yes}");
    }
    let not =
        |exp: &str| body("r_9: bool", &format!("let (a_10: bool) = {exp} let (c_11: bool) = not.bool(a_10) in (c_11)"));
    // the opposite order, where there is no NaN
    assert_eq!(not("lt.i64(i_5, j_6)"), "let (c_11: bool) = le.i64(j_6, i_5) in (c_11)");
    assert_eq!(not("le.i64(i_5, j_6)"), "let (c_11: bool) = lt.i64(j_6, i_5) in (c_11)");
    assert_eq!(not("not.bool(b_7)"), "in (b_7)");
    let kept = "let (a_10: bool) = lt.f64(x_3, y_4) let (c_11: bool) = not.bool(a_10) in (c_11)";
    assert_eq!(not("lt.f64(x_3, y_4)"), kept);
}

#[test]
fn checks_that_cannot_fail() {
    let holds = |check: &str| {
        let text = format!("let (c_20: cert) = check {check} let (a_10: i64) = i_5 certs (c_20) in (a_10)");
        body("r_9: i64", &text) == "in (i_5)"
    };
    let holding = ["nonzero 2i64", "exponent 0i64", "exponent n_0", "nonnegative n_0", "size [n_0] = [n_0]"];
    for yes in holding.into_iter().chain(["range upto (0i64, 1i64, n_0)", "range upto (3i64, 4i64, 3i64)"]) {
        assert!(holds(yes), "{yes}");
    }
    for yes in
        ["range downto (3i64, 2i64, 3i64)", "range inclusive (3i64, 4i64, 3i64)", "range inclusive (3i64, 2i64, 3i64)"]
    {
        assert!(holds(yes), "{yes}");
    }
    let open = ["nonzero 0i64", "nonzero i_5", "exponent -1i64", "exponent i_5", "nonnegative i_5", "size [n_0] = [2]"];
    for no in open.into_iter().chain(["range upto (0i64, 0i64, n_0)", "range upto (0i64, 1i64, i_5)"]) {
        assert!(!holds(no), "{no}");
    }
    // an empty step, and an end on the wrong side
    for no in
        ["upto (3i64, 3i64, 4i64)", "upto (3i64, 4i64, 2i64)", "downto (3i64, 3i64, 2i64)", "downto (3i64, 2i64, 4i64)"]
    {
        assert!(!holds(&format!("range {no}")), "{no}");
    }
    for no in ["(3i64, 3i64, 3i64)", "(3i64, 4i64, 2i64)", "(3i64, 2i64, 4i64)", "(0i64, 1i64, n_0)"] {
        assert!(!holds(&format!("range inclusive {no}")), "{no}");
    }
    assert!(!holds("range downto (0i64, 1i64, n_0)"));
}

#[test]
fn reads_of_known_arrays() {
    let f64 = |text: &str| body("r_9: f64", text);
    let i64 = |text: &str| body("r_9: i64", text);
    let at = "let (c_20: cert) = check bounds (i_5) [n_0]";
    let replicate = format!(
        "{at} let (a_10: [n_0]f64) = replicate [n_0] x_3 let (r_11: f64) = index a_10[i_5] certs (c_20) in (r_11)"
    );
    // the element is known, but the program still fails when there is none
    assert_eq!(f64(&replicate), format!("{at} let (r_11: f64) = x_3 certs (c_20) in (r_11)"));
    let iota = "let (a_10: [n_0]i64) = iota i64 (n_0, 0i64, 1i64) let (r_11: i64) = index a_10[i_5] in (r_11)";
    assert_eq!(i64(iota), "in (i_5)");
    let turned = "let (a_10: [2][n_0]f64) = replicate [2] xs_1 let (b_11: [n_0][2]f64) = rearrange (1, 0) a_10 \
                  let (r_12: f64) = index b_11[0i64, 1i64] in (r_12)";
    assert_eq!(f64(turned), "let (r_12: f64) = index xs_1[0i64] in (r_12)");
    let back = "let (a_10: [n_0]f64) = reverse xs_1 let (b_11: [n_0]f64) = reverse a_10 let (r_12: f64) = index b_11[0i64] in (r_12)";
    assert_eq!(f64(back), "let (r_12: f64) = index xs_1[0i64] in (r_12)");
    // ys is consumed in between: its copy is not ys
    let copy = "let (a_10: [n_0]f64) = copy ys_2 let (z_11: [n_0]f64) = update ys_2[0i64] = x_3 \
                let (r_12: f64) = index a_10[0i64] in (r_12, z_11)";
    assert!(body("r_9: f64, *s_8: [n_0]f64", copy).contains("copy ys_2"));
}

#[test]
fn soacs() {
    let array = |text: &str| body("r_9: [n_0]f64", text);
    let identity = "let (a_10: [n_0]f64) = screma n_0 (xs_1) map \\(p_11: f64) -> (f64) { in (p_11) } in (a_10)";
    assert_eq!(array(identity), "in (xs_1)");
    // a read at the index of the map is a row
    let gather = "let (i_10: [n_0]i64) = iota i64 (n_0, 0i64, 1i64) \
                  let (a_11: [n_0]f64) = screma n_0 (i_10) map \\(p_12: i64) -> (f64) { \
                    let (c_13: cert) = check bounds (p_12) [n_0] let (v_14: f64) = index xs_1[p_12] certs (c_13) in (v_14) } in (a_11)";
    assert_eq!(array(gather), "in (xs_1)");
    let constant = "let (a_10: [n_0]f64) = screma n_0 (xs_1) map \\(p_11: f64) -> (f64) { in (x_3) } in (a_10)";
    assert_eq!(array(constant), "let (a_10: [n_0]f64) = replicate [n_0] x_3 in (a_10)");
    // invariant code leaves, a check stays inside
    let invariant = "let (a_10: [n_0]f64) = screma n_0 (xs_1) map \\(p_11: f64) -> (f64) { \
                     let (s_12: f64) = mul.f64(x_3, y_4) let (t_13: f64) = add.f64(p_11, s_12) \
                     let (c_14: cert) = check bounds (i_5) [n_0] let (v_15: f64) = index xs_1[i_5] certs (c_14) \
                     let (w_16: f64) = add.f64(t_13, v_15) in (w_16) } in (a_10)";
    let out = array(invariant);
    assert!(out.starts_with("let (s_12: f64) = mul.f64(x_3, y_4) let (a_10: [n_0]f64) = screma"), "{out}");
    assert!(out.find("check bounds") > out.find("screma"), "{out}");
}

#[test]
fn dead_results_and_parameters() {
    // of two mapped results, a reduction and a scan, one reduction is used
    let soac = "let (s_10: [n_0]f64, r_11: f64, m_12: [n_0]f64) = screma n_0 (xs_1) map \\(p_13: f64) -> (f64, f64, f64) { \
                let (e_14: f64) = exp.f64(p_13) in (e_14, p_13, e_14) } \
                scan \\(a_15: f64, b_16: f64) -> (f64) { let (t_17: f64) = mul.f64(a_15, b_16) in (t_17) } neutral (1.0f64) \
                reduce \\(a_18: f64, b_19: f64) -> (f64) { let (t_20: f64) = add.f64(a_18, b_19) in (t_20) } neutral (0.0f64) \
                in (r_11)";
    let out = body("r_9: f64", soac);
    assert!(!out.contains("exp") && !out.contains("scan"), "{out}");
    // q only feeds itself; k counts and is used
    let dead = "let (k_10: i64, q_11: f64, z_12: i64) = loop (k_13: i64 = 0i64, q_14: f64 = x_3, z_15: i64 = j_6) for l_16: i64 < n_0 do { \
                let (k_17: i64) = add.i64(k_13, z_15) let (q_18: f64) = sin.f64(q_14) in (k_17, q_18, z_15) } in (k_10)";
    assert_eq!(
        body("r_9: i64", dead),
        "let (k_10: i64) = loop (k_13: i64 = 0i64) for l_16: i64 < n_0 do { \
         let (k_17: i64) = add.i64(k_13, j_6) in (k_17) } in (k_10)"
    );
    // an accumulator that is not updated, and one whose array nobody wants
    let acc = "let (a_10: [n_0]f64, v_11: f64) = withacc input [n_0] (ys_2) \\(x_12: f64, y_13: f64) -> (f64) { \
               let (t_14: f64) = add.f64(x_12, y_13) in (t_14) } neutral (0.0f64) \
               do \\(id_15: cert, acc_16: acc(id_15, [n_0] (f64))) -> (acc(id_15, [n_0] (f64)), f64) { UPDATE let (w_18: f64) = sin.f64(x_3) in (acc_17, w_18) }";
    let update = "let (acc_17: acc(id_15, [n_0] (f64))) = updacc acc_16[i_5] (x_3)";
    let alias = "let (acc_17: acc(id_15, [n_0] (f64))) = acc_16";
    assert_eq!(
        body("r_9: f64", &format!("{} in (v_11)", acc.replace("UPDATE", update))),
        "let (w_18: f64) = sin.f64(x_3) in (w_18)"
    );
    assert_eq!(body("*r_9: [n_0]f64", &format!("{} in (a_10)", acc.replace("UPDATE", alias))), "in (ys_2)");
}

#[test]
fn checks() {
    let checked = |check: &str| {
        let out = body(
            "r_9: f64",
            &format!("let (c_10: cert) = check {check} let (r_11: f64) = mul.f64(x_3, y_4) certs (c_10) in (r_11)"),
        );
        out.contains("check")
    };
    assert!(!checked("size [n_0] = [n_0]"));
    assert!(checked("size [n_0] = [3]"));
    assert!(!checked("bounds (1i64) [2]"));
    assert!(checked("bounds (2i64) [2]"));
    assert!(checked("bounds (0i64) [n_0]"));
    assert!(!checked("nonzero 3i64"));
    assert!(checked("nonzero 0i64"));
    assert!(!checked("nonnegative n_0"));
    assert!(checked("nonnegative i_5"));
    assert!(!checked("assert true \"\""));
    // an index of a loop, forwards and backwards
    let looped = |index: &str| {
        let out = body(
            "r_9: f64",
            &format!(
                "let (l_10: i64) = sub.i64(n_0, 1i64) let (s_11: f64) = loop (s_12: f64 = x_3) for k_13: i64 < n_0 do {{ \
                 let (m_14: i64) = {index} let (c_15: cert) = check bounds (m_14) [n_0] \
                 let (v_16: f64) = index xs_1[m_14] certs (c_15) let (t_17: f64) = add.f64(s_12, v_16) in (t_17) }} in (s_11)"
            ),
        );
        out.contains("check")
    };
    assert!(!looped("k_13"));
    assert!(!looped("sub.i64(l_10, k_13)"));
    assert!(looped("add.i64(k_13, 1i64)"));
}

#[test]
fn branches_and_loops() {
    let f64 = |text: &str| body("r_9: f64", text);
    let known = "let (r_10: f64) = if b_7 then { let (s_11: f64) = if b_7 then { in (x_3) } else { in (y_4) } in (s_11) } \
                 else { in (y_4) } in (r_10)";
    assert_eq!(f64(known), "let (r_10: f64) = if b_7 then { in (x_3) } else { in (y_4) } in (r_10)");
    let same = "let (r_10: f64, q_11: f64) = if b_7 then { in (x_3, x_3) } else { in (x_3, y_4) } in (r_10)";
    assert_eq!(f64(same), "in (x_3)");
    let once = "let (r_10: f64) = loop (s_11: f64 = x_3) for k_12: i64 < 1i64 do { \
                let (t_13: f64) = conv.i64.f64(k_12) let (u_14: f64) = sub.f64(s_11, t_13) in (u_14) } in (r_10)";
    assert_eq!(f64(once), "in (x_3)");
    let never = "let (r_10: f64) = loop (s_11: f64 = x_3) for k_12: i64 < -2i64 do { in (y_4) } in (r_10)";
    assert_eq!(f64(never), "in (x_3)");
}

#[test]
fn common_subexpressions() {
    // what dominates is used again, in inner scopes too; what stands in a branch is not there after it
    let nested = "let (a_10: f64) = sin.f64(x_3) let (r_11: f64) = if b_7 then { let (c_12: f64) = sin.f64(x_3) in (c_12) } else { in (y_4) } \
                  let (s_13: f64) = add.f64(a_10, r_11) in (s_13)";
    assert_eq!(body("r_9: f64", nested).matches("sin").count(), 1);
    let branches = "let (r_11: f64) = if b_7 then { let (c_12: f64) = sin.f64(x_3) in (c_12) } else { in (y_4) } \
                    let (a_10: f64) = sin.f64(x_3) let (s_13: f64) = add.f64(a_10, r_11) in (s_13)";
    assert_eq!(body("r_9: f64", branches).matches("sin").count(), 2);
    // two arrays of which one is consumed stay two
    let fresh = "let (a_10: [n_0]f64) = replicate [n_0] x_3 let (b_11: [n_0]f64) = replicate [n_0] x_3 \
                 let (c_12: [n_0]f64) = update a_10[i_5] = y_4 in (c_12, b_11)";
    assert_eq!(body("*r_9: [n_0]f64, *s_8: [n_0]f64", fresh).matches("replicate").count(), 2);
}

#[test]
fn copies() {
    let made = "let (a_10: [n_0]f64) = replicate [n_0] x_3 let (b_11: [n_0]f64) = copy a_10 \
                let (c_12: [n_0]f64) = update b_11[i_5] = y_4";
    // a is not used after its copy is made
    let out = body("*r_9: [n_0]f64", &format!("{made} in (c_12)"));
    assert!(!out.contains("copy"), "{out}");
    let out = body("*r_9: [n_0]f64, s_8: f64", &format!("{made} let (v_13: f64) = index a_10[j_6] in (c_12, v_13)"));
    // a read of the replicate is x; nothing else reads a
    assert!(!out.contains("copy"), "{out}");
    let out = body("*r_9: [n_0]f64, *s_8: [n_0]f64", &format!("{made} in (c_12, a_10)"));
    assert!(out.matches("replicate").count() + out.matches("copy").count() == 2, "{out}");
}

#[test]
fn matches() {
    let f64 = |text: &str| body("r_9: f64", text);
    let cases = |scrutinees: &str, patterns: [&str; 2]| {
        let [a, b] = patterns;
        f64(&format!(
            "let (r_10: f64) = match ({scrutinees}) case ({a}) {{ in (1.0f64) }} case ({b}) {{ in (2.0f64) }} else {{ in (3.0f64) }} in (r_10)"
        ))
    };
    // what is known
    assert_eq!(cases("1i64", ["0i64", "1i64"]), "in (2.0f64)");
    assert_eq!(cases("7i64", ["0i64", "1i64"]), "in (3.0f64)");
    assert_eq!(cases("i_5", ["_", "1i64"]), "in (1.0f64)");
    // IEEE: zeros are equal, NaN is not itself
    assert_eq!(cases("-0.0f64", ["0.0f64", "_"]), "in (1.0f64)");
    assert_eq!(cases("f64.nan", ["f64.nan", "1.0f64"]), "in (3.0f64)");
    // two cases stay a match, and one whose scrutinee is known loses it
    assert!(cases("i_5", ["0i64", "1i64"]).contains("match (i_5)"));
    let one_left = cases("2i32, i_5, j_6", ["2i32, 0i64, _", "_, 1i64, _"]);
    assert!(one_left.contains("match (i_5) case (0i64)") && one_left.contains("case (1i64)"), "{one_left}");
    // one case is an if
    let single = cases("i_5, 3i32", ["5i64, 3i32", "_, 4i32"]);
    let cond = "let (is_11: bool) = eq.i64(i_5, 5i64)";
    assert_eq!(
        single,
        format!("{cond} let (r_10: f64) = if is_11 then {{ in (1.0f64) }} else {{ in (3.0f64) }} in (r_10)")
    );
    let boolean = "let (r_10: f64) = match (b_7) case (false) { in (x_3) } else { in (y_4) } in (r_10)";
    assert_eq!(f64(boolean), "let (r_10: f64) = if b_7 then { in (y_4) } else { in (x_3) } in (r_10)");
    // in a case its constants are known, but not those of floats, and results that all cases share are known
    let inside = "let (k_10: i32) = conv.i64.i32(i_5) let (r_11: i32, s_12: f64, t_13: f64) = match (k_10, x_3) \
                  case (1i32, 0.0f64) { let (a_14: i32) = add.i32(k_10, 1i32) in (a_14, y_4, x_3) } \
                  case (2i32, _) { in (k_10, y_4, 1.0f64) } else { in (k_10, y_4, 1.0f64) } in (r_11, s_12, t_13)";
    assert_eq!(
        body("r_9: i32, s_8: f64, t_20: f64", inside),
        "let (k_10: i32) = conv.i64.i32(i_5) let (r_11: i32, t_13: f64) = match (k_10, x_3) case (1i32, 0.0f64) { in (2i32, x_3) } \
         case (2i32, _) { in (2i32, 1.0f64) } else { in (k_10, 1.0f64) } in (r_11, y_4, t_13)"
    );
}

#[test]
fn checked_code_stays_checked() {
    let text = "let (c_10: cert) = check bounds (i_5) [n_0] \
                let (r_11: f64) = match (1i64) case (1i64) { in (x_3) } else { in (y_4) } certs (c_10) in (r_11)";
    assert_eq!(
        body("r_9: f64", text),
        "let (c_10: cert) = check bounds (i_5) [n_0] let (r_11: f64) = x_3 certs (c_10) in (r_11)"
    );
}

#[test]
fn slices() {
    let two = |text: &str| body("r_9: [2]f64", &format!("{text} in (a_10)"));
    let whole = "let (a_10: [n_0]f64) = slice xs_1[0i64 : n_0 : 1i64] in (a_10)";
    assert_eq!(body("r_9: [n_0]f64", whole), "in (xs_1)");
    let other = "let (a_10: [2]f64) = slice xs_1[0i64 : 2 : 1i64]";
    assert_eq!(two(other), format!("{other} in (a_10)"));
    let rows = "let (m_11: [n_0][2]f64) = rearrange (1, 0) m_12";
    let of_rows = |slice: &str| {
        let text = format!(
            "let (m_12: [2][n_0]f64) = array [xs_1, xs_1] of [n_0]f64 {rows} let (a_10: [2]f64) = slice m_11[{slice}] in (a_10)"
        );
        body("r_9: [2]f64", &text)
    };
    // only indices: an index, which may go through the transposition; dimensions that are taken whole at the end are not mentioned
    assert!(of_rows("i_5, 0i64 : 2 : 1i64").contains("index m_11[i_5]"));
    assert!(of_rows("i_5, 1i64 : 2 : -1i64").contains("slice m_11[i_5, 1i64 : 2 : -1i64]"));
    // an element of a slice is an element of the array, where the slice is checked
    let element = "let (c_10: cert) = check slice (i_5, j_6, 2i64) [n_0] let (a_11: [2]f64) = slice xs_1[i_5 : 2 : 2i64] certs (c_10) \
                   let (r_12: f64) = index a_11[1i64] in (r_12)";
    let out = body("r_9: f64", element);
    assert!(
        out.contains("add.i64(i_5, 2i64)")
            && out.contains("certs (c_10)")
            && !out.contains("= slice")
            && out.contains("index xs_1"),
        "{out}"
    );
    let update = "let (a_10: [n_0]f64) = updslice ys_2[0i64 : n_0 : 1i64] = xs_1 in (a_10)";
    assert_eq!(body("*r_9: [n_0]f64", update), "let (a_10: [n_0]f64) = copy xs_1 in (a_10)");
}

#[test]
fn rotations_and_layouts() {
    let array = |text: &str| body("r_9: [n_0]f64", text);
    assert_eq!(array("let (a_10: [n_0]f64) = rotate 0i64 xs_1 in (a_10)"), "in (xs_1)");
    assert!(array("let (a_10: [n_0]f64) = rotate i_5 xs_1 in (a_10)").contains("rotate"));
    let twice = |a: &str, b: &str| {
        array(&format!("let (a_10: [n_0]f64) = rotate {a} xs_1 let (b_11: [n_0]f64) = rotate {b} a_10 in (b_11)"))
    };
    assert_eq!(twice("2i64", "-5i64"), "let (b_11: [n_0]f64) = rotate -3i64 xs_1 in (b_11)");
    assert_eq!(twice("2i64", "-2i64"), "in (xs_1)");
    // a sum that wraps is another amount
    assert_eq!(twice("9223372036854775807i64", "1i64").matches("rotate").count(), 2);
    let three = "let (a_10: [3]f64) = array [x_3, y_4, x_3] of f64 let (b_11: [3]f64) = rotate 6i64 a_10 in (b_11)";
    assert!(!body("r_9: [3]f64", three).contains("rotate"));
    let same = "let (a_10: [n_0]f64) = replicate [n_0] x_3 let (b_11: [n_0]f64) = rotate i_5 a_10 in (b_11)";
    assert_eq!(array(same), "let (a_10: [n_0]f64) = replicate [n_0] x_3 in (a_10)");
    // the layout of what is made row-major is that already; of what is a view, nobody knows
    let made = "let (a_10: [n_0]f64) = reverse xs_1 let (b_11: [n_0]f64) = manifest (0) a_10 in (b_11)";
    assert_eq!(array(made), "let (a_10: [n_0]f64) = reverse xs_1 in (a_10)");
    assert!(array("let (b_11: [n_0]f64) = manifest (0) xs_1 in (b_11)").contains("manifest"));
    let matrix = |p: &str, q: &str| {
        let text = format!(
            "let (m_10: [2][n_0]f64) = array [xs_1, xs_1] of [n_0]f64 let (t_11: [n_0][2]f64) = rearrange (1, 0) m_10 \
             let (a_12: [n_0][2]f64) = manifest {p} t_11 let (b_13: [n_0][2]f64) = manifest {q} a_12 in (b_13)"
        );
        body("r_9: [n_0][2]f64", &text)
    };
    assert_eq!(matrix("(1, 0)", "(1, 0)").matches("manifest").count(), 1);
    let last = matrix("(1, 0)", "(0, 1)");
    assert!(last.contains("manifest (0, 1) t_11") && !last.contains("(1, 0) t_11"), "{last}");
}

#[test]
fn nothing_looks_through_opaque() {
    let sum = "let (a_10: i64) = opaque 2i64 let (r_11: i64) = add.i64(a_10, 3i64) in (r_11)";
    assert_eq!(body("r_9: i64", sum), sum);
    let array = "let (a_10: [n_0]f64) = replicate [n_0] x_3 let (b_11: [n_0]f64) = opaque a_10 let (r_12: f64) = index b_11[0i64] in (r_12)";
    assert_eq!(body("r_9: f64", array), array);
}

#[test]
fn checks_of_slices() {
    let checked = |slice: &str| {
        let text = format!(
            "let (s_9: f64) = loop (s_8: f64 = x_3) for k_10: i64 < n_0 do {{ let (c_11: cert) = check slice ({slice} \
             let (r_12: f64) = mul.f64(s_8, y_4) certs (c_11) in (r_12) }} in (s_9)"
        );
        body("r_20: f64", &text).contains("check")
    };
    for fine in [
        "0i64, n_0, 1i64) [n_0]",
        "0i64, k_10, 1i64) [n_0]",
        "k_10, n_0, 1i64) [n_0]",
        "0i64, 3i64, 1i64) [3]",
        "2i64, -1i64, -1i64) [3]",
        "3i64, 3i64, 1i64) [3]",
        "0i64, 3i64, 2i64) [3]",
    ] {
        assert!(!checked(fine), "{fine}");
    }
    for open in [
        "0i64, n_0, 0i64) [n_0]",
        "1i64, n_0, 1i64) [n_0]",
        "0i64, i_5, 1i64) [n_0]",
        "k_10, j_6, 1i64) [n_0]",
        "0i64, 4i64, 1i64) [3]",
        "0i64, 3i64, -1i64) [3]",
        "0i64, n_0, 2i64) [n_0]",
    ] {
        assert!(checked(open), "{open}");
    }
}

#[test]
fn what_follows_scans() {
    let scan = "scan comm \\(a_30: f64, b_31: f64) -> (f64) { let (t_32: f64) = add.f64(a_30, b_31) in (t_32) } neutral (0.0f64)";
    let post = |scan: &str, result: &str, params: &str, code: &str| {
        body(
            "r_9: [n_0]f64",
            &format!(
                "let (r_10: [n_0]f64) = screma n_0 (xs_1) map \\(p_11: f64) -> ({}f64) {{ in ({result}) }} {scan} \
                 post \\({params}) -> (f64) {{ {code} }} in (r_10)",
                if scan.is_empty() { "" } else { "f64, " }
            ),
        )
    };
    // without scans it is part of the map
    let out = post("", "p_11", "q_12: f64", "let (e_13: f64) = exp.f64(q_12) in (e_13)");
    assert!(out.contains("exp.f64(p_11)") && !out.contains("post"), "{out}");
    // an invariant row is not handed on
    let out = post(scan, "p_11, y_4", "q_12: f64, y_13: f64", "let (e_14: f64) = mul.f64(q_12, y_13) in (e_14)");
    assert!(out.contains("-> (f64) { in (p_11) }") && out.contains("mul.f64(q_12, y_4)"), "{out}");
    // nor computed; and what nothing but the outside determines is a replicate
    let out = post(scan, "p_11, p_11", "q_12: f64, y_13: f64", "in (x_3)");
    assert_eq!(out, "let (r_10: [n_0]f64) = replicate [n_0] x_3 in (r_10)");
}

#[test]
fn bodies_of_new_nodes_are_simplified() {
    let hist = "let (i_10: [n_0]i64) = iota i64 (n_0, 0i64, 1i64) let (o_11: [n_0]f64) = replicate [n_0] x_3 \
        let (h_12: [n_0]f64) = hist n_0 (i_10, o_11) map \\(p_13: i64, q_14: f64) -> (i64, f64) { \
        let (c_15: cert) = check bounds (p_13) [n_0] let (v_16: f64) = index xs_1[p_13] certs (c_15) \
        let (w_17: f64) = mul.f64(v_16, q_14) let (z_18: f64) = mul.f64(w_17, 1.0f64) in (p_13, z_18) } \
        dest [n_0] (ys_2) comm \\(a_19: f64, b_20: f64) -> (f64) { let (t_21: f64) = add.f64(a_19, b_20) in (t_21) } neutral (0.0f64) in (h_12)";
    let out = body("*r_9: [n_0]f64", hist);
    assert!(
        !out.contains("check")
            && !out.contains("replicate")
            && out.contains("hist n_0 (i_10, xs_1)")
            && out.matches("mul").count() == 1,
        "{out}"
    );
    // the size of a chunk is not negative, and rows of a replicate are known
    let stream = "let (s_10: i64) = streamseq n_0 (xs_1) from (0i64) chunk \\(c_11: i64, a_12: i64, xs_13: [c_11]f64) -> (i64) { \
        let (m_14: i64) = max.i64(c_11, 0i64) let (t_15: i64) = add.i64(a_12, m_14) in (t_15) } in (s_10)";
    assert!(!body("r_9: i64", stream).contains("max"));
    let custom = "let (r_10: f64) = custom \\(p_11: f64) -> (f64) { let (a_12: f64) = mul.f64(p_11, 1.0f64) in (a_12) } saved 0 \
        vjp \\(s_13: f64) -> (f64) { let (b_14: f64) = mul.f64(s_13, 1.0f64) in (b_14) } at (x_3) in (r_10)";
    let out = body("r_9: f64", custom);
    assert!(out.contains("custom") && !out.contains("mul"), "{out}");
}

#[test]
fn a_row_of_a_coerced_array_is_a_coerced_row() {
    let text = "fun \"f\"(n_0: i64, xs_1: [3][n_0]f64) -> (r_2: [2]f64, s_3: f64) { let (c_4: cert) = check size [n_0] = [2] \
        let (m_5: [3][2]f64) = coerce [3][2] xs_1 certs (c_4) let (row_6: [2]f64) = index m_5[1i64] let (x_7: f64) = index m_5[2i64, 0i64] \
        in (row_6, x_7) }";
    let out = simplified(text).to_string();
    assert!(
        out.contains("coerce [2] ") && !out.contains("coerce [3]") && out.contains("index xs_1[2i64, 0i64]"),
        "{out}"
    );
}

#[test]
fn who_asks_for_a_size_relies_on_what_the_array_relies_on() {
    let asked = "let (m_20: cert) = check made a_19 let (s_21: i64) = i_5 certs (m_20) in (s_21)";
    let iota = |name: &str| {
        format!(
            "let (c_10: cert) = check nonnegative i_5 let ({name}: [i_5]i64) = iota i64 (i_5, 0i64, 1i64) certs (c_10)"
        )
    };
    let size = |maker: &str| body("r_9: i64", &format!("{maker} {asked}"));
    let relies = "let (c_10: cert) = check nonnegative i_5 let (s_21: i64) = i_5 certs (c_10) in (s_21)";
    assert_eq!(size(&iota("a_19")), relies);
    assert_eq!(size(&format!("{} let (a_19: [i_5]i64) = reverse b_11", iota("b_11"))), relies);
    // of what concerns single elements, the size says nothing
    let map = |check: &str| {
        let map = "let (a_19: [i_5]i64) = screma i_5 (b_11) map \\(e_12: i64) -> (i64)";
        let body = "let (f_14: i64) = add.i64(e_12, 1i64) certs (d_13) in (f_14)";
        format!("{} {map} {{ let (d_13: cert) = check {check} {body} }}", iota("b_11"))
    };
    assert_eq!(size(&map("bounds (e_12) [n_0]")), relies);
    assert_eq!(size(&map("nonzero e_12")), relies);
    let kept = size(&map("assert b_7 \"b\""));
    assert!(kept.contains("check made a_19") && kept.contains("check assert b_7"), "{kept}");
    let kept = size(&map("nonnegative e_12"));
    assert!(kept.contains("check made a_19") && kept.contains("check nonnegative e_12"), "{kept}");
    // code of a branch is there wherever it is reached
    let branch = format!(
        "let (a_19: [2]i64) = if b_7 then {{ let (u_11: [2]i64) = iota i64 (2i64, 0i64, 1i64) in (u_11) }} else {{ let (v_12: [2]i64) = iota i64 (2i64, i_5, 1i64) in (v_12) }} {asked}"
    );
    assert_eq!(body("r_9: i64", &branch), "in (i_5)");
    // so is a row, in the function that is applied to it
    let row = "let (m_20: cert) = check made r_13 let (s_21: i64) = add.i64(n_0, i_5) certs (m_20) in (s_21)";
    let rows = format!(
        "let (c_10: cert) = check nonnegative i_5 let (a_12: [i_5][n_0]f64) = replicate [i_5] xs_1 certs (c_10) \
         let (b_14: [i_5]i64) = screma i_5 (a_12) map \\(r_13: [n_0]f64) -> (i64) {{ {row} }} in (b_14)"
    );
    assert!(!body("r_9: [i_5]i64", &rows).contains("made"), "{}", body("r_9: [i_5]i64", &rows));
    // nothing can prevent it, or nothing is known of it
    assert_eq!(size("let (a_19: [2]i64) = iota i64 (2i64, 0i64, 1i64)"), "in (i_5)");
    let parameter = "let (m_20: cert) = check made xs_1 let (s_21: i64) = n_0 certs (m_20) in (s_21)";
    assert_eq!(body("r_9: i64", parameter), parameter);
    let entry = format!(
        "entry \"f\"(n_0: i64, xs_1: [n_0]f64) -> (r_9: i64) sig 1 (\"xs\": [\"n\"]f64) -> i64 {{ {parameter} }}"
    );
    assert!(simplified(&entry).to_string().ends_with("{ in (n_0) }\n"), "{}", simplified(&entry));
}

#[test]
fn what_is_read_of_an_update_relies_on_the_array() {
    let read = |maker: &str| {
        let text = "let (d_12: cert) = check bounds (0i64) [i_5] let (u_13: [i_5]f64) = update a_11[0i64] = y_4 certs (d_12) \
                    let (e_14: f64) = index u_13[0i64] in (e_14)";
        body("r_9: f64", &format!("let (c_10: cert) = check nonnegative i_5 {maker} {text}"))
    };
    let checked = "let (c_10: cert) = check nonnegative i_5 let (d_12: cert) = check bounds (0i64) [i_5] \
                   let (e_14: f64) = y_4 certs (c_10, d_12) in (e_14)";
    assert_eq!(read("let (a_11: [i_5]f64) = replicate [i_5] x_3 certs (c_10)"), checked);
    assert_eq!(
        read("let (b_8: [i_5]f64) = scratch [i_5] f64 certs (c_10) let (a_11: [i_5]f64) = reverse b_8"),
        checked
    );
}

#[test]
fn products_of_sizes_that_can_be_counted() {
    let check = |shape: &str| {
        let text = format!(
            "let (c_10: cert) = check shape {shape} let (a_11: f64) = add.f64(x_3, y_4) certs (c_10) in (a_11)"
        );
        (body("r_9: f64", &text) == text, text)
    };
    for holds in ["[n_0]", "[n_0][1]", "[0][n_0]", "[n_0][n_0][0]", "[3][4]", "[0][9223372036854775807][2]", ""] {
        let (kept, text) = check(if holds.is_empty() { "[1]" } else { holds });
        assert!(!kept, "{text}");
    }
    for may_fail in ["[i_5]", "[n_0][2]", "[n_0][n_0]", "[-1]", "[0][i_5]", "[4611686018427387904][4]", "[0][-1]"] {
        let (kept, text) = check(may_fail);
        assert!(kept, "{text}");
    }
}

#[test]
fn sizes_of_one_value_are_equal() {
    let kept = |shapes: &str| {
        let size = "let (c_10: cert) = check nonnegative i_5 let (s_11: i64) = i_5 certs (c_10)";
        let text =
            format!("{size} let (d_12: cert) = check size {shapes} let (t_13: i64) = s_11 certs (d_12) in (t_13)");
        body("r_9: i64", &text).contains("check size")
    };
    // under a check, a size is what it is without
    assert!(!kept("[s_11] = [i_5]") && !kept("[n_0][i_5] = [n_0][s_11]") && !kept("[n_0] = [n_0]"));
    assert!(kept("[i_5] = [j_6]") && kept("[s_11][i_5] = [i_5][j_6]") && kept("[n_0] = [2]"));
}
