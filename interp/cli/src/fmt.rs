//! `futi fmt`: programs in their usual layout.

use crate::failure::{DIAGNOSTICS, Failure, RUNTIME};
use crate::{files, load};
use futi_core::diag;
use futi_core::source::{self, SourceMap};
use futi_core::syntax::format::format;
use similar::TextDiff;
use std::fs;
use std::io::{IsTerminal, Read};
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
                print(&difference(&name, &text, &new))?;
            }
            Outcome::Changed(new) => fs::write(&path, new).map_err(|e| files::io(&path, e))?,
        }
    }
    status(changed, wrong)
}

fn standard_input(check: bool) -> Result<(), Failure> {
    let mut input = std::io::stdin().lock();
    if input.is_terminal() {
        eprintln!("(reading a program from the terminal; end with Ctrl-D)");
    }
    let mut bytes = vec![];
    input.read_to_end(&mut bytes).map_err(|e| Failure::Io(format!("standard input: {e}")))?;
    let text = source::text(bytes).map_err(|e| files::unreadable("<stdin>", &e))?;
    match outcome("<stdin>", &text) {
        Outcome::Wrong => status(false, true),
        Outcome::Same if check => Ok(()),
        Outcome::Same => print(&text),
        Outcome::Changed(new) if check => {
            print(&difference("<stdin>", &text, &new))?;
            status(true, false)
        }
        Outcome::Changed(new) => print(&new),
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
            eprint!("{}", diag::render(&diagnostics, &sources, load::colour()));
            Outcome::Wrong
        }
    }
}

/// What would change, as `diff -u` prints it.
fn difference(name: &str, old: &str, new: &str) -> String {
    let new_name = format!("{name} (formatted)");
    TextDiff::from_lines(old, new).unified_diff().header(name, &new_name).to_string()
}

fn print(text: &str) -> Result<(), Failure> {
    use std::io::Write;
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // whoever reads has seen enough
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::Status(0)),
        Err(e) => Err(Failure::Io(format!("standard output: {e}"))),
        Ok(()) => Ok(()),
    }
}
