//! What can notice a mutant: cases of the suite, each in all columns, without a backend, with the executor of kernels and with Vulkan, and the tests of the mutated crates. Each is
//! run once with no mutant on, to see which mutants' places it reaches and how long it takes.

use super::judge;
use super::tree::{Program, Tree, write};
use super::{Mutant, Target, hash};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Cases that take longer, in seconds, are asked by none: they are few, and those that are quick see as much.
const SLOW: f64 = 15.0;

/// How long, in seconds, without it, the quickest cases of one oracle that are asked about one mutant take together; and so do those of the rest that
/// are the most particular about it, which reach the fewest others.
pub const BUDGET: f64 = 6.0;

/// The same for a mutant of which a comment says why it changes nothing: enough to see that this is still so.
pub const BUDGET_EXPLAINED: f64 = 0.5;

/// A case that does next to nothing: what comes after it in a process of the suite takes as long as it does there, without the start.
const FIRST: &str = "conformance/suite/control/let_shadowing.fut:main#1";

/// As many cases of the suite at most are run in one process to see what they reach.
const TOGETHER: usize = 12;

/// What the names of the suite's rejections begin with: programs that the compiler refuses.
const REJECTIONS: &str = "conformance/suite/compile-errors/";

/// The executor as it is; with as little made for all points of nests at once as there may be, and with many groups in a reduction; with loops that are one kernel.
const EXECUTORS: [&str; 3] = ["executor", "executor enough=0 reduce_groups=16", "executor whole_loops=1000000"];

/// The most memory of a process, in KiB: a mutant may fill all there is.
const MEMORY: u64 = 16 << 20;

/// Who notices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Oracle {
    /// The columns of the suite, but for the backend's.
    Suite,
    /// The suite with the executor of kernels, with these options behind its name.
    Executor(String),
    /// The suite with the Vulkan backend.
    Vulkan,
    /// Tests: of which program of which package.
    Tests {
        /// The package.
        package: String,
        /// `unit`, or the name of the tests' file.
        name: String,
    },
}

impl Oracle {
    /// The backend that it is about.
    fn backend(&self) -> Option<&str> {
        match self {
            Oracle::Executor(executor) => Some(executor),
            Oracle::Vulkan => Some("vulkan"),
            Oracle::Suite | Oracle::Tests { .. } => None,
        }
    }
}

/// Something that can notice a mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Case {
    /// What kind it is.
    pub oracle: Oracle,
    /// Its name: of the case, or of the test.
    pub name: String,
    /// The program that runs it.
    program: PathBuf,
    /// How long it takes.
    pub seconds: f64,
    /// The mutants whose places it reaches.
    pub reached: BTreeSet<u32>,
    /// What is wrong with it when no mutant is on; of those that have not run yet, nothing.
    pub fault: Option<String>,
}

impl Case {
    /// Whether it is a case of the suite, of which one process runs several.
    fn is_of_suite(&self) -> bool {
        !matches!(self.oracle, Oracle::Tests { .. })
    }

    /// Whether it has run without a mutant.
    pub fn is_recorded(&self) -> bool {
        self.seconds > 0.0
    }
}

/// What a case says of a mutant.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Nothing is wrong.
    Passes,
    /// This is wrong, in the words of this column.
    Fails(String, String),
    /// The process ended in the middle.
    Crashes,
    /// It takes much longer.
    Hangs,
}

/// The cases of a built tree that are asked about its mutants, with what they reach. Kept in a file until the sources change. Within a budget of time
/// these are as many as there is time for, in an order that follows from a seed.
///
/// # Errors
/// A program that cannot be run; files that cannot be read or written.
pub fn cases(
    tree: &Tree,
    jobs: usize,
    budget: Option<(Duration, u64)>,
    say: &(dyn Fn(String) + Sync),
) -> Result<Vec<Case>, String> {
    let file = tree.work.join("cases.json");
    let kept = fs::read_to_string(&file).ok().and_then(|t| serde_json::from_str::<(String, Vec<Case>)>(&t).ok());
    if let Some((fingerprint, cases)) = kept
        && fingerprint == tree.fingerprint
    {
        return Ok(cases);
    }
    let mut cases = all(tree)?;
    let targets: BTreeSet<Target> = tree.mutants.iter().map(|m| m.target).collect();
    let asked: BTreeSet<Oracle> = targets.into_iter().flat_map(|t| oracles(t, &cases)).collect();
    cases.retain(|c| asked.contains(&c.oracle));
    record_others(tree, jobs, &mut cases, budget, say);
    if budget.is_some() {
        return Ok(cases);
    }
    let text = serde_json::to_string(&(&tree.fingerprint, &cases)).map_err(|e| e.to_string())?;
    write(&file, &text)?;
    Ok(cases)
}

