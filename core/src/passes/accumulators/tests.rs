use super::*;
use crate::ir::check::errors;

/// The text after the pass of a nest over n rows and m columns, `nest`, that turns `acc_7`, of one dimension of n or of two, into `acc_8`; `after` are
/// results beside the accumulator's array.
fn after(dims: &str, nest: &str, others: &str, results: &str) -> String {
    let acc = format!("acc(id_6, {dims} (f64))");
    let array = format!("{dims}f64");
    let nest = nest.replace("ACC", &acc);
    let text = format!(
        "futi-ir 1
        fun \"f\"(n_0: i64, m_1: i64, xs_2: [n_0]f64, ys_3: [m_1]f64, *zs_4: {array}, ks_5: [n_0]i64, *rows_9: [n_0][m_1]f64, h_16: i32) -> (*r_90: {array}{others}) {{
          let (is_10: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
          let (js_11: [m_1]i64) = iota i64 (m_1, 0i64, 1i64)
          let (h_17: i64) = conv.i32.i64(h_16)
          let (last_18: i64) = sub.i64(n_0, 1i64)
          let (out_12: {array}{out}) = withacc input {dims} (zs_4) comm \\(a_13: f64, b_14: f64) -> (f64) {{
            let (t_15: f64) = add.f64(a_13, b_14) in (t_15) }} neutral (0.0f64)
            do \\(id_6: cert, acc_7: {acc}) -> ({acc}{types}) {{ {nest} in (acc_8{results}) }}
          in (out_12{outs}) }}",
        out = others.replace("*r_91", "out_92"),
        types = others.replace("*r_91: ", ""),
        outs = if others.is_empty() { "" } else { ", out_92" },
    );
    let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(errors(&program), [], "{program}");
    let program = accumulators(program, &mut Analyses::default());
    assert_eq!(errors(&program), [], "{program}");
    program.to_string()
}

fn words(text: &str) -> [usize; 3] {
    ["withacc", "updacc", " reduce"].map(|word| text.matches(word).count())
}

/// A nest over rows, then columns; the code at the bottom makes `acc_31` of `acc_32`, at `outer` there is code around.
fn rows_then_columns(outer: &str, inner: &str) -> String {
    format!(
        "let (acc_8: ACC) = screma n_0 (is_10, xs_2, acc_7) map \\(i_20: i64, x_21: f64, acc_22: ACC) -> (ACC) {{ {outer}
           let (acc_30: ACC) = screma m_1 (js_11, ys_3, acc_22) map \\(j_23: i64, y_24: f64, acc_32: ACC) -> (ACC) {{ {inner} in (acc_31) }}
           in (acc_30) }}"
    )
}

#[test]
fn what_many_add_to_one_element_is_reduced() {
    let inner = "let (v_40: f64) = mul.f64(x_21, y_24) let (acc_31: ACC) = updacc acc_32[i_20] (v_40)";
    let text = after("[n_0]", &rows_then_columns("", inner), "", "");
    assert_eq!(words(&text), [0, 0, 1], "{text}");
    // to one that only the program knows: the sum is added there
    let outer = "let (k_41: i64) = index ks_5[i_20]";
    let text = after("[n_0]", &rows_then_columns(outer, &inner.replace("i_20]", "k_41]")), "", "");
    assert_eq!(words(&text), [1, 1, 1], "{text}");
    // to a single one: the sum of sums
    let text = after("[n_0]", &rows_then_columns("", &inner.replace("i_20]", "0i64]")), "", "");
    assert_eq!(words(&text), [1, 1, 2], "{text}");
}

#[test]
fn what_is_added_to_each_element_once_is_returned() {
    let inner = "let (v_40: f64) = mul.f64(x_21, y_24) let (acc_31: ACC) = updacc acc_32[i_20, j_23] (v_40)";
    let text = after("[n_0][m_1]", &rows_then_columns("", inner), "", "");
    assert_eq!((words(&text), text.matches("rearrange").count()), ([0, 0, 0], 0), "{text}");
    let turned = inner.replace("[i_20, j_23]", "[j_23, i_20]");
    let text = after("[m_1][n_0]", &rows_then_columns("", &turned), "", "");
    assert_eq!((words(&text), text.matches("rearrange").count()), ([0, 0, 0], 1), "{text}");
    // only a part of the array is reached, or its elements more than once
    let text = after("[m_1][m_1]", &rows_then_columns("", inner), "", "");
    assert_eq!(words(&text), [1, 1, 0], "{text}");
    let twice = "let (k_41: i64) = index ks_5[i_20]";
    let text = after("[n_0][m_1]", &rows_then_columns(twice, &inner.replace("[i_20, ", "[k_41, ")), "", "");
    assert_eq!(words(&text), [1, 1, 0], "{text}");
}

