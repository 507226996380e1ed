//! The reverse pass through functions with rules of their own.
//!
//! Such a function is one node of the trace, with one more for each result (in a trace without arrays, for each element of one). A result's node hands its
//! adjoint to the function's, as a part; when all that reach an output have done so, the function's node runs the rule.

use super::reverse::{Adjoint, Pass, Store};
use super::trace::Tape;
use crate::eval::custom::{Applied, refusal};
use crate::eval::val::{NodeId, Nodes, Val};
use crate::eval::{Machine, Result};

impl<'a> Machine<'a> {
    /// The adjoint of a result goes to its function's node.
    pub(super) fn hand_result(&mut self, pass: &Pass<impl Store>, of: NodeId, part: usize, y: Val) -> Result<()> {
        pass.store.change(of, |adjoint| match adjoint {
            Adjoint::Parts(parts) => parts.push((part, y)),
            _ => *adjoint = Adjoint::Parts(vec![(part, y)]),
        });
        Ok(())
    }

    /// Runs the rule on the adjoints of the results; those that have none are zero.
    pub(super) fn fire_custom(
        &mut self,
        pass: &Pass<impl Store>,
        applied: &Applied,
        parts: Vec<(usize, Val)>,
    ) -> Result<()> {
        if applied.refused {
            return Err(refusal());
        }
        let mut adjoints: Vec<Val> = applied.results.iter().map(|(elem, shape)| self.zeros(*elem, shape)).collect();
        for (part, y) in parts {
            let (index, at) = applied.result(part);
            let adjoint = &mut adjoints[index];
            *adjoint = if y.shape() == adjoint.shape() { y } else { self.update(std::mem::take(adjoint), at, y)? };
        }
        let custom = &self.code.customs[applied.custom];
        let of_args = match (&custom.vjp, &custom.jvp) {
            (Some(rule), _) => {
                let args = [&applied.kept[..], &adjoints].concat();
                self.closed(custom, rule, &applied.free, args)?
            }
            (None, _) => self.transposed(applied, adjoints)?,
        };
        for (nodes, v) in applied.args.iter().zip(of_args) {
            match nodes {
                None => {}
                Some(Nodes::One(n)) => self.add_whole(pass, *n, v)?,
                Some(Nodes::Each(ids)) => {
                    for (i, n) in Applied::each(ids) {
                        let element = self.slice(&v, i, &[])?;
                        self.add_whole(pass, n, element)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The forward rule backwards: it is linear in the tangents, so it is traced with tangents zero and reversed.
    fn transposed(&mut self, applied: &Applied, adjoints: Vec<Val>) -> Result<Vec<Val>> {
        let custom = &self.code.customs[applied.custom];
        let Some(rule) = &custom.jvp else { return Ok(Vec::new()) };
        let tag = self.fresh_tag();
        self.tapes.push(Tape::new(tag, &self.meter));
        let mut inputs = Vec::with_capacity(applied.kept.len());
        let mut args = applied.kept.to_vec();
        for v in &applied.kept {
            let (input, tangent) = self.input(tag, self.zero(v)?)?;
            inputs.push(input);
            args.push(tangent);
        }
        let traced = self.closed(custom, rule, &applied.free, args);
        let tape = self.tapes.pop().unwrap_or_else(|| Tape::new(tag, &self.meter));
        let outputs: Vec<Option<Nodes>> = traced?.into_iter().map(|v| v.split_nodes(tag).1).collect();
        self.adjoints(&tape, &inputs, &outputs, adjoints)
    }
}
