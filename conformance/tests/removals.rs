//! Of some of the suite's programs, whatever orders memory in their kernels is needed: the executor reports it when it is taken away.
//!
//! An update is atomic where nothing shows that no two points share a place. Some never do, whatever the input: those survive. Where we have shown it by hand, it is said why.

use futi_conformance::removals::{Options, Survivor, run};
use futi_kernels::removal::Removal;
use std::path::Path;

/// What can be done without, in programs' kernels, and why no two points share a place there.
const REDUNDANT: [(&str, &str); 4] = [
    // An entry (r, c) below the diagonal of d rows is at d + c (2d - c - 1) / 2 + r - c - 1. The columns before c have (d - 1) + … + (d - c) = c (2d - c - 1) / 2 such entries: they stand one
    // behind the other, behind the d of the diagonal, which are at r.
    ("acc_o5_o7_gmm.fut:", "the entries of a triangle are at different places of a row"),
    // Of the branches that a number of the host's chooses, the same for all points, the one updates `xs` at i only, the other `ys` at i - n only. What is divided, and what all update, is in the
    // other branch each time.
    ("acc_a12_a13_indices.fut:conditional_arrays", "a branch that all points take updates an array at i only"),
    // The point p updates the place x only if the number of the last point that has written there, kept at x, is p.
    ("r15_overwritten_parts.fut:written_second", "only the last point that writes to a place updates it"),
    // i / 2 where i is even, -1 elsewhere.
    ("scatter_then_slice.ir:main", "different even numbers have different halves"),
];

#[test]
fn the_executor_reports_what_is_taken_away() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let report = run(&Options {
        paths: vec![root.join("conformance/suite"), root.join("examples")],
        sample: Some(200),
        seed: std::env::var("FUTI_VALIDATE").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0),
        jobs: 2,
        ..Options::default()
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert!(report.panics.is_empty(), "{report}");
    let alone = |survivor: &Survivor| !matches!(survivor.removal, Removal::Barrier | Removal::Fence);
    assert!(report.survivors.iter().all(alone), "{report}");
    let is_needed = |survivor: &&Survivor| !REDUNDANT.iter().any(|(program, _)| survivor.program.contains(program));
    assert!(report.survivors.iter().filter(is_needed).count() * 100 <= report.planted(), "{report}");
    assert!(report.planted() > 100, "{report}");
}
