//! Rules of the simplifier, on IR text: what becomes of a body.

use super::simplify;
use crate::ir::check::errors;
use crate::ir::*;

/// The program simplified, which stays well-formed.
fn simplified(text: &str) -> Program {
    let program: Program = format!("futi-ir 1\n{text}").parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(errors(&program), [], "{program}");
    let program = simplify(program);
    assert_eq!(errors(&program), [], "{program}");
    assert_eq!(simplify(program.clone()), program, "not a fixed point");
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
    assert_eq!(f64("let (a_10: f64) = zmul.f64(x_3, -0.0f64) in (a_10)"), "in (0.0f64)");
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
