//! Aliasing and consumption, for each node that takes part.

use super::Rule::*;
use super::*;

pub(super) const CASES: &[Twin] = &[
    case(
        "Update",
        "*r_90: [n_0]f64, s_91: f64",
        "let (v_10: f64) = index ys_2[i_4] let (a_11: [n_0]f64) = update ys_2[i_4] = v_10 let (w_12: f64) = index a_11[i_4] in (a_11, w_12)",
        &[
            ("index a_11", "index ys_2", UseAfterConsume),
            ("update ys_2", "update xs_1", Consumable),
            ("in (a_11", "in (ys_2", UseAfterConsume),
        ],
    ),
    case(
        "UpdateSlice",
        "r_90: [n_0]f64",
        "let (v_10: [2]f64) = slice ys_2[0i64 : 2 : 1i64] let (c_11: [2]f64) = copy v_10 \
         let (a_12: [n_0]f64) = updslice ys_2[0i64 : 2 : 1i64] = c_11 let (w_13: [n_0]f64) = copy a_12 in (w_13)",
        &[
            ("= copy a_12", "= copy ys_2", UseAfterConsume),
            ("= copy v_10", "= v_10", Aliasing),
            ("updslice ys_2", "updslice xs_1", Consumable),
        ],
    ),
    case(
        "FlatUpdate",
        "r_90: [n_0]f64",
        "let (v_10: [1][2]f64) = flatindex ys_2 at 0i64 [1 : 0i64, 2 : 1i64] let (c_11: [1][2]f64) = copy v_10 \
         let (a_12: [n_0]f64) = flatupd ys_2 at 0i64 [1 : 0i64, 2 : 1i64] = c_11 let (w_13: [n_0]f64) = copy a_12 in (w_13)",
        &[
            ("= copy a_12", "= copy ys_2", UseAfterConsume),
            ("= copy v_10", "= v_10", Aliasing),
            ("flatupd ys_2", "flatupd xs_1", Consumable),
        ],
    ),
    case(
        "If",
        "r_90: [n_0]f64",
        "let (u_10: [n_0]f64) = if b_5 then { let (a_11: [n_0]f64) = update ys_2[i_4] = x_3 in (a_11) } else { in (ys_2) } in (u_10)",
        &[("in (u_10)", "in (ys_2)", UseAfterConsume), ("update ys_2", "update xs_1", Consumable)],
    ),
    // results that share an inner array
    case(
        "If",
        "r_90: f64",
        "let (u_10: [n_0]f64, v_11: [n_0]f64) = if b_5 then { let (t_12: [n_0]f64) = copy xs_1 let (s_13: [n_0]f64) = copy t_12 in (t_12, s_13) } \
         else { let (t_14: [n_0]f64) = copy xs_1 let (s_15: [n_0]f64) = copy xs_1 in (t_14, s_15) } \
         let (a_16: [n_0]f64) = update u_10[i_4] = x_3 let (w_17: f64) = index v_11[i_4] in (w_17)",
        &[
            ("= copy t_12", "= t_12", UseAfterConsume),
            ("in (t_14, s_15)", "in (t_14, t_14)", UseAfterConsume),
            ("in (t_14, s_15)", "in (xs_1, s_15)", Consumable),
        ],
    ),
    // results that share what one branch consumes
    case(
        "If",
        "r_90: f64",
        "let (u_10: [n_0]f64, v_11: [n_0]f64) = if b_5 then { let (t_12: [n_0]f64) = copy ys_2 in (ys_2, t_12) } \
         else { let (t_14: [n_0]f64) = update ys_2[i_4] = x_3 let (s_15: [n_0]f64) = copy xs_1 in (t_14, s_15) } \
         let (a_16: [n_0]f64) = update u_10[i_4] = x_3 let (w_17: f64) = index v_11[i_4] in (w_17)",
        &[("in (ys_2, t_12)", "in (ys_2, ys_2)", UseAfterConsume)],
    ),
    case(
        "Match",
        "r_90: [n_0]f64",
        "let (u_10: [n_0]f64) = match (i_4) case (0i64) { let (a_11: [n_0]f64) = update ys_2[i_4] = x_3 in (a_11) } case (_) { in (ys_2) } else { in (ys_2) } in (u_10)",
        &[
            ("in (u_10)", "in (ys_2)", UseAfterConsume),
            ("update ys_2", "update xs_1", Consumable),
            (
                "case (_) { in (ys_2) }",
                "case (_) { let (c_12: [n_0]f64) = update ys_2[i_4] = x_3 in (ys_2) }",
                UseAfterConsume,
            ),
        ],
    ),
    case(
        "Loop",
        "r_90: [n_0]f64",
        "let (u_10: [n_0]f64) = loop (*p_11: [n_0]f64 = ys_2) for j_12: i64 < n_0 do { let (a_13: [n_0]f64) = update p_11[j_12] = x_3 in (a_13) } in (u_10)",
        &[
            ("*p_11", "p_11", Consumable),
            ("= ys_2)", "= xs_1)", Consumable),
            ("in (u_10)", "in (ys_2)", UseAfterConsume),
            ("update p_11", "update xs_1", Consumable),
            ("in (a_13)", "in (xs_1)", Aliasing),
            ("in (a_13)", "in (p_11)", UseAfterConsume),
        ],
    ),
    // two buffers that change places
    case(
        "Loop",
        "r_90: [n_0]f64",
        "let (c_9: [n_0]f64) = copy xs_1 let (u_10: [n_0]f64, v_11: [n_0]f64) = loop (*p_12: [n_0]f64 = ys_2, *q_13: [n_0]f64 = c_9) for j_14: i64 < n_0 do { \
         let (e_15: f64) = index p_12[j_14] let (a_16: [n_0]f64) = update q_13[j_14] = e_15 in (a_16, p_12) } in (v_11)",
        &[
            ("= c_9)", "= ys_2)", Aliasing),
            ("in (a_16, p_12)", "in (a_16, a_16)", Aliasing),
            ("in (a_16, p_12)", "in (a_16, q_13)", UseAfterConsume),
        ],
    ),
    // a shared parameter that starts as, or becomes, what a unique one is
    case(
        "Loop",
        "r_90: f64",
        "let (u_10: [n_0]f64, v_11: [n_0]f64) = loop (*p_12: [n_0]f64 = ys_2, q_13: [n_0]f64 = xs_1) for j_14: i64 < n_0 do { \
         let (c_15: [n_0]f64) = copy p_12 in (p_12, c_15) } let (a_16: [n_0]f64) = update u_10[i_4] = x_3 let (w_17: f64) = index v_11[i_4] in (w_17)",
        &[("= xs_1)", "= ys_2)", Aliasing), ("in (p_12, c_15)", "in (p_12, p_12)", Aliasing)],
    ),
    // shared results that are one array, by way of the iteration before
    case(
        "Loop",
        "r_90: f64",
        "let (c_8: [n_0]f64) = copy xs_1 let (c_9: [n_0]f64) = copy xs_1 let (u_10: [n_0]f64, v_11: [n_0]f64) = loop (p_12: [n_0]f64 = c_8, q_13: [n_0]f64 = c_9) for j_14: i64 < n_0 do { \
         in (p_12, q_13) } let (a_16: [n_0]f64) = update u_10[i_4] = x_3 let (w_17: f64) = index v_11[i_4] in (w_17)",
        &[
            ("in (p_12, q_13)", "in (q_13, q_13)", UseAfterConsume),
            ("in (p_12, q_13)", "in (p_12, p_12)", UseAfterConsume),
            ("in (p_12, q_13)", "in (xs_1, q_13)", Consumable),
        ],
    ),
    case(
        "Apply",
        "r_90: f64",
        "let (u_10: [n_0]f64, v_11: [n_0]f64, k_12: f64) = call \"g\"(n_0, xs_1, ys_2) let (a_13: [n_0]f64) = update u_10[i_4] = x_3 let (w_14: f64) = index xs_1[i_4] in (w_14) } \
         fun \"g\"(n_20: i64, as_21: [n_20]f64, *bs_22: [n_20]f64) -> (*u_23: [n_20]f64, v_24: [n_20]f64, w_25: f64) { in (bs_22, as_21, 1.0f64)",
        &[
            ("(n_0, xs_1, ys_2)", "(n_0, ys_2, ys_2)", Aliasing),
            ("(n_0, xs_1, ys_2)", "(n_0, xs_1, xs_1)", Aliasing),
            ("(n_0, xs_1, ys_2)", "(n_0, ys_2, xs_1)", Consumable),
            ("index xs_1[i_4] in", "index ys_2[i_4] in", UseAfterConsume),
            ("update u_10", "update v_11", Consumable),
            ("(bs_22, as_21,", "(as_21, as_21,", Aliasing),
            ("(bs_22, as_21,", "(bs_22, bs_22,", Aliasing),
        ],
    ),
    // results that are not unique may be one array
    case(
        "Apply",
        "r_90: f64",
        "let (u_10: [n_0]f64, v_11: [n_0]f64) = call \"g\"(n_0) let (a_13: [n_0]f64) = update u_10[i_4] = x_3 let (w_14: f64) = index v_11[i_4] in (w_14) } \
         fun \"g\"(n_20: i64) -> (*u_23: [n_20]f64, v_24: [n_20]f64) { let (t_25: [n_20]f64) = replicate [n_20] 0.0f64 let (s_26: [n_20]f64) = copy t_25 in (t_25, s_26)",
        &[("(*u_23:", "(u_23:", UseAfterConsume), ("= copy t_25", "= t_25", Aliasing)],
    ),
    case(
        "Screma",
        "r_90: [n_0]f64, s_91: [n_0]f64",
        "let (m_10: [n_0]f64) = screma n_0 (xss_6) map \\(p_11: [n_0]f64) -> (f64) { let (q_12: [n_0]f64) = update p_11[0i64] = x_3 let (e_13: f64) = index q_12[0i64] in (e_13) } \
         scan \\(a_14: f64, b_15: f64) -> (f64) { let (c_16: [n_0]f64) = copy xs_1 in (a_14) } neutral (0.0f64) post \\(s_17: f64) -> (f64) { let (d_18: [n_0]f64) = copy ys_2 in (s_17) } \
         let (o_19: [n_0]f64) = copy m_10 in (m_10, o_19)",
        &[
            ("copy xs_1", "index xss_6[0i64]", Aliasing),
            ("copy ys_2", "index xss_6[0i64]", Aliasing),
            ("index q_12[0i64]", "index xss_6[0i64, 0i64]", Aliasing),
            ("update p_11", "update ys_2", Consumable),
            ("copy m_10", "index xss_6[0i64]", UseAfterConsume),
        ],
    ),
    case(
        "Hist",
        "r_90: [n_0]f64",
        "let (c_8: [n_0]f64) = copy xs_1 let (h_10: [n_0]f64, g_11: [n_0]f64) = hist n_0 (is_7, xs_1) map \\(i_12: i64, x_13: f64) -> (i64, i64, f64, f64) { \
         let (e_18: f64) = index xs_1[0i64] in (i_12, i_12, x_13, e_18) } dest [n_0] (ys_2) comm \\(a_14: f64, b_15: f64) -> (f64) { let (k_19: [n_0]f64) = copy xs_1 in (a_14) } neutral (0.0f64) \
         dest [n_0] (c_8) comm \\(c_16: f64, d_17: f64) -> (f64) { in (c_16) } neutral (1.0f64) in (h_10)",
        &[
            ("dest [n_0] (ys_2)", "dest [n_0] (xs_1)", Aliasing),
            ("dest [n_0] (ys_2)", "dest [n_0] (c_8)", Aliasing),
            ("index xs_1[0i64]", "index ys_2[0i64]", Aliasing),
            ("(is_7, xs_1)", "(is_7, ys_2)", Aliasing),
            ("let (k_19: [n_0]f64) = copy xs_1", "let (k_19: [n_0]f64) = copy ys_2", Aliasing),
            ("in (h_10)", "in (ys_2)", UseAfterConsume),
        ],
    ),
    // a neutral element that aliases a destination
    case(
        "Hist",
        "r_90: [n_0][n_0]f64",
        "let (z_8: [n_0]f64) = index xss_6[0i64] let (z_9: [n_0]f64) = copy z_8 let (h_10: [n_0][n_0]f64) = hist n_0 (is_7) map \\(i_12: i64) -> (i64, [n_0]f64) { in (i_12, xs_1) } \
         dest [n_0] (xss_6) comm \\(a_14: [n_0]f64, b_15: [n_0]f64) -> ([n_0]f64) { in (a_14) } neutral (z_9) in (h_10)",
        &[("neutral (z_9)", "neutral (z_8)", Aliasing), ("= copy z_8", "= z_8", Aliasing)],
    ),
    case(
        "Hist",
        "r_90: [n_0]f64",
        "let (h_10: [n_0]f64) = hist n_0 (is_7) map \\(i_12: i64) -> (i64, f64) { in (i_12, x_3) } \
         dest [n_0] (ys_2) comm \\(a_14: f64, b_15: f64) -> (f64) { in (a_14) } neutral (0.0f64) in (h_10)",
        &[("dest [n_0] (ys_2)", "dest [n_0] (xs_1)", Consumable)],
    ),
    case(
        "Scatter",
        "r_90: [n_0]f64",
        "let (c_8: [n_0]f64) = copy xs_1 let (h_10: [n_0]f64, g_11: [n_0]f64) = scatter n_0 (is_7, xs_1) map \\(i_12: i64, x_13: f64) -> (i64, i64, f64, f64) { \
         let (e_18: f64) = index xs_1[0i64] in (i_12, i_12, x_13, e_18) } dest [n_0] ys_2 dest [n_0] c_8 in (h_10)",
        &[
            ("dest [n_0] ys_2", "dest [n_0] xs_1", Aliasing),
            ("dest [n_0] ys_2", "dest [n_0] c_8", Aliasing),
            ("index xs_1[0i64]", "index ys_2[0i64]", Aliasing),
            ("(is_7, xs_1)", "(is_7, ys_2)", Aliasing),
            ("in (h_10)", "in (ys_2)", UseAfterConsume),
            ("in (h_10)", "in (c_8)", UseAfterConsume),
        ],
    ),
    case(
        "Stream",
        "r_90: [n_0]f64",
        "let (a_10: f64, b_11: [n_0]f64) = streamseq n_0 (ys_2) from (x_3) chunk \\(c_12: i64, a_13: f64, q_14: [c_12]f64) -> (f64, [c_12]f64) { \
         let (u_15: [c_12]f64) = update q_14[0i64] = a_13 let (o_16: [n_0]f64) = copy xs_1 in (a_13, u_15) } in (b_11)",
        &[
            ("(ys_2)", "(xs_1)", Aliasing),
            ("in (b_11)", "in (ys_2)", UseAfterConsume),
            ("= copy xs_1", "= copy ys_2", Aliasing),
            ("in (a_13, u_15)", "in (a_13, q_14)", UseAfterConsume),
            ("update q_14", "update xs_1", Types),
        ],
    ),
    // an accumulator is not the chunk function's to consume
    case(
        "Stream",
        "r_90: [n_0]f64",
        "let (a_10: [n_0]f64) = streamseq n_0 (xs_1) from (ys_2) chunk \\(c_12: i64, a_13: [n_0]f64, q_14: [c_12]f64) -> ([n_0]f64) { \
         let (k_15: [n_0]f64) = copy a_13 let (u_16: [n_0]f64) = update k_15[0i64] = x_3 in (u_16) } in (a_10)",
        &[("= copy a_13", "= a_13", Consumable)],
    ),
    case(
        "FlatMap",
        "r_90: [n_0]f64",
        "let (m_10: i64, s_11: [n_0]i64, f_12: [m_10]bool, o_13: [n_0]i64, b_14: [m_10]f64) = flatmap n_0 (xss_6) size k_16: i64 irregular 1 \
         map \\(p_17: [n_0]f64) -> (i64, [k_16]f64) { let (u_18: [n_0]f64) = update p_17[0i64] = x_3 let (o_19: [n_0]f64) = copy xs_1 in (n_0, u_18) } in (xs_1)",
        &[
            ("in (xs_1)", "let (z_20: [n_0]f64) = index xss_6[0i64] in (z_20)", UseAfterConsume),
            ("= copy xs_1", "= index xss_6[0i64]", Aliasing),
            ("update p_17", "update ys_2", Consumable),
        ],
    ),
    case(
        "WithAcc",
        "r_90: [n_0]f64",
        "let (c_8: [n_0]f64) = copy xs_1 let (a_10: [n_0]f64, e_11: [n_0]f64) = withacc input [n_0] (ys_2) comm \\(p_12: f64, q_13: f64) -> (f64) { let (k_9: [n_0]f64) = copy xs_1 in (p_12) } neutral (0.0f64) \
         do \\(c_14: cert, acc_15: acc(c_14, [n_0] (f64))) -> (acc(c_14, [n_0] (f64)), [n_0]f64) { let (o_16: [n_0]f64) = copy xs_1 in (acc_15, o_16) } in (a_10)",
        &[
            ("input [n_0] (ys_2)", "input [n_0] (xs_1)", Aliasing),
            ("let (k_9: [n_0]f64) = copy xs_1", "let (k_9: [n_0]f64) = copy ys_2", Aliasing),
            ("let (o_16: [n_0]f64) = copy xs_1", "let (o_16: [n_0]f64) = copy ys_2", UseAfterConsume),
            ("in (a_10)", "in (ys_2)", UseAfterConsume),
            ("in (a_10)", "let (u_17: [n_0]f64) = update xs_1[0i64] = x_3 in (a_10)", Consumable),
        ],
    ),
    case(
        "WithAcc",
        "r_90: [n_0]f64, s_91: [n_0]f64",
        "let (a_10: [n_0]f64, b_11: [n_0][n_0]f64, d_9: [n_0]f64, e_8: [n_0]f64) = withacc input [n_0] (ys_2) comm \\(p_12: f64, q_13: f64) -> (f64) { in (p_12) } neutral (0.0f64) \
         input [n_0] (xss_6) comm \\(p_22: [n_0]f64, q_23: [n_0]f64) -> ([n_0]f64) { in (p_22) } neutral (xs_1) \
         do \\(c_14: cert, d_24: cert, acc_15: acc(c_14, [n_0] (f64)), acc_25: acc(d_24, [n_0] ([n_0]f64))) -> (acc(c_14, [n_0] (f64)), acc(d_24, [n_0] ([n_0]f64)), [n_0]f64, [n_0]f64) { \
         let (o_16: [n_0]f64) = copy xs_1 let (o_26: [n_0]f64) = copy o_16 in (acc_15, acc_25, o_16, o_26) } let (u_17: [n_0]f64) = update d_9[0i64] = x_3 in (a_10, e_8)",
        &[("= copy o_16", "= o_16", UseAfterConsume), ("input [n_0] (ys_2)", "input [n_0] (z_99)", Scope)],
    ),
    case(
        "SegOp",
        "r_90: [n_0][n_0]f64",
        "let (z_8: [n_0]f64) = copy xs_1 let (h_10: [n_0][n_0]f64) = segop grid (i_11: i64 < n_0, j_12: i64 < 2) \
         dest [n_0][n_0] xss_6 -> (i64, i64, f64) { \
         let (x_16: f64) = index xs_1[i_11] let (l_17: [n_0]f64) = copy xs_1 let (m_18: [n_0]f64) = update l_17[0i64] = x_16 in (i_11, j_12, x_16) } in (h_10)",
        &[
            ("index xs_1[i_11]", "index xss_6[i_11, j_12]", Aliasing),
            (
                "let (l_17: [n_0]f64) = copy xs_1",
                "let (k_15: [n_0]f64) = index xss_6[0i64] let (l_17: [n_0]f64) = copy xs_1",
                Aliasing,
            ),
            ("in (h_10)", "in (xss_6)", UseAfterConsume),
            ("update l_17", "update ys_2", Consumable),
        ],
    ),
    case(
        "Jvp",
        "r_90: f64",
        "let (s_8: [n_0]f64) = copy xs_1 let (y_10: [n_0]f64, t_11: [n_0]f64) = jvp \\(p_12: [n_0]f64) -> ([n_0]f64) { let (c_13: [n_0]f64) = copy p_12 \
         let (u_14: [n_0]f64) = update c_13[0i64] = x_3 in (u_14) } at (ys_2) with (s_8) let (d_15: [n_0]f64) = copy y_10 let (a_16: [n_0]f64) = update d_15[0i64] = x_3 \
         let (w_17: f64) = index t_11[0i64] in (w_17)",
        &[
            ("= copy p_12", "= p_12", Consumable),
            ("= copy y_10", "= y_10", UseAfterConsume),
            ("= copy p_12", "= copy z_99", Scope),
        ],
    ),
    case(
        "Vjp",
        "r_90: f64",
        "let (y_10: [n_0]f64, t_11: [n_0]f64) = vjp \\(p_12: [n_0]f64) -> ([n_0]f64) { in (p_12) } at (ys_2) with (xs_1) let (d_15: [n_0]f64) = copy t_11 \
         let (a_16: [n_0]f64) = update d_15[0i64] = x_3 let (w_17: f64) = index y_10[0i64] in (w_17)",
        &[("= copy t_11", "= t_11", Consumable)],
    ),
    case(
        "Custom",
        "r_90: f64",
        "let (y_10: [n_0]f64) = custom \\(p_11: [n_0]f64) -> ([n_0]f64) { let (c_12: [n_0]f64) = copy p_11 let (d_14: [n_0]f64) = update c_12[0i64] = x_3 in (p_11) } saved 0 \
         jvp \\(q_15: [n_0]f64, r_16: [n_0]f64) -> ([n_0]f64) { let (e_17: [n_0]f64) = copy r_16 let (f_18: [n_0]f64) = update e_17[0i64] = x_3 in (f_18) } at (ys_2) \
         let (g_19: [n_0]f64) = update y_10[0i64] = x_3 let (w_20: f64) = index xs_1[0i64] in (w_20)",
        &[
            ("= copy p_11", "= p_11", Consumable),
            ("= copy r_16", "= r_16", Consumable),
            ("at (ys_2)", "at (xs_1)", Consumable),
            ("index xs_1[0i64]", "index ys_2[0i64]", UseAfterConsume),
        ],
    ),
];

