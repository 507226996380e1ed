//! Of some of the suite's programs, whatever orders memory in their kernels is needed: the executor reports it when it is taken away.
//!
//! An update is atomic where nothing shows that no two points share a place. Some never do, whatever the input: those survive.

use futi_conformance::removals::{Options, Survivor, run};
use futi_kernels::removal::Removal;
use std::path::Path;

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
    assert!(report.survivors.len() * 100 <= report.planted() * 5, "{report}");
    assert!(report.planted() > 100, "{report}");
}
