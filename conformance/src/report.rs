//! What came of a run: a row for each case, a cell for each oracle, and how it is printed.

use crate::coverage::Coverage;
use crate::statistics::Statistics;
use crate::suspects::{Suspect, suspects};
use crate::tolerance::Closeness;
use crate::topics;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use tabled::builder::Builder;
use tabled::settings::Style;

/// An oracle: what a case is held against. Each has a file of its own in `column/`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Column {
    /// The interpreter's result, or the compiler's verdict, against what the test block expects.
    Expected,
    /// The reference itself: well-formed IR, text that reads back, the quick run against the plain one.
    Interp,
    /// A strict run against a plain one.
    Strict,
    /// Runs of the interpreter that may differ in nothing: again, with other partitions of streams, walking traces back in another order.
    Determinism,
    /// Where the program fails: the kind and the place of the failure, at every stage and in derivatives. Of the backend's failure its own column says.
    Errors,
    /// Rewritten source programs, which must give the same results and derivatives.
    Metamorphic,
    /// Another implementation of the language, over Futhark's server protocol.
    Reference,
    /// The output of each pass, run in the interpreter, against the program as lowered.
    Passes,
    /// The backend, in a process of its own, against the interpreter.
    Backend,
    /// AD by transformation against AD by definition.
    ByDefinition,
    /// ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩.
    Identity,
    /// AD against numerical differentiation.
    Numerics,
}

impl Column {
    /// All, in the order of the table.
    pub const ALL: [Column; 12] = [
        Column::Expected,
        Column::Interp,
        Column::Strict,
        Column::Determinism,
        Column::Errors,
        Column::Metamorphic,
        Column::Reference,
        Column::Passes,
        Column::Backend,
        Column::ByDefinition,
        Column::Identity,
        Column::Numerics,
    ];

    /// The heading.
    pub fn name(self) -> &'static str {
        match self {
            Column::Expected => "expected",
            Column::Interp => "interp",
            Column::Strict => "strict",
            Column::Determinism => "determinism",
            Column::Errors => "errors",
            Column::Metamorphic => "metamorphic",
            Column::Reference => "reference",
            Column::Passes => "passes",
            Column::Backend => "backend",
            Column::ByDefinition => "by-definition",
            Column::Identity => "identity",
            Column::Numerics => "numerics",
        }
    }

    /// Whether errors are measured in units of the last place, too. Sums of products and differences, which derivatives are held against, cancel: what is
    /// a small part of a term may be any number of units of the sum.
    pub fn has_ulps(self) -> bool {
        !matches!(self, Column::Identity | Column::Numerics)
    }
}

/// What an oracle says of a case.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// It agrees; perhaps with a word on that.
    Ok {
        /// The word.
        note: String,
        /// How closely, where floats were compared within a bound of their own.
        closeness: Closeness,
    },
    /// It does not.
    Fail(Failure),
    /// It cannot tell.
    Inconclusive {
        /// Why.
        reason: String,
    },
    /// It disagrees where rounding decides the result, which says nothing: see [`crate::tolerance`].
    IllConditioned {
        /// Why.
        reason: String,
    },
    /// It was not asked, since the compiler says that it has no rule for a construct.
    NoRule {
        /// Which, and where.
        reason: String,
    },
    /// It was not asked although it would apply.
    Skipped {
        /// Why.
        reason: String,
    },
    /// It disagrees, which is accepted: see [`crate::waiver`]. Counts as skipped.
    Waived {
        /// Why.
        reason: String,
        /// The disagreement.
        failure: Failure,
    },
    /// It does not apply.
    Absent {
        /// Why, if there is a reason worth a word.
        reason: String,
    },
}

impl Outcome {
    /// Agreement.
    pub fn ok() -> Outcome {
        Outcome::within(Closeness::SAME)
    }
    /// Agreement, so closely.
    pub fn within(closeness: Closeness) -> Outcome {
        Outcome::Ok { note: String::new(), closeness }
    }
    /// Agreement, with a word on it.
    pub fn ok_note(note: impl fmt::Display) -> Outcome {
        Outcome::Ok { note: note.to_string(), closeness: Closeness::SAME }
    }
    /// No verdict, since rounding decides.
    pub fn ill_conditioned(reason: impl fmt::Display) -> Outcome {
        Outcome::IllConditioned { reason: reason.to_string() }
    }
    /// Disagreement.
    pub fn fail(what: impl fmt::Display) -> Outcome {
        Outcome::Fail(Failure { what: what.to_string(), stage: None, place: None })
    }
    /// No verdict.
    pub fn inconclusive(reason: impl fmt::Display) -> Outcome {
        Outcome::Inconclusive { reason: reason.to_string() }
    }
    /// Not asked.
    pub fn skipped(reason: impl fmt::Display) -> Outcome {
        Outcome::Skipped { reason: reason.to_string() }
    }
    /// Not asked for want of a rule.
    pub fn no_rule(reason: impl fmt::Display) -> Outcome {
        Outcome::NoRule { reason: reason.to_string() }
    }
    /// Does not apply.
    pub fn absent(reason: impl fmt::Display) -> Outcome {
        Outcome::Absent { reason: reason.to_string() }
    }
    /// Whether it is a disagreement.
    pub fn is_fail(&self) -> bool {
        matches!(self, Outcome::Fail(_))
    }

