//! How far apart two floats may be that were computed from the same program: a bound for the case at hand, not one global number.
//!
//! The reference is run a few times with the result of every operation that rounds moved at random, by about half a unit in the last place
//! ([`noise`]). What that does to a result is what rounding does to it; another order of the same operations, or another sound way to evaluate
//! them, may do a small multiple of it (Monte-Carlo arithmetic; the noise of a sum is relative to its terms, so that a reduction in another order is
//! covered). Traces are walked back in another order in each run: of an adjoint's terms the largest may come first. A program of `f32` or `f16` alone is run in `f64`, which has room for fractions of a unit. A result that nothing moves is exact: it is
//! equal or not, as integers and booleans are.
//!
//! The same runs tell a result that is *ill-conditioned*: the bound leaves few digits of it, or rounding decides what it is. There a difference is
//! no verdict, but one in another result is.

pub mod difference;
pub mod noise;

pub use difference::{Difference, What};

use crate::random::Rng;
use crate::stages::{EntryProgram, InDouble};
use crate::widen::floats;
use difference::{difference, differs, distance, mistyped};
use futi_core::failure::RuntimeError;
use futi_core::prim::{BinOp, Prim, Scalar, ScalarType, TernOp};
use futi_core::value::Value;
use futi_interp::Ctx;
use noise::{flushed, noisy, ulp};
use serde::Serialize;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// How many perturbed runs.
const RUNS: usize = 4;
/// How many more before a difference is called one: four runs may happen to agree.
const MORE_RUNS: usize = 24;
/// The multiple of what the perturbed runs show that is allowed.
const SAFETY: f64 = 16.0;
/// What is allowed beside that, in units of the last place: a result that rounding moves may itself be rounded otherwise.
const ULPS: f64 = 8.0;

/// What is allowed in each result.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds(Vec<Bound>);

/// What is allowed in a result.
#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    /// For each element, how far it may be off.
    pub elements: Vec<f64>,
    /// Why the perturbed runs say nothing of it, if they do not.
    void: Option<String>,
}

impl Bounds {
    /// Nothing is allowed.
    fn exact(reference: &[Value]) -> Bounds {
        let bound = |v: &Value| Bound { elements: vec![0.0; v.elements().count()], void: None };
        Bounds(reference.iter().map(bound).collect())
    }

    /// The bounds of each result, element by element.
    pub fn elements(&self) -> impl Iterator<Item = &[f64]> {
        self.0.iter().map(|b| &b.elements[..])
    }

    /// Says of all results why the perturbed runs say nothing.
    fn void(&mut self, reason: &str) {
        self.0.iter_mut().for_each(|b| b.void(reason));
    }

    /// Allows for what a perturbed run has moved.
    fn widen(&mut self, reference: &[Value], perturbed: &[Value], grain: Option<ScalarType>) {
        self.0.iter_mut().zip(reference).zip(perturbed).for_each(|((bound, r), p)| bound.widen(r, p, grain));
    }
}

impl Bound {
    fn void(&mut self, reason: &str) {
        self.void.get_or_insert_with(|| reason.into());
    }

    fn widen(&mut self, reference: &Value, perturbed: &Value, grain: Option<ScalarType>) {
        if reference.shape() != perturbed.shape() {
            return self.void("rounding decides how large a result is");
        }
        let pairs = || reference.elements().zip(perturbed.elements());
        if !reference.elem().is_float() {
            if pairs().any(|(r, p)| r != p) {
                self.void("rounding decides a result that is no float");
            }
            return;
        }
        let shifts: Vec<f64> = pairs().map(|(r, p)| distance(r.to_f64(), p.to_f64())).collect();
        if shifts.iter().any(|s| !s.is_finite()) {
            return self.void("rounding decides whether a result is finite");
        }
        if shifts.iter().all(|s| *s == 0.0) {
            return;
        }
        // an element that happened not to move is no more exact than its neighbours, but each moves as far as it does
        for ((bound, shift), x) in self.elements.iter_mut().zip(shifts).zip(reference.elements()) {
            *bound = bound.max(SAFETY * shift + ULPS * ulp(grain.unwrap_or(reference.elem()), x.to_f64()));
        }
    }

