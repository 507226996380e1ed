//! What moves elements about or adds them. All of it is linear, so a tangent is moved as its primal is; and an array stays whole under `vjp`: one
//! node of the trace for each operation.
//!
//! Positions are offsets in row-major order, so that an index of any rank is one number in a trace.

use super::kernel::columns::ColArg;
use super::strided::Lmad;
use super::val::{NodeId, Nodes, Tag, Val, with_elem};
use super::{Machine, Result, bad};
use crate::vjp::trace::{Node, Op};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::prim::ScalarType;
use futi_core::value::{Array, Elem, Value, count};

/// An operation that is linear in all of its operands together.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Linear<'p> {
    /// `shape` times the operand.
    Replicate { shape: &'p [usize] },
    /// A permutation of the dimensions.
    Rearrange { perm: &'p [usize] },
    /// Another shape over the same elements.
    Reshape { shape: &'p [usize] },
    /// The outer dimension backwards.
    Reverse,
    /// One after the other.
    Concat,
    /// The same, held by nobody else.
    Copy,
    /// The operands as rows of an array; the type says what a row is, should there be none.
    Pack { elem: ScalarType, row: &'p [usize] },
    /// Two operands of one shape added element by element.
    Plus,
    /// The sum over the outer dimensions, leaving values of this shape.
    Sum { shape: &'p [usize] },
    /// The outer dimension turned round.
    Rotate { by: i64 },
    /// The elements at the positions of a descriptor.
    Gather { lmad: &'p Lmad },
    /// An array, with the elements at the positions of a descriptor replaced by those of a second operand; the last at a position wins.
    Put { lmad: &'p Lmad },
    /// Zeros of this shape, with the operand's elements added at the positions of a descriptor: the transpose of `Gather`.
    Spread { lmad: &'p Lmad, shape: &'p [usize] },
}

/// The row-major offset of an index, which a check has found in range.
pub(crate) fn position(shape: &[usize], index: &[usize]) -> Result<usize> {
    if index.len() > shape.len() || index.iter().zip(shape).any(|(i, n)| i >= n) {
        return Err(RuntimeError::internal(format!("index {index:?} into shape {shape:?} without a check")));
    }
    Ok(shape.iter().enumerate().fold(0, |at, (d, n)| at * n + index.get(d).unwrap_or(&0)))
}

impl Machine<'_> {
    /// `array[index]`: an element, or a row that shares the array's elements.
    pub fn index(&mut self, array: &Val, index: &[usize]) -> Result<Val> {
        match array {
            Val::Array(a) => {
                let at = position(a.shape(), index)?;
                if index.len() == a.shape().len() {
                    return Ok(a.get(at).into());
                }
                let mut v = a.row(index[0]);
                for i in &index[1..] {
                    if let Value::Array(a) = v {
                        v = a.row(*i);
                    }
                }
                Ok(v.into())
            }
            Val::Dual(d) => Ok(Val::dual(d.tag, self.index(&d.primal, index)?, self.index(&d.tangent, index)?)),
            Val::Traced(t) => {
                let primal = self.index(&t.primal, index)?;
                match &t.nodes {
                    Nodes::One(array) => {
                        let at = position(t.primal.shape(), index)?;
                        self.record(t.tag, Op::Index { array: *array, at }, primal)
                    }
                    Nodes::Each(ids) => {
                        let ids = self.index(&Val::Array(ids.clone()), index)?;
                        Ok(Val::traced_each(t.tag, ids, primal))
                    }
                }
            }
            v => Err(bad("an array", v)),
        }
    }

    /// The part of this shape that starts at an offset.
    pub fn slice(&mut self, array: &Val, at: usize, shape: &[usize]) -> Result<Val> {
        match array {
            Val::Array(a) => plain_slice(a, at, shape),
            Val::Dual(d) => Ok(Val::dual(d.tag, self.slice(&d.primal, at, shape)?, self.slice(&d.tangent, at, shape)?)),
            Val::Traced(t) => {
                let primal = self.slice(&t.primal, at, shape)?;
                match &t.nodes {
                    Nodes::One(array) => self.record(t.tag, Op::Index { array: *array, at }, primal),
                    Nodes::Each(ids) => {
                        let ids = self.slice(&Val::Array(ids.clone()), at, shape)?;
                        Ok(Val::traced_each(t.tag, ids, primal))
                    }
                }
            }
            v if shape.is_empty() => Ok(v.clone()),
            v => Err(bad("an array", v)),
        }
    }

    /// The array with the elements from an offset on replaced by the value's: in place when nobody else holds the array.
    pub fn update(&mut self, array: Val, at: usize, value: Val) -> Result<Val> {
        let tag = array.tag().max(value.tag());
        match (array, value) {
            (Val::Array(a), v @ (Val::Scalar(_) | Val::Array(_))) => self.plain_update(a, at, &v),
            (a, v) if matches!(a, Val::Dual(_)) && a.tag() == tag || matches!(v, Val::Dual(_)) && v.tag() == tag => {
                let (a, da) = a.split_dual(tag);
                let (v, dv) = v.split_dual(tag);
                let da = da.map_or_else(|| self.zero(&a), Ok)?;
                let dv = dv.map_or_else(|| self.zero(&v), Ok)?;
                Ok(Val::dual(tag, self.update(a, at, v)?, self.update(da, at, dv)?))
            }
            (a @ Val::Traced(_), v) | (a, v @ Val::Traced(_)) if !self.ctx.keep.arrays => {
                let (a, ids) = self.split_each(a, tag);
                let (v, id) = self.split_each(v, tag);
                let ids = self.update(ids, at, id)?;
                Ok(Val::traced_each(tag, ids, self.update(a, at, v)?))
            }
            (a @ Val::Traced(_), v) | (a, v @ Val::Traced(_)) => {
                let (a, array) = a.split_traced(tag);
                let (v, value) = v.split_traced(tag);
                let array = self.lift(tag, array, &a)?;
                let value = self.lift(tag, value, &v)?;
                let shape = v.shape().into();
                let primal = self.update(a, at, v)?;
                self.record(tag, Op::Update { array, at, value, shape }, primal)
            }
            (a, _) => Err(bad("an array to update", &a)),
        }
    }

    /// Applies a linear operation.
    pub fn linear(&mut self, op: &Linear, args: Vec<Val>) -> Result<Val> {
        let innermost = args.iter().max_by_key(|v| v.tag());
        match innermost {
            Some(Val::Dual(d)) => {
                let tag = d.tag;
                let (mut primals, mut tangents) = (Vec::with_capacity(args.len()), Vec::with_capacity(args.len()));
                for v in args {
                    let (primal, tangent) = v.split_dual(tag);
                    tangents.push(tangent.map_or_else(|| self.zero(&primal), Ok)?);
                    primals.push(primal);
                }
                Ok(Val::dual(tag, self.linear(op, primals)?, self.linear(op, tangents)?))
            }
            Some(Val::Traced(t)) if !self.ctx.keep.arrays => self.linear_each(t.tag, op, args),
            Some(Val::Traced(t)) => {
                let tag = t.tag;
                let (mut primals, mut nodes) = (Vec::with_capacity(args.len()), Vec::with_capacity(args.len()));
                for v in args {
                    let (primal, node) = v.split_traced(tag);
                    nodes.push(self.lift(tag, node, &primal)?);
                    primals.push(primal);
                }
                let op_traced = traced(op, &nodes, &primals);
                let primal = self.linear(op, primals)?;
                match op_traced {
                    Some(op) => self.record(tag, op, primal),
                    None => Ok(Val::traced(tag, nodes[0], primal)),
                }
            }
            _ => self.plain_linear(op, args),
        }
    }

    /// A linear operation in a trace without arrays: elements move with the numbers of their nodes.
    fn linear_each(&mut self, tag: Tag, op: &Linear, args: Vec<Val>) -> Result<Val> {
        match op {
            // Only a node that is an array has an adjoint that is one, to be summed.
            Linear::Plus | Linear::Sum { .. } | Linear::Spread { .. } => {
                Err(RuntimeError::internal("a sum of arrays in a trace without arrays"))
            }
            op => {
                let (primals, ids) = args.into_iter().map(|v| self.split_each(v, tag)).unzip();
                let primal = self.linear(op, primals)?;
                let of_ids = match *op {
                    Linear::Pack { row, .. } => Linear::Pack { elem: ScalarType::I64, row },
                    op => op,
                };
                let ids = self.linear(&of_ids, ids)?;
                Ok(Val::traced_each(tag, ids, primal))
            }
        }
    }

    /// Scalars as an array of this shape, or the scalar itself.
    pub(crate) fn packed(&mut self, mut elems: Vec<Val>, elem: ScalarType, shape: &[usize]) -> Result<Val> {
        if shape.is_empty()
            && let Some(x) = elems.pop()
        {
            return Ok(x);
        }
        let packed = self.linear(&Linear::Pack { elem, row: &[] }, elems)?;
        self.linear(&Linear::Reshape { shape }, vec![packed])
    }

    /// Adds a node to the trace of an application, for this primal value.
    pub fn record(&mut self, tag: Tag, op: Op, primal: Val) -> Result<Val> {
        self.counters.trace_nodes += 1;
        let elem = primal.elem().ok_or_else(|| bad("a scalar or an array", &primal))?;
        let node = self.tape(tag)?.push(Node::new(op, elem, primal.shape()))?;
        Ok(Val::traced(tag, node, primal))
    }

    /// The value and the numbers of its elements' nodes.
    fn split_each(&self, v: Val, tag: Tag) -> (Val, Val) {
        let (primal, ids) = v.split_each(tag);
        (primal, self.counted(ids))
    }

    fn plain_update(&mut self, mut array: Box<Array>, at: usize, value: &Val) -> Result<Val> {
        let mut copied = 0;
        let told = &mut |n| copied += n;
        let n = value.count();
        let mismatch = || RuntimeError::internal("an update with a value of another type or shape");
        if at + n > array.len() {
            return Err(mismatch());
        }
        with_elem!(array.elem(), T => {
            let xs = array.slice_mut::<T>(told).ok_or_else(mismatch)?;
            match value {
                Val::Scalar(x) => xs[at] = Elem::from_scalar(*x).ok_or_else(mismatch)?,
                Val::Array(v) => xs[at..at + n].copy_from_slice(v.slice::<T>().ok_or_else(mismatch)?),
                _ => return Err(mismatch()),
            }
        });
        self.counters.copied += copied as u64;
        // mutant comparison: an array that is counted already is counted once
        Ok(if copied > 0 { self.counted(Val::Array(array)) } else { Val::Array(array) })
    }

    fn plain_linear(&mut self, op: &Linear, mut args: Vec<Val>) -> Result<Val> {
        let none = || RuntimeError::internal("an operation without operands");
        match *op {
            Linear::Pack { elem, row } => {
                let mut rows = self.rows(elem, row, args.len())?;
                let n = args.len();
                args.into_iter().try_for_each(|v| rows.push(v))?;
                self.assemble(rows, &[n])
            }
            Linear::Concat => {
                // mutant: all that are concatenated have one row type
                let first = args.first().ok_or_else(none)?.array()?;
                let (elem, row) = (first.elem(), first.shape()[1..].to_vec());
                // mutant off by one: what is concatenated has a dimension
                let lengths = args.iter().map(|a| a.shape().first().copied().unwrap_or(0));
                let outer =
                    lengths.clone().try_fold(0usize, |n, m| n.checked_add(m)).filter(|n| i64::try_from(*n).is_ok());
                // rows without elements take no room, so that there may be any number of them
                let outer = outer.ok_or_else(|| {
                    let lengths: Vec<String> = lengths.map(|n| n.to_string()).collect();
                    let message = format!("an array of {} rows is longer than an i64 can say", lengths.join(" + "));
                    RuntimeError::new(FailureKind::Memory, message)
                })?;
                let mut rows = self.rows(elem, &row, outer)?;
                for a in &args {
                    rows.push_all(a.array()?)?;
                }
                self.assemble(rows, &[outer])
            }
            Linear::Plus => {
                let (b, a) = (args.pop().ok_or_else(none)?, args.pop().ok_or_else(none)?);
                self.plain_plus(a, &b)
            }
            Linear::Put { lmad } => {
                let (value, array) = (args.pop().ok_or_else(none)?, args.pop().ok_or_else(none)?);
                self.plain_put(lmad, array, &value)
            }
            _ => {
                let arg = args.pop().ok_or_else(none)?;
                self.plain_unary(op, arg)
            }
        }
    }

    fn plain_unary(&mut self, op: &Linear, arg: Val) -> Result<Val> {
        match (*op, &arg) {
            (Linear::Replicate { shape }, v) => {
                let elem = v.elem().ok_or_else(|| bad("a scalar or an array", v))?;
                match v {
                    Val::Scalar(x) => {
                        self.allocate(elem, shape)?;
                        Ok(self.counted(Array::filled(shape, *x).into()))
                    }
                    v => {
                        let n = self.count(shape)?;
                        let mut rows = self.rows(elem, v.shape(), n)?;
                        // rows without elements take no room, so that there may be any number of them
                        for _ in 0..if v.count() == 0 { 0 } else { n } {
                            rows.push(v.clone())?;
                        }
                        self.assemble(rows, shape)
                    }
                }
            }
            (Linear::Rearrange { perm }, Val::Array(a)) => {
                if perm.iter().enumerate().all(|(i, p)| i == *p) {
                    return Ok(arg);
                }
                self.allocate(a.elem(), a.shape())?;
                Ok(self.counted(a.rearrange(perm).into()))
            }
            (Linear::Reshape { shape }, Val::Array(a)) => {
                if count(shape) != a.len() {
                    let what = format!("reshape of {:?} to {shape:?}", &**a.shape());
                    return Err(RuntimeError::internal(format!("{what} without a check")));
                }
                Ok(a.reshape(shape).into())
            }
            (Linear::Reshape { shape: [] }, Val::Scalar(x)) => Ok((*x).into()),
            (Linear::Reverse, Val::Array(a)) => {
                let n = a.shape()[0];
                let mut rows = self.rows(a.elem(), &a.shape()[1..], n)?;
                for i in (0..n).rev() {
                    rows.push(a.row(i).into())?;
                }
                self.assemble(rows, &[n])
            }
            (Linear::Copy, Val::Array(a)) => {
                self.allocate(a.elem(), a.shape())?;
                let mismatch = || RuntimeError::internal("a column of another type");
                let copy = with_elem!(a.elem(), T => {
                    Array::from_vec(a.shape(), a.slice::<T>().ok_or_else(mismatch)?.to_vec())
                });
                Ok(self.counted(copy.into()))
            }
            (Linear::Copy, Val::Scalar(x)) => Ok((*x).into()),
            (Linear::Sum { shape }, Val::Array(a)) => {
                let m: usize = count(shape);
                // mutant: to add a row without elements changes nothing
                let n = a.len().checked_div(m).unwrap_or(0);
                let mut sum = self.zeros(a.elem(), shape);
                for i in 0..n {
                    let row = plain_slice(a, i * m, shape)?;
                    sum = self.plain_plus(sum, &row)?;
                }
                Ok(sum)
            }
            (Linear::Sum { shape: [] }, Val::Scalar(x)) => Ok((*x).into()),
            (Linear::Rotate { by }, Val::Array(a)) => self.plain_rotate(by, a),
            (Linear::Gather { lmad }, Val::Array(a)) => self.plain_gather(lmad, a),
            (Linear::Spread { lmad, shape }, v) => self.plain_spread(lmad, shape, v),
            (_, v) => Err(bad("an array", v)),
        }
    }

    /// `a + b`.
    fn plain_plus(&mut self, a: Val, b: &Val) -> Result<Val> {
        match (a, b) {
            (Val::Scalar(x), Val::Scalar(y)) => Ok(self.scalar2(x.scalar_type().plus(), x, *y).into()),
            (Val::Array(a), Val::Array(b)) if a.shape() == b.shape() => {
                // mutant: addition is commutative
                let sum = self.columns(a.elem().plus(), &[ColArg::Array(&a), ColArg::Array(b)], a.len())?;
                Ok(sum.reshape(a.shape()).into())
            }
            (a, _) => Err(bad("two values of one shape", &a)),
        }
    }
}

/// Zero everywhere.
pub(super) fn zero_of(elem: ScalarType, shape: &[usize]) -> Val {
    match shape {
        [] => elem.zero().into(),
        shape => Array::filled(shape, elem.zero()).into(),
    }
}

/// The part of an array that starts at an offset.
fn plain_slice(a: &Array, at: usize, shape: &[usize]) -> Result<Val> {
    let n: usize = count(shape);
    if at + n > a.len() {
        return Err(RuntimeError::internal(format!("a part {shape:?} at {at} of {:?}", &**a.shape())));
    }
    Ok(if shape.is_empty() { a.get(at).into() } else { a.part(at, shape).into() })
}

/// The node of a linear operation; `None` where the result is the operand's own node.
fn traced(op: &Linear, nodes: &[NodeId], primals: &[Val]) -> Option<Op> {
    let x = nodes.first().copied().unwrap_or(NodeId::NONE);
    Some(match op {
        Linear::Replicate { .. } => Op::Replicate(x),
        Linear::Rearrange { perm } => Op::Rearrange(x, (*perm).into()),
        Linear::Reshape { .. } => Op::Reshape(x),
        Linear::Reverse => Op::Reverse(x),
        Linear::Concat => Op::Concat(nodes.iter().zip(primals).map(|(n, v)| (*n, v.count())).collect()),
        Linear::Copy => return None,
        Linear::Pack { .. } => Op::Pack(nodes.into()),
        Linear::Plus => Op::Plus(x, nodes.get(1).copied().unwrap_or(NodeId::NONE)),
        Linear::Sum { .. } => Op::Sum(x),
        Linear::Rotate { by } => Op::Rotate(x, *by),
        Linear::Gather { lmad } => Op::Gather { array: x, lmad: Box::new((*lmad).clone()) },
        Linear::Put { lmad } => {
            let value = nodes.get(1).copied().unwrap_or(NodeId::NONE);
            Op::Put { array: x, value, lmad: Box::new((*lmad).clone()) }
        }
        Linear::Spread { lmad, .. } => Op::Spread { part: x, lmad: Box::new((*lmad).clone()) },
    })
}

#[cfg(test)]
mod tests;
