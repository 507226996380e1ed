//! `futi script`: the value of a FutharkScript expression over a program.

use crate::backends::{self, Choice};
use crate::failure::Failure;
use crate::{load, say};
use futi_conformance::data::Folder;
use futi_conformance::script::{Scope, parse};
use futi_core::backend::CallCtx;
use futi_core::value::Value;
use std::path::PathBuf;

/// Evaluate a FutharkScript expression, in which a program's entry points can be called, and print its value.
///
/// `$loaddata FILE`, `$loadbytes FILE` and `$loadimg FILE` read files of the program's folder.
#[derive(clap::Args)]
pub struct Args {
    /// The program.
    file: PathBuf,
    #[command(flatten)]
    compiling: load::Compiling,
    /// The expression; `-` reads it from standard input.
    #[arg(allow_hyphen_values = true)]
    script: String,
    /// What runs the entry points.
    #[arg(long, value_parser = backends::parser(), default_value_t)]
    backend: Choice,
    /// Let the script read files outside of the program's folder.
    #[arg(long)]
    outside: bool,
}

/// Runs the subcommand.
pub fn script(args: Args) -> Result<(), Failure> {
    let text = if args.script == "-" { crate::run::utf8(crate::run::standard_input(None)?)? } else { args.script };
    let exp = parse(&text).map_err(|e| Failure::Diagnostics(format!("script: {e}")))?;
    let loaded = load::program(&args.file, &args.compiling)?;
    let backend = args.backend.open()?;
    let options = futi_core::ad::checkpoints::Options::default();
    // what an entry point is compiled to, once
    let mut compiled = std::collections::HashMap::new();
    let mut failure = None;
    let call = &mut |entry: &str, values: Vec<Value>| {
        let gone = || futi_core::failure::RuntimeError::new(futi_core::failure::FailureKind::Arguments, "");
        if !compiled.contains_key(entry) {
            match loaded.compile(&*backend, entry, options) {
                Ok(running) => compiled.insert(entry.to_string(), running),
                Err(e) => {
                    failure = Some(e);
                    return Err(gone());
                }
            };
        }
        compiled[entry].call_under(entry, values, &CallCtx::default()).map_err(|(e, error)| {
            failure = Some(e);
            error
        })
    };
    let mut scope = Scope { program: &loaded.program, call, folder: Folder::of(&args.file, args.outside) };
    match scope.value(&exp) {
        Ok(value) => say::out(format_args!("{value}\n")),
        // what a call fails with has its places
        Err(e) => Err(failure.unwrap_or_else(|| Failure::Diagnostics(format!("script: {e}")))),
    }
}
