//! The expectation of the test block.
//!
//! Floats are held against the case's own bounds, and a literal of six digits or more may itself be rounded: half a unit of its last digit is allowed.
//! Where rounding decides the result, and where the caller asks for no more, it is the tolerance of `futhark test` (futhark-compat.md §1.3). Beside the
//! verdict stands the largest error relative to the largest element expected, which says how good the result is.

use super::*;
use crate::spec::{Expect, parse_values};
use crate::tolerance::difference::difference;
use futi_core::entry;
use futi_core::prim::Scalar;
use futi_core::value::binary;
use futi_core::value::compare::{Tolerance, compare};
use std::path::Path;

/// Compares the reference's result with the expectation, within the case's own bounds if asked for. File names are relative to `folder`.
pub fn judge(s: &Subject, expect: &Expect, folder: &Path, own_bounds: bool) -> Outcome {
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
        (Expect::Values(values), Ok(got)) => judge_values(s, got, values, own_bounds),
        (Expect::File(file), Ok(got)) => match read_values(&folder.join(file)) {
            Ok(values) => judge_values(s, got, &values, own_bounds),
            Err(e) => Outcome::fail(e),
        },
    }
}

/// Values from a data file.
///
/// # Errors
/// In one line, with the file's name: it cannot be read, or is data in neither of Futhark's formats.
pub fn read_values(path: &Path) -> Result<Vec<Value>, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    match String::from_utf8(bytes) {
        Ok(text) if !text.trim_start().starts_with('b') => {
            parse_values(&text, 1).map_err(|e| format!("{}: {e}", path.display()))
        }
        Ok(text) => binary::read_values(text.as_bytes()).map_err(|e| format!("{}: {e}", path.display())),
        Err(e) => binary::read_values(e.as_bytes()).map_err(|e| format!("{}: {e}", path.display())),
    }
}

fn judge_values(s: &Subject, all: &[Value], expected: &[Value], own_bounds: bool) -> Outcome {
    let Some(fun) = s.entry.primal.fun() else { return Outcome::fail("the entry point is gone") };
    let got = entry::results(fun, all.to_vec());
    if got.len() != expected.len() {
        return Outcome::fail(format!("{} results, expected {}", got.len(), expected.len()));
    }
    let tolerance = s.entry.primal.tolerance(&s.args, all, &s.rng);
    // unknown sizes come before
    let before = all.len() - got.len();
    let mut worst: f64 = 0.0;
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        let which = if got.len() > 1 { format!("result {} of {}: ", i + 1, got.len()) } else { String::new() };
        if let Some(m) = compare(g, e, Tolerance::FUTHARK) {
            return Outcome::fail(format!("{which}{m}"));
        }
        if own_bounds && compare(g, e, Tolerance::EXACT).is_some() {
            let written = e.elements().map(rounded);
            let allowed = tolerance.allowed(before + i);
            let allowed = allowed.map(|bounds| bounds.iter().zip(written).map(|(a, b)| a + b).collect::<Vec<_>>());
            if let Some(found) = allowed.and_then(|allowed| difference(&got, expected, i, &allowed)) {
                return Outcome::fail(found);
            }
        }
        worst = worst.max(relative_error(g, e));
    }
    Outcome::ok_note(if worst == 0.0 { String::new() } else { format!("{worst:.0e}") })
}

/// How far a float may be from the one that somebody has rounded to write it down: half a unit of the last digit, if there are six or more.
fn rounded(x: Scalar) -> f64 {
    if !x.scalar_type().is_float() || !x.to_f64().is_finite() {
        return 0.0;
    }
    // the fewest digits that say which float it is; of a narrow one in its own type
    let text = if let Scalar::F32(x) = x { format!("{x:e}") } else { format!("{:e}", x.to_f64()) };
    let Some((digits, exponent)) = text.split_once('e') else { return 0.0 };
    let count = digits.chars().filter(char::is_ascii_digit).count() as i32;
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if count < 6 { 0.0 } else { 0.5 * 10f64.powi(exponent - count + 1) }
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
