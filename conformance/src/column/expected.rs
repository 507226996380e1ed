//! The expectation of the test block.
//!
//! Floats pass or fail by the tolerance that `futhark test` has (futhark-compat.md §1.3); beside the verdict stands the largest error relative to
//! the largest element expected, which says how good the result is.

use super::*;
use crate::spec::{Expect, parse_values};
use futi_core::entry;
use futi_core::value::compare::{Tolerance, compare};
use std::path::Path;

/// Compares the reference's result with the expectation. File names are relative to `folder`.
pub fn judge(s: &Subject, expect: &Expect, folder: &Path) -> Outcome {
    match (expect, &s.reference) {
        (Expect::Error(pattern), Err(e)) => {
            let text = s.error_text(e);
            match pattern.matches(&text) {
                true => Outcome::ok(),
                false => Outcome::fail(format!("fails, as expected, but `{pattern}` does not match\n{text}")),
            }
        }
        (Expect::Error(pattern), Ok(_)) => {
            Outcome::fail(format!("gives results, expected a failure matching `{pattern}`"))
        }
        (_, Err(e)) => Outcome::Fail(Failure {
            what: format!("fails with `{e}`"),
            stage: None,
            place: place(s, e, &s.entry.primal.program.prov),
        }),
        (Expect::Success | Expect::Auto, Ok(_)) => Outcome::ok(),
        (Expect::Values(values), Ok(got)) => judge_values(s, got, values),
        (Expect::File(file), Ok(got)) => match read_values(&folder.join(file)) {
            Ok(values) => judge_values(s, got, &values),
            Err(e) => Outcome::fail(e),
        },
    }
}

/// Values from a data file.
///
/// # Errors
/// In one line, with the file's name: it cannot be read, or is none of text values.
pub fn read_values(path: &Path) -> Result<Vec<Value>, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    match String::from_utf8(bytes) {
        Ok(text) if !text.trim_start().starts_with('b') => {
            parse_values(&text, 1).map_err(|e| format!("{}: {e}", path.display()))
        }
        _ => Err(format!("{}: cannot be read: only data in text format can", path.display())),
    }
}

fn judge_values(s: &Subject, got: &[Value], expected: &[Value]) -> Outcome {
    let Some(fun) = s.entry.primal.fun() else { return Outcome::fail("the entry point is gone") };
    let got = entry::results(fun, got.to_vec());
    if got.len() != expected.len() {
        return Outcome::fail(format!("{} results, expected {}", got.len(), expected.len()));
    }
    let mut worst: f64 = 0.0;
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        if let Some(m) = compare(g, e, Tolerance::FUTHARK) {
            let which = if got.len() > 1 { format!("result {} of {}: ", i + 1, got.len()) } else { String::new() };
            return Outcome::fail(format!("{which}{m}"));
        }
        worst = worst.max(relative_error(g, e));
    }
    Outcome::ok_note(if worst == 0.0 { String::new() } else { format!("{worst:.0e}") })
}

/// The largest |got − expected| over the largest finite |expected|, of floats.
fn relative_error(got: &Value, expected: &Value) -> f64 {
    if !expected.elem().is_float() {
        return 0.0;
    }
    let finite = |x: &f64| x.is_finite();
    let largest = expected.elements().map(|x| x.to_f64().abs()).filter(finite).fold(0.0, f64::max);
    let pairs = got.elements().zip(expected.elements());
    let error = pairs.map(|(g, e)| (g.to_f64() - e.to_f64()).abs()).filter(finite).fold(0.0, f64::max);
    if largest > 0.0 { error / largest } else { error }
}
