//! The oracles, one file each. Every one is a function of a [`Subject`] and gives an [`Outcome`].

pub mod backend;
pub mod by_definition;
pub mod expected;
pub mod identity;
pub mod interp;
pub mod numerics;
pub mod passes;

use crate::report::{Failure, Outcome};
use crate::subject::{EntryProgram, Staged, Stages, Stopped, Subject, context, places};
use crate::tolerance::{Closeness, Comparison, Tolerance};
use futi_core::failure::RuntimeError;
use futi_core::ir::ProvTable;
use futi_core::passes::pipeline::Stage;
use futi_core::value::Value;

/// What two runs of one program, in two ways, have to do with each other. A failure agrees with one of the same kind.
fn comparison(
    s: &Subject,
    got: &Result<Vec<Value>, RuntimeError>,
    got_prov: &ProvTable,
    expected: &Expected,
) -> Outcome {
    let failure = |what: String, place| Outcome::Fail(Failure { what, stage: None, place });
    match (got, expected) {
        (Ok(got), Ok(tolerance)) => match tolerance.compare(got) {
            Comparison::Agrees(closeness) => Outcome::within(closeness),
            Comparison::IllConditioned(reason) => Outcome::ill_conditioned(reason),
            Comparison::Differs(difference) => failure(difference.to_string(), None),
        },
        (Err(e), Err(expected)) if e.kind == expected.kind => Outcome::ok(),
        (Err(e), Err(expected)) => failure(format!("fails with `{e}`, expected `{expected}`"), place(s, e, got_prov)),
        (Err(e), Ok(_)) => failure(format!("fails with `{e}`, expected results"), place(s, e, got_prov)),
        (Ok(_), Err(e)) => failure(format!("gives results, expected the failure `{e}`"), None),
    }
}

/// What a run is held against: results with how far others may be off, or a failure.
type Expected<'a> = Result<Tolerance<'a>, &'a RuntimeError>;

/// What runs of a program at these arguments are held against.
fn expected_of<'a>(
    s: &Subject,
    program: &'a EntryProgram,
    args: &'a [Value],
    results: &'a Result<Vec<Value>, RuntimeError>,
) -> Expected<'a> {
    results.as_ref().map(|results| program.tolerance(args, results, &s.rng))
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
    expected: &Expected,
) -> Outcome {
    let mut closeness = Closeness::SAME;
    for Staged { stage, program, code } in stages.reached.iter().filter(|r| r.stage >= from) {
        let got = code.call(entry, args.to_vec(), &context());
        match comparison(s, &got, &program.prov, expected) {
            Outcome::Ok { closeness: c, .. } => closeness = closeness.max(c),
            Outcome::Fail(failure) => return Outcome::Fail(Failure { stage: Some(stage.name().into()), ..failure }),
            no_verdict => return no_verdict,
        }
    }
    match &stages.stopped {
        None => Outcome::within(closeness),
        Some(Stopped::IllFormed(stage, what)) => Outcome::Fail(Failure {
            what: format!("the program is ill-formed: {what}"),
            stage: Some(stage.name().into()),
            place: None,
        }),
        Some(Stopped::NotDifferentiable(_, what)) => Outcome::skipped(format!("no rule of AD for {what}")),
    }
}
