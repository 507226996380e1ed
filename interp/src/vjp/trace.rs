//! The trace of one application of `vjp`: a straight-line program without control flow, in which arrays are kept whole.
//!
//! A node names its operands by number; what is no operand of the trace is a constant and leaves none. Values are kept only where a partial derivative
//! reads them. A trace is a flat vector, so that its length strains no stack. A scalar operator on arrays is one node as well: the trace of a λ without
//! branches that is mapped is one copy of λ, on whole columns (van Hus's vectorised map; Note [All rows at once]).
//!
//! A *full* trace has all that is needed to run it again: constants are nodes, too, and so are operators without derivative. [`crate::trace()`] makes a
//! program of it.

use crate::eval::custom::Applied;
use crate::eval::linear::Linear;
use crate::eval::prim::READS_RESULT;
use crate::eval::strided::Lmad;
use crate::eval::val::{NodeId, Tag, Val};
use crate::eval::{Machine, Result};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::prim::{Partial, Prim, Scalar, ScalarType};
use futi_core::value::meter::{Charge, Meter};
use std::ops::Range;
use std::sync::Arc;

/// A trace.
#[derive(Debug)]
pub(crate) struct Tape {
    pub tag: Tag,
    pub nodes: Vec<Node>,
    /// What partials will read; the nodes know where theirs begins.
    pub kept: Vec<Val>,
    /// Whether it can be run again.
    pub full: bool,
    /// Of a full trace: the nodes of each λ that was mapped over all rows at once.
    pub maps: Vec<Range<u32>>,
    /// [`Tape::bytes`], on the run's meter.
    held: Charge,
}

/// A step of the trace, with the type of its value.
#[derive(Debug)]
pub(crate) struct Node {
    pub op: Op,
    pub elem: ScalarType,
    /// `None` for a scalar.
    pub shape: Option<Box<[usize]>>,
}

/// What computed a node's value from those of others.
#[derive(Debug)]
pub(crate) enum Op {
    /// An argument of the function, or an element of one.
    Input,
    /// In a full trace, a constant.
    Lift(Val),
    /// A scalar operator, element by element where the node is an array. `kept` is where its values begin among [`Tape::kept`], `reads` says which they are: bit i operand i, then the result.
    Prim { op: Prim, operands: [NodeId; 3], kept: u32, reads: u8 },
    /// The part of an array that starts at this offset.
    Index { array: NodeId, at: usize },
    /// The array with the part at this offset replaced by a value of this shape.
    Update { array: NodeId, at: usize, value: NodeId, shape: Box<[usize]> },
    /// Rows made an array.
    Pack(Box<[NodeId]>),
    /// Many times the same.
    Replicate(NodeId),
    /// Dimensions permuted.
    Rearrange(NodeId, Box<[usize]>),
    /// Another shape.
    Reshape(NodeId),
    /// The outer dimension backwards.
    Reverse(NodeId),
    /// Arrays one after the other, with their numbers of elements.
    Concat(Box<[(NodeId, usize)]>),
    /// A sum, element by element.
    Plus(NodeId, NodeId),
    /// The sum over outer dimensions.
    Sum(NodeId),
    /// The outer dimension turned round.
    Rotate(NodeId, i64),
    /// The elements at a descriptor's positions.
    Gather { array: NodeId, lmad: Box<Lmad> },
    /// The array with the elements at a descriptor's positions replaced.
    Put { array: NodeId, value: NodeId, lmad: Box<Lmad> },
    /// Zeros with a part added at a descriptor's positions.
    Spread { part: NodeId, lmad: Box<Lmad> },
    /// All results of a function with a rule of its own, each of which is an [`Op::Result`].
    Custom(Box<Applied>),
    /// One of the results of an [`Op::Custom`], or an element of one: [`Applied::result`].
    Result { of: NodeId, part: usize },
}

impl Node {
    pub fn new(op: Op, elem: ScalarType, shape: &[usize]) -> Node {
        Node { op, elem, shape: if shape.is_empty() { None } else { Some(shape.into()) } }
    }

    pub fn shape(&self) -> &[usize] {
        self.shape.as_deref().unwrap_or(&[])
    }
}

impl Op {
    /// Calls `f` with each operand that is a node, once for each use.
    pub fn operands(&self, mut f: impl FnMut(NodeId)) {
        let mut node = |n: NodeId| {
            if n.is_some() {
                f(n)
            }
        };
        match self {
            Op::Input | Op::Lift(_) => {}
            Op::Prim { operands, .. } => operands.iter().for_each(|n| node(*n)),
            Op::Index { array: n, .. }
            | Op::Replicate(n)
            | Op::Rearrange(n, _)
            | Op::Reshape(n)
            | Op::Reverse(n)
            | Op::Sum(n) => node(*n),
            Op::Update { array, value, .. } => {
                node(*array);
                node(*value)
            }
            Op::Rotate(n, _) | Op::Gather { array: n, .. } | Op::Spread { part: n, .. } | Op::Result { of: n, .. } => {
                node(*n)
            }
            Op::Put { array, value, .. } => {
                node(*array);
                node(*value)
            }
            Op::Custom(applied) => applied.nodes().for_each(node),
            Op::Pack(rows) => rows.iter().for_each(|n| node(*n)),
            Op::Concat(parts) => parts.iter().for_each(|(n, _)| node(*n)),
            Op::Plus(x, y) => {
                node(*x);
                node(*y)
            }
        }
    }
}

