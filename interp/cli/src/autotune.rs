//! `futi autotune`: which version of a nest is run from how many points on, measured on the datasets of a program's test blocks.
//!
//! Thresholds are chosen one by one, in the order of the program, each with those before it as they were chosen: one that stands in a version of another nest is chosen
//! where that version is. Only numbers of points that were compared with a threshold tell one value of it from another.

use crate::backends::{self, Choice};
use crate::bench::input::Place;
use crate::bench::plan::{self, Program, Wanted};
use crate::bench::side::{Arguments, How, Side, Until};
use crate::failure::Failure;
use crate::load::{self, Compiling};
use crate::say;
use futi_core::source::printable;
use futi_embed::tuning::{self, Tuning};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Find out from how many points on nests of a program are to run sequential code at each, and write that to `PROG.fut.tuning`.
///
/// A backend that compiles has versions of a nest in which something parallel stands in a loop, in a branch, or has sizes of its own at each point, and a threshold for each such nest. The program
/// is run on the datasets of its test blocks; of the numbers of points that its nests have there, the one with the least time is chosen.
#[derive(clap::Args)]
pub struct Args {
    /// The program.
    program: PathBuf,
    /// What runs it.
    #[arg(long, value_parser = backends::parser(), default_value_t = Choice::Vulkan)]
    backend: Choice,
    /// Run each dataset so often for each candidate; the fastest run counts.
    #[arg(short, long, value_name = "RUNS", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only this entry point; may be given several times.
    #[arg(short, long, value_name = "NAME")]
    entry_point: Vec<String>,
    /// Leave out programs and datasets with this tag; may be given several times. Those tagged `nobench`, `notune`, `disable` or `no_` and the backend always are.
    #[arg(long, value_name = "TAG")]
    exclude_case: Vec<String>,
    /// How the file with tuning parameters is called, behind the name of the program.
    #[arg(long, value_name = "EXTENSION", default_value = tuning::EXTENSION)]
    tuning: String,
    /// Let test blocks read files outside of the folder of their program.
    #[arg(long)]
    outside: bool,
}

/// Of more numbers of points, these many are candidates.
const MOST_CANDIDATES: usize = 16;

/// The arguments of an entry point that is run.
struct Dataset {
    entry: String,
    /// What it is called in messages.
    name: String,
    arguments: Arguments,
}

/// A dataset that was run.
#[derive(Clone)]
struct Ran {
    /// Of the fastest run.
    microseconds: f64,
    /// Thresholds in the order of the program, and the numbers of points that were compared with them.
    thresholds: Vec<(String, BTreeSet<i64>)>,
}

impl Ran {
    /// The numbers of points that were compared with a threshold.
    fn points(&self, threshold: &str) -> Option<&BTreeSet<i64>> {
        let found = self.thresholds.iter().find(|(name, _)| name == threshold)?;
        Some(&found.1).filter(|points| !points.is_empty())
    }
}

/// Runs the subcommand.
pub fn autotune(args: Args) -> Result<(), Failure> {
    // says what is missing before anything is run
    drop(args.backend.open()?);
    let own_tags = ["nobench".to_string(), "notune".to_string(), "disable".to_string(), format!("no_{}", args.backend)];
    let exclude = args.exclude_case.iter().cloned().chain(own_tags).collect();
    let wanted = Wanted { entries: args.entry_point.clone(), exclude, ..Wanted::default() };
    let path = args.program.display();
    let programs = plan::programs(std::slice::from_ref(&args.program), &wanted)?;
    let program = match &programs[..] {
        [program] => program,
        [] => return Err(Failure::Io(format!("{path}: there are no datasets to run it on"))),
        _ => return Err(Failure::Io(format!("{path}: there are several programs"))),
    };
    let before = tuning::of(&program.path, &args.tuning).map_err(Failure::Io)?;
    let folder = tempfile::tempdir().map_err(|e| Failure::Io(format!("no folder for temporary files: {e}")))?;
    let all = datasets(program, &args, &before, folder.path())?;
    let run = |dataset: &Dataset, tuning: &Tuning, runs: u32| {
        let named = |what: String| format!("{}: {what}", dataset.name);
        measured(dataset, &how(program, &args, tuning).map_err(named)?, runs).map_err(named)
    };
    let first =
        all.iter().map(|dataset| run(dataset, &before, 0)).collect::<Result<Vec<_>, _>>().map_err(Failure::Io)?;
    let names = names(&first);
    if names.is_empty() {
        let text = format!("{path} has no thresholds on {}: there is one version of each nest.\n", args.backend);
        return say::out(text);
    }
    // what was chosen before is chosen anew
    let others = before.iter().filter(|(name, _)| !names.contains(name)).cloned().collect();
    let mut run = |at: usize, tuning: &Tuning, runs| run(&all[at], tuning, runs);
    let chosen = chosen(&names, all.len(), others, args.runs, &mut run, &mut |line| say::out(printable(&line)))?;
    write(&program.path, &args.tuning, &chosen)
}

