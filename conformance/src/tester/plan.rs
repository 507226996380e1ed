//! Which cases of a program are run, and which are skipped.

use super::Options;
use crate::spec::{Expect, Input};
use crate::suite::{Case, TestProgram, What};
use serde::{Deserialize, Serialize};

/// What to do with programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Mode {
    /// All that their test blocks ask for, but counts of IR nodes.
    Run,
    /// The same, but cases that are too much for an interpreter (tagged `compiled`).
    Interpret,
    /// Whether they are accepted or rejected.
    Typecheck,
    /// Counts of IR nodes, and nothing else.
    Structure,
    /// Whether they are accepted or rejected, and the cases whose input and expectation are written down.
    Literal,
    /// Whether `jvp` by transformation is `jvp` by definition, at the first case of each entry point whose input and result are written down.
    Jvp,
    /// The same of `vjp`.
    Vjp,
}

/// Whether input and expectation of a case stand in the test block.
pub fn literal(what: &What) -> bool {
    let What::Run { case, .. } = what else { return false };
    matches!(case.input, Input::Values(_)) && matches!(case.expect, Expect::Values(_) | Expect::Error(_))
}

/// The cases of a program in this mode.
pub(super) fn cases(test: &TestProgram, mode: Mode) -> Vec<Case> {
    let rejected = test.cases.iter().any(|c| matches!(c.what, What::CompileError(_)));
    let accepted = || Case { name: "compiles".into(), what: What::Compiles };
    let judged = |c: &&Case| matches!(c.what, What::CompileError(_) | What::CannotRun(_));
    let of = |keep: &dyn Fn(&Case) -> bool| test.cases.iter().filter(|c| keep(c)).cloned().collect::<Vec<_>>();
    match mode {
        Mode::Run | Mode::Interpret => {
            let found = of(&|c| !matches!(c.what, What::Structure(_)));
            if found.is_empty() { vec![accepted()] } else { found }
        }
        Mode::Jvp | Mode::Vjp => {
            let with_result =
                |c: &Case| matches!(&c.what, What::Run { case, .. } if !matches!(case.expect, Expect::Error(_)));
            of(&|c| literal(&c.what) && with_result(c) && c.name.ends_with("#1"))
        }
        Mode::Structure => of(&|c| matches!(c.what, What::Structure(_) | What::CannotRun(_))),
        Mode::Typecheck | Mode::Literal => {
            let first = (!rejected && !test.cases.iter().any(|c| matches!(c.what, What::CannotRun(_)))).then(accepted);
            let of_mode = |c: &Case| match mode {
                Mode::Typecheck => judged(&c) || matches!(c.what, What::Warning(_)),
                _ => judged(&c) || literal(&c.what),
            };
            first.into_iter().chain(of(&of_mode)).collect()
        }
    }
}

/// Whether the options ask for a case at all.
pub(super) fn wanted(test: &TestProgram, case: &Case, options: &Options) -> bool {
    let entry = match &case.what {
        What::Run { entry, .. } | What::Property(entry) => Some(entry),
        _ => None,
    };
    let name = format!("{}:{}", test.path.display(), case.name);
    (options.entry_points.is_empty()
        || matches!(case.what, What::CannotRun(_))
        || entry.is_some_and(|e| options.entry_points.contains(e)))
        && options.filter.as_ref().is_none_or(|f| name.contains(f.as_str()))
}

/// Why a case is not run, if it is not.
pub(super) fn skipped(test: &TestProgram, case: &Case, options: &Options) -> Option<String> {
    let of_case = match &case.what {
        What::Run { case, .. } => &case.tags[..],
        _ => &[],
    };
    let not_here = format!("no_{}", options.backend);
    let excluded = |tag: &&String| {
        let own = ["disable", "notest", not_here.as_str()].contains(&tag.as_str());
        own || options.exclude.contains(tag) || options.mode == Mode::Interpret && *tag == "compiled"
    };
    test.tags.iter().chain(of_case).find(excluded).map(|tag| format!("it is tagged `{tag}`"))
}
