//! The suite and the examples, one test a case: every oracle of the interpreter and the compiler, and of the backends the executor of kernels, with several options, or, with the feature `vulkan`,
//! Vulkan under validation, in processes of their own. Which of them a program gets is a matter of its name and of `FUTI_VALIDATE`, a number; with `all`, every program gets all. A case that fails is a failed test, and so is one that is skipped, but for what the backend says that it cannot compile. How many may be beyond
//! it is a bound of the costs.

#[cfg(feature = "vulkan")]
mod validated;

use futi_conformance::child::{self, BackendCommand};
use futi_conformance::columns::Column;
use futi_conformance::row::{Outcome, Verdict};
use futi_conformance::{Options, Suite, Worker};
use futi_core::backend::Backend;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::VecDeque;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(code) = child::entry_point(open) {
        return code;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let chosen = std::env::var("FUTI_VALIDATE").unwrap_or_default();
    let mut args = Arguments::from_args();
    // one more than processors: a thread waits for its backend now and then
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    let threads = *args.test_threads.get_or_insert(processors + usize::from(cfg!(feature = "vulkan")));
    let mut suites = Vec::new();
    let mut lanes: Vec<Vec<Trial>> = (0..threads.max(1)).map(|_| Vec::new()).collect();
    for (k, backend) in BACKENDS.iter().enumerate() {
        let paths = vec![root.join("conformance/suite"), root.join("examples")];
        let command = BackendCommand::this_program(backend).ok();
        let suite = match Suite::new(&Options { paths, backend: command, ..Options::default() }) {
            Ok(suite) => Arc::new(suite),
            Err(e) => {
                eprintln!("{e}");
                return ExitCode::FAILURE;
            }
        };
        suites.push(suite.clone());
        let workers = Workers::default();
        let cases = (0..suite.len()).map(|i| (i, suite.name(i).replace(&format!("{}/", root.display()), "")));
        let cases: Vec<(usize, String)> = cases.collect();
        for cases in cases.chunk_by(|(_, a), (_, b)| program(a) == program(b)) {
            let number: usize = program(&cases[0].1).bytes().map(usize::from).sum();
            let part = chosen.parse::<usize>().unwrap_or(0);
            if chosen == "all" || turn(number.wrapping_add(part)) == k {
                let shortest = (0..lanes.len()).min_by_key(|lane| lanes[*lane].len()).unwrap_or(0);
                lanes[shortest].extend(cases.iter().map(|(i, name)| {
                    let named = format!("{name} [{backend}]");
                    trial(named, program(name).into(), *i, k >= EXECUTORS, suite.clone(), workers.clone())
                }));
            }
        }
    }
    // at once: what has been compiled is much to free
    libtest_mimic::run(&args, in_turns(lanes)).exit()
}

/// The backend of a name.
fn open(name: &str) -> Result<Box<dyn Backend>, String> {
    match name {
        #[cfg(feature = "vulkan")]
        "validated vulkan" => validated::open(),
        _ => child::built_in(name),
    }
}

/// The path of a case's program.
fn program(name: &str) -> &str {
    name.split(':').next().unwrap_or_default()
}

/// One of each lane, then the next of each: as many programs as there are threads are at work, each by a process that has compiled it.
fn in_turns(lanes: Vec<Vec<Trial>>) -> Vec<Trial> {
    let mut lanes: Vec<_> = lanes.into_iter().map(Vec::into_iter).collect();
    let rounds = lanes.iter().map(|lane| lane.len()).max().unwrap_or(0);
    (0..rounds).flat_map(|_| lanes.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>()).collect()
}

/// Processes of a backend, each with the program that it has seen last. They are kept from case to case.
type Workers = Arc<Mutex<VecDeque<(String, Worker)>>>;

/// The backends that are held against the interpreter: without a feature all but the last.
const BACKENDS: &[&str] = {
    let all: &[&str] = &[
        "executor",
        "executor free=off",
        "executor in_place=off",
        "executor poison=on",
        "executor enough=0 reduce_groups=16",
        "executor whole_loops=1000000",
        "validated vulkan",
    ];
    if cfg!(feature = "vulkan") { all } else { all.split_at(EXECUTORS).0 }
};

/// How many of them are executors.
const EXECUTORS: usize = 6;

/// Of so many programs Vulkan gets one: compiling kernels takes several times as long as all else that is done with a program.
const VULKAN: usize = 32;

/// Which backend a number chooses: Vulkan one time in [`VULKAN`], else the executors in turns.
fn turn(number: usize) -> usize {
    match (BACKENDS.len() - EXECUTORS, number / VULKAN, number % VULKAN) {
        (0, ..) => number % EXECUTORS,
        (_, _, 0) => EXECUTORS,
        (_, round, place) => ((VULKAN - 1) * round + place - 1) % EXECUTORS,
    }
}

/// A case of a program; the device that runs it may lack what the case needs, an executor has all.
fn trial(name: String, program: String, case: usize, may_lack: bool, suite: Arc<Suite>, workers: Workers) -> Trial {
    Trial::test(name, move || {
        let pool = || workers.lock().unwrap_or_else(|e| e.into_inner());
        let take = || {
            let mut pool = pool();
            let own = pool.iter().position(|(of, _)| *of == program).unwrap_or(0);
            pool.remove(own).map(|(_, worker)| worker)
        };
        let mut worker = take().unwrap_or_else(|| suite.worker());
        let row = suite.run_case(case, &mut worker);
        pool().push_back((program, worker));
        match row.verdict() {
            Verdict::Passed => Ok(()),
            Verdict::Skipped if may_lack && row.cells.iter().all(|(_, o)| is_beyond(o)) => Ok(()),
            _ => Err(explain(&row.cells)),
        }
    })
}

/// Whether the outcome, if it is none, is the backend's word that it has no code for the program, or for its derivatives.
fn is_beyond(outcome: &Outcome) -> bool {
    let beyond = |line: &str| {
        let of = line.strip_prefix("jvp: ").or(line.strip_prefix("vjp: ")).unwrap_or(line);
        of.starts_with("the backend cannot compile")
    };
    !matches!(outcome, Outcome::Skipped { reason } if reason.is_empty() || !reason.lines().all(beyond))
}

fn explain(cells: &[(Column, Outcome)]) -> Failed {
    let line = |(column, outcome): &(Column, Outcome)| match outcome {
        Outcome::Fail(f) => {
            let stage = f.stage.as_ref().map_or(String::new(), |s| format!(" (stage {s})"));
            let place = f.place.as_ref().map_or(String::new(), |p| format!("\n    at {p}"));
            Some(format!("{}{stage}: {}{place}", column.name(), f.what))
        }
        Outcome::Skipped { reason } | Outcome::NoRule { reason } => {
            Some(format!("{}: skipped: {reason}", column.name()))
        }
        _ => None,
    };
    cells.iter().filter_map(line).collect::<Vec<_>>().join("\n").into()
}
