//! The evaluator's values. A value of the program may be plain, or dual, or traced, and these nest: inside an application of `jvp` or `vjp` whatever
//! depends on its arguments carries that application's tag.
//!
//! Invariant: the tags of a value descend from the outside in, since an application that starts later gets a greater tag and its values do not
//! leave it. So the greatest tag among operands is the innermost application, and stands outermost.

use super::bad;
use futi_core::failure::RuntimeError;
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::{Array, Value, count};
use std::sync::Arc;

/// Names an application of `jvp` or `vjp`; 0 is none.
pub(crate) type Tag = u32;

/// Strict mode: the tag of arrays of booleans and small integers made from scratch. Their tangents, which go where they go, say which elements are undefined. Below every
/// application's tag, so it stands innermost.
pub(crate) const SHADOW: Tag = 1;

/// A node of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NodeId(pub u32);

impl NodeId {
    /// Where an operand is a constant of the trace.
    pub const NONE: NodeId = NodeId(u32::MAX);

    pub fn is_some(self) -> bool {
        self != NodeId::NONE
    }
}

/// A value during evaluation. Two words, so that frames are dense and a scalar operator allocates nothing.
#[derive(Clone, Debug, Default)]
pub(crate) enum Val {
    Scalar(Scalar),
    Array(Box<Array>),
    Dual(Arc<Dual>),
    Traced(Arc<Traced>),
    /// An accumulator: which of the `withacc`s that are active.
    Acc(u32),
    /// A certificate.
    Cert,
    /// Strict mode: an array that was consumed.
    Consumed,
    /// Nothing: not bound yet, or moved out at its last use.
    #[default]
    Gone,
}

/// A value with its tangent, of the same type and shape, for one application of `jvp`.
#[derive(Clone, Debug)]
pub(crate) struct Dual {
    pub tag: Tag,
    pub primal: Val,
    pub tangent: Val,
}

/// A value with what computed it, in the trace of one application of `vjp`.
#[derive(Clone, Debug)]
pub(crate) struct Traced {
    pub tag: Tag,
    pub nodes: Nodes,
    pub primal: Val,
}

/// The nodes of a value in a trace.
#[derive(Clone, Debug)]
pub(crate) enum Nodes {
    /// One node for the value.
    One(NodeId),
    /// One for each element of an array, in a trace without arrays: an array of `i64`s, [`CONSTANT`] where an element does not depend on the arguments.
    Each(Box<Array>),
}

/// In [`Nodes::Each`].
pub(crate) const CONSTANT: i64 = -1;

impl From<Scalar> for Val {
    fn from(x: Scalar) -> Self {
        Val::Scalar(x)
    }
}
impl From<Array> for Val {
    fn from(a: Array) -> Self {
        Val::Array(Box::new(a))
    }
}
impl From<Value> for Val {
    fn from(v: Value) -> Self {
        match v {
            Value::Scalar(x) => Val::Scalar(x),
            Value::Array(a) => Val::Array(Box::new(a)),
        }
    }
}

impl Val {
    pub fn dual(tag: Tag, primal: Val, tangent: Val) -> Val {
        Val::Dual(Arc::new(Dual { tag, primal, tangent }))
    }

    pub fn traced(tag: Tag, node: NodeId, primal: Val) -> Val {
        Val::Traced(Arc::new(Traced { tag, nodes: Nodes::One(node), primal }))
    }

    /// A value of a trace without arrays, with the nodes of its elements; plain when all are constant.
    pub fn traced_each(tag: Tag, ids: Val, primal: Val) -> Val {
        match ids {
            Val::Array(ids) => Val::Traced(Arc::new(Traced { tag, nodes: Nodes::Each(ids), primal })),
            Val::Scalar(Scalar::I64(id)) if id != CONSTANT => Val::traced(tag, NodeId(id as u32), primal),
            _ => primal,
        }
    }

    /// The tag of the innermost application that the value depends on.
    #[inline]
    pub fn tag(&self) -> Tag {
        match self {
            Val::Dual(d) => d.tag,
            Val::Traced(t) => t.tag,
            _ => 0,
        }
    }

    /// Whether there is something to let go of when it is dropped.
    #[inline]
    pub fn owns(&self) -> bool {
        match self {
            Val::Array(_) | Val::Dual(_) | Val::Traced(_) => true,
            Val::Scalar(_) | Val::Acc(_) | Val::Cert | Val::Consumed | Val::Gone => false,
        }
    }

    /// The value without any tags.
    pub fn plain(&self) -> &Val {
        match self {
            Val::Dual(d) => d.primal.plain(),
            Val::Traced(t) => t.primal.plain(),
            v => v,
        }
    }

    /// The value and its tangent for this application of `jvp`; `None` when it does not depend on its arguments.
    pub fn split_dual(self, tag: Tag) -> (Val, Option<Val>) {
        match self {
            Val::Dual(d) if d.tag == tag => {
                let d = Arc::unwrap_or_clone(d);
                (d.primal, Some(d.tangent))
            }
            v => (v, None),
        }
    }

    /// The value and its node for this application of `vjp`; [`NodeId::NONE`] when it does not depend on its arguments.
    pub fn split_traced(self, tag: Tag) -> (Val, NodeId) {
        match self.split_nodes(tag) {
            (primal, Some(Nodes::One(node))) => (primal, node),
            (primal, _) => (primal, NodeId::NONE),
        }
    }

