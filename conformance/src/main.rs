//! `conformance`: runs suites of programs through every oracle.

use clap::{Parser, ValueEnum};
use futi_conformance::child::{self, BackendCommand};
use futi_conformance::fault::Fault;
use futi_conformance::futhark::{self, Reference};
use futi_conformance::generate::ir::{Profile, Weights};
use futi_conformance::{Generate, Options, Report, SIZE, html, junit, mutants, run};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Where waivers are, from where Futi's sources are.
const WAIVERS: &str = "conformance/waivers.toml";
/// Where programs that failed are kept.
const REGRESSIONS: &str = "conformance/suite/regressions";

/// Hold the interpreter, the compiler's passes and a backend against each other, on programs with Futhark test blocks.
#[derive(Parser)]
#[command(name = "conformance", version)]
struct Args {
    /// Programs, and folders of programs.
    #[arg(required_unless_present_any = ["generate", "mutants"])]
    paths: Vec<PathBuf>,
    /// Generate so many programs, too.
    #[arg(long, value_name = "N")]
    generate: Option<u64>,
    /// What kind of programs to generate.
    #[arg(long, value_name = "mixed|everything|differentiable|vulkan|source", default_value = "mixed", value_parser = kind)]
    profile: Kind,
    /// How large generated programs are, about as many statements.
    #[arg(long, value_name = "N", default_value_t = SIZE)]
    size: usize,
    /// How often generated programs have a construct, relative to others.
    #[arg(long = "weight", value_name = "CONSTRUCT=N", value_parser = weight)]
    weights: Vec<(String, u32)>,
    /// The real Futhark's compiler, to hold source programs against.
    #[arg(long, value_name = "PATH")]
    reference: Option<PathBuf>,
    /// The same of any implementation that speaks Futhark's server protocol: the command that compiles `{fut}` to the server `{out}`.
    #[arg(long, value_name = "COMMAND", conflicts_with = "reference")]
    server: Option<String>,
    /// Count what the generated programs exercise: nodes and operators, alone and differentiated, passes, rules, kernels.
    #[arg(long)]
    coverage: bool,
    /// Save the smallest program of each failure of a generated one, as a program of the suite.
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = REGRESSIONS)]
    save: Option<PathBuf>,
    /// The backend to be judged, in a process of its own: `vulkan`, `interp`, or any command that serves one.
    #[arg(long, value_name = "NAME|COMMAND")]
    backend: Option<String>,
    /// Whether to hold derivatives against numerical differentiation.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    numerics: Switch,
    /// Only cases whose name, `path:entry#number`, contains this.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Random directions and inputs follow from it.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many cases run at a time [default: the number of processors].
    #[arg(long)]
    jobs: Option<usize>,
    /// How long the backend may take for one command, in seconds.
    #[arg(long, default_value_t = 120.0)]
    timeout: f64,
    /// Begin no case after this many seconds; those that are left are skipped.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_budget: Option<Duration>,
    /// Failures that are accepted [default: conformance/waivers.toml, if it is there].
    #[arg(long, value_name = "FILE")]
    waivers: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    /// Write the report as JUnit's XML, too.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the report as one page for a browser, too.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Plant a fault, to see it caught: `ad-sign`, `ad-factor`, `ad-term`, or `table-` and a scalar operator.
    #[arg(long, value_name = "FAULT", value_parser = fault)]
    plant: Option<Fault>,
    /// Instead of running programs, plant small faults in Futi's own sources, one at a time, and see whether the suite and the tests notice.
    #[arg(long, conflicts_with_all = ["paths", "backend", "filter", "plant"])]
    mutants: bool,
    /// Of the mutants, only so many, chosen by `--seed`.
    #[arg(long, value_name = "N", requires = "mutants")]
    sample: Option<usize>,
    /// Of the mutants, only those whose name, `file:line: operator: a -> b`, contains this; may be given several times.
    #[arg(long, value_name = "TEXT", requires = "mutants")]
    only: Vec<String>,
    /// List the mutants, and run none.
    #[arg(long, requires = "mutants")]
    list: bool,
    /// Take over what an earlier hunt for mutants of the same sources has found out, where it was interrupted.
    #[arg(long, requires = "mutants")]
    resume: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

fn fault(name: &str) -> Result<Fault, String> {
    Fault::from_name(name).ok_or_else(|| "there is no such fault".to_string())
}

/// What to generate: programs of the IR, or source programs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Half of everything, half differentiable.
    Mixed,
    Ir(Profile),
    Source,
}

fn kind(name: &str) -> Result<Kind, String> {
    let profile = Profile::ALL.into_iter().find(|p| p.name() == name).map(Kind::Ir);
    let others = [("mixed", Kind::Mixed), ("source", Kind::Source)];
    let other = || others.into_iter().find(|(n, _)| *n == name).map(|(_, kind)| kind);
    profile.or_else(other).ok_or_else(|| "there is no such profile".to_string())
}