    fn cell(&self) -> String {
        match self {
            Outcome::Ok { note, .. } if note.is_empty() => "ok".into(),
            Outcome::Ok { note, .. } => format!("ok {note}"),
            Outcome::Fail(_) => "FAIL".into(),
            Outcome::Inconclusive { .. } => "inconclusive".into(),
            Outcome::IllConditioned { .. } => "ill-conditioned".into(),
            Outcome::NoRule { .. } => "no rule".into(),
            Outcome::Skipped { .. } => "skipped".into(),
            Outcome::Waived { .. } => "waived".into(),
            Outcome::Absent { .. } => "-".into(),
        }
    }
}

/// A disagreement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Failure {
    /// What differs.
    pub what: String,
    /// The first stage at which it does, where stages are compared.
    pub stage: Option<String>,
    /// The place in the source.
    pub place: Option<String>,
}

/// The stage, what differs, and the place, a line each.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stage.iter().try_for_each(|stage| writeln!(f, "stage: {stage}"))?;
        f.write_str(&self.what)?;
        self.place.iter().try_for_each(|place| write!(f, "\nat {place}"))
    }
}

/// What a failure of the column `backend` begins with if its process is not there. Of a process that was, the failure says what it was doing.
const NOT_STARTED: &str = "the backend's process ";

/// What the names of generated programs begin with.
pub const GENERATED: &str = "generated/";

/// A case and what the oracles say of it.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Row {
    /// The program's path.
    pub program: String,
    /// The case within the program: `entry#number`, or what else is asked.
    pub case: String,
    /// The oracles' verdicts, in the order of the columns.
    pub cells: Vec<(Column, Outcome)>,
    /// The kinds of nodes and the scalar operators of the entry point, as lowered.
    pub constructs: BTreeSet<String>,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Of a generated program that failed, a small one that does, as a file of the suite.
    pub witness: Option<String>,
    /// If a rewriting of that does something else, the rewritten program, as another file.
    pub rewritten: Option<String>,
}

/// What becomes of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No oracle disagrees, none that applies was left out.
    Passed,
    /// An oracle disagrees.
    Failed,
    /// An oracle that applies was left out, or its disagreement is waived.
    Skipped,
}

impl Row {
    /// `program:case`, what `--filter` looks into.
    pub fn name(&self) -> String {
        format!("{}:{}", self.program, self.case)
    }

    /// Failed if an oracle disagrees, else skipped if one was left out or waived, else passed.
    pub fn verdict(&self) -> Verdict {
        let any = |p: fn(&Outcome) -> bool| self.cells.iter().any(|(_, o)| p(o));
        if any(Outcome::is_fail) {
            Verdict::Failed
        } else if any(|o| matches!(o, Outcome::Skipped { .. } | Outcome::Waived { .. })) {
            Verdict::Skipped
        } else {
            Verdict::Passed
        }
    }

    /// What the oracle says; absent if it was not asked.
    pub fn outcome(&self, column: Column) -> Outcome {
        self.cells.iter().find(|(c, _)| *c == column).map_or(Outcome::absent(""), |(_, o)| o.clone())
    }

    /// The oracles that disagree, each with what differs.
    pub fn failures(&self) -> impl Iterator<Item = (Column, &Failure)> {
        self.cells.iter().filter_map(|(c, o)| if let Outcome::Fail(f) = o { Some((*c, f)) } else { None })
    }
}

/// All rows of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Report {
    /// In the order of programs and cases.
    pub rows: Vec<Row>,
    /// The waivers that are for no case, each with its place.
    pub unused_waivers: Vec<String>,
    /// What the generated programs have exercised, if that was asked.
    #[serde(skip)]
    pub coverage: Option<Coverage>,
}

