//! How far apart two floats may be that were computed from the same program: a bound for the case at hand, not one global number.
//!
//! The reference is run a few times with the result of every operation that rounds moved at random, by about half a unit in the last place
//! ([`noise`]). What that does to the results is what rounding does to them; another order of the same operations, or another sound way to evaluate
//! them, may do a small multiple of it (Monte-Carlo arithmetic; the noise of a sum is relative to its terms, so that a reduction in another order is
//! covered). A program of `f32` or `f16` alone is run in `f64`, which has room for fractions of a unit. Integers and booleans are equal or not.
//!
//! The same runs tell a case that is *ill-conditioned*: the bound leaves few digits of the results, or rounding decides which way the program goes.
//! There a difference is no verdict.

pub mod difference;
pub mod noise;

pub use difference::{Difference, What};

use crate::random::Rng;
use crate::subject::EntryProgram;
use crate::widen::floats;
use difference::{difference, differs, distance};
use futi_core::failure::RuntimeError;
use futi_core::prim::{Prim, Scalar, ScalarType};
use futi_core::value::Value;
use futi_interp::Ctx;
use noise::{noisy, ulp};
use serde::Serialize;
use std::cell::{OnceCell, RefCell};

/// How many perturbed runs.
const RUNS: usize = 4;
/// How many more before a difference is called one: four runs may happen to agree.
const MORE_RUNS: usize = 24;
/// The multiple of what the perturbed runs show that is allowed.
const SAFETY: f64 = 16.0;
/// What is allowed in any case, in units of the last place: a result may itself be rounded otherwise.
const ULPS: f64 = 8.0;

/// What is allowed, for each element of each result.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds {
    elements: Vec<Vec<f64>>,
    /// Why the perturbed runs say nothing, if they do not.
    void: Option<String>,
}

impl Bounds {
    /// Nothing but rounding of the results themselves.
    pub fn tight(reference: &[Value]) -> Bounds {
        let value = |v: &Value| v.elements().map(|x| ULPS * unit(v.elem(), x.to_f64())).collect();
        Bounds { elements: reference.iter().map(value).collect(), void: None }
    }

    /// The bounds of each result, element by element.
    pub fn elements(&self) -> &[Vec<f64>] {
        &self.elements
    }

    /// The same, but where infinity or NaN is expected any of them will do: where a computation overflows, which one it is depends on the order of
    /// operations.
    pub fn overflow_is_open(&self, expected: &[Value]) -> Bounds {
        let open = |(x, bound): (Scalar, &f64)| if x.to_f64().is_finite() { *bound } else { f64::INFINITY };
        let values = self.elements.iter().zip(expected);
        let elements = values.map(|(bounds, v)| v.elements().zip(bounds).map(open).collect()).collect();
        Bounds { elements, void: self.void.clone() }
    }

    fn widen(&mut self, reference: &[Value], perturbed: &[Value]) {
        for ((bounds, r), p) in self.elements.iter_mut().zip(reference).zip(perturbed) {
            if r.shape() != p.shape() {
                self.void.get_or_insert_with(|| "rounding decides how large a result is".into());
                continue;
            }
            if !r.elem().is_float() {
                if r.elements().ne(p.elements()) {
                    self.void.get_or_insert_with(|| "rounding decides a result that is no float".into());
                }
                continue;
            }
            let shifts: Vec<f64> =
                r.elements().zip(p.elements()).map(|(a, b)| distance(a.to_f64(), b.to_f64())).collect();
            if shifts.iter().any(|s| !s.is_finite()) {
                self.void.get_or_insert_with(|| "rounding decides whether a result is finite".into());
                continue;
            }
            // an element that happened not to move is no more exact than its neighbours
            let mean = shifts.iter().sum::<f64>() / shifts.len() as f64;
            for ((bound, shift), x) in bounds.iter_mut().zip(shifts).zip(r.elements()) {
                *bound = bound.max(SAFETY * shift.max(mean) + ULPS * unit(r.elem(), x.to_f64()));
            }
        }
    }

