//! Reverse mode by definition: the function is run once on traced values, and the trace walked backwards.
//!
//! After T. van Hus, *Maintaining parallelism in reverse-mode AD on functional parallel array languages*, with the holes of its presentation closed:
//! uses that reach no result are not counted, an argument without uses has adjoint zero, and neither reductions nor scans need associativity, since
//! their steps are traced as they are taken.

mod custom;
mod reverse;
mod strided;
#[cfg(test)]
mod tests;
pub(crate) mod trace;

use crate::eval::code::{Ad, Frame};
use crate::eval::val::{NodeId, Val};
use crate::eval::{Machine, Result, bad};
use trace::{Node, Op, Tape};

impl<'a> Machine<'a> {
    /// `vjp λ args seeds`: λ's results, then the adjoints of the arguments. With a seed shape the trace is walked once for each direction.
    pub(crate) fn vjp(&mut self, frame: &mut Frame, ad: &'a Ad) -> Result<Vec<Val>> {
        let args = self.read_all(frame, &ad.args);
        let seeds = self.read_all(frame, &ad.seeds);
        let shape = self.sizes(frame, &ad.seed_shape)?;

        let mut tape = Tape::new(self.fresh_tag());
        let tag = tape.tag;
        let mut inputs = Vec::with_capacity(args.len());
        let mut params = Vec::with_capacity(args.len());
        for v in args {
            let elem = v.elem().ok_or_else(|| bad("a scalar or an array", &v))?;
            let node = tape.push(Node::new(Op::Input, elem, v.shape()))?;
            inputs.push(node);
            params.push(Val::traced(tag, node, v));
        }
        self.tapes.push(tape);
        self.bind_all(frame, &ad.lambda.params, params);
        let traced = self.run(frame, &ad.lambda.body);
        // Taken away before the reverse pass, whose own operations belong to outer traces.
        let tape = self.tapes.pop().unwrap_or_else(|| Tape::new(tag));
        let (mut results, outputs): (Vec<Val>, Vec<NodeId>) = traced?.into_iter().map(|v| v.split_traced(tag)).unzip();

        if shape.is_empty() {
            let adjoints = self.adjoints(&tape, &inputs, &outputs, seeds)?;
            results.extend(adjoints);
            return Ok(results);
        }
        let mut adjoints: Vec<Vec<Val>> = inputs.iter().map(|_| Vec::new()).collect();
        for d in 0..shape.iter().product() {
            let seed = self.seeds_of(&seeds, d, &results)?;
            let in_direction = self.adjoints(&tape, &inputs, &outputs, seed)?;
            adjoints.iter_mut().zip(in_direction).for_each(|(all, v)| all.push(v));
        }
        for (n, adjoints) in inputs.iter().zip(adjoints) {
            let node = &tape.nodes[n.0 as usize];
            let stacked = self.stack(&shape, adjoints, (node.elem, node.shape()))?;
            results.push(stacked);
        }
        Ok(results)
    }

    /// The adjoints of the inputs; zero for one that no result depends on.
    fn adjoints(&mut self, tape: &Tape, inputs: &[NodeId], outputs: &[NodeId], seeds: Vec<Val>) -> Result<Vec<Val>> {
        let seeds = outputs.iter().copied().zip(seeds).filter(|(n, _)| n.is_some()).collect();
        let found = self.reverse(tape, inputs, seeds)?;
        let zero = |n: &NodeId| {
            let node = &tape.nodes[n.0 as usize];
            crate::eval::linear::zero_of(node.elem, node.shape())
        };
        Ok(inputs.iter().zip(found).map(|(n, v)| v.unwrap_or_else(|| zero(n))).collect())
    }
}
