//! `futi bench`: how long programs take on the datasets of their test blocks; `futi benchcmp` and `futi profile`, which read what it writes.
//!
//! - [`plan`] says what is run, [`input`] what a dataset consists of;
//! - [`side`] is an implementation at work: a server, this program's or another's; [`mod@dataset`] warms it up, checks its results and measures it;
//! - [`mod@measure`] says how often, [`statistics`] what the runtimes tell;
//! - [`json`] keeps them, [`compare`] and [`profile`] read that.

pub mod compare;
mod dataset;
pub mod input;
mod json;
mod measure;
pub mod plan;
pub mod profile;
mod report;
pub mod side;
mod statistics;

use crate::STACK;
use crate::backends::{self, Choice};
use crate::failure::{Failure, RUNTIME};
use crate::load::{self, Compiling, Loaded};
use crate::say;
use dataset::Bench;
use futi_conformance::child::BackendCommand;
use futi_conformance::spec::Pattern;
use futi_core::backend::Limits;
use futi_core::source::printable;
use futi_embed::tuning::{self, Tuning};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use input::Place;
use json::Results;
use measure::Rules;
use plan::{Program, Wanted};
use side::How;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Measure how long programs take on the datasets of their test blocks, as `futhark bench` does.
///
/// Each dataset is run once to warm up, where its results are checked, then ten times and for half a second at least, and on until the mean of the runtimes is known well enough: its 95 % confidence
/// interval (Student's) is no wider than 4 % of it. Exit status 1 if a dataset fails.
#[derive(clap::Args)]
pub struct Args {
    /// Programs, or folders of programs.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What runs them.
    #[arg(long, value_parser = backends::parser(), default_value_t)]
    backend: Choice,
    /// Run each dataset so often, at least.
    #[arg(short, long, value_name = "RUNS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Run each dataset for so long, at least; with 0 and `--runs 1` once, which shows whether all is in order.
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds)]
    min_seconds: Duration,
    /// Do not go on until the mean is known well enough.
    #[arg(long)]
    no_convergence_phase: bool,
    /// Do not go on longer than so many seconds for that.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    convergence_max_seconds: u32,
    /// Only this entry point; may be given several times.
    #[arg(short, long, value_name = "NAME")]
    entry_point: Vec<String>,
    /// Leave out programs and datasets with this tag; may be given several times. Those tagged `nobench`, `disable` or `no_` and the backend always are.
    #[arg(long, value_name = "TAG")]
    exclude_case: Vec<String>,
    /// Leave out files whose path matches.
    #[arg(long, value_name = "REGEX", value_parser = Pattern::new)]
    ignore_files: Vec<Pattern>,
    /// Take test blocks from this file, where they are no comments, not from the programs.
    #[arg(long, value_name = "FILE")]
    spec_file: Option<PathBuf>,
    /// How files with tuning parameters are called, behind the name of their program.
    #[arg(long, value_name = "EXTENSION", default_value = tuning::EXTENSION)]
    tuning: String,
    /// Read no files with tuning parameters.
    #[arg(long)]
    no_tuning: bool,
    /// End a dataset whose runs together take more than so many seconds; a negative number is no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = -1, allow_negative_numbers = true)]
    timeout: i64,
    /// Write the results, all runtimes, to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// How many programs are compiled at a time, before any is run [default: the number of processors].
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Give this option to the programs that are run, which `futi server` does; may be given several times.
    #[arg(short, long, value_name = "OPTION", allow_hyphen_values = true)]
    pass_option: Vec<String>,
    /// Run each dataset once more, with kernels timed one by one, for `futi profile`.
    #[arg(short = 'P', long, requires = "json")]
    profile: bool,
    /// Do not check results.
    #[arg(long)]
    skip_validation: bool,
    /// Let test blocks read files outside of the folder of their program.
    #[arg(long)]
    outside: bool,
    /// Run the same by another implementation, in turns, and compare: a command that speaks Futhark's server protocol, with `{}` where the path of the program goes.
    #[arg(long, value_name = "COMMAND", value_parser = BackendCommand::line)]
    against: Option<BackendCommand>,
}

/// A duration in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().map_err(|e| e.to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

