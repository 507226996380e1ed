//! `futi check`: diagnostics only.

use crate::failure::{DIAGNOSTICS, Failure};
use crate::{files, load};
use clap::Args as _;
use clap::error::ErrorKind;
use futi_embed::files::Files;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Check programs: exit status 0 if all are well-formed, 2 with diagnostics if one is not.
#[derive(clap::Args)]
pub struct Args {
    /// Programs, or folders of programs; `-`, or nothing, is standard input, which imports relative to the working folder.
    paths: Vec<PathBuf>,
    #[command(flatten)]
    compiling: load::Compiling,
}

/// The path that means standard input.
const INPUT: &str = "-";

/// Runs the subcommand.
pub fn check(mut args: Args) -> Result<(), Failure> {
    if args.paths.is_empty() {
        if std::io::stdin().is_terminal() {
            return Err(usage());
        }
        args.paths.push(INPUT.into());
    }
    let mut rejected = false;
    for path in &args.paths {
        if path == Path::new(INPUT) {
            rejected |= is_rejected(standard_input(&args.compiling))?;
            continue;
        }
        for file in files::programs(std::slice::from_ref(path))? {
            rejected |= is_rejected(load::program(&file, &args.compiling))?;
        }
    }
    if rejected { Err(Failure::Status(DIAGNOSTICS)) } else { Ok(()) }
}

/// What is said without a program.
fn usage() -> Failure {
    let message = "name a program, or a folder of programs, or `-` for standard input";
    let mut command = Args::augment_args(clap::Command::new("futi check"));
    Failure::Diagnostics(command.error(ErrorKind::MissingRequiredArgument, message).to_string())
}

fn standard_input(compiling: &load::Compiling) -> Result<load::Loaded, Failure> {
    let text = files::standard_input()?;
    let provider = |path: &str| match path {
        files::STDIN => Ok(text.clone()),
        path => futi_core::source::SourceProvider::read(&Files, path),
    };
    load::program_of(files::STDIN.to_string(), &provider, compiling)
}

/// Whether diagnostics reject it, which are said then; any other failure is the end.
fn is_rejected(loaded: Result<load::Loaded, Failure>) -> Result<bool, Failure> {
    match loaded.and_then(|loaded| load::checked(loaded.program)) {
        Ok(_) => Ok(false),
        Err(diagnostics @ Failure::Diagnostics(_)) => {
            diagnostics.report();
            Ok(true)
        }
        Err(other) => Err(other),
    }
}