/// The same with rows inside of columns.
fn columns_then_rows(inner: &str) -> String {
    format!(
        "let (acc_8: ACC) = screma m_1 (js_11, ys_3, acc_7) map \\(j_23: i64, y_24: f64, acc_22: ACC) -> (ACC) {{
           let (acc_30: ACC) = screma n_0 (is_10, xs_2, acc_22) map \\(i_20: i64, x_21: f64, acc_32: ACC) -> (ACC) {{ {inner} in (acc_31) }}
           in (acc_30) }}"
    )
}

#[test]
fn where_nothing_ran_nothing_new_can_fail() {
    let value = "let (v_40: f64) = mul.f64(x_21, y_24)";
    // an index that is calculated
    let total = format!("{value} let (k_41: i64) = add.i64(i_20, 1i64) let (acc_31: ACC) = updacc acc_32[k_41] (v_40)");
    let text = after("[n_0]", &columns_then_rows(&total), "", "");
    assert_eq!(words(&text), [1, 1, 1], "{text}");
    // one that relies on a check, which a nest without columns does not make
    let checked = format!(
        "{value} let (c_42: cert) = check bounds (i_20) [m_1] let (d_43: f64) = index ys_3[i_20] certs (c_42)
         let (k_41: i64) = conv.f64.i64(d_43) let (acc_31: ACC) = updacc acc_32[k_41] (v_40)"
    );
    let text = after("[n_0]", &columns_then_rows(&checked), "", "");
    assert_eq!(words(&text), [1, 1, 0], "{text}");
    // but what is added may
    let checked = "let (c_42: cert) = check bounds (i_20) [m_1] let (d_43: f64) = index ys_3[i_20] certs (c_42)
         let (acc_31: ACC) = updacc acc_32[i_20] (d_43)";
    let text = after("[n_0]", &columns_then_rows(checked), "", "");
    assert_eq!((words(&text), text.matches("check").count()), ([0, 0, 1], 1), "{text}");
}

#[test]
fn what_the_maps_rely_on_the_new_nest_relies_on() {
    let nest = |at: &str, dims: &str, index: &str| {
        let inner = format!("let (v_40: f64) = mul.f64(x_21, y_24) let (acc_31: ACC) = updacc acc_32[{index}] (v_40)");
        let nest = rows_then_columns("", &inner);
        let end = if at == "outer" { nest.len() } else { nest.rfind("in (acc_30)").unwrap() };
        let (before, behind) = nest.split_at(end);
        let nest = format!("let (c_70: cert) = check bounds (m_1) [n_0] {} certs (c_70) {behind}", before.trim_end());
        after(dims, &nest, "", "")
    };
    for at in ["outer", "inner"] {
        for (dims, index) in [("[n_0]", "i_20"), ("[n_0][m_1]", "i_20, j_23")] {
            let text = nest(at, dims, index);
            assert!(words(&text)[1] == 0 && text.contains("certs (c_70)"), "{at} {index}\n{text}");
        }
    }
}

#[test]
fn work_does_not_move_inwards() {
    let sum = "let (s_50: f64) = screma m_1 (ys_3) map \\(y_51: f64) -> (f64) { let (p_55: f64) = mul.f64(y_51, x_21) in (p_55) } \
               reduce comm \\(a_52: f64, b_53: f64) -> (f64) { let (t_54: f64) = add.f64(a_52, b_53) in (t_54) } neutral (0.0f64)";
    let inner = "let (acc_31: ACC) = updacc acc_32[j_23] (s_50)";
    let text = after("[m_1]", &rows_then_columns(sum, inner), "", "");
    assert_eq!(words(&text), [1, 1, 1], "{text}");
}

#[test]
fn what_the_nest_consumes_is_not_read_again() {
    let nest = |update: &str, row: &str| {
        format!(
            "let (copy_70: [n_0][m_1]f64) = copy rows_9
             let (acc_8: ACC, new_60: [n_0][m_1]f64) = screma n_0 (is_10, copy_70, acc_7) map \\(i_20: i64, row_21: [m_1]f64, acc_22: ACC) -> (ACC, [m_1]f64) {{
               let (c_64: cert) = check bounds (0i64) [m_1]
               let (acc_30: ACC) = screma m_1 (js_11, acc_22) map \\(j_23: i64, acc_32: ACC) -> (ACC) {{
                 let (x_61: f64) = index row_21[0i64] certs (c_64) let (acc_31: ACC) = updacc acc_32[j_23] (x_61) in (acc_31) }}
               let (row_62: [m_1]f64) = {update}
               in (acc_30, {row}) }}"
        )
    };
    let others = ", *r_91: [n_0][m_1]f64";
    let consumed = nest("update row_21[0i64] = 0.0f64 certs (c_64)", "row_62");
    let text = after("[m_1]", &consumed, others, ", new_60");
    assert_eq!(words(&text), [1, 1, 0], "{text}");
    let read = nest("copy row_21", "row_62");
    let text = after("[m_1]", &read, others, ", new_60");
    assert_eq!(words(&text), [0, 0, 1], "{text}");
}

