//! Types of expressions.

use super::super::ir::*;
use crate::ir::Named;
use futi_core::prim::ScalarType;

/// A type, if it is known.
pub(super) type Type = Option<ScalarType>;

pub(super) const I64: Type = Some(ScalarType::I64);

/// The type of an entry of a table.
pub(super) fn named(table: &[Named], at: usize) -> Type {
    table.get(at).map(|named| named.ty)
}

/// The type of an expression of a function, if it has one.
pub(super) fn type_of(fun: &Fun, e: &Exp) -> Type {
    match e {
        Exp::Lit(x) => Some(x.scalar_type()),
        Exp::Var(s) => named(&fun.scalars, s.at()),
        Exp::Prim(op, _) => op.signature().map(|(_, result)| result),
        Exp::Few { .. } => Some(ScalarType::Bool),
        Exp::Tuning(_) | Exp::GroupSize(_) | Exp::Groups { .. } => I64,
    }
}

/// The types of what a block leaves.
pub(super) struct Types {
    pub(super) scalars: Vec<Type>,
    pub(super) mems: Vec<Type>,
}

/// The type of a scalar or of an array's elements, and the array's rank.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) ty: Type,
    pub(super) rank: Option<usize>,
}
