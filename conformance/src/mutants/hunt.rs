//! The hunt: each mutant against the cases that reach it, oracle by oracle, until one notices.

use super::case::{
    Answer, BUDGET, BUDGET_EXPLAINED, Case, Oracle, cases, judge_mutant, oracles, reaching, record_others,
};
use super::explain::{self, Explanation};
use super::table::{Fate, Report, Sample, Verdict};
use super::tree::{Tree, build, find, read};
use super::{Mutant, hash};
use futi_core::hash::HashMap;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long the cases are looked for that are asked next about mutants that a sample has not noticed.
const AT_A_TIME: Duration = Duration::from_secs(40);

/// Which mutants, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The workspace.
    pub root: PathBuf,
    /// Only so many, chosen at random.
    pub sample: Option<usize>,
    /// The choice follows from it.
    pub seed: u64,
    /// Only those whose name (`file:line: operator: a -> b`) contains one of these; if there are none, all but those that are hunted on request.
    pub only: Vec<String>,
    /// Revisions of the repository: a sample begins with mutants in lines that have changed since the first, then since the second ...
    pub changed: Vec<String>,
    /// How long the hunt may take, once there is a build; two fifths of that are for finding out what the cases reach. What is left by then is not hunted. Then a sample of the cases is asked, too, and there
    /// is no verdict on what none of them reaches; before too many survive, other cases are asked about those, until few enough do, beyond the budget.
    pub budget: Option<Duration>,
    /// How many processes at a time.
    pub jobs: usize,
    /// Whether to list the mutants instead of running them.
    pub list: bool,
    /// Whether to take over what an earlier hunt, of the same sources, has found out.
    pub resume: bool,
}

/// What is to be hunted, before anything is built.
struct Plan {
    all: Vec<Mutant>,
    /// Of all, those to be hunted, in this order.
    chosen: Vec<Mutant>,
    /// The lines that have changed, since each of the revisions.
    changed: Vec<Lines>,
    explanations: Vec<Explanation>,
    sample: Option<Sample>,
}

impl Plan {
    fn of(options: &Options) -> Result<Plan, String> {
        let all = find(&options.root)?;
        let since = |revision: &String| Lines::changed(&options.root, revision);
        let changed = options.changed.iter().map(since).collect::<Result<Vec<Lines>, String>>()?;
        let explanations = all
            .chunk_by(|a, b| a.file == b.file)
            .map(|of_file| explain::read(&of_file[0].file, &read(&options.root.join(&of_file[0].file))?, of_file))
            .collect::<Result<Vec<_>, String>>()?
            .concat();
        let asked = asked(&all, options);
        let sample = options.sample.map(|_| Sample { of: asked.len(), seed: options.seed });
        let chosen = chosen(asked, &changed, options);
        Ok(Plan { all, chosen, changed, explanations, sample })
    }

    /// Builds them. A build with a sample of the mutants is another one than that with all, and quicker.
    fn build(&self, options: &Options, say: &dyn Fn(String)) -> Result<Tree, String> {
        let target = options.root.join("target");
        let (work, wanted, shared) = match options.sample {
            Some(_) => ("mutants/sample", ids(&self.chosen), Some(&*target)),
            None => {
                let usual: Vec<Mutant> = self.all.iter().filter(|m| !m.target.is_on_request()).cloned().collect();
                ("mutants", &ids(&usual) | &ids(&self.chosen), None)
            }
        };
        build(&options.root, &target.join(work), self.all.clone(), &|m| wanted.contains(&m.id), shared, say)
    }
}

fn ids(mutants: &[Mutant]) -> BTreeSet<u32> {
    mutants.iter().map(|m| m.id).collect()
}

/// A line on the terminal, that says what is being done.
fn progress() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// Says it there; where there is no terminal, only what takes minutes.
fn say(bar: &ProgressBar, text: String) {
    bar.set_message(text.clone());
    bar.tick();
    if bar.is_hidden() && text.starts_with("building") {
        eprintln!("{text}");
    }
}

/// Builds the mutants that [`run`] would hunt, which then finds them built.
///
/// # Errors
/// Those of [`run`].
pub fn prepare(options: &Options) -> Result<(), String> {
    let bar = progress();
    Plan::of(options)?.build(options, &|text| say(&bar, text))?;
    bar.finish_and_clear();
    Ok(())
}

