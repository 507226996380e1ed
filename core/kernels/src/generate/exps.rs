//! Expressions of kernels, made short where constants make them so.

use crate::ir::{Builtin, Exp};
use futi_core::prim::{BinOp, CmpOp, Prim, Scalar, ScalarType};

pub(super) const ZERO: Exp = Exp::Lit(Scalar::I64(0));
pub(super) const ONE: Exp = Exp::Lit(Scalar::I64(1));
pub(super) const TRUE: Exp = Exp::Lit(Scalar::Bool(true));

/// An `i64` constant.
pub(super) fn int(x: i64) -> Exp {
    Exp::Lit(Scalar::I64(x))
}

/// What the launch says, as an `i64`.
pub(super) fn builtin(b: Builtin) -> Exp {
    Exp::Prim(Prim::Conv(ScalarType::I32, ScalarType::I64), vec![Exp::Builtin(b)])
}

fn op(op: BinOp, a: Exp, b: Exp) -> Exp {
    let prim = Prim::Bin(op, ScalarType::I64);
    match (&a, &b) {
        (Exp::Lit(x), Exp::Lit(y)) => Exp::Lit(prim.eval(&[*x, *y])),
        _ => Exp::Prim(prim, vec![a, b]),
    }
}

/// The product of `i64`s.
pub(super) fn times(a: Exp, b: Exp) -> Exp {
    match (&a, &b) {
        _ if a == ZERO || b == ZERO => ZERO,
        _ if a == ONE => b,
        _ if b == ONE => a,
        _ => op(BinOp::Mul, a, b),
    }
}

/// The sum of `i64`s.
pub(super) fn plus(a: Exp, b: Exp) -> Exp {
    match (&a, &b) {
        _ if a == ZERO => b,
        _ if b == ZERO => a,
        _ => op(BinOp::Add, a, b),
    }
}

/// The difference of `i64`s.
pub(super) fn minus(a: Exp, b: Exp) -> Exp {
    if b == ZERO { a } else { op(BinOp::Sub, a, b) }
}

/// The quotient of `i64`s, neither of which is negative.
pub(super) fn quotient(a: Exp, b: Exp) -> Exp {
    if b == ONE { a } else { op(BinOp::Quot, a, b) }
}

/// The lesser of `i64`s.
pub(super) fn least(a: Exp, b: Exp) -> Exp {
    op(BinOp::Min, a, b)
}

/// The greater of `i64`s.
pub(super) fn greatest(a: Exp, b: Exp) -> Exp {
    op(BinOp::Max, a, b)
}

/// `a < b`, of a type.
pub(super) fn less(ty: ScalarType, a: Exp, b: Exp) -> Exp {
    Exp::Prim(Prim::Cmp(CmpOp::Lt, ty), vec![a, b])
}

/// `a <= b`, of a type.
pub(super) fn at_most(ty: ScalarType, a: Exp, b: Exp) -> Exp {
    Exp::Prim(Prim::Cmp(CmpOp::Le, ty), vec![a, b])
}

/// `a == b`, of a type.
pub(super) fn same(ty: ScalarType, a: Exp, b: Exp) -> Exp {
    Exp::Prim(Prim::Cmp(CmpOp::Eq, ty), vec![a, b])
}

/// Whether it does not hold.
pub(super) fn not(a: Exp) -> Exp {
    Exp::Prim(Prim::Un(futi_core::prim::UnOp::Not, ScalarType::Bool), vec![a])
}

/// Whether all hold.
pub(super) fn all(conditions: impl IntoIterator<Item = Exp>) -> Exp {
    conditions.into_iter().reduce(|a, b| Exp::Prim(Prim::Bin(BinOp::And, ScalarType::Bool), vec![a, b])).unwrap_or(TRUE)
}

/// Whether one of them holds, of one at least.
pub(super) fn any(conditions: impl IntoIterator<Item = Exp>) -> Exp {
    let or = |a, b| Exp::Prim(Prim::Bin(BinOp::Or, ScalarType::Bool), vec![a, b]);
    conditions.into_iter().reduce(or).unwrap_or_else(|| not(TRUE))
}

/// Whether an index is inside of a size.
pub(super) fn inside(index: Exp, size: Exp) -> Exp {
    all([at_most(ScalarType::I64, ZERO, index.clone()), less(ScalarType::I64, index, size)])
}

/// A value of one type as one of another.
pub(super) fn convert(from: ScalarType, to: ScalarType, e: Exp) -> Exp {
    if from == to { e } else { Exp::Prim(Prim::Conv(from, to), vec![e]) }
}
