//! Another implementation of the language against the interpreter: the same results, within the case's own bounds, and the same failures.

use super::*;
use crate::futhark::{Loaded, Refused};
use futi_core::failure::FailureKind;

/// Judges a program that the other implementation has compiled, or has not; its entry point is called `entry` there. That it rejects a program is a
/// difference, too: a waiver can say that the program uses what it does not know.
pub fn judge(s: &Subject, entry: &str, loaded: &mut Result<Loaded, Refused>) -> Outcome {
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(Refused::Rejected(text)) => return Outcome::fail(format!("the other implementation rejects it: {text}")),
        Err(e @ Refused::Broken(_)) => return Outcome::fail(e),
    };
    let Some(sig) = s.entry.primal.fun().and_then(|f| f.entry.as_ref()) else {
        return Outcome::fail("there is no entry point");
    };
    let (sizes, leaves) = (sig.sizes, sig.result.leaves().len());
    match (loaded.call(entry, &s.args[sizes..]), &s.reference) {
        (Err(broken), _) => Outcome::fail(broken),
        (Ok(Err(text)), Err(e)) if similar(&text, e.kind) => Outcome::ok(),
        (Ok(Err(text)), Err(e)) => Outcome::fail(format!("fails with `{text}`, expected `{e}`")),
        (Ok(Err(text)), Ok(_)) => Outcome::fail(format!("fails with `{text}`, expected results")),
        (Ok(Ok(got)), Err(_)) => errors::judge_results(s, &got),
        (Ok(Ok(got)), Ok(expected)) => {
            // sizes that ours returns before the results
            let before = expected.len().saturating_sub(leaves);
            let got = [&expected[..before], &got].concat();
            match Tolerance::new(&s.entry.primal, &s.args, expected, &s.rng).compare(&got) {
                Comparison::Agrees(closeness) => Outcome::within(closeness),
                Comparison::IllConditioned(reason) => Outcome::ill_conditioned(reason),
                Comparison::Differs(difference) => Outcome::fail(difference),
            }
        }
    }
}

/// Whether the text is of a failure of this kind (the texts: futhark-compat.md §1.3).
fn similar(text: &str, kind: FailureKind) -> bool {
    let has = |s: &str| text.to_lowercase().contains(s);
    match kind {
        FailureKind::Bounds => has("out of bounds"),
        FailureKind::DivisionByZero => has("division by zero"),
        FailureKind::NegativeExponent => has("negative exponent"),
        FailureKind::Range | FailureKind::NegativeSize => has("range") || has("negative"),
        FailureKind::Shape => has("shape") || has("size"),
        FailureKind::Assertion => has("assert"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of Futhark 0.25.32.
    #[test]
    fn failures_are_compared_by_kind() {
        let text = "Error: Index [5] out of bounds for array of shape [4].\n\nBacktrace:\n-> #0  f.fut:7:31-35";
        assert!(similar(text, FailureKind::Bounds) && !similar(text, FailureKind::DivisionByZero));
        let text = "Error: division by zero\n\nBacktrace:\n-> #0  a.fut:2:29-44";
        assert!(similar(text, FailureKind::DivisionByZero) && !similar(text, FailureKind::Bounds));
        assert!(!similar("Internal error", FailureKind::Fuel));
    }
}
