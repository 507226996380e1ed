//! `futi eval`: the value of an expression.

use crate::backends::{self, Choice};
use crate::failure::Failure;
use crate::repl;
use std::path::PathBuf;

/// Evaluate expressions, and print their values.
#[derive(clap::Args)]
pub struct Args {
    /// The expressions, or definitions for those that follow.
    #[arg(required = true, value_name = "EXP", allow_hyphen_values = true)]
    expressions: Vec<String>,
    /// A program whose definitions are in scope.
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// What evaluates them.
    #[arg(long, value_parser = backends::parser(), default_value_t)]
    backend: Choice,
}

/// Runs the subcommand.
pub fn eval(args: Args) -> Result<(), Failure> {
    repl::all(args.file, args.backend, &args.expressions)
}
