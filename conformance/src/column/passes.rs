//! Every stage of compilation, run in the interpreter, against the program as lowered.

use super::*;

/// Judges the stages after lowering: the first that differs.
pub fn judge(s: &Subject) -> Outcome {
    let primal = &s.entry.primal;
    let expected = expected_of(s, primal, &s.args, &s.reference);
    judge_stages(s, primal.stages(s.sources), Stage::Simplified, primal.entry.as_str(), &s.args, &expected)
}
