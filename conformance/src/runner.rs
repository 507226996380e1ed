//! Running cases: every column of one, and all of them on several threads.

use crate::child::{BackendCommand, Limits};
use crate::column::{
    backend, by_definition, determinism, errors, expected, identity, interp, numerics, passes, strict,
};
use crate::fault::Fault;
use crate::random::Rng;
use crate::report::{Column, Outcome, Report, Row};
use crate::spec::{Input, Structure, TestCase};
use crate::structure;
use crate::subject::{Entry, EntryProgram, Subject};
use crate::suite::{self, Case, NotFound, TestProgram, What};
use crate::waiver::{WaiverError, Waivers};
use futi_core::diag;
use futi_core::entry::arguments;
use futi_core::ir::Program;
use futi_core::source::{SourceError, SourceMap, SourceProvider};
use futi_core::value::Value;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The stack of a thread that runs cases: the front end and the interpreter recurse with the nesting of a program, which is limited.
const STACK: usize = 512 << 20;

/// The tag of a case that is not to be differentiated by the harness: where derivatives are ill-conditioned, oracles have nothing to say.
const NO_DERIVATIVE: &str = "no_derivative";

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Programs, and folders of programs.
    pub paths: Vec<PathBuf>,
    /// Only cases whose name (`path:entry#number`) contains this.
    pub filter: Option<String>,
    /// Whether to hold derivatives against numerical differentiation.
    pub numerics: bool,
    /// Random directions and inputs follow from this and the case's name.
    pub seed: u64,
    /// How many cases run at a time.
    pub jobs: usize,
    /// The backend to be judged; none for the interpreter and the compiler alone.
    pub backend: Option<BackendCommand>,
    /// How long the backend may take for one command.
    pub timeout: Duration,
    /// How long after its start a run may begin another case; those that are left are skipped.
    pub time_budget: Option<Duration>,
    /// A fault to be planted.
    pub fault: Option<Fault>,
    /// A file of failures that are accepted.
    pub waivers: Option<PathBuf>,
    /// Whether to show progress on standard error, if that is a terminal.
    pub progress: bool,
}

impl Default for Options {
    /// Everything but a backend, on all processors.
    fn default() -> Self {
        Options {
            paths: Vec::new(),
            filter: None,
            numerics: true,
            seed: 0,
            jobs: std::thread::available_parallelism().map_or(1, |n| n.get()),
            backend: None,
            timeout: Duration::from_secs(120),
            time_budget: None,
            fault: None,
            waivers: None,
            progress: false,
        }
    }
}

/// Programs, with what has been compiled of them so far, and the cases chosen.
pub struct Suite {
    options: Options,
    programs: Vec<Prepared>,
    cases: Vec<(usize, Case)>,
}

/// A program, compiled when first needed.
struct Prepared {
    test: TestProgram,
    compiled: OnceLock<Compiled>,
    entries: Mutex<HashMap<String, Option<Arc<Entry>>>>,
}

struct Compiled {
    /// The program as lowered, if it was accepted.
    program: Option<Program>,
    sources: SourceMap,
    /// Everything that the compiler had to say.
    diagnostics: String,
}

/// What a thread keeps from case to case: the backend's process.
pub struct Worker {
    link: Option<backend::Link>,
}

/// What keeps a run from starting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// A path that cannot be read.
    NotFound(NotFound),
    /// Waivers that cannot be read.
    Waivers(WaiverError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::NotFound(e) => e.fmt(f),
            RunError::Waivers(e) => e.fmt(f),
        }
    }
}
impl std::error::Error for RunError {}

/// Runs everything that the options ask for.
///
/// # Errors
/// A path or a file of waivers that cannot be read.
pub fn run(options: &Options) -> Result<Report, RunError> {
    let start = Instant::now();
    let waivers = options.waivers.as_deref().map(Waivers::read).transpose().map_err(RunError::Waivers)?;
    let suite = Suite::new(options).map_err(RunError::NotFound)?;
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let bar = if options.progress { ProgressBar::new(suite.len() as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    let work = || {
        let mut worker = suite.worker();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= suite.len() {
                return;
            }
            bar.set_message(suite.name(i));
            let row = match options.time_budget {
                Some(budget) if start.elapsed() >= budget => suite.skip_case(i, "the time budget is spent"),
                _ => suite.run_case(i, &mut worker),
            };
            bar.inc(1);
            rows.lock().unwrap_or_else(|e| e.into_inner()).push((i, row));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, suite.len().max(1)) {
            scope.spawn(work);
        }
    });
    bar.finish_and_clear();
    let mut rows = rows.into_inner().unwrap_or_else(|e| e.into_inner());
    rows.sort_by_key(|(i, _)| *i);
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    Ok(match waivers {
        Some(waivers) => waivers.apply(rows, options.filter.is_some()),
        None => Report { rows, unused_waivers: Vec::new() },
    })
}