    /// The same, but where infinity or NaN is expected any of them will do.
    fn overflow_is_open(&self, expected: &Value) -> Vec<f64> {
        let open = |(x, bound): (Scalar, &f64)| if x.to_f64().is_finite() { *bound } else { f64::INFINITY };
        expected.elements().zip(&self.elements).map(open).collect()
    }

    /// Why a difference in this result says nothing: the bound is wide, relative to its largest element, for what is computed in floats of this type.
    fn ill_conditioned(&self, narrowest: ScalarType, reference: &Value, args: &[Value]) -> Option<String> {
        if self.void.is_some() || !reference.elem().is_float() {
            return self.void.clone();
        }
        let largest = |v: &Value| v.elements().map(|x| x.to_f64().abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
        let input = args.iter().filter(|v| v.elem().is_float()).map(largest).fold(0.0, f64::max);
        let epsilon = ulp(narrowest, 1.0);
        // what is zero up to rounding is as exact as the numbers that cancel; below the least normal number no float is more exact than it
        let least = ulp(reference.elem(), 0.0) / ulp(reference.elem(), 1.0);
        let scale = largest(reference).max(epsilon.sqrt() * input).max(least);
        let widest = self.elements.iter().copied().filter(|b| b.is_finite()).fold(0.0, f64::max);
        let few = widest > epsilon.cbrt() * scale;
        few.then(|| format!("rounding moves results of up to {:.1e} by up to {widest:.1e}", largest(reference)))
    }
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
    /// Whether subnormal `f32` may count as zero.
    flushes: bool,
    /// Why a difference says nothing, if it does not.
    open: Option<&'static str>,
    bounds: OnceCell<Bounds>,
    more: OnceCell<Bounds>,
}

impl<'a> Tolerance<'a> {
    /// For the results `expected` of the program at these arguments.
    pub fn new(program: &'a EntryProgram, args: &'a [Value], expected: &'a [Value], rng: &Rng) -> Tolerance<'a> {
        let (bounds, more) = (OnceCell::new(), OnceCell::new());
        Tolerance { program, args, expected, rng: rng.clone(), flushes: false, open: None, bounds, more }
    }

    /// For those of a backend on which subnormal `f32` may count as zero, or not.
    pub fn on(self, flushes: bool) -> Tolerance<'a> {
        Tolerance { flushes, ..self }
    }

