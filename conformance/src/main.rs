//! `conformance`: runs suites of programs through every oracle.

use clap::{Parser, ValueEnum};
use futi_conformance::child::{self, BackendCommand};
use futi_conformance::fault::Fault;
use futi_conformance::futhark::{self, Reference};
use futi_conformance::generate::ir::{Profile, Weights};
use futi_conformance::yardstick::Status;
use futi_conformance::{
    Generate, Options, Report, SIZE, costs, html, junit, mutants, removals, run, suite, tester, yardstick,
};
use futi_core::ir::{Prim, ScalarType::F64};
use std::fmt;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Where waivers are, from where Futi's sources are.
const WAIVERS: &str = "conformance/waivers.toml";
/// What only oracles have a use for: neither a hunt for mutants nor the yardstick.
const OF_ORACLES: [&str; 14] = [
    "generate",
    "profile",
    "size",
    "weights",
    "reference",
    "server",
    "coverage",
    "save",
    "backend",
    "numerics",
    "waivers",
    "junit",
    "html",
    "plant",
];
/// What a hunt for mutants has no use for either.
const OF_PROGRAMS: [&str; 3] = ["paths", "filter", "timeout"];
/// What only other modes have a use for than removals.
const NOT_OF_REMOVALS: [&str; 12] = [
    "mutants",
    "yardstick",
    "costs",
    "timeout",
    "time_budget",
    "json",
    "outside",
    "only",
    "changed",
    "list",
    "no_run",
    "resume",
];
/// How long a case may take, and how long the run, where the yardstick is not told otherwise.
const YARDSTICK_LIMITS: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(15 * 60)];
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
    #[arg(long, value_name = "mixed|everything|differentiable|vulkan|source", default_value = "mixed")]
    #[arg(value_parser = kind, requires = "generate")]
    profile: Kind,
    /// How large generated programs are, about as many statements.
    #[arg(long, value_name = "N", default_value_t = SIZE, requires = "generate")]
    size: usize,
    /// Of what order the derivatives of generated programs of the IR are that are judged: from 2 on, the programs are derivatives themselves, of both modes in turns.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8), requires = "generate")]
    order: u32,
    /// How often generated programs of the IR have a construct, relative to others.
    #[arg(long = "weight", value_name = "CONSTRUCT=N", value_parser = weight, requires = "generate")]
    weights: Vec<(String, u32)>,
    /// The real Futhark's compiler, to hold source programs against.
    #[arg(long, value_name = "PATH")]
    reference: Option<PathBuf>,
    /// The same of any implementation that speaks Futhark's server protocol: the command that compiles `{fut}` to the server `{out}`.
    #[arg(long, value_name = "COMMAND", conflicts_with = "reference")]
    server: Option<String>,
    /// Count what the generated programs of the IR exercise: nodes and operators, alone and differentiated, passes, rules, kernels.
    #[arg(long, requires = "generate")]
    coverage: bool,
    /// Save the smallest program of each failure of a generated one, as a program of the suite.
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = REGRESSIONS, requires = "generate")]
    save: Option<PathBuf>,
    /// The backend to be judged, in a process of its own: `vulkan`, `executor`, `interp`, each with options behind it (`executor free=off`), or any command that serves one.
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
    /// How long the backend may take for one command, or the yardstick for a case, in seconds [default: 120, or 60].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Begin no case after this many seconds; those that are left are skipped. Mutants are hunted about so long, once they are built.
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
    /// Instead of asking oracles, measure how much of the programs works: cases with literal data that pass, programs accepted and rejected as they must be.
    #[arg(long, conflicts_with_all = OF_ORACLES, conflicts_with = "mutants")]
    yardstick: bool,
    /// Instead of asking oracles, list what the programs and their derivatives cost: code, kernels, work, memory.
    #[arg(long, conflicts_with_all = OF_ORACLES, conflicts_with_all = ["mutants", "yardstick"])]
    costs: bool,
    /// Write the table of constructs, and how far programs that use them get.
    #[arg(long, value_name = "FILE", requires = "yardstick")]
    status: Option<PathBuf>,
    /// Instead of running programs, plant small faults in Futi's own sources, one at a time, and see whether the suite and the tests notice.
    #[arg(long, group = "planted", conflicts_with_all = OF_ORACLES, conflicts_with_all = OF_PROGRAMS)]
    mutants: bool,
    /// Instead of asking oracles, take barriers, fences and atomic operations away from the kernels of the programs, one at a time, and see whether the executor reports it.
    #[arg(long, group = "planted", conflicts_with_all = OF_ORACLES, conflicts_with_all = NOT_OF_REMOVALS)]
    removals: bool,
    /// Of the mutants, or of the programs for removals, only so many, chosen by `--seed`.
    #[arg(long, value_name = "N", requires = "planted")]
    sample: Option<usize>,
    /// Of the mutants, only those whose name, `file:line: operator: a -> b`, contains this; may be given several times.
    #[arg(long, value_name = "TEXT", requires = "mutants")]
    only: Vec<String>,
    /// A sample of mutants begins with those in lines that have changed since this revision of the repository, then since the next one that is given.
    #[arg(long, value_name = "REVISION", requires = "sample")]
    changed: Vec<String>,
    /// Let test blocks read files outside of the folder of their program.
    #[arg(long, conflicts_with = "mutants")]
    outside: bool,
    /// List the mutants, and run none.
    #[arg(long, requires = "mutants")]
    list: bool,
    /// Build the mutants, and hunt none: a hunt with the same arguments finds them built.
    #[arg(long, requires = "mutants", conflicts_with_all = ["list", "resume", "json", "time_budget"])]
    no_run: bool,
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
    match Fault::from_name(name).ok_or("there is no such fault")? {
        Fault::Table(op) if Prim::Un(op, F64).signature() != Some((vec![F64], F64)) => {
            Err(format!("`{}` has no partial derivative that could be wrong: it is no function of floats", op.name()))
        }
        fault => Ok(fault),
    }
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
    let duration = Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?;
    // what begins now must end at a time that the clock can say
    Instant::now().checked_add(duration).map(|_| duration).ok_or_else(|| "is too long".to_string())
}