fn weight(text: &str) -> Result<(String, u32), String> {
    let (construct, weight) = text.split_once('=').ok_or("is not of the form CONSTRUCT=N")?;
    Ok((construct.into(), weight.parse().map_err(|_| format!("`{weight}` is no weight"))?))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "is no number of seconds".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

fn main() -> ExitCode {
    if let Some(code) = child::entry_point(child::built_in) {
        return code;
    }
    if let Some(code) = mutants::judge::entry_point() {
        return code;
    }
    let args = Args::parse();
    if args.mutants {
        return hunt(args);
    }
    let backend = match args.backend.as_deref().map(backend_command).transpose() {
        Ok(backend) => backend,
        Err(e) => return usage(&e),
    };
    let timeout = Duration::try_from_secs_f64(args.timeout).unwrap_or(Duration::MAX);
    let defaults = Options::default();
    let count = args.generate.unwrap_or(0);
    let (sources, profiles) = match args.profile {
        Kind::Ir(profile) => (0, vec![(profile, count)]),
        Kind::Mixed => (0, vec![(Profile::Everything, count.div_ceil(2)), (Profile::Differentiable, count / 2)]),
        Kind::Source => (count, Vec::new()),
    };
    let mut generate = Vec::new();
    for (profile, count) in profiles {
        let mut weights = Weights::of(profile);
        for (construct, weight) in &args.weights {
            if let Err(e) = weights.set(construct, *weight) {
                return usage(&e.to_string());
            }
        }
        generate.push(Generate { count, profile, weights, size: args.size });
    }
    let limits = futhark::Limits { start: timeout, command: timeout };
    let reference = match (&args.reference, &args.server) {
        (Some(path), _) => Some(Reference::futhark(path, limits)),
        (None, Some(template)) => match Reference::template(template, limits) {
            Ok(reference) => Some(reference),
            Err(e) => return usage(&e),
        },
        (None, None) => None,
    };
    let options = Options {
        paths: args.paths,
        filter: args.filter,
        generate,
        sources: (sources, args.size),
        reference,
        coverage: args.coverage,
        shrink: Options::default().shrink,
        numerics: args.numerics == Switch::On,
        seed: args.seed,
        jobs: args.jobs.unwrap_or(defaults.jobs),
        backend,
        timeout,
        time_budget: args.time_budget,
        fault: args.plant,
        waivers: args.waivers.or_else(|| Some(PathBuf::from(WAIVERS)).filter(|file| file.exists())),
        progress: true,
    };
    match run(&options) {
        Ok(report) => {
            if args.json {
                println!("{:#}", report.json());
            } else {
                print!("{report}");
            }
            if let Some(folder) = args.save
                && let Err(e) = save(&report, &folder)
            {
                return usage(&e);
            }
            let source = |path: &str| std::fs::read_to_string(path).ok();
            let coverage = report.coverage.as_ref().map(ToString::to_string);
            let extras = html::Extras { source: &source, coverage: coverage.as_deref() };
            if let Some(file) = args.html
                && let Err(e) = std::fs::write(&file, html::page(&report, &extras))
            {
                return usage(&format!("{}: {e}", file.display()));
            }
            if let Some(file) = args.junit
                && let Err(e) = std::fs::write(&file, junit::xml(&report))
            {
                return usage(&format!("{}: {e}", file.display()));
            }
            report.exit_code()
        }
        Err(e) => usage(&e.to_string()),
    }
}

/// Writes a file for each generated program that failed.
fn save(report: &Report, folder: &Path) -> Result<(), String> {
    let error = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    for row in &report.rows {
        let Some(witness) = &row.witness else { continue };
        std::fs::create_dir_all(folder).map_err(|e| error(folder, e))?;
        let kind = row.program.rsplit('/').next().unwrap_or_default();
        let extension = if kind == "source" { "fut" } else { "ir" };
        let path = folder.join(format!("{kind}_{}.{extension}", row.case));
        std::fs::write(&path, witness).map_err(|e| error(&path, e))?;
        eprintln!("conformance: saved {}", path.display());
    }
    Ok(())
}

/// Mutants, of the workspace in whose folder this is.
fn hunt(args: Args) -> ExitCode {
    let options = mutants::Options {
        root: std::env::current_dir().unwrap_or_default(),
        sample: args.sample,
        seed: args.seed,
        only: args.only,
        jobs: args.jobs.unwrap_or(1),
        list: args.list,
        resume: args.resume,
    };
    match mutants::run(&options) {
        Ok(report) => {
            if args.json {
                println!("{:#}", report.json());
            } else {
                print!("{report}");
            }
            report.exit_code()
        }
        Err(e) => usage(&e),
    }
}

fn usage(message: &str) -> ExitCode {
    eprintln!("conformance: {message}");
    ExitCode::FAILURE
}

/// A name of ours is this program again; anything else is a command.
fn backend_command(text: &str) -> Result<BackendCommand, String> {
    if child::BUILT_IN.contains(&text) {
        return BackendCommand::this_program(text).map_err(|e| e.to_string());
    }
    let mut words = text.split_whitespace().map(str::to_string);
    let program = words.next().ok_or("the name of a backend is missing")?;
    Ok(BackendCommand { program: program.into(), args: words.collect(), name: text.to_string() })
}
