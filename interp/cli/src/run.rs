//! `futi run`: runs an entry point on values from standard input.

use crate::backends::{self, Choice};
use crate::data::{self, Output};
use crate::failure::Failure;
use crate::load::{self, Ad, Loaded};
use crate::progress::Progress;
use crate::say;
use futi_core::entry;
use futi_core::ir::Fun;
use futi_core::source::printable;
use futi_core::value::text::parse_values_as;
use futi_core::value::{Value, binary};
use futi_interp::{Ctx, Rounds};
use std::io::{IsTerminal, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Run an entry point: arguments by name, or from standard input in Futhark's formats; results to files, or to standard output.
///
/// Formats of files are told by their extensions: .npy and .npz of NumPy, .csv with a line of names, .png, .bin for Futhark's binary format, .in, .out, .txt and .dat for values in either of its
/// formats; with .gz behind it, compressed.
#[derive(clap::Args)]
pub struct Args {
    /// The program.
    file: PathBuf,
    /// Arguments by the names of the parameters: `x=1.0` has a value in Futhark's text format, `x=@FILE` what a file holds. Of a record or tuple, the whole or fields: `p.x=1.0`.
    #[arg(value_name = "NAME=VALUE")]
    arguments: Vec<String>,
    /// Write results to a file, all of them or one field: `points=FILE`; may be given several times. Nothing goes to standard output then.
    #[arg(short, long, value_name = "[NAME=]FILE")]
    output: Vec<Output>,
    /// Write results to standard output in Futhark's binary format.
    #[arg(short, long, conflicts_with = "output")]
    binary_output: bool,
    #[command(flatten)]
    compiling: load::Compiling,
    /// The entry point.
    #[arg(short, long, alias = "entry-point", default_value = "main", value_name = "NAME")]
    entry: String,
    /// Say on standard error how long compiling and running took.
    #[arg(long)]
    time: bool,
    /// What runs it.
    #[arg(long, value_parser = backends::parser(), default_value_t)]
    backend: Choice,
    /// Report on standard error what each kernel has cost.
    #[arg(long)]
    profile: bool,
    /// If the program fails, list the failures that a parallel backend may report instead of the first: those that are reached when other iterations of the
    /// same construct are left out. With the interpreter only.
    #[arg(long)]
    all_failures: bool,
    /// Fail where the program does what it may not depend on: reads of consumed arrays and of scratch, neutral elements that are none, the order of
    /// writes to one position, the partition of a stream. With the interpreter only.
    #[arg(long)]
    strict: bool,
    /// Fail where arrays and traces take more than so many bytes together, or the text of the arguments does: a number, or one of KiB, MiB, GiB, TiB. With the interpreter only.
    #[arg(long, value_name = "BYTES", value_parser = load::bytes)]
    memory: Option<u64>,
    /// How the interpreter gets derivatives.
    #[arg(long, value_parser = load::ad_parser(), default_value_t)]
    ad: Ad,
    #[command(flatten)]
    checkpoints: load::Checkpoints,
}

/// Runs the subcommand.
pub fn run(args: Args) -> Result<(), Failure> {
    let began = Instant::now();
    let loaded = load::program(&args.file, &args.compiling)?;
    let fun = loaded.entry(&args.entry)?;
    let sig = fun.entry.as_ref().ok_or_else(|| Failure::Io(format!("{} is no entry point", args.entry)))?;
    // what cannot be written later is said before anything is computed
    let files = args.output.iter().map(|output| output.picks(&sig.result)).collect::<Result<Vec<_>, _>>()?;
    let read = Instant::now();
    let arguments = if args.arguments.is_empty() {
        arguments(&loaded, fun, args.memory)?
    } else {
        let values = data::named(sig, &args.arguments).map_err(Failure::Io)?;
        entry::arguments(fun, values).map_err(|e| loaded.failure(&e))?
    };
    let reading = read.elapsed();

    let asked = [("--all-failures", args.all_failures), ("--strict", args.strict), ("--memory", args.memory.is_some())];
    let asked = asked.iter().find(|(_, asked)| *asked).map(|(option, _)| option);
    if let (Some(option), true) = (asked, args.backend != Choice::Interp) {
        return Err(Failure::Io(format!("{option} is for the backend interp, not {}", args.backend)));
    }
    let (all_failures, strict, memory) = (args.all_failures, args.strict, args.memory);
    let steps = [("--all-failures", all_failures), ("--strict", strict)].into_iter().find(|(_, asked)| *asked);
    if let (Some((option, _)), Ad::Transform) = (steps, args.ad) {
        return Err(Failure::Io(format!("{option} is for derivatives by definition")));
    }
    let interpreted = args.backend == Choice::Interp;
    if args.checkpoints.checkpoints.is_some() && interpreted && args.ad != Ad::Transform {
        let why = "the interpreter differentiates by definition, unless --ad is transform";
        return Err(Failure::Io(format!("--checkpoints is for derivatives by transformation: {why}")));
    }
    let options = args.checkpoints.options(&args.compiling);
    let rounds = Arc::new(Rounds::default());
    let (backend, compiled, running, results, executable);
    if interpreted {
        args.compiling.unknown_tuning(&loaded, &args.backend, &[])?;
        let transformed = loaded.to_interpret(args.ad, &args.entry, &arguments, steps.is_some(), options)?;
        compiled = began.elapsed().saturating_sub(reading);
        running = Instant::now();
        let progress = Progress::begin("", rounds.clone());
        let ctx = Ctx { all_failures, strict, memory, show: Some(show), rounds: Some(rounds), ..Ctx::default() };
        results = transformed.as_ref().unwrap_or(&loaded).interpret(&args.entry, arguments, &ctx);
        drop(progress);
        load::say_memory(&ctx);
        executable = None;
    } else {
        backend = args.backend.open()?;
        let compiling = loaded.compile(&*backend, &args.entry, options)?;
        args.compiling.unknown_tuning(&loaded, &args.backend, &compiling.tuning())?;
        compiled = began.elapsed().saturating_sub(reading);
        running = Instant::now();
        let progress = Progress::begin("", rounds);
        results = compiling.call(&args.entry, arguments);
        drop(progress);
        executable = Some(compiling);
    }
    let results = results?;
    let ran = running.elapsed();
    let results = entry::results(fun, results);
    files.iter().try_for_each(|file| data::write(file, &results))?;
    if files.is_empty() {
        let mut out = std::io::stdout().lock();
        if args.binary_output {
            say::written(out.write_all(&binary::write_values(&results)))?;
        } else {
            results.iter().try_for_each(|value| print(&mut out, value))?;
        }
        say::written(out.flush())?;
    }
    if args.time {
        say::err(format_args!("compiled in {compiled:.1?}, read in {reading:.1?}, ran in {ran:.1?}\n"));
    }
    if let (true, Some(executable)) = (args.profile, executable) {
        executable.print_profile();
    }
    Ok(())
}

/// The arguments of an entry point's function, from standard input, of which no more is read than so many bytes; nothing is where there are none.
pub fn arguments(loaded: &Loaded, fun: &Fun, memory: Option<u64>) -> Result<Vec<Value>, Failure> {
    let types = fun.entry.as_ref().map(entry::inputs).unwrap_or_default();
    let types: Vec<_> = types.into_iter().map(|(t, _)| t).collect();
    let bytes = if types.is_empty() { Vec::new() } else { standard_input(memory)? };
    let failure = |e: String| Failure::Io(format!("standard input:{e}"));
    let values = match bytes.first() {
        Some(b'b') => binary::read_values(&bytes).map_err(|e| failure(format!(" {e}")))?,
        _ => parse_values_as(&utf8(bytes)?, &types).map_err(|e| failure(e.to_string()))?,
    };
    entry::arguments(fun, values).map_err(|e| loaded.failure(&e))
}

/// Bytes of standard input as text.
pub fn utf8(bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|_| Failure::Io("standard input is not text in UTF-8".into()))
}

/// What standard input holds, of which no more is read than so many bytes.
pub fn standard_input(memory: Option<u64>) -> Result<Vec<u8>, Failure> {
    let input = std::io::stdin().lock();
    if input.is_terminal() {
        say::err("(reading the arguments from the terminal; end with Ctrl-D)\n");
    }
    let mut bytes = Vec::new();
    let most = memory.unwrap_or(u64::MAX - 1);
    input
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|e| Failure::Io(format!("standard input: {e}")))?;
    if bytes.len() as u64 > most {
        return Err(Failure::Runtime(format!(
            "the text of the arguments is longer than the limit on memory, {most} bytes"
        )));
    }
    Ok(bytes)
}

/// One value, on a line.
pub fn print(out: &mut impl Write, value: &Value) -> Result<(), Failure> {
    say::written(writeln!(out, "{value}"))
}

/// Says what `#[trace]` shows, on standard error as Futhark does.
pub fn show(line: &str) {
    say::err(format_args!("{}\n", printable(line)));
}