/// Makes the mutants and hunts them.
///
/// # Errors
/// Files that cannot be read or written, a build that fails for another reason than a mutant.
pub fn run(options: &Options) -> Result<Report, String> {
    let bar = progress();
    let say = |text: String| say(&bar, text);
    let plan = Plan::of(options)?;
    if options.list {
        let verdict = |mutant| Verdict { mutant, fate: Fate::Listed, changed: false };
        return Ok(Report {
            verdicts: plan.chosen.into_iter().map(verdict).collect(),
            left_out: 0,
            sample: plan.sample,
        });
    }
    let tree = plan.build(options, &say)?;
    let Plan { chosen, changed, explanations, sample, .. } = plan;
    let built = Instant::now();
    let is_late = || options.budget.is_some_and(|budget| built.elapsed() >= budget);
    let mut cases = cases(&tree, options.jobs, options.budget.map(|budget| (budget * 2 / 5, options.seed)), &say)?;
    for (case, fault) in cases.iter().filter_map(|c| Some((c, c.fault.as_ref()?))) {
        bar.suspend(|| eprintln!("no oracle, as it does not pass without a mutant: {}: {fault}", case.name));
    }
    let compiled = ids(&tree.mutants);
    let mutants: Vec<Mutant> = chosen.into_iter().filter(|m| compiled.contains(&m.id)).collect();
    let notes = Notes::open(&tree, options.resume)?;
    let fate = |cases: &[Case], mutant: &Mutant| {
        let explained = explanations.iter().find(|e| e.is_for(mutant));
        let budget = if explained.is_some() { BUDGET_EXPLAINED } else { BUDGET };
        match (hunt(&tree, cases, mutant, budget), explained) {
            (Fate::Survived(_), Some(e)) => Fate::Explained(e.reason.clone()),
            (fate, _) => fate,
        }
    };
    let alive = AtomicUsize::new(0);
    let first = |i: usize| {
        let mutant = mutants.get(i).filter(|_| !is_late())?;
        let fate = notes.fate(mutant.id, || fate(&cases, mutant));
        let alive = alive.fetch_add(usize::from(matches!(fate, Fate::Survived(_))), Ordering::Relaxed);
        say(format!("{} of {}, {alive} alive: {}", i + 1, mutants.len(), mutant.name()));
        Some(Verdict { mutant: mutant.clone(), fate, changed: changed.iter().any(|lines| lines.has(mutant)) })
    };
    let mut verdicts = in_parallel(options.jobs, first);
    // where the cases are a sample, it says nothing that none of them comes by
    verdicts.retain(|v| options.budget.is_none() || v.fate != Fate::Survived(0));
    verdicts.sort_by_key(|v| v.mutant.id);
    let mut report = Report { verdicts, left_out: tree.left_out.len(), sample };
    let is_open = |report: &Report| {
        options.budget.is_some()
            && !report.is_green()
            && report.verdicts.iter().any(|v| matches!(v.fate, Fate::Survived(_)))
    };
    // that a sample does not notice says nothing, either: before the hunt fails, the others are asked, some at a time, however long that takes
    while is_open(&report) {
        let recorded = |cases: &[Case]| cases.iter().filter(|c| c.is_recorded()).count();
        let before = recorded(&cases);
        record_others(&tree, options.jobs, &mut cases, Some((AT_A_TIME, options.seed)), &say);
        if recorded(&cases) == before {
            break;
        }
        let (alive, settled): (Vec<_>, Vec<_>) =
            report.verdicts.into_iter().partition(|v| matches!(v.fate, Fate::Survived(_)));
        let again = in_parallel(options.jobs, |i| {
            let verdict = alive.get(i)?;
            say(format!("{} of {}, again: {}", i + 1, alive.len(), verdict.mutant.name()));
            let fate = fate(&cases, &verdict.mutant);
            notes.note(verdict.mutant.id, &fate);
            Some(Verdict { fate, ..verdict.clone() })
        });
        report.verdicts = [settled, again].concat();
        report.verdicts.sort_by_key(|v| v.mutant.id);
    }
    bar.finish_and_clear();
    Ok(report)
}