fn main() -> ExitCode {
    if let Some(code) = child::entry_point(child::built_in) {
        return code;
    }
    if let Some(code) = tester::entry_point() {
        return code;
    }
    if let Some(code) = mutants::judge::entry_point() {
        return code;
    }
    let args = Args::parse();
    if args.mutants {
        return hunt(args);
    }
    if args.removals {
        return take_away(&args);
    }
    if args.yardstick {
        return measure(&args);
    }
    if args.costs {
        return list_costs(&args.paths);
    }
    let options = match options(&args) {
        Ok(options) => options,
        Err(e) => return usage(&e),
    };
    match run(&options) {
        Ok(report) => finish(&report, &args),
        Err(e) => usage(&e.to_string()),
    }
}

/// What to run.
fn options(args: &Args) -> Result<Options, String> {
    let (generate, sources) = generated(args)?;
    let defaults = Options::default();
    Ok(Options {
        paths: args.paths.clone(),
        filter: args.filter.clone(),
        generate,
        sources: (sources, args.size),
        reference: reference(args)?,
        coverage: args.coverage,
        shrink: defaults.shrink,
        own_bounds: true,
        outside: args.outside,
        numerics: args.numerics == Switch::On,
        seed: args.seed,
        jobs: args.jobs.unwrap_or(defaults.jobs),
        backend: args.backend.as_deref().map(backend_command).transpose()?,
        timeout: args.timeout.unwrap_or(defaults.timeout),
        time_budget: args.time_budget,
        fault: args.plant,
        waivers: args.waivers.clone().or_else(|| Some(PathBuf::from(WAIVERS)).filter(|file| file.exists())),
        progress: true,
    })
}

/// The programs of the IR to generate, and how many source programs.
fn generated(args: &Args) -> Result<(Vec<Generate>, u64), String> {
    let count = args.generate.unwrap_or(0);
    let profiles = match args.profile {
        Kind::Ir(profile) => vec![(profile, count)],
        Kind::Mixed => vec![(Profile::Everything, count.div_ceil(2)), (Profile::Differentiable, count / 2)],
        Kind::Source if !args.weights.is_empty() => return Err("source programs have no weights".into()),
        Kind::Source if args.order > 1 => return Err("source programs are judged without derivatives".into()),
        Kind::Source if args.coverage => return Err("what source programs exercise is not counted".into()),
        Kind::Source => return Ok((Vec::new(), count)),
    };
    let generate = |(profile, count)| {
        let mut weights = Weights::of(profile);
        for (construct, weight) in &args.weights {
            weights.set(construct, *weight).map_err(|e| e.to_string())?;
        }
        Ok(Generate { count, profile, weights, size: args.size, order: args.order })
    };
    Ok((profiles.into_iter().map(generate).collect::<Result<_, String>>()?, 0))
}

