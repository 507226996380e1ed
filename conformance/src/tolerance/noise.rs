//! What rounding may do to one operation: the noise of Monte-Carlo arithmetic.
//!
//! An operation that is exact has none. The noise of a sum is relative to the larger operand and not to the result, so that over a reduction it adds up
//! to the rounding of a sum in any order, which the sum of the magnitudes bounds; and where the order might matter a sum counts as inexact even if this
//! one is not (see Note [Sums that are exact in any order]).

use crate::random::Rng;
use futi_core::prim::{BinOp, Prim, Scalar, ScalarType, TernOp, UnOp};

// Note [Drift]
//
// The roundings of a sum of equal terms are no independent ones: from a power of two to the next all of them may go the same way. So the noise of a run has a mean, a
// sixteenth of a unit up or down: sixteen times what that comes to, in the runs of either direction, is a unit for each term, twice the most that they can come to.

/// How far off the noise of a run is on average, in units in the last place.
const DRIFT: f64 = 1.0 / 16.0;

/// Replaces the result of an operator by one that another rounding could have given: off by half a unit in the last place of `grain` at most, which
/// is the result's type or a narrower one that `f64` stands for; more often up, or down.
pub fn noisy(op: Prim, args: &[Scalar], result: Scalar, grain: Option<ScalarType>, up: bool, rng: &mut Rng) -> Scalar {
    let (t, x) = (result.scalar_type(), result.to_f64());
    let grain = grain.unwrap_or(t);
    // mutant comparison: of two types with the same unit either will do
    let grain = narrow(op).filter(|narrow| ulp(*narrow, 1.0) > ulp(grain, 1.0)).unwrap_or(grain);
    let Some(magnitude) = noise(op, args, x, grain) else { return result };
    // 0 of what is not finite
    let unit = ulp(grain, magnitude.max(x.abs()));
    let moved = match Some(grain).filter(|g| *g != t) {
        // room for fractions of a unit
        Some(_) => x + unit * ((1.0 - 2.0 * DRIFT) * (rng.unit() - 0.5) + if up { DRIFT } else { -DRIFT }),
        // a step to a neighbour, every other time
        None => match (rng.bits() & 31, up) {
            (0..9, true) | (0..7, false) => x + unit,
            (9..16, true) | (7..16, false) => x - unit,
            _ => x,
        },
    };
    // what is not zero does not become zero, as signs and singularities are no matter of rounding; but for a sum of which rounding leaves all that there is
    let cancels = matches!(op, Prim::Bin(BinOp::Add | BinOp::Sub, _)) && x.abs() <= unit;
    match moved {
        _ if cancels && moved.abs() < unit / 2.0 => Scalar::from_f64(t, 0.0),
        0.0 => result,
        _ if !moved.is_finite() => result,
        _ => Scalar::from_f64(t, moved),
    }
}

/// The result of an operator where subnormal `f32`, or `f64` that stand for `f32`, may count as zero: of one that they have to do with, half of the time, the one without them.
pub fn flushed(op: Prim, args: &[Scalar], grain: Option<ScalarType>, rng: &mut Rng) -> Option<Scalar> {
    let subnormal = |x: &Scalar| {
        // no integer but zero is as small
        let of_f32 = grain.unwrap_or(x.scalar_type()) == ScalarType::F32;
        of_f32 && x.to_f64() != 0.0 && x.to_f64().abs() < f32::MIN_POSITIVE.into()
    };
    let flush =
        |x: Scalar| if subnormal(&x) { Scalar::from_f64(x.scalar_type(), 0f64.copysign(x.to_f64())) } else { x };
    let result = op.eval(args);
    // mutant off by one: one bit of a random number is as good as another
    (subnormal(&result) || args.iter().any(subnormal)).then(|| match rng.bits() & 1 {
        0 => result,
        _ => flush(op.eval(&args.iter().copied().map(flush).collect::<Vec<_>>())),
    })
}

/// The distance from |x| to the next float of the type; 0 of what is not finite.
pub fn ulp(t: ScalarType, x: f64) -> f64 {
    let (digits, least) = match t {
        ScalarType::F16 => (11, -14),
        ScalarType::F32 => (24, -126),
        _ => (53, -1022),
    };
    if !x.is_finite() {
        return 0.0;
    }
    let exponent = (x.abs().to_bits() >> 52) as i32 - 1023;
    // in two steps: 2^-1074 has no reciprocal
    2f64.powi(exponent.max(least)) * 2f64.powi(1 - digits)
}

