//! What came of the mutants.

use super::{Mutant, Operator, Target};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::process::ExitCode;
use tabled::builder::Builder;
use tabled::settings::Style;

/// What became of a mutant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Fate {
    /// It was noticed.
    Killed {
        /// By whom.
        by: String,
        /// How many cases were run, with the one that noticed.
        cases: usize,
    },
    /// It was not, for a known reason.
    Explained(String),
    /// It was not noticed by so many cases; none reaches it if there are none.
    Survived(usize),
    /// It was not run.
    Listed,
}

/// A mutant and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The mutant.
    pub mutant: Mutant,
    /// What became of it.
    pub fate: Fate,
    /// Whether it is in a line that has changed.
    pub changed: bool,
}

/// What came of a hunt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// In the order of files and places.
    pub verdicts: Vec<Verdict>,
    /// How many do not compile.
    pub left_out: usize,
    /// What they are a sample of; none if they are all that was asked for.
    pub sample: Option<Sample>,
}

/// What a sample was drawn of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Of how many mutants.
    pub of: usize,
    /// By which seed.
    pub seed: u64,
}

/// Of so many mutants one may survive without a reason: someone who changes code need not explain one line more, but tests all the others.
const ONE_OF: usize = 20;

/// The most survivors of a sample of `n` that chance explains where one of [`ONE_OF`] survives: more of them come once in a hundred samples, or less.
fn plausible(n: usize) -> usize {
    let p = 1.0 / ONE_OF as f64;
    // the binomial distribution, term by term
    let (mut term, mut sum, mut k) = ((1.0 - p).powi(n as i32), 0.0, 0);
    loop {
        sum += term;
        if sum >= 0.99 || k == n {
            return k;
        }
        term *= (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
        k += 1;
    }
}

impl Report {
    /// How many were killed, survived without a reason, and with one.
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |p: fn(&Fate) -> bool| self.verdicts.iter().filter(|v| p(&v.fate)).count();
        (
            count(|f| matches!(f, Fate::Killed { .. })),
            count(|f| matches!(f, Fate::Survived(_))),
            count(|f| matches!(f, Fate::Explained(_))),
        )
    }

    /// Whether there are mutants and none survived without a reason. Of a sample's survivors, chance may explain some; but of those in lines that have
    /// changed only one, or one of twenty.
    pub fn is_green(&self) -> bool {
        let (killed, survived, _) = self.counts();
        let enough = match self.sample {
            None => survived == 0,
            Some(_) => {
                let changed = |p: fn(&Fate) -> bool| self.verdicts.iter().filter(|v| v.changed && p(&v.fate)).count();
                let lived = changed(|f| matches!(f, Fate::Survived(_)));
                let judged = lived + changed(|f| matches!(f, Fate::Killed { .. }));
                survived <= plausible(killed + survived) && lived <= (judged / ONE_OF).max(1)
            }
        };
        enough && !self.verdicts.is_empty()
    }

    /// 0 if it [is green](Report::is_green), else 1.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(u8::from(!self.is_green()))
    }

    /// Everything, as JSON.
    pub fn json(&self) -> Json {
        let verdict = |v: &Verdict| {
            let (m, place) = (&v.mutant, format!("{}:{}", v.mutant.file, v.mutant.line));
            let fate = match &v.fate {
                Fate::Killed { by, cases } => json!({ "fate": "killed", "by": by, "cases": cases }),
                Fate::Explained(reason) => json!({ "fate": "explained", "reason": reason }),
                Fate::Survived(cases) => json!({ "fate": "survived", "cases": cases }),
                Fate::Listed => json!({ "fate": "not run" }),
            };
            let (target, operator) = (m.target.name(), m.site.operator.name());
            json!({ "id": m.id, "target": target, "operator": operator, "place": place, "source": m.source, "change": m.change, "outcome": fate })
        };
        let (passed, failed, skipped) = self.counts();
        let mutants: Vec<Json> = self.verdicts.iter().map(verdict).collect();
        let sample = self.sample.map(|s| json!({ "of": s.of, "seed": s.seed }));
        json!({ "passed": passed, "failed": failed, "skipped": skipped, "uncompilable": self.left_out, "sample": sample, "mutants": mutants })
    }

    /// A row for each target and operator.
    fn by_operator(&self) -> String {
        let mut groups: BTreeMap<(Target, Option<Operator>), Vec<&Verdict>> = BTreeMap::new();
        for v in &self.verdicts {
            groups.entry((v.mutant.target, Some(v.mutant.site.operator))).or_default().push(v);
            groups.entry((v.mutant.target, None)).or_default().push(v);
        }
        let mut table = Builder::new();
        table.push_record([
            "target",
            "operator",
            "mutants",
            "killed",
            "explained",
            "survived",
            "%",
            "cases to the kill",
        ]);
        for ((target, operator), verdicts) in groups {
            let count = |p: fn(&Fate) -> bool| verdicts.iter().filter(|v| p(&v.fate)).count();
            let killed = count(|f| matches!(f, Fate::Killed { .. }));
            let cases: usize =
                verdicts.iter().map(|v| if let Fate::Killed { cases, .. } = v.fate { cases } else { 0 }).sum();
            table.push_record([
                target.name().to_string(),
                operator.map_or("all", Operator::name).to_string(),
                verdicts.len().to_string(),
                killed.to_string(),
                count(|f| matches!(f, Fate::Explained(_))).to_string(),
                count(|f| matches!(f, Fate::Survived(_))).to_string(),
                format!("{:.1}", 100.0 * killed as f64 / verdicts.len() as f64),
                format!("{:.1}", cases as f64 / killed.max(1) as f64),
            ]);
        }
        table.build().with(Style::sharp()).to_string()
    }

    /// A row for each oracle: how many it killed of each target, and after how many cases.
    fn by_oracle(&self) -> String {
        let mut kills: BTreeMap<&str, BTreeMap<Target, Vec<usize>>> = BTreeMap::new();
        for v in &self.verdicts {
            if let Fate::Killed { by, cases } = &v.fate {
                kills.entry(by).or_default().entry(v.mutant.target).or_default().push(*cases);
            }
        }
        let targets: BTreeSet<Target> = self.verdicts.iter().map(|v| v.mutant.target).collect();
        let mut table = Builder::new();
        let names = targets.iter().map(|t| t.name());
        table.push_record(["killed by"].into_iter().chain(names).chain(["all", "mean cases", "most cases"]));
        for (by, kills) in kills {
            let cases: Vec<usize> = kills.values().flatten().copied().collect();
            let counts = targets.iter().map(|t| kills.get(t).map_or(0, Vec::len).to_string());
            let mean = cases.iter().sum::<usize>() as f64 / cases.len().max(1) as f64;
            let last = [cases.len().to_string(), format!("{mean:.1}"), cases.iter().max().unwrap_or(&0).to_string()];
            table.push_record([by.to_string()].into_iter().chain(counts).chain(last));
        }
        table.build().with(Style::sharp()).to_string()
    }
}