impl Suite {
    /// Finds the programs and chooses the cases.
    ///
    /// # Errors
    /// A path that cannot be read.
    pub fn new(options: &Options) -> Result<Suite, NotFound> {
        let programs: Vec<Prepared> = suite::find(&options.paths)?.into_iter().map(Prepared::new).collect();
        let all = programs.iter().enumerate().flat_map(|(i, p)| p.test.cases.iter().map(move |c| (i, c.clone())));
        let mut suite = Suite { options: options.clone(), cases: all.collect(), programs };
        if let Some(filter) = &options.filter {
            let programs = &suite.programs;
            suite.cases.retain(|(i, case)| case_name(&programs[*i], case).contains(filter.as_str()));
        }
        Ok(suite)
    }

    /// How many cases there are.
    pub fn len(&self) -> usize {
        self.cases.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// The name of a case: `path:entry#number`.
    pub fn name(&self, i: usize) -> String {
        let (program, case) = &self.cases[i];
        case_name(&self.programs[*program], case)
    }

    /// What a thread needs to run cases.
    pub fn worker(&self) -> Worker {
        let limits = Limits { start: self.options.timeout, command: self.options.timeout };
        Worker { link: self.options.backend.clone().map(|command| backend::Link::new(command, limits)) }
    }

    /// Runs a case: all columns that it has.
    pub fn run_case(&self, i: usize, worker: &mut Worker) -> Row {
        let (program, case) = &self.cases[i];
        let program = &self.programs[*program];
        let start = Instant::now();
        let judge = || catch(|| Judge { options: &self.options, program, name: &case.name }.case(case, worker));
        let cells = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, judge);
            thread.map_err(|e| e.to_string()).and_then(|t| t.join().map_err(|_| "a panic".to_string()).flatten())
        });
        let cells = cells.unwrap_or_else(|what| vec![(Column::Expected, Outcome::fail(what))]);
        self.row(i, cells, start.elapsed())
    }

    /// The row of a case that is not run.
    fn skip_case(&self, i: usize, reason: &str) -> Row {
        self.row(i, vec![(Column::Expected, Outcome::skipped(reason))], Duration::ZERO)
    }

    fn row(&self, i: usize, cells: Vec<(Column, Outcome)>, time: Duration) -> Row {
        let (program, case) = &self.cases[i];
        let prepared = &self.programs[*program];
        let constructs = match &case.what {
            What::Run { entry, .. } => prepared.constructs(entry),
            _ => BTreeSet::new(),
        };
        let program = prepared.test.path.display().to_string();
        Row { program, case: case.name.clone(), cells, constructs, seconds: time.as_secs_f64() }
    }
}

fn case_name(program: &Prepared, case: &Case) -> String {
    format!("{}:{}", program.test.path.display(), case.name)
}

/// Runs `f`; a panic is an error, with its message.
fn catch<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|s| s.to_string());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        format!("a panic: {text}")
    })
}

/// Source files from the file system.
struct Files;

impl SourceProvider for Files {
    fn read(&self, path: &str) -> Result<String, SourceError> {
        std::fs::read_to_string(path).map_err(|e| SourceError::new(e.to_string()))
    }
}

impl Prepared {
    fn new(test: TestProgram) -> Prepared {
        Prepared { test, compiled: OnceLock::new(), entries: Mutex::default() }
    }

    fn compiled(&self, fault: Option<Fault>) -> &Compiled {
        self.compiled.get_or_init(|| {
            let compiled = futi_core::compile(&self.test.path.to_string_lossy(), &Files);
            let diagnostics = diag::render(&compiled.diagnostics, &compiled.sources, false);
            let plant = |p: Program| fault.map_or(p.clone(), |f| f.plant_lowered(p));
            Compiled { program: compiled.program.map(plant), sources: compiled.sources, diagnostics }
        })
    }

