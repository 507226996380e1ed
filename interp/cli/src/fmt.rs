//! `futi fmt`: programs in their usual layout.

use crate::failure::{DIAGNOSTICS, Failure, RUNTIME};
use crate::{files, load, say};
use futi_core::diag;
use futi_core::source::SourceMap;
use futi_core::syntax::format::format;
use similar::TextDiff;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Lay out programs as Futhark programmers do, 80 columns wide; lines that you broke stay broken.
///
/// A program with syntax errors is left alone, and the exit status is 2.
#[derive(clap::Args)]
pub struct Args {
    /// Programs, or folders of programs, which are changed in place; without any, standard input is written to standard output.
    paths: Vec<PathBuf>,
    /// Change nothing: print what would change, with exit status 1 if something would.
    #[arg(long)]
    check: bool,
}

/// What became of one program.
enum Outcome {
    Same,
    /// Its new text.
    Changed(String),
    /// Diagnostics, which have been printed.
    Wrong,
}

/// Runs the subcommand.
pub fn fmt(args: Args) -> Result<(), Failure> {
    if args.paths.is_empty() {
        return standard_input(args.check);
    }
    let (mut changed, mut wrong) = (false, false);
    for path in files::programs(&args.paths)? {
        let name = path.to_string_lossy();
        let text = match files::read(&path) {
            Ok(text) => text,
            Err(failure) => {
                failure.report();
                wrong = true;
                continue;
            }
        };
        match outcome(&name, &text) {
            Outcome::Same => {}
            Outcome::Wrong => wrong = true,
            Outcome::Changed(new) if args.check => {
                changed = true;
                say::out(difference(&name, &text, &new))?;
            }
            Outcome::Changed(new) => files::replace(&path, &new)?,
        }
    }
    status(changed, wrong)
}

fn standard_input(check: bool) -> Result<(), Failure> {
    if std::io::stdin().is_terminal() {
        say::err("(reading a program from the terminal; end with Ctrl-D)\n");
    }
    let text = files::standard_input()?;
    match outcome(files::STDIN, &text) {
        Outcome::Wrong => status(false, true),
        Outcome::Same if check => Ok(()),
        Outcome::Same => say::out(&text),
        Outcome::Changed(new) if check => {
            say::out(difference(files::STDIN, &text, &new))?;
            status(true, false)
        }
        Outcome::Changed(new) => say::out(&new),
    }
}

fn status(changed: bool, wrong: bool) -> Result<(), Failure> {
    match (wrong, changed) {
        (true, _) => Err(Failure::Status(DIAGNOSTICS)),
        (false, true) => Err(Failure::Status(RUNTIME)),
        (false, false) => Ok(()),
    }
}

fn outcome(name: &str, text: &str) -> Outcome {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    match format(file, text) {
        Ok(new) if new == text => Outcome::Same,
        Ok(new) => Outcome::Changed(new),
        Err(diagnostics) => {
            say::err(diag::render(&diagnostics, &sources, load::colour()));
            Outcome::Wrong
        }
    }
}

/// What would change, as `diff -u` prints it.
fn difference(name: &str, old: &str, new: &str) -> String {
    let new_name = format!("{name} (formatted)");
    TextDiff::from_lines(old, new).unified_diff().header(name, &new_name).to_string()
}
