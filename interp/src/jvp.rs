//! Forward mode by definition: the function is run on dual numbers. Each application has its own tag, so that applications nest.

use crate::eval::code::{Ad, Frame};
use crate::eval::linear::Linear;
use crate::eval::val::{Tag, Val};
use crate::eval::{Machine, Result, bad};
use futi_core::prim::{Prim, ScalarType};
use futi_core::value::count;

impl<'a> Machine<'a> {
    /// `jvp λ args seeds`: λ's results, then their tangents. With a seed shape λ is run once for each direction.
    pub(crate) fn jvp(&mut self, frame: &mut Frame, ad: &'a Ad) -> Result<Vec<Val>> {
        let args = self.read_all(frame, &ad.args);
        let seeds = self.read_all(frame, &ad.seeds);
        let shape = self.sizes(frame, &ad.seed_shape)?;
        if shape.is_empty() {
            let (mut results, tangents) = self.direction(frame, ad, args, seeds)?;
            results.extend(tangents);
            return Ok(results);
        }
        let mut primals = None;
        let mut tangents: Vec<Vec<Val>> = Vec::new();
        for d in 0..count(&shape) {
            let seed = self.seeds_of(&seeds, d, &args)?;
            let (results, in_direction) = self.direction(frame, ad, args.clone(), seed)?;
            tangents.resize_with(results.len(), Vec::new);
            tangents.iter_mut().zip(in_direction).for_each(|(all, t)| all.push(t));
            primals = Some(results);
        }
        let mut results = match primals {
            Some(results) => results,
            None => {
                self.bind_all(frame, &ad.lambda.params, args);
                self.run(frame, &ad.lambda.body)?
            }
        };
        tangents.resize_with(results.len(), Vec::new);
        for (r, tangents) in tangents.into_iter().enumerate() {
            let elem = results[r].elem().ok_or_else(|| bad("a scalar or an array", &results[r]))?;
            let row = results[r].shape().to_vec();
            let stacked = self.stack(&shape, tangents, (elem, &row))?;
            results.push(stacked);
        }
        Ok(results)
    }

    /// The results of λ and their tangents in one direction.
    fn direction(
        &mut self,
        frame: &mut Frame,
        ad: &'a Ad,
        args: Vec<Val>,
        seeds: Vec<Val>,
    ) -> Result<(Vec<Val>, Vec<Val>)> {
        let tag = self.fresh_tag();
        let duals: Vec<Val> = args.into_iter().zip(seeds).map(|(x, t)| Val::dual(tag, x, t)).collect();
        self.bind_all(frame, &ad.lambda.params, duals);
        let results = self.run(frame, &ad.lambda.body)?;
        let (mut primals, mut tangents) = (Vec::with_capacity(results.len()), Vec::with_capacity(results.len()));
        for v in results {
            let (primal, tangent) = v.split_dual(tag);
            tangents.push(tangent.map_or_else(|| self.zero(&primal), Ok)?);
            primals.push(primal);
        }
        Ok((primals, tangents))
    }

    /// The seeds of one of many directions, for values of these shapes.
    pub(crate) fn seeds_of(&mut self, seeds: &[Val], direction: usize, like: &[Val]) -> Result<Vec<Val>> {
        let of = seeds.iter().zip(like);
        of.map(|(seed, v)| self.slice(seed, direction * v.count(), v.shape())).collect()
    }

    /// The derivatives in many directions, of values of this type, as one value of type `seed_shape ++ type`.
    pub(crate) fn stack(
        &mut self,
        seed_shape: &[usize],
        derivatives: Vec<Val>,
        (elem, row): (ScalarType, &[usize]),
    ) -> Result<Val> {
        let packed = self.linear(&Linear::Pack { elem, row }, derivatives)?;
        let shape = [seed_shape, row].concat();
        self.linear(&Linear::Reshape { shape: &shape }, vec![packed])
    }

    /// A scalar operator on duals: ẏ = Σ ∂y/∂xᵢ ẋᵢ, by the table of partials. Operands without this tag are constants.
    pub(crate) fn prim_dual(&mut self, tag: Tag, op: Prim, args: &[&Val]) -> Result<Val> {
        let mut primals = [Val::Gone, Val::Gone, Val::Gone];
        let mut tangents = [None, None, None];
        for (i, v) in args.iter().enumerate() {
            match v {
                Val::Dual(d) if d.tag == tag => {
                    primals[i] = d.primal.clone();
                    tangents[i] = Some(&d.tangent);
                }
                v => primals[i] = (*v).clone(),
            }
        }
        let result = self.prim_of(op, &primals[..args.len()])?;
        let table = self.partials(op)?;
        let mut sum: Option<Val> = None;
        for (i, tangent) in tangents.iter().enumerate() {
            let Some(tangent) = tangent else { continue };
            let types = (table.args[i], table.result);
            let contribution = table.partials[i].contribution(self, &primals[..args.len()], &result, tangent, types)?;
            sum = match (sum, contribution) {
                (Some(a), Some(b)) => Some(self.prim(table.result.plus(), &[&a, &b])?),
                (a, b) => a.or(b),
            };
        }
        Ok(match sum {
            Some(tangent) => {
                let tangent = self.spread(tangent, result.shape())?;
                Val::dual(tag, result, tangent)
            }
            None => result,
        })
    }
}