    /// Why a difference says nothing: the bounds are wide, relative to the largest element of the result, for what is computed in floats of this type.
    fn ill_conditioned(&self, narrowest: ScalarType, reference: &[Value], args: &[Value]) -> Option<String> {
        if self.void.is_some() {
            return self.void.clone();
        }
        let largest = |v: &Value| v.elements().map(|x| x.to_f64().abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
        let input = args.iter().filter(|v| v.elem().is_float()).map(largest).fold(0.0, f64::max);
        reference.iter().zip(&self.elements).filter(|(v, _)| v.elem().is_float()).find_map(|(v, bounds)| {
            let epsilon = ulp(narrowest, 1.0);
            // what is zero up to rounding is as exact as the numbers that cancel; below the least normal number no float is more exact than it
            let least = ulp(v.elem(), 0.0) / ulp(v.elem(), 1.0);
            let scale = largest(v).max(epsilon.sqrt() * input).max(least);
            let widest = bounds.iter().copied().filter(|b| b.is_finite()).fold(0.0, f64::max);
            let few = widest > epsilon.cbrt() * scale;
            few.then(|| format!("rounding moves results of up to {:.1e} by up to {widest:.1e}", largest(v)))
        })
    }
}

/// The unit in the last place of a float; 0 of anything else.
fn unit(t: ScalarType, x: f64) -> f64 {
    if t.is_float() { ulp(t, x) } else { 0.0 }
}

/// How near the results of two runs are, where they are not the same.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Closeness {
    /// The largest error over its bound.
    pub ratio: f64,
    /// The largest error in units of the last place of what is expected.
    pub ulps: f64,
}

impl Closeness {
    /// The same bit by bit.
    pub const SAME: Closeness = Closeness { ratio: 0.0, ulps: 0.0 };

    /// The farther of both.
    pub fn max(self, other: Closeness) -> Closeness {
        Closeness { ratio: self.ratio.max(other.ratio), ulps: self.ulps.max(other.ulps) }
    }
}

/// What comes of comparing two runs.
#[derive(Clone, PartialEq, Debug)]
pub enum Comparison {
    /// They agree.
    Agrees(Closeness),
    /// They differ, but the case is ill-conditioned, for this reason.
    IllConditioned(String),
    /// They differ.
    Differs(Difference),
}

/// What results of a program are held against: the reference's, with bounds that are computed when first needed.
pub struct Tolerance<'a> {
    program: &'a EntryProgram,
    args: &'a [Value],
    expected: &'a [Value],
    rng: Rng,
    bounds: OnceCell<Bounds>,
    more: OnceCell<Bounds>,
}