/// The tables, the survivors with their lines and reasons, the closing line.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.verdicts.iter().any(|v| v.fate == Fate::Listed) {
            self.verdicts.iter().try_for_each(|v| writeln!(f, "{}", v.mutant.name()))?;
            return writeln!(f, "\n{} mutants", self.verdicts.len());
        }
        writeln!(f, "{}\n{}", self.by_operator(), self.by_oracle())?;
        for v in &self.verdicts {
            let why = match &v.fate {
                Fate::Explained(reason) => reason.clone(),
                Fate::Survived(0) => "unexplained: no case reaches it".to_string(),
                Fate::Survived(cases) => format!("unexplained: {cases} cases do not notice"),
                Fate::Killed { .. } | Fate::Listed => continue,
            };
            writeln!(f, "\n{}\n    {}\n    {why}", v.mutant.name(), v.mutant.source)?;
        }
        let (passed, failed, skipped) = self.counts();
        let killed = 100.0 * passed as f64 / self.verdicts.len().max(1) as f64;
        writeln!(f, "\n{killed:.1} % killed; {} more do not compile", self.left_out)?;
        if let Some(Sample { of, seed }) = self.sample {
            let most = plausible(passed + failed);
            let changed = self.verdicts.iter().filter(|v| v.changed).count();
            writeln!(f, "a sample of {of} mutants, by seed {seed}; {changed} are in changed lines")?;
            writeln!(f, "without a reason {most} may survive; in changed lines one, or one of {ONE_OF}")?;
        }
        writeln!(f, "\n{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::super::mutants;
    use super::*;

    /// A report of mutants of which so many were killed, survived, and survived for a reason.
    fn report(counts: [usize; 3], sample: Option<Sample>) -> Report {
        let mutant = mutants(Target::Passes, "core/src/passes/x.rs", "fn f(n: u32) -> bool {\n    n < g()\n}\n", 0);
        let mutant = mutant.unwrap().remove(0);
        let fates = [Fate::Killed { by: "x".into(), cases: 1 }, Fate::Survived(2), Fate::Explained("y".into())];
        let verdicts = fates.into_iter().zip(counts).flat_map(|(fate, n)| std::iter::repeat_n(fate, n));
        let verdicts = verdicts.map(|fate| Verdict { mutant: mutant.clone(), fate, changed: false }).collect();
        Report { verdicts, left_out: 0, sample }
    }

    #[test]
    fn a_survivor_without_a_reason_fails_the_hunt() {
        assert!(report([95, 0, 5], None).is_green());
        assert!(!report([95, 1, 4], None).is_green());
        assert!(!report([0, 0, 0], None).is_green());
    }

    #[test]
    fn of_a_sample_chance_may_explain_survivors() {
        let sample = Some(Sample { of: 5000, seed: 7 });
        // of 100, where 5 are expected, 10 or less in 98.9 % of samples, 11 or less in 99.6 %; of 20, 3 or less in 98.4 %, 4 or less in 99.7 %
        assert_eq!([0, 1, 20, 100].map(plausible), [0, 1, 4, 11]);
        assert!(report([89, 11, 0], sample).is_green());
        assert!(!report([88, 12, 0], sample).is_green());
        // those with a reason count on neither side
        assert!(report([16, 4, 80], sample).is_green());
        assert!(!report([15, 5, 80], sample).is_green());
        assert!(!report([0, 0, 0], sample).is_green());
        assert!(report([1, 0, 0], sample).to_string().contains("a sample of 5000 mutants, by seed 7"));
    }

    #[test]
    fn of_changed_lines_one_may_survive() {
        let changed = |killed, survived| {
            let mut report = report([killed, survived, 0], Some(Sample { of: 5000, seed: 7 }));
            report.verdicts.iter_mut().for_each(|v| v.changed = true);
            report.is_green()
        };
        assert!(changed(0, 1) && changed(10, 1) && changed(38, 2));
        assert!(!changed(10, 2) && !changed(37, 2));
    }
}
