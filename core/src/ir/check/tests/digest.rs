//! The negative suite of digest 004 §6.2, each beside its positive twin, as what the cases mean for the IR. Z5 and Z6 are run-time failures: see `core/tests/sizes.rs`.

use super::Rule::*;
use super::*;
use crate::analysis::Analyses;
use crate::driver::pipeline::{Stage, stage};
use crate::passes::fuse::fuse;

fn program(text: &str) -> Program {
    let program: Program = format!("futi-ir 1\n{text}").parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(errors(&program), [], "{program}");
    program
}

const UPDATE: &str = "let (b_10: [n_0]f64) = update ys_2[0i64] = 1.0f64";

#[test]
fn u1_use_after_consume() {
    assert_eq!(body("r_90: f64", &format!("{UPDATE} let (y_11: f64) = index ys_2[0i64] in (y_11)")), [UseAfterConsume]);
    assert_eq!(body("r_90: f64", &format!("let (y_11: f64) = index ys_2[0i64] {UPDATE} in (y_11)")), []);
}

#[test]
fn u2_a_slice_aliases() {
    let slice = "let (r_11: [2]f64) = slice ys_2[0i64 : 2 : 1i64]";
    assert_eq!(
        body("r_90: f64", &format!("{slice} {UPDATE} let (y_12: f64) = index r_11[0i64] in (y_12)")),
        [UseAfterConsume]
    );
    assert_eq!(body("r_90: f64", &format!("{slice} let (y_12: f64) = index r_11[0i64] {UPDATE} in (y_12)")), []);
}

#[test]
fn u3_a_row_written_into_its_own_matrix() {
    let row = |row: &str| {
        format!(
            "let (r_10: [n_0]f64) = index xss_6[i_4] let (v_11: [n_0]f64) = {row} let (a_12: [n_0][n_0]f64) = update xss_6[0i64] = v_11 in (a_12)"
        )
    };
    assert_eq!(body("r_90: [n_0][n_0]f64", &row("r_10")), [Aliasing]);
    assert_eq!(body("r_90: [n_0][n_0]f64", &row("copy r_10")), []);
}

#[test]
fn u4_consumed_in_one_branch_used_after() {
    let branch = format!("let (u_11: [n_0]f64) = if b_5 then {{ {UPDATE} in (b_10) }} else {{ in (xs_1) }}");
    assert_eq!(body("r_90: [n_0]f64", &format!("{branch} in (ys_2)")), [UseAfterConsume]);
    assert_eq!(body("r_90: [n_0]f64", &format!("{branch} in (u_11)")), []);
}

#[test]
fn u5_a_map_that_consumes_a_free_variable() {
    let map = |d: &str| {
        format!(
            "let (m_10: [n_0][n_0]f64) = screma n_0 (is_7) map \\(i_11: i64) -> ([n_0]f64) {{ let (d_12: [n_0]f64) = copy ys_2 \
             let (e_13: [n_0]f64) = update {d}[i_11] = 2.0f64 in (e_13) }} in (m_10)"
        )
    };
    assert_eq!(body("r_90: [n_0][n_0]f64", &map("ys_2")), [Consumable]);
    assert_eq!(body("r_90: [n_0][n_0]f64", &map("d_12")), []);
}

const ROWS: &str = "let (m_10: [n_0][n_0]f64) = screma n_0 (xss_6) map \\(a_11: [n_0]f64) -> ([n_0]f64) { \
                    let (e_12: [n_0]f64) = update a_11[0i64] = 2.0f64 in (e_12) }";

#[test]
fn u6_a_map_that_consumes_its_rows_consumes_the_array() {
    assert_eq!(body("*r_90: [n_0][n_0]f64", &format!("{ROWS} in (m_10)")), []);
    assert_eq!(body("*r_90: [n_0][n_0]f64", &format!("{ROWS} in (xss_6)")), [UseAfterConsume]);
}

#[test]
fn u7_a_parameter_that_is_not_unique_is_consumed() {
    let f = |unique: &str| {
        format!(
            "fun \"f\"({unique}a_0: [3]f64) -> (*r_9: [3]f64) {{ let (b_1: [3]f64) = update a_0[0i64] = 1.0f64 in (b_1) }}"
        )
    };
    assert_eq!(verdict(&f("")), [Consumable]);
    assert_eq!(verdict(&f("*")), []);
}

