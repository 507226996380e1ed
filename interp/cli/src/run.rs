//! `futi run`: runs an entry point on values from standard input.

use crate::backends::Choice;
use crate::failure::Failure;
use crate::load::{self, Loaded};
use crate::say;
use futi_core::backend::Backend;
use futi_core::entry;
use futi_core::ir::Fun;
use futi_core::source::printable;
use futi_core::value::Value;
use futi_core::value::text::parse_values_as;
use futi_interp::{Ctx, Interpreter};
use std::io::{IsTerminal, Read, Write};
use std::path::PathBuf;

/// Run an entry point: arguments from standard input, results to standard output, in Futhark's text format.
#[derive(clap::Args)]
pub struct Args {
    /// The program.
    file: PathBuf,
    #[command(flatten)]
    compiling: load::Compiling,
    /// The entry point.
    #[arg(short, long, default_value = "main", value_name = "NAME")]
    entry: String,
    /// What runs it.
    #[arg(long, value_enum, default_value_t = Choice::Interp)]
    backend: Choice,
    /// Report on standard error what each kernel has cost.
    #[arg(long)]
    profile: bool,
    /// If the program fails, list every failure that a parallel backend may report: those that are reached when other iterations of the same construct
    /// are left out. With the interpreter only.
    #[arg(long)]
    all_failures: bool,
    /// Fail where the program does what it may not depend on: reads of consumed arrays and of scratch, neutral elements that are none, the order of
    /// writes to one position, the partition of a stream. With the interpreter only.
    #[arg(long)]
    strict: bool,
    /// Fail where arrays and traces take more than so many bytes together, or the text of the arguments does: a number, or one of KiB, MiB, GiB, TiB. With the interpreter only.
    #[arg(long, value_name = "BYTES", value_parser = load::bytes)]
    memory: Option<u64>,
    #[command(flatten)]
    checkpoints: load::Checkpoints,
}

/// Runs the subcommand.
pub fn run(args: Args) -> Result<(), Failure> {
    let loaded = load::program(&args.file, &args.compiling)?;
    let fun = loaded.entry(&args.entry)?;
    let arguments = arguments(&loaded, fun, args.memory)?;

    let asked = [("--all-failures", args.all_failures), ("--strict", args.strict), ("--memory", args.memory.is_some())];
    let asked = asked.iter().find(|(_, asked)| *asked).map(|(option, _)| option);
    if let (Some(option), true) = (asked, args.backend != Choice::Interp) {
        return Err(Failure::Io(format!("{option} is for the backend interp, not {}", args.backend)));
    }
    if args.checkpoints.checkpoints.is_some() && args.backend == Choice::Interp {
        let why = "the interpreter differentiates by definition";
        return Err(Failure::Io(format!(
            "--checkpoints is for backends that run derivatives by transformation: {why}"
        )));
    }
    let backend: Box<dyn Backend> = match args.backend {
        Choice::Interp => Box::new(Interpreter { show: Some(show), ..Interpreter::default() }),
        Choice::Vulkan => args.backend.open()?,
    };
    let executable = loaded.compile(backend.as_ref(), &args.entry, args.checkpoints.options(&args.compiling))?;
    let results = if asked.is_some() {
        let (all_failures, strict, memory) = (args.all_failures, args.strict, args.memory);
        loaded.interpret(
            &args.entry,
            arguments,
            &Ctx { all_failures, strict, memory, show: Some(show), ..Ctx::default() },
        )?
    } else {
        executable.call(&args.entry, arguments)?
    };
    let mut out = std::io::stdout().lock();
    for value in entry::results(fun, results) {
        print(&mut out, &value)?;
    }
    say::written(out.flush())?;
    if args.profile {
        executable.print_profile();
    }
    Ok(())
}

/// The arguments of an entry point's function, from standard input, of which no more is read than so many bytes; nothing is where there are none.
pub fn arguments(loaded: &Loaded, fun: &Fun, memory: Option<u64>) -> Result<Vec<Value>, Failure> {
    let types = fun.entry.as_ref().map(entry::inputs).unwrap_or_default();
    let types: Vec<_> = types.into_iter().map(|(t, _)| t).collect();
    let text = if types.is_empty() { String::new() } else { standard_input(memory)? };
    let values = parse_values_as(&text, &types).map_err(|e| Failure::Io(format!("standard input:{e}")))?;
    entry::arguments(fun, values).map_err(|e| loaded.failure(&e))
}

/// The text of standard input, of which no more is read than so many bytes.
pub fn standard_input(memory: Option<u64>) -> Result<String, Failure> {
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
    String::from_utf8(bytes).map_err(|_| Failure::Io("standard input is not text in UTF-8".into()))
}

/// One value, on a line.
pub fn print(out: &mut impl Write, value: &Value) -> Result<(), Failure> {
    say::written(writeln!(out, "{value}"))
}

/// Says what `#[trace]` shows, on standard error as Futhark does.
pub fn show(line: &str) {
    say::err(format_args!("{}\n", printable(line)));
}
