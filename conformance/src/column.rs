//! The oracles, one file each. Every one is a function of a [`Subject`] and gives an [`Outcome`].

pub mod backend;
pub mod by_definition;
pub mod determinism;
pub mod errors;
pub mod expected;
pub mod identity;
pub mod interp;
pub mod numerics;
pub mod passes;
pub mod strict;

use crate::report::{Column, Failure, Outcome};
use crate::subject::{EntryProgram, Staged, Stages, Stopped, Subject, context, places};
use crate::tolerance::{Bounds, difference};
use futi_core::failure::RuntimeError;
use futi_core::ir::ProvTable;
use futi_core::passes::pipeline::Stage;
use futi_core::value::Value;

/// Why an oracle of results has none to judge; the column `errors` does then.
const FAILS: &str = "the program fails";

/// What two runs of one program, in two ways, have to do with each other; none if they agree. A failure agrees with one of the same kind.
fn disagreement(
    s: &Subject,
    got: &Result<Vec<Value>, RuntimeError>,
    got_prov: &ProvTable,
    expected: &Result<Vec<Value>, RuntimeError>,
    bounds: &Bounds,
) -> Option<Failure> {
    let failure = |what: String, place| Some(Failure { what, stage: None, place });
    match (got, expected) {
        (Ok(got), Ok(expected)) => difference(got, expected, bounds).and_then(|d| failure(d.to_string(), None)),
        (Err(e), Err(expected)) if e.kind == expected.kind => None,
        (Err(e), Err(expected)) => failure(format!("fails with `{e}`, expected `{expected}`"), place(s, e, got_prov)),
        (Err(e), Ok(_)) => failure(format!("fails with `{e}`, expected results"), place(s, e, got_prov)),
        (Ok(_), Err(e)) => failure(format!("gives results, expected the failure `{e}`"), None),
    }
}

/// The innermost place of a failure.
fn place(s: &Subject, e: &RuntimeError, prov: &ProvTable) -> Option<String> {
    places(e, prov, s.sources).into_iter().next()
}

/// Runs the stages from `from` on in the interpreter, at these arguments, and compares each with what is expected: the first that differs.
fn judge_stages(
    s: &Subject,
    stages: &Stages,
    from: Stage,
    entry: &str,
    args: &[Value],
    expected: &Result<Vec<Value>, RuntimeError>,
    bounds: &Bounds,
) -> Option<Outcome> {
    for Staged { stage, program, code } in stages.reached.iter().filter(|r| r.stage >= from) {
        let got = code.call(entry, args.to_vec(), &context());
        if let Some(failure) = disagreement(s, &got, &program.prov, expected, bounds) {
            return Some(Outcome::Fail(Failure { stage: Some(stage.name().into()), ..failure }));
        }
    }
    match &stages.stopped {
        None => None,
        Some(Stopped::IllFormed(stage, what)) => Some(Outcome::Fail(Failure {
            what: format!("the program is ill-formed: {what}"),
            stage: Some(stage.name().into()),
            place: None,
        })),
        Some(Stopped::NotDifferentiable(_, what)) => Some(Outcome::skipped(format!("no rule of AD for {what}"))),
    }
}
