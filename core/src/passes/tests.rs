//! What single passes make of the nodes that are not the simplifier's alone, on IR text. That results stay the same is tested in
//! `conformance/tests/passes.rs`.

use super::*;
use crate::analysis::Analyses;
use crate::ir::Program;
use crate::ir::check::errors;
use crate::simplify::*;

/// The body of `fun f(n, k, xs, *ys, *zss, js, b) -> results` after a pass, on one line; both are well-formed.
fn after(pass: fn(Program, &mut Analyses) -> Program, results: &str, body: &str) -> String {
    let params = "n_0: i64, k_1: i64, xs_2: [n_0]f64, *ys_3: [n_0]f64, *zss_4: [n_0][2]f64, js_5: [n_0]i64, b_6: bool";
    let text = format!("futi-ir 1\nfun \"f\"({params}) -> ({results}) {{ {body} }}");
    let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(errors(&program), [], "{program}");
    let program = pass(program, &mut Analyses::default());
    assert_eq!(errors(&program), [], "{program}");
    let text = program.to_string();
    let body = text.split_once('{').and_then(|(_, rest)| rest.rsplit_once('}')).map(|(body, _)| body).unwrap();
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

const ADD: &str = "\\(a_900: f64, b_901: f64) -> (f64) { let (t_902: f64) = add.f64(a_900, b_901) in (t_902) }";
/// `[n]f64` that nothing else is.
const NEW: &str = "let (c_10: [n_0]f64) = replicate [n_0] 1.0f64";

#[test]
fn copies_stay_while_a_view_is_read() {
    let update = "let (d_20: [n_0]f64) = copy c_10 let (e_21: [n_0]f64) = update d_20[0i64] = 2.0f64";
    let copied = |view: &str, ty: &str, read: &str| {
        let out = after(
            copies::copies,
            &format!("*r_7: [n_0]f64, s_8: {read}"),
            &format!("{NEW} let (v_11: {ty}) = {view} {update} in (e_21, v_11)"),
        );
        out.contains("copy")
    };
    assert!(copied("slice c_10[0i64 : 1 : 1i64]", "[1]f64", "[1]f64"));
    assert!(copied("flatindex c_10 at 0i64 [1 : 1i64]", "[1]f64", "[1]f64"));
    assert!(copied("opaque c_10", "[n_0]f64", "[n_0]f64"));
    assert!(copied("match (k_1) case (1i64) { in (c_10) } else { in (xs_2) }", "[n_0]f64", "[n_0]f64"));
    assert!(copied("custom \\(p_30: [n_0]f64) -> ([n_0]f64) { in (p_30) } saved 0 at (c_10)", "[n_0]f64", "[n_0]f64"));
    // new arrays alias nothing
    assert!(!copied("rotate 1i64 c_10", "[n_0]f64", "[n_0]f64"));
    assert!(!copied("manifest (0) c_10", "[n_0]f64", "[n_0]f64"));
}

#[test]
fn what_a_kernel_writes_to_is_merged_with_nothing() {
    let out = after(
        cse::cse,
        "r_7: [n_0]f64, s_8: [n_0]f64",
        "let (c_20: [n_0]f64) = replicate [n_0] 1.0f64 let (d_21: [n_0]f64) = replicate [n_0] 1.0f64 \
         let (e_22: [n_0]f64) = segop grid (i_40: i64 < n_0) dest [n_0] c_20 \
         -> (i64, f64) { in (i_40, 1.0f64) } in (e_22, d_21)",
    );
    assert_eq!(out.matches("replicate").count(), 2, "{out}");
}

#[test]
fn copies_of_new_arrays_go() {
    let hist = format!(
        "let (h_20: [n_0]f64) = hist n_0 (js_5, xs_2) map \\(j_21: i64, x_22: f64) -> (i64, f64) {{ in (j_21, x_22) }} \
         dest [n_0] (ys_3) comm {ADD} neutral (0.0f64)"
    );
    let scatter = "let (h_20: [n_0]f64) = scatter n_0 (js_5, xs_2) map \\(j_21: i64, x_22: f64) -> (i64, f64) { in (j_21, x_22) } dest [n_0] ys_3";
    let update = "let (h_20: [n_0]f64) = flatupd ys_3 at 0i64 [n_0 : 1i64] = xs_2";
    for made in [&hist, scatter, update] {
        let out =
            after(copies::copies, "*r_7: [n_0]f64", &format!("{made} let (c_30: [n_0]f64) = copy h_20 in (c_30)"));
        assert!(!out.contains("copy"), "{out}");
    }
}

#[test]
fn the_same_view_is_taken_once_and_another_is_another() {
    let twice = |a: &str, b: &str, ty: &str| {
        let out = after(
            cse::cse,
            &format!("r_7: {ty}, s_8: {ty}"),
            &format!("let (a_10: {ty}) = {a} let (b_11: {ty}) = {b} in (a_10, b_11)"),
        );
        out.matches("let").count()
    };
    let same = |exp: &str, ty: &str| twice(exp, exp, ty);
    assert_eq!(same("slice xs_2[0i64 : 2 : 1i64]", "[2]f64"), 1);
    assert_eq!(twice("slice xs_2[0i64 : 2 : 1i64]", "slice xs_2[0i64 : 2 : 2i64]", "[2]f64"), 2);
    assert_eq!(same("flatindex xs_2 at 0i64 [2 : 1i64]", "[2]f64"), 1);
    assert_eq!(twice("flatindex xs_2 at 0i64 [2 : 1i64]", "flatindex xs_2 at 0i64 [2 : 2i64]", "[2]f64"), 2);
    assert_eq!(same("rotate k_1 xs_2", "[n_0]f64"), 1);
    assert_eq!(twice("manifest (0, 1) zss_4", "manifest (1, 0) zss_4", "[n_0][2]f64"), 2);
    assert_eq!(same("opaque xs_2", "[n_0]f64"), 2);
}

#[test]
fn a_view_of_what_is_consumed_is_not_shared() {
    let out = after(
        cse::cse,
        "*r_7: [2]f64, s_8: [2]f64",
        "let (zs_12: [2]f64) = slice xs_2[0i64 : 2 : 1i64] let (a_10: [2]f64) = rotate 1i64 zs_12 let (b_11: [2]f64) = rotate 1i64 zs_12 \
         let (c_13: [2]f64) = update a_10[0i64] = 0.0f64 in (c_13, b_11)",
    );
    assert_eq!(out.matches("rotate").count(), 2, "{out}");
}

#[test]
fn dead_results_of_a_match() {
    let body = "let (r_10: f64, s_11: f64) = match (k_1) case (1i64) { let (a_12: f64) = sin.f64(1.0f64) in (2.0f64, a_12) } \
                else { let (a_13: f64) = sin.f64(2.0f64) in (3.0f64, a_13) } in (r_10)";
    let out = after(dce::dce, "r_7: f64", body);
    assert_eq!(out, "let (r_10: f64) = match (k_1) case (1i64) { in (2.0f64) } else { in (3.0f64) } in (r_10)");
}

#[test]
fn dead_destinations_and_what_only_they_need() {
    let hist = format!(
        "let (c_9: [n_0]f64) = replicate [n_0] 0.0f64 \
         let (g_10: [n_0]f64, h_11: [n_0]f64) = hist n_0 (js_5, xs_2) map \\(j_12: i64, x_13: f64) -> (i64, i64, f64, f64) {{ \
         let (e_14: f64) = exp.f64(x_13) in (j_12, k_1, 1.0f64, e_14) }} \
         dest [n_0] (c_9) comm {ADD} neutral (0.0f64) dest [n_0] (ys_3) comm {} neutral (0.0f64) in (RESULT)",
        ADD.replace("90", "91")
    );
    let first = after(dce::dce, "*r_7: [n_0]f64", &hist.replace("RESULT", "g_10"));
    assert!(
        !first.contains("exp")
            && !first.contains("xs_2")
            && !first.contains("ys_3")
            && first.matches("dest").count() == 1,
        "{first}"
    );
    assert!(first.contains("(j_12: i64) -> (i64, f64)"), "{first}");
    let second = after(dce::dce, "*r_7: [n_0]f64", &hist.replace("RESULT", "h_11"));
    assert!(second.contains("exp") && !second.contains("c_9") && second.contains("(k_1, e_14)"), "{second}");

    let scatter = "let (c_9: [n_0]f64) = replicate [n_0] 0.0f64 \
        let (g_10: [n_0]f64, h_11: [n_0]f64) = scatter n_0 (js_5, xs_2) map \\(j_12: i64, x_13: f64) -> (i64, i64, f64, f64) { \
        in (j_12, k_1, 1.0f64, x_13) } dest [n_0] c_9 dest [n_0] ys_3 in (g_10)";
    let out = after(dce::dce, "*r_7: [n_0]f64", scatter);
    assert!(
        out.contains("scatter n_0 (js_5) map \\(j_12: i64) -> (i64, f64) { in (j_12, 1.0f64) } dest [n_0] c_9"),
        "{out}"
    );
}

#[test]
fn dead_arrays_of_streams_and_flatmaps() {
    let stream = "let (a_10: f64, ys_11: [n_0]f64, zs_12: [n_0]f64) = streamseq n_0 (xs_2, js_5) from (0.0f64) chunk \
        \\(c_13: i64, a_14: f64, xs_15: [c_13]f64, js_16: [c_13]i64) -> (f64, [c_13]f64, [c_13]f64) { \
        let (d_17: [c_13]f64) = copy xs_15 let (e_18: [c_13]f64) = screma c_13 (js_16) map \\(j_19: i64) -> (f64) { in (1.0f64) } \
        in (a_14, d_17, e_18) } in (ys_11)";
    let out = after(dce::dce, "r_7: [n_0]f64", stream);
    assert!(out.contains("(a_10: f64, ys_11: [n_0]f64) = streamseq n_0 (xs_2) from") && !out.contains("e_18"), "{out}");
    let flatmap = "let (m_10: i64, shape_11: [n_0]i64, flags_12: [m_10]bool, off_13: [n_0]i64, a_14: [m_10]f64, b_15: [m_10]i64, c_16: [n_0]f64) = \
        flatmap n_0 (xs_2, js_5) size s_17: i64 irregular 2 map \\(x_18: f64, j_19: i64) -> (i64, [s_17]f64, [s_17]i64, f64) { \
        let (a_20: [3]f64) = replicate [3] 1.0f64 let (b_21: [3]i64) = replicate [3] j_19 in (3i64, a_20, b_21, x_18) } in (RESULT)";
    let out = after(dce::dce, "m_7: i64, r_8: [m_7]i64", &flatmap.replace("RESULT", "m_10, b_15"));
    assert!(out.contains("irregular 1 map \\(j_19: i64) -> (i64, [s_17]i64)") && !out.contains("a_20"), "{out}");
    let out = after(dce::dce, "r_8: [n_0]f64", &flatmap.replace("RESULT", "c_16"));
    assert!(out.contains("irregular 0 map \\(x_18: f64) -> (i64, f64)"), "{out}");
}

/// A scan and a sum with a mapped row, and what follows the scan.
fn scanned(post: &str) -> String {
    format!(
        "let (s_10: f64, p_11: [n_0]f64, q_12: [n_0]f64) = screma n_0 (xs_2, js_5) map \\(x_13: f64, j_14: i64) -> (f64, f64, i64) {{ \
         in (x_13, x_13, j_14) }} scan comm {ADD} neutral (0.0f64) reduce comm {} neutral (0.0f64) \
         post \\(v_20: f64, j_21: i64) -> (f64, f64) {{ {post} }}",
        ADD.replace("90", "91")
    )
}

#[test]
fn dead_results_of_a_function_after_scans() {
    let body = scanned("let (e_22: f64) = exp.f64(v_20) let (c_23: f64) = conv.i64.f64(j_21) in (e_22, c_23)");
    let out = after(dce::dce, "r_7: [n_0]f64", &format!("{body} in (p_11)"));
    assert!(
        out.contains("scan")
            && !out.contains("reduce")
            && !out.contains("js_5")
            && out.contains("post \\(v_20: f64) -> (f64)"),
        "{out}"
    );
    let out = after(dce::dce, "r_7: [n_0]f64", &format!("{body} in (q_12)"));
    assert!(!out.contains("scan") && out.contains("post \\(j_21: i64) -> (f64)"), "{out}");
    let out = after(dce::dce, "r_7: f64", &format!("{body} in (s_10)"));
    assert!(out.contains("reduce") && !out.contains("scan") && !out.contains("exp"), "{out}");
}

#[test]
fn rules_of_a_custom_function_live_with_it() {
    let body = "let (a_9: f64) = sin.f64(1.0f64) let (b_10: f64) = cos.f64(1.0f64) \
                let (r_11: f64) = custom \\(p_12: f64) -> (f64) { in (p_12) } saved 0 vjp \\(s_13: f64) -> (f64) { \
                let (t_14: f64) = mul.f64(s_13, a_9) in (t_14) } at (1.0f64) in (r_11)";
    let out = after(dce::dce, "r_7: f64", body);
    assert!(out.contains("a_9: f64) = sin") && !out.contains("cos") && out.contains("t_14"), "{out}");
}

#[test]
fn invariant_code_leaves_every_lambda() {
    let invariant = "let (i_50: f64) = sin.f64(2.0f64)";
    let moved = |results: &str, body: &str| {
        let out = after(hoist::hoist, results, body);
        assert!(out.starts_with("let (i_50: f64) = sin"), "{out}");
    };
    moved(
        "*r_7: [n_0]f64",
        &format!(
            "let (h_10: [n_0]f64) = hist n_0 (js_5) map \\(j_11: i64) -> (i64, f64) {{ {invariant} in (j_11, i_50) }} \
                  dest [n_0] (ys_3) comm {ADD} neutral (0.0f64) in (h_10)"
        ),
    );
    moved(
        "*r_7: [n_0]f64",
        &format!(
            "let (h_10: [n_0]f64) = scatter n_0 (js_5) map \\(j_11: i64) -> (i64, f64) {{ {invariant} in (j_11, i_50) }} dest [n_0] ys_3 in (h_10)"
        ),
    );
    moved(
        "s_9: f64, r_7: [n_0]f64, q_8: [n_0]f64",
        &format!("{} in (s_10, p_11, q_12)", scanned(&format!("{invariant} in (v_20, i_50)"))),
    );
    moved(
        "r_7: f64",
        &format!(
            "let (r_10: f64) = streamseq n_0 (xs_2) from (0.0f64) chunk \\(c_11: i64, a_12: f64, xs_13: [c_11]f64) -> (f64) {{ \
                  {invariant} let (t_14: f64) = add.f64(a_12, i_50) in (t_14) }} in (r_10)"
        ),
    );
}

#[test]
fn what_may_not_run_and_what_may_fail_stay() {
    let branch = "let (r_10: f64) = match (k_1) case (1i64) { let (i_50: f64) = sin.f64(2.0f64) in (i_50) } else { in (0.0f64) } in (r_10)";
    assert!(after(hoist::hoist, "r_7: f64", branch).starts_with("let (r_10"));
    let mapped = |view: &str| {
        let body = format!(
            "let (c_9: cert) = check slice (0i64, 2i64, 1i64) [n_0] \
             let (r_10: [n_0][2]f64) = screma n_0 (js_5) map \\(j_11: i64) -> ([2]f64) {{ {view} in (v_12) }} in (r_10)"
        );
        let out = after(hoist::hoist, "r_7: [n_0][2]f64", &body);
        out.find("slice xs_2") < out.find("screma")
    };
    // without the certificate of a check outside, nothing says that it is in range
    assert!(!mapped("let (v_12: [2]f64) = slice xs_2[0i64 : 2 : 1i64]"));
    assert!(mapped("let (v_12: [2]f64) = slice xs_2[0i64 : 2 : 1i64] certs (c_9)"));
    // nor does the certificate of another check
    let read = |check: &str, index: &str| {
        let body = format!(
            "let (c_9: cert) = check {check} \
             let (r_10: [n_0]f64) = screma n_0 (js_5) map \\(j_11: i64) -> (f64) {{ let (v_12: f64) = index xs_2[{index}] certs (c_9) in (v_12) }} in (r_10)"
        );
        let out = after(hoist::hoist, "r_7: [n_0]f64", &body);
        out.find("index xs_2") < out.find("screma")
    };
    assert!(read("bounds (k_1) [n_0]", "k_1"));
    assert!(!read("bounds (k_1) [n_0]", "3i64"));
    assert!(!read("bounds (k_1) [7]", "k_1"));
    assert!(!read("size [n_0] = [7]", "k_1"));
    assert!(!read("slice (0i64, 2i64, 1i64) [n_0]", "0i64"));
}

#[test]
fn each_round_keeps_the_new_array_that_it_updates() {
    let mapped = |then: &str| {
        let body = format!(
            "let (r_10: [n_0]i64) = screma n_0 (js_5) map \\(j_11: i64) -> (i64) {{ let (is_12: [2]i64) = iota i64 (2i64, 0i64, 1i64) \
             {then} let (x_14: i64) = index us_13[1i64] in (x_14) }} in (r_10)"
        );
        let out = after(hoist::hoist, "r_7: [n_0]i64", &body);
        out.find("iota") < out.find("screma")
    };
    assert!(!mapped("let (us_13: [2]i64) = update is_12[0i64] = j_11"));
    assert!(mapped("let (us_13: [2]i64) = reverse is_12"));
}

#[test]
fn calls_inside_of_new_bodies_are_inlined() {
    let text = format!(
        "futi-ir 1
        fun \"g\"(x_0: f64) -> (r_1: f64) {{ let (y_2: f64) = sin.f64(x_0) in (y_2) }}
        entry \"f\"(n_10: i64, k_11: i64, xs_12: [n_10]f64) -> (a_13: f64, b_14: [n_10]f64, c_15: f64) sig 1 (\"k\": i64, \"xs\": [\"n\"]f64) -> (f64, [\"\"]f64, f64) {{
          let (a_16: f64) = match (k_11) case (1i64) {{ let (t_17: f64) = call \"g\"(1.0f64) in (t_17) }} else {{ in (0.0f64) }}
          let (b_18: [n_10]f64) = screma n_10 (xs_12) map \\(x_19: f64) -> (f64) {{ in (x_19) }} scan comm {ADD} neutral (0.0f64)
            post \\(v_20: f64) -> (f64) {{ let (t_21: f64) = call \"g\"(v_20) in (t_21) }}
          let (c_22: f64) = custom \\(p_23: f64) -> (f64) {{ let (t_24: f64) = call \"g\"(p_23) in (t_24) }} saved 0
            vjp \\(s_25: f64) -> (f64) {{ let (t_26: f64) = call \"g\"(s_25) in (t_26) }} at (1.0f64)
          in (a_16, b_18, c_22)
        }}"
    );
    let program = inline::inline(text.parse().unwrap_or_else(|e| panic!("{e}")));
    assert_eq!(errors(&program), [], "{program}");
    let text = program.to_string();
    assert_eq!((text.matches("call").count(), text.matches("sin").count()), (0, 4), "{text}");
}

#[test]
fn flattening_reaches_the_cases_of_a_match_and_leaves_what_it_has_no_kernel_for() {
    let map = "let (m_20: [n_0]f64) = screma n_0 (xs_2) map \\(x_21: f64) -> (f64) { let (e_22: f64) = exp.f64(x_21) in (e_22) }";
    let out = after(
        flatten::flatten,
        "r_7: [n_0]f64",
        &format!("let (r_10: [n_0]f64) = match (k_1) case (1i64) {{ {map} in (m_20) }} else {{ in (xs_2) }} in (r_10)"),
    );
    assert!(out.contains("segop") && !out.contains("screma"), "{out}");
    // a function after scans is not dropped, whether there are scans or not
    let post = |scan: &str, params: &str| {
        let map = format!(
            "screma n_0 (xs_2) map \\(x_11: f64) -> (f64) {{ in (x_11) }} {scan} post \\({params}) -> (f64) {{ let (e_13: f64) = exp.f64(v_12) in (e_13) }}"
        );
        after(flatten::flatten, "r_7: [n_0]f64", &format!("let (r_10: [n_0]f64) = {map} in (r_10)"))
    };
    assert!(post("", "v_12: f64").contains("exp"));
    assert!(post(&format!("scan comm {ADD} neutral (0.0f64)"), "v_12: f64").contains("exp"));
    let inner = format!(
        "let (r_10: [n_0][2]f64) = screma n_0 (zss_4) map \\(z_11: [2]f64) -> ([2]f64) {{ \
         let (q_12: [2]f64) = screma 2 (z_11) map \\(x_13: f64) -> (f64) {{ in (x_13) }} scan comm {ADD} neutral (0.0f64) \
         post \\(v_14: f64) -> (f64) {{ let (e_15: f64) = exp.f64(v_14) in (e_15) }} in (q_12) }} in (r_10)"
    );
    assert!(after(flatten::flatten, "r_7: [n_0][2]f64", &inner).contains("exp"));
}

#[test]
fn what_a_body_consumes_is_not_hoisted() {
    let out = after(
        hoist::hoist,
        "r_7: [n_0]i64",
        "let (r_10: [n_0]i64) = screma n_0 (js_5) map \\(j_11: i64) -> (i64) { \
           let (i_12: [2]i64) = iota i64 (2i64, 0i64, 1i64) let (u_13: [2]i64) = update i_12[0i64] = j_11 \
           let (x_14: i64) = index u_13[1i64] in (x_14) } in (r_10)",
    );
    assert!(out.find("iota") > out.find("screma"), "{out}");
}

#[test]
fn what_a_nest_gives_back_as_it_was_is_not_consumed() {
    // the first result is the array mapped over; the second map makes it a nest of which only that is left
    let nest = |results: &str| {
        format!(
            "let (ws_9: [n_0][2]f64) = replicate [n_0][2] 2.0f64 \
             let (a_10: [n_0][2]f64, b_11: [n_0][2]f64, c_12: [n_0][2]f64, d_13: [n_0][2]f64) = screma n_0 (ws_9) \
             map \\(z_14: [2]f64) -> ([2]f64, [2]f64, [2]f64, [2]f64) {{ \
             let (e_15: [2]f64) = screma 2 (z_14) map \\(x_16: f64) -> (f64) {{ let (y_17: f64) = exp.f64(x_16) in (y_17) }} \
             in (z_14, z_14, e_15, e_15) }} {results}"
        )
    };
    let update = |of: &str| format!("let (u_20: [n_0][2]f64) = update {of}[0i64, 0i64] = 1.0f64");
    let both = "*r_7: [n_0][2]f64, s_8: [n_0][2]f64";
    for (one, other) in [("a_10", "ws_9"), ("a_10", "b_11"), ("b_11", "a_10"), ("c_12", "d_13"), ("d_13", "c_12")] {
        // `after` checks what has become of it
        let out = after(flatten::flatten, both, &nest(&format!("{} in (u_20, {other})", update(one))));
        assert!(out.contains("segop") && out.contains("copy"), "{out}");
    }
    let out = after(flatten::flatten, "r_7: [n_0][2]f64, s_8: [n_0][2]f64", &nest("in (c_12, d_13)"));
    assert!(!out.contains("copy"), "{out}");
}

#[test]
fn stages_are_found_by_their_names() {
    use crate::driver::pipeline::Stage;
    for stage in Stage::ALL {
        assert_eq!(Stage::from_name(stage.name()), Some(stage));
    }
    assert_eq!(Stage::from_name("else"), None);
}
