//! The reverse pass through functions with rules of their own.
//!
//! Such a function is one node of the trace, with one more for each result. A result's node hands its adjoint to the function's, as the part of that index; when all that
//! reach an output have done so, the function's node runs the rule.

use super::reverse::{Adjoint, Pass};
use super::trace::{Node, Op, Tape};
use crate::eval::custom::Applied;
use crate::eval::linear::zero_of;
use crate::eval::val::{NodeId, Val};
use crate::eval::{Machine, Result, bad};

impl<'a> Machine<'a> {
    /// The adjoint of a result goes to its function's node.
    pub(super) fn hand_result(&mut self, pass: &mut Pass, of: NodeId, index: usize, y: Val) -> Result<()> {
        let adjoint = &mut pass.adjoints[of.0 as usize];
        match adjoint {
            Adjoint::Parts(parts) => parts.push((index, y)),
            _ => *adjoint = Adjoint::Parts(vec![(index, y)]),
        }
        Ok(())
    }

    /// Runs the rule on the adjoints of the results; those that have none are zero.
    pub(super) fn fire_custom(&mut self, pass: &mut Pass, applied: &Applied, parts: Vec<(usize, Val)>) -> Result<()> {
        let mut adjoints: Vec<Val> = applied.results.iter().map(|(elem, shape)| zero_of(*elem, shape)).collect();
        for (index, y) in parts {
            adjoints[index] = y;
        }
        let custom = &self.code.customs[applied.custom];
        let of_args = match (&custom.vjp, &custom.jvp) {
            (Some(rule), _) => {
                let args = [&applied.kept[..], &adjoints].concat();
                self.closed(custom, rule, &applied.free, args)?
            }
            (None, _) => self.transposed(applied, adjoints)?,
        };
        for (n, v) in applied.args.iter().zip(of_args).filter(|(n, _)| n.is_some()) {
            self.add_whole(pass, *n, v)?;
        }
        Ok(())
    }

    /// The forward rule backwards: it is linear in the tangents, so it is traced with tangents zero and reversed.
    fn transposed(&mut self, applied: &Applied, adjoints: Vec<Val>) -> Result<Vec<Val>> {
        let custom = &self.code.customs[applied.custom];
        let Some(rule) = &custom.jvp else { return Ok(Vec::new()) };
        let mut tape = Tape::new(self.fresh_tag());
        let tag = tape.tag;
        let mut inputs = Vec::with_capacity(applied.kept.len());
        let mut args = applied.kept.to_vec();
        for v in &applied.kept {
            let elem = v.elem().ok_or_else(|| bad("a scalar or an array", v))?;
            let node = tape.push(Node::new(Op::Input, elem, v.shape()))?;
            inputs.push(node);
            args.push(Val::traced(tag, node, v.zero()?));
        }
        self.tapes.push(tape);
        let traced = self.closed(custom, rule, &applied.free, args);
        let tape = self.tapes.pop().unwrap_or_else(|| Tape::new(tag));
        let outputs: Vec<NodeId> = traced?.into_iter().map(|v| v.split_traced(tag).1).collect();
        self.adjoints(&tape, &inputs, &outputs, adjoints)
    }
}
