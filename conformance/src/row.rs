//! What oracles say of a case: a row of a report.

use crate::columns::Column;
use crate::tolerance::Closeness;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;

/// What the names of generated programs begin with.
pub const GENERATED: &str = "generated/";

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

    pub(crate) fn cell(&self) -> String {
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

/// The columns in which any of these has something to say.
pub fn columns(rows: &[Row]) -> Vec<Column> {
    let used = |c: &Column| rows.iter().any(|r| r.cells.iter().any(|(d, _)| c == d));
    Column::ALL.into_iter().filter(used).collect()
}
