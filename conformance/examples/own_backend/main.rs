//! A backend of one's own, validated by the harness. This one is the interpreter with three kernels gone wrong, so that there is something to find:
//!
//! ```text
//! cargo run --release -p futi-conformance --example own_backend -- conformance/suite
//! ```
//!
//! It runs the programs of the suite and generated ones. The report ends with the constructs that the failures have in common. To validate a backend that is
//! meant to be right, replace `Mine`.

mod backend;

use backend::Mine;
use futi_conformance::generate::ir::Profile;
use futi_conformance::{Generate, Options, child, run};
use std::process::ExitCode;

/// How many generated programs: each construct is in some of them.
const GENERATED: u64 = 150;

fn main() -> ExitCode {
    // The harness runs the backend in a process of its own, which is this program again: what crashes or hangs is one case.
    if let Some(code) = child::entry_point(|_| Ok(Box::new(Mine::default()))) {
        return code;
    }
    let paths = std::env::args().skip(1).map(Into::into).collect();
    let generate = vec![Generate::new(GENERATED, Profile::Everything)];
    let backend = child::BackendCommand::this_program("mine").ok();
    let options = Options { paths, generate, backend, ..Options::default() };
    match run(&options) {
        Ok(report) => {
            print!("{report}");
            report.exit_code()
        }
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
