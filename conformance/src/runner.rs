//! Running cases: every column of one, and all of them on several threads.

use crate::child::Limits;
use crate::column::backend;
use crate::columns::Column;
use crate::compiled::catch;
use crate::coverage::Coverage;
use crate::futhark::Reference;
use crate::generate;
use crate::generate::order;
use crate::generated::{self, Judged};
use crate::judge::{Judge, Prepared};
use crate::options::{Options, Worker};
use crate::report::Report;
use crate::row::{GENERATED, Outcome, Row};
use crate::sourced::{self, Batches};
use crate::suite::{self, Case, NotFound, What};
use crate::waiver::{WaiverError, Waivers};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The stack for a case: the front end and the interpreter recurse with the nesting of a program, which is limited.
const STACK: usize = 512 << 20;

/// What a run judges: programs with what has been compiled of them so far, and generated programs.
pub struct Suite {
    options: Options,
    programs: Vec<Prepared>,
    cases: Vec<Task>,
    batches: Batches,
}

/// One case.
enum Task {
    /// A case of a program with tests.
    Written(usize, Case),
    /// Of the programs to generate of some kind, the one of this number.
    Generated(usize, u64),
    /// The generated source program of this number.
    Source(u64),
}

/// What keeps a run from starting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// A path that cannot be read.
    NotFound(NotFound),
    /// Waivers that cannot be read.
    Waivers(WaiverError),
    /// A backend or another implementation that does not work at all.
    Unusable(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::NotFound(e) => e.fmt(f),
            RunError::Waivers(e) => e.fmt(f),
            RunError::Unusable(what) => f.write_str(what),
        }
    }
}
impl std::error::Error for RunError {}

