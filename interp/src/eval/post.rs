//! The function after the scans of a `screma`: a map over what they and the map have given.

use super::code::{Frame, Lambda};
use super::val::Val;
use super::{Machine, Result};

impl<'a> Machine<'a> {
    /// From the results without `post`, the scans' arrays, the reduces' values, the mapped arrays, those with it.
    pub(super) fn post(
        &mut self,
        frame: &mut Frame,
        post: &'a Lambda,
        width: usize,
        mut results: Vec<Val>,
        reduces: std::ops::Range<usize>,
    ) -> Result<Vec<Val>> {
        let mut out: Vec<Val> = results.drain(reduces).collect();
        let mut sinks = Vec::with_capacity(post.ret.len());
        for ty in &post.ret {
            sinks.push(self.sink(frame, ty, width)?);
        }
        let mut rounds = self.rounds();
        for i in 0..width {
            let done = self.map_row(frame, post, &results, i).and_then(|()| {
                let pushed = sinks.iter_mut().zip(&post.body.result);
                pushed.into_iter().try_for_each(|(sink, e)| sink.push(frame.read(*e)))
            });
            self.survive(&mut rounds, done)?;
        }
        rounds.end()?;
        for sink in sinks {
            out.push(self.finish(sink, &[width])?);
        }
        Ok(out)
    }
}
