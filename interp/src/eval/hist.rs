//! Histograms, and what they share with accumulators: an operator applied in place at an index.

use super::code::{Frame, Hist, HistOp, Opd, Operator};
use super::failures::Rounds;
use super::linear::{Linear, position};
use super::val::Val;
use super::{Machine, Result, bad};

/// A destination while its histogram is being made.
struct Dest<'a> {
    /// The dimensions that an index has.
    shape: Vec<usize>,
    arrays: Vec<Val>,
    op: &'a Operator,
}

impl<'a> Machine<'a> {
    pub(super) fn hist(&mut self, frame: &mut Frame, h: &'a Hist) -> Result<Vec<Val>> {
        let width = self.size(frame, h.width)?;
        let arrays = self.rows_of(frame, &h.arrays, width)?;
        let mut dests = self.destinations(frame, &h.ops)?;
        let mut rounds = Rounds::default();
        for i in 0..width {
            let done = self
                .map_row(frame, &h.map, &arrays, i)
                .and_then(|()| self.count_into(frame, &mut dests, &h.map.body.result));
            self.survive(&mut rounds, done)?;
        }
        rounds.end()?;
        Ok(dests.into_iter().flat_map(|d| d.arrays).collect())
    }

    /// The destinations of histograms, which consume them.
    fn destinations(&mut self, frame: &mut Frame, ops: &'a [HistOp]) -> Result<Vec<Dest<'a>>> {
        let mut dests = Vec::with_capacity(ops.len());
        for HistOp { shape, dests: arrays, op } in ops {
            let shape = self.sizes(frame, shape)?;
            let arrays = self.read_all(frame, arrays);
            for a in &arrays {
                self.consume(frame, a);
                if !a.shape().starts_with(&shape) {
                    return Err(bad(&format!("an array indexed by {shape:?}"), a));
                }
            }
            dests.push(Dest { shape, arrays, op });
        }
        Ok(dests)
    }

    /// One step: of the operands, which are the indices of all destinations, then their values.
    fn count_into(&mut self, frame: &mut Frame, dests: &mut [Dest<'a>], operands: &[Opd]) -> Result<()> {
        let ranks = dests.iter().map(|d| d.shape.len()).sum();
        let (mut indices, mut values) = operands.split_at(ranks);
        for dest in dests {
            let (at, v);
            (at, indices) = indices.split_at(dest.shape.len());
            (v, values) = values.split_at(dest.arrays.len());
            let v = self.read_all(frame, v);
            if let Some(at) = self.index_within(frame, at, &dest.shape)? {
                self.combine(frame, dest.op, &mut dest.arrays, &at, v)?;
            }
        }
        Ok(())
    }

    /// An index that need not be in range; `None` when it is not.
    pub(super) fn index_within(&self, frame: &Frame, index: &[Opd], shape: &[usize]) -> Result<Option<Vec<usize>>> {
        let index = index.iter().map(|e| self.int(frame, *e)).collect::<Result<Vec<i64>>>()?;
        let within = |(i, n): (&i64, &usize)| usize::try_from(*i).ok().filter(|i| i < n);
        Ok(index.iter().zip(shape).map(within).collect())
    }

    /// `arrays[index] := arrays[index] ⊙ values`, in place where nobody else holds the arrays. They stay as they are when the operator fails.
    pub(super) fn combine(
        &mut self,
        frame: &mut Frame,
        op: &'a Operator,
        arrays: &mut [Val],
        index: &[usize],
        values: Vec<Val>,
    ) -> Result<()> {
        if self.ctx.strict {
            self.neutral_at(frame, op, &values)?;
        }
        let mut operands = Vec::with_capacity(2 * values.len());
        for a in arrays.iter() {
            let old = self.index(a, index)?;
            let old = self.defined(old)?;
            // A row of its own, so that the array is still updated in place.
            operands.push(if old.shape().is_empty() { old } else { self.linear(&Linear::Copy, vec![old])? });
        }
        operands.extend(values);
        let new = match (op.prim, &operands[..]) {
            (Some(prim), [Val::Scalar(x), Val::Scalar(y)]) => vec![self.scalar2(prim, *x, *y).into()],
            _ => self.operate(frame, op, operands)?,
        };
        for (a, v) in arrays.iter_mut().zip(new) {
            let at = position(a.shape(), index)?;
            *a = self.update(std::mem::take(a), at, v)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
