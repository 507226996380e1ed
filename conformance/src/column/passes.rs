//! Every stage of compilation, run in the interpreter, against the program as lowered.

use super::*;

/// Judges the stages after lowering: the first that differs.
pub fn judge(s: &Subject) -> Outcome {
    let primal = &s.entry.primal;
    let Ok(values) = &s.reference else { return Outcome::absent(FAILS) };
    let bounds = primal.bounds(&s.args, values, &s.rng);
    let stages = primal.stages(s.sources);
    let verdict = judge_stages(s, stages, Stage::Simplified, primal.entry.as_str(), &s.args, &s.reference, &bounds);
    verdict.unwrap_or(Outcome::ok())
}
