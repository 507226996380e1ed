//! Known failures that are accepted, each with a reason: `conformance/waivers.toml`, whose comment says how it is written.

use crate::columns::Column;
use crate::report::Report;
use crate::row::{Failure, Outcome, Row};
use serde::Deserialize;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The waivers of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waivers {
    file: PathBuf,
    waivers: Vec<Waiver>,
}

/// A failure that is accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Waiver {
    cases: Cases,
    /// The oracle that may disagree; none for all.
    column: Option<Column>,
    reason: String,
    /// Where it is in the file, from 1.
    line: usize,
}

/// Which cases a waiver is for.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Cases {
    One(String),
    Prefix(String),
}

/// Waivers that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaiverError {
    /// The file cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        message: String,
    },
    /// It is not a list of waivers.
    Malformed {
        /// The file.
        file: PathBuf,
        /// Where, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

impl fmt::Display for WaiverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WaiverError::Unreadable { file, message } => write!(f, "{}: {message}", file.display()),
            WaiverError::Malformed { file, line, message } => write!(f, "{}:{line}: {message}", file.display()),
        }
    }
}
impl std::error::Error for WaiverError {}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    waiver: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    case: Spanned<String>,
    column: Option<Column>,
    reason: Spanned<String>,
}

/// What became of a case that a waiver is for, in the columns that it is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Fails,
    Passes,
    /// Skipped, or inconclusive and nothing else.
    Undecided,
    NotAsked,
}

impl Waivers {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read, is no TOML or has other fields; a case or a reason that is missing or empty; an unknown column.
    pub fn read(file: &Path) -> Result<Waivers, WaiverError> {
        let text = std::fs::read_to_string(file)
            .map_err(|e| WaiverError::Unreadable { file: file.into(), message: e.to_string() })?;
        Waivers::parse(file, &text)
    }

    fn parse(file: &Path, text: &str) -> Result<Waivers, WaiverError> {
        let line = |at: Range<usize>| 1 + text.bytes().take(at.start).filter(|b| *b == b'\n').count();
        let malformed = |at: Range<usize>, message: &str| WaiverError::Malformed {
            file: file.into(),
            line: line(at),
            message: message.trim().into(),
        };
        let document: Document =
            toml::from_str(text).map_err(|e| malformed(e.span().unwrap_or_default(), e.message()))?;
        let waiver = |e: Entry| {
            let cases = match e.case.get_ref().strip_suffix('*') {
                Some(prefix) => Cases::Prefix(prefix.into()),
                None => Cases::One(e.case.get_ref().clone()),
            };
            if let Cases::Prefix(text) | Cases::One(text) = &cases
                && text.trim().is_empty()
            {
                return Err(malformed(e.case.span(), "`case` names no case"));
            }
            if e.reason.get_ref().trim().is_empty() {
                return Err(malformed(e.reason.span(), "`reason` is empty"));
            }
            let line = line(e.case.span());
            Ok(Waiver { cases, column: e.column, reason: e.reason.into_inner(), line })
        };
        let waivers = document.waiver.into_iter().map(waiver).collect::<Result<_, _>>()?;
        Ok(Waivers { file: file.into(), waivers })
    }

    /// The report with these waivers: a failure that one is for is waived; one whose cases all pass has a row of its own, which fails; one that is for
    /// no case is listed as unused. A prefix is judged only where all cases are there that it may be for: by its whole name, it is below one of the paths
    /// that ran. Where `filtered`, not all are: none is unused, no prefix is judged.
    pub fn apply(&self, mut rows: Vec<Row>, paths: &[PathBuf], filtered: bool) -> Report {
        let (mut stale, mut unused_waivers) = (Vec::new(), Vec::new());
        for w in &self.waivers {
            let its: Vec<&Row> = rows.iter().filter(|r| w.is_for(r)).collect();
            let standings: Vec<Standing> = its.iter().map(|r| w.standing(r)).collect();
            let sees_all = match &w.cases {
                Cases::One(_) => true,
                Cases::Prefix(prefix) => !filtered && its.iter().all(|r| covered(prefix, r, paths)),
            };
            let stays = standings.iter().any(|s| matches!(s, Standing::Fails | Standing::Undecided));
            if standings.is_empty() && !filtered {
                unused_waivers.push(format!("{}:{}: {}", self.file.display(), w.line, w.cases));
            } else if sees_all && !stays && standings.contains(&Standing::Passes) {
                stale.push(self.unexpected_pass(w));
            }
        }
        for row in &mut rows {
            let waivers: Vec<&Waiver> = self.waivers.iter().filter(|w| w.is_for(row)).collect();
            for (column, outcome) in &mut row.cells {
                if let Outcome::Fail(failure) = outcome
                    && let Some(w) = waivers.iter().find(|w| w.judges(*column))
                {
                    *outcome = Outcome::Waived { reason: w.reason.clone(), failure: failure.clone() };
                }
            }
        }
        rows.extend(stale);
        Report { rows, unused_waivers, coverage: None }
    }

