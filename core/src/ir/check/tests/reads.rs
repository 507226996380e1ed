//! Each place of each node that reads an array, after the array was consumed; each function of a node that may run more than once, with an accumulator
//! of outside in it; what errors say, and of which statement.

use super::Rule::*;
use super::*;

/// The places: `A` is read, of type `[n_0]f64`.
const READS: &[&str] = &[
    "let (y_20: [n_0]f64) = A",
    "let (y_20: [n_0]f64) = opaque A",
    "let (y_20: f64) = index A[i_4]",
    "let (y_20: [2]f64) = slice A[0i64 : 2 : 1i64]",
    "let (y_20: [2]f64) = flatindex A at 0i64 [2 : 1i64]",
    "let (y_20: [n_0]f64) = rearrange (0) A",
    "let (y_20: [n_0]f64) = manifest (0) A",
    "let (y_20: [1][n_0]f64) = reshape [1][n_0] A",
    "let (y_20: [3]f64) = coerce [3] A",
    "let (y_20: [n_0]f64) = copy A",
    "let (y_20: [n_0]f64) = reverse A",
    "let (y_20: [n_0]f64) = rotate 1i64 A",
    "let (y_20: [2][n_0]f64) = array [A, xs_1] of [n_0]f64",
    "let (y_20: [2][n_0]f64) = array [xs_1, A] of [n_0]f64",
    "let (y_20: [2][n_0]f64) = replicate [2] A",
    "let (y_20: [i_4]f64) = concat i_4 (A, xs_1)",
    "let (y_20: [i_4]f64) = concat i_4 (xs_1, A)",
    "let (y_20: [n_0][n_0]f64) = update xss_6[0i64] = A",
    "let (z_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = updslice z_21[0i64 : n_0 : 1i64] = A",
    "let (z_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = flatupd z_21 at 0i64 [n_0 : 1i64] = A",
    "let (y_20: [n_0]f64) = call \"g\"(n_0, A)",
    "let (y_20: [n_0]f64) = if b_5 then { in (A) } else { in (xs_1) }",
    "let (y_20: [n_0]f64) = if b_5 then { in (xs_1) } else { in (A) }",
    "let (y_20: f64) = if b_5 then { let (z_21: f64) = index A[i_4] in (z_21) } else { in (x_3) }",
    "let (y_20: [n_0]f64) = match (i_4) case (0i64) { in (A) } else { in (xs_1) }",
    "let (y_20: [n_0]f64) = match (i_4) case (0i64) { in (xs_1) } else { in (A) }",
    "let (y_20: [n_0]f64) = loop (p_21: [n_0]f64 = A) for j_22: i64 < n_0 do { in (xs_1) }",
    "let (y_20: [n_0]f64) = loop (p_21: [n_0]f64 = xs_1) for j_22: i64 < n_0 do { in (A) }",
    "let (y_20: [n_0]f64) = screma n_0 (A) map \\(p_21: f64) -> (f64) { in (p_21) }",
    "let (y_20: [n_0]f64) = screma n_0 (xs_1) map \\(p_21: f64) -> (f64) { let (z_22: f64) = index A[i_4] in (z_22) }",
    "let (y_20: [n_0]f64) = screma n_0 (xs_1) map \\(p_21: f64) -> (f64) { in (p_21) } scan \\(a_22: f64, b_23: f64) -> (f64) { let (z_24: f64) = index A[i_4] in (z_24) } neutral (0.0f64)",
    "let (y_20: f64) = screma n_0 (xs_1) map \\(p_21: f64) -> (f64) { in (p_21) } reduce \\(a_22: f64, b_23: f64) -> (f64) { let (z_24: f64) = index A[i_4] in (z_24) } neutral (0.0f64)",
    "let (y_20: [n_0][n_0]f64) = screma n_0 (xss_6) map \\(p_21: [n_0]f64) -> ([n_0]f64) { in (p_21) } scan \\(a_22: [n_0]f64, b_23: [n_0]f64) -> ([n_0]f64) { in (a_22) } neutral (A)",
    "let (y_20: [n_0]f64) = screma n_0 (xss_6) map \\(p_21: [n_0]f64) -> ([n_0]f64) { in (p_21) } reduce \\(a_22: [n_0]f64, b_23: [n_0]f64) -> ([n_0]f64) { in (a_22) } neutral (A)",
    "let (y_20: [n_0]f64) = screma n_0 (xs_1) map \\(p_21: f64) -> (f64) { in (p_21) } post \\(q_22: f64) -> (f64) { let (z_23: f64) = index A[i_4] in (z_23) }",
    "let (h_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = hist n_0 (is_7, A) map \\(p_22: i64, q_23: f64) -> (i64, f64) { in (p_22, q_23) } dest [n_0] (h_21) \\(a_24: f64, b_25: f64) -> (f64) { in (a_24) } neutral (0.0f64)",
    "let (h_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = hist n_0 (is_7) map \\(p_22: i64) -> (i64, f64) { let (z_26: f64) = index A[i_4] in (p_22, z_26) } dest [n_0] (h_21) \\(a_24: f64, b_25: f64) -> (f64) { in (a_24) } neutral (0.0f64)",
    "let (h_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = hist n_0 (is_7) map \\(p_22: i64) -> (i64, f64) { in (p_22, x_3) } dest [n_0] (h_21) \\(a_24: f64, b_25: f64) -> (f64) { let (z_26: f64) = index A[i_4] in (z_26) } neutral (0.0f64)",
    "let (y_20: [n_0][n_0]f64) = hist n_0 (is_7) map \\(p_22: i64) -> (i64, [n_0]f64) { in (p_22, xs_1) } dest [n_0] (xss_6) \\(a_24: [n_0]f64, b_25: [n_0]f64) -> ([n_0]f64) { in (a_24) } neutral (A)",
    "let (h_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = scatter n_0 (is_7, A) map \\(p_22: i64, q_23: f64) -> (i64, f64) { in (p_22, q_23) } dest [n_0] h_21",
    "let (h_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = scatter n_0 (is_7) map \\(p_22: i64) -> (i64, f64) { let (z_23: f64) = index A[i_4] in (p_22, z_23) } dest [n_0] h_21",
    "let (y_20: [n_0]f64) = streamseq n_0 (A) from () chunk \\(c_21: i64, p_22: [c_21]f64) -> ([c_21]f64) { in (p_22) }",
    "let (y_20: [n_0]f64) = streamseq n_0 (xs_1) from (A) chunk \\(c_21: i64, q_23: [n_0]f64, p_22: [c_21]f64) -> ([n_0]f64) { in (q_23) }",
    "let (y_20: f64) = streamseq n_0 (xs_1) from (x_3) chunk \\(c_21: i64, q_23: f64, p_22: [c_21]f64) -> (f64) { let (z_24: f64) = index A[i_4] in (z_24) }",
    "let (y_20: f64) = streampar n_0 (xs_1) reduce \\(a_24: f64, b_25: f64) -> (f64) { let (z_26: f64) = index A[i_4] in (z_26) } neutral (0.0f64) chunk \\(c_21: i64, p_22: [c_21]f64) -> (f64) { in (x_3) }",
    "let (y_20: [n_0]f64) = streampar n_0 (xs_1) reduce \\(a_24: [n_0]f64, b_25: [n_0]f64) -> ([n_0]f64) { in (a_24) } neutral (A) chunk \\(c_21: i64, p_22: [c_21]f64) -> ([n_0]f64) { in (xs_1) }",
    "let (m_20: i64, s_21: [n_0]i64, f_22: [m_20]bool, o_23: [n_0]i64) = flatmap n_0 (A) size k_24: i64 irregular 0 map \\(p_25: f64) -> (i64) { in (n_0) }",
    "let (m_20: i64, s_21: [n_0]i64, f_22: [m_20]bool, o_23: [n_0]i64, y_26: [m_20]f64) = flatmap n_0 (is_7) size k_24: i64 irregular 1 map \\(p_25: i64) -> (i64, [k_24]f64) { in (n_0, A) }",
    "let (y_20: f64, d_21: f64) = jvp \\(p_22: [n_0]f64) -> (f64) { in (x_3) } at (A) with (xs_1)",
    "let (y_20: f64, d_21: f64) = jvp \\(p_22: [n_0]f64) -> (f64) { in (x_3) } at (xs_1) with (A)",
    "let (y_20: f64, d_21: [n_0]f64) = vjp \\(p_22: [n_0]f64) -> (f64) { in (x_3) } at (A) with (1.0f64)",
    "let (y_20: [n_0]f64, d_21: f64) = vjp \\(p_22: f64) -> ([n_0]f64) { in (xs_1) } at (x_3) with (A)",
    "let (y_20: f64, d_21: f64) = vjp \\(p_22: f64) -> (f64) { let (z_23: f64) = index A[i_4] in (z_23) } at (x_3) with (1.0f64)",
    "let (y_20: f64) = custom \\(p_22: [n_0]f64) -> (f64) { in (x_3) } saved 0 at (A)",
    "let (y_20: f64) = custom \\(p_22: f64) -> (f64) { let (z_23: f64) = index A[i_4] in (z_23) } saved 0 at (x_3)",
    "let (y_20: f64) = custom \\(p_22: f64) -> (f64) { in (p_22) } saved 0 vjp \\(q_24: f64) -> (f64) { let (z_23: f64) = index A[i_4] in (z_23) } at (x_3)",
    "let (y_20: f64) = custom \\(p_22: f64) -> (f64) { in (p_22) } saved 0 jvp \\(q_24: f64, r_25: f64) -> (f64) { let (z_23: f64) = index A[i_4] in (z_23) } at (x_3)",
    "let (y_20: [n_0]f64) = segop grid (j_21: i64 < n_0) -> (f64) { let (z_22: f64) = index A[j_21] in (z_22) }",
    "let (y_20: f64) = segop grid (j_21: i64 < n_0) reduce \\(a_24: f64, b_25: f64) -> (f64) { let (z_22: f64) = index A[i_4] in (z_22) } neutral (0.0f64) -> (f64) { in (x_3) }",
    "let (y_20: [n_0]f64) = segop grid (j_21: i64 < n_0) scan \\(a_24: f64, b_25: f64) -> (f64) { let (z_22: f64) = index A[i_4] in (z_22) } neutral (0.0f64) -> (f64) { in (x_3) }",
    "let (h_23: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = segop grid (j_21: i64 < n_0) dest [n_0] h_23 -> (i64, f64) { let (z_22: f64) = index A[i_4] in (j_21, z_22) }",
    "let (h_23: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = withacc input [n_0] (h_23) \\(a_24: f64, b_25: f64) -> (f64) { let (z_22: f64) = index A[i_4] in (z_22) } neutral (0.0f64) do \\(c_26: cert, d_27: acc(c_26, [n_0] (f64))) -> (acc(c_26, [n_0] (f64))) { in (d_27) }",
    "let (y_20: [n_0][n_0]f64) = withacc input [n_0] (xss_6) \\(a_24: [n_0]f64, b_25: [n_0]f64) -> ([n_0]f64) { in (a_24) } neutral (A) do \\(c_26: cert, d_27: acc(c_26, [n_0] ([n_0]f64))) -> (acc(c_26, [n_0] ([n_0]f64))) { in (d_27) }",
    "let (y_20: [n_0][n_0]f64) = withacc input [n_0] (xss_6) \\(a_24: [n_0]f64, b_25: [n_0]f64) -> ([n_0]f64) { in (a_24) } neutral (xs_1) do \\(c_26: cert, d_27: acc(c_26, [n_0] ([n_0]f64))) -> (acc(c_26, [n_0] ([n_0]f64))) { \
     let (d_28: acc(c_26, [n_0] ([n_0]f64))) = updacc d_27[i_4] (A) in (d_28) }",
];