/// The magnitude that the rounding error of an operation is relative to; none if it is exact.
fn noise(op: Prim, args: &[Scalar], result: f64, grain: ScalarType) -> Option<f64> {
    let a = |i: usize| args[i].to_f64();
    let representable = |x: f64| at_grain(grain, x) == x;
    let exact = match op {
        Prim::Bin(BinOp::Add | BinOp::Sub, _) => {
            let minus = matches!(op, Prim::Bin(BinOp::Sub, _)) && a(0) == a(1);
            if minus || a(0) == 0.0 || a(1) == 0.0 || is_short(grain, a(0)) && is_short(grain, a(1)) {
                return None;
            }
            return Some(a(0).abs().max(a(1).abs()));
        }
        Prim::Bin(BinOp::Mul | BinOp::Zmul, _) => a(0).mul_add(a(1), -result) == 0.0 && representable(result),
        Prim::Bin(BinOp::Div, _) => result.mul_add(a(1), -a(0)) == 0.0 && representable(result),
        Prim::Un(UnOp::Sqrt, _) => result.mul_add(result, -a(0)) == 0.0 && representable(result),
        Prim::Conv(_, _) if narrow(op).is_some() => is_short(grain, result),
        Prim::Conv(_, _) => a(0) == result && result.abs() < 2f64.powi(53) && representable(result),
        Prim::Un(UnOp::Neg | UnOp::Abs | UnOp::Sgn | UnOp::Ceil | UnOp::Floor | UnOp::Round | UnOp::Trunc, _)
        | Prim::Un(UnOp::ToBits | UnOp::FromBits, _)
        | Prim::Bin(BinOp::Min | BinOp::Max | BinOp::Copysign | BinOp::Nextafter | BinOp::Mod | BinOp::Ldexp, _)
        | Prim::Tern(TernOp::SetBit, _)
        | Prim::Select(_) => true,
        _ => false,
    };
    let terms = match op {
        Prim::Tern(TernOp::Fma | TernOp::Mad, _) => (a(0) * a(1)).abs().max(a(2).abs()),
        Prim::Tern(TernOp::Lerp, _) => a(0).abs().max(a(1).abs()),
        Prim::Conv(_, _) if narrow(op).is_some() => 4.0 * result.abs(),
        // Not rounded correctly anywhere: libraries are off by a unit or two.
        Prim::Un(op, _) if !matches!(op, UnOp::Sqrt) => 2.0 * result.abs(),
        Prim::Bin(BinOp::Pow | BinOp::Atan2 | BinOp::Atan2pi | BinOp::Hypot | BinOp::Polygamma, _) => {
            2.0 * result.abs()
        }
        _ => result.abs(),
    };
    (!exact).then_some(terms)
}

/// The type of what a conversion widens, if it does: see Note [Narrow numbers stay narrow].
fn narrow(op: Prim) -> Option<ScalarType> {
    let Prim::Conv(from, to) = op else { return None };
    // mutant dropped term `from.is_float() && to.is_float()` -> `from.is_float()`: an integer has no noise, whatever it is made from
    (from.is_float() && to.is_float() && ulp(from, 1.0) > ulp(to, 1.0)).then_some(from)
}

// Note [Narrow numbers stay narrow]
//
// The conversion of an f32 to f64 is exact, and yet what is converted has the precision of an f32: a sum of such numbers may be taken before the
// conversion or after it, and the derivative of a conversion that is hoisted out of a map does just that. So the noise of a conversion to a wider type
// is that of the narrower one, a few times: as much as a sum of a few dozen terms has; but for numbers that add up exactly there, too.

// Note [Sums that are exact in any order]
//
// 1e16 - 1e16 + 1 is exact from left to right and is not if the last two are added first. So that a sum happens to be exact says nothing about other
// orders. What does: all terms are multiples of one unit and small beside it. Numbers of few digits about the point are such terms: for `f64` multiples
// of 2^-16 below 2^26, of which 2^11 add up exactly in any order; for narrower types likewise. Small integers are among them.

