//! `futi benchcmp`: how many times as fast programs are by one file of results as by another.

use super::json::{self, Outcome, Results};
use super::statistics::{Ratio, geometric_mean, ratio_of_means};
use crate::failure::Failure;
use crate::say;
use clap::ValueEnum;
use futi_core::source::printable;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Compare two files of `futi bench --json`, or of `futhark bench --json`: how many times as fast the second is, dataset by dataset.
///
/// A change is significant where the 95 % confidence interval of the speedup has no 1 in it.
#[derive(clap::Args)]
pub struct Args {
    /// The results before.
    #[arg(value_name = "FILE_A")]
    before: PathBuf,
    /// The results after.
    #[arg(value_name = "FILE_B")]
    after: PathBuf,
    /// What programs are sorted by; without it, by name.
    #[arg(long, value_enum, value_name = "METRIC")]
    sort_by: Option<Metric>,
    /// Which programs stand first.
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Order::WorstFirst, requires = "sort_by")]
    order: Order,
}

/// What programs are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Metric {
    /// How many datasets are significantly slower, by one percent or more.
    Significant,
    /// The geometric mean of significant speedups; 1 where there are none.
    GeomeanSignificant,
    /// The geometric mean of all speedups.
    GeomeanAll,
}

/// Which programs stand first.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Those that have become slowest.
    WorstFirst,
    /// Those that have become fastest.
    BestFirst,
}

/// Less is slower by so much that it matters.
const SLOWER: f64 = 0.99;

/// Runs the subcommand.
pub fn benchcmp(args: Args) -> Result<(), Failure> {
    let (before, after) = (json::read(&args.before)?, json::read(&args.after)?);
    let missing =
        [missing(&before, &after, &args.before, &args.after), missing(&after, &before, &args.after, &args.before)];
    let failed = [failed(&before, &args.before), failed(&after, &args.after)];
    let mut programs = compared(&before, &after);
    sort(&mut programs, args.sort_by, args.order);
    let text = missing.concat() + &failed.concat() + &shown(&programs);
    say::out(printable(&text))
}

/// A program, and the speedups of its datasets; none where a mean is zero.
struct Program<'a> {
    name: &'a str,
    datasets: Vec<(&'a str, Option<Ratio>)>,
}

impl Program<'_> {
    fn ratios(&self) -> impl Iterator<Item = Ratio> {
        self.datasets.iter().filter_map(|(_, ratio)| *ratio)
    }

    /// By what it is sorted: less is worse.
    fn key(&self, metric: Metric) -> f64 {
        let of = |significant: bool| {
            let ratios: Vec<f64> =
                self.ratios().filter(|r| !significant || r.is_significant()).map(|r| r.ratio).collect();
            geometric_mean(&ratios)
        };
        match metric {
            Metric::Significant => -(self.ratios().filter(|r| r.is_significant() && r.ratio < SLOWER).count() as f64),
            Metric::GeomeanSignificant => of(true),
            Metric::GeomeanAll => of(false),
        }
    }
}

/// What both files have runtimes of.
fn compared<'a>(before: &'a Results, after: &Results) -> Vec<Program<'a>> {
    let program = |(name, datasets): (&'a String, &'a BTreeMap<String, Outcome>)| {
        let others = after.get(name)?;
        let both = datasets.iter().filter_map(|(dataset, a)| {
            let (a, b) = (a.as_ref().ok()?, others.get(dataset)?.as_ref().ok()?);
            Some((dataset.as_str(), ratio_of_means(&a.runtimes, &b.runtimes)))
        });
        let datasets: Vec<_> = both.collect();
        (!datasets.is_empty()).then_some(Program { name, datasets })
    };
    before.iter().filter_map(program).collect()
}

fn sort(programs: &mut [Program], metric: Option<Metric>, order: Order) {
    let Some(metric) = metric else { return };
    programs.sort_by(|a, b| {
        let worst = a.key(metric).total_cmp(&b.key(metric));
        if order == Order::WorstFirst { worst } else { worst.reverse() }
    });
}

/// What one file has and the other has not.
fn missing(these: &Results, others: &Results, here: &Path, there: &Path) -> String {
    let mut text = String::new();
    let mut line = |what: String| {
        let _ = writeln!(text, "In {} but not {}: {what}", here.display(), there.display());
    };
    for (program, datasets) in these {
        match others.get(program) {
            None => line(format!("program {program}")),
            Some(others) => {
                let gone = datasets.keys().filter(|dataset| !others.contains_key(*dataset));
                gone.for_each(|dataset| line(format!("program {program} dataset {dataset}")));
            }
        }
    }
    text
}

/// What has failed in a file, each in a line.
fn failed(results: &Results, file: &Path) -> String {
    let mut text = String::new();
    for (program, datasets) in results {
        for (dataset, outcome) in datasets {
            if let Err(what) = outcome {
                let what = what.lines().next().unwrap_or_default();
                let _ = writeln!(text, "Failed in {}: program {program} dataset {dataset}: {what}", file.display());
            }
        }
    }
    text
}