/// Finds out of the cases that have not run yet what they reach: of all, or of as many as there is time for, in an order that follows from a seed.
pub fn record_others(
    tree: &Tree,
    jobs: usize,
    cases: &mut [Case],
    budget: Option<(Duration, u64)>,
    say: &(dyn Fn(String) + Sync),
) {
    let first = cases.iter().find(|c| c.name == FIRST).cloned();
    let count = cases.len();
    let (began, done) = (Instant::now(), AtomicUsize::new(cases.iter().filter(|c| c.is_recorded()).count()));
    let mut groups: Vec<&mut [Case]> =
        cases.chunk_by_mut(is_one_program).filter(|group| !group[0].is_recorded()).collect();
    if let Some((_, seed)) = budget {
        // the last comes first
        let files: BTreeSet<&str> = tree.mutants.iter().map(|m| m.file.as_str()).collect();
        groups.sort_by_cached_key(|group| {
            (is_close(tree, &group[0], &files), hash(&format!("{seed} {}", group[0].name)))
        });
    }
    let groups = Mutex::new(groups);
    let work = || {
        while budget.is_none_or(|(time, _)| began.elapsed() < time) {
            let Some(group) = groups.lock().unwrap_or_else(|e| e.into_inner()).pop() else { return };
            for group in group.chunks_mut(TOGETHER) {
                let i = done.fetch_add(group.len(), Ordering::Relaxed);
                record(tree, group, first.as_ref(), i);
                say(format!("recording {} of {count}: {}", i + group.len(), group[0].name));
            }
        }
    };
    std::thread::scope(|scope| (0..jobs.max(1)).for_each(|_| drop(scope.spawn(work))));
}

/// Whether a test is of one of these source files, or of all of its folder, or of passes one by one: among the first to notice.
fn is_close(tree: &Tree, case: &Case, files: &BTreeSet<&str>) -> bool {
    let Oracle::Tests { package, name } = &case.oracle else { return false };
    let folder = format!("{}/src/", folder(package));
    // tests in a file of their own, of none beside it
    let of_folder = case.name.split_once("_tests::").and_then(|(module, _)| {
        let module = module.replace("::", "/");
        let is_file = tree.source.join(format!("{folder}{module}.rs")).exists();
        module.rsplit_once('/').filter(|_| !is_file).map(|(around, _)| format!("{around}/"))
    });
    let is_of = |file: &&str| {
        let Some(path) = file.strip_prefix(&folder) else { return false };
        let module = path.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
        case.name.starts_with(&module) || of_folder.as_ref().is_some_and(|around| path.starts_with(around))
    };
    match name.as_str() {
        "unit" => files.iter().any(is_of),
        name => name == "passes",
    }
}

/// Where a package is, from the workspace's folder.
fn folder(package: &str) -> &str {
    match package {
        "futi-kernels" => "core/kernels",
        "futi-vk" => "vk-backend",
        other => other.trim_start_matches("futi-"),
    }
}

/// Whether both cases are of one program of the suite, or generated alike.
fn is_one_program(a: &Case, b: &Case) -> bool {
    a.oracle == b.oracle && a.is_of_suite() && judge::program(&a.name) == judge::program(&b.name)
}

