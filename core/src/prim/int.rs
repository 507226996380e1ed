//! Integer operators, each written once for all widths and both signs.

use super::{BinOp, Scalar, TernOp, UnOp};
use num_traits::{PrimInt, WrappingAdd, WrappingMul, WrappingNeg, WrappingSub};

/// An integer type of the language.
pub(super) trait Int: PrimInt + WrappingAdd + WrappingSub + WrappingMul + WrappingNeg + Into<Scalar> {
    /// The upper half of the product of double width.
    fn mul_hi(self, y: Self) -> Self;
    /// The lowest bits of an `i32`, whose sign is extended.
    fn of_i32(x: i32) -> Self;
}

macro_rules! int {
    ($($ty:ty: $wide:ty;)*) => { $(
        impl Int for $ty {
            fn mul_hi(self, y: Self) -> Self { ((self as $wide * y as $wide) >> <$ty>::BITS) as $ty }
            fn of_i32(x: i32) -> Self { x as $ty }
        }
    )* };
}
int! { i8: i16; i16: i32; i32: i64; i64: i128; u8: u16; u16: u32; u32: u64; u64: u128; }

fn signed<T: Int>() -> bool {
    T::min_value() < T::zero()
}

/// −1, or the greatest unsigned number.
fn ones<T: Int>() -> T {
    !T::zero()
}

pub(super) fn unary<T: Int>(op: UnOp, x: T) -> Option<Scalar> {
    let result = match op {
        UnOp::Neg => x.wrapping_neg(),
        UnOp::Not => !x,
        UnOp::Abs if x < T::zero() => x.wrapping_neg(),
        UnOp::Abs => x,
        UnOp::Sgn if x > T::zero() => T::one(),
        UnOp::Sgn if x < T::zero() => ones(),
        UnOp::Sgn => T::zero(),
        UnOp::Popc => return Some(Scalar::I32(x.count_ones() as i32)),
        UnOp::Clz => return Some(Scalar::I32(x.leading_zeros() as i32)),
        UnOp::Ctz => return Some(Scalar::I32(x.trailing_zeros() as i32)),
        _ => return None,
    };
    Some(result.into())
}

pub(super) fn binary<T: Int>(op: BinOp, x: T, y: T) -> Option<Scalar> {
    let zero = T::zero();
    let minus_one = signed::<T>() && y == ones();
    let result = match op {
        BinOp::Add => x.wrapping_add(&y),
        BinOp::Sub => x.wrapping_sub(&y),
        BinOp::Mul => x.wrapping_mul(&y),
        BinOp::Div | BinOp::Quot | BinOp::Mod | BinOp::Rem if y == zero => zero,
        BinOp::Div | BinOp::Quot if minus_one => x.wrapping_neg(),
        BinOp::Mod | BinOp::Rem if minus_one => zero,
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
        BinOp::Shl => shift_left(x, y.to_u32()),
        BinOp::Shr => shift_right(x, y.to_u32()),
        BinOp::Lshr => distance::<T>(y.to_u32()).map_or(zero, |s| x.unsigned_shr(s)),
        BinOp::Rotl => x.rotate_left(turn(y)),
        BinOp::MulHi => x.mul_hi(y),
        BinOp::Zmul => x.wrapping_mul(&y),
        BinOp::Atan2 | BinOp::Atan2pi | BinOp::Hypot | BinOp::GetBit => return None,
        BinOp::Nextafter | BinOp::Ldexp | BinOp::Copysign | BinOp::Polygamma => return None,
    };
    Some(result.into())
}

pub(super) fn ternary<T: Int>(op: TernOp, x: T, y: T, z: T) -> Option<Scalar> {
    (op == TernOp::MadHi).then(|| x.mul_hi(y).wrapping_add(&z).into())
}

/// Bit `i`; beyond the width what [`shift_right`] brings there.
pub(super) fn get_bit<T: Int>(i: i32, x: T) -> Scalar {
    Scalar::I32(i32::from(shift_right(x, u32::try_from(i).ok()) & T::one() == T::one()))
}

/// [`TernOp::SetBit`]
pub(super) fn set_bit<T: Int>(i: i32, x: T, b: i32) -> T {
    let left = |x: T| shift_left(x, u32::try_from(i).ok());
    x & !left(T::one()) | left(T::of_i32(b))
}

/// The shift distance, when it is within the width; `None` was negative.
fn distance<T: Int>(s: Option<u32>) -> Option<u32> {
    s.filter(|s| *s < T::zero().count_zeros())
}

/// The distance of a rotation without whole turns.
fn turn<T: Int>(y: T) -> u32 {
    // the width is a power of two
    let last = T::of_i32(T::zero().count_zeros() as i32 - 1);
    (y & last).to_u32().unwrap_or(0)
}

fn shift_left<T: Int>(x: T, s: Option<u32>) -> T {
    distance::<T>(s).map_or(T::zero(), |s| x.unsigned_shl(s))
}

fn shift_right<T: Int>(x: T, s: Option<u32>) -> T {
    distance::<T>(s).map_or(if x < T::zero() { ones() } else { T::zero() }, |s| x >> s as usize)
}

/// `x` to the `y` by squaring, wrapping; `y` is not negative.
fn power<T: Int>(x: T, y: T) -> T {
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