impl Report {
    /// How many cases passed, failed and were skipped.
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |v| self.rows.iter().filter(|r| r.verdict() == v).count();
        (count(Verdict::Passed), count(Verdict::Failed), count(Verdict::Skipped))
    }

    /// The constructs that the backend's failures have in common: see [`crate::suspects`]. Only cases that it has run or should have run count.
    pub fn suspects(&self) -> Vec<Suspect> {
        let judged = |r: &Row| match r.outcome(Column::Backend) {
            Outcome::Ok { .. } => Some(false),
            Outcome::Fail(failure) if !failure.what.starts_with(NOT_STARTED) => Some(true),
            _ => None,
        };
        suspects(self.rows.iter().filter_map(|r| Some((&r.constructs, judged(r)?))))
    }

    /// Whether no case failed.
    pub fn is_green(&self) -> bool {
        self.counts().1 == 0
    }

    /// 0 if there are cases and none failed, else 1: where nothing ran, nothing was found out.
    pub fn exit_code(&self) -> std::process::ExitCode {
        std::process::ExitCode::from(u8::from(self.rows.is_empty() || !self.is_green()))
    }

    /// `N passed, N failed, N skipped`.
    pub fn closing_line(&self) -> String {
        let (passed, failed, skipped) = self.counts();
        format!("{passed} passed, {failed} failed, {skipped} skipped")
    }

    /// The rows, the counts and what else is printed, as JSON.
    pub fn json(&self) -> serde_json::Value {
        let (passed, failed, skipped) = self.counts();
        serde_json::json!({
            "passed": passed, "failed": failed, "skipped": skipped, "statistics": Statistics::of(&self.rows), "rows": self.rows,
            "unused_waivers": self.unused_waivers, "suspects": self.suspects(),
            "coverage": self.coverage.as_ref().map(Coverage::json),
        })
    }

    /// The columns in which any case has something to say.
    pub fn columns(&self) -> Vec<Column> {
        let used = |c: &Column| self.rows.iter().any(|r| r.cells.iter().any(|(d, _)| c == d));
        Column::ALL.into_iter().filter(used).collect()
    }

    fn table(&self) -> String {
        let columns = self.columns();
        let mut table = Builder::new();
        table.push_record(["case".to_string()].into_iter().chain(columns.iter().map(|c| c.name().to_string())));
        for row in &self.rows {
            table.push_record([row.name()].into_iter().chain(columns.iter().map(|c| row.outcome(*c).cell())));
        }
        table.build().with(Style::sharp()).to_string()
    }
}

