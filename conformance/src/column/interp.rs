//! The reference itself: the program as lowered is well-formed, its text reads back, and a strict run gives the very same result.

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
    let strict = s.entry.primal.run(&s.args, &Ctx { strict: true, ..context() });
    match (&strict, &s.reference) {
        (Err(e), _) if e.kind == FailureKind::Strict => {
            let place = place(s, e, &program.prov);
            Outcome::Fail(Failure { what: format!("in strict mode: {e}"), stage: None, place })
        }
        (Ok(strict), Ok(reference)) if strict == reference => Outcome::ok(),
        (Err(strict), Err(reference)) if strict == reference => Outcome::ok(),
        _ => Outcome::fail("a strict run gives another result than a plain one"),
    }
}
