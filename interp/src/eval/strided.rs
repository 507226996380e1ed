//! Slices, views by strides, and rotation: parts of an array whose elements stand at regular distances.

use super::code::{Flat, Frame, SliceDim};
use super::linear::Linear;
use super::val::{Val, with_elem};
use super::{Machine, Result, bad};
use futi_core::failure::{RuntimeError, slice_fits};
use futi_core::value::{Array, Elem, count};

/// A linear memory access descriptor: element [i1, …, ik] of the part is the array's element at row-major position offset + i1*s1 + … + ik*sk.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Lmad {
    pub offset: i64,
    /// Size and stride of each dimension.
    pub dims: Vec<(usize, i64)>,
}

impl Lmad {
    /// The shape of the part.
    pub fn shape(&self) -> Vec<usize> {
        self.dims.iter().map(|(n, _)| *n).collect()
    }

    /// The number of its elements.
    pub fn count(&self) -> usize {
        self.dims.iter().map(|(n, _)| *n).product()
    }

    /// The positions of its elements, in row-major order, in an array of `len` elements.
    pub fn positions(&self, len: usize) -> Result<Vec<usize>> {
        let mut at = vec![self.offset];
        for (n, stride) in &self.dims {
            let steps = |p: i64| (0..*n as i64).map(move |i| p.wrapping_add(i.wrapping_mul(*stride)));
            at = at.into_iter().flat_map(steps).collect();
        }
        let fits = |p: i64| usize::try_from(p).ok().filter(|p| *p < len);
        let position =
            |p| fits(p).ok_or_else(|| RuntimeError::internal(format!("position {p} of {len} without a check")));
        at.into_iter().map(position).collect()
    }

    /// Where it begins, if its elements stand one after the other.
    pub fn contiguous(&self) -> Option<usize> {
        if self.count() == 0 {
            return Some(0);
        }
        let mut stride = 1;
        for (n, s) in self.dims.iter().rev().filter(|(n, _)| *n != 1) {
            if *s != stride {
                return None;
            }
            stride *= *n as i64;
        }
        usize::try_from(self.offset).ok()
    }
}

