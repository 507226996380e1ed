//! Reverse mode by definition: the function is run once on traced values, and the trace walked backwards.
//!
//! After T. van Hus, *Maintaining parallelism in reverse-mode AD on functional parallel array languages*, with the holes of its presentation closed:
//! uses that reach no result are not counted, an argument without uses has adjoint zero, and neither reductions nor scans need associativity, since
//! their steps are traced as they are taken.
//!
//! `keep` is the choice of what a trace consists of, `trace` the trace, `reverse` the way back (`strided`, `custom`), `threads` several ways back at once, `program` a trace as
//! a program of its own.

#[cfg(test)]
mod checklist_tests;
mod custom;
mod keep;
mod program;
mod reverse;
mod strided;
#[cfg(test)]
mod tests;
#[cfg(feature = "threads")]
mod threads;
pub(crate) mod trace;

pub use keep::Keep;
pub use program::{Trace, trace};

use crate::eval::code::{Ad, Frame};
use crate::eval::val::{CONSTANT, NodeId, Nodes, Tag, Val};
use crate::eval::{Machine, Result, bad};
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::{Array, count};
use trace::{Node, Op, Tape};

/// An argument: its type, and its nodes.
struct Input {
    elem: ScalarType,
    shape: Vec<usize>,
    nodes: Vec<NodeId>,
}

impl<'a> Machine<'a> {
    /// `vjp λ args seeds`: λ's results, then the adjoints of the arguments. With a seed shape the trace is walked once for each direction.
    pub(crate) fn vjp(&mut self, frame: &mut Frame, ad: &'a Ad) -> Result<Vec<Val>> {
        let args = self.read_all(frame, &ad.args);
        let seeds = self.read_all(frame, &ad.seeds);
        let shape = self.sizes(frame, &ad.seed_shape)?;

        let tag = self.fresh_tag();
        self.tapes.push(Tape::new(tag, &self.meter));
        let mut inputs = Vec::with_capacity(args.len());
        let mut params = Vec::with_capacity(args.len());
        for v in args {
            let (input, param) = self.input(tag, v)?;
            inputs.push(input);
            params.push(param);
        }
        self.bind_all(frame, &ad.lambda.params, params);
        let traced = self.run(frame, &ad.lambda.body);
        // Taken away before the reverse pass, whose own operations belong to outer traces.
        let tape = self.tapes.pop().unwrap_or_else(|| Tape::new(tag, &self.meter));
        let (mut results, outputs): (Vec<Val>, Vec<Option<Nodes>>) =
            traced?.into_iter().map(|v| v.split_nodes(tag)).unzip();

        if shape.is_empty() {
            let adjoints = self.adjoints(&tape, &inputs, &outputs, seeds)?;
            results.extend(adjoints);
            return Ok(results);
        }
        let mut adjoints: Vec<Vec<Val>> = inputs.iter().map(|_| Vec::new()).collect();
        for d in 0..count(&shape) {
            let seed = self.seeds_of(&seeds, d, &results)?;
            let in_direction = self.adjoints(&tape, &inputs, &outputs, seed)?;
            adjoints.iter_mut().zip(in_direction).for_each(|(all, v)| all.push(v));
        }
        for (input, adjoints) in inputs.iter().zip(adjoints) {
            let stacked = self.stack(&shape, adjoints, (input.elem, &input.shape))?;
            results.push(stacked);
        }
        Ok(results)
    }

    /// Makes an argument an input of the trace: one node, or in a trace without arrays one for each element.
    fn input(&mut self, tag: Tag, v: Val) -> Result<(Input, Val)> {
        let elem = v.elem().ok_or_else(|| bad("a scalar or an array", &v))?;
        let shape = v.shape().to_vec();
        if self.ctx.keep.arrays || shape.is_empty() {
            let node = self.tape(tag)?.push(Node::new(Op::Input, elem, &shape))?;
            return Ok((Input { elem, shape, nodes: vec![node] }, Val::traced(tag, node, v)));
        }
        let tape = self.tape(tag)?;
        let nodes: Vec<NodeId> =
            (0..v.count()).map(|_| tape.push(Node::new(Op::Input, elem, &[]))).collect::<Result<_>>()?;
        let ids = Array::from_vec(&shape, nodes.iter().map(|n| n.0 as i64).collect());
        let ids = self.counted(ids.into());
        Ok((Input { elem, shape, nodes }, Val::traced_each(tag, ids, v)))
    }

    /// The adjoints of the inputs; zero for one that no result depends on.
    fn adjoints(
        &mut self,
        tape: &Tape,
        inputs: &[Input],
        outputs: &[Option<Nodes>],
        seeds: Vec<Val>,
    ) -> Result<Vec<Val>> {
        let mut of_nodes = Vec::with_capacity(seeds.len());
        for (nodes, seed) in outputs.iter().zip(seeds) {
            match nodes {
                None => {}
                Some(Nodes::One(node)) => of_nodes.push((*node, seed)),
                Some(Nodes::Each(ids)) => {
                    for i in 0..ids.len() {
                        if let Scalar::I64(id) = ids.get(i)
                            && id != CONSTANT
                        {
                            of_nodes.push((NodeId(id as u32), self.slice(&seed, i, &[])?));
                        }
                    }
                }
            }
        }
        let nodes: Vec<NodeId> = inputs.iter().flat_map(|i| i.nodes.iter().copied()).collect();
        let mut found = self.reverse(tape, &nodes, of_nodes)?.into_iter();
        let mut adjoints = Vec::with_capacity(inputs.len());
        for input in inputs {
            let whole = self.ctx.keep.arrays || input.shape.is_empty();
            let shape = if whole { &input.shape[..] } else { &[] };
            let mut parts =
                found.by_ref().take(input.nodes.len()).map(|v| v.unwrap_or_else(|| self.zeros(input.elem, shape)));
            adjoints.push(match parts.next() {
                Some(one) if whole => one,
                first => {
                    let parts = first.into_iter().chain(parts).collect();
                    self.packed(parts, input.elem, &input.shape)?
                }
            });
        }
        Ok(adjoints)
    }
}