const G: &str = " } fun \"g\"(n_50: i64, as_51: [n_50]f64) -> (r_52: [n_50]f64) { in (as_51)";

#[test]
fn each_place_that_reads_is_seen() {
    for read in READS {
        for (array, expected) in
            [("ys_2", vec![UseAfterConsume]), ("v_10", vec![UseAfterConsume]), ("u_12", vec![]), ("c_11", vec![])]
        {
            // the array itself, a view of it, what took its place, and a copy
            let text = format!(
                "let (v_10: [n_0]f64) = slice ys_2[0i64 : n_0 : 1i64] let (c_11: [n_0]f64) = copy ys_2 let (u_12: [n_0]f64) = update ys_2[i_4] = x_3 {} in (x_3){G}",
                read.replace('A', array)
            );
            assert_eq!(body("r_90: f64", &text), expected, "{array}: {read}");
        }
    }
}

#[test]
fn each_place_that_consumes_sees_what_was_consumed() {
    let consuming = [
        "let (y_20: [n_0]f64) = update A[i_4] = x_3",
        "let (y_20: [n_0]f64) = updslice A[0i64 : n_0 : 1i64] = xs_1",
        "let (y_20: [n_0]f64) = flatupd A at 0i64 [n_0 : 1i64] = xs_1",
        "let (y_20: [n_0]f64) = loop (*p_21: [n_0]f64 = A) for j_22: i64 < n_0 do { in (p_21) }",
        "let (y_20: [n_0]f64) = call \"g\"(n_0, A)",
        "let (y_20: [n_0]f64) = scatter n_0 (is_7) map \\(p_22: i64) -> (i64, f64) { in (p_22, x_3) } dest [n_0] A",
        "let (y_20: [n_0]f64) = hist n_0 (is_7) map \\(p_22: i64) -> (i64, f64) { in (p_22, x_3) } dest [n_0] (A) \\(a_24: f64, b_25: f64) -> (f64) { in (a_24) } neutral (0.0f64)",
        "let (y_20: [n_0]f64) = segop grid (j_21: i64 < n_0) dest [n_0] A -> (i64, f64) { in (j_21, x_3) }",
        "let (y_20: [n_0]f64) = withacc input [n_0] (A) \\(a_24: f64, b_25: f64) -> (f64) { in (a_24) } neutral (0.0f64) do \\(c_26: cert, d_27: acc(c_26, [n_0] (f64))) -> (acc(c_26, [n_0] (f64))) { in (d_27) }",
        "let (y_20: [n_0]f64) = streamseq n_0 (A) from () chunk \\(c_21: i64, p_22: [c_21]f64) -> ([c_21]f64) { let (q_23: [c_21]f64) = update p_22[0i64] = x_3 in (q_23) }",
    ];
    let unique = G.replace("as_51:", "*as_51:").replace("r_52:", "*r_52:");
    for node in consuming {
        for (array, expected) in [
            ("ys_2", vec![UseAfterConsume]),
            ("v_10", vec![UseAfterConsume]),
            ("u_12", vec![]),
            ("xs_1", vec![Consumable]),
        ] {
            // a view of what was consumed is half consumed: its name was not
            let text = format!(
                "let (v_10: [n_0]f64) = slice ys_2[0i64 : n_0 : 1i64] let (c_9: [n_0]f64) = copy xs_1 let (u_12: [n_0]f64) = update ys_2[i_4] = x_3 {} in (x_3){unique}",
                node.replace("= xs_1", "= c_9").replace('A', array)
            );
            assert_eq!(body("r_90: f64", &text), expected, "{array}: {node}");
        }
    }
}