#[test]
fn u8_a_consumed_argument_aliases_another() {
    let call = |args: &str| {
        verdict(&format!(
            "fun \"f\"(*a_0: [3]f64, b_1: [3]f64) -> () {{ in () }} \
             fun \"g\"(*c_2: [3]f64, d_3: [3]f64) -> () {{ let (s_4: [3]f64) = slice c_2[0i64 : 3 : 1i64] let () = call \"f\"({args}) in () }}"
        ))
    };
    assert_eq!(call("c_2, c_2"), [Aliasing]);
    assert_eq!(call("c_2, s_4"), [Aliasing]);
    assert_eq!(call("s_4, c_2"), [Aliasing]);
    assert_eq!(call("c_2, d_3"), []);
}

#[test]
fn u9_a_result_that_is_not_unique_is_consumed() {
    let f = |unique: &str, result: &str| {
        verdict(&format!(
            "fun \"f\"(a_0: [3]f64) -> ({unique}r_1: [3]f64) {{ let (c_2: [3]f64) = copy a_0 in ({result}) }} \
             fun \"g\"(b_3: [3]f64) -> (s_4: [3]f64) {{ let (x_5: [3]f64) = call \"f\"(b_3) let (y_6: [3]f64) = update x_5[0i64] = 1.0f64 in (y_6) }}"
        ))
    };
    assert_eq!(f("", "c_2"), [Consumable]);
    assert_eq!(f("*", "c_2"), []);
    assert_eq!(f("*", "a_0"), [Aliasing]);
}

#[test]
fn u10_a_loop_consumes_its_unique_parameter_only() {
    let loop_ = |what: &str| {
        format!(
            "let (l_10: [n_0]f64) = loop (*p_11: [n_0]f64 = ys_2) for k_12: i64 < n_0 do {{ let (w_13: [n_0]f64) = update {what}[k_12, 0i64] = x_3 in (p_11) }} in (l_10)"
        )
    };
    let of_row = |what: &str| loop_(what).replace("w_13: [n_0]f64", "w_13: [n_0][n_0]f64");
    assert_eq!(body("r_90: [n_0]f64", &of_row("xss_6")), [Consumable]);
    let own = loop_("p_11").replace("[k_12, 0i64]", "[k_12]").replace("in (p_11)", "in (w_13)");
    assert_eq!(body("r_90: [n_0]f64", &own), []);
}

#[test]
fn u11_a_loop_that_does_not_run_returns_its_first_value() {
    let loop_ = |init: &str, after: &str| {
        format!(
            "let (c_9: [n_0]f64) = copy xs_1 let (z_10: [n_0]f64) = loop (p_11: [n_0]f64 = {init}) for k_12: i64 < n_0 do {{ \
             let (m_13: [n_0]f64) = screma n_0 (p_11) map \\(e_14: f64) -> (f64) {{ in (e_14) }} in (m_13) }} \
             let (w_15: [n_0]f64) = update z_10[0i64] = 1.0f64 let (y_16: f64) = index {after}[0i64] in (y_16)"
        )
    };
    assert_eq!(body("r_90: f64", &loop_("c_9", "c_9")), [UseAfterConsume]);
    assert_eq!(body("r_90: f64", &loop_("xs_1", "xs_1")), [Consumable]);
    assert_eq!(body("r_90: f64", &loop_("c_9", "w_15")), []);
}

#[test]
fn u12_the_destination_of_a_scatter_is_consumed_and_its_result_usable() {
    let scatter = |used: &str| {
        format!(
            "let (b_10: [n_0]f64) = scatter n_0 (is_7, xs_1) map \\(i_11: i64, v_12: f64) -> (i64, f64) {{ in (i_11, v_12) }} dest [n_0] ys_2 \
             let (y_13: f64) = index {used}[0i64] in (y_13)"
        )
    };
    assert_eq!(body("r_90: f64", &scatter("ys_2")), [UseAfterConsume]);
    assert_eq!(body("r_90: f64", &scatter("b_10")), []);
}

const SQUARES: &str = "let (b_10: [n_0]f64) = screma n_0 (ys_2) map \\(e_11: f64) -> (f64) { let (t_12: f64) = mul.f64(e_11, e_11) in (t_12) }";
const NEGATED: &str =
    "let (d_20: [n_0]f64) = screma n_0 (b_10) map \\(e_21: f64) -> (f64) { let (t_22: f64) = neg.f64(e_21) in (t_22) }";