/// The other implementation.
fn reference(args: &Args) -> Result<Option<Reference>, String> {
    let timeout = args.timeout.unwrap_or(Options::default().timeout);
    let limits = futhark::Limits { start: timeout, command: timeout };
    let reference = match (&args.reference, &args.server) {
        (Some(path), _) => Reference::futhark(path, limits),
        (None, Some(template)) => Reference::template(template, limits)?,
        (None, None) => return Ok(None),
    };
    if args.paths.is_empty() && args.profile != Kind::Source {
        return Err("another implementation is held against source programs only, and there are none".into());
    }
    Ok(Some(reference))
}

/// Prints the report, and writes what else is wanted of it. What cannot be written keeps nothing else from being.
fn finish(report: &Report, args: &Args) -> ExitCode {
    if args.json {
        print(format_args!("{:#}\n", report.json()));
    } else {
        print(format_args!("{report}"));
    }
    let write =
        |file: &PathBuf, text: String| std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()));
    let written = [
        args.save.as_ref().map(|folder| save(report, folder)),
        args.html.as_ref().map(|file| write(file, page(report))),
        args.junit.as_ref().map(|file| write(file, junit::xml(report))),
    ];
    let errors: Vec<String> =
        written.into_iter().flatten().chain([found_out(report, args)]).filter_map(Result::err).collect();
    errors.iter().for_each(|e| eprintln!("conformance: {e}"));
    if errors.is_empty() { report.exit_code() } else { ExitCode::FAILURE }
}

/// The report as a page for a browser.
fn page(report: &Report) -> String {
    let source = |path: &str| std::fs::read_to_string(path).ok();
    let coverage = report.coverage.as_ref().map(ToString::to_string);
    html::page(report, &html::Extras { source: &source, coverage: coverage.as_deref() })
}

/// That a report without failures says something.
///
/// # Errors
/// Why it says nothing.
fn found_out(report: &Report, args: &Args) -> Result<(), String> {
    let has = |construct: &str| report.rows.iter().any(|r| r.constructs.contains(construct));
    match (&args.filter, args.plant) {
        (Some(filter), _) if report.rows.is_empty() => Err(format!("no case matches `{filter}`")),
        (None, _) if report.rows.is_empty() => Err("no case matches: there is none".into()),
        (_, Some(Fault::Table(op))) if !has(op.name()) => {
            Err(format!("the fault was not planted: no case has the operator `{}`", op.name()))
        }
        _ => Ok(()),
    }
}

/// Writes a file for each generated program that failed, and one for its rewriting where that is what failed.
fn save(report: &Report, folder: &Path) -> Result<(), String> {
    let error = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    for row in &report.rows {
        let kind = row.program.rsplit('/').next().unwrap_or_default();
        let extension = if kind == "source" { "fut" } else { "ir" };
        for (text, suffix) in [(&row.witness, ""), (&row.rewritten, "_rewritten")] {
            let Some(text) = text else { continue };
            std::fs::create_dir_all(folder).map_err(|e| error(folder, e))?;
            let path = folder.join(format!("{kind}_{}{suffix}.{extension}", row.case));
            std::fs::write(&path, text).map_err(|e| error(&path, e))?;
            eprintln!("conformance: saved {}", path.display());
        }
    }
    Ok(())
}

/// What programs cost, for a person to compare with what they have cost before a change.
fn list_costs(paths: &[PathBuf]) -> ExitCode {
    match suite::find(paths) {
        Ok(programs) => {
            let costs = |p: suite::TestProgram| {
                let name = p.path.display().to_string();
                costs::of_program(&p).into_iter().map(move |c| (name.clone(), c))
            };
            print(format_args!("{}\n", costs::table(&programs.into_iter().flat_map(costs).collect::<Vec<_>>())));
            ExitCode::SUCCESS
        }
        Err(e) => usage(&e.to_string()),
    }
}

