//! Sizes that do not agree fail at run time: the cases Z5 and Z6 of digest 004 §6.2, each beside its positive twin.

mod common;
use common::*;
use futi_core::ir::Program;
use futi_interp::{Ctx, eval};

/// What the first function gives, or how it fails.
fn outcome(program: &Program, args: &str) -> Result<String, String> {
    let results = eval(program, program.funs[0].name.as_str(), &values(args), &Ctx::strict());
    results.map(|v| v.iter().map(|v| format!("{v}")).collect::<Vec<_>>().join(" ")).map_err(|e| e.to_string())
}

#[test]
fn z5_a_size_written_twice_stands_for_one_number() {
    // what `def f [n] (xs: [n]f64) (ys: [n]f64) = xs[0] + ys[0]`, called with arrays of sizes n and m, becomes
    let f = parse(
        "entry \"main\"(n_0: i64, m_1: i64, xs_2: [n_0]f64, ys_3: [m_1]f64) -> (r_4: f64) sig 2 (\"xs\": [\"n\"]f64, \"ys\": [\"m\"]f64) -> f64 {
           let (c_5: cert) = check size [m_1] = [n_0]
           let (zs_6: [n_0]f64) = coerce [n_0] ys_3 certs (c_5)
           let (s_7: f64) = call \"f\"(n_0, xs_2, zs_6)
           in (s_7) }
         fun \"f\"(n_10: i64, xs_11: [n_10]f64, ys_12: [n_10]f64) -> (r_13: f64) {
           let (x_14: f64) = index xs_11[0i64]
           let (y_15: f64) = index ys_12[0i64]
           let (z_16: f64) = add.f64(x_14, y_15)
           in (z_16) }",
    );
    assert_eq!(outcome(&f, "2i64 2i64 [1.0f64, 2.0f64] [10.0f64, 20.0f64]"), Ok("11.0f64".into()));
    let error = outcome(&f, "2i64 1i64 [1.0f64, 2.0f64] [10.0f64]").unwrap_err();
    assert!(error.contains("Value of shape [1] cannot match shape of type \"[2]\""), "{error}");
}

#[test]
fn z6_rows_of_different_sizes_are_no_array() {
    // `map (\i -> iota i) is`, whose rows have the size that the first one has
    let f = parse(
        "fun \"f\"(n_0: i64, is_1: [n_0]i64) -> (k_2: i64, r_3: [n_0][k_2]i64) {
           let (k_4: i64) = index is_1[0i64]
           let (m_5: [n_0][k_4]i64) = screma n_0 (is_1) map \\(i_6: i64) -> ([k_4]i64) {
             let (a_7: [i_6]i64) = iota i64 (i_6, 0i64, 1i64)
             let (c_8: cert) = check size [i_6] = [k_4]
             let (b_9: [k_4]i64) = coerce [k_4] a_7 certs (c_8)
             in (b_9)
           }
           in (k_4, m_5) }",
    );
    assert_eq!(outcome(&f, "2i64 [2i64, 2i64]"), Ok("2i64 [[0i64, 1i64], [0i64, 1i64]]".into()));
    let error = outcome(&f, "2i64 [2i64, 3i64]").unwrap_err();
    assert!(error.contains("Value of shape [3] cannot match shape of type \"[2]\""), "{error}");
}
