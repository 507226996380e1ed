//! What came of a run: a row for each case, a cell for each oracle, and how it is printed.

use crate::columns::Column;
use crate::coverage::Coverage;
use crate::row::{GENERATED, Outcome, Row, Verdict, columns};
use crate::statistics::Statistics;
use crate::suspects::{Suspect, suspects};
use crate::topics;
use serde::Serialize;
use std::fmt;
use tabled::builder::Builder;
use tabled::settings::Style;

/// What a failure of the column `backend` begins with if its process is not there. Of a process that was, the failure says what it was doing.
const NOT_STARTED: &str = "the backend's process ";

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
        columns(&self.rows)
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
            let table = if self.rows.len() > topics::MANY { topics::table(&self.rows) } else { self.table() };
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
    use crate::row::Failure;

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