impl Tape {
    pub fn new(tag: Tag, meter: &Arc<Meter>) -> Tape {
        let held = Charge::new(meter, 0);
        Tape { tag, nodes: Vec::new(), kept: Vec::new(), full: false, maps: Vec::new(), held }
    }

    /// Adds a node.
    pub fn push(&mut self, node: Node) -> Result<NodeId> {
        let id = NodeId(self.nodes.len() as u32);
        if !id.is_some() {
            return Err(RuntimeError::new(FailureKind::Memory, "a trace of more than 2^32 steps"));
        }
        self.nodes.push(node);
        self.held.set(self.bytes() as u64);
        Ok(id)
    }

    /// What the trace takes in memory, its arrays' columns apart.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.kept.capacity() * size_of::<Val>()
    }
}

impl Machine<'_> {
    /// The trace of an active application.
    pub(crate) fn tape(&mut self, tag: Tag) -> Result<&mut Tape> {
        // mutant order: no two traces have one tag; the innermost is looked at first because it is asked for most
        let tape = self.tapes.iter_mut().rev().find(|t| t.tag == tag);
        tape.ok_or_else(|| RuntimeError::internal("a traced value outside its vjp"))
    }

    /// The node of an operand: in a full trace a constant gets one, too.
    pub(crate) fn lift(&mut self, tag: Tag, node: NodeId, primal: &Val) -> Result<NodeId> {
        let tape = self.tape(tag)?;
        match primal.elem() {
            Some(elem) if tape.full && !node.is_some() => {
                tape.push(Node::new(Op::Lift(primal.clone()), elem, primal.shape()))
            }
            _ => Ok(node),
        }
    }

    /// A scalar operator on traced values: computed, and added to the trace. Operands without this tag are constants, and so is a result that does
    /// not depend on the others differentiably.
    pub(crate) fn prim_traced(&mut self, tag: Tag, op: Prim, args: &[&Val]) -> Result<Val> {
        let mut primals = [Val::Gone, Val::Gone, Val::Gone];
        let mut operands = [NodeId::NONE; 3];
        for (i, v) in args.iter().enumerate() {
            let (primal, node) = (*v).clone().split_traced(tag);
            primals[i] = primal;
            operands[i] = node;
        }
        let result = self.prim_of(op, &primals[..args.len()])?;
        let full = self.tape(tag)?.full;
        if let Prim::Select(elem) = op
            && !(full && self.ctx.keep.booleans)
        {
            // a switch: only the value that it returns is traced (digest 003 §1B.2, rule 4); a program that keeps booleans shows the choice
            let cond = primals[0].plain().clone();
            return self.switch(elem, &cond, args);
        }
        let table = self.partials(op)?;
        if full && table.result == ScalarType::Bool && !self.ctx.keep.booleans {
            return Ok(result);
        }
        let mut reads = 0;
        for (i, partial) in table.partials.iter().enumerate() {
            if full {
                operands[i] = self.lift(tag, operands[i], &primals[i])?;
            } else if *partial == Partial::Zero && !self.ctx.keep.booleans {
                operands[i] = NodeId::NONE;
            } else if operands[i].is_some() {
                reads |= table.reads[i];
            }
        }
        if !operands.iter().any(|n| n.is_some()) {
            return Ok(result);
        }
        self.counters.trace_nodes += 1;
        let kept_before = self.tape(tag)?.kept.len();
        let tape = self.tape(tag)?;
        let read = |i: usize| reads >> i & 1 == 1;
        tape.kept.extend(primals.into_iter().enumerate().filter(|(i, _)| read(*i)).map(|(_, v)| v));
        if reads & READS_RESULT != 0 {
            tape.kept.push(result.clone());
        }
        let op = Op::Prim { op, operands, kept: kept_before as u32, reads };
        let node = tape.push(Node::new(op, table.result, result.shape()))?;
        let kept: usize = tape.kept[kept_before..].iter().map(Val::count).sum();
        self.counters.trace_kept += kept as u64;
        Ok(Val::traced(tag, node, result))
    }

    /// The value that a switch returns; of one for all rows at once those of the rows. An adjoint of zero sent to the other value would be NaN behind an
    /// infinite partial.
    fn switch(&mut self, elem: ScalarType, cond: &Val, args: &[&Val]) -> Result<Val> {
        let chosen = |cond: Scalar| args[if cond.as_bool() == Some(true) { 1 } else { 2 }];
        let Val::Array(conds) = cond else { return Ok(chosen(cond.scalar()?).clone()) };
        let mut rows = Vec::with_capacity(conds.len());
        for i in 0..conds.len() {
            let v = chosen(conds.get(i));
            rows.push(if v.shape().is_empty() { v.clone() } else { self.slice(v, i, &[])? });
        }
        self.linear(&Linear::Pack { elem, row: &[] }, rows)
    }
}
