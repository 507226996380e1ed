//! `futi test`: runs the test blocks of programs, through every oracle of the harness.

use crate::backends::Choice;
use crate::failure::{Failure, RUNTIME};
use futi_conformance::child::{self, BackendCommand};
use futi_conformance::{Options, run};
use std::path::PathBuf;
use std::process::ExitCode;

/// Run the test blocks of programs: against the expected outputs, and the compiler's passes, derivatives and the backend against the reference
/// interpreter.
#[derive(clap::Args)]
pub struct Args {
    /// Programs, or folders of programs.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Also hold this backend against the interpreter, in a process of its own.
    #[arg(long, value_enum, default_value_t = Choice::Interp)]
    backend: Choice,
    /// Only cases whose name, `path:entry#number`, contains this.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Random directions and inputs follow from it.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

/// If this process is to serve a backend for the harness: does so, and gives the exit status.
pub fn child() -> Option<ExitCode> {
    child::entry_point(child::built_in)
}

/// Runs the subcommand.
pub fn test(args: Args) -> Result<(), Failure> {
    let backend = match args.backend {
        Choice::Interp => None,
        // says what is missing before any case is run
        choice => {
            choice.open()?;
            Some(BackendCommand::this_program(&choice.to_string()).map_err(|e| Failure::Io(e.to_string()))?)
        }
    };
    let Args { paths, filter, seed, .. } = args;
    let options = Options { paths, filter, seed, backend, own_bounds: false, progress: true, ..Options::default() };
    let report = run(&options).map_err(|e| Failure::Io(e.to_string()))?;
    if report.rows.is_empty() {
        return Err(Failure::Io("there are no test blocks".into()));
    }
    if args.json {
        println!("{:#}", report.json());
    } else {
        print!("{report}");
    }
    if report.is_green() { Ok(()) } else { Err(Failure::Status(RUNTIME)) }
}
