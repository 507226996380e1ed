//! Barriers, fences and atomic operations are taken away from the kernels of programs, one at a time, to see whether the executor reports each.
//!
//! A program's cases run on the executor, as they are and with larger inputs made of their own. Each launch of a kernel that something can be taken away from is repeated with what is
//! left of the kernel, on what is in memory then, until the executor reports a fault; then with other groups, and with indices that are there more than once, if the whole kernel is right
//! with these. Kernels that differ in names only are one kernel: any program's launches will do. What is left before inputs become larger is launched in random ways, too.

mod inputs;
mod known;
mod launches;
mod report;

pub use launches::How;
pub use report::{Fate, Report, Survivor};

use crate::compiled::{catch, compile};
use crate::data::Folder;
use crate::judge::{has_derivatives, values};
use crate::random::Rng;
use crate::spec::TestCase;
use crate::subject::{Entry, Subject};
use crate::suite::{self, NotFound, TestProgram, What};
use futi_core::backend::{CallCtx, IrLevel};
use futi_core::driver::pipeline;
use futi_core::entry::arguments;
use futi_core::hash::HashMap;
use futi_core::ir::Program;
use futi_core::source::SourceMap;
use futi_core::value::Value;
use futi_embed::tuning::Tuning;
use futi_interp::Ctx;
use futi_kernels::exec::device::{self, Device, Loaded};
use futi_kernels::generate::lower;
use futi_kernels::host::CheckedHost;
use futi_kernels::host::options::{MemoryOptions, Thresholds};
use futi_kernels::host::run::call;
use futi_kernels::host::tally::Tallies;
use indicatif::{ProgressBar, ProgressStyle};
use known::Known;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The stack of a thread: the front end recurses with the nesting of a program, which is limited.
const STACK: usize = 512 << 20;
/// How long a call may take; what it has launched until then counts.
const PATIENCE: Duration = Duration::from_secs(2);
/// The most steps of the interpreter for a case with a larger input.
const FUEL: u64 = 20_000_000;
/// Of a kernel so many launches are repeated in a call.
const LAUNCHES: u32 = 6;

/// What to take away.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Programs, and folders of programs.
    pub paths: Vec<PathBuf>,
    /// Only programs whose path contains this.
    pub filter: Option<String>,
    /// Of them only so many.
    pub sample: Option<usize>,
    /// Chooses these, and the turns of invocations.
    pub seed: u64,
    /// How many programs are worked on at a time.
    pub jobs: usize,
    /// Whether to show progress on standard error, if that is a terminal.
    pub progress: bool,
}

/// Takes away all that there is in the kernels of programs.
///
/// # Errors
/// A path that cannot be read.
pub fn run(options: &Options) -> Result<Report, NotFound> {
    let mut programs = suite::find(&options.paths)?;
    if let Some(filter) = &options.filter {
        programs.retain(|p| p.path.display().to_string().contains(filter.as_str()));
    }
    if let Some(sample) = options.sample {
        let mut rng = Rng::new(options.seed, "removals");
        programs.sort_by_cached_key(|_| rng.bits());
        programs.truncate(sample);
    }
    let (known, next) = (Known::default(), AtomicUsize::new(0));
    let panics: Mutex<Vec<String>> = Mutex::default();
    let bar = if options.progress { ProgressBar::new(programs.len() as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    let work = || {
        while let Some(test) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            bar.set_message(test.path.display().to_string());
            // that a program cannot be compiled, or fails, is no matter of the hunt
            if let Err(panic) = catch(|| Hunt { known: &known, seed: options.seed }.program(test)) {
                let line = format!("{}: {panic}", test.path.display());
                panics.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            }
            bar.inc(1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, programs.len().max(1)) {
            // where there is no thread to be had, this one does all of it
            if std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).is_err() {
                work();
            }
        }
    });
    bar.finish_and_clear();
    let panics = panics.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Report::new(programs.len(), known.into_candidates(), panics))
}

