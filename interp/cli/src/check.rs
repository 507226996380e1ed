//! `futi check`: diagnostics only.

use crate::failure::Failure;
use crate::load;
use std::path::PathBuf;

/// Check a program: exit status 0 if it is well-formed, 2 with diagnostics if not.
#[derive(clap::Args)]
pub struct Args {
    /// The program.
    file: PathBuf,
    #[command(flatten)]
    compiling: load::Compiling,
}

/// Runs the subcommand.
pub fn check(args: Args) -> Result<(), Failure> {
    let loaded = load::program(&args.file, &args.compiling)?;
    load::checked(loaded.program).map(|_| ())
}
