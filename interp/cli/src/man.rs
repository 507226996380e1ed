//! `futi man`: manual pages.

use crate::Cli;
use crate::failure::Failure;
use crate::files::io;
use clap::CommandFactory;
use std::path::PathBuf;

/// Write manual pages to a folder: `futi.1`, and a page for each subcommand, `futi-run.1`.
#[derive(clap::Args)]
pub struct Args {
    /// The folder, which is made if it is not there.
    folder: PathBuf,
}

/// Runs the subcommand.
pub fn man(args: Args) -> Result<(), Failure> {
    let written = std::fs::create_dir_all(&args.folder);
    written.and_then(|()| clap_mangen::generate_to(Cli::command(), &args.folder)).map_err(|e| io(&args.folder, e))
}