/// What is looked for with one program.
struct Hunt<'a> {
    known: &'a Known,
    seed: u64,
}

/// An entry point, or a derivative of one, for the executor.
struct Ready {
    host: CheckedHost,
    loaded: Loaded,
    /// Of each kernel, which one it is of those that are known, if something can be taken away from it.
    kernels: Vec<Option<usize>>,
}

/// An entry point and its derivatives: none where nothing can be taken away.
struct Entries {
    entry: Entry,
    primal: Option<Ready>,
    derivatives: [Option<Ready>; 2],
}

impl Entries {
    fn ready(&self) -> impl Iterator<Item = &Ready> {
        [&self.primal].into_iter().chain(&self.derivatives).flatten()
    }
}

impl Hunt<'_> {
    fn program(&self, test: &TestProgram) {
        let compiled = compile(&test.path, Tuning::new());
        let Some(program) = &compiled.program else { return };
        let mut entries: HashMap<&str, Option<Entries>> = HashMap::default();
        let mut cases = Vec::new();
        for case in &test.cases {
            let What::Run { entry, case: input } = &case.what else { continue };
            let derived = has_derivatives(input);
            entries.entry(entry).or_insert_with(|| self.entries(program, entry, test, derived));
            cases.push((entry.as_str(), input));
        }
        // what random launches report needs no larger inputs, which take longer
        let (as_they_are, larger) = inputs::FACTORS.split_at(1);
        self.cases(program, &compiled.sources, test, &entries, &cases, as_they_are);
        let ready = entries.values().flatten().flat_map(Entries::ready);
        ready.flat_map(|ready| ready.kernels.iter().flatten()).for_each(|k| self.known.guess(*k, self.seed));
        self.cases(program, &compiled.sources, test, &entries, &cases, larger);
    }

    /// Runs cases with inputs that are so many times as large.
    fn cases(
        &self,
        program: &Program,
        sources: &SourceMap,
        test: &TestProgram,
        entries: &HashMap<&str, Option<Entries>>,
        cases: &[(&str, &TestCase)],
        factors: &[usize],
    ) {
        for factor in factors {
            for collapse in inputs::COLLAPSES {
                for (entry, case) in cases {
                    let Some(Some(entries)) = entries.get(entry) else { continue };
                    if self.is_wanted(entries) {
                        self.case(program, sources, test, entries, case, (*factor, collapse));
                    }
                }
            }
        }
    }

    fn entries(&self, program: &Program, name: &str, test: &TestProgram, derived: bool) -> Option<Entries> {
        let entry = Entry::new(program, name, None)?;
        let file = test.path.display();
        let primal = self.ready(&entry.primal.program, &format!("{file}:{name}"));
        let derivatives = entry.derivatives().filter(|_| derived);
        let ready = |k: usize| {
            let d = &derivatives?[k];
            self.ready(&d.program.program, &format!("{file}:{name} ({})", d.mode.name()))
        };
        let derivatives = [ready(0), ready(1)];
        Some(Entries { primal, derivatives, entry })
    }

    fn ready(&self, program: &Program, name: &str) -> Option<Ready> {
        let flat = pipeline::for_level(program.clone(), IrLevel::Flat).ok()?;
        let host = lower(&flat, &MemoryOptions::default()).ok()?;
        let kernels: Vec<_> = host.kernels.iter().map(|k| self.known.add(k.kernel.kernel(), name)).collect();
        if kernels.iter().all(Option::is_none) {
            return None;
        }
        let host = CheckedHost::new(host).ok()?;
        let loaded = Loaded::new(&host, Arc::default());
        Some(Ready { host, loaded, kernels })
    }

    /// Whether there is something that nobody has reported yet.
    fn is_wanted(&self, entries: &Entries) -> bool {
        entries.ready().any(|ready| self.is_open(ready))
    }

    fn is_open(&self, ready: &Ready) -> bool {
        ready.kernels.iter().flatten().any(|k| self.known.is_open(*k))
    }

    fn case(
        &self,
        program: &Program,
        sources: &SourceMap,
        test: &TestProgram,
        entries: &Entries,
        case: &TestCase,
        (factor, collapse): (usize, Option<usize>),
    ) {
        let entry = &entries.entry;
        let Some(fun) = entry.primal.fun() else { return };
        let folder = Folder::of(&test.path, false);
        let Ok(values) = values(program, fun, case, folder, self.seed) else { return };
        let Ok(args) = arguments(fun, values) else { return };
        let Some(args) = inputs::varied(fun, args, factor, collapse) else { return };
        if let Some(primal) = &entries.primal {
            self.calls(primal, entry.primal.entry.as_str(), &args);
        }
        if !entries.derivatives.iter().flatten().any(|ready| self.is_open(ready)) {
            return;
        }
        let rng = Rng::new(self.seed, &test.path.display().to_string());
        let ctx = Ctx { fuel: Some(FUEL), memory: Some(1 << 30), ..Ctx::default() };
        let subject = Subject::within(entry, sources, args, rng, &ctx);
        let (Some(derivatives), Some(seeds)) = (entry.derivatives(), subject.seeds()) else { return };
        for (derived, ready) in derivatives.iter().zip(&entries.derivatives) {
            if let Some(ready) = ready {
                let args = subject.derivative_args(derived, Subject::seeds_of(derived.mode, &seeds));
                self.calls(ready, derived.program.entry.as_str(), &args);
            }
        }
    }

    /// Calls an entry point in all ways that lead to other kernels or groups, as long as something is left.
    fn calls(&self, ready: &Ready, entry: &str, args: &[Value]) {
        for options in ways(self.seed) {
            if self.is_open(ready) {
                self.call(ready, entry, args, &options);
            }
        }
    }

    /// Calls an entry point, and repeats what it launches.
    fn call(&self, ready: &Ready, entry: &str, args: &[Value], options: &device::Options) {
        let begin = Instant::now();
        let cancel = Arc::new(AtomicBool::new(false));
        let ctx = CallCtx { cancel: Some(cancel.clone()) };
        let mut launches: HashMap<usize, u32> = HashMap::default();
        let mut watch = |kernel: futi_kernels::host::ir::KernelId, launch: &_, memory: &[_]| {
            if let Some(k) = ready.kernels.get(kernel.at()).copied().flatten() {
                let seen = launches.entry(k).or_default();
                *seen += 1;
                if *seen <= LAUNCHES {
                    self.known.repeat(k, launch, memory);
                }
            }
            if begin.elapsed() > PATIENCE || !self.is_open(ready) {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        let mut device = Device {
            program: &ready.host,
            loaded: &ready.loaded,
            options,
            ctx: &ctx,
            tallies: Tallies::default(),
            launches: 0,
            idle: false,
            watch: Some(&mut watch),
        };
        let args = args.iter().map(|arg| device::argument(arg, &ready.loaded.meter)).collect();
        // a failure of the program is as good as its end
        let _ = call(&mut device, &ready.host, entry, args);
    }
}

/// How the executor runs programs: small groups, so that there are many; reductions by groups, or by one invocation each, with sequential code at the points of nests.
fn ways(seed: u64) -> [device::Options; 4] {
    let some = device::Options { seed, budget: 1 << 26, ..device::Options::default() };
    let grouped = device::Options {
        group_size: 4,
        subgroup_size: 2,
        reduce_groups: 12,
        reduce_each_segments: i64::MAX,
        reduce_each_length: 0,
        scan_chunks: 5,
        ..some.clone()
    };
    let each = device::Options {
        group_size: 2,
        subgroup_size: 2,
        most_groups: 8,
        reduce_each_segments: 0,
        thresholds: Thresholds::all(0),
        ..some.clone()
    };
    let chunked = device::Options { group_size: 1, subgroup_size: 1, reduce_groups: 1 << 20, ..grouped.clone() };
    [grouped, chunked, each, some]
}
