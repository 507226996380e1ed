//! `futi test`: what the test blocks of programs say, and no more. Each program runs in a process of its own, so that one that crashes, hangs or eats
//! the memory is a failure of its case, and the run goes on.
//!
//! [`run`] finds the programs, has processes run them, which are this program again ([`entry_point`]), and gives a [`Report`].
//! What the oracles of the harness say beside the expected results is [`crate::run`]'s to find out.

mod plan;
mod pool;
mod program;
mod report;
mod serve;
#[cfg(test)]
mod tests;

pub use plan::{Mode, literal};
pub use program::mismatch;
pub use report::{ProgramReport, Report};
pub use serve::entry_point;

use crate::suite::{self, NotFound, TestProgram};
use futi_core::failure::FailureKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// The first argument of a process that is to run programs.
pub const ARGUMENT: &str = "--futi-test-child";

/// What a process may take of memory, unless it is told otherwise.
pub const MEMORY: u64 = 4 << 30;

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Programs, and folders of programs.
    pub paths: Vec<PathBuf>,
    /// Which of their cases.
    pub mode: Mode,
    /// What runs them: one of [`crate::child::BUILT_IN`].
    pub backend: String,
    /// Only cases of these entry points, if there are any.
    pub entry_points: Vec<String>,
    /// Programs and cases with one of these tags are skipped.
    pub exclude: Vec<String>,
    /// Only cases whose name (`path:entry#number`) contains this.
    pub filter: Option<String>,
    /// Random data follows from it; that of `random input` is the one of `futhark test` for [`crate::dataset::SEED`].
    pub seed: i64,
    /// How many programs run at a time.
    pub jobs: usize,
    /// How long a case may take; compiling a program may take as long, or a minute.
    pub time_limit: Duration,
    /// How many bytes a process of the interpreter may take.
    pub memory: u64,
    /// Whether test blocks may name files outside of the program's folder.
    pub outside: bool,
    /// How files with tuning parameters beside programs are called: [`futi_embed::tuning`]; none are read without.
    pub tuning: Option<String>,
    /// Whether to say what is in the syntax trees of programs.
    pub constructs: bool,
    /// How long after its start a run may begin another program; those that are left are skipped.
    pub time_budget: Option<Duration>,
    /// Whether to show progress on standard error, if that is a terminal.
    pub progress: bool,
}

impl Default for Options {
    /// The cases of all entry points, by the interpreter, on all processors.
    fn default() -> Self {
        Options {
            paths: Vec::new(),
            mode: Mode::Run,
            backend: "interp".into(),
            entry_points: Vec::new(),
            exclude: Vec::new(),
            filter: None,
            seed: crate::dataset::SEED,
            jobs: std::thread::available_parallelism().map_or(1, |n| n.get()),
            time_limit: Duration::from_secs(60),
            memory: MEMORY,
            outside: false,
            tuning: Some(futi_embed::tuning::EXTENSION.into()),
            constructs: false,
            time_budget: None,
            progress: false,
        }
    }
}

/// What is in the syntax tree of a program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tree {
    /// Whether the whole program could be read.
    pub parses: bool,
    /// The constructs that it uses: [`crate::constructs`].
    pub constructs: BTreeSet<String>,
}

/// What came of a case.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CaseReport {
    /// Its name within the program: `entry#number`, or what else is asked.
    pub case: String,
    /// What came of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Of results that are as expected within Futhark's tolerance of 0.002, but not within one of nine digits (of five for `f32`, of two for `f16`):
    /// the worst difference.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub strict: Option<String>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// Whether a case did what it should.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// It did.
    Passed,
    /// It did not.
    Failed {
        /// In what way.
        cause: Cause,
        /// For people, perhaps in several lines.
        what: String,
    },
    /// It was not run.
    Skipped {
        /// Why.
        reason: String,
    },
}

impl Verdict {
    fn failed(cause: Cause, what: impl Into<String>) -> Verdict {
        Verdict::Failed { cause, what: what.into() }
    }
}

/// In what way a case failed, to count by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The program has a construct that the language or the backend does not support.
    NotSupported(String),
    /// The program is rejected, with these codes of errors.
    Rejected(Vec<String>),
    /// The program is accepted, but must be rejected.
    Accepted,
    /// The program is rejected, as it must, but for another reason.
    OtherDiagnostic(Vec<String>),
    /// No warning is the one that is expected, or there is one too many.
    Warning,
    /// Results that are not those expected.
    Result,
    /// A runtime error of this kind where results are expected.
    Fails(String),
    /// Results where a runtime error is expected.
    NoFailure,
    /// A runtime error other than the one expected.
    OtherFailure,
    /// The entry point is not there, or cannot take the input.
    Input,
    /// Another number of IR nodes.
    Structure,
    /// A property does not hold.
    Property,
    /// The test block is malformed, or the program is no text.
    Test,
    /// A panic, or a failure that says that it is ours.
    Defect,
    /// The process ended.
    Crash,
    /// It took too long.
    Time,
    /// It took too much memory.
    Memory,
}

impl Cause {
    /// A runtime error where none is expected.
    fn of_failure(kind: FailureKind) -> Cause {
        match kind {
            FailureKind::Internal => Cause::Defect,
            FailureKind::Memory => Cause::Memory,
            FailureKind::Fuel | FailureKind::Cancelled => Cause::Time,
            kind => Cause::Fails(format!("{kind:?}")),
        }
    }
}

/// Runs everything that the options ask for.
///
/// # Errors
/// A folder that cannot be read.
pub fn run(options: &Options) -> Result<Report, NotFound> {
    let programs: Vec<TestProgram> = suite::find(&options.paths)?;
    Ok(Report { programs: pool::run(options, &programs) })
}
