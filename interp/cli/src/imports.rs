//! `futi imports`: the files of a program.

use crate::failure::Failure;
use crate::{files, say};
use futi_core::source::printable;
use std::path::PathBuf;

/// List the files that a program consists of, one a line, each behind those that it imports. Files that come with Futi are left out.
#[derive(clap::Args)]
pub struct Args {
    /// The program, which may have type errors.
    file: PathBuf,
}

/// Runs the subcommand.
pub fn imports(args: Args) -> Result<(), Failure> {
    let program = files::of_program(&args.file)?;
    let paths = program.files.iter().filter_map(|f| program.sources.get(f.id)).map(|f| printable(&f.path));
    say::out(paths.flat_map(|path| [path, "\n".into()]).collect::<String>())
}