    /// Where another value of a result says nothing, for that reason.
    pub fn open(self, reason: &'static str) -> Tolerance<'a> {
        Tolerance { open: Some(reason), ..self }
    }

    /// The bounds from a few perturbed runs.
    pub fn bounds(&self) -> &Bounds {
        let few = || self.perturbed(&mut self.rng.clone(), RUNS);
        self.bounds.get_or_init(few)
    }

    /// The bounds from many. Few runs may happen to agree; many do not.
    pub fn firm_bounds(&self) -> &Bounds {
        let mut rng = Rng::new(self.rng.clone().bits(), "more");
        self.more.get_or_init(|| {
            let mut bounds = self.perturbed(&mut rng, MORE_RUNS);
            for (ours, few) in bounds.0.iter_mut().zip(&self.bounds().0) {
                ours.elements.iter_mut().zip(&few.elements).for_each(|(a, b)| *a = a.max(*b));
                // mutant: many runs find the reasons that few find, but by chance
                few.void.iter().for_each(|reason| ours.void(reason));
            }
            bounds
        })
    }

    /// How far the elements of a result may be off; none if it is ill-conditioned.
    pub fn allowed(&self, i: usize) -> Option<&[f64]> {
        let bounds = self.firm_bounds();
        self.ill(bounds, i).is_none().then_some(&bounds.0[i].elements)
    }

    /// Why one of the results is ill-conditioned, if one is.
    pub fn ill_conditioned(&self) -> Option<String> {
        (0..self.expected.len()).find_map(|i| self.ill(self.bounds(), i))
    }

    fn ill(&self, bounds: &Bounds, i: usize) -> Option<String> {
        // what is converted from a narrower type has its precision
        let narrowest = floats(&self.program.program).first().copied().unwrap_or(ScalarType::F64);
        bounds.0[i].ill_conditioned(narrowest, &self.expected[i], self.args)
    }

    /// Compares results of another run. A result that differs counts, also where another is ill-conditioned.
    pub fn compare(&self, got: &[Value]) -> Comparison {
        if let Some(found) = mistyped(got, self.expected) {
            return Comparison::Differs(found);
        }
        let (mut closeness, mut ill) = (Closeness::SAME, None);
        for i in 0..got.len() {
            match self.compare_result(got, i) {
                Comparison::Agrees(c) => closeness = closeness.max(c),
                Comparison::IllConditioned(reason) => ill = ill.or(Some(reason)),
                differs => return differs,
            }
        }
        ill.map_or(Comparison::Agrees(closeness), Comparison::IllConditioned)
    }

    fn compare_result(&self, got: &[Value], i: usize) -> Comparison {
        if same(&got[i], &self.expected[i]) {
            return Comparison::Agrees(Closeness::SAME);
        }
        let judged = |bounds: &Bounds| {
            let allowed = &bounds.0[i].elements;
            match (self.ill(bounds, i), difference(got, self.expected, i, allowed)) {
                (Some(reason), _) => Comparison::IllConditioned(reason),
                (None, Some(difference)) => Comparison::Differs(difference),
                (None, None) => Comparison::Agrees(closeness(&got[i], &self.expected[i], allowed)),
            }
        };
        match judged(self.bounds()) {
            Comparison::Differs(_) => match judged(self.firm_bounds()) {
                Comparison::Differs(found) => match self.open {
                    Some(reason) if got[i].shape() == self.expected[i].shape() => {
                        Comparison::IllConditioned(reason.into())
                    }
                    _ => self.overflow(got, i, found),
                },
                verdict => verdict,
            },
            verdict => verdict,
        }
    }

    /// The bounds from so many perturbed runs of the program.
    fn perturbed(&self, rng: &mut Rng, runs: usize) -> Bounds {
        let Tolerance { program, args, expected, .. } = *self;
        let mut bounds = Bounds::exact(expected);
        // in double precision, the exact results are the middle; else the reference is
        let wide = program.in_double(args);
        let reference = match &wide {
            Some(wide) => {
                bounds.widen(&wide.results, expected, Some(wide.grain));
                &wide.results
            }
            None => expected,
        };
        let grain = wide.as_ref().map(|wide| wide.grain);
        for _ in 0..runs {
            match self.moved(rng.bits(), wide.as_ref()) {
                Ok(perturbed) => bounds.widen(reference, &perturbed, grain),
                Err(e) => bounds.void(&decides(&e)),
            }
        }
        bounds
    }

    /// A run whose roundings differ, in `f64` with room for their fractions if there are arguments for that.
    fn moved(&self, seed: u64, wide: Option<&InDouble>) -> Result<Vec<Value>, RuntimeError> {
        // mutant: which runs drift up is chance
        let (up, flushes, grain) = (seed & 1 == 0, self.flushes, wide.map(|wide| wide.grain));
        let random = RefCell::new(Rng::new(seed, "rounding"));
        let policy = move |op: Prim, args: &[Scalar], x: Scalar| {
            let rng = &mut *random.borrow_mut();
            let flushed = if flushes { flushed(op, args, grain, rng) } else { None };
            flushed.unwrap_or_else(|| if x.scalar_type().is_float() { noisy(op, args, x, grain, up, rng) } else { x })
        };
        let ctx = Ctx { rounding: Some(Box::new(policy)), reverse_order: Some(seed), ..crate::stages::context() };
        match wide {
            Some(wide) => self.program.run_in_double(&wide.args, &ctx),
            None => self.program.run(self.args, &ctx),
        }
    }

    /// Why that another run fails so says nothing: one whose roundings differ does, too.
    pub fn failure(&self, e: &RuntimeError) -> Option<String> {
        let mut rng = Rng::new(self.rng.clone().bits(), "failures");
        let wide = self.program.in_double(self.args);
        // mutant off by one: a run more or less hardly matters
        let mut failures = (0..MORE_RUNS).filter_map(|_| self.moved(rng.bits(), wide.as_ref()).err());
        failures.find(|other| other.kind == e.kind).map(|other| decides(&other))
    }

    /// A difference, unless it is only in which of infinity and NaN a computation that overflows gives: that depends on the order of operations. What
    /// a pole gives (`1 / 0`) does not.
    fn overflow(&self, got: &[Value], i: usize, found: Difference) -> Comparison {
        let open = self.firm_bounds().0[i].overflow_is_open(&self.expected[i]);
        if difference(got, self.expected, i, &open).is_none() && overflows(self.program, self.args) {
            return Comparison::IllConditioned(
                "which of infinity and NaN an overflow gives depends on the order".into(),
            );
        }
        Comparison::Differs(found)
    }
}

/// Why a run that fails says nothing.
fn decides(e: &RuntimeError) -> String {
    format!("rounding decides whether the program fails: {e}")
}

/// Whether a sum, a product or a quotient of finite numbers is too large for its type, in a run of the program.
fn overflows(program: &EntryProgram, args: &[Value]) -> bool {
    let found = Rc::new(Cell::new(false));
    let seen = found.clone();
    let policy = move |op: Prim, args: &[Scalar], x: Scalar| {
        let finite = |i: usize| args[i].to_f64().is_finite();
        let in_order = match op {
            Prim::Bin(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Zmul, _) => finite(0) && finite(1),
            Prim::Bin(BinOp::Div, _) => finite(0) && finite(1) && args[1].to_f64() != 0.0,
            Prim::Tern(TernOp::Fma | TernOp::Mad | TernOp::Lerp, _) => finite(0) && finite(1) && finite(2),
            _ => false,
        };
        seen.set(seen.get() || in_order && !x.to_f64().is_finite());
        x
    };
    // whatever the run gives, the reference has given it
    let _ = program.run(args, &Ctx { rounding: Some(Box::new(policy)), ..crate::stages::context() });
    found.get()
}

/// Whether two results are the same, NaN being NaN and zeros being equal.
fn same(a: &Value, b: &Value) -> bool {
    let alike = a.elem() == b.elem() && a.shape() == b.shape();
    alike && a.elements().zip(b.elements()).all(|(a, b)| !differs(a, b, 0.0))
}

fn closeness(got: &Value, expected: &Value, allowed: &[f64]) -> Closeness {
    let mut closeness = Closeness::SAME;
    for ((g, x), bound) in got.elements().zip(expected.elements()).zip(allowed) {
        let off = distance(g.to_f64(), x.to_f64());
        // mutant comparison: what is not off adds a ratio of zero
        if off.is_finite() && off > 0.0 {
            // beside zero, units say nothing
            let ulps = if x.to_f64() == 0.0 { 0.0 } else { off / ulp(expected.elem(), x.to_f64()) };
            closeness = closeness.max(Closeness { ratio: off / bound, ulps });
        }
    }
    closeness
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::failure::FailureKind;
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
        // nothing rounds an argument
        assert!(matches!(off(1, 2e-16), Comparison::Differs(_)));
    }