/// Whether the number has few digits about the point.
fn is_short(t: ScalarType, x: f64) -> bool {
    let (above, below) = match t {
        ScalarType::F16 => (5, 2),
        ScalarType::F32 => (11, 6),
        _ => (26, 16),
    };
    let scaled = x * 2f64.powi(below);
    x.abs() < 2f64.powi(above) && scaled == scaled.trunc()
}

/// The nearest number of the type.
fn at_grain(t: ScalarType, x: f64) -> f64 {
    Scalar::from_f64(t, x).to_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScalarType::{F16, F32, F64};

    fn of(op: Prim, args: &[f64], grain: ScalarType) -> Option<f64> {
        let scalars: Vec<Scalar> = args.iter().map(|x| Scalar::from_f64(F64, *x)).collect();
        noise(op, &scalars, op.eval(&scalars).to_f64(), grain)
    }

    #[test]
    fn units_in_the_last_place() {
        assert_eq!((ulp(F64, 1.0), ulp(F32, 1.0), ulp(F16, 1.0)), (f64::EPSILON, f32::EPSILON as f64, 1.0 / 1024.0));
        assert_eq!((ulp(F64, -3.0), ulp(F32, 3.0)), (2.0 * f64::EPSILON, 2.0 * f32::EPSILON as f64));
        // subnormal numbers are equidistant
        assert_eq!((ulp(F64, 0.0), ulp(F32, 1e-42), ulp(F16, 0.0)), (5e-324, f32::from_bits(1) as f64, 2f64.powi(-24)));
    }

    #[test]
    fn exact_operations_have_no_noise() {
        let add = Prim::Bin(BinOp::Add, F64);
        let mul = Prim::Bin(BinOp::Mul, F64);
        assert_eq!(of(add, &[3.0, 0.25], F64), None);
        assert_eq!(of(mul, &[0.1, 4.0], F64), None);
        assert_eq!(of(Prim::Bin(BinOp::Div, F64), &[0.1, 4.0], F64), None);
        assert_eq!(of(Prim::Un(UnOp::Sqrt, F64), &[6.25], F64), None);
        assert_eq!(of(Prim::Un(UnOp::Neg, F64), &[0.1], F64), None);
        // x - x is zero however it is computed
        assert_eq!(of(Prim::Bin(BinOp::Sub, F64), &[0.1, 0.1], F64), None);
        assert_eq!(of(mul, &[0.1, 0.1], F64), Some(0.1 * 0.1));
        // exact in f64, not in f32
        assert_eq!(
            (of(mul, &[1.0 + 2f64.powi(-20), 1.0 + 2f64.powi(-20)], F64), of(mul, &[3.0, 0.5], F32)),
            (None, None)
        );
        assert!(of(mul, &[1.0 + 2f64.powi(-20), 1.0 + 2f64.powi(-20)], F32).is_some());
    }

    #[test]
    fn sums_that_cancel_may_be_zero() {
        let sub = Prim::Bin(BinOp::Sub, F64);
        let zeros = |x: f64, y: f64, grain: Option<ScalarType>| {
            let (args, mut rng) = ([x, y].map(|x| Scalar::from_f64(F64, x)), Rng::new(5, "zeros"));
            (0..200).filter(|_| noisy(sub, &args, sub.eval(&args), grain, true, &mut rng).to_f64() == 0.0).count()
        };
        let (unit, wide) = (2f64.powi(-23), Some(F32));
        // the difference is 0.4 units of an f32: from -0.1 to 0.9 of them, it is nearer to none in 0.6 of the runs; that of 0.7 units in a third; that of 1.1 units never
        let [most, some, none] = [0.4, 0.7, 1.1].map(|units| zeros(1.7 + units * unit, 1.7, wide));
        assert!((90..150).contains(&most) && (30..90).contains(&some) && none == 0, "{most} {some}");
        // and of one unit of their own type, half of the runs move it, and of these half to zero
        let one = zeros(1.7 + f64::EPSILON, 1.7, None);
        assert!((20..80).contains(&one) && zeros(1.7 + 2.0 * f64::EPSILON, 1.7, None) == 0, "{one}");
        // a product does not become zero
        let (mul, tiny) = (Prim::Bin(BinOp::Mul, F64), Scalar::F64(5e-324));
        let args = [tiny, Scalar::F64(0.9)];
        let mut rng = Rng::new(6, "products");
        assert!((0..200).all(|_| noisy(mul, &args, mul.eval(&args), None, true, &mut rng).to_f64() != 0.0));
    }

    #[test]
    fn what_was_narrow_stays_so() {
        let widen = |from: ScalarType, x: f64| {
            let (op, arg) = (Prim::Conv(from, F64), Scalar::from_f64(from, x));
            let mut rng = Rng::new(2, "narrow");
            let off = |_| (noisy(op, &[arg], op.eval(&[arg]), None, true, &mut rng).to_f64() - arg.to_f64()).abs();
            (0..100).map(off).fold(0.0, f64::max) / ulp(from, x)
        };
        for t in [F16, F32] {
            assert!((1.8..=2.0).contains(&widen(t, 0.1)), "{t}");
            // 3 adds up exactly in both types
            assert_eq!(widen(t, 3.0), 0.0);
        }
        // also where what it becomes is not the widest
        let (op, arg) = (Prim::Conv(F16, F32), Scalar::from_f64(F16, 0.1));
        let mut rng = Rng::new(2, "narrow");
        let off = |_| (noisy(op, &[arg], op.eval(&[arg]), None, true, &mut rng).to_f64() - arg.to_f64()).abs();
        assert!((1.8..=2.0).contains(&((0..100).map(off).fold(0.0, f64::max) / ulp(F16, 0.1))));
        // and not where the numbers that f64 stands for are narrower still
        let (op, arg) = (Prim::Conv(F32, F64), Scalar::from_f64(F32, 0.1));
        let off = |_| (noisy(op, &[arg], op.eval(&[arg]), Some(F16), true, &mut rng).to_f64() - arg.to_f64()).abs();
        assert!((1.8..=2.0).contains(&((0..100).map(off).fold(0.0, f64::max) / ulp(F16, 0.1))));
        // to a narrower type it is the rounding of that; to the same there is none
        assert_eq!(
            (of(Prim::Conv(F64, F32), &[0.1], F32), of(Prim::Conv(F32, F32), &[0.75], F32)),
            (Some(0.1f32 as f64), None)
        );
        assert_eq!(of(Prim::Conv(F64, F32), &[0.5], F32), None);
    }

    #[test]
    fn the_noise_of_a_run_has_a_mean() {
        let (op, a, b) = (Prim::Bin(BinOp::Mul, F64), Scalar::F64(0.1), Scalar::F64(0.7));
        let x = 0.1 * 0.7;
        for (grain, unit) in [(None, ulp(F64, x)), (Some(F32), ulp(F32, x))] {
            for (up, mean) in [(true, DRIFT), (false, -DRIFT)] {
                let mut rng = Rng::new(4, "drift");
                let off = |_| noisy(op, &[a, b], Scalar::F64(x), grain, up, &mut rng).to_f64() - x;
                let found = (0..20000).map(off).sum::<f64>() / 20000.0 / unit;
                assert!((found - mean).abs() < 0.02, "{grain:?}: {found}, not {mean}");
            }
        }
    }

    #[test]
    fn subnormal_numbers_may_count_as_zero() {
        let mul = Prim::Bin(BinOp::Mul, F32);
        let all = |op: Prim, args: &[Scalar], grain| -> Vec<Option<f64>> {
            let mut rng = Rng::new(2, "flushed");
            let mut all: Vec<Option<f64>> =
                (0..40).map(|_| flushed(op, args, grain, &mut rng).map(|x| x.to_f64())).collect();
            all.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
            all.dedup();
            all
        };
        let power = |k: i32| 2f64.powi(k);
        // as a result, as an operand; the least normal number is none
        let of = |x: i32, y: i32| all(mul, &[x, y].map(|k| Scalar::F32(2f64.powi(k) as f32)), None);
        assert_eq!(of(-70, -60), [Some(0.0), Some(power(-130))]);
        assert_eq!(of(-130, 40), [Some(0.0), Some(power(-90))]);
        assert_eq!(of(-66, -60), [None]);
        // nor is zero itself
        assert_eq!(all(mul, &[Scalar::F32(0.0), Scalar::F32(1.0)], None), [None]);
        // of f64 only what stands for an f32
        let wide = |grain| all(Prim::Bin(BinOp::Mul, F64), &[-70, -60].map(|k| Scalar::F64(2f64.powi(k))), grain);
        assert_eq!((wide(None), wide(Some(F32))), (vec![None], vec![Some(0.0), Some(power(-130))]));
        // zeros keep their sign
        let zero = (0..40)
            .filter_map(|k| flushed(Prim::Un(UnOp::Neg, F32), &[Scalar::F32(1e-40)], None, &mut Rng::new(k, "")));
        assert!(zero.into_iter().any(|x| x.to_f64() == 0.0 && x.to_f64().is_sign_negative()));
    }

    #[test]
    fn the_noise_of_a_sum_is_that_of_its_terms() {
        let add = Prim::Bin(BinOp::Add, F64);
        // exact here, and not in another order
        assert_eq!(of(add, &[1e16, -1e16], F64), Some(1e16));
        assert_eq!(of(add, &[0.3, -0.1], F64), Some(0.3));
        // 3.1 has few digits for nobody, 2047.5 for f32, not for f16
        assert_eq!(of(add, &[2047.5, 1.0], F32), None);
        assert_eq!(of(add, &[2047.5, 1.0], F16), Some(2047.5));
    }

    #[test]
    fn noise_is_about_half_a_unit_and_never_a_sign() {
        let (op, mut rng) = (Prim::Bin(BinOp::Mul, F64), Rng::new(1, "noise"));
        let (a, b) = (Scalar::F64(0.1), Scalar::F64(0.7));
        let x = 0.1 * 0.7;
        let off = |grain, rng: &mut Rng| (noisy(op, &[a, b], Scalar::F64(x), grain, true, rng).to_f64() - x).abs();
        let own: Vec<f64> = (0..1000).map(|_| off(None, &mut rng) / ulp(F64, x)).collect();
        assert!(own.iter().all(|u| *u == 0.0 || *u == 1.0));
        assert!((0.4..0.6).contains(&(own.iter().sum::<f64>() / 1000.0)));
        let single: Vec<f64> = (0..1000).map(|_| off(Some(F32), &mut rng) / ulp(F32, x)).collect();
        assert!(single.iter().all(|u| *u <= 0.5) && single.iter().any(|u| *u > 0.45));
        // the least number has 0 below it
        let tiny: Vec<f64> =
            (0..100).map(|_| noisy(op, &[a, b], Scalar::F64(5e-324), None, true, &mut rng).to_f64()).collect();
        assert!(tiny.iter().all(|x| *x > 0.0) && tiny.contains(&1e-323));
    }

    #[test]
    fn units_of_each_type() {
        // 2^(exponent + 1 - digits): of 11, 24 and 53 digits
        assert_eq!((ulp(F16, 1.0), ulp(F16, 2047.0), ulp(F16, 0.25)), (power(-10), 1.0, power(-12)));
        assert_eq!((ulp(F32, 1.5), ulp(F32, 16777216.0), ulp(F32, -0.1)), (power(-23), 2.0, power(-27)));
        assert_eq!((ulp(F64, 1.9), ulp(F64, 1e16), ulp(F64, -0.1)), (power(-52), 2.0, power(-56)));
        // the least normal numbers are 2^-14, 2^-126 and 2^-1022; from twice those on units grow
        assert_eq!((ulp(F16, power(-14)), ulp(F16, power(-13))), (power(-24), power(-23)));
        assert_eq!((ulp(F32, power(-126)), ulp(F32, power(-125))), (power(-149), power(-148)));
        assert_eq!((ulp(F64, power(-1022)), ulp(F64, power(-1021))), (5e-324, 1e-323));
        assert_eq!((ulp(F64, f64::INFINITY), ulp(F32, f64::NAN)), (0.0, 0.0));
    }

    fn power(n: i32) -> f64 {
        2f64.powi(n)
    }

    #[test]
    fn numbers_of_few_digits() {
        // f16: multiples of 1/4 below 32; f32: of 1/64 below 2048; f64: of 2^-16 below 2^26
        for (t, least, most) in [(F16, power(-2), power(5)), (F32, power(-6), power(11)), (F64, power(-16), power(26))]
        {
            for x in [0.0, least, 3.0 * least, most - least, most / 2.0 + least] {
                assert!(is_short(t, x) && is_short(t, -x), "{x} of {t}");
            }
            for x in [least / 2.0, 1.0 + least / 2.0, most, -most, most + least] {
                assert!(!is_short(t, x), "{x} of {t}");
            }
        }
    }

    #[test]
    fn the_magnitude_of_each_operation() {
        let [add, sub, mul, div] = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div].map(|op| Prim::Bin(op, F64));
        let sqrt = Prim::Un(UnOp::Sqrt, F64);
        // a sum: the larger operand, on either side, of either sign
        for op in [add, sub] {
            assert_eq!((of(op, &[0.1, -0.3], F64), of(op, &[-0.3, 0.1], F64)), (Some(0.3), Some(0.3)));
            // one of few digits is not enough
            assert_eq!((of(op, &[1.0, 0.1], F64), of(op, &[0.1, 1.0], F64)), (Some(1.0), Some(1.0)));
            // nothing added
            assert_eq!((of(op, &[0.0, 0.1], F64), of(op, &[0.1, 0.0], F64)), (None, None));
        }
        assert_eq!((of(add, &[0.1, 0.1], F64), of(sub, &[0.1, 0.1], F64)), (Some(0.1), None));
        // a product, a quotient, a root: the result, unless it is exact
        assert_eq!((of(mul, &[0.1, 0.3], F64), of(mul, &[4.0, 0.1], F64)), (Some(0.1 * 0.3), None));
        assert_eq!((of(div, &[0.1, 0.3], F64), of(div, &[0.3, 0.1], F64)), (Some(0.1 / 0.3), Some(0.3 / 0.1)));
        assert_eq!((of(div, &[3.0, 8.0], F64), of(div, &[1.0, 3.0], F64)), (None, Some(1.0 / 3.0)));
        assert_eq!((of(sqrt, &[2.0], F64), of(sqrt, &[0.25], F64)), (Some(2f64.sqrt()), None));
        // (1 + 2^-26)^2 = 1 + 2^-25 + 2^-52: exact in f64, but neither factor nor quotient is a number of f32
        let x = 1.0 + power(-26);
        let square = 1.0 + power(-25) + power(-52);
        assert_eq!((of(sqrt, &[square], F64), of(sqrt, &[square], F32)), (None, Some(x)));
        assert_eq!((of(div, &[square, x], F64), of(div, &[square, x], F32)), (None, Some(x)));
        assert_eq!((of(mul, &[x, 2.0], F64), of(mul, &[x, 2.0], F32)), (None, Some(2.0 * x)));
        // off by a unit or two: twice the result
        let exp = Prim::Un(UnOp::Exp, F64);
        assert_eq!((of(exp, &[1.0], F64), of(exp, &[0.0], F64)), (Some(2.0 * exp1()), Some(2.0)));
        assert_eq!(of(Prim::Bin(BinOp::Pow, F64), &[3.0, 2.0], F64), Some(18.0));
        assert_eq!(of(Prim::Bin(BinOp::Hypot, F64), &[3.0, 4.0], F64), Some(10.0));
        // a product and a sum: the larger of both
        let fma = Prim::Tern(TernOp::Fma, F64);
        assert_eq!((of(fma, &[0.5, 0.25, 3.0], F64), of(fma, &[3.0, 5.0, -2.0], F64)), (Some(3.0), Some(15.0)));
        let lerp = Prim::Tern(TernOp::Lerp, F64);
        assert_eq!((of(lerp, &[0.3, -0.7, 0.5], F64), of(lerp, &[-0.7, 0.3, 0.5], F64)), (Some(0.7), Some(0.7)));
    }

    fn exp1() -> f64 {
        Prim::Un(UnOp::Exp, F64).eval(&[Scalar::F64(1.0)]).to_f64()
    }

    #[test]
    fn what_chooses_or_moves_digits_is_exact() {
        for op in [UnOp::Neg, UnOp::Abs, UnOp::Sgn, UnOp::Ceil, UnOp::Floor, UnOp::Round, UnOp::Trunc] {
            assert_eq!(of(Prim::Un(op, F64), &[0.1], F64), None, "{op:?}");
        }
        for op in [BinOp::Min, BinOp::Max, BinOp::Copysign, BinOp::Nextafter, BinOp::Mod] {
            assert_eq!(of(Prim::Bin(op, F64), &[0.1, 0.3], F64), None, "{op:?}");
        }
    }

    #[test]
    fn conversions_are_exact_if_nothing_is_lost() {
        let conv = |from: ScalarType, x: Scalar, to: ScalarType, grain| {
            let op = Prim::Conv(from, to);
            noise(op, &[x], op.eval(&[x]).to_f64(), grain)
        };
        use ScalarType::I64;
        assert_eq!(
            (conv(F64, Scalar::F64(0.5), F32, F32), conv(F64, Scalar::F64(0.1), F32, F64)),
            (None, Some(0.1f32.into()))
        );
        assert_eq!((conv(F64, Scalar::F64(0.1), F64, F64), conv(F64, Scalar::F64(0.1), F64, F32)), (None, Some(0.1)));
        // an integer of 53 digits is; 2^53 may stand for 2^53 + 1
        let int = |n: i64| conv(I64, Scalar::I64(n), F64, F64);
        assert_eq!((int((1 << 53) - 1), int(1 << 53), int((1 << 53) + 1)), (None, Some(power(53)), Some(power(53))));
        assert_eq!(int(-(1 << 53)), Some(power(53)));
    }

    #[test]
    fn noise_goes_both_ways_and_stays_finite() {
        let mut rng = Rng::new(2, "noise");
        let mul = Prim::Bin(BinOp::Mul, F64);
        let (a, b) = (Scalar::F64(0.1), Scalar::F64(0.7));
        let mut offs = |op, args: &[Scalar], x: f64, grain| -> Vec<f64> {
            (0..400).map(|_| noisy(op, args, Scalar::F64(x), grain, true, &mut rng).to_f64() - x).collect()
        };
        // a step up a quarter of the time, and as often down, be the grain the type itself or not given; 0.07 has units of 2^-56
        for grain in [None, Some(F64)] {
            let own = offs(mul, &[a, b], 0.1 * 0.7, grain);
            let share = |step: f64| own.iter().filter(|d| **d == step).count();
            assert!((60..140).contains(&share(power(-56))) && (60..140).contains(&share(-power(-56))));
            assert_eq!(share(power(-56)) + share(-power(-56)) + share(0.0), 400);
        }
        // half a unit of f32, 2^-27, in the direction of the run, and three quarters of that in the other
        let single = offs(mul, &[a, b], 0.1 * 0.7, Some(F32));
        let largest = |sign: f64| single.iter().map(|d| sign * d).fold(0.0, f64::max) / power(-28);
        assert!((0.95..=1.0).contains(&largest(1.0)) && (0.7..=0.75).contains(&largest(-1.0)));
        // a sum's steps are units of its larger term: 2 of 1e16
        let add = Prim::Bin(BinOp::Add, F64);
        let sum = offs(add, &[Scalar::F64(1e16), Scalar::F64(-1e16)], 0.0, None);
        assert!(sum.contains(&2.0) && sum.contains(&-2.0) && sum.iter().all(|d| [0.0, 2.0, -2.0].contains(d)));
        // or of the result if that is larger: 0.6 has units of 2^-53, 0.3 of 2^-54
        let sum = offs(add, &[Scalar::F64(0.3), Scalar::F64(0.3)], 0.6, None);
        assert!(sum.contains(&power(-53)) && !sum.contains(&power(-54)));
        // the largest number has no neighbour above
        let top = offs(mul, &[a, b], f64::MAX, None);
        assert!(top.iter().all(|d| *d == 0.0 || *d == -ulp(F64, f64::MAX)) && top.iter().any(|d| *d != 0.0));
        // what is 1 or steps to 1 is nothing special; what is not finite stays
        assert!(offs(mul, &[a, b], 1.0 + power(-52), None).contains(&-power(-52)));
        for x in [f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(
                noisy(
                    add,
                    &[Scalar::F64(1e308), Scalar::F64(1e308)],
                    Scalar::F64(x),
                    None,
                    true,
                    &mut Rng::new(3, "x")
                ),
                Scalar::F64(x)
            );
        }
    }
}
