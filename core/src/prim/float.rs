//! Float operators, each written once for `f32` and `f64`; `f16` is computed in `f32` and rounded, see Note [Half precision].

use super::{BinOp, TernOp, UnOp, special};
use half::f16;
use num_traits::Float;

// Note [Half precision]
// ~~~~~~~~~~~~~~~~~~~~~
// An f16 operator converts its operands to f32, which is exact, computes there, and rounds the result. For + - * / and sqrt that rounds correctly,
// since 24 >= 2*11 + 2 bits make the second rounding innocuous; `%`, min, max, the roundings to integers and the like are exact in both.
// Transcendental functions are as good as those of f32. What rounds more than once (mad, lerp) rounds to f16 each time, and what must round only once
// (fma, ldexp, conversion from f64) goes through f64 and `to_f16`, which avoids the double rounding.

/// What depends on the width beside `num_traits::Float`, whose own transcendentals are the platform's.
pub(super) trait Libm: Float {
    fn libm(op: UnOp, x: Self) -> Self;
    fn pow(self, y: Self) -> Self;
    fn arctan2(self, x: Self) -> Self;
    fn hypotenuse(self, y: Self) -> Self;
    fn fmod(self, y: Self) -> Self;
    fn fused(self, y: Self, z: Self) -> Self;
    fn toward(self, y: Self) -> Self;
    fn scaled(self, n: i32) -> Self;
    fn wide(self) -> f64;
    fn narrow(x: f64) -> Self;
}

macro_rules! libm_at {
    ($ty:ty; $($op:ident => $f:ident,)*; $pow:ident $atan2:ident $hypot:ident $fmod:ident $fma:ident $next:ident $scalbn:ident) => {
        impl Libm for $ty {
            fn libm(op: UnOp, x: Self) -> Self {
                match op { $(UnOp::$op => libm::$f(x),)* _ => <$ty>::NAN }
            }
            fn pow(self, y: Self) -> Self { libm::$pow(self, y) }
            fn arctan2(self, x: Self) -> Self { libm::$atan2(self, x) }
            fn hypotenuse(self, y: Self) -> Self { libm::$hypot(self, y) }
            fn fmod(self, y: Self) -> Self { libm::$fmod(self, y) }
            fn fused(self, y: Self, z: Self) -> Self { libm::$fma(self, y, z) }
            fn toward(self, y: Self) -> Self { libm::$next(self, y) }
            fn scaled(self, n: i32) -> Self { libm::$scalbn(self, n) }
            fn wide(self) -> f64 { self as f64 }
            fn narrow(x: f64) -> Self { x as $ty }
        }
    };
}
libm_at!(f32; Cbrt => cbrtf, Exp => expf, Expm1 => expm1f, Log => logf, Log1p => log1pf, Log2 => log2f, Log10 => log10f, Sin => sinf,
    Cos => cosf, Tan => tanf, Asin => asinf, Acos => acosf, Atan => atanf, Sinh => sinhf, Cosh => coshf, Tanh => tanhf, Asinh => asinhf,
    Acosh => acoshf, Atanh => atanhf, Erf => erff, Erfc => erfcf, Gamma => tgammaf, Lgamma => lgammaf, Round => rintf, ;
    powf atan2f hypotf fmodf fmaf nextafterf scalbnf);
libm_at!(f64; Cbrt => cbrt, Exp => exp, Expm1 => expm1, Log => log, Log1p => log1p, Log2 => log2, Log10 => log10, Sin => sin,
    Cos => cos, Tan => tan, Asin => asin, Acos => acos, Atan => atan, Sinh => sinh, Cosh => cosh, Tanh => tanh, Asinh => asinh,
    Acosh => acosh, Atanh => atanh, Erf => erf, Erfc => erfc, Gamma => tgamma, Lgamma => lgamma, Round => rint, ;
    pow atan2 hypot fmod fma nextafter scalbn);

pub(super) fn unary<T: Libm>(op: UnOp, x: T) -> T {
    let in_f64 = |f: fn(f64) -> f64| T::narrow(f(x.wide()));
    match op {
        UnOp::Neg => -x,
        UnOp::Abs => x.abs(),
        UnOp::Sgn if x > T::zero() => T::one(),
        UnOp::Sgn if x < T::zero() => -T::one(),
        // zero keeps its sign, NaN stays
        UnOp::Sgn => x,
        UnOp::Sqrt => x.sqrt(),
        UnOp::Rsqrt => T::one() / x.sqrt(),
        UnOp::Sinpi => in_f64(special::sinpi),
        UnOp::Cospi => in_f64(special::cospi),
        UnOp::Tanpi => in_f64(|x| special::sinpi(x) / special::cospi(x)),
        UnOp::Asinpi => in_f64(|x| libm::asin(x) / std::f64::consts::PI),
        UnOp::Acospi => in_f64(|x| libm::acos(x) / std::f64::consts::PI),
        UnOp::Atanpi => in_f64(|x| libm::atan(x) / std::f64::consts::PI),
        // libm gives finite numbers outside of the domain
        UnOp::Acosh if x < T::one() => T::nan(),
        UnOp::Ceil => x.ceil(),
        UnOp::Floor => x.floor(),
        UnOp::Trunc => x.trunc(),
        _ => T::libm(op, x),
    }
}