    fn unexpected_pass(&self, w: &Waiver) -> Row {
        let column = w.column.unwrap_or(Column::Expected);
        let what = format!("unexpected pass of {}, waived because: {}", w.cases, w.reason);
        let place = Some(format!("{}:{}", self.file.display(), w.line));
        let failure = Failure { what, stage: None, place };
        Row {
            program: self.file.display().to_string(),
            case: w.line.to_string(),
            cells: vec![(column, Outcome::Fail(failure))],
            ..Row::default()
        }
    }
}

/// Where the folders of a program's path begin, and the path itself.
fn starts(program: &str) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(program.match_indices('/').map(|(i, _)| i + 1))
}

/// Whether these paths are of all cases that the prefix is for where it is for this one. No path is of all programs that could be generated.
fn covered(prefix: &str, row: &Row, paths: &[PathBuf]) -> bool {
    let name = row.name();
    let meant = starts(&row.program).filter(|start| name[*start..].starts_with(prefix));
    let mut wholes = meant.map(|start| &name[..start + prefix.len()]);
    let is_in = |whole: &str, path: &Path| {
        let path = path.to_string_lossy();
        whole.strip_prefix(path.trim_end_matches('/')).is_some_and(|rest| rest.starts_with(['/', ':']))
    };
    wholes.all(|whole| paths.iter().any(|path| is_in(whole, path)))
}

impl Waiver {
    /// Whether the case's name is meant, with all or only the last folders of its path: where the suite lies makes no difference.
    fn is_for(&self, row: &Row) -> bool {
        let name = row.name();
        starts(&row.program).any(|start| match &self.cases {
            Cases::One(case) => name[start..] == *case,
            Cases::Prefix(prefix) => name[start..].starts_with(prefix.as_str()),
        })
    }

    fn judges(&self, column: Column) -> bool {
        self.column.is_none_or(|c| c == column)
    }

    fn standing(&self, row: &Row) -> Standing {
        let any = |p: fn(&Outcome) -> bool| row.cells.iter().any(|(c, o)| self.judges(*c) && p(o));
        // a case that the time budget has left out says nothing of any column
        let left_out = row.cells.iter().all(|(_, o)| matches!(o, Outcome::Skipped { .. }));
        if any(Outcome::is_fail) {
            Standing::Fails
        } else if left_out || any(|o| matches!(o, Outcome::Skipped { .. })) {
            Standing::Undecided
        } else if any(|o| matches!(o, Outcome::Ok { .. })) {
            Standing::Passes
        } else if any(|o| matches!(o, Outcome::Inconclusive { .. })) {
            Standing::Undecided
        } else {
            Standing::NotAsked
        }
    }
}

