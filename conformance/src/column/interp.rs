//! The reference itself: the program as lowered is well-formed, its text reads back, and the quick run gives what one element by element does, up to the
//! rounding of the sums that reverse mode adds up in another order.

use super::*;
use futi_core::failure::FailureKind;
use futi_core::ir::{Program, check};

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
    match (&s.reference, s.plain()) {
        (Ok(_), Ok(_)) => {
            comparison(s, &s.reference, &program.prov, &expected_of(s, &s.entry.primal, &s.args, s.plain()))
        }
        (quick, plain) if quick == plain => Outcome::ok(),
        _ => Outcome::fail("a run element by element fails in another way"),
    }
}
