//! A map whose rows have sizes of their own.

use super::code::{FlatMap, Frame};
use super::linear::{Linear, zero_of};
use super::soac::Sink;
use super::val::Val;
use super::{Machine, Result, bad};
use futi_core::failure::RuntimeError;
use futi_core::prim::Scalar;
use futi_core::value::Array;

impl<'a> Machine<'a> {
    pub(super) fn flatmap(&mut self, frame: &mut Frame, f: &'a FlatMap) -> Result<Vec<Val>> {
        let width = self.size(frame, f.width)?;
        let arrays = self.rows_of(frame, &f.arrays, width)?;
        frame.set(f.size, Scalar::I64(0).into());
        let others = f.lambda.ret.get(1 + f.irregular..).unwrap_or_default();
        let mut sinks = others.iter().map(|ty| self.sink(frame, ty, width)).collect::<Result<Vec<Sink>>>()?;
        let mut parts: Vec<Vec<Val>> = vec![Vec::with_capacity(width); f.irregular];
        let mut sizes = Vec::with_capacity(width);
        let mut rounds = self.rounds();
        for i in 0..width {
            let done = self.flatmap_row(frame, f, &arrays, i, (&mut sizes, &mut parts, &mut sinks));
            self.survive(&mut rounds, done)?;
        }
        rounds.end()?;

        let too_many = || RuntimeError::internal("more elements than can be counted");
        let mut offsets = Vec::with_capacity(width);
        let mut total = 0usize;
        for k in &sizes {
            offsets.push(total as i64);
            total = total.checked_add(*k).ok_or_else(too_many)?;
        }
        self.allocate(futi_core::prim::ScalarType::Bool, &[total])?;
        let mut flags = vec![false; total];
        offsets.iter().zip(&sizes).filter(|(_, k)| **k > 0).for_each(|(at, _)| flags[*at as usize] = true);
        let sizes: Vec<i64> = sizes.into_iter().map(|k| k as i64).collect();
        let mut out = vec![
            Scalar::I64(total as i64).into(),
            Array::from_vec(&[width], sizes).into(),
            Array::from_vec(&[total], flags).into(),
            Array::from_vec(&[width], offsets).into(),
        ];
        for (ty, parts) in f.lambda.ret[1..].iter().zip(parts) {
            out.push(self.join(frame, ty, parts)?);
        }
        for sink in sinks {
            out.push(self.finish(sink, &[width])?);
        }
        Ok(out)
    }

    fn flatmap_row(
        &mut self,
        frame: &mut Frame,
        f: &'a FlatMap,
        arrays: &[Val],
        i: usize,
        (sizes, parts, sinks): (&mut Vec<usize>, &mut [Vec<Val>], &mut [Sink]),
    ) -> Result<()> {
        self.map_row(frame, &f.lambda, arrays, i)?;
        let mut results = self.read_all(frame, &f.lambda.body.result).into_iter();
        let size = results.next().unwrap_or_default().int()?;
        let size = usize::try_from(size).map_err(|_| RuntimeError::internal(format!("a row of {size} elements")))?;
        for (part, v) in parts.iter_mut().zip(results.by_ref()) {
            if v.shape().first() != Some(&size) {
                return Err(bad(&format!("an array of {size} rows"), &v));
            }
            part.push(v);
        }
        sizes.push(size);
        sinks.iter_mut().zip(results).try_for_each(|(sink, v)| sink.push(v))
    }

    /// Arrays one after the other; the type says what a row is, should there be none.
    pub(super) fn join(&mut self, frame: &Frame, ty: &super::code::Ty, parts: Vec<Val>) -> Result<Val> {
        if !parts.is_empty() {
            return self.linear(&Linear::Concat, parts);
        }
        match self.value_type(frame, ty)? {
            Some((elem, shape)) if !shape.is_empty() => Ok(zero_of(elem, &[&[0], &shape[1..]].concat())),
            _ => Err(RuntimeError::internal("a part that is no array")),
        }
    }
}
