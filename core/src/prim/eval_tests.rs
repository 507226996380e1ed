//! Values of the scalar operators against literals.

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