impl fmt::Display for Cases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cases::One(case) => f.write_str(case),
            Cases::Prefix(prefix) => write!(f, "{prefix}*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Verdict;

    fn waivers(text: &str) -> Waivers {
        Waivers::parse(Path::new("w.toml"), text).unwrap()
    }

    fn row(program: &str, case: &str, cells: &[(Column, Outcome)]) -> Row {
        Row { program: program.into(), case: case.into(), cells: cells.to_vec(), ..Row::default() }
    }

    /// The report of a run of these rows, which are all cases below these paths.
    fn applied(text: &str, rows: Vec<Row>, paths: &[&str]) -> Report {
        waivers(text).apply(rows, &paths.iter().map(PathBuf::from).collect::<Vec<_>>(), false)
    }

    const ON_NUMERICS: &str = "[[waiver]]\ncase = \"ad/a.fut:main#1\"\ncolumn = \"numerics\"\nreason = \"a kink\"\n";
    const ON_ALL: &str = "[[waiver]]\ncase = \"ad/*\"\nreason = \"not yet\"\n";

    #[test]
    fn a_failure_is_waived_in_its_case_and_column_only() {
        let rows = vec![
            row("x/ad/a.fut", "main#1", &[(Column::Expected, Outcome::ok()), (Column::Numerics, Outcome::fail("1"))]),
            row("x/ad/a.fut", "main#10", &[(Column::Numerics, Outcome::fail("2"))]),
            row("x/bad/a.fut", "main#1", &[(Column::Numerics, Outcome::fail("3"))]),
            row("ad/a.fut", "main#1", &[(Column::Identity, Outcome::fail("4"))]),
        ];
        let report = applied(ON_NUMERICS, rows, &["x", "ad"]);
        let failure = Failure { what: "1".into(), stage: None, place: None };
        let waived = Outcome::Waived { reason: "a kink".into(), failure };
        assert_eq!(report.rows[0].outcome(Column::Numerics), waived);
        assert_eq!(report.rows[0].verdict(), Verdict::Skipped);
        assert_eq!(report.counts(), (0, 3, 1));
        assert_eq!(report.unused_waivers, Vec::<String>::new());
    }

    #[test]
    fn a_prefix_is_for_all_that_begins_with_it() {
        let fails = [(Column::Passes, Outcome::fail("1")), (Column::Identity, Outcome::fail("2"))];
        let rows =
            vec![row("ad/a.fut", "main#1", &fails), row("ad/b/c.fut", "f#1", &fails), row("b.fut", "f#1", &fails)];
        assert_eq!(applied(ON_ALL, rows, &["ad", "b.fut"]).counts(), (0, 1, 2));
    }

    #[test]
    fn a_waiver_whose_cases_all_pass_fails() {
        let pass =
            |case| row("ad/a.fut", case, &[(Column::Expected, Outcome::ok()), (Column::Numerics, Outcome::ok())]);
        let report = applied(ON_ALL, vec![pass("main#1"), pass("main#2")], &["ad"]);
        assert_eq!(report.counts(), (2, 1, 0));
        assert_eq!(report.rows[2].name(), "w.toml:2");
        let told: Vec<_> = report.rows[2].failures().map(|(c, f)| (c, f.what.as_str())).collect();
        assert_eq!(told, [(Column::Expected, "unexpected pass of ad/*, waived because: not yet")]);

        // one of them still fails; or was not decided
        let fails = row("ad/a.fut", "main#3", &[(Column::Expected, Outcome::fail("1"))]);
        assert_eq!(applied(ON_ALL, vec![pass("main#1"), fails], &["ad"]).counts(), (1, 0, 1));
        let skipped = row("ad/a.fut", "main#3", &[(Column::Expected, Outcome::skipped("no device"))]);
        assert_eq!(applied(ON_ALL, vec![pass("main#1"), skipped], &["ad"]).counts(), (1, 0, 1));
        // a filter may have left out the one that fails, but not where there is but one
        let filtered = |text: &str| waivers(text).apply(vec![pass("main#1")], &["ad".into()], true);
        assert_eq!(filtered(ON_ALL).counts(), (1, 0, 0));
        assert_eq!(filtered(ON_NUMERICS).counts(), (1, 1, 0));
    }

    #[test]
    fn a_prefix_is_judged_where_all_that_it_is_for_has_run() {
        let rows = |program: &str| {
            let passes = [(Column::Expected, Outcome::ok()), (Column::Numerics, Outcome::ok())];
            vec![row(program, "main#1", &passes)]
        };
        let waiver = |case: &str| format!("[[waiver]]\ncase = \"{case}\"\ncolumn = \"numerics\"\nreason = \"why\"\n");
        let stale =
            |case: &str, program: &str, paths: &[&str]| applied(&waiver(case), rows(program), paths).counts().1 == 1;
        let program = "x/suite/ad/a.fut";
        for path in ["x", "x/", "x/suite", "x/suite/ad"] {
            assert!(stale("suite/ad/*", program, &[path]), "{path}");
        }
        assert!(stale("a.fut:*", program, &[program]) && stale("a.fut:main*", program, &["y", program]));
        // other programs of the folder, or of the same beginning, have not run
        assert!(!stale("suite/ad/*", program, &[program]) && !stale("suite/ad/a*", program, &[program]));
        assert!(!stale("x/suite/a*", program, &["x/suite/ad"]) && !stale("x/suite/ad*", program, &["x/suite/ad"]));
        // the folder of the same name elsewhere has not
        let both = [rows("x/ad/a.fut"), rows("y/ad/a.fut")].concat();
        assert_eq!(applied(&waiver("ad/*"), both, &["x", "y/ad/a.fut"]).counts(), (2, 0, 0));
        // there are always more
        assert!(!stale("generated/source:*", "generated/source", &["x"]));
    }

    #[test]
    fn what_the_time_budget_has_left_out_is_undecided() {
        let left_out = row("ad/a.fut", "main#2", &[(Column::Expected, Outcome::skipped("the time budget is spent"))]);
        let passes = row("ad/a.fut", "main#1", &[(Column::Expected, Outcome::ok()), (Column::Numerics, Outcome::ok())]);
        let waiver = "[[waiver]]\ncase = \"ad/*\"\ncolumn = \"numerics\"\nreason = \"why\"\n";
        assert_eq!(applied(waiver, vec![passes, left_out], &["ad"]).counts(), (1, 0, 1));
    }

    #[test]
    fn a_column_that_is_not_asked_is_no_unexpected_pass() {
        for outcome in [Outcome::absent(""), Outcome::inconclusive("a kink")] {
            let rows =
                vec![row("ad/a.fut", "main#1", &[(Column::Expected, Outcome::ok()), (Column::Numerics, outcome)])];
            assert_eq!(applied(ON_NUMERICS, rows, &["ad"]).counts(), (1, 0, 0));
        }
    }

    #[test]
    fn a_waiver_for_no_case_is_unused_unless_there_is_a_filter() {
        let rows = || vec![row("b.fut", "main#1", &[(Column::Expected, Outcome::ok())])];
        let report = applied(ON_NUMERICS, rows(), &["b.fut"]);
        assert_eq!(
            (report.counts(), report.unused_waivers),
            ((1, 0, 0), vec!["w.toml:2: ad/a.fut:main#1".to_string()])
        );
        let filtered = waivers(ON_NUMERICS).apply(rows(), &["b.fut".into()], true);
        assert_eq!(filtered.unused_waivers, Vec::<String>::new());
    }

    #[test]
    fn what_is_no_list_of_waivers_is_told_with_its_line() {
        let told = |text: &str| Waivers::parse(Path::new("w.toml"), text).map_err(|e| e.to_string()).unwrap_err();
        let ok = "[[waiver]]\ncase = \"a\"\nreason = \"b\"\n";
        let after = |text: &str| told(&format!("{ok}{text}"));
        assert_eq!(after("[[waiver]]\ncase = \"a\"\nreason = \" \"\n"), "w.toml:6: `reason` is empty");
        assert_eq!(after("[[waiver]]\ncase = \"*\"\nreason = \"b\"\n"), "w.toml:5: `case` names no case");
        assert_eq!(after("[[waiver]]\ncase = \"a\"\n"), "w.toml:4: missing field `reason`");
        let column = after("[[waiver]]\ncase = \"a\"\ncolumn = \"numeric\"\nreason = \"b\"\n");
        assert!(column.starts_with("w.toml:6: unknown variant `numeric`"), "{column}");
        let field = after("[[waiver]]\ncase = \"a\"\nreasons = \"b\"\n");
        assert!(field.starts_with("w.toml:6: unknown field `reasons`"), "{field}");
        assert!(after("case = = 1\n").starts_with("w.toml:4: "));
        let missing = Waivers::read(Path::new("/no/such/waivers.toml")).map_err(|e| e.to_string()).unwrap_err();
        assert!(missing.starts_with("/no/such/waivers.toml: "), "{missing}");
    }

    #[test]
    fn the_committed_file_reads() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("waivers.toml");
        assert_eq!(Waivers::read(&file), Ok(Waivers { file, waivers: vec![] }));
    }
}