#[test]
fn a_function_that_may_run_often_takes_no_accumulator_of_outside() {
    // U is an update of it
    let functions = [
        "let (y_20: f64) = screma n_0 (xs_1) map \\(p_21: f64) -> (f64) { U in (p_21) } reduce \\(a_24: f64, b_25: f64) -> (f64) { in (a_24) } neutral (0.0f64)",
        "let (y_20: f64) = screma n_0 (xs_1) map \\(p_21: f64) -> (f64) { in (p_21) } reduce \\(a_24: f64, b_25: f64) -> (f64) { U in (a_24) } neutral (0.0f64)",
        "let (y_20: [n_0]f64) = screma n_0 (xs_1) map \\(p_21: f64) -> (f64) { in (p_21) } scan \\(a_24: f64, b_25: f64) -> (f64) { U in (a_24) } neutral (0.0f64)",
        "let (y_20: [n_0]f64) = screma n_0 (xs_1) map \\(p_21: f64) -> (f64) { in (p_21) } post \\(q_22: f64) -> (f64) { U in (q_22) }",
        "let (h_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = hist n_0 (is_7) map \\(p_22: i64) -> (i64, f64) { U in (p_22, x_3) } dest [n_0] (h_21) \\(a_24: f64, b_25: f64) -> (f64) { in (a_24) } neutral (0.0f64)",
        "let (h_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = scatter n_0 (is_7) map \\(p_22: i64) -> (i64, f64) { U in (p_22, x_3) } dest [n_0] h_21",
        "let (y_20: [n_0]f64) = streamseq n_0 (xs_1) from () chunk \\(c_21: i64, p_22: [c_21]f64) -> ([c_21]f64) { U in (p_22) }",
        "let (m_20: i64, s_21: [n_0]i64, f_22: [m_20]bool, o_23: [n_0]i64) = flatmap n_0 (xs_1) size k_24: i64 irregular 0 map \\(p_25: f64) -> (i64) { U in (n_0) }",
        "let (y_20: f64, d_21: f64) = jvp \\(p_22: f64) -> (f64) { U in (p_22) } at (x_3) with (1.0f64)",
        "let (y_20: f64, d_21: f64) = vjp \\(p_22: f64) -> (f64) { U in (p_22) } at (x_3) with (1.0f64)",
        "let (y_20: f64) = custom \\(p_22: f64) -> (f64) { U in (p_22) } saved 0 at (x_3)",
        "let (y_20: f64) = custom \\(p_22: f64) -> (f64) { in (p_22) } saved 0 vjp \\(q_24: f64) -> (f64) { U in (q_24) } at (x_3)",
        "let (y_20: f64) = custom \\(p_22: f64) -> (f64) { in (p_22) } saved 0 jvp \\(q_24: f64, r_25: f64) -> (f64) { U in (q_24) } at (x_3)",
        "let (y_20: f64) = loop (p_21: f64 = x_3) for j_22: i64 < n_0 do { U in (p_21) }",
        "let (y_20: f64) = segop grid (j_21: i64 < n_0) reduce \\(a_24: f64, b_25: f64) -> (f64) { U in (a_24) } neutral (0.0f64) -> (f64) { in (x_3) }",
    ];
    let accumulator = "acc(c_14, [n_0] (f64))";
    let update = format!("let (u_30: {accumulator}) = updacc acc_15[i_4] (x_3) let (u_31: {accumulator}) = u_30");
    for function in functions {
        let text = |inside: &str, result: &str| {
            format!(
                "let (a_10: [n_0]f64) = withacc input [n_0] (ys_2) comm \\(p_11: f64, q_12: f64) -> (f64) {{ in (p_11) }} neutral (0.0f64) \
                 do \\(c_14: cert, acc_15: {accumulator}) -> ({accumulator}) {{ {} in ({result}) }} in (a_10)",
                function.replace('U', inside)
            )
        };
        assert_eq!(body("r_90: [n_0]f64", &text("", "acc_15")), [], "{function}");
        let rules = body("r_90: [n_0]f64", &text(&update, "acc_15"));
        assert!(rules.contains(&Consumable), "{rules:?}: {function}");
    }
}

