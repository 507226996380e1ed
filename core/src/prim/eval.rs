//! The value of every scalar operator: IEEE arithmetic without contraction, wrapping integers, `libm` for transcendentals (so that the last bits
//! do not depend on the platform). Each operator is written once for all widths.

use super::{BinOp, CmpOp, Prim, Scalar, UnOp};
use num_traits::{Float, PrimInt, WrappingAdd, WrappingMul, WrappingNeg, WrappingSub};

impl Prim {
    /// The value. Total: where a check would have failed (division by zero, negative exponent) it is 0.
    ///
    /// # Panics
    /// When the operands are not of the types that [`Prim::signature`] gives: an ill-typed program, which the checker rejects.
    pub fn eval(self, args: &[Scalar]) -> Scalar {
        use Scalar::*;
        match (self, args) {
            (Prim::Un(op, _), [I32(x)]) => I32(int_unary(op, *x)),
            (Prim::Un(op, _), [I64(x)]) => I64(int_unary(op, *x)),
            (Prim::Un(UnOp::Not, _), [Bool(x)]) => Bool(!x),
            (Prim::Un(UnOp::IsNan, _), [x]) => Bool(x.to_f64().is_nan()),
            (Prim::Un(UnOp::IsInf, _), [x]) => Bool(x.to_f64().is_infinite()),
            (Prim::Un(op, _), [F32(x)]) => F32(float_unary(op, *x)),
            (Prim::Un(op, _), [F64(x)]) => F64(float_unary(op, *x)),
            (Prim::Bin(op, _), [I32(x), I32(y)]) => I32(int_binary(op, *x, *y)),
            (Prim::Bin(op, _), [I64(x), I64(y)]) => I64(int_binary(op, *x, *y)),
            (Prim::Bin(op, _), [F32(x), F32(y)]) => F32(float_binary(op, *x, *y)),
            (Prim::Bin(op, _), [F64(x), F64(y)]) => F64(float_binary(op, *x, *y)),
            (Prim::Bin(op, _), [Bool(x), Bool(y)]) => Bool(bool_binary(op, *x, *y)),
            (Prim::Cmp(op, _), [I32(x), I32(y)]) => Bool(compare(op, x, y)),
            (Prim::Cmp(op, _), [I64(x), I64(y)]) => Bool(compare(op, x, y)),
            (Prim::Cmp(op, _), [F32(x), F32(y)]) => Bool(compare(op, x, y)),
            (Prim::Cmp(op, _), [F64(x), F64(y)]) => Bool(compare(op, x, y)),
            (Prim::Cmp(op, _), [Bool(x), Bool(y)]) => Bool(compare(op, x, y)),
            (Prim::Conv(_, to), [x]) => convert(*x, to),
            (Prim::Select(_), [Bool(c), x, y]) => {
                if *c {
                    *x
                } else {
                    *y
                }
            }
            _ => panic!("internal error: {self} applied to {args:?}"),
        }
    }
}

/// What `libm` gives at either width, beside `num_traits::Float`, whose own transcendentals are the platform's.
trait Libm: Float {
    fn unary(op: UnOp, x: Self) -> Self;
    fn pow(self, y: Self) -> Self;
    fn arctan2(self, x: Self) -> Self;
    fn hypotenuse(self, y: Self) -> Self;
    fn fmod(self, y: Self) -> Self;
}