/// Runs the subcommand.
pub fn bench(args: Args) -> Result<(), Failure> {
    // says what is missing before anything is run
    let backend = args.backend.open()?;
    // before anything else keeps the device busy
    let limits = if args.profile { backend.limits().map_err(|e| Failure::Io(e.message))? } else { None };
    drop(backend);
    let not_here = format!("no_{}", args.backend);
    let own_tags = ["nobench".to_string(), "disable".to_string(), not_here];
    let wanted = Wanted {
        entries: args.entry_point.clone(),
        exclude: args.exclude_case.iter().cloned().chain(own_tags).collect(),
        ignore: args.ignore_files.clone(),
        spec: args.spec_file.clone(),
    };
    let programs = plan::programs(&args.paths, &wanted)?;
    if programs.is_empty() {
        return Err(Failure::Io("there is nothing to measure".into()));
    }
    let mut results = Results::new();
    let save = |results: &Results| args.json.iter().try_for_each(|file| save(file, results));
    // what cannot be written later is said before anything is computed
    save(&results)?;
    let jobs = args.concurrency.or(std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
    let prepared = prepared(&programs, &args, jobs)?;
    say::out(report::method(&rules(&args), args.against.as_ref().map(|command| command.name.as_str())))?;
    let bar = bar(&programs);
    let mut failed = false;
    for (program, (loaded, tuning)) in programs.iter().zip(&prepared) {
        failed |= measured(program, loaded, tuning, &Asked { args: &args, limits }, &bar, &mut results)?;
        save(&results)?;
    }
    bar.finish_and_clear();
    if failed { Err(Failure::Status(RUNTIME)) } else { Ok(()) }
}

fn save(file: &Path, results: &Results) -> Result<(), Failure> {
    std::fs::write(file, json::write(results)).map_err(|e| Failure::Io(format!("{}: {e}", file.display())))
}

fn rules(args: &Args) -> Rules {
    let most = Duration::from_secs(args.convergence_max_seconds.into());
    Rules { runs: args.runs as usize, least: args.min_seconds, converge: (!args.no_convergence_phase).then_some(most) }
}

/// On a terminal, how many datasets are done, and which is being run.
fn bar(programs: &[Program]) -> ProgressBar {
    let count: usize = programs.iter().flat_map(|p| &p.entries).map(|entry| entry.datasets.len()).sum();
    let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// What has been asked for, and of what device.
struct Asked<'a> {
    args: &'a Args,
    limits: Option<Limits>,
}

/// A program with its tuning parameters.
type Prepared = (Loaded, Tuning);

/// Compiles the programs, some at a time. The first that is rejected is the end.
fn prepared(programs: &[Program], args: &Args, jobs: usize) -> Result<Vec<Prepared>, Failure> {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let prepare = |program: &Program| {
        let tuning = if args.no_tuning { tuning::environment() } else { tuning::of(&program.path, &args.tuning) };
        let tuning = tuning.map_err(Failure::Io)?;
        Ok((load::program(&program.path, &Compiling::with(tuning.clone()))?, tuning))
    };
    let work = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(program) = programs.get(i) else { return };
            let result: Result<Prepared, Failure> = prepare(program);
            if result.is_err() {
                // no other is begun
                next.store(programs.len(), Ordering::Relaxed);
            }
            all.lock().unwrap_or_else(|e| e.into_inner()).push((i, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, programs.len()) {
            let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            started.map_err(|e| Failure::Io(format!("cannot start a thread: {e}")))?;
        }
        Ok::<(), Failure>(())
    })?;
    let mut all = all.into_inner().unwrap_or_else(|e| e.into_inner());
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, result)| result).collect()
}

/// Measures the datasets of a program, and says what came of each; gives whether one has failed.
fn measured(
    program: &Program,
    loaded: &Loaded,
    tuning: &Tuning,
    asked: &Asked,
    bar: &ProgressBar,
    results: &mut Results,
) -> Result<bool, Failure> {
    let place = Place { loaded, path: &program.path, outside: asked.args.outside };
    let out = |text: String| bar.suspend(|| say::out(printable(&text)));
    let mut failed = false;
    for entry in &program.entries {
        out(report::heading(&entry.key, tuning))?;
        let width = entry.datasets.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, case) in &entry.datasets {
            let progress = |runs: usize| bar.set_message(format!("{} {name}: run {}", entry.key, runs + 1));
            bar.set_message(format!("{} {name}", entry.key));
            let bench = bench_of(program, tuning, asked, &progress).map_err(Failure::Io)?;
            let outcome = bench.dataset(&place, &entry.name, case);
            bar.inc(1);
            failed |= outcome.is_err();
            out(report::line(name, width, &outcome))?;
            let outcome = outcome.map(|measured| measured.measurement);
            results.entry(entry.key.clone()).or_default().insert(name.clone(), outcome);
        }
    }
    Ok(failed)
}

/// What runs a program, and how.
fn bench_of<'a>(
    program: &Program,
    tuning: &Tuning,
    asked: &Asked,
    progress: &'a dyn Fn(usize),
) -> Result<Bench<'a>, String> {
    let (args, limits) = (asked.args, asked.limits);
    let server = |backend: &str, options: &[String], more: &[(String, i64)]| {
        let path = program.path.to_string_lossy().into_owned();
        let mut words = vec![path, "--backend".into(), backend.into(), "-w".into(), "--no-tuning".into()];
        for (name, value) in tuning.iter().chain(more) {
            words.extend(["--tuning".to_string(), format!("{name}={value}")]);
        }
        words.extend(options.iter().cloned());
        How::own(words)
    };
    let backend = args.backend.to_string();
    let own = server(&backend, &args.pass_option, &[])?;
    let timed = [("profile".to_string(), 1)];
    let profiled = args.profile.then(|| server(&backend, &args.pass_option, &timed)).transpose()?;
    let reference = (args.backend != Choice::Interp).then(|| server("interp", &[], &[])).transpose()?;
    let other = args.against.as_ref().map(|command| (command.name.clone(), How::other(command, &program.path)));
    let limit = u64::try_from(args.timeout).ok().map(Duration::from_secs);
    Ok(Bench {
        own,
        profiled,
        limits,
        reference,
        other,
        rules: rules(args),
        limit,
        checks: !args.skip_validation,
        progress,
    })
}
