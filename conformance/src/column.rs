//! The oracles, one file each. Every one is a function of a [`Subject`] and gives an [`Outcome`].

pub mod backend;
pub mod by_definition;
pub mod determinism;
pub mod errors;
pub mod expected;
pub mod identity;
pub mod interp;
pub mod metamorphic;
pub mod numerics;
pub mod passes;
pub mod reference;
pub mod strict;

use crate::columns::Column;
use crate::row::{Failure, Outcome};
use crate::stages::{EntryProgram, Staged, Stages, Stopped, context, places};
use crate::subject::{Derived, Subject};
use crate::tolerance::{Closeness, Comparison, Tolerance};
use futi_core::ad::entry::Mode;
use futi_core::driver::pipeline::Stage;
use futi_core::failure::RuntimeError;
use futi_core::ir::ProvTable;
use futi_core::value::Value;

/// Why an oracle of results has none to judge; the column `errors` does then.
const FAILS: &str = "the program fails";

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
        (Err(e), Ok(tolerance)) => match tolerance.failure(e) {
            Some(reason) => Outcome::ill_conditioned(reason),
            None => failure(format!("fails with `{e}`, expected results"), place(s, e, got_prov)),
        },
        (Ok(_), Err(e)) => failure(format!("gives results, expected the failure `{e}`"), None),
    }
}

/// What a run is held against: results with how far others may be off, or a failure.
type Expected<'a> = Result<Tolerance<'a>, &'a RuntimeError>;

/// Several verdicts as one: the first failure, else the first that is none, else agreement with the last word on it. What is no verdict hides no
/// failure that comes after it.
fn worst(verdicts: impl IntoIterator<Item = Outcome>) -> Outcome {
    let rank = |o: &Outcome| match o {
        Outcome::Fail(_) => 0,
        Outcome::Inconclusive { .. } | Outcome::IllConditioned { .. } => 1,
        Outcome::NoRule { .. } | Outcome::Skipped { .. } | Outcome::Waived { .. } => 2,
        Outcome::Ok { note, .. } if !note.is_empty() => 3,
        Outcome::Ok { .. } => 4,
        Outcome::Absent { .. } => 5,
    };
    let both = |a: Outcome, b: Outcome| match (a, b) {
        (Outcome::Ok { note, closeness: a }, Outcome::Ok { note: other, closeness: b }) => {
            Outcome::Ok { note: if note.is_empty() { other } else { note }, closeness: a.max(b) }
        }
        (a, b) => {
            if rank(&b) < rank(&a) {
                b
            } else {
                a
            }
        }
    };
    verdicts.into_iter().reduce(both).unwrap_or(Outcome::ok())
}

/// The same verdict on something that has a name, which failures begin with.
fn named(prefix: &str, verdict: Outcome) -> Outcome {
    match verdict {
        Outcome::Fail(f) => Outcome::Fail(Failure { what: format!("{prefix}{}", f.what), ..f }),
        verdict => verdict,
    }
}

/// What runs of a program at these arguments are held against.
fn expected_of<'a>(
    s: &Subject,
    program: &'a EntryProgram,
    args: &'a [Value],
    results: &'a Result<Vec<Value>, RuntimeError>,
) -> Expected<'a> {
    results.as_ref().map(|results| Tolerance::new(program, args, results, &s.rng))
}

/// What runs of a derivative are held against.
fn expected_of_derivative<'a>(
    s: &'a Subject,
    d: &'a Derived,
    args: &'a [Value],
    results: &'a Result<Vec<Value>, RuntimeError>,
) -> Expected<'a> {
    let cuts = d.mode == Mode::Reverse && s.entry.cuts_adjoints();
    let reason = "adjoints are converted to integers, each term or their sum";
    expected_of(s, &d.program, args, results).map(|results| if cuts { results.open(reason) } else { results })
}

/// The innermost place of a failure.
fn place(s: &Subject, e: &RuntimeError, prov: &ProvTable) -> Option<String> {
    places(e, prov, s.sources).into_iter().next()
}

/// Runs the stages from `from` on in the interpreter, at these arguments, and compares each with what is expected.
fn judge_stages(
    s: &Subject,
    stages: &Stages,
    from: Stage,
    entry: &str,
    args: &[Value],
    expected: &Expected,
) -> Outcome {
    let of = |staged: &Staged| {
        let got = staged.code.call(entry, args.to_vec(), &context());
        match comparison(s, &got, &staged.program.prov, expected) {
            Outcome::Fail(failure) => Outcome::Fail(Failure { stage: Some(staged.name()), ..failure }),
            verdict => verdict,
        }
    };
    let stopped = stages.stopped.iter().map(|stopped| match stopped {
        Stopped::IllFormed(stage, what) => Outcome::Fail(Failure {
            what: format!("the program is ill-formed: {what}"),
            stage: Some(stage.name().into()),
            place: None,
        }),
        Stopped::NotDifferentiable(_, what) => Outcome::no_rule(format!("no rule of AD for {what}")),
    });
    worst(stages.from(from).map(of).chain(stopped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_verdict_hides_no_failure() {
        let (ok, ill, none) = (Outcome::ok, || Outcome::ill_conditioned("x"), || Outcome::no_rule("y"));
        let fail = || Outcome::fail("z");
        assert_eq!(worst([ok(), ill(), none(), fail(), ok()]), fail());
        assert_eq!(worst([ok(), none(), ill()]), ill());
        assert_eq!(worst([none(), ok(), Outcome::absent("w")]), none());
        // the first of two alike
        assert_eq!(worst([Outcome::fail("a"), Outcome::fail("b")]), Outcome::fail("a"));
        assert_eq!(worst([]), ok());
    }

    #[test]
    fn agreements_add_up() {
        let near = |ratio: f64| Outcome::within(Closeness { ratio, ulps: 10.0 * ratio });
        assert_eq!(worst([near(0.25), near(0.5), near(0.125)]), near(0.5));
        let Outcome::Ok { note, closeness } = worst([near(0.25), Outcome::ok_note("dead"), Outcome::absent("w")])
        else {
            panic!()
        };
        assert_eq!((note.as_str(), closeness.ratio), ("dead", 0.25));
    }
}