macro_rules! libm_at {
    ($ty:ty; $($op:ident => $f:ident,)*; $pow:ident $atan2:ident $hypot:ident $fmod:ident) => {
        impl Libm for $ty {
            fn unary(op: UnOp, x: Self) -> Self {
                match op { $(UnOp::$op => libm::$f(x),)* _ => <$ty>::NAN }
            }
            fn pow(self, y: Self) -> Self { libm::$pow(self, y) }
            fn arctan2(self, x: Self) -> Self { libm::$atan2(self, x) }
            fn hypotenuse(self, y: Self) -> Self { libm::$hypot(self, y) }
            fn fmod(self, y: Self) -> Self { libm::$fmod(self, y) }
        }
    };
}
libm_at!(f32; Cbrt => cbrtf, Exp => expf, Expm1 => expm1f, Log => logf, Log1p => log1pf, Log2 => log2f, Log10 => log10f, Sin => sinf,
    Cos => cosf, Tan => tanf, Asin => asinf, Acos => acosf, Atan => atanf, Sinh => sinhf, Cosh => coshf, Tanh => tanhf, Asinh => asinhf,
    Acosh => acoshf, Atanh => atanhf, Erf => erff, Erfc => erfcf, Round => rintf, ; powf atan2f hypotf fmodf);
libm_at!(f64; Cbrt => cbrt, Exp => exp, Expm1 => expm1, Log => log, Log1p => log1p, Log2 => log2, Log10 => log10, Sin => sin,
    Cos => cos, Tan => tan, Asin => asin, Acos => acos, Atan => atan, Sinh => sinh, Cosh => cosh, Tanh => tanh, Asinh => asinh,
    Acosh => acosh, Atanh => atanh, Erf => erf, Erfc => erfc, Round => rint, ; pow atan2 hypot fmod);

fn float_unary<T: Libm>(op: UnOp, x: T) -> T {
    match op {
        UnOp::Neg => -x,
        UnOp::Abs => x.abs(),
        UnOp::Sgn if x > T::zero() => T::one(),
        UnOp::Sgn if x < T::zero() => -T::one(),
        // zero keeps its sign, NaN stays
        UnOp::Sgn => x,
        UnOp::Sqrt => x.sqrt(),
        // libm gives finite numbers outside of the domain
        UnOp::Acosh if x < T::one() => T::nan(),
        UnOp::Ceil => x.ceil(),
        UnOp::Floor => x.floor(),
        UnOp::Trunc => x.trunc(),
        _ => T::unary(op, x),
    }
}

fn float_binary<T: Libm>(op: BinOp, x: T, y: T) -> T {
    match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        BinOp::Mul => x * y,
        BinOp::Div => x / y,
        BinOp::Mod => x.fmod(y),
        BinOp::Pow => Libm::pow(x, y),
        BinOp::Min => {
            if x <= y || y.is_nan() {
                x
            } else {
                y
            }
        }
        BinOp::Max => {
            if x >= y || y.is_nan() {
                x
            } else {
                y
            }
        }
        BinOp::Atan2 => x.arctan2(y),
        BinOp::Hypot => x.hypotenuse(y),
        BinOp::Zmul if y == T::zero() => T::zero(),
        BinOp::Zmul => x * y,
        _ => T::nan(),
    }
}

fn int_unary<T: PrimInt + WrappingNeg>(op: UnOp, x: T) -> T {
    match op {
        UnOp::Neg => x.wrapping_neg(),
        UnOp::Not => !x,
        UnOp::Abs if x < T::zero() => x.wrapping_neg(),
        UnOp::Sgn if x > T::zero() => T::one(),
        UnOp::Sgn if x < T::zero() => T::zero().wrapping_neg() - T::one(),
        _ => x,
    }
}

