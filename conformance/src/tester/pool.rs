//! The processes that run programs. One is used for one program after the other; if it ends or takes too long, that is the failure of the case that
//! it was at, and another goes on behind it.

use super::serve::{Answer, Job, MARK};
use super::{ARGUMENT, CaseReport, Cause, Options, ProgramReport, Tree, Verdict, plan};
use crate::process::{Breakage, Broken, Deadline, Process};
use crate::suite::{Case, TestProgram};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::VecDeque;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Starting a process and compiling a program may take so long, whatever the limit for cases.
const COMPILING: Duration = Duration::from_secs(60);

/// Runs the programs, as many at a time as the options say.
pub(super) fn run(options: &Options, programs: &[TestProgram]) -> Vec<ProgramReport> {
    let start = Instant::now();
    let bar = if options.progress { ProgressBar::new(programs.len() as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    let (next, reports) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        let mut worker = Worker { options, process: None, used: false };
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(test) = programs.get(i) else { return };
            bar.set_message(test.path.display().to_string());
            let late = options.time_budget.is_some_and(|budget| start.elapsed() >= budget);
            let (cases, tree) = worker.program(test, late);
            bar.inc(1);
            let report = ProgramReport { program: test.path.display().to_string(), cases, tree };
            reports.lock().unwrap_or_else(|e| e.into_inner()).push((i, report));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, programs.len().max(1)) {
            scope.spawn(work);
        }
    });
    bar.finish_and_clear();
    let mut reports = reports.into_inner().unwrap_or_else(|e| e.into_inner());
    reports.sort_by_key(|(i, _)| *i);
    reports.into_iter().map(|(_, report)| report).filter(|r| !r.cases.is_empty()).collect()
}

struct Worker<'a> {
    options: &'a Options,
    process: Option<Process>,
    /// Whether the process has run other programs before: then it is not the fault of one that it ends.
    used: bool,
}

impl Worker<'_> {
    /// Runs the cases of a program that are asked for.
    fn program(&mut self, test: &TestProgram, late: bool) -> (Vec<CaseReport>, Option<Tree>) {
        let mut tree = None;
        let cases = plan::cases(test, self.options.mode);
        let (mut left, mut reports) = (VecDeque::new(), Vec::new());
        for (i, case) in cases.iter().enumerate().filter(|(_, c)| plan::wanted(test, c, self.options)) {
            let skipped = plan::skipped(test, case, self.options);
            match skipped.or_else(|| late.then(|| "the time budget is spent".to_string())) {
                Some(reason) => reports.push((i, report(case, Verdict::Skipped { reason }, 0.0))),
                None => left.push_back(i),
            }
        }
        while !left.is_empty() {
            let before = left.len();
            let start = Instant::now();
            let Err(stop) = self.some(test, &mut left, &mut reports, &mut tree) else { break };
            self.process = None;
            // once more in a process of its own, before it is blamed
            if std::mem::take(&mut self.used) && stop.retry && left.len() == before {
                continue;
            }
            // the case that it was at; all of them, if it did not get so far
            let failed = if stop.compiling { left.len() } else { 1 };
            for i in left.drain(..failed) {
                reports.push((i, report(&cases[i], stop.verdict.clone(), start.elapsed().as_secs_f64())));
            }
        }
        self.used = true;
        reports.sort_by_key(|(i, _)| *i);
        (reports.into_iter().map(|(_, report)| report).collect(), tree)
    }

    /// Runs the cases that are left, until the process is no use any more.
    fn some(
        &mut self,
        test: &TestProgram,
        left: &mut VecDeque<usize>,
        reports: &mut Vec<(usize, CaseReport)>,
        tree: &mut Option<Tree>,
    ) -> Result<(), Stop> {
        let options = self.options;
        if self.process.is_none() {
            self.process = Some(start(options).map_err(|e| Stop::new(&e, true))?);
            self.used = false;
        }
        let Some(process) = &mut self.process else { return Ok(()) };
        let Options { mode, seed, outside, constructs, .. } = *options;
        let tuning = options.tuning.clone();
        let cases = left.iter().copied().collect();
        let job = Job { path: test.path.clone(), mode, cases, seed, outside, tuning, constructs };
        let job = serde_json::to_string(&job).map_err(|e| Stop::garbled(e.to_string()))?;
        process.send(job + "\n");
        let mut compiling = true;
        loop {
            let limit = if compiling { options.time_limit.max(COMPILING) } else { options.time_limit };
            let line = process.receive(&Deadline::after(limit)).map_err(|e| Stop::new(&e, compiling))?;
            match serde_json::from_str(&line).map_err(|e| Stop::garbled(e.to_string()))? {
                Answer::Compiled(found) => {
                    compiling = false;
                    *tree = found;
                }
                Answer::Case(report) => {
                    reports.extend(left.pop_front().map(|i| (i, report)));
                    if left.is_empty() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

fn start(options: &Options) -> Result<Process, Broken> {
    let program = std::env::current_exe().map_err(|e| Broken::new("the process", Breakage::Start(e.to_string())))?;
    let mut command = Command::new(program);
    command.args([ARGUMENT, &options.backend]);
    // a driver maps more than it uses
    if options.backend == "interp" {
        command.arg(options.memory.to_string());
    }
    Process::start(&mut command, "the process", MARK)
}

fn report(case: &Case, verdict: Verdict, seconds: f64) -> CaseReport {
    CaseReport { case: case.name.clone(), verdict, strict: None, seconds }
}

/// A process that is no use any more.
struct Stop {
    verdict: Verdict,
    /// Whether the program had not been compiled yet.
    compiling: bool,
    /// Whether another process may do better.
    retry: bool,
}

impl Stop {
    fn new(broken: &Broken, compiling: bool) -> Stop {
        let what = match &broken.how {
            Breakage::Hung(limit) => format!("takes more than {} s", limit.as_secs_f64()),
            _ => broken.to_string(),
        };
        let what = if compiling { format!("while the program is compiled: {what}") } else { what };
        let (cause, retry) = match &broken.how {
            Breakage::Hung(_) => (Cause::Time, false),
            Breakage::Ended(how) if how.contains("memory allocation") => (Cause::Memory, true),
            Breakage::Ended(_) | Breakage::Garbled(_) | Breakage::Start(_) => (Cause::Crash, true),
        };
        Stop { verdict: Verdict::Failed { cause, what }, compiling, retry }
    }

    fn garbled(what: String) -> Stop {
        Stop { verdict: Verdict::failed(Cause::Crash, what), compiling: true, retry: false }
    }
}
