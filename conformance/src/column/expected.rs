//! The expectation of the test block.
//!
//! Floats are held against the case's own bounds, and literals of six digits or more may themselves be rounded: half a unit of the last digit is allowed, of
//! as many as the longest in the array has.
//! Where rounding decides the result, and where the caller asks for no more, it is the tolerance of `futhark test` (futhark-compat.md §1.3). Beside the
//! verdict stands the largest error relative to the largest element expected, which says how good the result is.

use super::*;
use crate::data::{self, Folder};
use crate::spec::Expect;
use crate::tolerance::difference::difference;
use futi_core::entry;
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::compare::{Tolerance, compare};

/// Compares the reference's result with the expectation, within the case's own bounds if asked for. File names are relative to `folder`.
pub fn judge(s: &Subject, expect: &Expect, folder: Folder, own_bounds: bool) -> Outcome {
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
        (Expect::Values(values), Ok(all)) => judge_values(s, all, |_| Ok(values.clone()), own_bounds),
        (Expect::File(file), Ok(all)) => {
            judge_values(s, all, |types| data::read(&folder.file(file)?, types), own_bounds)
        }
    }
}

/// Judges all results of the IR function by what is expected of those that the source sees, which are of these element types.
fn judge_values(
    s: &Subject,
    all: &[Value],
    expected: impl FnOnce(&[ScalarType]) -> Result<Vec<Value>, String>,
    own_bounds: bool,
) -> Outcome {
    let Some(fun) = s.entry.primal.fun() else { return Outcome::fail("the entry point is gone") };
    let got = entry::results(fun, all.to_vec());
    let types: Vec<ScalarType> = got.iter().map(Value::elem).collect();
    let expected = match expected(&types) {
        Ok(expected) => expected,
        Err(e) => return Outcome::fail(e),
    };
    if got.len() != expected.len() {
        return Outcome::fail(format!("{} results, expected {}", got.len(), expected.len()));
    }
    let tolerance = super::Tolerance::new(&s.entry.primal, &s.args, all, &s.rng);
    // unknown sizes come before
    let before = all.len() - got.len();
    let mut worst: f64 = 0.0;
    for (i, (g, e)) in got.iter().zip(&expected).enumerate() {
        let which = if got.len() > 1 { format!("result {} of {}: ", i + 1, got.len()) } else { String::new() };
        if let Some(m) = compare(g, e, Tolerance::futhark(e)) {
            return Outcome::fail(format!("{which}{m}"));
        }
        if own_bounds && compare(g, e, Tolerance::EXACT).is_some() {
            let allowed = tolerance.allowed(before + i);
            let allowed = allowed.map(|bounds| bounds.iter().zip(written(e)).map(|(a, b)| a + b).collect::<Vec<_>>());
            if let Some(found) = allowed.and_then(|allowed| difference(&got, &expected, i, &allowed)) {
                return Outcome::fail(found);
            }
        }
        worst = worst.max(relative_error(g, e));
    }
    Outcome::ok_note(if worst == 0.0 { String::new() } else { format!("{worst:.0e}") })
}

/// How far each float of a literal may be from the one that somebody has rounded to write it down: half a unit of the last digit, of as many as the longest
/// in the array has.
pub fn written(expected: &Value) -> impl Iterator<Item = f64> + '_ {
    let digits = expected.elements().map(digits).max().unwrap_or(0);
    expected.elements().map(move |x| rounded(x, digits))
}

/// The fewest digits that say which float it is; 0 of anything else.
fn digits(x: Scalar) -> i32 {
    // of a narrow one in its own type
    let text = match x {
        Scalar::F32(x) => format!("{x:e}"),
        x if x.scalar_type().is_float() => format!("{:e}", x.to_f64()),
        _ => return 0,
    };
    text.split('e').next().map_or(0, |digits| digits.chars().filter(char::is_ascii_digit).count() as i32)
}

/// How far a float may be from the one that somebody has rounded to so many digits to write it down: half a unit of the last, if there are six or more.
fn rounded(x: Scalar, digits: i32) -> f64 {
    let magnitude = x.to_f64().abs();
    if digits < 6 || magnitude == 0.0 || !magnitude.is_finite() {
        return 0.0;
    }
    0.5 * 10f64.powi(magnitude.log10().floor() as i32 - digits + 1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_six_digits_may_be_rounded() {
        assert_eq!([0.1, 2.5, 4.14159, 1e300, 0.0].map(|x| digits(Scalar::F64(x))), [1, 2, 6, 1, 1]);
        assert_eq!((digits(Scalar::F32(0.1)), digits(Scalar::I32(123456)), digits(Scalar::F64(f64::NAN))), (1, 0, 0));
        let near = |x: f64, digits: i32, allowed: f64| {
            let found = rounded(Scalar::F64(x), digits);
            assert!((found - allowed).abs() <= 1e-6 * allowed, "{x}: {found}");
        };
        near(4.14159, 6, 5e-6);
        near(-0.0414159, 6, 5e-8);
        // 1.015900, beside others of seven digits
        near(1.0159, 7, 5e-7);
        near(4.1416, 5, 0.0);
        near(0.0, 7, 0.0);
        near(f64::INFINITY, 7, 0.0);
    }
}