/// Note [Zero times infinity]. The sign is that of a product.
pub fn zmul<T: Float>(x: T, y: T) -> T {
    let product = x * y;
    match () {
        _ if !product.is_nan() => product,
        _ if y == T::zero() => {
            if x.is_nan() {
                y
            } else {
                y * x.signum()
            }
        }
        _ if x == T::zero() && y.is_infinite() => x * y.signum(),
        _ => product,
    }
}

pub(super) fn binary<T: Libm>(op: BinOp, x: T, y: T) -> T {
    match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        BinOp::Mul => x * y,
        BinOp::Div => x / y,
        BinOp::Mod => x.fmod(y),
        BinOp::Pow => x.pow(y),
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
        BinOp::Atan2pi => T::narrow(libm::atan2(x.wide(), y.wide()) / std::f64::consts::PI),
        BinOp::Hypot => x.hypotenuse(y),
        BinOp::Nextafter => x.toward(y),
        BinOp::Copysign => x.copysign(y),
        BinOp::Zmul => zmul(x, y),
        _ => T::nan(),
    }
}

pub(super) fn ternary<T: Libm>(op: TernOp, x: T, y: T, z: T) -> T {
    match op {
        TernOp::Fma => x.fused(y, z),
        TernOp::Mad => x * y + z,
        TernOp::Lerp => x + (y - x) * unit(z),
        TernOp::MadHi | TernOp::SetBit => T::nan(),
    }
}

/// The nearest number from 0 to 1; 1 for NaN.
fn unit<T: Libm>(t: T) -> T {
    binary(BinOp::Max, T::zero(), binary(BinOp::Min, T::one(), t))
}

pub(super) fn ldexp<T: Libm>(x: T, n: i32) -> T {
    x.scaled(n)
}

pub(super) fn polygamma<T: Libm>(n: i32, x: T) -> T {
    T::narrow(special::polygamma(n, x.wide()))
}

/// Operators of `f16`, as Note [Half precision] says.
pub(super) mod f16s {
    use super::*;

    pub fn unary(op: UnOp, x: f16) -> f16 {
        f16::from_f32(super::unary(op, x.to_f32()))
    }

    pub fn binary(op: BinOp, x: f16, y: f16) -> f16 {
        match op {
            BinOp::Nextafter => toward(x, y),
            _ => f16::from_f32(super::binary(op, x.to_f32(), y.to_f32())),
        }
    }

    pub fn ternary(op: TernOp, x: f16, y: f16, z: f16) -> f16 {
        let rounded = |x: f32| f16::from_f32(x).to_f32();
        let (a, b, c) = (x.to_f32(), y.to_f32(), z.to_f32());
        match op {
            // The product of two f16s is exact in f64. So is the sum, unless the product is less than a thousandth of a step of z: then the result is z.
            TernOp::Fma => to_f16(x.to_f64() * y.to_f64() + z.to_f64()),
            TernOp::Mad => f16::from_f32(rounded(a * b) + c),
            TernOp::Lerp => f16::from_f32(a + rounded(rounded(b - a) * unit(c))),
            TernOp::MadHi | TernOp::SetBit => f16::NAN,
        }
    }

    pub fn ldexp(x: f16, n: i32) -> f16 {
        to_f16(libm::scalbn(x.to_f64(), n))
    }

    pub fn polygamma(n: i32, x: f16) -> f16 {
        to_f16(special::polygamma(n, x.to_f64()))
    }

    fn toward(x: f16, y: f16) -> f16 {
        if x.is_nan() || y.is_nan() {
            f16::NAN
        } else if x == y {
            y
        } else if x.to_f32() == 0.0 {
            f16::from_bits(1 | y.to_bits() & 0x8000)
        } else {
            let away = (x < y) == (x.to_f32() > 0.0);
            f16::from_bits(if away { x.to_bits() + 1 } else { x.to_bits() - 1 })
        }
    }
}

/// The nearest `f16`. Through an `f32` that is rounded to odd: its last bit tells the second rounding whether anything was lost, so that a number
/// just beside the middle of two `f16`s is not taken for the middle. (The crate's own conversion drops the lower half of the significand.)
pub(super) fn to_f16(x: f64) -> f16 {
    let nearest = x as f32;
    let inexact = nearest as f64 != x && nearest.is_finite();
    let odd = match nearest.to_bits() {
        bits if !inexact || bits & 1 == 1 => bits,
        bits if (nearest as f64).abs() < x.abs() => bits + 1,
        bits => bits - 1,
    };
    f16::from_f32(f32::from_bits(odd))
}
