//! The suite and the examples, one test a case: every oracle of the interpreter and the compiler, and with the feature `vulkan` the Vulkan backend in
//! processes of its own. A case that fails is a failed test, and so is one that is skipped unless it is listed here: nothing needs what may be missing.

use futi_conformance::child::{self, BackendCommand};
use futi_conformance::report::{Column, Outcome, Verdict};
use futi_conformance::{Options, Suite, Worker};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

/// Programs of constructs that the transformation has no rule for yet, or the Vulkan backend no kernel: of these columns they may be left out.
const AHEAD: [&str; 8] = [
    "suite/prelude/",
    "suite/historical/arrays_of_unequal_length.fut",
    "suite/historical/by-definition/",
    "suite/historical/table_copysign.ir",
    "suite/historical/table_gamma.ir",
    "suite/historical/table_ldexp.ir",
    "suite/historical/to_bits.ir",
    "suite/regressions/replicated_then_updated.ir",
];

fn main() -> ExitCode {
    if let Some(code) = child::entry_point(child::built_in) {
        return code;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let paths = vec![root.join("conformance/suite"), root.join("examples")];
    let suite = match Suite::new(&Options { paths, backend: backend(), ..Options::default() }) {
        Ok(suite) => Arc::new(suite),
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::FAILURE;
        }
    };
    // a process of the backend is kept from case to case, by whichever thread comes next
    let workers: Arc<Mutex<Vec<Worker>>> = Arc::default();
    let trial = |i: usize| {
        let name = suite.name(i).replace(&format!("{}/", root.display()), "");
        let known = AHEAD.iter().any(|program| name.contains(program));
        let (suite, workers) = (suite.clone(), workers.clone());
        Trial::test(name, move || {
            let pool = || workers.lock().unwrap_or_else(|e| e.into_inner());
            let worker = pool().pop();
            let mut worker = worker.unwrap_or_else(|| suite.worker());
            let row = suite.run_case(i, &mut worker);
            pool().push(worker);
            match row.verdict() {
                Verdict::Passed if known || !row.cells.iter().any(|(_, o)| matches!(o, Outcome::NoRule { .. })) => {
                    Ok(())
                }
                // what the backend cannot do it has said
                Verdict::Skipped if known => Ok(()),
                _ => Err(explain(&row.cells)),
            }
        })
    };
    libtest_mimic::run(&Arguments::from_args(), (0..suite.len()).map(trial).collect()).exit_code()
}

fn explain(cells: &[(Column, Outcome)]) -> Failed {
    let line = |(column, outcome): &(Column, Outcome)| match outcome {
        Outcome::Fail(f) => {
            let stage = f.stage.as_ref().map_or(String::new(), |s| format!(" (stage {s})"));
            let place = f.place.as_ref().map_or(String::new(), |p| format!("\n    at {p}"));
            Some(format!("{}{stage}: {}{place}", column.name(), f.what))
        }
        Outcome::Skipped { reason } | Outcome::NoRule { reason } => {
            Some(format!("{}: skipped: {reason}", column.name()))
        }
        _ => None,
    };
    cells.iter().filter_map(line).collect::<Vec<_>>().join("\n").into()
}

#[cfg(feature = "vulkan")]
fn backend() -> Option<BackendCommand> {
    BackendCommand::this_program("vulkan").ok()
}

#[cfg(not(feature = "vulkan"))]
fn backend() -> Option<BackendCommand> {
    BackendCommand::this_program("interp").ok()
}
