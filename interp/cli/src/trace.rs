//! `futi trace`: what a run computes, as a straight-line program.

use crate::failure::Failure;
use crate::{load, run, say};
use futi_interp::{Ctx, Keep};
use std::path::PathBuf;

/// Run an entry point and print what was computed as a straight-line program: no branches, loops or calls are left, only what they led to. It is IR that
/// can be given back to `futi run`, where it gives the same results for the same arguments; sizes are constants in it. This is the program that `vjp` walks back.
#[derive(clap::Args)]
pub struct Args {
    /// The program: source or IR.
    file: PathBuf,
    #[command(flatten)]
    compiling: load::Compiling,
    /// The entry point.
    #[arg(short, long, default_value = "main", value_name = "NAME")]
    entry: String,
    /// What is a step of the trace: `reals`, with or without `booleans` and `arrays`. Without arrays each element of an array is traced by itself.
    #[arg(long, default_value_t = Keep::default(), value_name = "KINDS")]
    keep: Keep,
    /// Fail where arrays and the trace take more than so many bytes together, or the text of the arguments does: a number, or one of KiB, MiB, GiB, TiB.
    #[arg(long, value_name = "BYTES", value_parser = load::bytes)]
    memory: Option<u64>,
    /// Add, as comments, how often each step is used on the way to a result: as many adjoints are waited for on the way back.
    #[arg(long)]
    uses: bool,
}

/// Runs the subcommand.
pub fn trace(args: Args) -> Result<(), Failure> {
    let loaded = load::program(&args.file, &args.compiling)?;
    let fun = loaded.entry(&args.entry)?;
    let arguments = run::arguments(&loaded, fun, args.memory)?;
    let ctx = Ctx { keep: args.keep, memory: args.memory, ..Ctx::default() };
    let trace = futi_interp::trace(&loaded.program, &args.entry, &arguments, &ctx).map_err(|e| loaded.failure(&e))?;
    let mut text = trace.program.to_string();
    if args.uses {
        text.push('\n');
        text.extend(trace.uses.iter().map(|(name, uses)| format!("-- {name}: {uses}\n")));
    }
    say::out(text)
}
