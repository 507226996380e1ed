//! AD by transformation against AD by definition: `jvp` and `vjp` of the entry point, differentiated by the compiler and run in the interpreter,
//! against the interpreter's own.

use super::*;

/// Judges both modes, at every stage from AD on.
pub fn judge(s: &Subject) -> Outcome {
    let (Some(derivatives), Some(seeds)) = (s.entry.derivatives(), s.seeds()) else {
        return Outcome::absent("no floats to differentiate in");
    };
    let (mut skipped, mut closeness) = (Vec::new(), Closeness::SAME);
    for d in derivatives {
        let args = s.derivative_args(d, Subject::seeds_of(d.mode, &seeds));
        let expected = d.program.run(&args, &context());
        if let Err(e) = &expected {
            // the derivative fails only where the primal does
            let place = place(s, e, &d.program.program.prov);
            return Outcome::Fail(Failure {
                what: format!("{} by definition fails with `{e}`", d.mode.name()),
                stage: None,
                place,
            });
        }
        let stages = d.program.stages(s.sources);
        let held = expected_of(s, &d.program, &args, &expected);
        match judge_stages(s, stages, Stage::Ad, d.program.entry.as_str(), &args, &held) {
            Outcome::Ok { closeness: c, .. } => closeness = closeness.max(c),
            Outcome::Fail(f) => {
                return Outcome::Fail(Failure { what: format!("{}: {}", d.mode.name(), f.what), ..f });
            }
            Outcome::Skipped { reason } => skipped.push(format!("{}: {reason}", d.mode.name())),
            no_verdict => return no_verdict,
        }
    }
    if skipped.is_empty() { Outcome::within(closeness) } else { Outcome::skipped(skipped.join("\n")) }
}