impl<'a> Tolerance<'a> {
    /// For the results `expected` of the program at these arguments.
    pub fn new(program: &'a EntryProgram, args: &'a [Value], expected: &'a [Value], rng: &Rng) -> Tolerance<'a> {
        let (bounds, more) = (OnceCell::new(), OnceCell::new());
        Tolerance { program, args, expected, rng: rng.clone(), bounds, more }
    }

    /// The bounds from a few perturbed runs.
    pub fn bounds(&self) -> &Bounds {
        let few = || perturbed(self.program, self.args, self.expected, &mut self.rng.clone(), RUNS);
        self.bounds.get_or_init(few)
    }

    /// The bounds from many.
    fn more(&self) -> &Bounds {
        let mut rng = Rng::new(self.rng.clone().bits(), "more");
        self.more.get_or_init(|| {
            let mut bounds = perturbed(self.program, self.args, self.expected, &mut rng, MORE_RUNS);
            for (ours, few) in bounds.elements.iter_mut().zip(&self.bounds().elements) {
                ours.iter_mut().zip(few).for_each(|(a, b)| *a = a.max(*b));
            }
            bounds
        })
    }

    /// Why the case is ill-conditioned, if it is.
    pub fn ill_conditioned(&self) -> Option<String> {
        self.ill(self.bounds())
    }

    fn ill(&self, bounds: &Bounds) -> Option<String> {
        // what is converted from a narrower type has its precision
        let narrowest = floats(&self.program.program).first().copied().unwrap_or(ScalarType::F64);
        bounds.ill_conditioned(narrowest, self.expected, self.args)
    }

    /// Compares results of another run.
    pub fn compare(&self, got: &[Value]) -> Comparison {
        if same(got, self.expected) {
            return Comparison::Agrees(Closeness::SAME);
        }
        if let Some(found) = mistyped(got, self.expected) {
            return Comparison::Differs(found);
        }
        if let Some(reason) = self.ill_conditioned() {
            return Comparison::IllConditioned(reason);
        }
        let bounds = match difference(got, self.expected, self.bounds()) {
            None => self.bounds(),
            Some(_) => match (self.ill(self.more()), self.more()) {
                (Some(reason), _) => return Comparison::IllConditioned(reason),
                (None, more) => match difference(got, self.expected, more) {
                    None => more,
                    Some(difference) => return self.overflow(got, difference),
                },
            },
        };
        Comparison::Agrees(closeness(got, self.expected, bounds))
    }

    /// A difference, unless it is only in what a computation that overflows gives.
    fn overflow(&self, got: &[Value], found: Difference) -> Comparison {
        match difference(got, self.expected, &self.more().overflow_is_open(self.expected)) {
            Some(_) => Comparison::Differs(found),
            None => {
                Comparison::IllConditioned("which of infinity and NaN an overflow gives depends on the order".into())
            }
        }
    }
}

/// Whether two lists of results are the same, NaN being NaN.
fn same(a: &[Value], b: &[Value]) -> bool {
    let value = |(a, b): (&Value, &Value)| {
        let alike = a.elem() == b.elem() && a.shape() == b.shape();
        alike && a.elements().zip(b.elements()).all(|(a, b)| !differs(a, b, 0.0))
    };
    a.len() == b.len() && a.iter().zip(b).all(value)
}

/// A difference that no rounding makes: in the number of results, or in their element types.
fn mistyped(got: &[Value], expected: &[Value]) -> Option<Difference> {
    let types = |vs: &[Value]| vs.iter().map(|v| (v.elem(), v.shape().len())).collect::<Vec<_>>();
    (types(got) != types(expected)).then(|| difference(got, expected, &Bounds::tight(expected))).flatten()
}

fn closeness(got: &[Value], expected: &[Value], bounds: &Bounds) -> Closeness {
    let mut closeness = Closeness::SAME;
    for ((g, e), bounds) in got.iter().zip(expected).zip(&bounds.elements) {
        for ((g, x), bound) in g.elements().zip(e.elements()).zip(bounds) {
            let off = distance(g.to_f64(), x.to_f64());
            if off.is_finite() {
                // beside zero, units say nothing; 0/0, of what must be equal and is, is not larger than anything
                let ulps = if x.to_f64() == 0.0 { 0.0 } else { off / unit(e.elem(), x.to_f64()) };
                closeness = closeness.max(Closeness { ratio: off / bound, ulps });
            }
        }
    }
    closeness
}

/// The bounds from so many perturbed runs of the program.
fn perturbed(program: &EntryProgram, args: &[Value], expected: &[Value], rng: &mut Rng, runs: usize) -> Bounds {
    let mut bounds = Bounds::tight(expected);
    // in double precision, the exact results are the middle; else the reference is
    let wide = program.in_double(args);
    let reference = match &wide {
        Some((_, _, exact)) => {
            bounds.widen(exact, expected);
            exact
        }
        None => expected,
    };
    for _ in 0..runs {
        let random = RefCell::new(Rng::new(rng.bits(), "rounding"));
        let grain = wide.as_ref().map(|(_, grain, _)| *grain);
        let policy = move |op: Prim, args: &[Scalar], x: Scalar| noisy(op, args, x, grain, &mut random.borrow_mut());
        let ctx = Ctx { rounding: Some(Box::new(policy)), ..crate::subject::context() };
        let result: Result<Vec<Value>, RuntimeError> = match &wide {
            Some((args, ..)) => program.run_in_double(args, &ctx),
            None => program.run(args, &ctx),
        };
        match result {
            Ok(perturbed) => bounds.widen(reference, &perturbed),
            Err(e) => {
                bounds.void.get_or_insert_with(|| format!("rounding decides whether the program fails: {e}"));
            }
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::ir::Program;
    use futi_core::value::Array;
    use futi_core::value::text::parse_values;

    fn values(text: &str) -> Vec<Value> {
        parse_values(text).unwrap()
    }

    /// What becomes of `got` where the program gives something else.
    fn compare(body: &str, args: &str, got: impl Fn(&mut Vec<f64>)) -> Comparison {
        let t = if args.contains("f32") { "f32" } else { "f64" };
        let text = format!(
            "futi-ir 1
             entry \"f\"(x_0: f64, y_1: f64) -> (r_2: f64, s_3: f64) sig 0 (\"x\": f64, \"y\": f64) -> (f64, f64) {{ {body} }}"
        );
        let program: Program = text.replace("f64", t).parse().unwrap();
        let program = EntryProgram::new(&program, &"f".into(), None);
        let args = values(args);
        let expected = program.run(&args, &Ctx::default()).unwrap();
        let mut floats: Vec<f64> = expected.iter().flat_map(|v| v.elements().map(|x| x.to_f64())).collect();
        got(&mut floats);
        let elem = expected[0].elem();
        let got: Vec<Value> = floats.into_iter().map(|x| Value::Scalar(Scalar::from_f64(elem, x))).collect();
        Tolerance::new(&program, &args, &expected, &Rng::new(0, "x")).compare(&got)
    }

    #[test]
    fn cancellation_widens_the_bound_and_nothing_else_does() {
        // a unit in the last place of 1e3 is 1.1e-13, of 0.3 it is 5.6e-17
        let body = "let (a_4: f64) = add.f64(x_0, 1.0e3f64) let (b_5: f64) = sub.f64(a_4, 1.0e3f64) in (b_5, y_1)";
        let off = |i: usize, by: f64| compare(body, "0.3 0.7", |r| r[i] += by);
        assert_eq!(off(0, 0.0), Comparison::Agrees(Closeness::SAME));
        assert!(matches!(off(0, 3e-13), Comparison::Agrees(c) if c.ratio > 0.01 && c.ratio < 1.0 && c.ulps > 1000.0));
        assert!(matches!(off(0, 3e-11), Comparison::Differs(_)));
        // a loose tolerance would let that pass
        assert!(matches!(off(1, 3e-13), Comparison::Differs(_)));
        assert!(matches!(off(1, 2e-16), Comparison::Agrees(_)));
    }

    #[test]
    fn single_precision_is_bounded_in_double_precision() {
        let body = "let (a_4: f64) = mul.f64(x_0, y_1) let (b_5: f64) = mul.f64(a_4, y_1) in (a_4, b_5)";
        // units in the last place are 1.5e-8 at 0.21
        let off = |by: f64| compare(body, "0.3f32 0.7f32", |r| r[0] += by);
        assert!(matches!(off(3e-8), Comparison::Agrees(c) if c.ratio > 0.05));
        assert!(matches!(off(1e-6), Comparison::Differs(_)));
    }

    #[test]
    fn ill_conditioned_cases_are_named() {
        // everything cancels
        let body = "let (a_4: f64) = add.f64(x_0, 1.0e14f64) let (b_5: f64) = sub.f64(a_4, 1.0e14f64) in (b_5, y_1)";
        assert!(matches!(compare(body, "0.3 0.7", |r| r[0] = 0.25), Comparison::IllConditioned(_)));
        // rounding decides the branch
        let body = "let (a_4: f64) = add.f64(x_0, y_1)
                    let (c_5: bool) = lt.f64(0.3f64, a_4)
                    let (d_6: f64) = if c_5 then { in (1.0f64) } else { in (2.0f64) } in (d_6, y_1)";
        assert!(matches!(compare(body, "0.1 0.2", |r| r[0] = 2.0), Comparison::IllConditioned(_)));
        assert!(matches!(compare(body, "0.1 0.9", |r| r[0] = 2.0), Comparison::Differs(_)));
    }

    #[test]
    fn overflow_can_be_left_open() {
        let expected = values("[f64.inf, 1.0]");
        let open = Bounds::tight(&expected).overflow_is_open(&expected);
        // what is finite keeps its bound, 8 units of 2^-52
        assert_eq!(open.elements(), [[f64::INFINITY, power(-49)]]);
        let fits = |got: &str| difference(&values(got), &expected, &open).is_none();
        assert!(fits("[f64.nan, 1.0]") && fits("[-f64.inf, 1.0]"));
        assert!(!fits("[2.0, 1.0]") && !fits("[f64.inf, f64.nan]"));
    }

    fn power(n: i32) -> f64 {
        2f64.powi(n)
    }

    fn floats_of(xs: Vec<f64>) -> Value {
        Value::Array(Array::from_vec(&[xs.len()], xs))
    }

    fn bounds(elements: &[f64]) -> Bounds {
        Bounds { elements: vec![elements.to_vec()], void: None }
    }

    #[test]
    fn a_result_may_be_rounded_otherwise() {
        // eight units in the last place: of 1 they are 2^-52, of 3 2^-51, of 1 in single precision 2^-23; an integer is exact
        let tight = Bounds::tight(&values("[1.0, 3.0] 5 1.0f32"));
        assert_eq!(tight.elements(), [vec![power(-49), power(-48)], vec![0.0], vec![power(-20)]]);
    }

    #[test]
    fn a_perturbed_run_widens_by_the_shift_or_the_mean_shift() {
        let reference = values("[1.0, 2.0, 4.0] 7");
        let mut perturbed = reference.clone();
        let moved = [1.0, 2.0, 4.0 + 3.0 * power(-40)];
        perturbed[0] = floats_of(moved.to_vec());
        let mut bounds = Bounds::tight(&reference);
        bounds.widen(&reference, &perturbed);
        // shifts 0, 0 and 3*2^-40, on average 2^-40, times 16, and eight units of 2^-52, 2^-51, 2^-50
        let widened = [power(-36) + power(-49), power(-36) + power(-48), 3.0 * power(-36) + power(-47)];
        assert_eq!(bounds, Bounds { elements: vec![widened.to_vec(), vec![0.0]], void: None });
        // a run that moves nothing takes nothing back
        bounds.widen(&reference, &reference);
        assert_eq!(bounds.elements()[0], widened);
    }

    #[test]
    fn a_perturbed_run_that_is_no_rounding_voids_the_bounds() {
        let void = |reference: &str, perturbed: &str| {
            let reference = values(reference);
            let mut bounds = Bounds::tight(&reference);
            bounds.widen(&reference, &values(perturbed));
            assert_eq!(bounds.elements, Bounds::tight(&reference).elements);
            bounds.void
        };
        let says = |text: &str| Some(format!("rounding decides {text}"));
        assert_eq!(void("[1, 2]", "[1, 2]"), None);
        assert_eq!(void("[1.0, 2.0]", "[1.0]"), says("how large a result is"));
        assert_eq!(void("[1, 2]", "[1, 3]"), says("a result that is no float"));
        assert_eq!(void("[1.0, f64.inf]", "[1.0, 2.0]"), says("whether a result is finite"));
        assert_eq!(void("[1.0, f64.inf]", "[1.0, f64.inf]"), None);
        // the first reason stays
        assert_eq!(void("[1.0] true", "[1.0, 2.0] false"), says("how large a result is"));
    }

    #[test]
    fn few_digits_are_ill_conditioned() {
        // the cube root of 2^-52 is 6.06e-6, of 2^-23 4.9e-3
        let ill = |t, bound: f64, reference: &str, args: &str| {
            bounds(&[bound]).ill_conditioned(t, &values(reference), &values(args))
        };
        use ScalarType::{F32, F64};
        let limit = f64::EPSILON.cbrt();
        assert!((6.05e-6..6.06e-6).contains(&limit));
        assert_eq!(ill(F64, limit, "1.0", ""), None);
        assert_eq!(ill(F64, 7e-6, "1.0", "").unwrap(), "rounding moves results of up to 1.0e0 by up to 7.0e-6");
        assert_eq!(ill(F64, 7e-6, "-2.0", ""), None);
        assert!(ill(F32, 4.8e-3, "1.0", "").is_none() && ill(F32, 5e-3, "1.0", "").is_some());
        // relative to the result: 2^-20 is 9.5e-7
        assert!(
            ill(F64, 5e-12, "9.5367431640625e-7", "").is_none() && ill(F64, 7e-12, "9.5367431640625e-7", "").is_some()
        );
        // and beside zero to 2^-26 of the arguments, here 2^-10: 6.06e-6 of 2^-36 is 8.8e-17; integers are no measure
        let args = "1000000 9.765625e-4";
        assert!(ill(F64, 8.7e-17, "0.0", args).is_none() && ill(F64, 8.9e-17, "0.0", args).is_some());
        // infinity is no largest element, nor a bound that is left open
        assert!(ill(F64, f64::INFINITY, "1.0", "").is_none() && ill(F64, 7e-6, "f64.inf", "").is_some());
        assert_eq!(ill(F64, 1.0, "5", ""), None);
    }

    #[test]
    fn a_result_of_zero_is_not_ill_conditioned_for_want_of_a_scale() {
        for zero in ["0.0", "0.0f32", "0.0f16", "[0.0, 0.0]"] {
            let zero = values(zero);
            for t in [zero[0].elem(), ScalarType::F16] {
                assert_eq!(Bounds::tight(&zero).ill_conditioned(t, &zero, &[]), None);
            }
        }
        // whatever the arguments are, x - x is zero
        let body = "let (a_4: f64) = sub.f64(x_0, x_0) in (a_4, a_4)";
        assert!(matches!(compare(body, "0.0 0.0", |r| r[0] = 1.0), Comparison::Differs(_)));
    }

    #[test]
    fn the_narrowest_float_says_how_many_digits_there_are() {
        // x + 1e10 - 1e10 is off by units of 1.9e-6: too much of 0.3 for a program of f64, little for one that has f32 in it
        let sums = "let (a_4: f64) = add.f64(x_0, 1.0e10f64) let (b_5: f64) = sub.f64(a_4, 1.0e10f64)";
        let wide = format!("{sums} in (b_5, y_1)");
        assert!(matches!(compare(&wide, "0.3 0.7", |r| r[0] = 3.0), Comparison::IllConditioned(_)));
        let mixed =
            format!("{sums} let (c_6: F32) = conv.f64.F32(y_1) let (d_7: f64) = conv.F32.f64(c_6) in (b_5, d_7)");
        assert!(matches!(compare(&mixed.replace("F32", "f32"), "0.3 0.7", |r| r[0] = 3.0), Comparison::Differs(_)));
    }

    #[test]
    fn a_program_that_rounding_makes_fail_is_ill_conditioned() {
        // 0.1 + 0.2 is one unit above 0.3
        let body = "let (a_4: f64) = add.f64(x_0, y_1) let (b_5: bool) = lt.f64(0.3f64, a_4) let (c_6: cert) = check assert b_5 \"no\" in (a_4, y_1)";
        let Comparison::IllConditioned(reason) = compare(body, "0.1 0.2", |r| r[0] = 9.0) else { panic!() };
        assert!(reason.starts_with("rounding decides whether the program fails: "), "{reason}");
        assert!(matches!(compare(body, "0.1 0.9", |r| r[0] = 9.0), Comparison::Differs(_)));
    }

    fn entry(text: &str) -> EntryProgram {
        let program: Program = format!("futi-ir 1 entry \"f\"{text}").parse().unwrap();
        EntryProgram::new(&program, &"f".into(), None)
    }

    #[test]
    fn the_error_of_the_reference_itself_is_allowed() {
        // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, which f32 rounds to even: off by 2^-24, half a unit, more than a perturbed run moves it
        let program =
            entry("(x_0: f32) -> (r_1: f32) sig 0 (\"x\": f32) -> f32 { let (y_2: f32) = mul.f32(x_0, x_0) in (y_2) }");
        let args = [Value::Scalar(Scalar::F32(1.0 + 2f32.powi(-12)))];
        let expected = [Value::Scalar(Scalar::F32(1.0 + 2f32.powi(-11)))];
        assert_eq!(program.run(&args, &Ctx::default()).unwrap(), expected);
        // sixteen times that, and eight units of the exact result, 2^-52; four bits more than eight units of f32
        let tolerance = Tolerance::new(&program, &args, &expected, &Rng::new(0, "x"));
        assert_eq!(tolerance.bounds().elements(), [[power(-20) + power(-49)]]);
    }

    #[test]
    fn each_perturbed_run_draws_once() {
        let program = entry("(x_0: f64) -> (r_1: f64) sig 0 (\"x\": f64) -> f64 { in (x_0) }");
        let args = values("0.5");
        let (mut ours, mut rng) = (Rng::new(0, "x"), Rng::new(0, "x"));
        perturbed(&program, &args, &args, &mut ours, 3);
        for _ in 0..3 {
            rng.bits();
        }
        assert_eq!(ours.bits(), rng.bits());
    }

    #[test]
    fn more_runs_narrow_no_bound() {
        // 1 + 2^-12 + 2^10 is exact in f32, but has too many digits to be so in any order
        let text = "(x_0: f32) -> (r_1: f32) sig 0 (\"x\": f32) -> f32 {
            let (a_2: f32) = add.f32(x_0, 1024.0f32) let (b_3: f32) = sub.f32(a_2, 1024.0f32) in (b_3) }";
        let program = entry(text);
        let args = [Value::Scalar(Scalar::F32(1.0 + 2f32.powi(-12)))];
        let expected = program.run(&args, &Ctx::default()).unwrap();
        assert_eq!(expected, args);
        let mut wider = 0;
        for seed in 0..40 {
            let tolerance = Tolerance::new(&program, &args, &expected, &Rng::new(seed, "x"));
            let (few, more) = (tolerance.bounds().elements()[0][0], tolerance.more().elements()[0][0]);
            assert!(more >= few, "seed {seed}: {more} < {few}");
            wider += usize::from(more > few);
        }
        // the largest of 28 is mostly not among the first 4
        assert!((20..40).contains(&wider), "{wider}");
    }

    #[test]
    fn results_are_the_same_bit_by_bit_but_for_zeros_and_nans() {
        let is = |a: &str, b: &str| same(&values(a), &values(b));
        assert!(is("[1.0, f64.nan] 2", "[1.0, f64.nan] 2") && is("-0.0", "0.0"));
        assert!(!is("[1.0, 2.0]", "[1.0, 2.5]") && !is("[1.0, 2.0]", "[1.5, 2.0]") && !is("1.0 2.0", "1.0 2.5"));
        assert!(!is("1", "1i64") && !is("[1, 2]", "[1, 2, 3]") && !is("[[1, 2]]", "[1, 2]"));
        assert!(!is("1.0 2.0", "1.0") && !is("", "1.0"));
    }

    #[test]
    fn types_and_ranks_are_no_matter_of_rounding() {
        let is = |a: &str, b: &str| mistyped(&values(a), &values(b)).map(|d| d.what);
        assert_eq!(is("1.0 2", "3.0 4"), None);
        assert_eq!(is("1.0", "1.0 2"), Some(What::Count(1, 2)));
        assert_eq!(is("1.0f32", "1.0"), Some(What::Type("f32".into(), "f64".into())));
        assert_eq!(is("[1.0]", "1.0"), Some(What::Type("[1]f64".into(), "f64".into())));
        // rounding may decide a size
        assert_eq!(is("[1.0]", "[1.0, 2.0]"), None);
    }

    #[test]
    fn closeness_is_relative_to_bounds_and_units() {
        let expected = values("[1.0, 0.0, 4.0, f64.inf]");
        let got = [1.0 + 4.0 * power(-52), power(-59), 4.0, 5.0];
        let got = [floats_of(got.to_vec())];
        // 2^-50 of 2^-48, and four units of 1; 2^-59 of 2^-58, beside zero; nothing of nothing; what is infinitely far is no distance
        let all = bounds(&[power(-48), power(-58), 0.0, 1.0]);
        assert_eq!(closeness(&got, &expected, &all), Closeness { ratio: 0.5, ulps: 4.0 });
        let zero = [Value::Scalar(Scalar::F64(power(-60)))];
        assert_eq!(closeness(&zero, &values("0.0"), &bounds(&[power(-58)])), Closeness { ratio: 0.25, ulps: 0.0 });
        let (a, b) = (Closeness { ratio: 0.5, ulps: 1.0 }, Closeness { ratio: 0.25, ulps: 2.0 });
        assert_eq!(a.max(b), Closeness { ratio: 0.5, ulps: 2.0 });
        assert_eq!(Closeness::SAME.max(b), b);
    }
}
