//! Of some of the suite's programs, whatever orders memory in their kernels is needed: the executor reports it when it is taken away.
//!
//! An update is atomic where nothing shows that no two points share a place, and a barrier stands where nothing shows that a place is not another invocation's. Some never are, whatever the input: those
//! survive. Where we have shown it by hand, it is said why.

use futi_conformance::removals::{Options, Survivor, run};
use futi_kernels::removal::Removal;
use std::path::Path;

/// Programs in whose kernels barriers can be done without, and why no two invocations share a place there between the barriers that are left.
const UNSHARED: [(&str, &str); 5] = [
    ("within_groups.fut:begun", "the first invocation replaces element j when all have read element j + 1"),
    (
        "within_groups.fut:element",
        "the first invocation replaces elements k and k + 1 when all have read element k + 2",
    ),
    ("within_groups.fut:beyond", "where the index is not the invocation's own, the program fails"),
    (
        "within_groups.fut:gradient",
        "the last round backwards reads the first row, of which each invocation makes what it has read",
    ),
    ("within_groups.fut:loops_of_copies", "the last round replaces element 0, which the first invocation reads itself"),
];

/// Those in whose kernels updates need not be atomic, and why no two points share a place there.
const REDUNDANT: [(&str, &str); 6] = [
    // An entry (r, c) below the diagonal of d rows is at d + c (2d - c - 1) / 2 + r - c - 1. The columns before c have (d - 1) + … + (d - c) = c (2d - c - 1) / 2 such entries: they stand one
    // behind the other, behind the d of the diagonal, which are at r.
    ("gmm.fut:", "the entries of a triangle are at different places of a row"),
    // Of the branches that a number of the host's chooses, the same for all points, the one updates `xs` at i only, the other `ys` at i - n only. What is divided, and what all update, is in the
    // other branch each time.
    ("acc_a12_a13_indices.fut:conditional_arrays", "a branch that all points take updates an array at i only"),
    // The point p updates the place x only if the number of the last point that has written there, kept at x, is p.
    ("r15_overwritten_parts.fut:written_second", "only the last point that writes to a place updates it"),
    ("a08_seed_sparsity.fut:reverse", "beside itself, one element reads another, and no two the same"),
    ("d_x6_scan_matrices.fut:reverse", "each level of a scan makes pairs of neighbours"),
    // i / 2 where i is even, -1 elsewhere.
    ("scatter_then_slice.ir:main", "different even numbers have different halves"),
];

#[test]
fn the_executor_reports_what_is_taken_away() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let report = run(&Options {
        paths: vec![root.join("conformance/suite"), root.join("examples")],
        sample: Some(100),
        seed: std::env::var("FUTI_VALIDATE").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0),
        jobs: 2,
        ..Options::default()
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert!(report.panics.is_empty(), "{report}");
    let orders = |survivor: &Survivor| matches!(survivor.removal, Removal::Barrier | Removal::Fence);
    let is_needed = |survivor: &&Survivor| {
        let known: &[_] = if orders(survivor) { &UNSHARED } else { &REDUNDANT };
        !known.iter().any(|(program, _)| survivor.program.contains(program))
    };
    assert!(!report.survivors.iter().filter(is_needed).any(orders), "{report}");
    assert!(report.survivors.iter().filter(is_needed).count() * 100 <= report.planted(), "{report}");
    assert!(report.planted() > 100, "{report}");
}