#[test]
fn what_comes_of_an_accumulator_of_outside_leaves_a_withacc() {
    // a withacc runs its function once: it may take an accumulator, and return what comes of it
    let text = |used: &str| {
        format!(
            "let (a_10: [n_0]f64, b_11: [n_0][n_0]f64) = withacc input [n_0] (ys_2) \\(p_12: f64, q_13: f64) -> (f64) {{ in (p_12) }} neutral (0.0f64) \
             do \\(c_14: cert, d_15: acc(c_14, [n_0] (f64))) -> (acc(c_14, [n_0] (f64)), [n_0][n_0]f64) {{ \
             let (z_30: [n_0][n_0]f64) = copy xss_6 let (e_16: [n_0][n_0]f64, f_17: acc(c_14, [n_0] (f64))) = withacc input [n_0][n_0] (z_30) \\(p_18: f64, q_19: f64) -> (f64) {{ in (p_18) }} neutral (0.0f64) \
             do \\(g_20: cert, h_21: acc(g_20, [n_0][n_0] (f64))) -> (acc(g_20, [n_0][n_0] (f64)), acc(c_14, [n_0] (f64))) {{ \
             let (k_22: acc(c_14, [n_0] (f64))) = updacc d_15[i_4] (x_3) in (h_21, {used}) }} in (f_17, e_16) }} in (a_10)"
        )
    };
    assert_eq!(body("r_90: [n_0]f64", &text("k_22")), []);
    assert_eq!(body("r_90: [n_0]f64", &text("d_15")), [Linear]);
}