#[test]
fn each_node_consumes_what_it_says() {
    all_as_expected(CASES);
}

#[test]
fn views_alias_and_copies_do_not() {
    let after = |node: &str, expected: &[Rule]| {
        let text = format!(
            "{node} let (b_11: [n_0][n_0]f64) = update xss_6[0i64] = xs_1 let (w_12: [n_0][n_0]f64) = copy v_10 in (x_3)"
        );
        assert_eq!(body("r_90: f64", &text), expected, "{node}");
    };
    for view in [
        "xss_6",
        "opaque xss_6",
        "rearrange (1, 0) xss_6",
        "reshape [n_0][n_0] xss_6",
        "coerce [n_0][n_0] xss_6",
        "slice xss_6[0i64 : n_0 : 1i64]",
        "if b_5 then { in (xss_6) } else { let (t_13: [n_0][n_0]f64) = copy xss_6 in (t_13) }",
        "match (b_5) case (_) { let (t_13: [n_0][n_0]f64) = copy xss_6 in (t_13) } else { in (xss_6) }",
    ] {
        after(&format!("let (v_10: [n_0][n_0]f64) = {view}"), &[UseAfterConsume]);
    }
    let row = "let (r_9: [n_0]f64) = index xss_6[i_4] let (v_10: [n_0][n_0]f64) =";
    after(&format!("{row} flatindex r_9 at 0i64 [n_0 : 0i64, n_0 : 1i64]"), &[UseAfterConsume]);
    after(&format!("{row} replicate [n_0] r_9"), &[]);
    for copy in ["copy xss_6", "reverse xss_6", "rotate 1i64 xss_6", "manifest (0, 1) xss_6", "concat n_0 (xss_6)"] {
        after(&format!("let (v_10: [n_0][n_0]f64) = {copy}"), &[]);
    }
}

#[test]
fn a_unique_scalar_is_an_ordinary_one() {
    let loop_ = "let (k_10: i64, u_11: [n_0]f64) = loop (*k_12: i64 = i_4, *p_13: [n_0]f64 = ys_2) for j_14: i64 < n_0 do { in (i_4, p_13) } in (k_10)";
    assert_eq!(body("*r_90: i64", loop_), []);
    assert_eq!(body("*r_90: i64", "in (i_4)"), []);
    assert_eq!(body("*r_90: i64, *s_91: i64", "in (i_4, i_4)"), []);
    assert_eq!(body("*r_90: [n_0]f64, *s_91: [n_0]f64", "in (ys_2, ys_2)"), [Aliasing]);
}