    #[test]
    fn a_result_that_differs_counts_beside_one_that_is_ill_conditioned() {
        let body = "let (a_4: f64) = add.f64(x_0, 1.0e14f64) let (b_5: f64) = sub.f64(a_4, 1.0e14f64)
                    let (c_6: f64) = mul.f64(y_1, y_1) in (b_5, c_6)";
        let both = |a: f64, b: f64| compare(body, "0.3 0.7", |r| (r[0] += a, r[1] += b).0);
        assert!(matches!(both(0.1, 0.0), Comparison::IllConditioned(_)));
        assert!(matches!(both(0.1, 1e-16), Comparison::IllConditioned(_)));
        assert!(matches!(both(0.1, 1e-14), Comparison::Differs(_)));
        assert!(matches!(both(0.0, 1e-16), Comparison::Agrees(c) if c.ratio > 0.0));
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
        let expected = &values("[f64.inf, 1.0]")[0];
        let open = Bound { elements: vec![0.5, 0.25], void: None }.overflow_is_open(expected);
        // what is finite keeps its bound
        assert_eq!(open, [f64::INFINITY, 0.25]);
    }

    #[test]
    fn which_infinity_an_overflow_gives_is_open_and_a_pole_is_not() {
        let infinite = |body: &str, args: &str, x: f64| compare(body, args, |r| r[0] = x);
        // 1e200 * 1e200 * 0 is 0 in another order
        let overflow = "let (a_4: f64) = mul.f64(x_0, x_0) let (b_5: f64) = sub.f64(a_4, a_4) in (b_5, y_1)";
        let product = "let (a_4: f64) = mul.f64(x_0, x_0) in (a_4, y_1)";
        let sum = "let (a_4: f64) = add.f64(x_0, x_0) in (a_4, y_1)";
        let quotient = "let (a_4: f64) = div.f64(x_0, y_1) in (a_4, y_1)";
        let fused = "let (a_4: f64) = fma.f64(x_0, x_0, y_1) in (a_4, y_1)";
        for (body, args) in [
            (overflow, "1e200 1.0"),
            (product, "1e200 1.0"),
            (sum, "1.5e308 1.0"),
            (quotient, "1e200 1e-200"),
            (fused, "1e200 1.0"),
        ] {
            // inf - inf is NaN, the others are infinity
            let others =
                if body == overflow { [f64::INFINITY, f64::NEG_INFINITY] } else { [f64::NAN, f64::NEG_INFINITY] };
            for other in others {
                let found = infinite(body, args, other);
                assert!(matches!(&found, Comparison::IllConditioned(r) if r.contains("overflow")), "{body}: {found:?}");
            }
            assert!(matches!(infinite(body, args, 1.0), Comparison::Differs(_)), "{body}");
        }
        let log = "let (a_4: f64) = log.f64(x_0) in (a_4, y_1)";
        for (body, args) in [(quotient, "1.0 0.0"), (log, "0.0 1.0"), (sum, "f64.inf 1.0"), (product, "f64.inf 1.0")] {
            for other in [f64::NAN, 1.0] {
                assert!(matches!(infinite(body, args, other), Comparison::Differs(_)), "{body}");
            }
        }
    }

