//! Values of the scalar operators against literals.

use super::*;
use crate::prim::ScalarType::{self, *};
use half::f16;

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

/// What the text `[op, args.., result]` says: an operator, its operands and its value.
fn literal(text: &str) -> (Prim, Vec<Scalar>, Scalar) {
    let (application, result) = text.split_once(" = ").unwrap_or_else(|| panic!("{text}"));
    let mut words = application.split(' ');
    let op = words.next().and_then(Prim::from_name).unwrap_or_else(|| panic!("no operator: {text}"));
    let scalar = |w: &str| crate::value::text::parse_scalar(w).unwrap_or_else(|| panic!("{w} in {text}"));
    (op, words.map(scalar).collect(), scalar(result))
}

/// Values that are exact. Those of integers wrap modulo 2^width; hand calculations beside them.
const EXACT: &str = "
neg.i8 -128i8 = -128i8
neg.u8 1u8 = 255u8
neg.u64 1u64 = 18446744073709551615u64
neg.f16 -0.0f16 = 0.0f16
not.bool true = false
not.u8 1u8 = 254u8
not.i16 0i16 = -1i16
abs.i8 -128i8 = -128i8
abs.i8 -127i8 = 127i8
abs.u8 200u8 = 200u8
abs.f16 -1.5f16 = 1.5f16
sgn.i8 -3i8 = -1i8
sgn.u8 200u8 = 1u8
sgn.u8 0u8 = 0u8
sgn.f16 -6e-8f16 = -1.0f16
sqrt.f16 2f16 = 1.414f16
sqrt.f16 6e-8f16 = 0.0002441f16
sqrt.f16 -1f16 = f16.nan
rsqrt.f64 4.0 = 0.5f64
rsqrt.f32 0.0f32 = f32.inf
rsqrt.f16 4f16 = 0.5f16
cbrt.f64 -27.0 = -3.0f64
sinpi.f64 1.0 = 0.0f64
sinpi.f64 -1.0 = -0.0f64
sinpi.f64 2.5 = 1.0f64
sinpi.f64 1e300 = 0.0f64
sinpi.f64 f64.inf = f64.nan
cospi.f64 0.5 = 0.0f64
cospi.f64 1.5 = 0.0f64
cospi.f32 -1f32 = -1.0f32
tanpi.f64 0.5 = f64.inf
tanpi.f64 1.5 = -f64.inf
tanpi.f16 0.25f16 = 1.0f16
gamma.f64 5.0 = 24.0f64
gamma.f64 0.0 = f64.inf
gamma.f64 -0.0 = -f64.inf
gamma.f64 -1.0 = f64.nan
gamma.f16 9f16 = 40320.0f16
gamma.f16 10f16 = f16.inf
lgamma.f64 0.0 = f64.inf
lgamma.f64 -2.0 = f64.inf
lgamma.f64 1.0 = 0.0f64
ceil.f16 -0.5f16 = -0.0f16
floor.f16 -0.5f16 = -1.0f16
round.f16 2.5f16 = 2.0f16
round.f32 3.5f32 = 4.0f32
trunc.f16 -2.5f16 = -2.0f16
trunc.f32 3e10f32 = 3e10f32
isnan.f16 f16.nan = true
isinf.f16 65504f16 = false
isinf.f16 -f16.inf = true
to_bits.f16 1f16 = 0x3c00u16
to_bits.f32 1f32 = 1065353216u32
to_bits.f64 -0.0 = 0x8000000000000000u64
from_bits.f16 1u16 = 6e-8f16
from_bits.f32 0x7f800000u32 = f32.inf
from_bits.f64 4607182418800017408u64 = 1.0f64
popc.i8 -1i8 = 8i32
popc.i8 -128i8 = 1i32
popc.u16 0u16 = 0i32
popc.i64 -1i64 = 64i32
clz.i8 0i8 = 8i32
clz.i8 -1i8 = 0i32
clz.u16 1u16 = 15i32
clz.i32 0i32 = 32i32
clz.u64 0u64 = 64i32
ctz.i8 0i8 = 8i32
ctz.i8 -128i8 = 7i32
ctz.u32 0u32 = 32i32
ctz.i64 -1i64 = 0i32
add.i8 127i8 1i8 = -128i8
add.u8 255u8 1u8 = 0u8
add.u64 18446744073709551615u64 2u64 = 1u64
add.f16 65504f16 15f16 = 65504f16
add.f16 65504f16 16f16 = f16.inf
add.f16 2048f16 1f16 = 2048f16
add.f16 2048f16 3f16 = 2052f16
sub.u8 0u8 1u8 = 255u8
sub.i16 -32768i16 1i16 = 32767i16
mul.i8 100i8 3i8 = 44i8
mul.u16 256u16 256u16 = 0u16
mul.f16 0.00006104f16 0.0009766f16 = 6e-8f16
mul.f16 0.00006104f16 0.0004883f16 = 0.0f16
mul.f16 300f16 300f16 = f16.inf
div.i8 -128i8 -1i8 = -128i8
div.i8 -7i8 3i8 = -3i8
div.u8 200u8 7u8 = 28u8
div.u8 200u8 255u8 = 0u8
div.u64 18446744073709551615u64 2u64 = 9223372036854775807u64
div.u8 1u8 0u8 = 0u8
div.f16 1f16 3f16 = 0.3333f16
mod.i8 -128i8 -1i8 = 0i8
mod.i8 -7i8 3i8 = 2i8
mod.u8 200u8 7u8 = 4u8
mod.u8 200u8 255u8 = 200u8
mod.f16 -5.5f16 2f16 = -1.5f16
quot.i8 -128i8 -1i8 = -128i8
quot.i8 -7i8 3i8 = -2i8
quot.u8 254u8 255u8 = 0u8
rem.i16 -7i16 3i16 = -1i16
rem.u32 4294967295u32 4294967294u32 = 1u32
pow.u8 3u8 5u8 = 243u8
pow.i8 2i8 7i8 = -128i8
pow.u8 0u8 0u8 = 1u8
pow.u64 18446744073709551615u64 2u64 = 1u64
pow.u8 3u8 255u8 = 171u8
pow.f16 2f16 -24f16 = 6e-8f16
min.u8 255u8 1u8 = 1u8
min.i8 -1i8 1i8 = -1i8
min.f16 f16.nan 1f16 = 1.0f16
min.bool true false = false
max.u8 255u8 1u8 = 255u8
max.f16 -0.0f16 0.0f16 = -0.0f16
max.bool true false = true
and.u8 0xF0u8 0x3Cu8 = 0x30u8
and.bool true false = false
or.u16 0xF0u16 0x0Fu16 = 0xFFu16
or.bool true false = true
xor.i8 -1i8 1i8 = -2i8
xor.bool true true = false
shl.u8 1u8 7u8 = 128u8
shl.i8 1i8 7i8 = -128i8
shl.u8 1u8 8u8 = 0u8
shl.i8 1i8 -1i8 = 0i8
shl.u64 1u64 18446744073709551615u64 = 0u64
shr.u8 200u8 1u8 = 100u8
shr.u8 255u8 8u8 = 0u8
shr.i8 -128i8 6i8 = -2i8
shr.i8 -128i8 9i8 = -1i8
shr.i32 -1i32 -1i32 = -1i32
lshr.i8 -1i8 1i8 = 127i8
lshr.i8 -1i8 8i8 = 0i8
lshr.u16 65535u16 15u16 = 1u16
atan2.f64 0.0 1.0 = 0.0f64
atan2pi.f64 1.0 0.0 = 0.5f64
atan2pi.f64 -1.0 -1.0 = -0.75f64
atan2pi.f16 1f16 1f16 = 0.25f16
hypot.f64 3.0 4.0 = 5.0f64
hypot.f16 30000f16 40000f16 = 50000f16
rotl.u8 129u8 1u8 = 3u8
rotl.u8 129u8 8u8 = 129u8
rotl.u8 1u8 255u8 = 128u8
rotl.i8 -127i8 1i8 = 3i8
rotl.i8 1i8 -1i8 = -128i8
rotl.i16 -32768i16 1i16 = 1i16
rotl.u16 4660u16 4u16 = 9025u16
rotl.i32 -2147483648i32 1i32 = 1i32
rotl.u32 305419896u32 8u32 = 878082066u32
rotl.i64 1i64 -1i64 = -9223372036854775808i64
rotl.u64 1u64 65u64 = 2u64
mul_hi.i8 -128i8 -128i8 = 64i8
mul_hi.i8 -128i8 127i8 = -64i8
mul_hi.u8 255u8 255u8 = 254u8
mul_hi.i16 -32768i16 -32768i16 = 16384i16
mul_hi.u16 65535u16 65535u16 = 65534u16
mul_hi.i32 -1i32 1i32 = -1i32
mul_hi.u32 4294967295u32 4294967295u32 = 4294967294u32
mul_hi.i64 -1i64 -1i64 = 0i64
mul_hi.i64 -9223372036854775808i64 -9223372036854775808i64 = 4611686018427387904i64
mul_hi.u64 18446744073709551615u64 18446744073709551615u64 = 18446744073709551614u64
get_bit.i32 0i32 5i32 = 1i32
get_bit.i32 1i32 5i32 = 0i32
get_bit.u8 7i32 255u8 = 1i32
get_bit.i8 100i32 -1i8 = 1i32
get_bit.i32 -1i32 -1i32 = 1i32
get_bit.u8 8i32 255u8 = 0i32
get_bit.f32 31i32 -1f32 = 1i32
get_bit.f16 14i32 1f16 = 0i32
get_bit.f64 62i32 1.0 = 0i32
nextafter.f64 1.0 2.0 = 1.0000000000000002f64
nextafter.f64 0.0 1.0 = 5e-324f64
nextafter.f64 1.0 1.0 = 1.0f64
nextafter.f32 0f32 -1f32 = -1e-45f32
nextafter.f16 1f16 2f16 = 1.001f16
nextafter.f16 -1f16 0f16 = -0.9995f16
nextafter.f16 0f16 -1f16 = -6e-8f16
nextafter.f16 65504f16 f16.inf = f16.inf
nextafter.f16 6e-8f16 -1f16 = 0.0f16
nextafter.f16 1f16 f16.nan = f16.nan
ldexp.f64 3.0 4i32 = 48.0f64
ldexp.f64 1.0 -1074i32 = 5e-324f64
ldexp.f64 1.0 2000i32 = f64.inf
ldexp.f64 -0.0 3i32 = -0.0f64
ldexp.f32 1f32 2147483647i32 = f32.inf
ldexp.f16 1f16 -24i32 = 6e-8f16
ldexp.f16 1.001f16 -25i32 = 6e-8f16
ldexp.f16 1f16 -25i32 = 0.0f16
ldexp.f16 1f16 -2147483648i32 = 0.0f16
copysign.f64 3.0 -0.0 = -3.0f64
copysign.f32 -2f32 1f32 = 2.0f32
copysign.f16 0f16 -1f16 = -0.0f16
polygamma.f64 0i32 0.0 = -f64.inf
polygamma.f64 0i32 -0.0 = f64.inf
polygamma.f64 1i32 0.0 = f64.inf
polygamma.f64 1i32 -3.0 = f64.inf
polygamma.f64 2i32 -3.0 = f64.nan
polygamma.f64 -1i32 3.0 = f64.nan
polygamma.f64 0i32 f64.inf = f64.inf
polygamma.f64 3i32 f64.inf = 0.0f64
zmul.f64 f64.inf 0.0 = 0.0f64
zmul.f16 f16.inf -0.0f16 = -0.0f16
zmul.f64 -0.0 f64.inf = -0.0f64
zmul.f32 f32.nan 0.0f32 = 0.0f32
zmul.i8 100i8 3i8 = 44i8
fma.f16 1.001f16 1.001f16 -1.002f16 = 9.54e-7f16
mad.f16 1.001f16 1.001f16 -1.002f16 = 0.0f16
fma.f32 1.0002441f32 1.0002441f32 -1.0004883f32 = 5.9604645e-8f32
mad.f32 1.0002441f32 1.0002441f32 -1.0004883f32 = 0.0f32
fma.f64 1.0000000074505806 1.0000000074505806 -1.0000000149011612 = 5.551115123125783e-17f64
mad.f64 1.0000000074505806 1.0000000074505806 -1.0000000149011612 = 0.0f64
mad.f16 65504f16 2f16 -f16.inf = f16.nan
fma.f16 65504f16 2f16 -65504f16 = 65504f16
lerp.f64 0.0 10.0 2.0 = 10.0f64
lerp.f64 0.0 10.0 -1.0 = 0.0f64
lerp.f32 1f32 3f32 0.5f32 = 2.0f32
lerp.f64 1.0 3.0 f64.nan = 3.0f64
lerp.f16 1f16 3f16 0.25f16 = 1.5f16
mad_hi.i8 -128i8 -128i8 100i8 = -92i8
mad_hi.u64 18446744073709551615u64 18446744073709551615u64 3u64 = 1u64
set_bit.i32 3i32 1i32 1i32 = 9i32
set_bit.u8 7i32 255u8 0i32 = 127u8
set_bit.i32 0i32 8i32 3i32 = 11i32
set_bit.i32 32i32 1i32 1i32 = 1i32
set_bit.i32 -1i32 1i32 1i32 = 1i32
set_bit.i64 40i32 0i64 1i32 = 1099511627776i64
set_bit.f32 31i32 1f32 1i32 = -1.0f32
set_bit.f16 15i32 1f16 1i32 = -1.0f16
eq.f16 f16.nan f16.nan = false
eq.f16 0f16 -0f16 = true
eq.u8 255u8 255u8 = true
lt.u8 1u8 255u8 = true
lt.i8 1i8 -1i8 = false
lt.f16 1f16 f16.nan = false
le.u64 9223372036854775808u64 1u64 = false
le.f16 -f16.inf -65504f16 = true
select.f16 true 1f16 2f16 = 1.0f16
select.u8 false 1u8 2u8 = 2u8
conv.i32.u8 -1i32 = 255u8
conv.i64.u64 -1i64 = 18446744073709551615u64
conv.u64.i64 18446744073709551615u64 = -1i64
conv.u8.i8 200u8 = -56i8
conv.i8.u16 -1i8 = 65535u16
conv.u8.i16 255u8 = 255i16
conv.i64.i8 300i64 = 44i8
conv.f64.u8 -1.5 = 0u8
conv.f64.u8 300.0 = 255u8
conv.f64.i8 -200.0 = -128i8
conv.f32.u64 1e20f32 = 18446744073709551615u64
conv.f32.u32 -0.9f32 = 0u32
conv.f16.i8 1000f16 = 127i8
conv.f16.u16 f16.inf = 0u16
conv.f16.i64 f16.nan = 0i64
conv.u64.f32 18446744073709551615u64 = 1.8446744e19f32
conv.u64.f64 9223372036854775808u64 = 9.223372036854775808e18f64
conv.u64.f16 18446744073709551615u64 = f16.inf
conv.i32.f16 2049i32 = 2048f16
conv.i32.f16 70000i32 = f16.inf
conv.f64.f16 1.00048828125 = 1.0f16
conv.f64.f16 1.0004882812500002 = 1.001f16
conv.f64.f16 1.0014648437499998 = 1.001f16
conv.f64.f16 65519.99 = 65504f16
conv.f64.f16 65520.0 = f16.inf
conv.f64.f16 2.9802322387695312e-8 = 0.0f16
conv.f64.f16 2.980232238769532e-8 = 6e-8f16
conv.f64.f16 1e300 = f16.inf
conv.f32.f16 0.1f32 = 0.1f16
conv.f16.f64 0.1f16 = 0.0999755859375f64
conv.f16.bool 0.5f16 = true
conv.f16.bool f16.nan = true
conv.bool.f16 true = 1.0f16
conv.bool.u8 true = 1u8
conv.u8.bool 2u8 = true
";