fn all(tree: &Tree) -> Result<Vec<Case>, String> {
    let case = |oracle: &Oracle, name: String, program: &Path| Case {
        oracle: oracle.clone(),
        name,
        program: program.into(),
        seconds: 0.0,
        reached: BTreeSet::new(),
        fault: None,
    };
    let mut out = Vec::new();
    let judge = tree.programs.iter().find(|p| p.name == "conformance" && !p.is_test);
    let judge = judge.ok_or("the build has no program `conformance`")?;
    let mut oracles: BTreeSet<Oracle> = tree.mutants.iter().flat_map(|m| suites(m.target)).collect();
    oracles.insert(Oracle::Suite);
    for oracle in oracles {
        let backend = oracle.backend();
        let (_, names) = judge::suite(&tree.source, None, backend)?;
        // of what is refused nothing reaches a backend
        let names = names.into_iter().filter(|n| backend.is_none() || !n.starts_with(REJECTIONS));
        out.extend(names.map(|n| case(&oracle, n, &judge.path)));
    }
    for program in tree.programs.iter().filter(|p| p.is_test && is_oracle(p)) {
        let listing = command(&tree.source, &program.path).args(["--list", "--format", "terse"]).output();
        let listing = listing.map_err(|e| format!("{}: {e}", program.path.display()))?;
        let listing = String::from_utf8_lossy(&listing.stdout).to_string();
        let name = if program.is_unit { "unit".to_string() } else { program.name.clone() };
        let oracle = Oracle::Tests { package: program.package.clone(), name };
        let tests = listing.lines().filter_map(|l| l.strip_suffix(": test"));
        out.extend(tests.map(|t| case(&oracle, t.to_string(), &program.path)));
    }
    Ok(out)
}

/// Not the tests that run the suite: it is here already, case by case. Nor those that look for mutants, here in sources that have them.
fn is_oracle(p: &Program) -> bool {
    const NOT: [&str; 6] = ["suite", "generated", "views", "validation", "conformance", "mutants"];
    !(p.package == "futi-conformance" && NOT.contains(&p.name.as_str()))
}

/// A program in the workspace's copy, with bounded memory, in a process group of its own.
fn command(folder: &Path, program: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(format!("ulimit -v {MEMORY}; ulimit -c 0; exec \"$@\"")).arg("sh").arg(program);
    command.current_dir(folder).process_group(0).stdin(Stdio::null()).stderr(Stdio::null());
    // tests of cargo's find their files by this
    command.env("INSTA_UPDATE", "no").env("RUST_BACKTRACE", "0");
    command
}

/// Runs cases of one program, or a test, in one process: what one of them reaches counts for all.
fn record(tree: &Tree, group: &mut [Case], first: Option<&Case>, i: usize) {
    let file = tree.work.join(format!("record-{}-{i}", std::process::id()));
    let limit = Duration::from_secs(300);
    let env = [("FUTI_MUTANT_RECORD", file.as_os_str().to_os_string())];
    let before = first.filter(|_| group.iter().all(Case::is_of_suite));
    let before = before.map(|c| Case { oracle: group[0].oracle.clone(), ..c.clone() });
    let asked: Vec<Case> = before.into_iter().chain(group.iter().cloned()).collect();
    let ran = run(tree, &asked, &env, |_| limit);
    let bytes = fs::read(&file).unwrap_or_default();
    let _ = fs::remove_file(file);
    let fault = match ran.answer {
        Answer::Passes => None,
        Answer::Fails(column, what) => Some(format!("{column}: {what}")),
        Answer::Crashes => Some("its process ends in the middle".to_string()),
        Answer::Hangs => Some(format!("it takes more than {} seconds", limit.as_secs())),
    };
    if fault.is_some() && group.len() > 1 {
        // the process ends with the first that fails
        return group.chunks_mut(1).for_each(|one| record(tree, one, first, i));
    }
    let reached: BTreeSet<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    for (case, time) in group.iter_mut().rev().zip(ran.times.iter().rev()) {
        case.seconds = time.as_secs_f64();
        case.fault = fault.clone();
        case.reached = reached.clone();
    }
}