impl Machine<'_> {
    /// What a slice takes of an array of this shape.
    pub(super) fn slice_of(&self, frame: &Frame, shape: &[usize], slice: &[SliceDim]) -> Result<Lmad> {
        let mut lmad = Lmad { offset: 0, dims: Vec::with_capacity(shape.len()) };
        if slice.len() > shape.len() {
            return Err(RuntimeError::internal(format!("a slice of {} dimensions of {shape:?}", slice.len())));
        }
        let mut row = count(shape);
        for (d, n) in shape.iter().enumerate() {
            // mutant off by one: of what is empty no position is read
            row = row.checked_div(*n).unwrap_or(0);
            let (start, part) = match slice.get(d) {
                Some(SliceDim::Fix(i)) => (self.int(frame, *i)?, None),
                Some(SliceDim::Range { start, count, stride }) => {
                    let (count, stride) = (self.size(frame, *count)?, self.int(frame, *stride)?);
                    (self.int(frame, *start)?, Some((count, stride)))
                }
                None => (0, Some((*n, 1))),
            };
            // mutant: of one index the stride is not read
            let (count, stride) = part.unwrap_or((1, 1));
            if !slice_fits(start, count as i64, stride, *n as i64) {
                let what = format!("{count} from {start} by {stride} of {n}");
                return Err(RuntimeError::internal(format!("a slice of {what} without a check")));
            }
            lmad.offset = lmad.offset.wrapping_add(start.wrapping_mul(row as i64));
            lmad.dims.extend(part.map(|(n, stride)| (n, stride.wrapping_mul(row as i64))));
        }
        Ok(lmad)
    }

    /// The descriptor of a flat index.
    pub(super) fn flat_of(&self, frame: &Frame, flat: &Flat) -> Result<Lmad> {
        let dims = flat.dims.iter().map(|(n, s)| Ok((self.size(frame, *n)?, self.int(frame, *s)?)));
        Ok(Lmad { offset: self.int(frame, flat.offset)?, dims: dims.collect::<Result<_>>()? })
    }

    /// The part of an array that a descriptor says; it shares the array's elements where it can.
    pub(super) fn part(&mut self, array: Val, lmad: &Lmad) -> Result<Val> {
        match lmad.contiguous() {
            Some(at) => self.slice(&array, at, &lmad.shape()),
            None => self.linear(&Linear::Gather { lmad }, vec![array]),
        }
    }

    /// The array with the part that a descriptor says replaced by the value: in place when nobody else holds the array.
    pub(super) fn put(&mut self, array: Val, lmad: &Lmad, value: Val) -> Result<Val> {
        if value.shape() != lmad.shape() {
            return Err(bad(&format!("a value of shape {:?}", lmad.shape()), &value));
        }
        match lmad.contiguous() {
            Some(at) => self.update(array, at, value),
            None => self.linear(&Linear::Put { lmad }, vec![array, value]),
        }
    }

    pub(super) fn plain_gather(&mut self, lmad: &Lmad, a: &Array) -> Result<Val> {
        let shape = lmad.shape();
        self.allocate(a.elem(), &shape)?;
        let positions = lmad.positions(a.len())?;
        let part = with_elem!(a.elem(), T => {
            let xs = a.slice::<T>().ok_or_else(mismatch)?;
            Array::from_vec(&shape, positions.iter().map(|p| xs[*p]).collect())
        });
        Ok(self.counted(part.into()))
    }

    pub(super) fn plain_put(&mut self, lmad: &Lmad, array: Val, value: &Val) -> Result<Val> {
        let (Val::Array(mut array), Val::Array(value)) = (array, value) else { return Err(mismatch()) };
        let positions = lmad.positions(array.len())?;
        let mut copied = 0;
        with_elem!(array.elem(), T => {
            let values = value.slice::<T>().ok_or_else(mismatch)?;
            let xs = array.slice_mut::<T>(&mut |n| copied += n).ok_or_else(mismatch)?;
            positions.iter().zip(values).for_each(|(p, v)| xs[*p] = *v);
        });
        self.counters.copied += copied as u64;
        // mutant comparison: an array that is counted already is counted once
        Ok(if copied > 0 { self.counted(Val::Array(array)) } else { Val::Array(array) })
    }

    pub(super) fn plain_spread(&mut self, lmad: &Lmad, shape: &[usize], part: &Val) -> Result<Val> {
        let Val::Array(part) = part else { return Err(mismatch()) };
        self.allocate(part.elem(), shape)?;
        let Val::Array(mut sum) = self.zeros(part.elem(), shape) else { return Err(mismatch()) };
        let positions = lmad.positions(sum.len())?;
        let plus = part.elem().plus();
        with_elem!(part.elem(), T => {
            let ys = part.slice::<T>().ok_or_else(mismatch)?;
            let xs = sum.slice_mut::<T>(&mut |_| {}).ok_or_else(mismatch)?;
            for (p, y) in positions.iter().zip(ys) {
                let x = self.scalar2(plus, xs[*p].scalar(), y.scalar());
                xs[*p] = Elem::from_scalar(x).ok_or_else(mismatch)?;
            }
        });
        Ok(Val::Array(sum))
    }

    pub(super) fn plain_rotate(&mut self, by: i64, a: &Array) -> Result<Val> {
        let (n, m) = (a.shape()[0], count(&a.shape()[1..]));
        self.allocate(a.elem(), a.shape())?;
        let first = by.checked_rem_euclid(n as i64).unwrap_or(0) as usize * m;
        let turned = with_elem!(a.elem(), T => {
            let xs = a.slice::<T>().ok_or_else(mismatch)?;
            Array::from_vec(a.shape(), [&xs[first..], &xs[..first]].concat())
        });
        Ok(self.counted(turned.into()))
    }
}

fn mismatch() -> RuntimeError {
    RuntimeError::internal("a part of another type or shape")
}

#[cfg(test)]
mod tests;
