//! The value of every scalar operator: IEEE arithmetic without contraction, wrapping integers, `libm` for transcendentals (so that the last bits
//! do not depend on the platform). This file finds the operator at the operands' type; `int.rs`, `float.rs` and `special.rs` compute.

use super::float::{self, f16s};
use super::{BinOp, CmpOp, Prim, Scalar, ScalarType, TernOp, UnOp, int};
use half::f16;

impl Prim {
    /// The value. Total: where a check would have failed (division by zero, negative exponent) it is 0.
    ///
    /// # Panics
    /// When the operands are not of the types that [`Prim::signature`] gives: an ill-typed program, which the checker rejects.
    pub fn eval(self, args: &[Scalar]) -> Scalar {
        let result = match (self, args) {
            (Prim::Un(op, _), [x]) => unary(op, *x),
            (Prim::Bin(op, _), [x, y]) => binary(op, *x, *y),
            (Prim::Tern(op, _), [x, y, z]) => ternary(op, *x, *y, *z),
            (Prim::Cmp(op, _), [x, y]) => compare(op, *x, *y),
            (Prim::Conv(_, to), [x]) => Some(convert(*x, to)),
            (Prim::Select(_), [Scalar::Bool(c), x, y]) => Some(if *c { *x } else { *y }),
            _ => None,
        };
        result.unwrap_or_else(|| panic!("internal error: {self} applied to {args:?}"))
    }
}

fn unary(op: UnOp, x: Scalar) -> Option<Scalar> {
    use Scalar::*;
    Some(match (op, x) {
        (UnOp::IsNan, x) => Bool(x.to_f64().is_nan()),
        (UnOp::IsInf, x) => Bool(x.to_f64().is_infinite()),
        (UnOp::ToBits, x) => Scalar::from_bits(x.scalar_type().bits_type()?, x.bits()),
        (UnOp::FromBits, U16(x)) => F16(f16::from_bits(x)),
        (UnOp::FromBits, U32(x)) => F32(f32::from_bits(x)),
        (UnOp::FromBits, U64(x)) => F64(f64::from_bits(x)),
        (UnOp::Not, Bool(x)) => Bool(!x),
        (_, Bool(_)) => return None,
        (op, I8(x)) => return int::unary(op, x),
        (op, I16(x)) => return int::unary(op, x),
        (op, I32(x)) => return int::unary(op, x),
        (op, I64(x)) => return int::unary(op, x),
        (op, U8(x)) => return int::unary(op, x),
        (op, U16(x)) => return int::unary(op, x),
        (op, U32(x)) => return int::unary(op, x),
        (op, U64(x)) => return int::unary(op, x),
        (op, F16(x)) => F16(f16s::unary(op, x)),
        (op, F32(x)) => F32(float::unary(op, x)),
        (op, F64(x)) => F64(float::unary(op, x)),
    })
}

fn binary(op: BinOp, x: Scalar, y: Scalar) -> Option<Scalar> {
    use Scalar::*;
    Some(match (op, x, y) {
        (BinOp::GetBit, I32(i), x) => return get_bit(i, x),
        (BinOp::Ldexp, F16(x), I32(n)) => F16(f16s::ldexp(x, n)),
        (BinOp::Ldexp, F32(x), I32(n)) => F32(float::ldexp(x, n)),
        (BinOp::Ldexp, F64(x), I32(n)) => F64(float::ldexp(x, n)),
        (BinOp::Polygamma, I32(n), F16(x)) => F16(f16s::polygamma(n, x)),
        (BinOp::Polygamma, I32(n), F32(x)) => F32(float::polygamma(n, x)),
        (BinOp::Polygamma, I32(n), F64(x)) => F64(float::polygamma(n, x)),
        (op, I8(x), I8(y)) => return int::binary(op, x, y),
        (op, I16(x), I16(y)) => return int::binary(op, x, y),
        (op, I32(x), I32(y)) => return int::binary(op, x, y),
        (op, I64(x), I64(y)) => return int::binary(op, x, y),
        (op, U8(x), U8(y)) => return int::binary(op, x, y),
        (op, U16(x), U16(y)) => return int::binary(op, x, y),
        (op, U32(x), U32(y)) => return int::binary(op, x, y),
        (op, U64(x), U64(y)) => return int::binary(op, x, y),
        (op, F16(x), F16(y)) => F16(f16s::binary(op, x, y)),
        (op, F32(x), F32(y)) => F32(float::binary(op, x, y)),
        (op, F64(x), F64(y)) => F64(float::binary(op, x, y)),
        (op, Bool(x), Bool(y)) => Bool(match op {
            BinOp::And | BinOp::Min => x && y,
            BinOp::Or | BinOp::Max => x || y,
            BinOp::Xor => x != y,
            _ => return None,
        }),
        _ => return None,
    })
}

fn ternary(op: TernOp, x: Scalar, y: Scalar, z: Scalar) -> Option<Scalar> {
    use Scalar::*;
    Some(match (op, x, y, z) {
        (TernOp::SetBit, I32(i), x, I32(b)) => return set_bit(i, x, b),
        (op, I8(x), I8(y), I8(z)) => return int::ternary(op, x, y, z),
        (op, I16(x), I16(y), I16(z)) => return int::ternary(op, x, y, z),
        (op, I32(x), I32(y), I32(z)) => return int::ternary(op, x, y, z),
        (op, I64(x), I64(y), I64(z)) => return int::ternary(op, x, y, z),
        (op, U8(x), U8(y), U8(z)) => return int::ternary(op, x, y, z),
        (op, U16(x), U16(y), U16(z)) => return int::ternary(op, x, y, z),
        (op, U32(x), U32(y), U32(z)) => return int::ternary(op, x, y, z),
        (op, U64(x), U64(y), U64(z)) => return int::ternary(op, x, y, z),
        (op, F16(x), F16(y), F16(z)) => F16(f16s::ternary(op, x, y, z)),
        (op, F32(x), F32(y), F32(z)) => F32(float::ternary(op, x, y, z)),
        (op, F64(x), F64(y), F64(z)) => F64(float::ternary(op, x, y, z)),
        _ => return None,
    })
}

