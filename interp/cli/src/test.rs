//! `futi test`: runs the test blocks of programs.

use crate::failure::Failure;
use std::path::PathBuf;
use std::process::ExitCode;

/// Run the test blocks of programs.
#[derive(clap::Args)]
pub struct Args {
    /// Programs, or folders of programs.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

/// If this process is to run a backend for the harness: does so, and gives the exit status.
pub fn child() -> Option<ExitCode> {
    None
}

/// Runs the subcommand.
pub fn test(args: Args) -> Result<(), Failure> {
    Err(Failure::Io(format!("{} paths", args.paths.len())))
}
