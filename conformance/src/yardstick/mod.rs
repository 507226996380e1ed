//! The yardstick: how much of other people's programs the language, the compiler's checks and the interpreter are up to.
//!
//! Three figures, over a folder of programs with Futhark's test blocks. What takes too long, crashes, is skipped or not supported fails.
//!
//! - (a) of the cases whose input and expectation stand in the test block, how many pass on the interpreter;
//! - (b) of the programs that must be accepted, how many are;
//! - (c) of the programs that must be rejected, how many are, with a diagnostic that says what is wrong: it matches the text asked for, or is of its
//!   class ([`class`]).

pub mod class;
mod status;

pub use status::Status;

use crate::suite::{self, NotFound, TestProgram, What};
use crate::tester::{self, CaseReport, Cause, Mode, Report, Verdict, literal};
use futi_core::hash::HashMap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// So many reasons of each kind are printed.
const SHOWN: usize = 25;

/// What there is in a folder of programs, and how much of it works.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Yardstick {
    /// How many files.
    pub files: usize,
    /// How many things their test blocks ask for.
    pub cases: usize,
    /// The figure (a).
    pub literal: Figure,
    /// The figure (b).
    pub accepted: Figure,
    /// The figure (c).
    pub rejected: Figure,
    /// Of the programs that are rejected as they must be, how many are so by the text asked for; the others by its class.
    pub by_text: usize,
    /// Files whose test blocks cannot be read, with why.
    pub unread: Vec<(String, String)>,
    /// Passed cases that a strict tolerance would not have let pass.
    pub loose: usize,
}

/// So many of so many, and why not the others.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figure {
    /// How many do what they should.
    pub passed: usize,
    /// How many there are.
    pub of: usize,
    /// The reasons of those that do not, each with the names of those that it is the reason of.
    pub reasons: BTreeMap<String, Vec<String>>,
}

impl Figure {
    fn count(&mut self, name: &str, reason: Option<String>) {
        self.of += 1;
        match reason {
            None => self.passed += 1,
            Some(reason) => self.reasons.entry(reason).or_default().push(name.to_string()),
        }
    }

    fn percent(&self) -> f64 {
        100.0 * self.passed as f64 / self.of.max(1) as f64
    }
}

/// Runs the programs, under the limits of these options.
///
/// # Errors
/// A path that cannot be read.
pub fn run(options: &tester::Options) -> Result<(Yardstick, Report), NotFound> {
    let programs = suite::find(&options.paths)?;
    let options =
        tester::Options { mode: Mode::Literal, backend: "interp".into(), constructs: true, ..options.clone() };
    let report = tester::run(&options)?;
    Ok((measure(&programs, &report), report))
}

/// The figures of a report on these programs.
fn measure(programs: &[TestProgram], report: &Report) -> Yardstick {
    let tests: HashMap<String, &TestProgram> = programs.iter().map(|p| (p.path.display().to_string(), p)).collect();
    let asked = programs.iter().map(|p| p.cases.len()).sum();
    let mut y = Yardstick { files: programs.len(), cases: asked, ..Yardstick::default() };
    for (program, case) in report.cases() {
        let what = tests.get(program).and_then(|t| t.cases.iter().find(|c| c.name == case.case)).map(|c| &c.what);
        let name = format!("{program}:{}", case.case);
        y.loose += usize::from(case.strict.is_some());
        match what {
            Some(What::CompileError(pattern)) => {
                let passed = rejection(&pattern.to_string(), case);
                y.by_text += usize::from(case.verdict == Verdict::Passed);
                y.rejected.count(&name, passed.err());
            }
            Some(What::CannotRun(why)) => y.unread.push((program.to_string(), why.clone())),
            Some(what) if literal(what) => y.literal.count(&name, reason(case)),
            _ => y.accepted.count(program, reason(case)),
        }
    }
    y
}

/// Whether a program that must be rejected is, for what is wrong with it; why not.
fn rejection(asked: &str, case: &CaseReport) -> Result<(), String> {
    match &case.verdict {
        Verdict::Failed { cause: Cause::OtherDiagnostic(_), what } if class::same(asked, &class::messages(what)) => {
            Ok(())
        }
        _ => reason(case).map_or(Ok(()), Err),
    }
}

/// Why a case did not do what it should, to count by; none if it did.
fn reason(case: &CaseReport) -> Option<String> {
    let (cause, what) = match &case.verdict {
        Verdict::Passed => return None,
        Verdict::Skipped { reason } => return Some(format!("skipped: {reason}")),
        Verdict::Failed { cause, what } => (cause, what),
    };
    let first = what.lines().next().unwrap_or_default();
    Some(match cause {
        Cause::NotSupported(what) => format!("not supported: {}", anonymous(what)),
        Cause::Rejected(_) => format!("rejected: {}", anonymous(message(what))),
        Cause::Accepted => "accepted, but must be rejected".into(),
        Cause::OtherDiagnostic(codes) => format!("rejected, but for {}", codes.join(", ")),
        Cause::Warning => "warnings".into(),
        Cause::Result => "wrong result".into(),
        Cause::Fails(kind) => format!("fails: {kind}"),
        Cause::NoFailure => "results where a failure is expected".into(),
        Cause::OtherFailure => "another failure than the one expected".into(),
        Cause::Input => format!("input: {}", anonymous(first)),
        Cause::Structure | Cause::Property | Cause::Test => first.to_string(),
        Cause::Defect => format!("defect: {first}"),
        Cause::Crash => format!("crash: {first}"),
        Cause::Time => "too slow".into(),
        Cause::Memory => "too much memory".into(),
    })
}

