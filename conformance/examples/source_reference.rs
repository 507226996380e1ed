//! Generated source programs beside the real Futhark compiler: `source_reference PATH [FIRST [COUNT]]`. Prints each difference with its program, and the
//! counts. The programs go to the compiler 25 at a time, as entry points of one file.

use futi_conformance::column::reference;
use futi_conformance::futhark::{Limits, Loaded, Reference, Refused};
use futi_conformance::generate::source::{self, SourceProgram, shrink};
use futi_conformance::random::Rng;
use futi_conformance::report::Outcome;
use futi_conformance::subject::{Entry, Subject};
use futi_core::source::{SourceError, SourceProvider};
use std::path::Path;
use std::time::Duration;

const BATCH: u64 = 25;

struct Text(String);

impl SourceProvider for Text {
    fn read(&self, _: &str) -> Result<String, SourceError> {
        Ok(self.0.clone())
    }
}

fn judged(p: &SourceProgram, entry: &str, loaded: &mut Result<Loaded, Refused>) -> Outcome {
    let compiled = futi_core::compile("generated.fut", &Text(p.text()));
    let Some(program) = compiled.program else {
        let said = futi_core::diag::render(&compiled.diagnostics, &compiled.sources, false);
        return Outcome::fail(format!("rejected by Futi: {said}"));
    };
    let name = p.entry().map_or("", |e| &*e.name).to_string();
    let Some(ours) = Entry::new(&program, &name, None) else { return Outcome::fail("no entry point") };
    let args = ours.primal.fun().map(|f| futi_core::entry::arguments(f, p.inputs.clone()));
    match args {
        Some(Ok(args)) => {
            let s = Subject::new(&ours, &compiled.sources, args, Rng::new(0, "reference"));
            reference::judge(&s, entry, loaded)
        }
        other => Outcome::fail(format!("{other:?}")),
    }
}

fn show(o: &Outcome) -> String {
    match o {
        Outcome::Fail(f) => format!("FAIL {}", f.what),
        Outcome::Absent { reason } => format!("REJECTED {reason}"),
        other => format!("{other:?}"),
    }
}

/// The kind of an outcome, the same for a smaller program that shows the same.
fn kind(o: &Outcome) -> String {
    match o {
        Outcome::Fail(f) => {
            f.what.split([' ', ':']).next().unwrap_or_default().chars().filter(|c| c.is_alphabetic()).collect()
        }
        Outcome::Absent { reason } => {
            let words = reason.split_whitespace().filter(|w| w.len() > 3 && w.chars().all(char::is_alphabetic));
            format!("absent {}", words.skip(4).take(5).collect::<String>())
        }
        other => format!("{other:?}").chars().take(6).collect(),
    }
}

fn main() {
    std::thread::Builder::new().stack_size(512 << 20).spawn(run).unwrap().join().unwrap();
}

fn run() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let limits = Limits { start: Duration::from_secs(120), command: Duration::from_secs(20) };
    let futhark = Reference::futhark(Path::new(&args[0]), limits);
    let interpreter = Reference::interpreter(Path::new(&args[0]), limits);
    let number = |i: usize, default| args.get(i).and_then(|s| s.parse().ok()).unwrap_or(default);
    let (first, count, steps) = (number(1, 0), number(2, 100), number(3, 0));
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    let mut failing = Vec::new();
    for start in (first..first + count).step_by(BATCH as usize) {
        let seeds: Vec<u64> = (start..(start + BATCH).min(first + count)).collect();
        let programs: Vec<SourceProgram> = seeds.iter().map(|s| source::program(4 + (*s as usize % 12), *s)).collect();
        let renamed: Vec<SourceProgram> = programs.iter().zip(&seeds).map(|(p, s)| p.named(&format!("e{s}"))).collect();
        let text: String = renamed.iter().map(SourceProgram::text).collect();
        let mut whole = futhark.load(&text);
        let alone = whole.is_err();
        for ((p, renamed), seed) in programs.iter().zip(&renamed).zip(&seeds) {
            let entry = format!("e{seed}");
            let outcome = match alone {
                true => judged(p, &entry, &mut futhark.load(&renamed.text())),
                false => judged(p, &entry, &mut whole),
            };
            // a second opinion: the interpreter does no more and no less than the program says
            let again = || judged(p, &entry, &mut interpreter.load(&renamed.text()));
            let dead = matches!(&outcome, Outcome::Fail(f) if f.what.starts_with("gives results"));
            let what = match &outcome {
                Outcome::Fail(_) if matches!(again(), Outcome::Ok { .. }) => {
                    if dead {
                        "dead failure dropped"
                    } else {
                        "only the compiler differs"
                    }
                }
                Outcome::Ok { .. } => "agree",
                Outcome::Inconclusive { .. } => "inconclusive",
                Outcome::Absent { .. } => "rejected by Futhark",
                Outcome::Skipped { .. } => "skipped",
                _ => "differ",
            };
            *counts.entry(what).or_default() += 1;
            if !matches!(outcome, Outcome::Ok { .. }) {
                println!("seed {seed}, {what}: {}", show(&outcome));
                failing.push((*seed, p.clone(), outcome));
            }
        }
        eprintln!("{start}: {counts:?}");
    }
    for (seed, p, outcome) in failing {
        println!("seed {seed}, smaller:");
        let (mut p, mut outcome, mut left) = (p, outcome, steps);
        'smaller: while left > 0 {
            for q in shrink(&p) {
                if left == 0 {
                    break 'smaller;
                }
                left -= 1;
                let now = judged(&q, "main", &mut futhark.load(&q.text()));
                if kind(&now) == kind(&outcome)
                    && !matches!(&now, Outcome::Fail(f) if f.what.starts_with("rejected by Futi"))
                {
                    (p, outcome) = (q, now);
                    continue 'smaller;
                }
            }
            break;
        }
        let inputs: Vec<String> = p.inputs.iter().map(|v| v.to_string()).collect();
        println!("  {}\n{}-- input {{ {} }}\n", show(&outcome), p.text(), inputs.join(" "));
    }
    println!("{counts:?}");
}
