//! How far apart two floats may be that were computed from the same program: a bound for the case at hand, not one global number.
//!
//! The reference is run a few times with every rounded result moved by one unit in the last place, up or down at random. What that does to the
//! results is what rounding does to them; another order of the same operations, or another sound way to evaluate them, may do a small multiple of it
//! (Monte-Carlo arithmetic). Integers and booleans are equal or not.

use crate::random::Rng;
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::Value;
use futi_core::value::compare::type_text;
use futi_interp::{Code, Ctx};
use std::cell::RefCell;
use std::fmt;

/// How many perturbed runs.
const RUNS: usize = 4;
/// The multiple of what the perturbed runs show that is allowed.
const SAFETY: f64 = 16.0;
/// What is allowed in any case, in units of the last place: a result may itself be rounded otherwise.
const ULPS: f64 = 8.0;

/// What is allowed, for each element of each result.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds(Vec<Vec<f64>>);

impl Bounds {
    /// Nothing but rounding of the results themselves.
    pub fn tight(reference: &[Value]) -> Bounds {
        Bounds(reference.iter().map(|v| v.elements().map(|x| ULPS * ulp(v.elem(), x.to_f64())).collect()).collect())
    }

    /// From perturbed runs of a function at these arguments; `reference` is what it gives unperturbed.
    pub fn monte_carlo(code: &Code, fun: &str, args: &[Value], reference: &[Value], rng: &Rng) -> Bounds {
        let mut bounds = Bounds::tight(reference);
        if !reference.iter().any(|v| v.elem().is_float()) {
            return bounds;
        }
        let mut rng = rng.clone();
        for _ in 0..RUNS {
            let random = RefCell::new(Rng::new(rng.bits(), "rounding"));
            let nudge = move |_, x| nudged(x, random.borrow_mut().bits() & 1 == 0);
            let ctx = Ctx { rounding: Some(Box::new(nudge)), ..crate::subject::context() };
            match code.call(fun, args.to_vec(), &ctx) {
                Ok(perturbed) => bounds.widen(reference, &perturbed),
                // a program that rounding makes fail: nothing more is known
                Err(_) => return bounds,
            }
        }
        bounds
    }

    /// The bounds of the results after the first n.
    pub fn after(&self, n: usize) -> Vec<Vec<f64>> {
        self.0[n.min(self.0.len())..].to_vec()
    }

    /// The same, but where infinity or NaN is expected any of them will do: where a computation overflows, which one it is depends on the order of
    /// operations.
    pub fn overflow_is_open(&self, expected: &[Value]) -> Bounds {
        let open = |(x, bound): (Scalar, &f64)| if x.to_f64().is_finite() { *bound } else { f64::INFINITY };
        let values = self.0.iter().zip(expected);
        Bounds(values.map(|(bounds, v)| v.elements().zip(bounds).map(open).collect()).collect())
    }

    fn widen(&mut self, reference: &[Value], perturbed: &[Value]) {
        for ((bounds, r), p) in self.0.iter_mut().zip(reference).zip(perturbed) {
            if !r.elem().is_float() || r.shape() != p.shape() {
                continue;
            }
            let shifts: Vec<f64> =
                r.elements().zip(p.elements()).map(|(a, b)| distance(a.to_f64(), b.to_f64())).collect();
            // an element that happened not to move is no more exact than its neighbours
            let mean = shifts.iter().sum::<f64>() / shifts.len().max(1) as f64;
            for ((bound, shift), x) in bounds.iter_mut().zip(shifts).zip(r.elements()) {
                *bound = bound.max(SAFETY * shift.max(mean) + ULPS * ulp(r.elem(), x.to_f64()));
            }
        }
    }
}

/// |a − b|; 0 for two NaNs or equal infinities.
fn distance(a: f64, b: f64) -> f64 {
    if a == b || a.is_nan() && b.is_nan() { 0.0 } else { (a - b).abs() }
}

/// The next float up or down; zeros, infinities and NaN stay.
fn nudged(x: Scalar, up: bool) -> Scalar {
    match x {
        Scalar::F32(x) if x != 0.0 && x.is_finite() => Scalar::F32(if up { x.next_up() } else { x.next_down() }),
        Scalar::F64(x) if x != 0.0 && x.is_finite() => Scalar::F64(if up { x.next_up() } else { x.next_down() }),
        x => x,
    }
}

