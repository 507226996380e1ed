//! Accumulators are used exactly once, on every path.

use super::Rule::*;
use super::*;

/// A `withacc` over `ys_2` around a body with `acc_15`, which names its result, of type `ACC`.
macro_rules! with {
    ($inner:literal) => {
        concat!(
            "let (a_10: [n_0]f64) = withacc input [n_0] (ys_2) comm \\(p_11: f64, q_12: f64) -> (f64) { in (p_11) } neutral (0.0f64) \
             do \\(c_14: cert, acc_15: acc(c_14, [n_0] (f64))) -> (acc(c_14, [n_0] (f64))) { ",
            $inner,
            " } in (a_10)"
        )
    };
}
macro_rules! acc {
    ($name:literal) => {
        concat!($name, ": acc(c_14, [n_0] (f64))")
    };
}
macro_rules! add {
    ($to:literal, $from:literal) => {
        concat!("let (", acc!($to), ") = updacc ", $from, "[i_4] (x_3) ")
    };
}
/// The same with the text in the middle put together by `concat!`.
macro_rules! around {
    ($($part:expr),*) => {
        concat!(
            "let (a_10: [n_0]f64) = withacc input [n_0] (ys_2) comm \\(p_11: f64, q_12: f64) -> (f64) { in (p_11) } neutral (0.0f64) \
             do \\(c_14: cert, acc_15: acc(c_14, [n_0] (f64))) -> (acc(c_14, [n_0] (f64))) { ",
            $($part,)*
            " } in (a_10)"
        )
    };
}

pub(super) const CASES: &[Twin] = &[
    case(
        "WithAcc",
        "r_90: [n_0]f64",
        with!("in (acc_15)"),
        &[("in (acc_15)", "let (z_16: f64) = x_3 in (acc_99)", Scope)],
    ),
    case(
        "UpdAcc",
        "r_90: [n_0]f64",
        around!(add!("u_16", "acc_15"), add!("v_17", "u_16"), "in (v_17)"),
        &[
            ("updacc u_16", "updacc acc_15", Linear),
            ("in (v_17)", "in (u_16)", Linear),
            ("in (v_17)", "in (acc_15)", Linear),
        ],
    ),
    case(
        "SubExp",
        "r_90: [n_0]f64",
        around!("let (", acc!("u_16"), ") = acc_15 in (u_16)"),
        &[("in (u_16)", "in (acc_15)", Linear)],
    ),
    case(
        "If",
        "r_90: [n_0]f64",
        around!(
            "let (",
            acc!("u_16"),
            ") = if b_5 then { ",
            add!("v_17", "acc_15"),
            "in (v_17) } else { in (acc_15) } in (u_16)"
        ),
        &[("in (u_16)", "in (acc_15)", Linear), ("in (v_17)", "in (acc_15)", Linear)],
    ),
    case(
        "If",
        "r_90: [n_0]f64",
        around!(
            "let (y_19: f64) = if b_5 then { in (x_3) } else { in (1.0f64) } let (",
            acc!("u_16"),
            ") = if b_5 then { ",
            add!("v_17", "acc_15"),
            "in (v_17) } else { ",
            add!("w_18", "acc_15"),
            "in (w_18) } in (u_16)"
        ),
        &[("{ in (x_3) }", "{ let (k_20: acc(c_14, [n_0] (f64))) = updacc acc_15[i_4] (x_3) in (x_3) }", Linear)],
    ),
    case(
        "Match",
        "r_90: [n_0]f64",
        around!(
            "let (",
            acc!("u_16"),
            ") = match (i_4) case (0i64) { ",
            add!("v_17", "acc_15"),
            "in (v_17) } case (1i64) { in (acc_15) } else { ",
            add!("w_18", "acc_15"),
            "in (w_18) } in (u_16)"
        ),
        &[("in (u_16)", "in (acc_15)", Linear), ("in (w_18)", "in (acc_15)", Linear)],
    ),
    case(
        "Loop",
        "r_90: [n_0]f64",
        around!(
            "let (",
            acc!("u_16"),
            ") = loop (",
            acc!("p_17"),
            " = acc_15) for j_18: i64 < n_0 do { ",
            add!("v_19", "p_17"),
            "in (v_19) } in (u_16)"
        ),
        &[("in (v_19)", "in (p_17)", Linear), ("in (u_16)", "in (acc_15)", Linear)],
    ),
    case(
        "Screma",
        "r_90: [n_0]f64",
        around!(
            "let (",
            acc!("u_16"),
            ") = screma n_0 (xs_1, acc_15) map \\(x_17: f64, ",
            acc!("p_18"),
            ") -> (acc(c_14, [n_0] (f64))) { ",
            add!("v_19", "p_18"),
            "in (v_19) } in (u_16)"
        ),
        &[("in (v_19)", "in (p_18)", Linear), ("in (u_16)", "in (acc_15)", Linear), ("in (u_16)", "in ()", Arity)],
    ),
    // an accumulator is handed to a map as an array is, and to no other SOAC
    case(
        "Hist",
        "r_90: [n_0]f64",
        around!(
            "let (h_21: [n_0]i64) = copy is_7 let (g_22: [n_0]i64) = hist n_0 (is_7) map \\(k_23: i64) -> (i64, i64) { in (k_23, k_23) } dest [n_0] (h_21) \
             comm \\(e_24: i64, f_25: i64) -> (i64) { in (e_24) } neutral (0i64) in (acc_15)"
        ),
        &[("hist n_0 (is_7)", "hist n_0 (acc_15)", Types)],
    ),
    case(
        "SegOp",
        "r_90: [n_0]f64",
        around!(
            "let (",
            acc!("u_16"),
            ") = segop grid (j_17: i64 < n_0) -> (acc(c_14, [n_0] (f64))) { ",
            add!("v_18", "acc_15"),
            "in (v_18) } in (u_16)"
        ),
        &[("in (v_18)", "in (acc_15)", Linear), ("in (u_16)", "in (acc_15)", Linear)],
    ),
    case(
        "Apply",
        "r_90: [n_0]f64",
        concat!(
            around!("let (", acc!("u_16"), ") = call \"g\"(c_14, n_0, acc_15) in (u_16)"),
            " } fun \"g\"(c_30: cert, n_31: i64, acc_32: acc(c_30, [n_31] (f64))) -> (r_33: acc(c_30, [n_31] (f64))) { \
             let (acc_34: acc(c_30, [n_31] (f64))) = updacc acc_32[0i64] (1.0f64) in (acc_34)"
        ),
        &[("in (u_16)", "in (acc_15)", Linear), ("in (acc_34)", "in (acc_32)", Linear)],
    ),
    // values only
    case(
        "Vjp",
        "r_90: [n_0]f64",
        around!(
            "let (y_16: f64, d_17: f64) = vjp \\(x_18: f64) -> (f64) { in (x_18) } at (x_3) with (1.0f64) in (acc_15)"
        ),
        &[(
            "vjp \\(x_18: f64) -> (f64) { in (x_18) } at (x_3)",
            "vjp \\(x_18: acc(c_14, [n_0] (f64))) -> (f64) { in (x_3) } at (acc_15)",
            Types,
        )],
    ),
];

