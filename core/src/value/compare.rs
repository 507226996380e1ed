//! Comparison of values.

use super::Value;
use crate::prim::Scalar;

/// How close floats must be: |got − expected| ≤ max(absolute, relative · largest finite magnitude expected in the value).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// Absolute part.
    pub absolute: f64,
    /// Part relative to the largest finite magnitude in the expected value.
    pub relative: f64,
}

impl Tolerance {
    /// Equality.
    pub const EXACT: Tolerance = Tolerance { absolute: 0.0, relative: 0.0 };

    /// What `futhark test` and `futhark datacmp` allow beside this value: 0.002, or as much of its largest finite positive element (futhark-compat.md §1.3).
    pub fn futhark(expected: &Value) -> Tolerance {
        let finite = expected.elements().map(Scalar::to_f64).filter(|x| x.is_finite());
        Tolerance { absolute: 0.002f64.max(0.002 * finite.fold(0.0, f64::max)), relative: 0.0 }
    }
}

/// Where two values differ.
#[derive(Clone, PartialEq, Debug)]
pub enum Mismatch {
    /// Different types or shapes, printed.
    Type {
        /// The one computed.
        got: String,
        /// The one expected.
        expected: String,
    },
    /// Different elements.
    Element {
        /// The index; empty for scalars.
        index: Vec<usize>,
        /// The one computed.
        got: Scalar,
        /// The one expected.
        expected: Scalar,
    },
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Mismatch::Type { got, expected } => write!(f, "a value of type {got}, expected {expected}"),
            Mismatch::Element { index, got, expected } if index.is_empty() => write!(f, "{got}, expected {expected}"),
            Mismatch::Element { index, got, expected } => {
                let index: Vec<String> = index.iter().map(usize::to_string).collect();
                write!(f, "{got} at [{}], expected {expected}", index.join(", "))
            }
        }
    }
}

/// The type of a value with its shape: `[3][2]f64`.
pub fn type_text(v: &Value) -> String {
    let dims: String = v.shape().iter().map(|d| format!("[{d}]")).collect();
    format!("{dims}{}", v.elem())
}

/// The worst difference between two values, if they differ by more than the tolerance. NaN equals NaN, infinities equal themselves; integers and
/// booleans are equal or not.
pub fn compare(got: &Value, expected: &Value, tolerance: Tolerance) -> Option<Mismatch> {
    let mut worst: Option<(f64, Mismatch)> = None;
    for (difference, mismatch) in differences(got, expected, tolerance) {
        if worst.as_ref().is_none_or(|(w, _)| difference > *w) {
            worst = Some((difference, mismatch));
        }
    }
    worst.map(|(_, mismatch)| mismatch)
}

/// Where two values differ by more than the tolerance, in order, each with how much: infinitely where that is no number. One whose type or shape is
/// another differs once.
pub fn differences<'a>(
    got: &'a Value,
    expected: &'a Value,
    tolerance: Tolerance,
) -> Box<dyn Iterator<Item = (f64, Mismatch)> + 'a> {
    if got.elem() != expected.elem() || got.shape() != expected.shape() {
        let mismatch = Mismatch::Type { got: type_text(got), expected: type_text(expected) };
        return Box::new(std::iter::once((f64::INFINITY, mismatch)));
    }
    let largest = expected.elements().map(|x| x.to_f64().abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
    let allowed = tolerance.absolute.max(tolerance.relative * largest);
    let float = expected.elem().is_float();
    let differs = move |(i, (got, wanted)): (usize, (Scalar, Scalar))| {
        let (x, y) = (got.to_f64(), wanted.to_f64());
        let same = got == wanted || x == y && float || x.is_nan() && y.is_nan();
        let difference = match (x - y).abs() {
            _ if same => 0.0,
            d if float && d.is_finite() => d,
            _ => f64::INFINITY,
        };
        let mismatch = || Mismatch::Element { index: unflatten(i, expected.shape()), got, expected: wanted };
        (!same && difference > allowed).then(|| (difference, mismatch()))
    };
    Box::new(got.elements().zip(expected.elements()).enumerate().filter_map(differs))
}

fn unflatten(mut i: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for d in (0..shape.len()).rev() {
        index[d] = i % shape[d].max(1);
        i /= shape[d].max(1);
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Array;

    #[test]
    fn tolerance_is_relative_to_the_largest_element() {
        let expected: Value = Array::from_vec(&[2, 1], vec![1000.0, f64::NAN]).into();
        let close: Value = Array::from_vec(&[2, 1], vec![1001.9, f64::NAN]).into();
        let far: Value = Array::from_vec(&[2, 1], vec![1000.0, 1.0]).into();
        let allowed = Tolerance::futhark(&expected);
        assert_eq!(compare(&close, &expected, allowed), None);
        assert!(compare(&close, &expected, Tolerance::EXACT).is_some());
        let m = compare(&far, &expected, allowed).unwrap();
        assert_eq!(m.to_string(), "1.0f64 at [1, 0], expected f64.nan");
        // `futhark datacmp` finds a difference here, and none in the same numbers without their signs
        let negative = |x: f64| Value::from(Array::from_vec(&[1], vec![-x]));
        assert!(compare(&negative(1000.0), &negative(1001.0), Tolerance::futhark(&negative(1001.0))).is_some());
        assert_eq!(compare(&negative(-1000.0), &negative(-1001.0), Tolerance::futhark(&negative(-1001.0))), None);
    }

    #[test]
    fn differences_come_in_order_and_the_worst_is_found() {
        let (got, expected) = (Array::from_vec(&[3], vec![1.0, 2.0, 3.0]), Array::from_vec(&[3], vec![1.5, 2.0, 13.0]));
        let (got, expected): (Value, Value) = (got.into(), expected.into());
        let all: Vec<String> = differences(&got, &expected, Tolerance::EXACT).map(|(_, m)| m.to_string()).collect();
        assert_eq!(all, ["1.0f64 at [0], expected 1.5f64", "3.0f64 at [2], expected 13.0f64"]);
        assert_eq!(compare(&got, &expected, Tolerance::EXACT).unwrap().to_string(), all[1]);
    }

    #[test]
    fn integers_are_equal_or_not_and_shapes_count() {
        let v = |x| Value::Scalar(Scalar::I64(x));
        assert!(compare(&v(1), &v(2), Tolerance::futhark(&v(2))).is_some());
        let empty: Value = Array::from_vec::<i64>(&[0, 2], vec![]).into();
        let other: Value = Array::from_vec::<i64>(&[0, 3], vec![]).into();
        assert_eq!(
            compare(&empty, &other, Tolerance::EXACT).unwrap().to_string(),
            "a value of type [0][2]i64, expected [0][3]i64"
        );
    }
}
