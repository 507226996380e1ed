//! Functions with derivatives of their own.

use super::code::{Custom, Frame, Lambda};
use super::val::{CONSTANT, NodeId, Nodes, SHADOW, Tag, Val};
use super::{Machine, Result, bad};
use crate::vjp::trace::{Node, Op};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::prim::ScalarType;
use futi_core::value::Array;

// Note [Custom derivatives]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// A rule speaks of one application of `jvp` or `vjp`, the innermost that the function depends on: its tag is taken off all operands, the function is
// applied to what is left, where the next application inwards-out has its turn in the same way, and the rule gives the derivative. The rule itself is ordinary code on values
// that may carry outer tags; so derivatives of derivatives are those of the rule. What the lambdas read from outside is a constant for the rules, so
// the tag is taken off that too. On the way back the frame may be gone, so the node of the trace keeps what the rule will read.
//
// So a derivative with respect to what the function itself reads from outside would be lost: it is refused, on the way back where an adjoint of the results arrives. What
// only a rule reads is no operand of the function.

/// An application of a custom function in a trace.
#[derive(Debug)]
pub(crate) struct Applied {
    /// Its number among [`super::Code::customs`].
    pub custom: usize,
    /// The arguments' nodes.
    pub args: Box<[Option<Nodes>]>,
    /// What the reverse rule gets before the adjoints; without such a rule, the arguments.
    pub kept: Box<[Val]>,
    /// What the lambdas read from outside.
    pub free: Box<[Val]>,
    /// The types of the results.
    pub results: Box<[(ScalarType, Box<[usize]>)]>,
    /// Whether there is no derivative, if one is asked for.
    pub refused: bool,
}

impl Applied {
    /// The nodes of the arguments, once for each use.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.args.iter().flatten().flat_map(|nodes| -> Vec<NodeId> {
            match nodes {
                Nodes::One(n) => vec![*n],
                Nodes::Each(ids) => Applied::each(ids).map(|(_, n)| n).collect(),
            }
        })
    }

    /// The elements that are not constant, and their nodes.
    pub fn each(ids: &Array) -> impl Iterator<Item = (usize, NodeId)> {
        let node = |i: usize| ids.get(i).as_i64().filter(|id| *id != CONSTANT).map(|id| (i, NodeId(id as u32)));
        (0..ids.len()).filter_map(node)
    }

    /// The result and the offset in it that a part stands for: of r results, part i + k r is element k of result i, or all of it for k = 0.
    pub fn result(&self, part: usize) -> (usize, usize) {
        (part % self.results.len(), part / self.results.len())
    }
}

fn innermost<'v>(vals: impl IntoIterator<Item = &'v Val>) -> Tag {
    // mutant off by one: 1 is strict mode's tag: no rule is asked about it either
    vals.into_iter().map(Val::tag).max().unwrap_or(0)
}

/// What is said of a derivative with respect to what a function with derivatives of its own reads from outside.
pub(crate) fn refusal() -> RuntimeError {
    let message = "The derivative is taken with respect to a free variable of a function with a derivative of its own, which does not say what that \
                   is: make it part of the function's argument.";
    RuntimeError::new(FailureKind::Derivative, message)
}

impl<'a> Machine<'a> {
    pub(super) fn custom(&mut self, frame: &mut Frame, custom: usize) -> Result<Vec<Val>> {
        let code = self.code;
        let c = &code.customs[custom];
        let args = self.read_all(frame, &c.args);
        // mutant: that tag is strict mode's: no rule is asked about it, and the function is applied either way
        if innermost(args.iter().chain(c.free.iter().map(|s| frame.get(*s)))) <= SHADOW {
            self.bind_all(frame, &c.lambda.params, args);
            return Ok(self.run(frame, &c.lambda.body)?.split_off(c.saved));
        }
        let free: Vec<Val> = c.free.iter().map(|s| frame.get(*s).clone()).collect();
        self.custom_of(custom, &free, args)
    }