/// Runs cases of one oracle while a mutant is on, until one of them notices: what it says, and how many were run.
pub fn judge_mutant(tree: &Tree, cases: &[Case], mutant: &Mutant) -> (Answer, usize) {
    let env = [("FUTI_MUTANT", mutant.id.to_string().into())];
    let limit = |case: &Case| Duration::from_secs_f64(8.0 + 10.0 * case.seconds);
    match cases.first().map(|c| &c.oracle) {
        Some(Oracle::Suite | Oracle::Executor(_) | Oracle::Vulkan) => {
            let ran = run(tree, cases, &env, limit);
            (ran.answer, ran.cases)
        }
        _ => {
            for (i, case) in cases.iter().enumerate() {
                let ran = run(tree, std::slice::from_ref(case), &env, limit);
                if ran.answer != Answer::Passes {
                    return (ran.answer, i + 1);
                }
            }
            (Answer::Passes, cases.len())
        }
    }
}

/// What cases that were run in one process say.
struct Ran {
    /// The first answer that is not [`Answer::Passes`].
    answer: Answer,
    /// How many were run.
    cases: usize,
    /// How long each took, the first one with the start of the process.
    times: Vec<Duration>,
}

/// Runs cases in one process: of the suite several, of tests one.
fn run(tree: &Tree, cases: &[Case], env: &[(&str, std::ffi::OsString)], limit: impl Fn(&Case) -> Duration) -> Ran {
    let Some(first) = cases.first() else {
        return Ran { answer: Answer::Passes, cases: 0, times: Vec::new() };
    };
    let mut command = command(&tree.source, &first.program);
    let is_suite = first.is_of_suite();
    match &first.oracle {
        Oracle::Tests { package, .. } => {
            command.args(["--exact", &first.name, "--test-threads=1"]).current_dir(tree.source.join(folder(package)))
        }
        of_suite => command.arg(judge::ARGUMENT).args(of_suite.backend()).stdin(Stdio::piped()),
    };
    command.env("FUTI_VK_CACHE", tree.work.join("kernels")).stdout(Stdio::piped());
    command.envs(env.iter().map(|(k, v)| (k, v)));
    let Ok(mut child) = command.spawn() else {
        return Ran { answer: Answer::Crashes, cases: 1, times: Vec::new() };
    };
    let (send, receive) = channel();
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let ran = std::thread::scope(|scope| {
        scope.spawn(move || {
            for line in output.into_iter().flat_map(|o| BufReader::new(o).split(b'\n')).map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).to_string();
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        if let Some(mut input) = input {
            let names: String = cases.iter().map(|c| format!("{}\n", c.name)).collect();
            // a process that has ended says so below
            scope.spawn(move || drop(input.write_all(names.as_bytes())));
        }
        let ran = listen(&receive, cases, is_suite, limit);
        if ran.answer == Answer::Hangs {
            // the backend is in a group of its own, so that it can be stopped by itself
            let _ = Command::new("pkill").args(["-KILL", "-P", &child.id().to_string()]).status();
            // the group has the number of its first process
            let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
        }
        drop(receive);
        ran
    });
    match child.wait() {
        // a test has its verdict in its exit status; so has a crash of its process
        Ok(status) if ran.answer == Answer::Passes && !status.success() => {
            let crash = status.code().is_none_or(|c| c != 101) || is_suite;
            let answer = if crash { Answer::Crashes } else { Answer::Fails("tests".into(), first.name.clone()) };
            Ran { answer, cases: ran.cases.max(1), ..ran }
        }
        _ => ran,
    }
}

fn listen(lines: &Receiver<String>, cases: &[Case], is_suite: bool, limit: impl Fn(&Case) -> Duration) -> Ran {
    let (mut start, mut times) = (Instant::now(), Vec::new());
    loop {
        let done = times.len();
        let wait = cases.get(done).map_or(Duration::from_secs(30), &limit);
        match lines.recv_timeout(wait) {
            Ok(line) => {
                let Some(answer) = line.strip_prefix(judge::MARK).filter(|_| is_suite) else { continue };
                times.push(start.elapsed());
                start = Instant::now();
                let mut fields = answer.split('\t').map(str::to_string);
                if fields.next().as_deref() == Some("fail") {
                    let (column, what) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
                    return Ran { answer: Answer::Fails(column, what), cases: done + 1, times };
                }
            }
            Err(RecvTimeoutError::Timeout) => return Ran { answer: Answer::Hangs, cases: done + 1, times },
            Err(RecvTimeoutError::Disconnected) if is_suite && done < cases.len() => {
                return Ran { answer: Answer::Crashes, cases: done + 1, times };
            }
            Err(RecvTimeoutError::Disconnected) => {
                // a test says nothing that is read until it has ended
                times.extend((!is_suite).then(|| start.elapsed()));
                return Ran { answer: Answer::Passes, cases: cases.len(), times };
            }
        }
    }
}

/// With which backends the suite notices faults in a part of the sources, if with any.
fn suites(target: Target) -> Vec<Oracle> {
    match target {
        Target::Generators => EXECUTORS.map(|executor| Oracle::Executor(executor.into())).to_vec(),
        _ if target.is_vulkan() => vec![Oracle::Vulkan],
        _ => vec![Oracle::Suite],
    }
}

/// The oracles for a part of the sources, in the order in which they are asked.
pub fn oracles(target: Target, cases: &[Case]) -> Vec<Oracle> {
    let tests: BTreeSet<&Oracle> = cases.iter().map(|c| &c.oracle).collect();
    let is_own = |o: &&Oracle| match o {
        Oracle::Tests { name, .. } if name == "costs" => {
            !matches!(target, Target::Checker | Target::Tolerances | Target::Types)
        }
        Oracle::Tests { package, .. } => package == target.package(),
        _ => false,
    };
    let is_unit = |o: &Oracle| matches!(o, Oracle::Tests { name, .. } if name == "unit");
    let (first, rest): (Vec<Oracle>, Vec<Oracle>) = tests.into_iter().filter(is_own).cloned().partition(is_unit);
    let suite = suites(target);
    match target {
        // their faults let pass what is wrong: programs that are right show little
        Target::Checker | Target::Tolerances => [first, rest, suite].concat(),
        Target::Generators => [first, suite, rest].concat(),
        // a kernel that a mutant has changed is compiled anew: a test has few, the programs of the suite have many
        Target::Kernels | Target::Glsl => [first, rest, suite].concat(),
        Target::Ad | Target::Passes | Target::Evaluator | Target::Scalars | Target::Types => {
            [suite, first, rest].concat()
        }
    }
}

/// The cases of an oracle that reach a mutant, in the order in which they are asked: quick ones, then particular ones. About the type checker, whose
/// places nearly every program reaches, the rejections are asked before those and beyond the budget: they are there for its rules, and all of them
/// together take less than a second of one process.
pub fn reaching(cases: &[Case], oracle: &Oracle, mutant: &Mutant, budget: f64) -> Vec<Case> {
    let reach =
        |c: &&Case| c.oracle == *oracle && c.fault.is_none() && c.seconds < SLOW && c.reached.contains(&mutant.id);
    // without a mutant, kernels need not be compiled: with one in the library they take some ten times as long
    let compiled = mutant.target == Target::Glsl && *oracle == Oracle::Vulkan;
    let budget = if compiled { budget / 10.0 } else { budget };
    let is_rejection = |c: &Case| mutant.target == Target::Types && c.name.starts_with(REJECTIONS);
    let reached = cases.iter().filter(reach).cloned();
    let (rejections, mut quick): (Vec<Case>, Vec<Case>) = reached.partition(is_rejection);
    // among equally quick ones those that reach little
    let rank = |c: &Case| (c.seconds * 20.0) as u64;
    quick.sort_by_key(|c| (rank(c), c.reached.len(), hash(&c.name)));
    let mut particular = quick.split_off(affordable(&quick, budget));
    particular.sort_by_key(|c| (c.reached.len(), rank(c), hash(&c.name)));
    particular.truncate(affordable(&particular, budget));
    [rejections, quick, particular].concat()
}

/// How many of the first cases a budget is for: the last one may exceed it.
fn affordable(cases: &[Case], budget: f64) -> usize {
    let mut spent = 0.0;
    let within = |c: &&Case| {
        let before = spent;
        spent += c.seconds;
        before < budget
    };
    cases.iter().take_while(within).count()
}
