//! Functions applied to chunks of arrays, under the context's partition.

use super::code::{Frame, Stream, StreamForm};
use super::failures::Rounds;
use super::val::Val;
use super::{Machine, Result, bad};
use crate::ctx::Partition;
use futi_core::prim::Scalar;
use futi_core::value::count;

impl<'a> Machine<'a> {
    pub(super) fn stream(&mut self, frame: &mut Frame, s: &'a Stream) -> Result<Vec<Val>> {
        let width = self.size(frame, s.width)?;
        let arrays = self.rows_of(frame, &s.arrays, width)?;
        let init = match &s.form {
            StreamForm::Seq(init) => self.read_all(frame, init),
            StreamForm::Par(op) => self.read_all(frame, &op.neutral),
        };
        if !self.ctx.strict {
            return self.stream_by(frame, s, &arrays, init, &self.ctx.partition.chunks(width));
        }
        let apart = (isolated_all(&arrays), isolated_all(&init));
        let results = self.stream_by(frame, s, &arrays, init, &self.ctx.partition.chunks(width))?;
        let other = match self.ctx.partition {
            Partition::Random(_) => Partition::Whole,
            Partition::Whole | Partition::Chunks(_) => Partition::Random(width as u64),
        };
        let again = self.stream_by(frame, s, &apart.0, apart.1.clone(), &other.chunks(width))?;
        // mutant swap: the largest of all of them is looked for
        self.same_by_any_partition(&results, again, &[apart.0, apart.1].concat())?;
        Ok(results)
    }

    /// The results for chunks of these sizes.
    fn stream_by(
        &mut self,
        frame: &mut Frame,
        s: &'a Stream,
        arrays: &[Val],
        init: Vec<Val>,
        chunks: &[usize],
    ) -> Result<Vec<Val>> {
        let n = init.len();
        let mut state = init;
        let mut parts: Vec<Vec<Val>> = vec![Vec::with_capacity(chunks.len()); s.lambda.ret.len().saturating_sub(n)];
        let mut at = 0;
        let mut rounds = Rounds::default();
        if let Some(size) = s.lambda.params.first() {
            // mutant off by one: what is joined from no chunks has no rows, whatever is said of the size of one
            frame.set(*size, Scalar::I64(0).into());
        }
        for chunk in chunks {
            *self.counters.widths.entry(*chunk).or_default() += 1;
            let mut args = vec![Scalar::I64(*chunk as i64).into()];
            if let StreamForm::Seq(_) = s.form {
                args.append(&mut state);
            }
            for a in arrays {
                let row: usize = count(&a.shape()[1..]);
                let shape = [&[*chunk], &a.shape()[1..]].concat();
                args.push(self.slice(a, at * row, &shape)?);
            }
            at += chunk;
            self.bind_all(frame, &s.lambda.params, args);
            match &s.form {
                StreamForm::Seq(_) => {
                    state = self.run(frame, &s.lambda.body)?;
                    take_parts(&mut state, n, *chunk, &mut parts)?;
                }
                StreamForm::Par(op) => {
                    let before = state.clone();
                    let done = self.run(frame, &s.lambda.body).and_then(|mut results| {
                        take_parts(&mut results, n, *chunk, &mut parts)?;
                        state.append(&mut results);
                        state = self.operate(frame, op, std::mem::take(&mut state))?;
                        Ok(())
                    });
                    if done.is_err() {
                        state = before;
                    }
                    self.survive(&mut rounds, done)?;
                }
            }
        }
        rounds.end()?;
        for (ty, parts) in s.lambda.ret[n..].iter().zip(parts) {
            state.push(self.join(frame, ty, parts)?);
        }
        Ok(state)
    }
}

/// Moves the arrays among λ's results, those after the first n, to the parts.
fn take_parts(results: &mut Vec<Val>, n: usize, chunk: usize, parts: &mut [Vec<Val>]) -> Result<()> {
    for (v, parts) in results.drain(n..).zip(parts) {
        if v.shape().first() != Some(&chunk) {
            return Err(bad(&format!("an array of {chunk} rows"), &v));
        }
        parts.push(v);
    }
    Ok(())
}

fn isolated_all(vals: &[Val]) -> Vec<Val> {
    vals.iter().cloned().map(super::strict::isolated).collect()
}

#[cfg(test)]
mod tests;
