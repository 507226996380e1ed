//! Where two results differ, for a person: the element, how far off it is, and the array around it.

use futi_core::prim::Scalar;
use futi_core::value::Value;
use futi_core::value::compare::type_text;
use std::fmt;

/// How many elements before and after the one that differs are shown.
const AROUND: usize = 3;

/// Where results differ: the first element that does, and how many do.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// Which result, of how many.
    pub result: (usize, usize),
    /// What differs.
    pub what: What,
}

/// What differs between two values.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// The number of results: got, expected.
    Count(usize, usize),
    /// Types or shapes, printed: got, expected.
    Type(String, String),
    /// Elements.
    Elements {
        /// The first that differs.
        index: Vec<usize>,
        /// What it is.
        got: Scalar,
        /// What it should be.
        expected: Scalar,
        /// How far it may be off.
        allowed: f64,
        /// How many differ, of how many.
        count: (usize, usize),
        /// The elements of both about the first that differs, if there are others.
        around: Option<Window>,
    },
}

/// A part of an array that was computed and of the one expected, in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub struct Window {
    /// The indices of its first element.
    pub from: Vec<usize>,
    /// What was computed.
    pub got: Vec<Scalar>,
    /// What was expected.
    pub expected: Vec<Scalar>,
    /// Whether elements come before and after it.
    pub cut: (bool, bool),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (i, n @ 2..) = self.result {
            write!(f, "result {} of {n}: ", i + 1)?;
        }
        match &self.what {
            What::Count(got, expected) => write!(f, "{got} results, expected {expected}"),
            What::Type(got, expected) => write!(f, "a value of type {got}, expected {expected}"),
            What::Elements { index, got, expected, allowed, count, around } => {
                write!(f, "{got}")?;
                if !index.is_empty() {
                    write!(f, " at [{}]", joined(index.iter()))?;
                }
                write!(f, ", expected {expected}")?;
                let off = (got.to_f64() - expected.to_f64()).abs();
                if expected.scalar_type().is_float() && off.is_finite() {
                    write!(f, ", off by {off:.1e}, allowed {allowed:.1e}")?;
                }
                match count {
                    (1, 1) => Ok(()),
                    (k, n) => write!(f, " ({k} of {n} elements differ)"),
                }?;
                around.iter().try_for_each(|w| write!(f, "\n{w}"))
            }
        }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = |cut: bool| if cut { "…" } else { "" };
        let row = |xs: &[Scalar]| {
            let comma = |cut: bool| if cut { ", " } else { "" };
            let (before, after) = self.cut;
            let (first, last) = (comma(before), comma(after));
            format!("{}{first}{}{last}{}", dots(before), joined(xs.iter()), dots(after))
        };
        writeln!(f, "from [{}]: {}", joined(self.from.iter()), row(&self.got))?;
        write!(f, "expected{} {}", " ".repeat(joined(self.from.iter()).len()), row(&self.expected))
    }
}

fn joined<T: fmt::Display>(xs: impl Iterator<Item = T>) -> String {
    xs.map(|x| x.to_string()).collect::<Vec<_>>().join(", ")
}

/// The first result whose type is another, or whose number is: what no rounding does.
pub fn mistyped(got: &[Value], expected: &[Value]) -> Option<Difference> {
    if got.len() != expected.len() {
        return Some(Difference { result: (0, 1), what: What::Count(got.len(), expected.len()) });
    }
    let is = |v: &Value| (v.elem(), v.shape().len());
    let i = (0..got.len()).find(|i| is(&got[*i]) != is(&expected[*i]))?;
    let what = What::Type(type_text(&got[i]), type_text(&expected[i]));
    Some(Difference { result: (i, expected.len()), what })
}

/// Where a result, the one at `i`, differs by more than is allowed for each element, if anywhere.
pub fn difference(got: &[Value], expected: &[Value], i: usize, allowed: &[f64]) -> Option<Difference> {
    let what = value_difference(&got[i], &expected[i], allowed)?;
    Some(Difference { result: (i, expected.len()), what })
}

/// |a − b|; 0 for two NaNs or equal infinities.
pub fn distance(a: f64, b: f64) -> f64 {
    if a == b || a.is_nan() && b.is_nan() { 0.0 } else { (a - b).abs() }
}

/// Whether an element differs from what is expected by more than is allowed.
pub fn differs(got: Scalar, expected: Scalar, allowed: f64) -> bool {
    match got.scalar_type().is_float() {
        true if allowed.is_infinite() => got.to_f64().is_finite() != expected.to_f64().is_finite(),
        // not "> allowed": NaN differs from any number
        true => {
            let d = distance(got.to_f64(), expected.to_f64());
            d.is_nan() || d > allowed
        }
        false => got != expected,
    }
}