/// What a function gives for 0, 1, .., until it gives none, with so many calls at a time.
fn in_parallel<T: Send>(jobs: usize, of: impl Fn(usize) -> Option<T> + Sync) -> Vec<T> {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(result) = of(next.fetch_add(1, Ordering::Relaxed)) {
            all.lock().unwrap_or_else(|e| e.into_inner()).push(result);
        }
    };
    std::thread::scope(|scope| (0..jobs.max(1)).for_each(|_| drop(scope.spawn(work))));
    all.into_inner().unwrap_or_else(|e| e.into_inner())
}

/// What has been found out, in a file, so that a long hunt can be interrupted.
struct Notes {
    known: HashMap<u32, Fate>,
    file: Mutex<File>,
}

impl Notes {
    fn open(tree: &Tree, resume: bool) -> Result<Notes, String> {
        let path = tree.work.join("verdicts.jsonl");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut lines = text.lines();
        let mut known = HashMap::default();
        if resume && lines.next() == Some(&tree.fingerprint) {
            known.extend(lines.filter_map(|l| serde_json::from_str::<(u32, Fate)>(l).ok()));
        }
        let error = |e: std::io::Error| format!("{}: {e}", path.display());
        let mut file = File::create(&path).map_err(error)?;
        writeln!(file, "{}", tree.fingerprint).map_err(error)?;
        let notes = Notes { known: HashMap::default(), file: Mutex::new(file) };
        known.iter().for_each(|(id, fate)| notes.note(*id, fate));
        Ok(Notes { known, ..notes })
    }

    fn note(&self, id: u32, fate: &Fate) {
        if let Ok(line) = serde_json::to_string(&(id, fate)) {
            // a note that is not written costs no more than running the mutant again
            let _ = writeln!(self.file.lock().unwrap_or_else(|e| e.into_inner()), "{line}");
        }
    }

    fn fate(&self, id: u32, find: impl FnOnce() -> Fate) -> Fate {
        self.known.get(&id).cloned().unwrap_or_else(|| {
            let fate = find();
            self.note(id, &fate);
            fate
        })
    }
}

/// The mutants that are asked for, in their order.
fn asked(all: &[Mutant], options: &Options) -> Vec<Mutant> {
    let asked = |m: &&Mutant| match &options.only[..] {
        [] => !m.target.is_on_request(),
        texts => texts.iter().any(|text| m.name().contains(text)),
    };
    all.iter().filter(asked).cloned().collect()
}

/// Of the mutants that are asked for, those to be hunted, in this order: all; or a sample, three in lines that have changed and then another one, by turns.
fn chosen(mut asked: Vec<Mutant>, changed: &[Lines], options: &Options) -> Vec<Mutant> {
    let Some(sample) = options.sample else { return asked };
    // twice: hashes of texts that only differ at their ends are next to one another
    asked.sort_by_cached_key(|m| hash(&hash(&format!("{} {} {}", options.seed, m.file, m.index)).to_string()));
    let since = |m: &Mutant| changed.iter().position(|lines| lines.has(m));
    let (mut first, others): (Vec<Mutant>, Vec<Mutant>) = asked.into_iter().partition(|m| since(m).is_some());
    first.sort_by_key(since);
    let (mut first, mut others) = (first.into_iter(), others.into_iter());
    let next = |i| match i % 4 {
        3 => others.next().or_else(|| first.next()),
        _ => first.next().or_else(|| others.next()),
    };
    (0..sample).map_while(next).collect()
}

/// Lines of files, by the files' paths in the workspace.
#[derive(Default)]
struct Lines(HashMap<String, Vec<Range<usize>>>);

impl Lines {
    /// Those that have changed since a revision.
    fn changed(root: &Path, revision: &str) -> Result<Lines, String> {
        let mut command = Command::new("git");
        command.args(["diff", "--unified=0", "--no-color", "--no-ext-diff", revision, "--"]).current_dir(root);
        let output = command.output().map_err(|e| format!("git: {e}"))?;
        match output.status.success() {
            true => Ok(Lines::of(&String::from_utf8_lossy(&output.stdout))),
            false => Err(format!("git diff {revision}: {}", String::from_utf8_lossy(&output.stderr).trim())),
        }
    }

