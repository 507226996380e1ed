//! Loops on scalars by kernels.

use super::compile::LoopKernel;
use super::run::Budget;
use super::words::{scalar, word};
use crate::eval::code::{Form, Frame, Loop};
use crate::eval::val::Val;
use crate::eval::{Machine, Result};
use std::ops::Range;

/// How many trips are made at a time.
const CHUNK: i64 = 4096;

impl<'a> Machine<'a> {
    /// As many trips of a loop as a kernel can do. `next` are the parameters, `trips` those of a `for` that are left. See Note [What a kernel leaves
    /// undone] in `nest.rs`.
    pub(crate) fn loop_kernel(
        &mut self,
        frame: &Frame,
        l: &'a Loop,
        next: &mut [Val],
        trips: &mut Range<i64>,
    ) -> Result<()> {
        let Some(LoopKernel { kernel, index, bound }) = l.kernel.as_deref().filter(|_| self.kernels_apply()) else {
            return Ok(());
        };
        let is_for = matches!(l.form, Form::For { .. });
        // mutant dropped term: a loop without trips gives what it begins with, by a kernel, too
        if is_for && trips.is_empty() || !next.iter().all(|v| matches!(v, Val::Scalar(_))) {
            return Ok(());
        }
        let Some(views) = kernel.views(frame, &[]) else { return Ok(()) };
        let ctx = self.ctx;
        let cancelled = &|| ctx.call.cancelled();
        self.with_scratch(|m, scratch| {
            let r = &mut scratch.registers;
            if kernel.enter(frame, r).is_none() {
                return Ok(());
            }
            for (reg, v) in kernel.results.iter().zip(&*next) {
                if let Val::Scalar(x) = v {
                    r[*reg as usize] = word(*x);
                }
            }
            // mutant: the trips of a `while` are told by differences of its counter, wherever that begins
            let (mut lo, end) = if is_for { (trips.start, trips.end) } else { (0, i64::MAX) };
            let outcome = loop {
                if lo >= end {
                    break Ok(());
                }
                let hi = end.min(lo.saturating_add(CHUNK));
                scratch.state.clear();
                scratch.state.extend(kernel.results.iter().map(|reg| r[*reg as usize]));
                scratch.counts.clear();
                scratch.counts.resize(kernel.blocks.len(), 0);
                (r[*index as usize], r[*bound as usize]) = (lo as u64, hi as u64);
                let budget = &mut Budget::new(m.trips_left(), cancelled);
                let fine = kernel.run(r, &views, &mut scratch.counts, budget);
                let reached = r[*index as usize] as i64;
                scratch.counts[0] += (reached - lo) as u64;
                if !fine || !m.commit(kernel.blocks.iter(), &scratch.counts, [kernel].into_iter()) {
                    kernel.results.iter().zip(&scratch.state).for_each(|(reg, w)| r[*reg as usize] = *w);
                    break Ok(());
                }
                lo = reached;
                // Here a `while` has ended; the last body executed was the time to look at the limits.
                if lo < hi {
                    break Ok(());
                }
                if let Err(e) = m.tick() {
                    break Err(e);
                }
            };
            if is_for {
                trips.start = lo;
            }
            for (reg, v) in kernel.results.iter().zip(next) {
                if let Val::Scalar(x) = v {
                    *v = scalar(x.scalar_type(), r[*reg as usize]).into();
                }
            }
            outcome
        })
    }
}