    /// The constructs of an entry point that has run.
    fn constructs(&self, name: &str) -> BTreeSet<String> {
        let entries = self.entries.lock().unwrap_or_else(|e| e.into_inner());
        let entry = entries.get(name).and_then(Option::as_ref);
        entry.map(|e| structure::constructs(&e.primal.program)).unwrap_or_default()
    }

    /// The entry point of that name, shared between its cases.
    fn entry(&self, program: &Program, name: &str, fault: Option<Fault>) -> Option<Arc<Entry>> {
        let mut entries = self.entries.lock().unwrap_or_else(|e| e.into_inner());
        let make = || Entry::new(program, name, fault).map(Arc::new);
        entries.entry(name.to_string()).or_insert_with(make).clone()
    }
}

/// One case being run.
struct Judge<'a> {
    options: &'a Options,
    program: &'a Prepared,
    /// The case's name within the program.
    name: &'a str,
}

impl Judge<'_> {
    fn case(&self, case: &Case, worker: &mut Worker) -> Vec<(Column, Outcome)> {
        let compiled = self.program.compiled(self.options.fault);
        let verdict = |outcome| vec![(Column::Expected, outcome)];
        match (&case.what, &compiled.program) {
            (What::CannotRun(why), _) => verdict(Outcome::fail(format!("cannot be run: {why}"))),
            (What::CompileError(pattern), None) => verdict(match pattern.matches(&compiled.diagnostics) {
                true => Outcome::ok(),
                false => {
                    Outcome::fail(format!("is rejected, but `{pattern}` does not match\n{}", compiled.diagnostics))
                }
            }),
            (What::CompileError(_), Some(_)) => verdict(Outcome::fail("is accepted, but must be rejected")),
            (_, None) => verdict(Outcome::fail(format!("is rejected\n{}", compiled.diagnostics))),
            (What::Compiles, Some(_)) => verdict(Outcome::ok()),
            (What::Warning(pattern), Some(_)) => verdict(match pattern.matches(&compiled.diagnostics) {
                true => Outcome::ok(),
                false => Outcome::fail(format!("no warning matches `{pattern}`\n{}", compiled.diagnostics)),
            }),
            (What::Structure(s), Some(program)) => verdict(structure_verdict(program, &compiled.sources, s)),
            (What::Run { entry, case }, Some(program)) => self.run(program, &compiled.sources, entry, case, worker),
        }
    }

    fn run(
        &self,
        program: &Program,
        sources: &SourceMap,
        name: &str,
        case: &TestCase,
        worker: &mut Worker,
    ) -> Vec<(Column, Outcome)> {
        let fail = |what: String| vec![(Column::Expected, Outcome::fail(what))];
        let file = self.program.test.path.file_name().map(|f| f.to_string_lossy()).unwrap_or_default();
        // not the whole path: where the suite lies makes no difference
        let rng = Rng::new(self.options.seed, &format!("{file}:{}", self.name));
        let folder = self.program.test.path.parent().unwrap_or(Path::new("."));
        let values: Vec<Value> = match &case.input {
            Input::Values(values) => values.clone(),
            Input::File(file) => match expected::read_values(&folder.join(file)) {
                Ok(values) => values,
                Err(e) => return fail(e),
            },
            Input::Random(wanted) => {
                let mut rng = rng.clone();
                wanted.iter().map(|w| rng.input(w)).collect()
            }
            Input::Script(_) | Input::ScriptFile(_) => return fail("script input cannot be run yet".into()),
        };
        let Some(entry) = self.program.entry(program, name, self.options.fault) else {
            return fail(format!("there is no entry point `{name}`"));
        };
        let Some(fun) = entry.primal.fun() else { return fail(format!("there is no entry point `{name}`")) };
        let args = match arguments(fun, values) {
            Ok(args) => args,
            // what does not fit the entry point is its failure, before anything runs
            Err(e) => return vec![(Column::Expected, misfit(&e.message, case))],
        };
        let s = Subject::new(&entry, sources, args, rng);
        self.columns(&s, case, folder, worker)
    }

    fn columns(&self, s: &Subject, case: &TestCase, folder: &Path, worker: &mut Worker) -> Vec<(Column, Outcome)> {
        let mut cells = Vec::new();
        let mut column = |c: Column, judge: &mut dyn FnMut() -> Outcome| {
            cells.push((c, catch(judge).unwrap_or_else(Outcome::fail)));
        };
        column(Column::Expected, &mut || expected::judge(s, &case.expect, folder));
        column(Column::Interp, &mut || interp::judge(s));
        let derivatives = !case.tags.iter().any(|t| t == NO_DERIVATIVE);
        column(Column::Strict, &mut || strict::judge(s, derivatives));
        column(Column::Determinism, &mut || determinism::judge(s, derivatives));
        column(Column::Errors, &mut || errors::judge(s, derivatives));
        column(Column::Passes, &mut || passes::judge(s));
        if let Some(link) = &mut worker.link {
            column(Column::Backend, &mut || backend::judge(s, link, derivatives));
        }
        if !derivatives {
            return cells;
        }
        column(Column::ByDefinition, &mut || by_definition::judge(s));
        column(Column::Identity, &mut || identity::judge(s));
        if self.options.numerics {
            column(Column::Numerics, &mut || numerics::judge(s));
        }
        cells
    }
}

