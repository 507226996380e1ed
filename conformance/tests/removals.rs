//! Of some of the suite's programs, whatever orders memory in their kernels is needed: the executor reports it when it is taken away.
//!
//! An update is atomic where nothing shows that no two points share a place, and a barrier stands where nothing shows that a place is not another invocation's. Some never are, whatever the input: those
//! survive. Where we have shown it by hand, it is said why.

use futi_conformance::removals::{Options, Survivor, run};
use futi_kernels::removal::Removal;
use std::path::Path;

/// Programs in whose kernels barriers can be done without, how many, those of derivatives included, and why no two invocations share a place there between the barriers that are left.
const UNSHARED: [(&str, usize, &str); 5] = [
    ("within_groups.fut:begun", 1, "the first invocation replaces element j when all have read element j + 1"),
    (
        "within_groups.fut:element",
        2,
        "the first invocation replaces elements k and k + 1 when all have read element k + 2",
    ),
    ("within_groups.fut:beyond", 2, "where the index is not the invocation's own, the program fails"),
    (
        "within_groups.fut:gradient",
        2,
        "the last round backwards reads the first row, of which each invocation makes what it has read",
    ),
    (
        "within_groups.fut:loops_of_copies",
        2,
        "the last round replaces element 0, which the first invocation reads itself",
    ),
];

/// Those in whose kernels updates need not be atomic, and why no two points share a place there.
const REDUNDANT: [(&str, &str); 11] = [
    // An entry (r, c) below the diagonal of d rows is at d + c (2d - c - 1) / 2 + r - c - 1. The columns before c have (d - 1) + … + (d - c) = c (2d - c - 1) / 2 such entries: they stand one
    // behind the other, behind the d of the diagonal, which are at r.
    ("gmm.fut:", "the entries of a triangle are at different places of a row"),
    // Of the branches that a number of the host's chooses, the same for all points, the one updates `xs` at i only, the other `ys` at i - n only. What is divided, and what all update, is in the
    // other branch each time.
    ("acc_a12_a13_indices.fut:conditional_arrays", "a branch that all points take updates an array at i only"),
    // The point p updates the place x only if the number of the last point that has written there, kept at x, is p.
    ("r15_overwritten_parts.fut:written_second", "only the last point that writes to a place updates it"),
    // Of the updates of a place in their order, those write to it that are the first of the place: `edge` of `claim`.
    ("acc_several.ir:inside", "only the first update of a place writes to it"),
    // The points i and i + 1 of a block read each other's element beside their own, and only that one is updated so.
    ("a08_seed_sparsity.fut:reverse", "an element is read beside its own by one point"),
    // What comes of pair r of a level has the place (at + 2 r, i, j), or (at + 2 r + 1, i, j): `at` is the level's.
    ("d_x6_scan_matrices.fut:reverse", "the pairs of a level have different rows"),
    // Of its own are 128 i + 10 to 128 i + 74. (What is taken away of the update at i / 2 is reported.)
    ("places_of_gradients.fut:", "a point has 65 places of its own in each 128"),
    ("writes_in_nests.fut:in_branches", "the bins are as many numbers counted from 0"),
    ("operators.ir:pairs", "one point updates"),
    ("operators.ir:update", "one point updates"),
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
    let orders = |survivor: &Survivor| matches!(survivor.removal, Removal::Barrier | Removal::Fence);
    let (order, atomics): (Vec<&Survivor>, Vec<&Survivor>) = report.survivors.iter().partition(|s| orders(s));
    for survivor in &order {
        let alike = |program: &str| order.iter().filter(|s| s.program.contains(program)).count();
        let is_known =
            |(program, most, _): &(&str, usize, &str)| survivor.program.contains(program) && alike(program) <= *most;
        assert!(UNSHARED.iter().any(is_known), "{report}");
    }
    let is_needed = |survivor: &&&Survivor| !REDUNDANT.iter().any(|(program, _)| survivor.program.contains(program));
    assert!(atomics.iter().filter(is_needed).count() * 100 <= report.planted(), "{report}");
    assert!(report.planted() > 100, "{report}");
}