/// The distance from |x| to the next float of the type.
fn ulp(t: ScalarType, x: f64) -> f64 {
    match t {
        _ if !x.is_finite() => 0.0,
        ScalarType::F32 => ((x as f32).abs().next_up() - (x as f32).abs()) as f64,
        ScalarType::F64 => x.abs().next_up() - x.abs(),
        _ => 0.0,
    }
}

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
        /// How far it may be off; infinite if it would not matter.
        allowed: f64,
        /// How many differ, of how many.
        count: (usize, usize),
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (i, n @ 2..) = self.result {
            write!(f, "result {} of {n}: ", i + 1)?;
        }
        match &self.what {
            What::Count(got, expected) => write!(f, "{got} results, expected {expected}"),
            What::Type(got, expected) => write!(f, "a value of type {got}, expected {expected}"),
            What::Elements { index, got, expected, allowed, count } => {
                write!(f, "{got}")?;
                if !index.is_empty() {
                    let index: Vec<String> = index.iter().map(usize::to_string).collect();
                    write!(f, " at [{}]", index.join(", "))?;
                }
                write!(f, ", expected {expected}")?;
                let off = (got.to_f64() - expected.to_f64()).abs();
                if expected.scalar_type().is_float() && off.is_finite() {
                    write!(f, ", off by {off:.1e}, allowed {allowed:.1e}")?;
                }
                match count {
                    (1, 1) => Ok(()),
                    (k, n) => write!(f, " ({k} of {n} elements differ)"),
                }
            }
        }
    }
}

/// The first result that differs by more than is allowed.
pub fn difference(got: &[Value], expected: &[Value], bounds: &Bounds) -> Option<Difference> {
    if got.len() != expected.len() {
        return Some(Difference { result: (0, 1), what: What::Count(got.len(), expected.len()) });
    }
    let of = |i: usize, what| Difference { result: (i, expected.len()), what };
    let pairs = got.iter().zip(expected).zip(&bounds.0).enumerate();
    pairs.into_iter().find_map(|(i, ((g, e), allowed))| value_difference(g, e, allowed).map(|what| of(i, what)))
}

fn value_difference(got: &Value, expected: &Value, allowed: &[f64]) -> Option<What> {
    if got.elem() != expected.elem() || got.shape() != expected.shape() {
        return Some(What::Type(type_text(got), type_text(expected)));
    }
    let differs = |g: Scalar, e: Scalar, allowed: f64| match g.scalar_type().is_float() {
        true if allowed.is_infinite() => g.to_f64().is_finite() != e.to_f64().is_finite(),
        // not "> allowed": NaN differs from any number
        true => {
            let d = distance(g.to_f64(), e.to_f64());
            d != 0.0 && (d.is_nan() || d > allowed)
        }
        false => g != e,
    };
    let elements = got.elements().zip(expected.elements()).zip(allowed).enumerate();
    let mut wrong = elements.filter(|(_, ((g, e), a))| differs(*g, *e, **a));
    let (position, ((g, e), allowed)) = wrong.next()?;
    let count = (1 + wrong.count(), expected.elements().count());
    Some(What::Elements { index: unflatten(position, expected.shape()), got: g, expected: e, allowed: *allowed, count })
}

/// The indices of a row-major position.
fn unflatten(position: usize, shape: &[usize]) -> Vec<usize> {
    let mut rest = position;
    let mut index: Vec<usize> = shape.iter().rev().map(|n| (rest % n.max(&1), rest /= n.max(&1)).0).collect();
    index.reverse();
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::ir::Program;
    use futi_core::value::text::parse_values;

    fn values(text: &str) -> Vec<Value> {
        parse_values(text).unwrap()
    }

    fn differ(got: &str, expected: &str) -> Option<String> {
        let expected = values(expected);
        difference(&values(got), &expected, &Bounds::tight(&expected)).map(|d| d.to_string())
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(differ("1 [[1.0, 2.0], [3.0, 4.0]]", "1 [[1.0, 2.0], [3.0, 4.0]]"), None);
        assert_eq!(
            differ("1 [[1.0, 2.0], [3.5, f64.nan]]", "1 [[1.0, 2.0], [3.0, 4.0]]").unwrap(),
            "result 2 of 2: 3.5f64 at [1, 0], expected 3.0f64, off by 5.0e-1, allowed 3.6e-15 (2 of 4 elements differ)"
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
    fn overflow_can_be_left_open() {
        let expected = values("[f64.inf, 1.0]");
        let open = Bounds::tight(&expected).overflow_is_open(&expected);
        let fits = |got: &str| difference(&values(got), &expected, &open).is_none();
        assert!(fits("[f64.nan, 1.0]") && fits("[-f64.inf, 1.0]"));
        assert!(!fits("[2.0, 1.0]") && !fits("[f64.inf, f64.nan]"));
    }

    #[test]
    fn cancellation_widens_the_bound_and_nothing_else_does() {
        let program: Program = "futi-ir 1
            entry \"f\"(x_0: f64) -> (r_1: f64, s_2: f64) sig 0 (\"x\": f64) -> (f64, f64) {
              let (a_3: f64) = add.f64(x_0, 1.0e9f64) let (b_4: f64) = sub.f64(a_3, 1.0e9f64) in (b_4, x_0)
            }"
        .parse()
        .unwrap();
        let code = Code::new(&program).unwrap();
        let args = values("0.3");
        let reference = code.call("f", args.clone(), &Ctx::default()).unwrap();
        let bounds = Bounds::monte_carlo(&code, "f", &args, &reference, &Rng::new(0, "x"));
        // an ULP of 1e9 is 1.2e-7
        assert!((1e-6..1e-5).contains(&bounds.0[0][0]), "{bounds:?}");
        assert!((1e-16..1e-15).contains(&bounds.0[1][0]), "{bounds:?}");
    }
}