#[test]
fn branches_use_the_same_accumulators() {
    let f = |no: &str| {
        let acc = "acc(c_0, [2] (f64))";
        verdict(&format!(
            "fun \"f\"(c_0: cert, b_1: bool, d_2: {acc}, e_3: {acc}) -> (r_4: {acc}, s_5: {acc}) {{ \
             let (u_6: {acc}, v_7: {acc}) = if b_1 then {{ in (d_2, e_3) }} else {{ in (e_3, d_2) }} in (u_6, v_7) }} \
             fun \"g\"(c_10: cert, b_11: bool, d_12: {acc2}, e_13: {acc2}) -> (r_14: {acc2}) {{ \
             let (u_16: {acc2}) = if b_11 then {{ in (d_12) }} else {{ in ({no}) }} {rest} in (u_16) }}",
            acc2 = "acc(c_10, [2] (f64))",
            rest = if no == "e_13" { "" } else { "let (w_17: acc(c_10, [2] (f64))) = e_13" },
        ))
    };
    // one is used in the one branch, the other in the other
    assert_eq!(f("e_13"), [Linear]);
    // the second is used and dropped
    assert_eq!(f("d_12"), [Linear]);
}

#[test]
fn results_of_a_loop_may_be_what_others_were_before() {
    // u is c_71, c_72 or c_73, whether the loop runs not at all, once, or twice
    let rotated = |read: &str| {
        format!(
            "let (c_71: [n_0]f64) = copy xs_1 let (c_72: [n_0]f64) = copy xs_1 let (c_73: [n_0]f64) = copy xs_1 \
             let (u_10: [n_0]f64, v_11: [n_0]f64, w_12: [n_0]f64) = loop (p_13: [n_0]f64 = c_71, q_14: [n_0]f64 = c_72, r_15: [n_0]f64 = c_73) for j_16: i64 < n_0 do {{ in (q_14, r_15, p_13) }} \
             let (a_17: [n_0]f64) = update u_10[i_4] = x_3 let (y_18: f64) = index {read}[i_4] in (y_18)"
        )
    };
    for read in ["c_71", "c_72", "c_73", "v_11", "w_12"] {
        assert_eq!(body("r_90: f64", &rotated(read)), [UseAfterConsume], "{read}");
    }
    assert_eq!(body("r_90: f64", &rotated("a_17")), []);
    // what a unique parameter gets may be an array of outside, in one branch
    let next = |other: &str| {
        format!(
            "let (u_10: [n_0]f64) = loop (*p_11: [n_0]f64 = ys_2) for j_12: i64 < n_0 do {{ let (c_13: [n_0]f64) = copy xs_1 \
             let (d_14: [n_0]f64) = if b_5 then {{ in (c_13) }} else {{ in ({other}) }} in (d_14) }} in (u_10)"
        )
    };
    assert_eq!(body("r_90: [n_0]f64", &next("xs_1")), [Aliasing]);
    assert_eq!(body("r_90: [n_0]f64", &next("p_11")), []);
}