/// Runs everything that the options ask for.
///
/// # Errors
/// A path or a file of waivers that cannot be read; a backend or another implementation that does not work at all.
pub fn run(options: &Options) -> Result<Report, RunError> {
    let start = Instant::now();
    let waivers = options.waivers.as_deref().map(Waivers::read).transpose().map_err(RunError::Waivers)?;
    let suite = Suite::new(options).map_err(RunError::NotFound)?;
    // rather than the failure of every case
    options.backend.iter().try_for_each(|b| b.probe(options.timeout)).map_err(RunError::Unusable)?;
    options.reference.iter().try_for_each(Reference::probe).map_err(RunError::Unusable)?;
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let covered = Mutex::new(options.coverage.then(Coverage::default));
    let bar = if options.progress { ProgressBar::new(suite.len() as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    let work = || {
        let mut worker = suite.worker();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= suite.len() {
                let mut covered = covered.lock().unwrap_or_else(|e| e.into_inner());
                covered.iter_mut().zip(&worker.coverage).for_each(|(all, own)| all.merge(own));
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
    let report = match waivers {
        Some(waivers) => waivers.apply(rows, &options.paths, options.filter.is_some()),
        None => Report { rows, ..Report::default() },
    };
    Ok(Report { coverage: covered.into_inner().unwrap_or_else(|e| e.into_inner()), ..report })
}

impl Suite {
    /// Finds the programs and chooses the cases.
    ///
    /// # Errors
    /// A path that cannot be read.
    pub fn new(options: &Options) -> Result<Suite, NotFound> {
        let programs: Vec<Prepared> = suite::find(&options.paths)?.into_iter().map(Prepared::new).collect();
        let written = programs.iter().enumerate().flat_map(|(i, p)| p.test.cases.iter().map(move |c| (i, c.clone())));
        let written = written.map(|(i, case)| Task::Written(i, case));
        let kinds = options.generate.iter().enumerate();
        let generated = kinds.flat_map(|(i, g)| (0..g.count).map(move |k| Task::Generated(i, k)));
        let sources = (0..options.sources.0).map(Task::Source);
        let cases = written.chain(generated).chain(sources).collect();
        let mut suite = Suite { options: options.clone(), cases, programs, batches: Batches::default() };
        if let Some(filter) = &options.filter {
            let cases = std::mem::take(&mut suite.cases);
            suite.cases = cases.into_iter().filter(|c| suite.name_of(c).contains(filter.as_str())).collect();
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

    /// The name of a case: `path:entry#number`, or `generated/profile:seed`.
    pub fn name(&self, i: usize) -> String {
        self.name_of(&self.cases[i])
    }

    fn name_of(&self, case: &Task) -> String {
        let (program, case) = self.names(case);
        format!("{program}:{case}")
    }

    /// The names of its program and of the case in it.
    fn names(&self, case: &Task) -> (String, String) {
        match case {
            Task::Written(i, case) => (self.programs[*i].test.path.display().to_string(), case.name.clone()),
            Task::Generated(i, k) => {
                let (g, seed) = (&self.options.generate[*i], self.seed(*k));
                let modes = order::modes(g.order.saturating_sub(1), seed).into_iter().rev();
                let modes: String = modes.map(|mode| format!(" {}", mode.name())).collect();
                (format!("{GENERATED}{}{modes}", g.profile.name()), seed.to_string())
            }
            Task::Source(k) => (format!("{GENERATED}source"), self.seed(*k).to_string()),
        }
    }

    /// The seed of a generated program.
    fn seed(&self, k: u64) -> u64 {
        self.options.seed.wrapping_mul(1_000_000_000).wrapping_add(k)
    }

    /// What a thread needs to run cases.
    pub fn worker(&self) -> Worker {
        let limits = Limits { start: self.options.timeout, command: self.options.timeout };
        let link = self.options.backend.clone().map(|command| backend::Link::new(command, limits));
        Worker { link, coverage: self.options.coverage.then(Coverage::default) }
    }

    /// Runs a case: all columns that it has.
    pub fn run_case(&self, i: usize, worker: &mut Worker) -> Row {
        let start = Instant::now();
        let judged = catch(|| stacker::grow(STACK, || self.judge(i, worker)));
        let judged = judged.unwrap_or_else(|what| verdict(Outcome::fail(what)));
        self.row(i, judged, start.elapsed())
    }

    fn judge(&self, i: usize, worker: &mut Worker) -> Judged {
        match &self.cases[i] {
            Task::Written(program, case) => {
                let program = &self.programs[*program];
                let cells = Judge { options: &self.options, program, name: &case.name }.case(case, worker);
                let mut constructs = BTreeSet::new();
                if let What::Run { entry, .. } = &case.what {
                    constructs = program.constructs(entry);
                    program.judged(entry);
                }
                Judged { cells, constructs, ..Judged::default() }
            }
            Task::Generated(kind, k) => {
                let g = &self.options.generate[*kind];
                let (name, seed) = (self.name(i), self.seed(*k));
                let mut program = generate::ir::program(g.profile, &g.weights, g.size, seed);
                for mode in order::modes(g.order.saturating_sub(1), seed) {
                    match order::derived(&program, mode, &name) {
                        Some(derived) => program = derived,
                        None => return verdict(Outcome::skipped("it has no derivative of this order")),
                    }
                }
                worker.coverage.iter_mut().for_each(|c| c.add(&program));
                generated::judge(&program, &name, &self.options, worker)
            }
            Task::Source(k) => {
                let size = self.options.sources.1;
                sourced::judge(self.seed(*k), size, &self.name(i), &self.options, worker, &self.batches)
            }
        }
    }

    /// The row of a case that is not run.
    fn skip_case(&self, i: usize, reason: &str) -> Row {
        self.row(i, verdict(Outcome::skipped(reason)), Duration::ZERO)
    }

    fn row(&self, i: usize, judged: Judged, time: Duration) -> Row {
        let (program, case) = self.names(&self.cases[i]);
        let Judged { cells, constructs, witness, rewritten } = judged;
        Row { program, case, cells, constructs, seconds: time.as_secs_f64(), witness, rewritten }
    }
}

/// One verdict alone.
fn verdict(outcome: Outcome) -> Judged {
    Judged { cells: vec![(Column::Expected, outcome)], ..Judged::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::child::BackendCommand;
    use crate::fault::Fault;
    use crate::generate::ir::Profile;
    use crate::options::Generate;
    use crate::shrink::witness;
    use futi_core::ir::UnOp;
    use std::path::Path;
    use tempfile::NamedTempFile;

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
        let file = NamedTempFile::new().unwrap();
        let waivers = |text: &str| {
            std::fs::write(&file, text).unwrap();
            run(&Options { waivers: Some(file.path().into()), ..options() })
        };
        let unneeded = waivers("[[waiver]]\ncase = 'scalars/powers.fut:*'\nreason = 'why not'\n").unwrap();
        assert_eq!(unneeded.counts(), (2, 1, 0), "{unneeded}");
        let of_more = waivers("[[waiver]]\ncase = 'suite/scalars/*'\nreason = 'why not'\n").unwrap();
        assert_eq!(of_more.counts(), (2, 0, 0), "{of_more}");
        let unused = waivers("[[waiver]]\ncase = 'scalars/power.fut:*'\nreason = 'why not'\n").unwrap();
        assert_eq!((unused.counts(), unused.unused_waivers.len()), ((2, 0, 0), 1), "{unused}");
        assert!(matches!(waivers("[[waiver]]\n"), Err(RunError::Waivers(_))));
    }

    /// The columns that disagree.
    fn failing(report: &Report) -> BTreeSet<Column> {
        report.rows.iter().flat_map(|r| r.failures().map(|(c, _)| c)).collect()
    }

    #[test]
    fn a_fault_is_planted_in_programs_of_the_ir_too() {
        let body = "let (y_2: f64) = sin.f64(x_0) in (y_2)";
        let program =
            format!("futi-ir 1 entry \"main\"(x_0: f64) -> (r_1: f64) sig 0 (\"x\": f64) -> f64 {{ {body} }}");
        let file = NamedTempFile::with_suffix(".ir").unwrap();
        std::fs::write(&file, format!("-- ==\n-- input {{ 0.7 }}\n{program}")).unwrap();
        let all = Options { paths: vec![file.path().into()], numerics: true, ..options() };
        let planted = run(&Options { fault: Some(Fault::Table(UnOp::Sin)), ..all.clone() }).unwrap();
        let honest = run(&all).unwrap();
        assert_eq!((failing(&planted), failing(&honest)), ([Column::Numerics].into(), [].into()));
    }

    #[test]
    fn a_saved_program_meets_the_random_directions_that_it_was_judged_by() {
        let g = Generate::new(8, Profile::Differentiable);
        let of = |seed| generate::ir::program(g.profile, &g.weights, g.size, seed);
        let generated = run(&Options { paths: vec![], generate: vec![g.clone()], seed: 3, ..options() }).unwrap();
        let rounds =
            |r: &&Row| matches!(r.outcome(Column::Identity), Outcome::Ok { closeness, .. } if closeness.ratio > 0.0);
        let generated = generated.rows.iter().find(rounds).unwrap();
        let program = of(generated.case.parse().unwrap());
        let file = NamedTempFile::with_suffix(".ir").unwrap();
        let saved = |name: &str| {
            std::fs::write(&file, witness(&program, name, "why")).unwrap();
            let report = run(&Options { paths: vec![file.path().into()], ..options() }).unwrap();
            report.rows[0].outcome(Column::Identity)
        };
        let (same, other) = (saved(&generated.name()), saved("another"));
        assert_eq!(same, generated.outcome(Column::Identity));
        assert_ne!(same, other);
    }

    #[test]
    fn a_backend_that_does_not_start_is_no_failure_of_the_cases() {
        let command = |program: &str| BackendCommand { program: program.into(), args: vec![], name: "none".into() };
        for program in ["/no/such/program", "false"] {
            let Err(e) = run(&Options { backend: Some(command(program)), ..options() }) else { panic!() };
            assert!(e.to_string().starts_with("the backend `none` cannot be used: "), "{e}");
        }
        let limits = Limits { start: Duration::from_secs(60), command: Duration::from_secs(60) };
        let reference = Some(Reference::futhark(Path::new("/no/such/compiler"), limits));
        assert!(matches!(run(&Options { reference, ..options() }), Err(RunError::Unusable(_))));
    }
}