#[test]
fn updates_one_after_the_other_are_each_looked_at() {
    let inner = "let (acc_33: ACC) = updacc acc_32[i_20] (x_21) let (acc_31: ACC) = updacc acc_33[i_20] (y_24)";
    let text = after("[n_0]", &rows_then_columns("", inner), "", "");
    assert_eq!(words(&text), [0, 0, 2], "{text}");
    // in a branch they stay
    let branch = "let (t_44: bool) = lt.f64(x_21, y_24) let (acc_31: ACC) = if t_44 then { \
                  let (acc_45: ACC) = updacc acc_32[i_20] (x_21) in (acc_45) } else { in (acc_32) }";
    let text = after("[n_0]", &rows_then_columns("", branch), "", "");
    assert_eq!(words(&text), [1, 1, 0], "{text}");
}

/// A nest of rows, columns and rows again, whose innermost body is `inner`; `outer` is around it, inside of columns.
fn rows_columns_rows(outer: &str, inner: &str) -> String {
    let inner = format!(
        "{outer} let (acc_31: ACC) = screma n_0 (xs_2, acc_32) map \\(z_80: f64, acc_81: ACC) -> (ACC) {{ {inner} in (acc_82) }}"
    );
    rows_then_columns("", &inner)
}

#[test]
fn a_check_stays_inside_of_each_kept_level_around_it() {
    let outer = "let (c_42: cert) = check bounds (i_20) [m_1] let (d_43: f64) = index ys_3[i_20] certs (c_42)";
    let inner = "let (v_83: f64) = mul.f64(d_43, z_80) let (acc_82: ACC) = updacc acc_81[i_20, j_23] (v_83)";
    let text = after("[n_0][m_1]", &rows_columns_rows(outer, inner), "", "");
    assert_eq!(words(&text), [0, 0, 1], "{text}");
    let [levels, check] =
        ["screma", "check"].map(|word| text.match_indices(word).map(|(at, _)| at).collect::<Vec<_>>());
    assert!(levels[1] < check[0] && check[0] < levels[2], "{text}");
}

#[test]
fn kept_levels_lie_as_the_array_does() {
    let inner = "let (v_83: f64) = mul.f64(y_24, z_80) let (acc_82: ACC) = updacc acc_81[j_23, i_20] (v_83)";
    let text = after("[m_1][n_0]", &rows_columns_rows("", inner), "", "");
    assert_eq!((words(&text), text.matches("rearrange").count()), ([0, 0, 1], 0), "{text}");
}

#[test]
fn what_is_not_worth_a_nest_of_its_own_stays() {
    let others = ", *r_91: [n_0][m_1]f64";
    let nest = |index: &str| {
        format!(
            "let (acc_8: ACC, new_60: [n_0][m_1]f64) = screma n_0 (is_10, xs_2, acc_7) map \\(i_20: i64, x_21: f64, acc_22: ACC) -> (ACC, [m_1]f64) {{
               let (acc_30: ACC, row_62: [m_1]f64) = screma m_1 (ys_3, acc_22) map \\(y_24: f64, acc_32: ACC) -> (ACC, f64) {{
                 let (v_40: f64) = mul.f64(x_21, y_24) let (acc_31: ACC) = updacc acc_32[{index}] (v_40) in (acc_31, v_40) }}
               in (acc_30, row_62) }}"
        )
    };
    for (dims, index) in [("[n_0]", "i_20"), ("[n_0][n_0]", "i_20, i_20")] {
        let text = after(dims, &nest(index), others, ", new_60");
        assert_eq!(words(&text), [1, 1, 0], "{text}");
    }
}

/// The words left of a map over rows that updates element `k_41`, which `stms` make of the index `i_20`, and the text.
fn at_place(stms: &str, certs: &str) -> ([usize; 3], String) {
    let nest = format!(
        "let (acc_8: ACC) = screma n_0 (is_10, xs_2, acc_7) map \\(i_20: i64, x_21: f64, acc_22: ACC) -> (ACC) {{
           {stms} let (acc_31: ACC) = updacc acc_22[k_41] (x_21) {certs} in (acc_31) }}"
    );
    let text = after("[n_0]", &nest, "", "");
    (words(&text), text)
}

const STAYS: [usize; 3] = [1, 1, 0];
const RETURNED: [usize; 3] = [0, 0, 0];