#[test]
fn each_requirement_alone_is_enough() {
    let cert = "let (c_9: cert) = check nonzero i_4";
    let acc = "acc(c_14, [n_0] (f64))";
    // nothing else is wrong with these
    for (text, rule) in [
        ("let (y_10: f64) = replicate x_3", Types),
        ("let (y_10: f64) = scratch f64", Types),
        ("let (y_10: f64) = reshape xs_1", Types),
        ("let (y_10: [3][3]f64) = coerce [3][3] xs_1", Types),
        ("let (y_10: [n_0]f64) = iota f64 (n_0, 0.0f64, 1.0f64)", Types),
        ("let (y_10: cert) = replicate [2] c_9", Types),
        ("let (y_10: cert) = opaque c_9", Types),
        ("let (y_10: [n_0]f64) = updslice ys_2[0i64] = x_3", Types),
        ("let (y_10: f64, t_11: f64) = jvp \\(c_12: cert) -> (f64) { in (x_3) } at (c_9) with (c_9)", Types),
        ("let (y_10: cert, t_11: cert) = jvp \\(x_12: f64) -> (cert) { in (c_9) } at (x_3) with (1.0f64)", Types),
        (
            "let (y_10: cert) = screma n_0 (xs_1) map \\(x_12: f64) -> (f64) { in (x_12) } post \\(q_13: f64) -> (cert) { in (c_9) }",
            Types,
        ),
        (
            "let (m_10: i64, s_11: [n_0]i64, f_12: [m_10]bool, o_13: [n_0]i64) = flatmap n_0 (is_7) size k_16: i64 irregular 1 map \\(i_17: i64) -> (i64) { in (i_17) }",
            Types,
        ),
        ("let () = flatmap n_0 (is_7) size k_16: i64 irregular 0 map \\(i_17: i64) -> (i64) { in (i_17) }", Arity),
    ] {
        assert_eq!(body("r_90: f64", &format!("{cert} {} in (x_3)", text)), [rule], "{text}");
    }
    // an accumulator is handed to maps alone
    for node in [
        "let () = streamseq n_0 (acc_15) from () chunk \\(c_21: i64, p_22: ACC) -> () { in () }",
        "let (m_20: i64, s_21: [n_0]i64, f_22: [m_20]bool, o_23: [n_0]i64) = flatmap n_0 (acc_15) size k_24: i64 irregular 0 map \\(p_25: ACC) -> (i64) { in (n_0) }",
        "let (h_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = hist n_0 (is_7, acc_15) map \\(p_22: i64, q_23: ACC) -> (i64, f64) { in (p_22, x_3) } dest [n_0] (h_21) \\(a_24: f64, b_25: f64) -> (f64) { in (a_24) } neutral (0.0f64)",
        "let (h_21: [n_0]f64) = copy xs_1 let (y_20: [n_0]f64) = scatter n_0 (is_7, acc_15) map \\(p_22: i64, q_23: ACC) -> (i64, f64) { in (p_22, x_3) } dest [n_0] h_21",
        "let (y_20: [n_0]f64) = screma n_0 (xs_1, acc_15) map \\(p_22: f64, q_23: ACC) -> (f64, ACC) { in (p_22, q_23) } post \\(r_24: f64, s_25: ACC) -> (f64) { in (r_24) }",
    ] {
        let text = format!(
            "let (a_10: [n_0]f64) = withacc input [n_0] (ys_2) comm \\(p_11: f64, q_12: f64) -> (f64) {{ in (p_11) }} neutral (0.0f64) \
             do \\(c_14: cert, acc_15: ACC) -> (ACC) {{ {node} in (acc_15) }} in (a_10)"
        );
        assert_eq!(body("r_90: [n_0]f64", &text.replace("ACC", acc)), [Types], "{node}");
    }
    // a function with derivatives may save all that it gives
    let custom = "let () = custom \\(x_11: f64) -> (f64) { in (x_11) } saved 1 at (x_3) in (x_3)";
    assert_eq!(body("r_90: f64", custom), []);
    // the elements of an accumulator have types, too
    let element = "fun \"f\"(c_0: cert, a_1: acc(c_0, [2] ([k_9]f64))) -> () { in () }";
    assert_eq!(verdict(element), [Scope]);
    // a parameter that nothing uses
    let mut program: Program = format!("futi-ir 1 {}", with_body("r_90: f64", "in (x_3)")).parse().unwrap();
    program.funs[0].params[1].binder.ty = Type::Array(ScalarType::F64, vec![]);
    assert_eq!(errors(&program).into_iter().map(|e| e.rule).collect::<Vec<_>>(), [Types]);
}