/// The yardstick. It passes judgement on nothing: its exit status says that it has run.
fn measure(args: &Args) -> ExitCode {
    let defaults = tester::Options::default();
    let [time_limit, time_budget] = YARDSTICK_LIMITS;
    let options = tester::Options {
        paths: args.paths.clone(),
        filter: args.filter.clone(),
        seed: defaults.seed.wrapping_add(args.seed as i64),
        jobs: args.jobs.unwrap_or(defaults.jobs),
        time_limit: args.timeout.unwrap_or(time_limit),
        time_budget: Some(args.time_budget.unwrap_or(time_budget)),
        outside: true,
        progress: true,
        ..defaults
    };
    let measured = match &args.status {
        None => yardstick::run(&options).map(|(measured, _)| (measured, Ok(()))),
        Some(file) => Status::run(&options).map(|(measured, status)| {
            (measured, std::fs::write(file, status.to_string()).map_err(|e| format!("{}: {e}", file.display())))
        }),
    };
    match measured {
        Ok((measured, written)) => {
            match serde_json::to_string_pretty(&measured) {
                Ok(json) if args.json => print(format_args!("{json}\n")),
                _ => print(format_args!("{measured}")),
            }
            written.map_or_else(|e| usage(&e), |()| ExitCode::SUCCESS)
        }
        Err(e) => usage(&e.to_string()),
    }
}

/// Mutants, of the workspace in whose folder this is.
fn hunt(args: Args) -> ExitCode {
    let options = mutants::Options {
        root: std::env::current_dir().unwrap_or_default(),
        sample: args.sample,
        seed: args.seed,
        only: args.only,
        changed: args.changed,
        budget: args.time_budget,
        jobs: args.jobs.unwrap_or(1),
        list: args.list,
        resume: args.resume,
    };
    if args.no_run {
        return mutants::prepare(&options).map_or_else(|e| usage(&e), |()| ExitCode::SUCCESS);
    }
    match mutants::run(&options) {
        Ok(report) => {
            if args.json {
                print(format_args!("{:#}\n", report.json()));
            } else {
                print(format_args!("{report}"));
            }
            report.exit_code()
        }
        Err(e) => usage(&e),
    }
}

/// Removals from kernels.
fn take_away(args: &Args) -> ExitCode {
    let options = removals::Options {
        paths: args.paths.clone(),
        filter: args.filter.clone(),
        sample: args.sample,
        seed: args.seed,
        jobs: args.jobs.unwrap_or(Options::default().jobs),
        progress: true,
    };
    match removals::run(&options) {
        Ok(report) => {
            print(format_args!("{report}"));
            report.exit_code()
        }
        Err(e) => usage(&e.to_string()),
    }
}

/// Writes to standard output; whoever reads may have seen enough.
fn print(text: fmt::Arguments) {
    match std::io::stdout().lock().write_fmt(text) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => eprintln!("conformance: standard output: {e}"),
        _ => {}
    }
}

fn usage(message: &str) -> ExitCode {
    eprintln!("conformance: {message}");
    ExitCode::FAILURE
}