#[test]
fn an_index_shifted_around_has_an_inverse_if_the_sum_does_not_overflow() {
    let shifted = |sum: &str| {
        let (words, text) = at_place(&format!("let (s_40: i64) = {sum} let (k_41: i64) = mod.i64(s_40, n_0)"), "");
        assert!(words == STAYS || words == RETURNED, "{text}");
        words == RETURNED
    };
    // up to 2³¹ − 1
    for (term, fits) in [
        ("3i64", true),
        ("2147483647i64", true),
        ("2147483648i64", false),
        ("-2147483647i64", true),
        ("-2147483648i64", false),
        // of 32 bits, the size itself, and any number
        ("h_17", true),
        ("n_0", true),
        ("m_1", false),
    ] {
        assert_eq!(shifted(&format!("add.i64(i_20, {term})")), fits, "{term}");
        assert_eq!(shifted(&format!("add.i64({term}, i_20)")), fits, "{term}");
    }
}

/// Where h + i is p, i is p − h; where m − (i + h) is, i is −(p + h − m).
#[test]
fn what_is_added_is_subtracted_to_invert_a_place() {
    // the operator, in what reads the elements back, that has this for its second operand
    let operator = |text: &str, operand: &str| {
        let (_, back) = text.split_once("zs_4) map").unwrap();
        let (before, _) = back.split_once(&format!(", {operand})")).unwrap();
        before.rsplit_once("= ").unwrap().1.split_once("(").unwrap().0.to_string()
    };
    let (words, text) = at_place("let (s_40: i64) = add.i64(h_17, i_20) let (k_41: i64) = mod.i64(s_40, n_0)", "");
    assert_eq!(words, RETURNED, "{text}");
    assert_eq!(operator(&text, "h_17"), "sub.i64", "{text}");
    let stms = "let (s_40: i64) = add.i64(i_20, h_17) let (k_41: i64) = sub.i64(m_1, s_40) let (c_42: cert) = check bounds (k_41) [n_0]";
    let (words, text) = at_place(stms, "certs (c_42)");
    assert_eq!(words, RETURNED, "{text}");
    assert_eq!(["h_17", "m_1"].map(|term| operator(&text, term)), ["add.i64", "sub.i64"], "{text}");
    assert!(text.contains("sub.i64(0i64, "), "{text}");
}

#[test]
fn an_index_subtracted_is_in_range_if_it_is_from_the_last() {
    for (from, words) in [("last_18", RETURNED), ("h_17", STAYS), ("n_0", STAYS), ("3i64", STAYS)] {
        let (found, text) = at_place(&format!("let (k_41: i64) = sub.i64({from}, i_20)"), "");
        assert_eq!(found, words, "{from}\n{text}");
        // or if that is checked; another check says nothing
        let checked = |check: &str| format!("let (k_41: i64) = sub.i64({from}, i_20) let (c_42: cert) = check {check}");
        let (found, text) = at_place(&checked("bounds (k_41) [n_0]"), "certs (c_42)");
        assert_eq!(found, RETURNED, "{from}\n{text}");
        let (found, text) = at_place(&checked("nonzero k_41"), "certs (c_42)");
        assert_eq!(found, words, "{from}\n{text}");
    }
    // of four the last is 3
    for (from, left) in [(2, STAYS), (3, RETURNED), (4, STAYS)] {
        let nest = format!(
            "let (fs_60: [4]i64) = iota i64 (4i64, 0i64, 1i64)
             let (acc_8: ACC) = screma 4 (fs_60, acc_7) map \\(i_20: i64, acc_22: ACC) -> (ACC) {{
               let (x_21: f64) = conv.i64.f64(i_20) let (k_41: i64) = sub.i64({from}i64, i_20)
               let (acc_31: ACC) = updacc acc_22[k_41] (x_21) in (acc_31) }}"
        );
        let text = after("[4]", &nest, "", "");
        assert_eq!(words(&text), left, "{from}\n{text}");
    }
}

/// The elements are read back outside of the `withacc`, where its variables are unknown.
#[test]
fn a_place_that_depends_on_the_accumulator_s_scope_stays() {
    let nest = |inside: &str, term: &str| {
        format!(
            "{inside} let (acc_8: ACC) = screma n_0 (is_10, xs_2, acc_7) map \\(i_20: i64, x_21: f64, acc_22: ACC) -> (ACC) {{
               let (s_40: i64) = add.i64(i_20, {term}) let (k_41: i64) = mod.i64(s_40, n_0)
               let (acc_31: ACC) = updacc acc_22[k_41] (x_21) in (acc_31) }}"
        )
    };
    let remainder = "let (k_50: i64) = mod.i64(m_1, n_0)";
    let text = after("[n_0]", &nest(remainder, "k_50"), "", "");
    assert_eq!(words(&text), STAYS, "{text}");
}