    /// The results after the saved ones. See Note [Custom derivatives].
    fn custom_of(&mut self, custom: usize, free: &[Val], args: Vec<Val>) -> Result<Vec<Val>> {
        let code = self.code;
        let c = &code.customs[custom];
        let tag = innermost(args.iter().chain(free));
        // mutant negation: what has no elements is a certificate here, which has no tag of a derivative
        let varies = free[..c.own].iter().any(|v| v.tag() == tag && v.elem().is_some_and(|t| t.is_float()));
        let by = args.iter().chain(free).find(|v| v.tag() == tag);
        match (by, &c.jvp) {
            (Some(Val::Dual(_)), Some(rule)) if tag > SHADOW => {
                if varies {
                    return Err(refusal());
                }
                let free: Vec<Val> = free.iter().map(|v| v.clone().split_dual(tag).0).collect();
                let (primals, tangents): (Vec<Val>, Vec<Option<Val>>) =
                    args.into_iter().map(|v| v.split_dual(tag)).unzip();
                let tangents = tangents.into_iter().zip(&primals).map(|(t, v)| t.map_or_else(|| self.zero(v), Ok));
                let operands = primals.iter().cloned().map(Ok).chain(tangents).collect::<Result<Vec<_>>>()?;
                let results = self.custom_of(custom, &free, primals)?;
                let tangents = self.closed(c, rule, &free, operands)?;
                Ok(results.into_iter().zip(tangents).map(|(y, t)| Val::dual(tag, y, t)).collect())
            }
            // A trace that is to be run again has the function's own steps.
            (Some(Val::Traced(_)), rule) if (c.vjp.is_some() || rule.is_some()) && !self.tape(tag)?.full => {
                let free: Vec<Val> = free.iter().map(|v| v.clone().split_nodes(tag).0).collect();
                let (primals, nodes): (Vec<Val>, Vec<Option<Nodes>>) =
                    args.into_iter().map(|v| v.split_nodes(tag)).unzip();
                self.custom_traced(custom, tag, free, primals, nodes, varies)
            }
            _ => Ok(self.closed(c, &c.lambda, free, args)?.split_off(c.saved)),
        }
    }

    /// The results under `vjp`, from operands without its tag.
    fn custom_traced(
        &mut self,
        custom: usize,
        tag: Tag,
        free: Vec<Val>,
        primals: Vec<Val>,
        nodes: Vec<Option<Nodes>>,
        refused: bool,
    ) -> Result<Vec<Val>> {
        let code = self.code;
        let c = &code.customs[custom];
        let (kept, results) = if c.vjp.is_none() {
            (primals.clone(), self.custom_of(custom, &free, primals)?)
        } else {
            // What is saved depends on outer applications by the function's own derivative: no rule speaks of it.
            let mut saved = self.closed(c, &c.lambda, &free, primals.clone())?;
            let mut results = saved.split_off(c.saved);
            // mutant: no rule is asked about strict mode's tag: the function is applied once more, to the same effect
            if innermost(primals.iter().chain(&free)) > SHADOW {
                results = self.custom_of(custom, &free, primals)?;
            }
            (saved, results)
        };
        if !refused && nodes.iter().all(Option::is_none) {
            return Ok(results);
        }
        let ty = |v: &Val| Ok((v.elem().ok_or_else(|| bad("a scalar or an array", v))?, v.shape().into()));
        let types = results.iter().map(ty).collect::<Result<_>>()?;
        let (args, kept, free) = (nodes.into(), kept.into(), free.into());
        let applied = Applied { custom, args, kept, free, results: types, refused };
        let stride = results.len();
        self.counters.trace_nodes += 1;
        let of = self.tape(tag)?.push(Node::new(Op::Custom(Box::new(applied)), ScalarType::Bool, &[]))?;
        let mut traced = Vec::with_capacity(results.len());
        for (index, y) in results.into_iter().enumerate() {
            if self.ctx.keep.arrays || y.shape().is_empty() {
                traced.push(self.record(tag, Op::Result { of, part: index }, y)?);
                continue;
            }
            let elem = y.elem().ok_or_else(|| bad("a scalar or an array", &y))?;
            self.counters.trace_nodes += y.count() as u64;
            let tape = self.tape(tag)?;
            let result = |at: usize| Node::new(Op::Result { of, part: index + at * stride }, elem, &[]);
            let ids = (0..y.count()).map(|at| Ok(tape.push(result(at))?.0 as i64)).collect::<Result<_>>()?;
            let ids = self.counted(Array::from_vec(y.shape(), ids).into());
            traced.push(Val::traced_each(tag, ids, y));
        }
        Ok(traced)
    }

    /// Applies a lambda of a custom function, with these values for what it reads from outside.
    pub(crate) fn closed(
        &mut self,
        c: &'a Custom,
        lambda: &'a Lambda,
        free: &[Val],
        args: Vec<Val>,
    ) -> Result<Vec<Val>> {
        let mut frame = Frame::new(c.slots);
        self.bind_all(&mut frame, &c.free, free.iter().cloned());
        self.bind_all(&mut frame, &lambda.params, args);
        self.run(&mut frame, &lambda.body)
    }
}

#[cfg(test)]
mod tests;