/// The table, by topic if there are many cases; the failures and what else needs a word, each with its case; the closing line.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.rows.is_empty() {
            let table = if self.rows.len() > topics::MANY { topics::table(self) } else { self.table() };
            writeln!(f, "{table}")?;
        }
        for row in &self.rows {
            for (column, outcome) in &row.cells {
                let what = match outcome {
                    Outcome::Fail(_) => "FAIL",
                    Outcome::Inconclusive { .. } => "inconclusive",
                    Outcome::IllConditioned { .. } => "ill-conditioned",
                    // by the hundred, where programs are generated
                    Outcome::NoRule { .. } if row.program.starts_with(GENERATED) => continue,
                    Outcome::NoRule { .. } => "no rule",
                    Outcome::Skipped { .. } => "skipped",
                    Outcome::Waived { .. } => "waived",
                    Outcome::Ok { .. } | Outcome::Absent { .. } => continue,
                };
                writeln!(f, "\n{what}  {}  [{}]", row.name(), column.name())?;
                let lines = match outcome {
                    Outcome::Fail(failure) => failure.to_string(),
                    Outcome::Waived { reason, failure } => format!("{reason}\n{failure}"),
                    Outcome::Inconclusive { reason }
                    | Outcome::IllConditioned { reason }
                    | Outcome::NoRule { reason }
                    | Outcome::Skipped { reason } => reason.clone(),
                    Outcome::Ok { .. } | Outcome::Absent { .. } => String::new(),
                };
                lines.lines().try_for_each(|line| writeln!(f, "    {line}"))?;
            }
            row.witness.iter().flat_map(|w| w.lines()).try_for_each(|line| writeln!(f, "    | {line}"))?;
        }
        self.coverage.iter().try_for_each(|c| writeln!(f, "\n{c}"))?;
        if !self.rows.is_empty() {
            write!(f, "\n{}", Statistics::of(&self.rows))?;
        }
        self.unused_waivers.iter().try_for_each(|w| writeln!(f, "\nunused waiver  {w}"))?;
        let suspects = self.suspects();
        if !suspects.is_empty() {
            writeln!(f, "\nWhat the backend's failures have in common, the likeliest first:")?;
        }
        for Suspect { construct, explains, failed, cases } in suspects {
            writeln!(f, "    {construct}: explains {explains}; of {cases} cases with it {failed} fail")?;
        }
        writeln!(f, "\n{}", self.closing_line())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let row = |case: &str, cells: Vec<(Column, Outcome)>| Row {
            program: "a.fut".into(),
            case: case.into(),
            cells,
            ..Row::default()
        };
        let failure = Failure {
            what: "2i32, expected 1i32".into(),
            stage: Some("fused".into()),
            place: Some("a.fut:1:2".into()),
        };
        let ok = Outcome::ok_note("3e-12");
        let waived = Outcome::Waived { reason: "a jump".into(), failure: failure.clone() };
        Report {
            rows: vec![
                row("main#1", vec![(Column::Expected, ok), (Column::Numerics, Outcome::inconclusive("a kink"))]),
                row("main#2", vec![(Column::Expected, Outcome::ok()), (Column::Passes, Outcome::Fail(failure))]),
                row(
                    "main#3",
                    vec![(Column::Expected, Outcome::ok()), (Column::Backend, Outcome::skipped("no device"))],
                ),
                row("main#4", vec![(Column::Expected, Outcome::ok()), (Column::Numerics, waived)]),
            ],
            unused_waivers: vec!["w.toml:2: b*".into()],
            coverage: None,
        }
    }

    #[test]
    fn a_report_is_a_table_the_failures_and_one_closing_line() {
        let expected = "\
┌──────────────┬──────────┬────────┬─────────┬──────────────┐
│ case         │ expected │ passes │ backend │ numerics     │
├──────────────┼──────────┼────────┼─────────┼──────────────┤
│ a.fut:main#1 │ ok 3e-12 │ -      │ -       │ inconclusive │
│ a.fut:main#2 │ ok       │ FAIL   │ -       │ -            │
│ a.fut:main#3 │ ok       │ -      │ skipped │ -            │
│ a.fut:main#4 │ ok       │ -      │ -       │ waived       │
└──────────────┴──────────┴────────┴─────────┴──────────────┘

inconclusive  a.fut:main#1  [numerics]
    a kink

FAIL  a.fut:main#2  [passes]
    stage: fused
    2i32, expected 1i32
    at a.fut:1:2

skipped  a.fut:main#3  [backend]
    no device

waived  a.fut:main#4  [numerics]
    a jump
    stage: fused
    2i32, expected 1i32
    at a.fut:1:2

4 cases: ill-conditioned 0 (0.00 %), inconclusive 1 (25.00 %), skipped 2 (50.00 %)

unused waiver  w.toml:2: b*

1 passed, 1 failed, 2 skipped
";
        // without the line between rows
        assert_eq!(report().to_string(), expected);
    }

    /// Rows with the constructs `Map` and another one each, and these verdicts of the backend.
    fn judged_by_backend(cells: &[(&str, Outcome)]) -> Report {
        let row = |(construct, outcome): &(&str, Outcome)| Row {
            cells: vec![(Column::Backend, outcome.clone())],
            constructs: ["Map", construct].map(str::to_string).into(),
            ..Row::default()
        };
        Report { rows: cells.iter().map(row).collect(), ..Report::default() }
    }

    #[test]
    fn only_what_the_backend_has_run_is_suspect() {
        let fails = |what: &str| Outcome::fail(what);
        let undecided = [Outcome::skipped("no rule"), Outcome::ill_conditioned(""), Outcome::inconclusive("")];
        let mut cells = vec![("Scan", fails("running: the backend's process ended")), ("Scan", fails("1, expected 2"))];
        // that most programs are not decided does not make `Map` innocent
        cells.extend(undecided.into_iter().map(|o| ("Iota", o)));
        cells.push(("Copy", fails("the backend's process cannot be started: no such file")));
        let suspects = judged_by_backend(&cells).suspects();
        let named: Vec<_> = suspects.iter().map(|s| (s.construct.as_str(), s.failed, s.cases)).collect();
        assert_eq!(named, [("Map", 2, 2)]);
        cells.push(("Iota", Outcome::ok()));
        assert_eq!(judged_by_backend(&cells).suspects()[0].construct, "Scan");
        assert_eq!(judged_by_backend(&cells).json()["suspects"][0]["construct"], "Scan");
    }

    #[test]
    fn json_has_the_counts_and_the_rows() {
        let coverage = Some(Coverage::default());
        let json = Report { coverage, ..report() }.json();
        assert_eq!((&json["coverage"]["programs"], &json["suspects"]), (&0.into(), &serde_json::json!([])));
        assert!(report().json()["coverage"].is_null());
        assert_eq!((json["passed"].as_u64(), json["failed"].as_u64()), (Some(1), Some(1)));
        assert_eq!(json["rows"][1]["cells"][1][0], "passes");
        assert_eq!(json["rows"][1]["cells"][1][1]["stage"], "fused");
        assert_eq!(json["rows"][2]["cells"][1][1]["outcome"], "skipped");
        assert_eq!(json["skipped"], 2);
        let waived = &json["rows"][3]["cells"][1][1];
        assert_eq!((&waived["outcome"], &waived["reason"]), (&"waived".into(), &"a jump".into()));
        assert_eq!(json["unused_waivers"][0], "w.toml:2: b*");
    }
}