/// The arguments of all datasets, in files of a folder.
fn datasets(program: &Program, args: &Args, tuning: &Tuning, folder: &Path) -> Result<Vec<Dataset>, Failure> {
    let loaded = load::program(&program.path, &Compiling::with(tuning.clone()))?;
    let place = Place { loaded: &loaded, path: &program.path, outside: args.outside };
    let how = how(program, args, tuning).map_err(Failure::Io)?;
    let mut all = Vec::new();
    for entry in &program.entries {
        for (name, case) in &entry.datasets {
            let own = folder.join(all.len().to_string());
            let io = |what: &dyn std::fmt::Display| Failure::Io(format!("{}, {name}: {what}", entry.key));
            std::fs::create_dir(&own).map_err(|e| io(&e))?;
            let files = place.arguments(&entry.name, case, &how, &Until::after(None), &own).map_err(|e| io(&e))?;
            let name = format!("{}, {name}", entry.key);
            all.push(Dataset { entry: entry.name.clone(), name, arguments: files.own });
        }
    }
    Ok(all)
}

/// How the program is run with tuning parameters.
fn how(program: &Program, args: &Args, tuning: &Tuning) -> Result<How, String> {
    let path = program.path.to_string_lossy().into_owned();
    let mut words = vec![path, "--backend".into(), args.backend.to_string(), "-w".into(), "--no-tuning".into()];
    words.extend(tuning.iter().flat_map(|(name, value)| ["--tuning".to_string(), format!("{name}={value}")]));
    How::own(words)
}

/// A run to warm up, and so many that count.
fn measured(dataset: &Dataset, how: &How, runs: u32) -> Result<Ran, String> {
    let mut side = Side::new(how.start()?, &dataset.entry, &dataset.arguments, Until::after(None))?;
    let mut microseconds = side.run()?;
    for i in 0..runs {
        let run = side.run()?;
        microseconds = if i == 0 { run } else { microseconds.min(run) };
    }
    let report = side.report()?;
    let threshold = |row: &serde_json::Value| {
        let points = row["points"].as_array()?.iter().filter_map(serde_json::Value::as_i64).collect();
        Some((row["name"].as_str()?.to_string(), points))
    };
    let thresholds = report["thresholds"].as_array().into_iter().flatten().filter_map(threshold).collect();
    Ok(Ran { microseconds, thresholds })
}