#[test]
fn each_node_uses_an_accumulator_once() {
    all_as_expected(CASES);
}

#[test]
fn an_accumulator_of_outside_is_not_for_a_body_that_runs_often() {
    // consumed for each row, although nested in what runs once
    let inner = |acc: &str| {
        format!(
            "let (h_20: [n_0]f64) = copy xs_1 let (a_21: [n_0]f64) = withacc input [n_0] (h_20) comm \\(p_22: f64, q_23: f64) -> (f64) {{ in (p_22) }} neutral (0.0f64) \
             do \\(c_24: cert, acc_25: acc(c_24, [n_0] (f64))) -> (acc(c_24, [n_0] (f64))) {{ {acc} in (acc_25) }}"
        )
    };
    let map = |acc: &str| {
        with!("let (m_16: [n_0]f64) = screma n_0 (xs_1) map \\(x_17: f64) -> (f64) { INNER in (x_17) } in (acc_15)")
            .replace("INNER", &inner(acc))
    };
    assert_eq!(body("r_90: [n_0]f64", &map("")), []);
    let used =
        "let (u_30: acc(c_14, [n_0] (f64))) = updacc acc_15[i_4] (x_3) let (v_31: acc(c_14, [n_0] (f64))) = u_30";
    assert!(body("r_90: [n_0]f64", &map(used)).contains(&Consumable));
    // once in a nested withacc is once
    let nested = with!("INNER in (acc_15)").replace("INNER", &inner(""));
    assert_eq!(body("r_90: [n_0]f64", &nested), []);
}
