//! The checklist of document 000 (digest 000 §5, sections A to E), as far as it needs no source language: each test is named after its row.
//! What a row means for the compiler (kernels, fusion, sorting, time) is not here; see the end of this file.

#[path = "../common/mod.rs"]
mod common;

mod ad;
mod hist;
mod hist_sizes;
mod language;
mod reduce;
mod scan;
mod scan_forms;

use common::*;

/// Tuples as a text of one array for each component.
fn columns<const D: usize>(tuples: &[[f64; D]]) -> String {
    let column = |k: usize| list(tuples.iter().map(|t| t[k]));
    (0..D).map(column).collect::<Vec<_>>().join(" ")
}

/// Numbers as the text of an array.
fn list(xs: impl IntoIterator<Item = f64>) -> String {
    let xs: Vec<String> = xs.into_iter().map(|x| format!("{x:?}f64")).collect();
    if xs.is_empty() { "empty([0]f64)".into() } else { format!("[{}]", xs.join(", ")) }
}

/// Indices as the text of an array.
fn indices(xs: impl IntoIterator<Item = i64>) -> String {
    let xs: Vec<String> = xs.into_iter().map(|x| format!("{x}i64")).collect();
    if xs.is_empty() { "empty([0]i64)".into() } else { format!("[{}]", xs.join(", ")) }
}

/// The reduction of d arrays by an operator on d-tuples; parameters: n, the arrays.
fn reduce(d: usize, op: &str, neutral: &str) -> String {
    fold("reduce", "f64", d, op, neutral)
}

/// The scan of d arrays by an operator on d-tuples; parameters: n, the arrays.
fn scan(d: usize, op: &str, neutral: &str) -> String {
    fold("scan", "[n]f64", d, op, neutral)
}

fn fold(what: &str, ty: &str, d: usize, op: &str, neutral: &str) -> String {
    let each = |f: &dyn Fn(usize) -> String| (0..d).map(f).collect::<Vec<_>>().join(", ");
    let rows = each(&|k| format!("x{k}"));
    format!(
        "fun \"f\"(n: i64, {}) -> ({}) {{ let ({}) = screma n ({}) map <<{rows} -> {rows}>> {what} {op} neutral ({neutral}) in ({}) }}",
        each(&|k| format!("xs{k}: [n]f64")),
        each(&|k| format!("r{k}: {ty}")),
        each(&|k| format!("y{k}: {ty}")),
        each(&|k| format!("xs{k}")),
        each(&|k| format!("y{k}")),
    )
}

/// Numbers that look random: small integers, zeros and ties among them.
fn random(seed: u64, n: usize, below: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % below
    };
    (0..n).map(|_| next() as f64).collect()
}

/// The product of dual numbers, the derivative first, and its neutral element (digest, E6).
const DUAL: [&str; 2] = ["<<a, b, c, d -> b*c + d*a, b*d>>", "0.0f64, 1.0f64"];
/// The product of 2×2 matrices in row-major order.
const MM2: [&str; 2] =
    ["<<a, b, c, d, e, f, g, h -> a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h>>", "1.0f64, 0.0f64, 0.0f64, 1.0f64"];

// Rows that are not here, and why:
// A3 (zips are free): the IR has no tuples; nothing could be observed.
// A9, A14 (loads, buffers for iota), A17 at 1.5M bins and shared memory: kernels.
// B6 (the code after simplification): `ad_arrays.rs` has it.
// B11 (asymptotics): counted in `ad_costs.rs`; for many elements `d_b11_asymptotics.fut`. (Files are those of `conformance/suite/ad`.)
// D17 to D19 (sorting, segments, significant bits): `d_d17_d19_hist_sort.fut`; passes are counted in `ad_costs.rs`. D20, D27 (what the rules are made of,
// dead histograms): `d_d20_hist_general_structure.fut`, `d_d27_hist_dead_sum.fut`. D30 (repeated runs): `d_d30_hist_repeatable.fut`; on a GPU its tests.
// E11, E13 (the recogniser, operands by strategy): `scans_carry_what_the_matrices_have_of_their_own` in `ad_arrays.rs`, `rev/pattern.rs`, and
// `d_e11_e13_scan_recogniser.fut`. E14, E16, E24 (scans that there are, of rows, dead ones): `d_e14_scan_dual_structure.fut`,
// `d_e16_scan_rows_structure.fut`, `d_e24_scan_dead_sum.fut`, `d_e24_scan_kept_product.fut`.
// D9, E4 to E6 under several strategies: `d_d8_d10_hist_min_max.fut`; `d_e4_scan_dual.fut`, `d_e5_scan_linear.fut`, `d_e6_scan_mm2by2.fut`,
// `d_e12_scan_hidden_zeros.fut`, `d_e20_scan_arrays.fut`, `d_x5_x6_scan_without_matrices.fut`.