/// The verdict on arguments that do not fit.
fn misfit(message: &str, case: &TestCase) -> Outcome {
    match &case.expect {
        crate::spec::Expect::Error(pattern) if pattern.matches(message) => Outcome::ok(),
        _ => Outcome::fail(message),
    }
}

fn structure_verdict(program: &Program, sources: &SourceMap, s: &Structure) -> Outcome {
    let Some(stage) = structure::stage(s.stage.as_deref()) else {
        return Outcome::fail(format!("cannot be run: there is no stage `{}`", s.stage.as_deref().unwrap_or_default()));
    };
    let whole = EntryProgram::whole(program);
    let stages = whole.stages(sources);
    let Some(staged) = stages.reached.iter().find(|r| r.stage == stage) else {
        return Outcome::fail(format!("the stage {} is not reached: {:?}", stage.name(), stages.stopped));
    };
    for (path, expected) in &s.counts {
        if let Some(unknown) = path.iter().find(|n| !structure::is_name(n)) {
            return Outcome::fail(format!("cannot be run: `{unknown}` is no kind of IR node"));
        }
        let got = structure::count(&staged.program, path);
        if got != *expected {
            return Outcome::fail(format!("{got} of {} after {}, expected {expected}", path.join("/"), stage.name()));
        }
    }
    Outcome::ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/scalars/powers.fut");
        Options { paths: vec![path], numerics: false, jobs: 1, ..Options::default() }
    }

    #[test]
    fn what_the_time_budget_leaves_is_skipped() {
        let within = |seconds| run(&Options { time_budget: Some(Duration::from_secs(seconds)), ..options() }).unwrap();
        let none = within(0);
        assert_eq!(none.counts(), (0, 0, 2), "{none}");
        let skipped = Outcome::skipped("the time budget is spent");
        assert!(none.rows.iter().all(|r| r.cells == [(Column::Expected, skipped.clone())]), "{none}");
        let ample = within(3600);
        assert_eq!(ample.counts(), (2, 0, 0), "{ample}");
    }

    #[test]
    fn a_run_keeps_to_its_waivers() {
        let file = std::env::temp_dir().join(format!("futi-waivers-{}.toml", std::process::id()));
        let waivers = |text: &str| {
            std::fs::write(&file, text).unwrap();
            run(&Options { waivers: Some(file.clone()), ..options() })
        };
        let unneeded = waivers("[[waiver]]\ncase = 'scalars/powers.fut:*'\nreason = 'why not'\n").unwrap();
        assert_eq!(unneeded.counts(), (2, 1, 0), "{unneeded}");
        let unused = waivers("[[waiver]]\ncase = 'scalars/power.fut:*'\nreason = 'why not'\n").unwrap();
        assert_eq!((unused.counts(), unused.unused_waivers.len()), ((2, 0, 0), 1), "{unused}");
        assert!(matches!(waivers("[[waiver]]\n"), Err(RunError::Waivers(_))));
        std::fs::remove_file(file).unwrap();
    }
}
