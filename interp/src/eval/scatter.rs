//! Writes to computed positions.

use super::code::{Frame, Opd, Scatter};
use super::failures::Rounds;
use super::linear::position;
use super::val::Val;
use super::{Machine, Result, bad};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::hash::HashMap;

/// A destination while it is written to.
pub(super) struct Dest {
    /// The dimensions that an index has.
    shape: Vec<usize>,
    array: Val,
    /// Strict mode: what has been written where.
    written: HashMap<Vec<usize>, Val>,
}

impl<'a> Machine<'a> {
    pub(super) fn scatter(&mut self, frame: &mut Frame, s: &'a Scatter) -> Result<Vec<Val>> {
        let width = self.size(frame, s.width)?;
        let arrays = self.rows_of(frame, &s.arrays, width)?;
        let mut dests = self.written(frame, &s.dests)?;
        let mut rounds = Rounds::default();
        for i in 0..width {
            let done = self.map_row(frame, &s.map, &arrays, i);
            let done = done.and_then(|()| self.write_row(frame, &s.map.body.result, &mut dests));
            self.survive(&mut rounds, done)?;
        }
        rounds.end()?;
        Ok(dests.into_iter().map(|d| d.array).collect())
    }

    /// The destinations of writes, which are consumed.
    pub(super) fn written(&mut self, frame: &mut Frame, dests: &[(Vec<Opd>, Opd)]) -> Result<Vec<Dest>> {
        let mut all = Vec::with_capacity(dests.len());
        for (shape, array) in dests {
            let (shape, array) = (self.sizes(frame, shape)?, frame.read(*array));
            self.consume(frame, &array);
            if !array.shape().starts_with(&shape) {
                return Err(bad(&format!("an array indexed by {shape:?}"), &array));
            }
            all.push(Dest { shape, array, written: HashMap::default() });
        }
        Ok(all)
    }

    /// Writes what a point gives: the indices of each destination in turn, then the values.
    pub(super) fn write_row(&mut self, frame: &mut Frame, results: &[Opd], dests: &mut [Dest]) -> Result<()> {
        let ranks = dests.iter().map(|d| d.shape.len()).sum();
        let (mut indices, values) = results.split_at(ranks);
        for (dest, value) in dests.iter_mut().zip(values) {
            let at;
            (at, indices) = indices.split_at(dest.shape.len());
            let value = frame.read(*value);
            let Some(index) = self.index_within(frame, at, &dest.shape)? else { continue };
            let at = position(dest.array.shape(), &index)?;
            if self.ctx.strict {
                dest.write(&index, &value)?;
            }
            dest.array = self.update(std::mem::take(&mut dest.array), at, value)?;
        }
        Ok(())
    }
}

impl Dest {
    pub(super) fn into_array(self) -> Val {
        self.array
    }

    /// Strict mode: fails when the position was written before with another value. (Of equal ones the last has the derivative.)
    fn write(&mut self, index: &[usize], value: &Val) -> Result<()> {
        let Some(old) = self.written.insert(index.to_vec(), value.clone()) else { return Ok(()) };
        let differ = match (old.plain(), value.plain()) {
            (Val::Scalar(x), Val::Scalar(y)) => x != y,
            (Val::Array(x), Val::Array(y)) => x != y,
            _ => false,
        };
        if !differ {
            return Ok(());
        }
        let index: Vec<String> = index.iter().map(usize::to_string).collect();
        let message = format!("A scatter writes position [{}] twice, with different values.", index.join(", "));
        Err(RuntimeError::new(FailureKind::Strict, message))
    }
}

#[cfg(test)]
mod tests;
