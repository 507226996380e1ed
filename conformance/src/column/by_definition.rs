//! AD by transformation against AD by definition: `jvp` and `vjp` of the entry point, differentiated by the compiler and run in the interpreter,
//! against the interpreter's own.

use super::*;

/// Judges both modes, at every stage from AD on.
pub fn judge(s: &Subject) -> Outcome {
    if let Err(why) = s.entry.applies(Column::ByDefinition) {
        return Outcome::absent(why);
    }
    let (Some(derivatives), Some(seeds)) = (s.entry.derivatives(), s.seeds()) else {
        return Outcome::absent(FAILS);
    };
    let mut skipped = Vec::new();
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
        let bounds = d.program.bounds(&args, expected.as_deref().unwrap_or_default(), &s.rng);
        let stages = d.program.stages(s.sources);
        let judge =
            |bounds: &Bounds| judge_stages(s, stages, Stage::Ad, d.program.entry.as_str(), &args, &expected, bounds);
        match judge(&bounds) {
            Some(Outcome::Fail(f)) => {
                let what = format!("{}: {}", d.mode.name(), f.what);
                let open = bounds.overflow_is_open(expected.as_deref().unwrap_or_default());
                if !matches!(judge(&open), Some(Outcome::Fail(_))) {
                    return Outcome::inconclusive(format!("where the derivative overflows, {what}"));
                }
                return Outcome::Fail(Failure { what, ..f });
            }
            Some(Outcome::Skipped { reason }) => skipped.push(format!("{}: {reason}", d.mode.name())),
            _ => {}
        }
    }
    if skipped.is_empty() { Outcome::ok() } else { Outcome::skipped(skipped.join("\n")) }
}