fn scremas(text: &str) -> usize {
    let fused = fuse(program(&with_body("r_90: [n_0]f64, *s_91: [n_0]f64", text)), &mut Analyses::default());
    assert_eq!(errors(&fused), [], "{fused}");
    fused.to_string().matches("screma").count()
}

#[test]
fn u13_what_is_consumed_in_between_is_not_fused_over() {
    let update = "let (c_15: [n_0]f64) = update ys_2[i_4] = x_3";
    assert_eq!(scremas(&format!("{SQUARES} {update} {NEGATED} in (d_20, c_15)")), 2);
    assert_eq!(scremas(&format!("{SQUARES} {NEGATED} {update} in (d_20, c_15)")), 1);
}

#[test]
fn u14_fusion_does_not_make_a_consumer_of_an_array_used_after() {
    // g consumes the rows that an identity map gives it; the array is used after
    let text = |then: &str| {
        format!(
            "let (t_9: [n_0][n_0]f64) = copy xss_6 let (m_10: [n_0][n_0]f64) = screma n_0 (xss_6) map \\(a_11: [n_0]f64) -> ([n_0]f64) {{ in (a_11) }} \
             let (g_12: [n_0][n_0]f64) = screma n_0 (m_10) map \\(a_13: [n_0]f64) -> ([n_0]f64) {{ let (e_14: [n_0]f64) = update a_13[0i64] = 2.0f64 in (e_14) }} \
             let (z_15: [n_0]f64) = index {then}[0i64] let (y_16: [n_0]f64) = copy z_15 in (y_16)"
        )
    };
    for after in ["xss_6", "t_9"] {
        let fused = fuse(program(&with_body("r_90: [n_0]f64", &text(after))), &mut Analyses::default());
        assert_eq!(errors(&fused), [], "{fused}");
    }
}

fn rows_consumed(arrays: &str, params: &str, read: &str) -> Vec<Rule> {
    body(
        "r_90: [n_0]f64",
        &format!(
            "let (c_9: [n_0][n_0]f64) = copy xss_6 let (m_10: [n_0]f64) = screma n_0 ({arrays}) map \\({params}) -> (f64) \
             {{ let (w_11: [n_0]f64) = update p_12[0i64] = 9.0f64 let (e_13: f64) = {read} in (e_13) }} in (m_10)"
        ),
    )
}

#[test]
fn u15_rows_of_one_array_twice_one_of_them_consumed() {
    let two = "p_12: [n_0]f64, q_14: [n_0]f64";
    assert_eq!(rows_consumed("xss_6, xss_6", two, "index q_14[0i64]"), [Aliasing]);
    assert_eq!(rows_consumed("xss_6, c_9", two, "index q_14[0i64]"), []);
}

#[test]
fn u16_rows_consumed_of_an_array_read_as_a_whole() {
    let one = "p_12: [n_0]f64";
    assert_eq!(rows_consumed("xss_6", one, "index xss_6[0i64, 0i64]"), [Aliasing]);
    assert_eq!(rows_consumed("xss_6", one, "index c_9[0i64, 0i64]"), []);
    assert_eq!(rows_consumed("xss_6", one, "index w_11[0i64]"), []);
}

const GRID: &str = "let (i_20: [n_0]i64) = iota i64 (n_0, 0i64, 1i64) let (j_21: [i_4]i64) = iota i64 (i_4, 0i64, 1i64) \
                    let (k_10: i64, m_11: i64, g_12: [k_10][m_11]i64) = if b_5 then { let (a_13: [n_0][i_4]i64) = replicate [n_0] j_21 in (n_0, i_4, a_13) } \
                    else { let (a_14: [i_4][n_0]i64) = replicate [i_4] i_20 in (i_4, n_0, a_14) } in (k_10, m_11, g_12)";

#[test]
fn z1_branches_of_two_shapes_have_existential_sizes() {
    let results = "k_90: i64, m_91: i64, r_92: [k_90][m_91]i64";
    assert_eq!(body(results, GRID), []);
    assert_eq!(body(results, &GRID.replace("(i_4, n_0, a_14)", "(n_0, i_4, a_14)")), [Types]);
}