/// The first message of rendered diagnostics.
fn message(rendered: &str) -> &str {
    rendered.lines().find(|line| line.starts_with("[E")).unwrap_or("")
}

/// A message without what is particular to a program: names in quotation marks, but those of one word that follow `Unknown`.
fn anonymous(message: &str) -> String {
    if message.contains("Unknown") {
        return message.to_string();
    }
    let parts = message.split('"').enumerate();
    parts.map(|(i, part)| if i % 2 == 0 { part } else { "…" }).collect::<Vec<_>>().join("\"")
}

impl fmt::Display for Yardstick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} files, {} cases", self.files, self.cases)?;
        let line = |f: &mut fmt::Formatter<'_>, what: &str, figure: &Figure| {
            writeln!(f, "{what}: {} of {} ({:.1} %)", figure.passed, figure.of, figure.percent())
        };
        line(f, "(a) cases with literal input and expectation that pass on the interpreter", &self.literal)?;
        line(f, "(b) programs that must be accepted and are", &self.accepted)?;
        line(f, "(c) programs that must be rejected and are, for what is wrong with them", &self.rejected)?;
        let by_class = self.rejected.passed - self.by_text;
        writeln!(f, "    {} by the text that is asked for, {by_class} by its class in other words", self.by_text)?;
        writeln!(f, "{} of the cases that pass would not within a strict tolerance", self.loose)?;
        for (name, figure) in [("(a)", &self.literal), ("(b)", &self.accepted), ("(c)", &self.rejected)] {
            writeln!(f, "\nwhy not {name}:")?;
            let mut reasons: Vec<_> = figure.reasons.iter().collect();
            reasons.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
            for (reason, names) in reasons.iter().take(SHOWN) {
                let (n, example) = (names.len(), names.first().map_or("", |name| name));
                writeln!(f, "{n:6}  {reason}  ({example})")?;
            }
            let rest = &reasons[reasons.len().min(SHOWN)..];
            if !rest.is_empty() {
                let n: usize = rest.iter().map(|(_, names)| names.len()).sum();
                writeln!(f, "{n:6}  {} other reasons", rest.len())?;
            }
        }
        if !self.unread.is_empty() {
            writeln!(f, "\ntest blocks that cannot be read:")?;
            self.unread.iter().try_for_each(|(file, why)| writeln!(f, "  {file}: {why}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tester::ProgramReport;

    fn case(name: &str, verdict: Verdict) -> CaseReport {
        CaseReport { case: name.into(), verdict, strict: None, seconds: 0.0 }
    }

    fn failed(cause: Cause, what: &str) -> Verdict {
        Verdict::Failed { cause, what: what.into() }
    }

    /// Two programs that must be accepted, with three literal cases, and three that must be rejected.
    #[test]
    fn everything_but_what_passes_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
        write("a.fut", "-- ==\n-- input { 1 } output { 1 }\n-- input { 2 } output { 2 }\n-- random input { i32 }\n");
        write("b.fut", "-- ==\n-- input { 1 } error: x\n");
        ["c.fut", "d.fut", "e.fut"].into_iter().for_each(|name| write(name, "-- ==\n-- error: consumed\n"));
        write("f.fut", "-- ==\n-- inptu\n");
        let programs = suite::find(&[folder.path().into()]).unwrap();
        let of = |name: &str, cases| ProgramReport { program: path(name).display().to_string(), cases, tree: None };
        let other = |message: &str| {
            failed(Cause::OtherDiagnostic(vec!["E0301".into()]), &format!("is rejected\n[E0301] Error: {message}"))
        };
        let report = Report {
            programs: vec![
                of(
                    "a.fut",
                    vec![
                        case("compiles", Verdict::Passed),
                        case("main#1", Verdict::Passed),
                        case("main#2", failed(Cause::Time, "late")),
                    ],
                ),
                of(
                    "b.fut",
                    vec![
                        case("compiles", failed(Cause::NotSupported("Slices of \"x\".".into()), "")),
                        case("main#1", Verdict::Skipped { reason: "why".into() }),
                    ],
                ),
                of("c.fut", vec![case("error", Verdict::Passed)]),
                of("d.fut", vec![case("error", other("The array was consumed."))]),
                of("e.fut", vec![case("error", other("Types differ."))]),
                of("f.fut", vec![case("test block", failed(Cause::Test, "line 2"))]),
            ],
        };
        let y = measure(&programs, &report);
        assert_eq!((y.files, y.cases), (6, 8));
        assert_eq!((y.literal.passed, y.literal.of), (1, 3));
        assert_eq!((y.accepted.passed, y.accepted.of), (1, 2));
        assert_eq!((y.rejected.passed, y.rejected.of, y.by_text), (2, 3, 1));
        assert_eq!(y.unread.len(), 1);
        let reasons: Vec<_> =
            y.literal.reasons.keys().chain(y.accepted.reasons.keys()).chain(y.rejected.reasons.keys()).collect();
        assert_eq!(reasons, ["skipped: why", "too slow", "not supported: Slices of \"…\".", "rejected, but for E0301"]);
    }
}
