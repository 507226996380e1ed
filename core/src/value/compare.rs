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
    /// What `futhark test` allows (futhark-compat.md §1.3).
    pub const FUTHARK: Tolerance = Tolerance { absolute: 0.002, relative: 0.002 };
    /// Equality.
    pub const EXACT: Tolerance = Tolerance { absolute: 0.0, relative: 0.0 };
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
    if got.elem() != expected.elem() || got.shape() != expected.shape() {
        return Some(Mismatch::Type { got: type_text(got), expected: type_text(expected) });
    }
    let largest = expected.elements().map(|x| x.to_f64().abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
    let allowed = tolerance.absolute.max(tolerance.relative * largest);
    let float = expected.elem().is_float();
    let mut worst: Option<(f64, usize, Scalar, Scalar)> = None;
    for (i, (g, e)) in got.elements().zip(expected.elements()).enumerate() {
        let (x, y) = (g.to_f64(), e.to_f64());
        let same = g == e || x == y && float || x.is_nan() && y.is_nan();
        let difference = match (x - y).abs() {
            _ if same => 0.0,
            d if float && d.is_finite() => d,
            _ => f64::INFINITY,
        };
        if !same && difference > allowed && worst.is_none_or(|(w, ..)| difference > w) {
            worst = Some((difference, i, g, e));
        }
    }
    let (_, position, g, e) = worst?;
    Some(Mismatch::Element { index: unflatten(position, expected.shape()), got: g, expected: e })
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
        assert_eq!(compare(&close, &expected, Tolerance::FUTHARK), None);
        assert!(compare(&close, &expected, Tolerance::EXACT).is_some());
        let m = compare(&far, &expected, Tolerance::FUTHARK).unwrap();
        assert_eq!(m.to_string(), "1.0f64 at [1, 0], expected f64.nan");
    }

    #[test]
    fn integers_are_equal_or_not_and_shapes_count() {
        let v = |x| Value::Scalar(Scalar::I64(x));
        assert!(compare(&v(1), &v(2), Tolerance::FUTHARK).is_some());
        let empty: Value = Array::from_vec::<i64>(&[0, 2], vec![]).into();
        let other: Value = Array::from_vec::<i64>(&[0, 3], vec![]).into();
        assert_eq!(
            compare(&empty, &other, Tolerance::EXACT).unwrap().to_string(),
            "a value of type [0][2]i64, expected [0][3]i64"
        );
    }
}