/// Values to within rounding, at f64; the closed forms beside them.
const ROUNDED: &str = "
exp.f64 1.0 = 2.718281828459045f64
expm1.f64 1.0 = 1.718281828459045f64
log.f64 2.0 = 0.6931471805599453f64
log1p.f64 1.0 = 0.6931471805599453f64
log2.f64 8.0 = 3.0f64
log10.f64 1000.0 = 3.0f64
sin.f64 1.0 = 0.8414709848078965f64
cos.f64 1.0 = 0.5403023058681398f64
tan.f64 1.0 = 1.5574077246549023f64
asin.f64 1.0 = 1.5707963267948966f64
acos.f64 0.5 = 1.0471975511965979f64
atan.f64 1.0 = 0.7853981633974483f64
sinpi.f64 -0.25 = -0.7071067811865476f64
sinpi.f64 2.0625 = 0.19509032201612825f64
cospi.f64 0.75 = -0.7071067811865476f64
cospi.f64 -1.75 = 0.7071067811865476f64
tanpi.f64 0.75 = -1.0f64
asinpi.f64 0.5 = 0.16666666666666666f64
acospi.f64 -1.0 = 1.0f64
atanpi.f64 -1.0 = -0.25f64
sinh.f64 1.0 = 1.1752011936438014f64
cosh.f64 1.0 = 1.5430806348152437f64
tanh.f64 1.0 = 0.7615941559557649f64
asinh.f64 1.0 = 0.881373587019543f64
acosh.f64 2.0 = 1.3169578969248166f64
atanh.f64 0.5 = 0.5493061443340548f64
erf.f64 1.0 = 0.8427007929497149f64
erfc.f64 1.0 = 0.15729920705028513f64
gamma.f64 0.5 = 1.772453850905516f64
gamma.f64 -0.5 = -3.544907701811032f64
lgamma.f64 -0.5 = 1.2655121234846454f64
lgamma.f64 10.0 = 12.801827480081469f64
pow.f64 2.0 0.5 = 1.4142135623730951f64
atan2.f64 1.0 -1.0 = 2.356194490192345f64
polygamma.f64 0i32 1.0 = -0.5772156649015329f64
polygamma.f64 0i32 0.5 = -1.9635100260214235f64
polygamma.f64 0i32 10.0 = 2.251752589066721f64
polygamma.f64 0i32 1000000.0 = 13.815510057964191f64
polygamma.f64 0i32 -0.5 = 0.03648997397857652f64
polygamma.f64 0i32 -2.5 = 1.1031566406452432f64
polygamma.f64 1i32 1.0 = 1.6449340668482264f64
polygamma.f64 1i32 0.5 = 4.934802200544679f64
polygamma.f64 1i32 -0.5 = 8.934802200544679f64
polygamma.f64 1i32 -2.5 = 9.539246644989124f64
polygamma.f64 2i32 1.0 = -2.4041138063191886f64
polygamma.f64 2i32 -0.5 = -0.8287966442343199f64
polygamma.f64 3i32 1.0 = 6.493939402266829f64
polygamma.f64 5i32 1.0 = 122.0811674381339f64
polygamma.f64 1i32 1e10 = 1.00000000005e-10f64
";