fn int_binary<T>(op: BinOp, x: T, y: T) -> T
where
    T: PrimInt + WrappingAdd + WrappingSub + WrappingMul + WrappingNeg,
{
    let zero = T::zero();
    let minus_one = !zero;
    // The shift distance, when it is within the width.
    let shift = || y.to_u32().filter(|s| *s < T::zero().count_zeros());
    match op {
        BinOp::Add => x.wrapping_add(&y),
        BinOp::Sub => x.wrapping_sub(&y),
        BinOp::Mul => x.wrapping_mul(&y),
        BinOp::Div | BinOp::Quot | BinOp::Mod | BinOp::Rem if y == zero => zero,
        BinOp::Div | BinOp::Quot if y == minus_one => x.wrapping_neg(),
        BinOp::Mod | BinOp::Rem if y == minus_one => zero,
        BinOp::Quot => x / y,
        BinOp::Rem => x % y,
        BinOp::Div if x % y != zero && (x < zero) != (y < zero) => x / y - T::one(),
        BinOp::Div => x / y,
        BinOp::Mod if x % y != zero && (x < zero) != (y < zero) => x % y + y,
        BinOp::Mod => x % y,
        BinOp::Pow if y < zero => zero,
        BinOp::Pow => power(x, y),
        BinOp::Min => x.min(y),
        BinOp::Max => x.max(y),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl => shift().map_or(zero, |s| x.unsigned_shl(s)),
        BinOp::Shr => shift().map_or(if x < zero { minus_one } else { zero }, |s| x.signed_shr(s)),
        BinOp::Lshr => shift().map_or(zero, |s| x.unsigned_shr(s)),
        BinOp::Zmul if y == zero => zero,
        BinOp::Zmul => x.wrapping_mul(&y),
        BinOp::Atan2 | BinOp::Hypot => zero,
    }
}

/// `x` to the `y` by squaring, wrapping; `y` is not negative.
fn power<T: PrimInt + WrappingMul>(x: T, y: T) -> T {
    let (mut base, mut exponent, mut result) = (x, y, T::one());
    while exponent > T::zero() {
        if exponent & T::one() == T::one() {
            result = result.wrapping_mul(&base);
        }
        base = base.wrapping_mul(&base);
        exponent = exponent >> 1;
    }
    result
}

fn bool_binary(op: BinOp, x: bool, y: bool) -> bool {
    match op {
        BinOp::And | BinOp::Min => x && y,
        BinOp::Or | BinOp::Max => x || y,
        BinOp::Xor => x != y,
        _ => false,
    }
}

fn compare<T: PartialOrd>(op: CmpOp, x: &T, y: &T) -> bool {
    match op {
        CmpOp::Eq => x == y,
        CmpOp::Lt => x < y,
        CmpOp::Le => x <= y,
    }
}

