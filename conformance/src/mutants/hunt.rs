//! The hunt: each mutant against the cases that reach it, oracle by oracle, until one notices.

use super::case::{Answer, BUDGET, BUDGET_EXPLAINED, Case, Oracle, cases, judge_mutant, oracles, reaching};
use super::explain;
use super::table::{Fate, Report, Sample, Verdict};
use super::tree::{Tree, build, find};
use super::{Mutant, hash};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    /// How many processes at a time.
    pub jobs: usize,
    /// Whether to list the mutants instead of running them.
    pub list: bool,
    /// Whether to take over what an earlier hunt, of the same sources, has found out.
    pub resume: bool,
}

/// Makes the mutants and hunts them.
///
/// # Errors
/// Files that cannot be read or written, a build that fails for another reason than a mutant.
pub fn run(options: &Options) -> Result<Report, String> {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    let say = |text: String| {
        bar.set_message(text.clone());
        bar.tick();
        if bar.is_hidden() && text.starts_with("building") {
            eprintln!("{text}");
        }
    };
    let all = find(&options.root)?;
    let explanations = explain::read(&options.root.join("conformance/mutants.toml"), &all)?;
    let of = || chosen(all.clone(), &Options { sample: None, ..options.clone() }).len();
    let sample = options.sample.map(|_| Sample { of: of(), seed: options.seed });
    if options.list {
        let verdicts = chosen(all, options).into_iter().map(|mutant| Verdict { mutant, fate: Fate::Listed }).collect();
        return Ok(Report { verdicts, left_out: 0, sample });
    }
    // a build with a sample of the mutants is another one, and quicker
    let target = options.root.join("target");
    let (work, wanted, shared) = match options.sample {
        Some(_) => ("mutants/sample", chosen(all.clone(), options).iter().map(|m| m.id).collect(), Some(&*target)),
        None => {
            let asked = chosen(all.clone(), options);
            let usual = all.iter().filter(|m| !m.target.is_on_request());
            ("mutants", usual.chain(&asked).map(|m| m.id).collect::<BTreeSet<u32>>(), None)
        }
    };
    let tree = build(&options.root, &target.join(work), all, &|m| wanted.contains(&m.id), shared, &say)?;
    let cases = cases(&tree, options.jobs, &say)?;
    for case in cases.iter().filter(|c| !c.passes) {
        bar.suspend(|| eprintln!("no oracle, as it does not pass without a mutant: {}", case.name));
    }
    let mutants = match options.sample {
        Some(_) => tree.mutants.clone(),
        None => chosen(tree.mutants.clone(), options),
    };
    let notes = Notes::open(&tree, options.resume)?;
    let verdicts = Mutex::new(Vec::new());
    let (next, alive) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = mutants.get(i) else { return };
            let explained = explanations.iter().find(|e| e.is_for(mutant));
            let budget = if explained.is_some() { BUDGET_EXPLAINED } else { BUDGET };
            let fate = match (notes.fate(mutant.id, || hunt(&tree, &cases, mutant, budget)), explained) {
                (Fate::Survived(_), Some(e)) => Fate::Explained(e.reason.clone()),
                (fate, _) => fate,
            };
            let alive = alive.fetch_add(usize::from(matches!(fate, Fate::Survived(_))), Ordering::Relaxed);
            say(format!("{} of {}, {alive} alive: {}", i + 1, mutants.len(), mutant.name()));
            let verdict = Verdict { mutant: mutant.clone(), fate };
            verdicts.lock().unwrap_or_else(|e| e.into_inner()).push(verdict);
        }
    };
    std::thread::scope(|scope| (0..options.jobs.max(1)).for_each(|_| drop(scope.spawn(work))));
    bar.finish_and_clear();
    let mut verdicts = verdicts.into_inner().unwrap_or_else(|e| e.into_inner());
    verdicts.sort_by_key(|v| v.mutant.id);
    Ok(Report { verdicts, left_out: tree.left_out.len(), sample })
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
        let mut known = HashMap::new();
        if resume && lines.next() == Some(&tree.fingerprint) {
            known.extend(lines.filter_map(|l| serde_json::from_str::<(u32, Fate)>(l).ok()));
        }
        let error = |e: std::io::Error| format!("{}: {e}", path.display());
        let mut file = File::create(&path).map_err(error)?;
        writeln!(file, "{}", tree.fingerprint).map_err(error)?;
        let notes = Notes { known: HashMap::new(), file: Mutex::new(file) };
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
fn chosen(all: Vec<Mutant>, options: &Options) -> Vec<Mutant> {
    let wanted = |m: &Mutant| match &options.only[..] {
        [] => !m.target.is_on_request(),
        texts => texts.iter().any(|text| m.name().contains(text)),
    };
    let mut mutants: Vec<Mutant> = all.into_iter().filter(wanted).collect();
    if let Some(sample) = options.sample {
        mutants.sort_by_cached_key(|m| hash(&format!("{} {}", options.seed, m.name())));
        mutants.truncate(sample);
        mutants.sort_by_key(|m| m.id);
    }
    mutants
}

fn hunt(tree: &Tree, cases: &[Case], mutant: &Mutant, budget: f64) -> Fate {
    let mut before = 0;
    for oracle in oracles(mutant.target, cases) {
        let (answer, run) = judge_mutant(tree, &reaching(cases, &oracle, mutant, budget), mutant);
        let by = match (&oracle, &answer) {
            (_, Answer::Passes) => None,
            (Oracle::Suite, Answer::Fails(column, _)) => Some(format!("suite: {column}")),
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
