//! The trace of one application of `vjp`: a straight-line program without control flow, in which arrays are kept whole.
//!
//! A node names its operands by number; what is no operand of the trace is a constant and leaves none. Values are kept only where a partial derivative
//! reads them. A trace is a flat vector, so that its length strains no stack.

use crate::eval::custom::Applied;
use crate::eval::prim::READS_RESULT;
use crate::eval::strided::Lmad;
use crate::eval::val::{NodeId, Tag, Val};
use crate::eval::{Machine, Result};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::prim::{Prim, ScalarType};

/// A trace.
#[derive(Debug)]
pub(crate) struct Tape {
    pub tag: Tag,
    pub nodes: Vec<Node>,
    /// What partials will read; the nodes know where theirs begins.
    pub kept: Vec<Val>,
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
    /// An argument of the function.
    Input,
    /// A scalar operator. `kept` is where its values begin among [`Tape::kept`], `reads` says which they are: bit i operand i, then the result.
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
    /// One of the results of an [`Op::Custom`].
    Result { of: NodeId, index: usize },
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
            Op::Input => {}
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
            Op::Custom(applied) => applied.args.iter().for_each(|n| node(*n)),
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
    pub fn new(tag: Tag) -> Tape {
        Tape { tag, nodes: Vec::new(), kept: Vec::new() }
    }

    /// Adds a node.
    pub fn push(&mut self, node: Node) -> Result<NodeId> {
        let id = NodeId(self.nodes.len() as u32);
        if !id.is_some() {
            return Err(RuntimeError::new(FailureKind::Memory, "a trace of more than 2^32 steps"));
        }
        self.nodes.push(node);
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
        let tape = self.tapes.iter_mut().rev().find(|t| t.tag == tag);
        tape.ok_or_else(|| RuntimeError::internal("a traced value outside its vjp"))
    }

    /// A scalar operator on traced values: computed, and added to the trace. Operands without this tag are constants, and so is a result that does
    /// not depend on the others differentiably.
    pub(crate) fn prim_traced(&mut self, tag: Tag, op: Prim, args: &[&Val]) -> Result<Val> {
        let mut primals = [Val::Gone, Val::Gone, Val::Gone];
        let mut operands = [NodeId::NONE; 3];
        for (i, v) in args.iter().enumerate() {
            match v {
                Val::Traced(t) if t.tag == tag => {
                    primals[i] = t.primal.clone();
                    operands[i] = t.node;
                }
                v => primals[i] = (*v).clone(),
            }
        }
        let result = self.prim_of(op, &primals[..args.len()])?;
        let table = self.partials(op)?;
        let mut reads = 0;
        for (i, partial) in table.partials.iter().enumerate() {
            if *partial == futi_core::prim::Partial::Zero {
                operands[i] = NodeId::NONE;
            } else if operands[i].is_some() {
                reads |= table.reads[i];
            }
        }
        if !operands.iter().any(|n| n.is_some()) {
            return Ok(result);
        }
        self.counters.trace_kept += reads.count_ones() as u64;
        self.counters.trace_nodes += 1;
        let tape = self.tape(tag)?;
        let kept = tape.kept.len() as u32;
        let read = |i: usize| reads >> i & 1 == 1;
        tape.kept.extend(primals.into_iter().enumerate().filter(|(i, _)| read(*i)).map(|(_, v)| v));
        if reads & READS_RESULT != 0 {
            tape.kept.push(result.clone());
        }
        let node = tape.push(Node::new(Op::Prim { op, operands, kept, reads }, table.result, &[]))?;
        Ok(Val::traced(tag, node, result))
    }
}