fn convert(x: Scalar, to: super::ScalarType) -> Scalar {
    use super::ScalarType as T;
    match (x, to) {
        (Scalar::Bool(b), _) => Scalar::from_i64(to, b as i64),
        (Scalar::I32(x), _) => Scalar::from_i64(to, x as i64),
        (Scalar::I64(x), _) => Scalar::from_i64(to, x),
        (Scalar::F32(x), T::F32) => Scalar::F32(x),
        // Rust's `as` truncates and saturates, NaN to 0; infinities are 0 here.
        (_, T::I32) => Scalar::I32(if x.to_f64().is_infinite() { 0 } else { x.to_f64() as i32 }),
        (_, T::I64) => Scalar::I64(if x.to_f64().is_infinite() { 0 } else { x.to_f64() as i64 }),
        (_, T::F32) => Scalar::F32(x.to_f64() as f32),
        (_, T::F64) => Scalar::F64(x.to_f64()),
        (_, T::Bool) => Scalar::Bool(x.to_f64() != 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prim::ScalarType::{self, *};

    fn bin(op: BinOp, t: ScalarType, x: Scalar, y: Scalar) -> Scalar {
        Prim::Bin(op, t).eval(&[x, y])
    }

    #[test]
    fn integer_division_rounds_down_and_never_traps() {
        let i = |op, x, y| bin(op, I32, Scalar::I32(x), Scalar::I32(y));
        // -7 = -3*3 + 2 = -2*3 - 1
        assert_eq!(i(BinOp::Div, -7, 3), Scalar::I32(-3));
        assert_eq!(i(BinOp::Mod, -7, 3), Scalar::I32(2));
        assert_eq!(i(BinOp::Mod, 7, -3), Scalar::I32(-2));
        assert_eq!(i(BinOp::Quot, -7, 3), Scalar::I32(-2));
        assert_eq!(i(BinOp::Rem, -7, 3), Scalar::I32(-1));
        assert_eq!(i(BinOp::Div, i32::MIN, -1), Scalar::I32(i32::MIN));
        assert_eq!(i(BinOp::Mod, i32::MIN, -1), Scalar::I32(0));
        assert_eq!(i(BinOp::Div, 1, 0), Scalar::I32(0));
    }

    #[test]
    fn shifts_by_the_width_or_more() {
        let i = |op, x, y| bin(op, I64, Scalar::I64(x), Scalar::I64(y));
        assert_eq!(i(BinOp::Shl, 1, 64), Scalar::I64(0));
        assert_eq!(i(BinOp::Shr, -8, 1), Scalar::I64(-4));
        assert_eq!(i(BinOp::Shr, -8, 99), Scalar::I64(-1));
        assert_eq!(i(BinOp::Lshr, -1, 63), Scalar::I64(1));
        assert_eq!(i(BinOp::Lshr, -1, -1), Scalar::I64(0));
    }

    #[test]
    fn min_and_max_drop_nan_and_keep_the_first_of_equals() {
        let f = |op, x, y| bin(op, F64, Scalar::F64(x), Scalar::F64(y));
        assert_eq!(f(BinOp::Min, f64::NAN, 1.0), Scalar::F64(1.0));
        assert_eq!(f(BinOp::Max, 1.0, f64::NAN), Scalar::F64(1.0));
        assert_eq!(f(BinOp::Min, -0.0, 0.0), Scalar::F64(-0.0));
        assert_eq!(f(BinOp::Max, 0.0, -0.0), Scalar::F64(0.0));
    }

    #[test]
    fn conversions_saturate() {
        let conv = |x, to| convert(Scalar::F64(x), to);
        assert_eq!(conv(-1.9, I32), Scalar::I32(-1));
        assert_eq!(conv(1e10, I32), Scalar::I32(i32::MAX));
        assert_eq!(conv(f64::NAN, I64), Scalar::I64(0));
        assert_eq!(conv(f64::INFINITY, I64), Scalar::I64(0));
        assert_eq!(conv(0.5, Bool), Scalar::Bool(true));
    }

    #[test]
    fn every_operator_evaluates_at_its_own_types() {
        for prim in Prim::all() {
            let (args, result) = prim.signature().unwrap();
            let args: Vec<Scalar> = args.iter().map(|t| t.one()).collect();
            assert_eq!(prim.eval(&args).scalar_type(), result, "{prim}");
        }
    }

    #[test]
    fn rounding_is_to_even() {
        let round = |x| Prim::Un(UnOp::Round, F64).eval(&[Scalar::F64(x)]);
        assert_eq!((round(2.5), round(3.5), round(-0.5)), (Scalar::F64(2.0), Scalar::F64(4.0), Scalar::F64(-0.0)));
    }

    #[test]
    fn acosh_is_nan_below_one() {
        let acosh = |x| Prim::Un(UnOp::Acosh, F64).eval(&[Scalar::F64(x)]);
        assert_eq!(
            (acosh(-43908.08), acosh(0.5), acosh(1.0)),
            (Scalar::F64(f64::NAN), Scalar::F64(f64::NAN), Scalar::F64(0.0))
        );
    }

    #[test]
    fn integer_powers_wrap() {
        // 3^41 = 36472996377170786403 = 2^64 + 18026252303461234787, and the latter is 2^64 - 420491770248316829
        assert_eq!(bin(BinOp::Pow, I64, Scalar::I64(3), Scalar::I64(41)), Scalar::I64(-420491770248316829));
        assert_eq!(bin(BinOp::Pow, I32, Scalar::I32(2), Scalar::I32(-1)), Scalar::I32(0));
    }
}