#[test]
fn an_accumulator_that_is_a_parameter_is_used() {
    let f = |result: &str, body: &str| {
        verdict(&format!("fun \"f\"(c_0: cert, a_1: acc(c_0, [2] (f64))) -> ({result}) {{ {body} }}"))
    };
    assert_eq!(f("r_2: acc(c_0, [2] (f64))", "in (a_1)"), []);
    assert_eq!(f("", "in ()"), [Linear]);
    // a call uses it, like anything else
    let g = "} fun \"g\"(c_10: cert, a_11: acc(c_10, [2] (f64))) -> (r_12: acc(c_10, [2] (f64))) { in (a_11)";
    let called = |last: &str| {
        let results = "r_2: acc(c_0, [2] (f64)), s_4: acc(c_0, [2] (f64))";
        f(results, &format!("let (b_3: acc(c_0, [2] (f64))) = call \"g\"(c_0, a_1) in (b_3, {last}) {g}"))
    };
    assert_eq!(called("a_1"), [Linear]);
    assert_eq!(f("", "let (b_3: acc(c_0, [2] (f64))) = updacc a_1[0i64] (1.0f64) in ()"), [Linear]);
}

/// Messages and the numbers of provenance of the errors in a function `f` with a statement from somewhere.
fn reports(text: &str) -> Vec<String> {
    let text = format!("futi-ir 1\n{text}\nfiles \"a.fut\"\nprov 1 = span 0 3 9\nprov 2 = span 0 4 9\n");
    let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut of_statements = BTreeSet::new();
    struct Provs<'a>(&'a mut BTreeSet<Prov>);
    impl Visit for Provs<'_> {
        fn stm(&mut self, s: &Stm) {
            self.0.insert(s.prov);
            visit::walk_stm(self, s);
        }
    }
    program.funs.iter().for_each(|f| walk_fun(&mut Provs(&mut of_statements), f));
    of_statements.insert(Prov::UNKNOWN);
    let provs: Vec<Prov> = of_statements.into_iter().collect();
    let number = |p: Prov| provs.iter().position(|q| *q == p).unwrap_or(99);
    errors(&program).iter().map(|e| format!("{}: {} @{}", e.fun, e.message, number(e.prov))).collect()
}

