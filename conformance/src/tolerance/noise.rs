//! What rounding may do to one operation: the noise of Monte-Carlo arithmetic.
//!
//! An operation that is exact has none. The noise of a sum is relative to the larger operand and not to the result, so that over a reduction it adds up
//! to the rounding of a sum in any order, which the sum of the magnitudes bounds; and where the order might matter a sum counts as inexact even if this
//! one is not (see Note [Sums that are exact in any order]).

use crate::random::Rng;
use futi_core::prim::{BinOp, Prim, Scalar, ScalarType, TernOp, UnOp};

/// Replaces the result of an operator by one that another rounding could have given: off by half a unit in the last place of `grain` on average, which
/// is the result's type or a narrower one that `f64` stands for.
pub fn noisy(op: Prim, args: &[Scalar], result: Scalar, grain: Option<ScalarType>, rng: &mut Rng) -> Scalar {
    let (t, x) = (result.scalar_type(), result.to_f64());
    let magnitude = match noise(op, args, x, grain.unwrap_or(t)) {
        Some(magnitude) if x.is_finite() && magnitude.is_finite() => magnitude,
        _ => return result,
    };
    let unit = ulp(grain.unwrap_or(t), magnitude.max(x.abs()));
    let moved = match grain.filter(|g| *g != t) {
        // room for fractions of a unit
        Some(_) => x + unit * (rng.unit() - 0.5),
        // a step to a neighbour, every other time
        None => match rng.bits() & 3 {
            0 => x + unit,
            1 => x - unit,
            _ => x,
        },
    };
    // what is not zero does not become zero, nor the reverse: signs and singularities are no matter of rounding
    if moved == 0.0 && x != 0.0 || !moved.is_finite() { result } else { Scalar::from_f64(t, moved) }
}

/// The distance from |x| to the next float of the type.
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
    let a = |i: usize| args.get(i).map_or(0.0, |x| x.to_f64());
    let representable = |x: f64| at_grain(grain, x) == x;
    let exact = match op {
        Prim::Bin(BinOp::Add | BinOp::Sub, _) => {
            let minus = matches!(op, Prim::Bin(BinOp::Sub, _)) && a(0) == a(1);
            if minus || a(0) == 0.0 || a(1) == 0.0 || [a(0), a(1)].into_iter().all(|x| is_short(grain, x)) {
                return None;
            }
            return Some(a(0).abs().max(a(1).abs()));
        }
        Prim::Bin(BinOp::Mul | BinOp::Zmul, _) => a(0).mul_add(a(1), -result) == 0.0 && representable(result),
        Prim::Bin(BinOp::Div, _) => result.mul_add(a(1), -a(0)) == 0.0 && representable(result),
        Prim::Un(UnOp::Sqrt, _) => result.mul_add(result, -a(0)) == 0.0 && representable(result),
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
        // Not rounded correctly anywhere: libraries are off by a unit or two.
        Prim::Un(op, _) if !matches!(op, UnOp::Sqrt) => 2.0 * result.abs(),
        Prim::Bin(BinOp::Pow | BinOp::Atan2 | BinOp::Atan2pi | BinOp::Hypot | BinOp::Polygamma, _) => {
            2.0 * result.abs()
        }
        _ => result.abs(),
    };
    (!exact).then_some(terms)
}

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
        let off = |grain, rng: &mut Rng| (noisy(op, &[a, b], Scalar::F64(x), grain, rng).to_f64() - x).abs();
        let own: Vec<f64> = (0..1000).map(|_| off(None, &mut rng) / ulp(F64, x)).collect();
        assert!(own.iter().all(|u| *u == 0.0 || *u == 1.0));
        assert!((0.4..0.6).contains(&(own.iter().sum::<f64>() / 1000.0)));
        let single: Vec<f64> = (0..1000).map(|_| off(Some(F32), &mut rng) / ulp(F32, x)).collect();
        assert!(single.iter().all(|u| *u <= 0.5) && single.iter().any(|u| *u > 0.45));
        let tiny = [Scalar::F64(5e-324), Scalar::F64(1.5)];
        assert!((0..100).all(|_| noisy(op, &tiny, Scalar::F64(5e-324), None, &mut rng).to_f64() > 0.0));
    }
}