    fn power(n: i32) -> f64 {
        2f64.powi(n)
    }

    fn floats_of(xs: Vec<f64>) -> Value {
        Value::Array(Array::from_vec(&[xs.len()], xs))
    }

    /// What one perturbed run makes of a bound, after another that moves nothing.
    fn widened(reference: &str, perturbed: &str) -> Bound {
        let (reference, perturbed) = (values(reference), values(perturbed));
        let mut bounds = Bounds::exact(&reference);
        bounds.widen(&reference, &reference, None);
        assert_eq!(bounds, Bounds::exact(&reference));
        bounds.widen(&reference, &perturbed, None);
        let after = bounds.clone();
        // a run that moves nothing takes nothing back
        bounds.widen(&reference, &reference, None);
        assert_eq!(bounds, after);
        bounds.0.remove(0)
    }

    #[test]
    fn what_nothing_moves_is_exact() {
        assert_eq!(widened("[1.0, 3.0]", "[1.0, 3.0]").elements, [0.0, 0.0]);
        assert_eq!(widened("5", "5").elements, [0.0]);
    }

    #[test]
    fn a_perturbed_run_widens_by_the_shift() {
        let (reference, mut moved) = (values("[1.0, 2.0, 4.0]"), values("[1.0, 2.0, 4.0]"));
        moved[0] = floats_of(vec![1.0, 2.0, 4.0 + 3.0 * power(-40)]);
        let mut bounds = Bounds::exact(&reference);
        bounds.widen(&reference, &moved, None);
        // sixteen times 3*2^-40; beside it, as for those that happened not to move, eight units of 2^-52, 2^-51, 2^-50
        let widened = [power(-49), power(-48), 3.0 * power(-36) + power(-47)];
        assert_eq!(bounds.elements().collect::<Vec<_>>(), [&widened[..]]);
        // the larger of two
        moved[0] = floats_of(vec![1.0 + power(-40), 2.0, 4.0 + power(-40)]);
        bounds.widen(&reference, &moved, None);
        let wider = [power(-36) + power(-49), widened[1], widened[2]];
        assert_eq!(bounds.elements().collect::<Vec<_>>(), [&wider[..]]);
        // of single precision, units are 2^-23
        let single = Bounds(vec![Bound { elements: vec![power(-35) + power(-20)], void: None }]);
        let (one, mut near) = (values("1.0f32"), values("1.0"));
        near[0] = Value::Scalar(Scalar::F64(1.0 + power(-39)));
        let mut bounds = Bounds::exact(&one);
        bounds.widen(&one, &near, None);
        assert_eq!(bounds, single);
    }