/// The names of all thresholds, each once, in the order of the program.
fn names(ran: &[Ran]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in ran.iter().flat_map(|ran| &ran.thresholds) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Chooses a value for each threshold with which something is compared, beside other parameters. `run` runs one of so many datasets; `out` gets lines for people.
fn chosen(
    names: &[String],
    datasets: usize,
    others: Tuning,
    runs: u32,
    run: &mut dyn FnMut(usize, &Tuning, u32) -> Result<Ran, String>,
    out: &mut dyn FnMut(String) -> Result<(), Failure>,
) -> Result<Tuning, Failure> {
    let mut now: Vec<Ran> =
        (0..datasets).map(|at| run(at, &others, 0)).collect::<Result<_, _>>().map_err(Failure::Io)?;
    let mut chosen = Tuning::new();
    for name in names {
        let asking: Vec<usize> = (0..datasets).filter(|at| now[*at].points(name).is_some()).collect();
        let points: Vec<BTreeSet<i64>> = asking.iter().filter_map(|at| now[*at].points(name).cloned()).collect();
        let mut best: Option<(f64, i64, Vec<Ran>)> = None;
        let mut known: BTreeMap<(usize, usize), Result<Ran, String>> = BTreeMap::new();
        let mut failed = None;
        for value in candidates(&points) {
            let tuning = [&others[..], &chosen, &[(name.clone(), value)]].concat();
            let mut all = Vec::new();
            for (at, points) in asking.iter().zip(&points) {
                // values with the same points below them come to the same
                let below = points.range(..value).count();
                all.push(known.entry((*at, below)).or_insert_with(|| run(*at, &tuning, runs)).clone());
            }
            match all.into_iter().collect::<Result<Vec<_>, _>>() {
                Ok(all) => {
                    let total = all.iter().map(|ran| ran.microseconds).sum::<f64>();
                    out(format!("{name}={value}: {total:.0}μs\n"))?;
                    if best.as_ref().is_none_or(|(least, ..)| total < *least) {
                        best = Some((total, value, all));
                    }
                }
                // perhaps there is too little memory for a version
                Err(what) => {
                    out(format!("{name}={value}: {}\n", what.trim_end()))?;
                    failed = Some(what);
                }
            }
        }
        match (best, failed) {
            (Some((_, value, all)), _) => {
                chosen.push((name.clone(), value));
                asking.into_iter().zip(all).for_each(|(at, ran)| now[at] = ran);
            }
            (None, Some(what)) => return Err(Failure::Io(what)),
            (None, None) => out(format!("{name}: no dataset comes there\n"))?,
        }
    }
    Ok(chosen)
}

/// Values that tell numbers of points apart: each of them, and one more than the greatest. Of many, some.
fn candidates(points: &[BTreeSet<i64>]) -> Vec<i64> {
    let mut all: Vec<i64> = points.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
    all.extend(all.last().map(|most| most.saturating_add(1)));
    let last = all.len().saturating_sub(1);
    if all.len() > MOST_CANDIDATES {
        all = (0..MOST_CANDIDATES).map(|i| all[i * last / (MOST_CANDIDATES - 1)]).collect();
    }
    all
}

/// Writes what was chosen to the file beside the program, in which other lines stay.
fn write(program: &Path, extension: &str, chosen: &Tuning) -> Result<(), Failure> {
    let path = PathBuf::from(format!("{}.{extension}", program.display()));
    let io = |e: std::io::Error| Failure::Io(format!("{}: {e}", path.display()));
    let before = if path.exists() { std::fs::read_to_string(&path).map_err(io)? } else { String::new() };
    std::fs::write(&path, merged(&before, chosen)).map_err(io)?;
    let list: String = chosen.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
    say::out(printable(&format!("{}:\n{list}", path.display())))
}

/// The lines of a file with tuning parameters, these in the place of those of their names.
fn merged(before: &str, chosen: &Tuning) -> String {
    let is_kept =
        |line: &&str| line.split_once('=').is_none_or(|(name, _)| chosen.iter().all(|(n, _)| n != name.trim()));
    let kept = before.lines().filter(is_kept).map(|line| format!("{line}\n"));
    kept.chain(chosen.iter().map(|(name, value)| format!("{name}={value}\n"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_points_are_candidates() {
        let sets = |all: &[&[i64]]| all.iter().map(|set| set.iter().copied().collect()).collect::<Vec<BTreeSet<i64>>>();
        assert_eq!(candidates(&sets(&[&[5, 2], &[2, 9]])), [2, 5, 9, 10]);
        assert!(candidates(&sets(&[])).is_empty());
        let many: Vec<i64> = (0..1000).collect();
        let some = candidates(&sets(&[&many]));
        assert_eq!((some.len(), some[0], some[MOST_CANDIDATES - 1]), (MOST_CANDIDATES, 0, 1000));
    }

    #[test]
    fn other_lines_of_a_file_stay() {
        let chosen = vec![("main.enough_0".to_string(), 7), ("b".to_string(), 1)];
        assert_eq!(merged("a=2\n main.enough_0 = 3\n\nc=4", &chosen), "a=2\n\nc=4\nmain.enough_0=7\nb=1\n");
    }

    /// A program with an outer nest and one in its version for few points, run on 10 and on 100 points: sequential code takes a microsecond a point, the other versions 20 for the outer nest
    /// and 5 for the inner one.
    fn run(at: usize, tuning: &Tuning, calls: &mut Vec<Tuning>) -> Result<Ran, String> {
        calls.push(tuning.clone());
        let points = [10, 100][at];
        let value = |name: &str| tuning.iter().find(|(known, _)| known == name).map_or(32768, |(_, value)| *value);
        let (outer, inner) = (points < value("outer"), points < value("inner"));
        let microseconds = match (outer, inner) {
            (false, _) => points as f64,
            (true, false) => 20.0 + points as f64,
            (true, true) => 25.0,
        };
        let set = |asked: bool| if asked { BTreeSet::from([points]) } else { BTreeSet::new() };
        let thresholds = [("outer", true), ("inner", outer), ("never", false)];
        Ok(Ran { microseconds, thresholds: thresholds.map(|(name, asked)| (name.into(), set(asked))).to_vec() })
    }

    #[test]
    fn thresholds_are_chosen_in_order() {
        let (mut calls, mut lines) = (Vec::new(), Vec::new());
        let names = ["outer", "inner", "never"].map(String::from);
        let others = vec![("other".to_string(), 1)];
        let mut run = |at, tuning: &Tuning, _| run(at, tuning, &mut calls);
        let mut out = |line| {
            lines.push(line);
            Ok(())
        };
        let chosen = chosen(&names, 2, others, 3, &mut run, &mut out).map_err(|e| e.text()).unwrap();
        // 10 + 100, 25 + 100, 25 + 25; then with the last of these 30 + 120, 25 + 120, 25 + 25
        let outer = ["outer=10: 110μs\n", "outer=100: 125μs\n", "outer=101: 50μs\n"];
        let inner = ["inner=10: 150μs\n", "inner=100: 145μs\n", "inner=101: 50μs\n"];
        assert_eq!(lines, [&outer[..], &inner, &["never: no dataset comes there\n"]].concat());
        assert_eq!(chosen, [("outer".to_string(), 101), ("inner".to_string(), 101)]);
        // all see the other parameter; two to begin with, and each dataset once for each side of each threshold
        assert!(calls.iter().all(|tuning| tuning[0] == ("other".to_string(), 1)));
        assert_eq!(calls.len(), 2 + 4 + 4);
    }
}