    /// The value and its nodes for this application of `vjp`; none when it does not depend on its arguments.
    pub fn split_nodes(self, tag: Tag) -> (Val, Option<Nodes>) {
        match self {
            Val::Traced(t) if t.tag == tag => {
                let t = Arc::unwrap_or_clone(t);
                (t.primal, Some(t.nodes))
            }
            v => (v, None),
        }
    }

    /// The value and the numbers of its elements' nodes, in a trace without arrays.
    pub fn split_each(self, tag: Tag) -> (Val, Val) {
        match self.split_nodes(tag) {
            (primal, Some(Nodes::One(node))) => (primal, Scalar::I64(node.0 as i64).into()),
            (primal, Some(Nodes::Each(ids))) => (primal, Val::Array(ids)),
            (primal, None) => {
                let ids = match primal.shape() {
                    [] => Scalar::I64(CONSTANT).into(),
                    shape => Array::filled(shape, Scalar::I64(CONSTANT)).into(),
                };
                (primal, ids)
            }
        }
    }

    /// The scalar below all tags.
    pub fn scalar(&self) -> Result<Scalar, RuntimeError> {
        match self.plain() {
            Val::Scalar(x) => Ok(*x),
            v => Err(bad("a scalar", v)),
        }
    }

    /// The `i64` below all tags.
    pub fn int(&self) -> Result<i64, RuntimeError> {
        match self.plain() {
            Val::Scalar(Scalar::I64(x)) => Ok(*x),
            v => Err(bad("an i64", v)),
        }
    }

    /// The `bool` below all tags.
    pub fn bool(&self) -> Result<bool, RuntimeError> {
        match self.plain() {
            Val::Scalar(Scalar::Bool(x)) => Ok(*x),
            v => Err(bad("a bool", v)),
        }
    }

    /// The array below all tags.
    pub fn array(&self) -> Result<&Array, RuntimeError> {
        match self.plain() {
            Val::Array(a) => Ok(a),
            v => Err(bad("an array", v)),
        }
    }

    /// The shape below all tags; empty for what is no array.
    pub fn shape(&self) -> &[usize] {
        match self.plain() {
            Val::Array(a) => a.shape(),
            _ => &[],
        }
    }

    /// The number of elements; 1 for a scalar.
    pub fn count(&self) -> usize {
        count(self.shape())
    }

    /// The scalar type of the value or of its elements; `None` for accumulators and certificates.
    pub fn elem(&self) -> Option<ScalarType> {
        match self.plain() {
            Val::Scalar(x) => Some(x.scalar_type()),
            Val::Array(a) => Some(a.elem()),
            _ => None,
        }
    }

    /// Zero everywhere, of the value's type and shape: the tangent or adjoint of what nothing depends on.
    pub fn zero(&self) -> Result<Val, RuntimeError> {
        match self.plain() {
            Val::Scalar(x) => Ok(x.scalar_type().zero().into()),
            Val::Array(a) => Ok(Array::filled(a.shape(), a.elem().zero()).into()),
            v => Err(bad("a scalar or an array", v)),
        }
    }

    /// As a result of the program.
    pub fn into_value(self) -> Result<Value, RuntimeError> {
        match self {
            Val::Scalar(x) => Ok(Value::Scalar(x)),
            Val::Array(a) => Ok(Value::Array(*a)),
            v => Err(bad("a first-order value", &v)),
        }
    }
}

/// Runs the same code at the Rust type of a scalar type: `with_elem!(scalar_type, T => …)`.
macro_rules! with_elem {
    ($ty:expr, $T:ident => $body:expr) => {{
        use futi_core::prim::ScalarType as S;
        match $ty {
            S::I8 => {
                type $T = i8;
                $body
            }
            S::I16 => {
                type $T = i16;
                $body
            }
            S::I32 => {
                type $T = i32;
                $body
            }
            S::I64 => {
                type $T = i64;
                $body
            }
            S::U8 => {
                type $T = u8;
                $body
            }
            S::U16 => {
                type $T = u16;
                $body
            }
            S::U32 => {
                type $T = u32;
                $body
            }
            S::U64 => {
                type $T = u64;
                $body
            }
            S::F16 => {
                type $T = futi_core::prim::f16;
                $body
            }
            S::F32 => {
                type $T = f32;
                $body
            }
            S::F64 => {
                type $T = f64;
                $body
            }
            S::Bool => {
                type $T = bool;
                $body
            }
        }
    }};
}
pub(crate) use with_elem;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_two_words() {
        assert_eq!(size_of::<Val>(), 16);
    }

    #[test]
    fn what_holds_nothing_has_no_tag_and_nothing_to_let_go_of() {
        let scalar = Val::from(Scalar::F64(1.0));
        for v in [scalar.clone(), Val::Acc(3), Val::Cert, Val::Consumed, Val::Gone] {
            assert_eq!((v.tag(), v.owns()), (0, false), "{v:?}");
        }
        let array = Val::from(Array::from_vec(&[1], vec![1.0]));
        let (dual, traced) = (Val::dual(5, scalar.clone(), scalar.clone()), Val::traced(6, NodeId(0), scalar));
        assert_eq!([array, dual, traced].map(|v| (v.tag(), v.owns())), [(0, true), (5, true), (6, true)]);
    }
}
