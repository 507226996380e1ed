//! What stands in the sources for the hunt of mutants can be read.

use futi_conformance::mutants::{Options, run};
use std::path::Path;

/// A reason that is for no mutant any more would otherwise be told when the hunt begins, after everything else.
#[test]
fn each_reason_is_for_mutants_of_its_line() {
    let options = Options {
        root: Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        sample: None,
        seed: 0,
        only: Vec::new(),
        changed: Vec::new(),
        budget: None,
        jobs: 1,
        list: true,
        resume: false,
    };
    let report = run(&options).unwrap_or_else(|e| panic!("{e}"));
    assert!(report.verdicts.len() > 1000, "{} mutants", report.verdicts.len());
}
