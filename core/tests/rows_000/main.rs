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
// B6 (the code after simplification): `ad_arrays.rs` has it. B11 (asymptotics): time.
// D17 to D20, D27 (sorting, flags, kernels, dead histograms): the rule for histograms (issue 6); D30 (repeated GPU runs).
// E11, E13, E14, E16, E24 (the recogniser, arrays and kernels of strategies, the rewriting of vectorised scans, dead scans): the rules for scans (issue 6).
// D9, E4 to E6 under several strategies: the strategies are of issue 6; the values are here.