    #[test]
    fn a_perturbed_run_that_is_no_rounding_voids_the_bound_of_its_result() {
        let void = |reference: &str, perturbed: &str| {
            let bound = widened(reference, perturbed);
            assert!(bound.elements.iter().all(|b| *b == 0.0));
            bound.void
        };
        let says = |text: &str| Some(format!("rounding decides {text}"));
        assert_eq!(void("[1, 2]", "[1, 2]"), None);
        assert_eq!(void("[1.0, 2.0]", "[1.0]"), says("how large a result is"));
        assert_eq!(void("[1, 2]", "[1, 3]"), says("a result that is no float"));
        assert_eq!(void("[1.0, f64.inf]", "[1.0, 2.0]"), says("whether a result is finite"));
        assert_eq!(void("[1.0, f64.inf]", "[1.0, f64.inf]"), None);
        // another result has its own
        let (reference, perturbed) = (values("[1.0] true"), values("[1.0] false"));
        let mut bounds = Bounds::exact(&reference);
        bounds.widen(&reference, &perturbed, None);
        assert_eq!((bounds.0[0].void.clone(), bounds.0[1].void.clone()), (None, says("a result that is no float")));
        // the first reason stays, and one for all is for all
        bounds.void("no");
        assert_eq!(
            (bounds.0[0].void.clone(), bounds.0[1].void.clone()),
            (Some("no".into()), says("a result that is no float"))
        );
    }

