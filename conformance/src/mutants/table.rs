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
}

/// What came of a hunt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// In the order of files and places.
    pub verdicts: Vec<Verdict>,
    /// How many do not compile.
    pub left_out: usize,
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

    /// 0 if nothing survived without a reason, else 1.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(u8::from(self.counts().1 > 0))
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
        json!({ "passed": passed, "failed": failed, "skipped": skipped, "uncompilable": self.left_out, "mutants": mutants })
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
        writeln!(f, "\n{passed} passed, {failed} failed, {skipped} skipped")
    }
}