#[test]
fn values_that_are_exact() {
    for text in EXACT.lines().filter(|l| !l.is_empty()) {
        let (op, args, expected) = literal(text);
        assert_eq!(op.signature().unwrap().0, args.iter().map(|x| x.scalar_type()).collect::<Vec<_>>(), "{text}");
        assert_eq!(op.eval(&args), expected, "{text}");
    }
}

#[test]
fn values_to_within_rounding_at_each_width() {
    for text in ROUNDED.lines().filter(|l| !l.is_empty()) {
        let (op, args, expected) = literal(text);
        for (t, epsilon) in [(F64, f64::EPSILON), (F32, f32::EPSILON as f64), (F16, 1.0 / 1024.0)] {
            let op = Prim::from_name(&op.to_string().replace("f64", t.name())).unwrap();
            let args: Vec<Scalar> = args
                .iter()
                .map(|x| if x.scalar_type() == F64 { Scalar::from_f64(t, x.to_f64()) } else { *x })
                .collect();
            if t != F64 && args.iter().any(|x| !(1e-4..=1e3).contains(&x.to_f64().abs()) && x.to_f64() != 0.0) {
                continue;
            }
            let (got, expected) = (op.eval(&args).to_f64(), expected.to_f64());
            // near a root of polygamma the terms that cancel are of order 1
            let allowed = 4.0
                * epsilon
                * if matches!(op, Prim::Bin(BinOp::Polygamma, _)) { expected.abs().max(16.0) } else { expected.abs() };
            assert!((got - expected).abs() <= allowed, "{op} {args:?}: {got}, expected {expected}");
        }
    }
}