    #[test]
    fn few_digits_are_ill_conditioned() {
        // the cube root of 2^-52 is 6.06e-6, of 2^-23 4.9e-3
        let ill = |t, bound: f64, reference: &str, args: &str| {
            let bound = Bound { elements: vec![bound], void: None };
            bound.ill_conditioned(t, &values(reference)[0], &values(args))
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
            let zero = &values(zero)[0];
            let least = ULPS * ulp(zero.elem(), 0.0);
            let bound = Bound { elements: vec![least; zero.elements().count()], void: None };
            for t in [zero.elem(), ScalarType::F16] {
                assert_eq!(bound.ill_conditioned(t, zero, &[]), None);
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

    #[test]
    fn a_failure_that_rounding_makes_says_nothing() {
        let body = "let (a_4: f64) = add.f64(x_0, y_1) let (b_5: bool) = lt.f64(0.3f64, a_4) let (c_6: cert) = check assert b_5 \"no\" in (a_4, y_1)";
        let text = format!(
            "(x_0: f64, y_1: f64) -> (r_2: f64, s_3: f64) sig 0 (\"x\": f64, \"y\": f64) -> (f64, f64) {{ {body} }}"
        );
        let program = entry(&text);
        let failure = |args: &str, kind| {
            let args = values(args);
            let expected = program.run(&args, &Ctx::default()).unwrap();
            Tolerance::new(&program, &args, &expected, &Rng::new(0, "x")).failure(&RuntimeError::new(kind, ""))
        };
        let reason = failure("0.1 0.2", FailureKind::Assertion).unwrap();
        assert!(reason.starts_with("rounding decides whether the program fails: "), "{reason}");
        assert_eq!(failure("0.1 0.2", FailureKind::Bounds), None);
        assert_eq!(failure("0.1 0.9", FailureKind::Assertion), None);
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
        // sixteen times that, and eight units of f32, 2^-23
        let tolerance = Tolerance::new(&program, &args, &expected, &Rng::new(0, "x"));
        assert_eq!(tolerance.bounds().elements().collect::<Vec<_>>(), [&[power(-19)]]);
    }

    #[test]
    fn where_values_are_open_shapes_are_not() {
        let program = entry("(x_0: f64) -> (r_1: f64) sig 0 (\"x\": f64) -> f64 { in (x_0) }");
        let args = values("0.5");
        let of = |got: &str| {
            let tolerance = Tolerance::new(&program, &args, &args, &Rng::new(0, "x")).open("so it is");
            tolerance.compare(&values(got))
        };
        assert_eq!(
            (of("0.5"), of("7.0")),
            (Comparison::Agrees(Closeness::SAME), Comparison::IllConditioned("so it is".into()))
        );
        assert!(matches!(of("[0.5]"), Comparison::Differs(_)) && matches!(of("1i64"), Comparison::Differs(_)));
    }

    #[test]
    fn subnormal_numbers_are_zero_where_a_backend_says_so() {
        // 2^-140 times 2^20
        let text = "(x_0: f32) -> (r_1: f32, s_2: f32) sig 0 (\"x\": f32) -> (f32, f32) {
            let (a_3: f32) = mul.f32(x_0, 9.5367431640625e-7f32) let (b_4: f32) = mul.f32(a_3, 1048576.0f32) in (b_4, x_0) }";
        let program = entry(text);
        let args = [Value::Scalar(Scalar::F32(2f32.powi(-120)))];
        let expected = program.run(&args, &Ctx::default()).unwrap();
        let got = |x: f32, y: f32| [x, y].map(|x| Value::Scalar(Scalar::F32(x)));
        let differs = |flushes: bool, got: [Value; 2]| {
            let tolerance = Tolerance::new(&program, &args, &expected, &Rng::new(0, "x"));
            // nothing is said: nothing is flushed
            let tolerance = if flushes { tolerance.on(true) } else { tolerance };
            matches!(tolerance.compare(&got), Comparison::Differs(_))
        };
        let x = 2f32.powi(-120);
        assert_eq!(expected, got(x, x));
        assert_eq!([true, false].map(|flushes| differs(flushes, got(0.0, x))), [false, true]);
        assert!(differs(true, got(x, 0.0)), "no operation makes it zero");
    }

    #[test]
    fn comparisons_see_zero_where_a_backend_says_so() {
        let body = "let (p_4: bool) = lt.f64(0.0f64, x_0) let (a_5: f64) = select.f64(p_4, y_1, 1.0f64) in (a_5, y_1)";
        let text = format!(
            "(x_0: f64, y_1: f64) -> (r_2: f64, s_3: f64) sig 0 (\"x\": f64, \"y\": f64) -> (f64, f64) {{ {body} }}"
        );
        let program = entry(&text.replace("f64", "f32"));
        let compared = |x: f32, flushes: bool| {
            let args = [x, 3.0].map(|x| Value::Scalar(Scalar::F32(x)));
            let expected = program.run(&args, &Ctx::default()).unwrap();
            let got = [1.0, 3.0].map(|x| Value::Scalar(Scalar::F32(x)));
            Tolerance::new(&program, &args, &expected, &Rng::new(0, "x")).on(flushes).compare(&got)
        };
        assert!(matches!(compared(1e-45, true), Comparison::IllConditioned(_)));
        assert!(matches!(compared(1e-45, false), Comparison::Differs(_)));
        assert!(matches!(compared(1e-30, true), Comparison::Differs(_)));
    }

    #[test]
    fn roundings_of_equal_terms_may_all_go_the_same_way() {
        let text = "(x_0: f32) -> (r_1: f32) sig 0 (\"x\": f32) -> f32 {
            let (s_2: f32) = screma 1024 () map \\() -> (f32) { in (x_0) }
              reduce comm \\(a_3: f32, b_4: f32) -> (f32) { let (c_5: f32) = add.f32(a_3, b_4) in (c_5) } neutral (0.0f32)
            in (s_2) }";
        let program = entry(text);
        // all of f32 is off by two units, 2^-16, of which 32 would be allowed; independent roundings come to 5 or so
        let args = [Value::Scalar(Scalar::F32(0.141))];
        let expected = program.run(&args, &Ctx::default()).unwrap();
        let tolerance = Tolerance::new(&program, &args, &expected, &Rng::new(0, "x"));
        let units = tolerance.bounds().0[0].elements[0] / power(-16);
        assert!((500.0..1024.0).contains(&units), "{units}");
    }

    #[test]
    fn each_perturbed_run_draws_once() {
        let program = entry("(x_0: f64) -> (r_1: f64) sig 0 (\"x\": f64) -> f64 { in (x_0) }");
        let args = values("0.5");
        let (mut ours, mut rng) = (Rng::new(0, "x"), Rng::new(0, "x"));
        Tolerance::new(&program, &args, &args, &rng).perturbed(&mut ours, 3);
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
            let (few, more) = (tolerance.bounds().0[0].elements[0], tolerance.firm_bounds().0[0].elements[0]);
            assert!(more >= few, "seed {seed}: {more} < {few}");
            wider += usize::from(more > few);
        }
        // the largest of 28 is mostly not among the first 4
        assert!((20..=40).contains(&wider), "{wider}");
    }