    /// The new lines of a difference without context.
    fn of(difference: &str) -> Lines {
        let (mut lines, mut file) = (HashMap::<String, Vec<Range<usize>>>::default(), "");
        for line in difference.lines() {
            if let Some(path) = line.strip_prefix("+++ ") {
                file = path.strip_prefix("b/").unwrap_or(path);
            }
            // `@@ -1,2 +3,4 @@`; one line if there is no number of them
            let new = line.strip_prefix("@@ ").and_then(|hunk| hunk.split(' ').nth(1)?.strip_prefix('+'));
            let parsed = new.and_then(|new| {
                let (start, count) = new.split_once(',').unwrap_or((new, "1"));
                let start: usize = start.parse().ok()?;
                Some(start..start + count.parse::<usize>().ok()?)
            });
            if let Some(range) = parsed {
                lines.entry(file.to_string()).or_default().push(range);
            }
        }
        Lines(lines)
    }

    fn has(&self, m: &Mutant) -> bool {
        self.0.get(&m.file).is_some_and(|ranges| ranges.iter().any(|r| r.contains(&m.line)))
    }
}

fn hunt(tree: &Tree, cases: &[Case], mutant: &Mutant, budget: f64) -> Fate {
    let mut before = 0;
    for oracle in oracles(mutant.target, cases) {
        let (answer, run) = judge_mutant(tree, &reaching(cases, &oracle, mutant, budget), mutant);
        let by = match (&oracle, &answer) {
            (_, Answer::Passes) => None,
            (Oracle::Suite, Answer::Fails(column, _)) => Some(format!("suite: {column}")),
            (Oracle::Executor(executor), Answer::Fails(column, _)) => Some(format!("{executor}: {column}")),
            (Oracle::Vulkan, Answer::Fails(column, _)) => Some(format!("Vulkan: {column}")),
            (Oracle::Tests { package, name }, Answer::Fails(..)) => Some(format!("tests: {package} {name}")),
            (_, Answer::Crashes) => Some("crash".to_string()),
            (_, Answer::Hangs) => Some("hang".to_string()),
        };
        before += run;
        if let Some(by) = by {
            return Fate::Killed { by, cases: before };
        }
    }
    Fate::Survived(before)
}

#[cfg(test)]
mod tests {
    use super::super::{Target, mutants};
    use super::*;

    #[test]
    fn a_sample_begins_with_lines_that_have_changed() {
        let text: String = (0..20).map(|i| format!("fn f{i}(n: u32) -> bool {{\n    n < g()\n}}\n")).collect();
        let all = mutants(Target::Passes, "core/src/passes/x.rs", &text, 0).unwrap();
        assert_eq!(all.len(), 20);
        let difference =
            "--- a/core/src/passes/x.rs\n+++ b/core/src/passes/x.rs\n@@ -3,0 +4,7 @@ fn\n+x\n@@ -30 +32 @@\n";
        let later = "+++ b/core/src/passes/x.rs\n@@ -6,0 +7,3 @@\n";
        let changed = [Lines::of(later), Lines::of(difference)];
        let options = |sample| Options {
            root: PathBuf::new(),
            sample: Some(sample),
            seed: 1,
            only: Vec::new(),
            changed: Vec::new(),
            budget: None,
            jobs: 1,
            list: false,
            resume: false,
        };
        let lines = |sample: usize| -> Vec<usize> {
            chosen(asked(&all, &options(sample)), &changed, &options(sample)).iter().map(|m| m.line).collect()
        };
        // the second lines of three lines each: 5 and 8 are among 4 to 10, and 32
        let mut first = lines(8)[..3].to_vec();
        first.sort();
        assert_eq!((first, lines(8).len()), (vec![5, 8, 32], 8));
        assert_eq!(lines(1), [8]);
        // a quarter at least is of others
        assert_eq!(lines(4).iter().filter(|l| [5, 8, 32].contains(l)).count(), 3);
        assert_eq!(lines(20).len(), 20);
        assert_eq!(lines(2).iter().filter(|l| [5, 8, 32].contains(l)).count(), 2);
        assert!(Lines::of("").0.is_empty());
    }
}