#[test]
fn errors_are_of_the_statement_that_they_are_in() {
    let f = |result: &str, body: &str| {
        reports(&format!("fun \"f\"(n_0: i64, xs_1: [n_0]f64, *ys_2: [n_0]f64) -> ({result}) {{ {body} }}"))
    };
    // in a statement, and after one
    assert_eq!(
        f("r_9: f64", "let (a_3: f64) = copy xs_1 @1 in (n_0)"),
        ["f: a pattern has type f64, expected [n_0]f64 @1", "f: the function's result has type i64, expected f64 @0"]
    );
    // each operand, in order
    assert_eq!(
        f("", "let (a_3: [2]f64) = slice xs_1[1.0f64 : 2 : true] in ()"),
        ["f: a range of a slice has type f64, expected i64 @0", "f: a range of a slice has type bool, expected i64 @0"]
    );
    assert_eq!(
        f(
            "",
            "let (z_3: [1][n_0]f64) = reshape [1][n_0] xs_1 let (a_4: [n_0]f64) = concat n_0 (z_3, xs_1, xs_1) in ()"
        )[..2],
        [
            "f: a row of a concat has type f64, expected [n_0]f64 @0",
            "f: a row of a concat has type f64, expected [n_0]f64 @0"
        ]
    );
    // in a statement of a statement, and after it
    assert_eq!(
        f(
            "r_9: f64",
            "let (a_3: f64) = if true then { let (b_4: bool) = 1.0f64 @2 in (n_0) } else { in (true) } @1 in (a_3)"
        ),
        [
            "f: a pattern has type bool, expected f64 @2",
            "f: a branch's result has type i64, expected f64 @1",
            "f: a branch's result has type bool, expected f64 @1"
        ]
    );
    // consumption
    let update = "let (a_3: [n_0]f64) = update ys_2[0i64] = 1.0f64 @1";
    assert_eq!(
        f("r_9: f64", &format!("{update} let (x_4: f64) = index ys_2[0i64] @2 in (x_4)")),
        ["f: ys_2 is used after it was consumed @2"]
    );
    assert_eq!(f("r_9: [n_0]f64", &format!("{update} in (ys_2)")), ["f: ys_2 is used after it was consumed @0"]);
    assert_eq!(
        f(
            "r_9: f64",
            &format!(
                "let (s_5: [2]f64) = slice ys_2[0i64 : 2 : 1i64] {update} let (x_4: f64) = index s_5[0i64] @2 in (x_4)"
            )
        ),
        ["f: s_5, which aliases ys_2 is used after it was consumed @2"]
    );
    assert_eq!(
        f("*r_9: [n_0]f64", "let (a_3: [n_0]f64) = copy xs_1 @1 in (xs_1)"),
        ["f: unique result r aliases xs_1 @0"]
    );
}

#[test]
fn errors_come_in_the_order_of_the_text_and_once() {
    let f = |body: &str| {
        reports(&format!(
            "fun \"f\"(b_0: bool, xs_1: [3]f64, zs_2: [3]f64, *ys_3: [3]f64, n_4: i64) -> () {{ {body} in () }}"
        ))
    };
    // of several that are not unique, the first is named
    assert_eq!(
        f(
            "let (v_5: [3]f64) = if b_0 then { in (zs_2) } else { in (xs_1) } let (u_6: [3]f64) = update v_5[0i64] = 1.0f64"
        ),
        ["f: xs_1 is consumed, but is not unique here @0"]
    );
    // of branches, what is wrong in the first comes first
    let branch = |array: &str, new: &str| format!("{{ let ({new}: [3]f64) = update {array}[0i64] = 1.0f64 in (n_4) }}");
    assert_eq!(
        f(&format!("let (k_5: i64) = if b_0 then {} else {}", branch("xs_1", "u_6"), branch("zs_2", "v_7"))),
        ["f: xs_1 is consumed, but is not unique here @0", "f: zs_2 is consumed, but is not unique here @0"]
    );
    // what a loop or a map consumes that is not its own is there after it
    let added = "let (s_10: acc(c_8, [3] (f64))) = updacc a_9[0i64] (1.0f64)";
    for inner in [
        format!("let (l_11: i64) = loop (k_12: i64 = n_4) for i_13: i64 < n_4 do {{ {added} in (k_12) }}"),
        format!("let (l_11: [3]f64) = screma 3 (xs_1) map \\(x_12: f64) -> (f64) {{ {added} in (x_12) }}"),
    ] {
        let with = "let (w_5: [3]f64) = withacc input [3] (ys_3) comm \\(p_6: f64, q_7: f64) -> (f64) { in (p_6) } neutral (0.0f64)";
        let acc = "acc(c_8, [3] (f64))";
        assert_eq!(
            f(&format!("{with} do \\(c_8: cert, a_9: {acc}) -> ({acc}) {{ {inner} in (a_9) }}")),
            ["f: a_9 is consumed, but is not unique here @0", "f: accumulator s_10 is never used @0"]
        );
    }
}
