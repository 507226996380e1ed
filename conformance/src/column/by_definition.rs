//! AD by transformation against AD by definition: `jvp` and `vjp` of the entry point, differentiated by the compiler and run in the interpreter,
//! against the interpreter's own.

use super::*;

/// Judges both modes, at every stage from AD on.
pub fn judge(s: &Subject) -> Outcome {
    worst(Mode::ALL.map(|mode| judge_mode(s, mode)))
}

/// Judges one mode.
pub fn judge_mode(s: &Subject, mode: Mode) -> Outcome {
    if let Err(why) = s.entry.applies(Column::ByDefinition) {
        return Outcome::absent(why);
    }
    let (Some(derivatives), Some(seeds)) = (s.entry.derivatives(), s.seeds()) else {
        return Outcome::absent(FAILS);
    };
    let of = |d: &Derived| {
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
        let prefix = format!("{}: ", d.mode.name());
        let held = expected_of_derivative(s, d, &args, &expected);
        let stages = d.program.stages(s.sources);
        match judge_stages(s, stages, Stage::Ad, d.program.entry.as_str(), &args, &held) {
            Outcome::NoRule { reason } => Outcome::no_rule(format!("{prefix}{reason}")),
            verdict => named(&prefix, verdict),
        }
    };
    worst(derivatives.iter().filter(|d| d.mode == mode).map(of))
}