#[test]
fn every_operator_has_a_value_in_the_tables() {
    let listed: std::collections::HashSet<String> = [EXACT, ROUNDED]
        .concat()
        .lines()
        .filter(|l| !l.is_empty())
        .map(|l| literal(l).0.to_string().split('.').next().unwrap().to_string())
        .collect();
    for op in Prim::all() {
        let name = op.to_string().split('.').next().unwrap().to_string();
        assert!(listed.contains(&name), "{name} has no literal value");
    }
}

#[test]
fn polygamma_of_large_order_and_argument() {
    let at = |n, x| Prim::Bin(BinOp::Polygamma, F64).eval(&[Scalar::I32(n), Scalar::F64(x)]).to_f64();
    // −30! ζ(31), and 170! ζ(171), where 171! alone would overflow at the next order
    let close = |got: f64, expected: f64| (got / expected - 1.0).abs() < 1e-12;
    assert!(close(at(30, 1.0), -2.652528599357095e32), "{}", at(30, 1.0));
    assert!(close(at(170, 2.0) * 2f64.powi(171), -7.257415615307994e306), "{}", at(170, 2.0));
    // where ψ⁽ⁿ⁾(x) = (−1)ⁿ⁺¹ (n−1)!/xⁿ to first order
    assert!(close(at(2, 1e100), -1e-200));
    // the limits of the order return at once
    assert_eq!((at(i32::MAX, 1.0), at(i32::MAX, 1e30)), (f64::INFINITY, 0.0));
    // next to poles: −1/ε + 1 − γ, ∓1/ε, 1/ε²
    let epsilon = -1.0 + 1e-10 + 1.0;
    assert!(close(at(0, -1.0 + 1e-10), -1.0 / epsilon + 1.0 - 0.5772156649015329), "{}", at(0, -1.0 + 1e-10));
    assert!(close(at(1, -1e-20), 1e40) && close(at(0, -1e-20), 1e20));
}