fn compare(op: CmpOp, x: Scalar, y: Scalar) -> Option<Scalar> {
    use Scalar::*;
    fn at<T: PartialOrd>(op: CmpOp, x: T, y: T) -> bool {
        match op {
            CmpOp::Eq => x == y,
            CmpOp::Lt => x < y,
            CmpOp::Le => x <= y,
        }
    }
    Some(Bool(match (x, y) {
        (I8(x), I8(y)) => at(op, x, y),
        (I16(x), I16(y)) => at(op, x, y),
        (I32(x), I32(y)) => at(op, x, y),
        (I64(x), I64(y)) => at(op, x, y),
        (U8(x), U8(y)) => at(op, x, y),
        (U16(x), U16(y)) => at(op, x, y),
        (U32(x), U32(y)) => at(op, x, y),
        (U64(x), U64(y)) => at(op, x, y),
        (F16(x), F16(y)) => at(op, x, y),
        (F32(x), F32(y)) => at(op, x, y),
        (F64(x), F64(y)) => at(op, x, y),
        (Bool(x), Bool(y)) => at(op, x, y),
        _ => return None,
    }))
}

fn get_bit(i: i32, x: Scalar) -> Option<Scalar> {
    use Scalar::*;
    Some(match x {
        I8(x) => int::get_bit(i, x),
        I16(x) => int::get_bit(i, x),
        I32(x) => int::get_bit(i, x),
        I64(x) => int::get_bit(i, x),
        U8(x) => int::get_bit(i, x),
        U16(x) => int::get_bit(i, x),
        U32(x) => int::get_bit(i, x),
        U64(x) => int::get_bit(i, x),
        F16(x) => int::get_bit(i, x.to_bits()),
        F32(x) => int::get_bit(i, x.to_bits()),
        F64(x) => int::get_bit(i, x.to_bits()),
        Bool(_) => return None,
    })
}

fn set_bit(i: i32, x: Scalar, b: i32) -> Option<Scalar> {
    use Scalar::*;
    Some(match x {
        I8(x) => I8(int::set_bit(i, x, b)),
        I16(x) => I16(int::set_bit(i, x, b)),
        I32(x) => I32(int::set_bit(i, x, b)),
        I64(x) => I64(int::set_bit(i, x, b)),
        U8(x) => U8(int::set_bit(i, x, b)),
        U16(x) => U16(int::set_bit(i, x, b)),
        U32(x) => U32(int::set_bit(i, x, b)),
        U64(x) => U64(int::set_bit(i, x, b)),
        F16(x) => F16(f16::from_bits(int::set_bit(i, x.to_bits(), b))),
        F32(x) => F32(f32::from_bits(int::set_bit(i, x.to_bits(), b))),
        F64(x) => F64(f64::from_bits(int::set_bit(i, x.to_bits(), b))),
        Bool(_) => return None,
    })
}

fn convert(x: Scalar, to: ScalarType) -> Scalar {
    use Scalar::*;
    match x {
        I8(x) => Scalar::from_i64(to, x.into()),
        I16(x) => Scalar::from_i64(to, x.into()),
        I32(x) => Scalar::from_i64(to, x.into()),
        I64(x) => Scalar::from_i64(to, x),
        U8(x) => Scalar::from_i64(to, x.into()),
        U16(x) => Scalar::from_i64(to, x.into()),
        U32(x) => Scalar::from_i64(to, x.into()),
        U64(x) => match to {
            // as an i64 it could be negative
            ScalarType::F16 => F16(float::to_f16(x as f64)),
            ScalarType::F32 => F32(x as f32),
            ScalarType::F64 => F64(x as f64),
            _ => Scalar::from_i64(to, x as i64),
        },
        F16(_) if to == ScalarType::F16 => x,
        F32(_) if to == ScalarType::F32 => x,
        F16(x) => convert_float(x.to_f64(), to),
        F32(x) => convert_float(x.into(), to),
        F64(x) => convert_float(x, to),
        Bool(x) => Scalar::from_i64(to, x.into()),
    }
}

fn convert_float(x: f64, to: ScalarType) -> Scalar {
    // Rust's `as` truncates and saturates, NaN to 0; infinities are 0 here.
    let finite = if x.is_infinite() { 0.0 } else { x };
    match to {
        ScalarType::I8 => Scalar::I8(finite as i8),
        ScalarType::I16 => Scalar::I16(finite as i16),
        ScalarType::I32 => Scalar::I32(finite as i32),
        ScalarType::I64 => Scalar::I64(finite as i64),
        ScalarType::U8 => Scalar::U8(finite as u8),
        ScalarType::U16 => Scalar::U16(finite as u16),
        ScalarType::U32 => Scalar::U32(finite as u32),
        ScalarType::U64 => Scalar::U64(finite as u64),
        ScalarType::F16 => Scalar::F16(float::to_f16(x)),
        ScalarType::F32 => Scalar::F32(x as f32),
        ScalarType::F64 => Scalar::F64(x),
        ScalarType::Bool => Scalar::Bool(x != 0.0),
    }
}

#[cfg(test)]
#[path = "eval_tests.rs"]
mod tests;
