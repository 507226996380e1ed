//! What came of a run, and how it is printed.

use super::{CaseReport, Cause, Tree, Verdict};
use futi_core::diag::Code;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// What came of a program's cases.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProgramReport {
    /// The program's path.
    pub program: String,
    /// Its cases, in order.
    pub cases: Vec<CaseReport>,
    /// What is in its syntax tree, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Tree>,
}

/// What came of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Report {
    /// The programs of which a case was asked for, in order.
    pub programs: Vec<ProgramReport>,
}

impl Report {
    /// All cases, each with its program.
    pub fn cases(&self) -> impl Iterator<Item = (&str, &CaseReport)> {
        self.programs.iter().flat_map(|p| p.cases.iter().map(|c| (p.program.as_str(), c)))
    }

    /// How many cases passed, failed and were skipped.
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |is: fn(&Verdict) -> bool| self.cases().filter(|(_, c)| is(&c.verdict)).count();
        let failed = count(|v| matches!(v, Verdict::Failed { .. }));
        (count(|v| *v == Verdict::Passed), failed, count(|v| matches!(v, Verdict::Skipped { .. })))
    }

    /// How many of those that failed did so because something is not supported.
    pub fn not_supported(&self) -> usize {
        let code = Code::NotSupported.to_string();
        let is = |v: &Verdict| match v {
            Verdict::Failed { cause: Cause::NotSupported(_), .. } => true,
            Verdict::Failed { cause: Cause::Rejected(codes), .. } => codes.contains(&code),
            _ => false,
        };
        self.cases().filter(|(_, c)| is(&c.verdict)).count()
    }

    /// Whether no case failed.
    pub fn is_green(&self) -> bool {
        self.counts().1 == 0
    }

    /// `N passed, N failed, N skipped`, and if there are such, behind those that failed: `(N not supported)`.
    pub fn closing_line(&self) -> String {
        let (passed, failed, skipped) = self.counts();
        let unsupported = match self.not_supported() {
            0 => String::new(),
            n => format!(" ({n} not supported)"),
        };
        format!("{passed} passed, {failed} failed{unsupported}, {skipped} skipped")
    }

    /// The counts and all cases, as JSON.
    pub fn json(&self) -> serde_json::Value {
        let (passed, failed, skipped) = self.counts();
        serde_json::json!({
            "passed": passed, "failed": failed, "not_supported": self.not_supported(), "skipped": skipped, "programs": self.programs,
        })
    }
}

/// The failures, why cases were skipped, the results that are not as good as they should be, and the closing line.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (program, case) in self.cases() {
            if let Verdict::Failed { what, .. } = &case.verdict {
                writeln!(f, "{program}:{}: FAILED", case.case)?;
                what.trim_end().lines().try_for_each(|line| writeln!(f, "  {line}"))?;
            }
        }
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, case) in self.cases() {
            if let Verdict::Skipped { reason } = &case.verdict {
                *reasons.entry(reason).or_default() += 1;
            }
        }
        reasons.iter().try_for_each(|(reason, n)| writeln!(f, "{n} skipped: {reason}"))?;
        let strict = |(program, case): (_, &CaseReport)| {
            case.strict.clone().map(|what| format!("{program}:{}: {what}", case.case))
        };
        let loose: Vec<String> = self.cases().filter_map(strict).collect();
        if !loose.is_empty() {
            writeln!(f, "{} passed within futhark test's tolerance of 0.002, not within a strict one:", loose.len())?;
            loose.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        }
        writeln!(f, "{}", self.closing_line())
    }
}