#[test]
fn conversion_to_f16_is_the_nearest() {
    // Every f16, the middle between it and the next (which goes to the even one), and the f64s beside the middle.
    for bits in 0..0x7bffu16 {
        let (x, y) = (f16::from_bits(bits), f16::from_bits(bits + 1));
        let middle = (x.to_f64() + y.to_f64()) / 2.0;
        let even = if bits % 2 == 0 { x } else { y };
        let of = |v: f64| float::to_f16(v).to_bits();
        assert_eq!(
            [of(x.to_f64()), of(middle.next_down()), of(middle), of(middle.next_up())],
            [x, x, even, y].map(f16::to_bits)
        );
        assert_eq!(of(-middle), even.to_bits() | 0x8000);
    }
}

#[test]
fn f16_fma_rounds_once() {
    // 2048 * 1 + 1 + tiny: the sum 2049 is in the middle, and what f64 keeps of z decides
    let fma = |x: f64, y: f64, z: f64| {
        let args = [x, y, z].map(|x| Scalar::from_f64(F16, x));
        Prim::Tern(TernOp::Fma, F16).eval(&args).to_f64()
    };
    // 2^15 * 2^15 + 2^-24 overflows; 1.0009765625 * 32 * 65504...: beyond too
    assert_eq!(fma(32768.0, 32768.0, 6e-8), f64::INFINITY);
    // (1 + 2^-10) * 2049-ish: 683 * 3 = 2049, a tie between 2048 and 2050; the smallest z breaks it either way
    assert_eq!((fma(683.0, 3.0, 0.0), fma(683.0, 3.0, 6e-8), fma(683.0, 3.0, -6e-8)), (2048.0, 2050.0, 2048.0));
    // 2051 = 293 * 7, a tie between 2050 and 2052
    assert_eq!((fma(293.0, 7.0, 0.0), fma(293.0, 7.0, 6e-8), fma(293.0, 7.0, -6e-8)), (2052.0, 2052.0, 2050.0));
}
