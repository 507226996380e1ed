//! The reference itself: the program as lowered is well-formed, its text reads back, a strict run gives the very same result as one element by element,
//! and so does the quicker run, up to the rounding of the sums that reverse mode adds up in another order.

use super::*;
use futi_core::failure::FailureKind;
use futi_core::ir::{Program, check};
use futi_interp::Ctx;

/// Judges the program as lowered and the reference's run.
pub fn judge(s: &Subject) -> Outcome {
    let program = &s.entry.primal.program;
    if let Some(e) = check::errors(program).first() {
        return Outcome::fail(format!("lowering gives an ill-formed program: {e}"));
    }
    match program.to_string().parse::<Program>() {
        Ok(back) if back == *program => {}
        Ok(_) => return Outcome::fail("the program's text reads back as another program"),
        Err(e) => return Outcome::fail(format!("the program's text does not read back: {e}")),
    }
    if let Err(e) = &s.reference
        && e.kind == FailureKind::Internal
    {
        return Outcome::fail(s.error_text(e));
    }
    let primal = &s.entry.primal;
    let strict = primal.run(&s.args, &Ctx { strict: true, ..context() });
    let plain = primal.run(&s.args, &Ctx { plain: true, ..context() });
    if let Err(e) = &strict
        && e.kind == FailureKind::Strict
    {
        let place = place(s, e, &program.prov);
        return Outcome::Fail(Failure { what: format!("in strict mode: {e}"), stage: None, place });
    }
    if strict != plain {
        return Outcome::fail("a strict run gives another result than a plain one");
    }
    match (&s.reference, &plain) {
        (Ok(_), Ok(_)) => comparison(s, &s.reference, &program.prov, &expected_of(s, primal, &s.args, &plain)),
        (quick, plain) if quick == plain => Outcome::ok(),
        _ => Outcome::fail("a run element by element fails in another way"),
    }
}