/// The table: a paragraph a program, then what is significant.
fn shown(programs: &[Program]) -> String {
    let mut text = String::new();
    let width = programs.iter().flat_map(|p| &p.datasets).map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let (mut faster, mut slower, mut all) = (0, 0, Vec::new());
    for program in programs {
        let _ = writeln!(text, "\n{}", program.name);
        for (name, ratio) in &program.datasets {
            let named = format!("  {name}:{}", " ".repeat(width - name.chars().count()));
            let Some(r) = ratio else {
                let _ = writeln!(text, "{named}  a runtime is 0 µs: there is nothing to compare");
                continue;
            };
            let change = match r.is_significant() {
                true if r.ratio > 1.0 => "  faster",
                true => "  slower",
                false => "",
            };
            faster += usize::from(change.contains("faster"));
            slower += usize::from(change.contains("slower"));
            all.push(r.ratio);
            let _ =
                writeln!(text, "{named}  {:>7.2}x  (95% CI: [{}, {}]){change}", r.ratio, times(r.low), times(r.high));
        }
    }
    let mean = geometric_mean(&all);
    let _ = writeln!(
        text,
        "\n{} datasets compared: {faster} significantly faster, {slower} significantly slower; geometric mean {mean:.2}x",
        all.len()
    );
    text
}

/// A bound: of one run there is none.
fn times(x: f64) -> String {
    if x == 0.0 || x.is_infinite() { "?".into() } else { format!("{x:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::json::Measurement;

    /// The name of a program, and the runtimes of its datasets by name.
    type OfProgram<'a> = (&'a str, &'a [(&'a str, &'a [f64])]);

    fn results(programs: &[OfProgram]) -> Results {
        let measured = |runtimes: &[f64]| Ok(Measurement { runtimes: runtimes.to_vec(), ..Measurement::default() });
        let datasets = |all: &[(&str, &[f64])]| all.iter().map(|(n, r)| (n.to_string(), measured(r))).collect();
        programs.iter().map(|(name, all)| (name.to_string(), datasets(all))).collect()
    }

    #[test]
    fn speedups_are_those_of_the_second_file() {
        let before = results(&[("p", &[("d", &[99.0, 100.0, 101.0]), ("e", &[5.0, 6.0]), ("zero", &[0.0])])]);
        let after = results(&[("p", &[("d", &[49.0, 50.0, 51.0]), ("e", &[6.0, 5.0]), ("zero", &[0.0])])]);
        let text = shown(&compared(&before, &after));
        let line = |name: &str| text.lines().find(|l| l.contains(name)).unwrap().to_string();
        assert!(line("d:").contains(" 2.00x") && line("d:").ends_with("faster"), "{text}");
        assert!(line("e:").contains(" 1.00x") && line("e:").ends_with(')'), "{text}");
        assert!(line("zero:").contains("nothing to compare"), "{text}");
        assert!(
            text.ends_with(
                "2 datasets compared: 1 significantly faster, 0 significantly slower; geometric mean 1.41x\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn programs_are_sorted() {
        let before = results(&[
            ("a", &[("d", &[100.0, 101.0]), ("e", &[10.0, 10.0])]),
            ("b", &[("d", &[100.0, 101.0])]),
            ("c", &[("d", &[100.0, 300.0])]),
        ]);
        // a: one of two is half as fast, the other four times as fast; b: slower; c: nobody knows
        let after = results(&[
            ("a", &[("d", &[200.0, 202.0]), ("e", &[2.5, 2.5])]),
            ("b", &[("d", &[200.0, 202.0])]),
            ("c", &[("d", &[900.0, 1100.0])]),
        ]);
        let order = |metric, order| {
            let mut programs = compared(&before, &after);
            sort(&mut programs, metric, order);
            programs.iter().map(|p| p.name).collect::<String>()
        };
        use {Metric::*, Order::*};
        assert_eq!(order(None, WorstFirst), "abc");
        assert_eq!(order(Some(Significant), WorstFirst), "abc");
        assert_eq!(order(Some(Significant), BestFirst), "cab");
        assert_eq!(order(Some(GeomeanSignificant), WorstFirst), "bca");
        assert_eq!(order(Some(GeomeanAll), WorstFirst), "cba");
        assert_eq!(order(Some(GeomeanAll), BestFirst), "abc");
    }

    #[test]
    fn what_is_missing_or_has_failed_is_said() {
        let mut before = results(&[("p", &[("d", &[1.0]), ("e", &[1.0])]), ("q", &[])]);
        let after = results(&[("p", &[("d", &[1.0])])]);
        let said = missing(&before, &after, Path::new("A"), Path::new("B"));
        assert_eq!(said, "In A but not B: program p dataset e\nIn A but not B: program q\n");
        before.entry("q".into()).or_default().insert("f".into(), Err("boom\nbang".into()));
        assert_eq!(failed(&before, Path::new("A")), "Failed in A: program q dataset f: boom\n");
    }
}