fn value_difference(got: &Value, expected: &Value, allowed: &[f64]) -> Option<What> {
    if got.elem() != expected.elem() || got.shape() != expected.shape() {
        return Some(What::Type(type_text(got), type_text(expected)));
    }
    let elements = got.elements().zip(expected.elements()).zip(allowed).enumerate();
    let mut wrong = elements.filter(|(_, ((g, e), a))| differs(*g, *e, **a));
    let (position, ((g, e), allowed)) = wrong.next()?;
    let n = expected.elements().count();
    let count = (1 + wrong.count(), n);
    let (from, to) = (position.saturating_sub(AROUND), n.min(position + AROUND + 1));
    let part = |v: &Value| v.elements().skip(from).take(to - from).collect();
    let around = (n > 1).then(|| Window {
        from: unflatten(from, expected.shape()),
        got: part(got),
        expected: part(expected),
        cut: (from > 0, to < n),
    });
    let index = unflatten(position, expected.shape());
    Some(What::Elements { index, got: g, expected: e, allowed: *allowed, count, around })
}

/// The indices of a row-major position, of an array that has it.
fn unflatten(position: usize, shape: &[usize]) -> Vec<usize> {
    let mut rest = position;
    let mut index: Vec<usize> = shape.iter().rev().map(|n| (rest % n, rest /= n).0).collect();
    index.reverse();
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::value::Array;
    use futi_core::value::text::parse_values;

    fn differ(got: &str, expected: &str) -> Option<String> {
        let values = |text: &str| parse_values(text).unwrap();
        let (got, expected) = (values(got), values(expected));
        let allowed = |v: &Value| vec![ALLOWED; v.elements().count()];
        let results = || expected.iter().enumerate();
        let element = || results().find_map(|(i, v)| difference(&got, &expected, i, &allowed(v)));
        mistyped(&got, &expected).or_else(element).map(|d| d.to_string())
    }

    const ALLOWED: f64 = 3.6e-15;

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(differ("1 [[1.0, 2.0], [3.0, 4.0]]", "1 [[1.0, 2.0], [3.0, 4.0]]"), None);
        assert_eq!(
            differ("1 [[1.0, 2.0], [3.5, f64.nan]]", "1 [[1.0, 2.0], [3.0, 4.0]]").unwrap(),
            "result 2 of 2: 3.5f64 at [1, 0], expected 3.0f64, off by 5.0e-1, allowed 3.6e-15 (2 of 4 elements differ)\n\
             from [0, 0]: 1.0f64, 2.0f64, 3.5f64, f64.nan\n\
             expected     1.0f64, 2.0f64, 3.0f64, 4.0f64"
        );
        assert_eq!(differ("2", "1").unwrap(), "2i32, expected 1i32");
        assert_eq!(differ("f64.nan", "f64.nan"), None);
        assert_eq!(differ("f64.nan", "1.0").unwrap(), "f64.nan, expected 1.0f64");
        assert_eq!(differ("f64.inf", "1.0").unwrap(), "f64.inf, expected 1.0f64");
        assert_eq!(differ("[1]", "[1i64]").unwrap(), "a value of type [1]i32, expected [1]i64");
        assert_eq!(differ("1 2", "1").unwrap(), "2 results, expected 1");
        assert_eq!(differ("-0.0", "0.0"), None);
    }

    #[test]
    fn only_what_is_near_is_shown() {
        let text = differ("[0,1,2,3,4,5,6,7,9,9]", "[0,1,2,3,4,5,6,7,8,9]").unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "9i32 at [8], expected 8i32 (1 of 10 elements differ)");
        assert_eq!(lines[1], "from [5]: …, 5i32, 6i32, 7i32, 9i32, 9i32");
        assert_eq!(lines[2], "expected  …, 5i32, 6i32, 7i32, 8i32, 9i32");
    }

    #[test]
    fn distances() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        assert_eq!((distance(3.0, 1.0), distance(1.0, 3.0), distance(2.0, 2.0)), (2.0, 2.0, 0.0));
        assert_eq!(
            (distance(inf, inf), distance(nan, nan), distance(-inf, inf), distance(inf, 1.0)),
            (0.0, 0.0, inf, inf)
        );
        assert!(distance(nan, 1.0).is_nan() && distance(1.0, nan).is_nan());
    }

    #[test]
    fn an_element_differs_by_more_than_is_allowed() {
        let floats = |got, expected, allowed| differs(Scalar::F64(got), Scalar::F64(expected), allowed);
        assert!(floats(1.75, 1.0, 0.5) && floats(2.0, 1.0, 0.5) && !floats(1.5, 1.0, 0.5) && !floats(1.25, 1.0, 0.5));
        assert!(!floats(1.0, 1.0, 0.0) && floats(1.5, 1.0, 0.0));
        assert!(floats(f64::NAN, 1.0, 1e300) && !floats(f64::NAN, f64::NAN, 0.0));
        // anything that is not finite
        assert!(!floats(2.0, 1.0, f64::INFINITY) && !floats(f64::NAN, f64::INFINITY, f64::INFINITY));
        assert!(floats(f64::NAN, 1.0, f64::INFINITY) && floats(1.0, f64::INFINITY, f64::INFINITY));
        // bounds are for floats
        assert!(differs(Scalar::I32(2), Scalar::I32(1), 5.0) && !differs(Scalar::I32(2), Scalar::I32(2), 0.0));
    }

    /// The places of the first difference between a shape's numbers 0, 1, .. and the same with some changed.
    fn places(shape: &[usize], changed: &[usize]) -> (Vec<usize>, (usize, usize), Option<Window>) {
        let n: usize = shape.iter().product();
        let array = |of: &dyn Fn(usize) -> i32| Value::Array(Array::from_vec(shape, (0..n).map(of).collect()));
        let (got, expected) = (array(&|i| if changed.contains(&i) { -1 } else { i as i32 }), array(&|i| i as i32));
        match value_difference(&got, &expected, &vec![0.0; n]) {
            Some(What::Elements { index, count, around, .. }) => (index, count, around),
            other => panic!("{other:?}"),
        }
    }

    fn ints(xs: std::ops::Range<i32>) -> Vec<Scalar> {
        xs.map(Scalar::I32).collect()
    }

    #[test]
    fn three_elements_on_either_side_are_shown() {
        // of 10: 4 in the middle, with elements left out before 1 and after 7
        let (index, count, around) = places(&[10], &[4, 6, 9]);
        assert_eq!((index, count), (vec![4], (3, 10)));
        let around = around.unwrap();
        assert_eq!((around.from, around.cut, around.expected), (vec![1], (true, true), ints(1..8)));
        assert_eq!(around.got, [1, 2, 3, -1, 5, -1, 7].map(Scalar::I32));
        let window = |n: usize, at: usize| places(&[n], &[at]).2.map(|w| (w.from[0], w.cut, w.expected.len()));
        // up to the first and the last
        assert_eq!(window(7, 3), Some((0, (false, false), 7)));
        assert_eq!(window(10, 3), Some((0, (false, true), 7)));
        assert_eq!(window(10, 6), Some((3, (true, false), 7)));
        assert_eq!(window(10, 0), Some((0, (false, true), 4)));
        assert_eq!(window(10, 9), Some((6, (true, false), 4)));
        assert_eq!(window(2, 1), Some((0, (false, false), 2)));
        // one element has nothing around it
        assert_eq!(window(1, 0), None);
    }

    #[test]
    fn places_have_an_index_for_each_dimension() {
        // 13 = (0 * 3 + 2) * 5 + 3 and 10 = (0 * 3 + 2) * 5 + 0
        let (index, _, around) = places(&[2, 3, 5], &[13]);
        assert_eq!((index, around.unwrap().from), (vec![0, 2, 3], vec![0, 2, 0]));
        // 26 = (1 * 3 + 2) * 5 + 1 and 23 = (1 * 3 + 1) * 5 + 3
        let (index, _, around) = places(&[2, 3, 5], &[26]);
        assert_eq!((index, around.unwrap().from), (vec![1, 2, 1], vec![1, 1, 3]));
        // 7 = 2 * 3 + 1 and 4 = 1 * 3 + 1
        let (index, _, around) = places(&[4, 3], &[7, 8]);
        assert_eq!((index, around.unwrap().from), (vec![2, 1], vec![1, 1]));
    }

    #[test]
    fn numbers_of_results_and_shapes_come_first() {
        let of = |got: &str, expected: &str| {
            let (got, expected) = (parse_values(got).unwrap(), parse_values(expected).unwrap());
            mistyped(&got, &expected)
        };
        assert_eq!(of("1 2 3", "1 2"), Some(Difference { result: (0, 1), what: What::Count(3, 2) }));
        assert_eq!(of("1 2", "1 3"), None);
        let types = What::Type("[1]f32".into(), "[1]f64".into());
        assert_eq!(of("[1.0f32]", "[1.0]"), Some(Difference { result: (0, 1), what: types }));
        let ranks = What::Type("[1]f64".into(), "f64".into());
        assert_eq!(of("2.0 [1.0]", "3.0 1.0"), Some(Difference { result: (1, 2), what: ranks }));
        // rounding may decide a size, so it is a difference of the result
        assert_eq!(of("[1.0]", "[1.0, 2.0]"), None);
        let (got, expected) = (parse_values("7 [1]").unwrap(), parse_values("7 [1, 2]").unwrap());
        let shapes = What::Type("[1]i32".into(), "[2]i32".into());
        assert_eq!(difference(&got, &expected, 0, &[0.0]), None);
        assert_eq!(difference(&got, &expected, 1, &[0.0; 2]), Some(Difference { result: (1, 2), what: shapes }));
    }
}