    #[test]
    fn results_are_the_same_bit_by_bit_but_for_zeros_and_nans() {
        let is = |a: &str, b: &str| same(&values(a)[0], &values(b)[0]);
        assert!(is("[1.0, f64.nan]", "[1.0, f64.nan]") && is("-0.0", "0.0") && is("2", "2"));
        assert!(!is("[1.0, 2.0]", "[1.0, 2.5]") && !is("[1.0, 2.0]", "[1.5, 2.0]"));
        assert!(!is("1", "1i64") && !is("[1, 2]", "[1, 2, 3]") && !is("[[1, 2]]", "[1, 2]"));
    }

    #[test]
    fn closeness_is_relative_to_bounds_and_units() {
        let expected = values("[1.0, 0.0, 4.0, f64.inf]");
        let got = floats_of(vec![1.0 + 4.0 * power(-52), power(-59), 4.0, 5.0]);
        // 2^-50 of 2^-48, and four units of 1; 2^-59 of 2^-58, beside zero; nothing of nothing; what is infinitely far is no distance
        let all = [power(-48), power(-58), 0.0, 1.0];
        assert_eq!(closeness(&got, &expected[0], &all), Closeness { ratio: 0.5, ulps: 4.0 });
        let zero = Value::Scalar(Scalar::F64(power(-60)));
        assert_eq!(closeness(&zero, &values("0.0")[0], &[power(-58)]), Closeness { ratio: 0.25, ulps: 0.0 });
        let (a, b) = (Closeness { ratio: 0.5, ulps: 1.0 }, Closeness { ratio: 0.25, ulps: 2.0 });
        assert_eq!(a.max(b), Closeness { ratio: 0.5, ulps: 2.0 });
        assert_eq!(Closeness::SAME.max(b), b);
    }

    /// Only what is too large for its type counts, made of numbers that are not.
    #[test]
    fn what_overflows() {
        let run = |op: &str, args: &str| {
            let text = format!(
                "futi-ir 1
                 entry \"f\"(x_0: f64, y_1: f64, z_2: f64) -> (r_3: f64) sig 0 (\"x\": f64, \"y\": f64, \"z\": f64) -> f64 {{
                   let (a_4: f64) = {op} in (a_4) }}"
            );
            let program = EntryProgram::new(&text.parse::<Program>().unwrap(), &"f".into(), None);
            overflows(&program, &values(args))
        };
        let infinite = ["f64.inf 1.0 1.0", "1.0 f64.inf 1.0", "1.0 1.0 f64.inf"];
        for op in ["add.f64(x_0, y_1)", "div.f64(x_0, y_1)", "fma.f64(x_0, y_1, z_2)"] {
            assert_eq!(infinite.map(|args| run(op, args)), [false; 3], "{op}");
            assert!(run(op, "1.7e308 1.7e308 1.7e308") != op.starts_with("div"), "{op}");
        }
        assert!(run("div.f64(x_0, y_1)", "1.7e308 0.5 1.0"));
        assert!(!run("div.f64(x_0, y_1)", "1.0 0.0 1.0"));
    }

    /// Each result is judged by itself, and the first one is not forgotten.
    #[test]
    fn each_result_may_be_ill_conditioned() {
        // the cosine of a large number, whose digits rounding decides
        let text = |first: &str, second: &str| {
            format!(
                "futi-ir 1
                 entry \"f\"(x_0: f64) -> (r_1: f64, s_2: f64) sig 0 (\"x\": f64) -> (f64, f64) {{
                   let (a_3: f64) = mul.f64(x_0, 1.0e300f64) let (b_4: f64) = cos.f64(a_3) in ({first}, {second}) }}"
            )
        };
        for (first, second, ill) in
            [("b_4", "x_0", [true, false]), ("x_0", "b_4", [false, true]), ("x_0", "x_0", [false; 2])]
        {
            let program: Program = text(first, second).parse().unwrap();
            let program = EntryProgram::new(&program, &"f".into(), None);
            let args = values("1.1");
            let expected = program.run(&args, &Ctx::default()).unwrap();
            let rng = Rng::new(0, "x");
            let tolerance = Tolerance::new(&program, &args, &expected, &rng);
            assert_eq!(tolerance.ill_conditioned().is_some(), ill.contains(&true), "{first} {second}");
            assert_eq!([0, 1].map(|i| tolerance.allowed(i).is_none()), ill, "{first} {second}");
        }
    }
}
