//! `futi test`: runs the test blocks of programs, each program in a process of its own; with `--oracles`, through every oracle of the harness.

use crate::backends::{self, Choice};
use crate::failure::{Failure, RUNTIME};
use crate::say;
use futi_conformance::child::{self, BackendCommand};
use futi_conformance::dataset::SEED;
use futi_conformance::tester::{self, Mode};
use futi_conformance::{Options, run};
use futi_core::source::printable;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Run the test blocks of programs, each program in a process of its own.
///
/// Exit status 0 if no case failed, else 1.
#[derive(clap::Args)]
pub struct Args {
    /// Programs, or folders of programs.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What runs them. With --oracles: what is held against the interpreter.
    #[arg(long, value_parser = backends::parser(), default_value_t)]
    backend: Choice,
    /// Leave out cases that are too much for an interpreter: those tagged `compiled`.
    #[arg(short, long, group = "mode", conflicts_with = "backend")]
    interpreted: bool,
    /// Only check whether programs are accepted or rejected, and their warnings.
    #[arg(short, long, group = "mode")]
    typecheck: bool,
    /// Only count IR nodes, where programs ask for it by `structure`.
    #[arg(short, long, group = "mode")]
    structure: bool,
    /// Also hold the compiler's passes, derivatives and the backend against the reference interpreter, and derivatives against numerical differentiation.
    #[arg(long, group = "mode", conflicts_with_all = ["entry_point", "exclude", "time_limit"])]
    oracles: bool,
    /// Only cases of this entry point; may be given several times.
    #[arg(long, value_name = "NAME")]
    entry_point: Vec<String>,
    /// Skip programs and cases with this tag; may be given several times. Those tagged `disable`, `notest` or `no_` and the backend are always skipped.
    #[arg(long, value_name = "TAG")]
    exclude: Vec<String>,
    /// Only cases whose name, `path:entry#number`, contains this.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// What random data follows from; by default that of `futhark test`.
    #[arg(long)]
    seed: Option<u64>,
    /// How many programs run at a time [default: the number of processors].
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// How long a case may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    time_limit: Duration,
    /// Let test blocks read files outside of the folder of their program.
    #[arg(long)]
    outside: bool,
    /// How files with tuning parameters are called, behind the name of their program.
    #[arg(long, value_name = "EXTENSION", default_value = futi_embed::tuning::EXTENSION)]
    tuning: String,
    /// Read no files with tuning parameters.
    #[arg(long)]
    no_tuning: bool,
    /// Show no progress.
    #[arg(long)]
    no_terminal: bool,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "is no number of seconds".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

/// If this process is to serve a backend or to run programs for another: does so, and gives the exit status.
pub fn child() -> Option<ExitCode> {
    child::entry_point(child::built_in).or_else(tester::entry_point)
}

/// Runs the subcommand.
pub fn test(args: Args) -> Result<(), Failure> {
    // says what is missing before any case is run
    args.backend.open()?;
    let (text, cases, is_green) = if args.oracles { oracles(&args)? } else { blocks(&args)? };
    if cases == 0 {
        return Err(Failure::Io("there is nothing to test".into()));
    }
    let text = if args.json { text.into() } else { printable(&text) };
    say::last(text, if is_green { Ok(()) } else { Err(Failure::Status(RUNTIME)) })
}

/// What the test blocks say: the report, the number of cases, and whether none failed.
fn blocks(args: &Args) -> Result<(String, usize, bool), Failure> {
    let defaults = tester::Options::default();
    let mode = match args {
        Args { interpreted: true, .. } => Mode::Interpret,
        Args { typecheck: true, .. } => Mode::Typecheck,
        Args { structure: true, .. } => Mode::Structure,
        _ => Mode::Run,
    };
    let report = tester::run(&tester::Options {
        paths: args.paths.clone(),
        mode,
        backend: args.backend.to_string(),
        entry_points: args.entry_point.clone(),
        exclude: args.exclude.clone(),
        filter: args.filter.clone(),
        seed: args.seed.map_or(SEED, |seed| seed as i64),
        jobs: args.concurrency.unwrap_or(defaults.jobs),
        time_limit: args.time_limit,
        outside: args.outside,
        tuning: (!args.no_tuning).then(|| args.tuning.clone()),
        progress: !args.no_terminal,
        ..defaults
    })
    .map_err(|e| Failure::Io(e.to_string()))?;
    let text = if args.json { format!("{:#}\n", report.json()) } else { report.to_string() };
    Ok((text, report.cases().count(), report.is_green()))
}

/// What all oracles say.
fn oracles(args: &Args) -> Result<(String, usize, bool), Failure> {
    let backend = match &args.backend {
        Choice::Interp => None,
        Choice::Command(command) => Some(command.clone()),
        choice => Some(BackendCommand::this_program(&choice.to_string()).map_err(|e| Failure::Io(e.to_string()))?),
    };
    let defaults = Options::default();
    let report = run(&Options {
        paths: args.paths.clone(),
        filter: args.filter.clone(),
        seed: args.seed.unwrap_or(defaults.seed),
        jobs: args.concurrency.unwrap_or(defaults.jobs),
        backend,
        own_bounds: false,
        outside: args.outside,
        progress: !args.no_terminal,
        ..defaults
    })
    .map_err(|e| Failure::Io(e.to_string()))?;
    let text = if args.json { format!("{:#}\n", report.json()) } else { report.to_string() };
    Ok((text, report.rows.len(), report.is_green()))
}