#[test]
fn z2_the_pattern_of_a_call_names_the_existential_size() {
    let call = |pat: &str, result: &str, last: &str| {
        verdict(&format!(
            "fun \"f\"(x_0: i64) -> (n_1: i64, r_2: [x_0][n_1]f64) {{ let (a_3: [x_0][3]f64) = replicate [x_0][3] 0.0f64 in (3i64, a_3) }} \
             fun \"g\"(a_10: i64) -> ({result}) {{ let ({pat}) = call \"f\"(a_10) in ({last}) }}"
        ))
    };
    let result = "m_11: i64, v_12: [a_10][m_11]f64";
    assert_eq!(call("m_20: i64, v_21: [a_10][m_20]f64", result, "m_20, v_21"), []);
    assert_eq!(call("m_20: i64, v_21: [m_20][a_10]f64", "m_11: i64, v_12: [m_11][a_10]f64", "m_20, v_21"), [Types]);
}

#[test]
fn z3_an_existential_does_not_escape() {
    let if_ = |pat: &str, yes: &str| {
        format!(
            "let ({pat}) = if b_5 then {{ let (k_10: i64) = add.i64(n_0, 1i64) let (a_11: [k_10]f64) = replicate [k_10] x_3 in ({yes}) }} else {{ in (n_0, xs_1) }} in (s_12, v_13)"
        )
    };
    let results = "s_90: i64, r_91: [s_90]f64";
    assert_eq!(body(results, &if_("s_12: i64, v_13: [s_12]f64", "k_10, a_11")), []);
    assert!(body(results, &if_("s_12: i64, v_13: [k_10]f64", "k_10, a_11")).contains(&Scope));
}

#[test]
fn z4_a_loop_whose_array_changes_its_size() {
    let loop_ = |next: &str| {
        format!(
            "let (k_10: i64, a_11: [k_10]f64) = loop (k_12: i64 = n_0, a_13: [k_12]f64 = xs_1) for j_14: i64 < 3i64 do {{ \
             let (m_15: i64) = add.i64(k_12, k_12) let (b_16: [m_15]f64) = concat m_15 (a_13, a_13) in ({next}, b_16) }} in (k_10, a_11)"
        )
    };
    assert_eq!(body("k_90: i64, r_91: [k_90]f64", &loop_("m_15")), []);
    assert_eq!(body("k_90: i64, r_91: [k_90]f64", &loop_("k_12")), [Types]);
}

#[test]
fn z7_every_dimension_has_a_size_in_scope() {
    assert_eq!(verdict("fun \"f\"(n_0: i64, xs_1: [n_0][2]f64) -> () { in () }"), []);
    assert_eq!(verdict("fun \"f\"(xs_1: [n_0][2]f64) -> () { in () }"), [Scope]);
    assert_eq!(verdict("fun \"f\"(n_0: i32, xs_1: [n_0][2]f64) -> () { in () }"), [Sizes]);
}

#[test]
fn z8_simplification_leaves_no_existential_that_is_known() {
    // both branches have the size n, which the pattern of the conditional need not name
    let text = "entry \"f\"(n_0: i64, xs_1: [n_0]f64, b_2: bool) -> (k_3: i64, r_4: [k_3]f64) sig 1 (\"xs\": [\"n\"]f64, \"b\": bool) -> [\"\"]f64 { \
                let (k_5: i64, a_6: [k_5]f64) = if b_2 then { let (c_7: [n_0]f64) = reverse xs_1 in (n_0, c_7) } else { let (c_8: [n_0]f64) = copy xs_1 in (n_0, c_8) } \
                let (m_9: [k_5]f64) = screma k_5 (a_6) map \\(x_10: f64) -> (f64) { let (y_11: f64) = mul.f64(x_10, x_10) in (y_11) } in (k_5, m_9) }";
    let simple = stage(program(text), Stage::Fused).unwrap_or_else(|e| panic!("{:?}", e.constructs));
    assert_eq!(errors(&simple), []);
    let f = &simple.funs[0];
    let pattern_of = |e: fn(&Exp) -> bool| {
        f.body.stms.iter().filter(|s| e(&s.exp)).flat_map(|s| &s.pat).map(|b| b.ty.clone()).collect::<Vec<_>>()
    };
    let n = Dim::Var(f.params[0].binder.var);
    let vector = Type::Array(ScalarType::F64, vec![n]);
    assert_eq!(pattern_of(|e| matches!(e, Exp::If { .. })), std::slice::from_ref(&vector), "{simple}");
    assert_eq!(pattern_of(|e| matches!(e, Exp::Screma(_))), [vector], "{simple}");
}