/// A name of ours, perhaps with options, is this program again; anything else is a command.
fn backend_command(text: &str) -> Result<BackendCommand, String> {
    if child::BUILT_IN.contains(&text.split_whitespace().next().unwrap_or_default()) {
        child::named(text)?;
        return BackendCommand::this_program(text).map_err(|e| e.to_string());
    }
    BackendCommand::line(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::ErrorKind;
    use futi_conformance::columns::Column;
    use futi_conformance::row::{Outcome, Row};

    fn parsed(line: &str) -> Result<Args, ErrorKind> {
        Args::try_parse_from(["conformance"].into_iter().chain(line.split_whitespace())).map_err(|e| e.kind())
    }

    fn refused(line: &str) -> String {
        options(&parsed(line).unwrap()).map(|_| ()).unwrap_err()
    }

    #[test]
    fn what_would_have_no_effect_is_refused() {
        let conflicts = |line: &str| parsed(line).err() == Some(ErrorKind::ArgumentConflict);
        for flag in ["--generate 1", "--html x", "--junit x", "--reference x"] {
            assert!(conflicts(&format!("--mutants {flag}")), "{flag}");
            assert!(conflicts(&format!("suite --yardstick {flag}")), "{flag}");
        }
        for flag in ["--timeout 1", "--filter x"] {
            assert!(conflicts(&format!("--mutants {flag}")), "{flag}");
            assert!(parsed(&format!("suite --yardstick {flag}")).is_ok(), "{flag}");
        }
        for flag in ["--mutants", "--generate 1", "--json", "--timeout 1", "--plant ad-sign", "--only x", "--resume"] {
            assert!(conflicts(&format!("suite --removals {flag}")), "{flag}");
        }
        assert!(parsed("suite --removals --sample 9 --seed 1 --filter x --jobs 1").is_ok());
        assert_eq!(parsed("suite --sample 9").err(), Some(ErrorKind::MissingRequiredArgument));
        assert!(conflicts("suite --removals --sample 9 --changed HEAD"));
        assert!(conflicts("--mutants suite") && conflicts("--yardstick --mutants"));
        assert!(parsed("--mutants --seed 1 --jobs 2 --json --list").is_ok());
        assert!(parsed("--mutants --sample 9 --changed HEAD~1 --time-budget 240").is_ok());
        assert!(parsed("--mutants --sample 9 --no-run").is_ok());
        assert!(conflicts("--mutants --no-run --list") && conflicts("--mutants --no-run --time-budget 9"));
        assert_eq!(parsed("--mutants --changed HEAD").err(), Some(ErrorKind::MissingRequiredArgument));
        for flag in ["--weight map=1", "--save", "--coverage", "--size 3", "--profile source"] {
            assert_eq!(parsed(&format!("suite {flag}")).err(), Some(ErrorKind::MissingRequiredArgument), "{flag}");
            assert!(parsed(&format!("--generate 1 {flag}")).is_ok(), "{flag}");
        }
        assert_eq!(refused("--generate 1 --profile source --weight map=1"), "source programs have no weights");
        assert_eq!(refused("--generate 1 --profile source --coverage"), "what source programs exercise is not counted");
        assert!(refused("--generate 1 --reference x").contains("source programs only"));
        assert!(refused("--generate 1 --weight foo=1").contains("no construct `foo`"));
        assert!(options(&parsed("suite --reference x").unwrap()).is_ok());
    }

    #[test]
    fn a_time_is_one_that_passes() {
        for time in ["nan", "inf", "-1", "1e19", "soon"] {
            assert!(parsed(&format!("suite --timeout {time}")).is_err(), "{time}");
            assert!(parsed(&format!("suite --time-budget {time}")).is_err(), "{time}");
        }
        assert_eq!(parsed("suite --timeout 0.5").map(|a| a.timeout), Ok(Some(Duration::from_millis(500))));
        assert_eq!(options(&parsed("suite").unwrap()).unwrap().timeout, Duration::from_secs(120));
    }

    #[test]
    fn what_cannot_be_planted_is_refused() {
        for name in ["table-clz", "table-isnan", "table-to_bits", "ad-nothing"] {
            assert!(fault(name).is_err(), "{name}");
        }
        assert!(fault("table-sin").is_ok() && fault("ad-sign").is_ok());
    }

    #[test]
    fn a_report_that_says_nothing_is_told() {
        let row = |construct: &str| Row { constructs: [construct.to_string()].into(), ..Row::default() };
        let of = |line: &str, rows| found_out(&Report { rows, ..Report::default() }, &parsed(line).unwrap());
        assert_eq!(of("suite --filter zzz", vec![]), Err("no case matches `zzz`".into()));
        assert!(of("--generate 0", vec![]).unwrap_err().starts_with("no case matches"));
        assert!(of("suite --plant table-sin", vec![row("cos")]).is_err());
        assert_eq!(of("suite --plant table-sin", vec![row("sin")]), Ok(()));
        assert_eq!(of("suite", vec![row("cos")]), Ok(()));
    }

    #[test]
    fn what_failed_is_saved_with_its_rewriting() {
        let own = tempfile::tempdir().unwrap();
        // one that is not there yet
        let folder = own.path().join("saved");
        let row = |program: &str, case: &str, rewritten: Option<&str>| Row {
            program: program.into(),
            case: case.into(),
            cells: vec![(Column::Metamorphic, Outcome::fail("1"))],
            witness: Some("a".into()),
            rewritten: rewritten.map(Into::into),
            ..Row::default()
        };
        let rows = vec![row("generated/source", "39", Some("b")), row("generated/everything", "7", None)];
        save(&Report { rows, ..Report::default() }, &folder).unwrap();
        let mut found: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        found.sort();
        assert_eq!(found, ["everything_7.ir", "source_39.fut", "source_39_rewritten.fut"]);
    }
}
