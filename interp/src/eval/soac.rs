//! The parallel nodes, one element after the other: the order of evaluation that defines them. Operators run on whatever the elements are, plain,
//! dual or traced: none of these nodes has a derivative rule.

use super::code::{AccInput, Frame, Lambda, Opd, Operator, Screma, SegOp, Slot, Ty, WithAcc};
use super::failures::Rounds;
use super::linear::Linear;
use super::rows::Rows;
use super::scatter::Dest;
use super::val::Val;
use super::{Machine, Result, bad};
use futi_core::failure::RuntimeError;

/// The arrays of an accumulator, while its `withacc` is active.
pub(super) struct Accs<'a> {
    shape: Vec<usize>,
    arrays: Vec<Val>,
    op: &'a Operator,
    /// The call that its operator's variables belong to.
    depth: usize,
}

/// A result of a nest under construction.
pub(super) enum Sink {
    Rows(Rows),
    /// An accumulator: it is the same before and after.
    Acc(Val),
}

impl<'a> Machine<'a> {
    pub(super) fn screma(&mut self, frame: &mut Frame, s: &'a Screma) -> Result<Vec<Val>> {
        let width = self.size(frame, s.width)?;
        let arrays = self.rows_of(frame, &s.arrays, width)?;
        let batched = if self.ctx.all_failures { None } else { self.batched(frame, s, &arrays, width)? };
        if let Some(rows) = batched {
            let results = self.folds(frame, s, rows)?;
            return self.after_scans(frame, s, width, results);
        }
        let mut scans = self.neutrals(frame, &s.scans);
        let mut reduces = self.neutrals(frame, &s.reduces);
        let scanned: usize = scans.iter().map(Vec::len).sum();
        let reduced: usize = reduces.iter().map(Vec::len).sum();
        let mut sinks = Vec::with_capacity(s.map.ret.len());
        for (i, ty) in s.map.ret.iter().enumerate() {
            if !(scanned..scanned + reduced).contains(&i) {
                sinks.push(self.sink(frame, ty, width)?);
            }
        }
        // Rows without elements are all the same, and so are the results of a function of them: one stands for all, where the results have no elements either,
        // and there may be any number of them.
        let empty = |sink: &Sink| matches!(sink, Sink::Rows(rows) if rows.without_elements());
        let alike = s.scans.is_empty()
            && s.reduces.is_empty()
            && !(self.code.shows && (self.ctx.show.is_some() || self.ctx.stop.is_some()))
            && sinks.iter().all(empty)
            && arrays.iter().all(|a| a.shape().len() > 1 && a.shape()[1..].contains(&0));
        let (done, last) = match alike {
            true => (0, width.min(1)),
            false => (self.screma_kernel(frame, s, width, &arrays, [&mut scans, &mut reduces], &mut sinks)?, width),
        };
        let mut rounds = Rounds::default();
        for i in done..last {
            let before = self.ctx.all_failures.then(|| (scans.clone(), reduces.clone()));
            let done = self
                .map_row(frame, &s.map, &arrays, i)
                .and_then(|()| self.screma_row(frame, s, &mut scans, &mut reduces, &mut sinks));
            if let (Err(_), Some(before)) = (&done, before) {
                (scans, reduces) = before;
            }
            self.survive(&mut rounds, done)?;
        }
        rounds.end()?;
        let mut sinks = sinks.into_iter();
        let mut out = Vec::with_capacity(s.map.ret.len());
        for sink in sinks.by_ref().take(scanned) {
            out.push(self.finish(sink, &[width])?);
        }
        out.extend(reduces.into_iter().flatten());
        for sink in sinks {
            out.push(self.finish(sink, &[width])?);
        }
        self.after_scans(frame, s, width, out)
    }

    /// One row's results: steps of scans and reductions, and rows.
    fn screma_row(
        &mut self,
        frame: &mut Frame,
        s: &'a Screma,
        scans: &mut [Vec<Val>],
        reduces: &mut [Vec<Val>],
        sinks: &mut [Sink],
    ) -> Result<()> {
        let results = &s.map.body.result;
        let mut next = 0;
        for (op, state) in s.scans.iter().zip(scans) {
            self.step(frame, op, state, &results[next..])?;
            for (v, sink) in state.iter().zip(&mut sinks[next..]) {
                sink.push(v.clone())?;
            }
            next += state.len();
        }
        let scanned = next;
        for (op, state) in s.reduces.iter().zip(reduces) {
            self.step(frame, op, state, &results[next..])?;
            next += state.len();
        }
        for (e, sink) in results[next..].iter().zip(&mut sinks[scanned..]) {
            sink.push(frame.read(*e))?;
        }
        Ok(())
    }

    /// Arrays (and accumulators) that are mapped over.
    pub(super) fn rows_of(&mut self, frame: &mut Frame, arrays: &[Opd], width: usize) -> Result<Vec<Val>> {
        let arrays = self.read_all(frame, arrays);
        for a in &arrays {
            if !matches!(a, Val::Acc(_)) && a.shape().first() != Some(&width) {
                return Err(bad(&format!("an array of {width} rows"), a));
            }
        }
        *self.counters.widths.entry(width).or_default() += 1;
        Ok(arrays)
    }

    /// Applies a function to the i-th rows; its results are then to be read.
    pub(super) fn map_row(&mut self, frame: &mut Frame, map: &'a Lambda, arrays: &[Val], i: usize) -> Result<()> {
        for (k, (p, a)) in map.params.iter().zip(arrays).enumerate() {
            if *p != Slot::NONE {
                let mut row = if let Val::Acc(_) = a { a.clone() } else { self.index(a, &[i])? };
                if map.own.get(k) == Some(&true) {
                    row = self.linear(&Linear::Copy, vec![row])?;
                }
                frame.set(*p, self.defined(row)?);
            }
        }
        self.body(frame, &map.body)
    }

    pub(super) fn seg_op(&mut self, frame: &mut Frame, seg: &'a SegOp) -> Result<Vec<Val>> {
        let mut dims: Vec<usize> = Vec::with_capacity(seg.space.len());
        for (_, d) in &seg.space {
            dims.push(self.size_of_points(frame, *d, dims.contains(&0))?);
        }
        let points = dims.iter().try_fold(1usize, |n, d| n.checked_mul(*d));
        let points = points.ok_or_else(|| RuntimeError::internal("more points than can be counted"))?;
        *self.counters.widths.entry(points).or_default() += 1;
        let count = |ops: &[Operator]| ops.iter().map(|op| op.neutral.len()).sum::<usize>();
        let (scanned, reduced) = (count(&seg.scans), count(&seg.reduces));
        let written: usize = seg.dests.iter().map(|(shape, _)| shape.len() + 1).sum();
        let outer = &dims[..dims.len().saturating_sub(1)];
        // mutant off by one: a parallel nest has a dimension
        let inner = dims.last().copied().unwrap_or(1);
        let segments: usize = futi_core::value::count(outer);
        let is_reduced = |i: usize| (scanned..scanned + reduced).contains(&i);
        let mut dests = self.written(frame, &seg.dests)?;
        // Of what is written to other places nothing is kept.
        let kept = seg.ret.iter().take(scanned + reduced).chain(seg.ret.iter().skip(scanned + reduced + written));
        let mut sinks = Vec::with_capacity(seg.ret.len());
        for (i, ty) in kept.enumerate() {
            let count = if is_reduced(i) { segments } else { points };
            sinks.push(match ty {
                Ty::Value(elem, shape) => {
                    let row: Vec<usize> =
                        shape.iter().map(|d| self.size_of_points(frame, *d, count == 0)).collect::<Result<_>>()?;
                    Sink::Rows(self.rows(*elem, &row, count)?)
                }
                ty => self.sink(frame, ty, count)?,
            });
        }
        let mut rounds = Rounds::default();
        let neutral = self.neutrals(frame, &seg.reduces);
        let (done, begun) = self.seg_op_kernel(frame, seg, &dims, &neutral, &mut sinks)?;
        let (whole, mut from) = (done.checked_div(inner).unwrap_or(0), done.checked_rem(inner).unwrap_or(0));
        // mutant: a kernel stops within a segment only where the plain path fails
        let mut begun = (from > 0).then_some(begun);
        let mut index = vec![0usize; dims.len()];
        // segments without points leave nothing, unless each has a reduction's neutral element
        let last = if points == 0 && reduced == 0 { whole } else { segments };
        for segment in whole..last {
            let mut rest = segment;
            for d in (0..outer.len()).rev() {
                index[d] = rest % outer[d];
                rest /= outer[d];
            }
            let mut scans = self.neutrals(frame, &seg.scans);
            let mut reduces = begun.take().unwrap_or_else(|| neutral.clone());
            for j in std::mem::take(&mut from)..inner {
                if let Some(last) = index.last_mut() {
                    *last = j;
                }
                for ((s, _), i) in seg.space.iter().zip(&index) {
                    frame.set(*s, futi_core::prim::Scalar::I64(*i as i64).into());
                }
                let before = self.ctx.all_failures.then(|| (scans.clone(), reduces.clone()));
                let states = (&mut scans[..], &mut reduces[..], &mut dests[..]);
                let done = self.seg_point(frame, seg, states, &mut sinks);
                if let (Err(_), Some(before)) = (&done, before) {
                    (scans, reduces) = before;
                }
                self.survive(&mut rounds, done)?;
            }
            for (v, sink) in reduces.into_iter().flatten().zip(&mut sinks[scanned..]) {
                sink.push(v)?;
            }
        }
        rounds.end()?;
        let mut out = Vec::with_capacity(sinks.len());
        for (i, sink) in sinks.into_iter().enumerate() {
            out.push(self.finish(sink, if is_reduced(i) { outer } else { &dims })?);
        }
        out.splice(scanned + reduced..scanned + reduced, dests.into_iter().map(Dest::into_array));
        Ok(out)
    }

    /// A size in a nest. Where that has no points it may be none, which is zero then: its check stands before the nest, and is for points.
    fn size_of_points(&self, frame: &Frame, size: Opd, none: bool) -> Result<usize> {
        if none { Ok(self.size(frame, size).unwrap_or(0)) } else { self.size(frame, size) }
    }

    /// One point of a nest.
    fn seg_point(
        &mut self,
        frame: &mut Frame,
        seg: &'a SegOp,
        (scans, reduces, dests): (&mut [Vec<Val>], &mut [Vec<Val>], &mut [Dest]),
        sinks: &mut [Sink],
    ) -> Result<()> {
        self.body(frame, &seg.body)?;
        let results = &seg.body.result;
        let mut next = 0;
        for (op, state) in seg.scans.iter().zip(scans) {
            self.step(frame, op, state, &results[next..])?;
            for (v, sink) in state.iter().zip(&mut sinks[next..]) {
                sink.push(v.clone())?;
            }
            next += state.len();
        }
        for (op, state) in seg.reduces.iter().zip(reduces) {
            self.step(frame, op, state, &results[next..])?;
            next += state.len();
        }
        let written: usize = seg.dests.iter().map(|(shape, _)| shape.len() + 1).sum();
        self.write_row(frame, &results[next..next + written], dests)?;
        for (e, sink) in results[next + written..].iter().zip(&mut sinks[next..]) {
            sink.push(frame.read(*e))?;
        }
        Ok(())
    }

    fn neutrals(&mut self, frame: &mut Frame, ops: &[Operator]) -> Vec<Vec<Val>> {
        ops.iter().map(|op| self.read_all(frame, &op.neutral)).collect()
    }

    /// `state := state ⊙ operand`, with the operand among a body's results.
    fn step(&mut self, frame: &mut Frame, op: &'a Operator, state: &mut Vec<Val>, operand: &[Opd]) -> Result<()> {
        let m = state.len();
        if self.ctx.strict {
            self.check_neutral(frame, op, &operand[..m])?;
        }
        if let (Some(prim), [Val::Scalar(x)], Some(y)) = (op.prim, &state[..], frame.scalar(operand[0])) {
            self.counters.bodies += 1;
            state[0] = self.scalar2(prim, *x, y).into();
            return self.tick();
        }
        for (p, v) in op.lambda.params.iter().zip(state.drain(..)) {
            frame.set(*p, v);
        }
        for (p, e) in op.lambda.params[m..].iter().zip(operand) {
            let v = frame.read(*e);
            frame.set(*p, v);
        }
        self.body(frame, &op.lambda.body)?;
        state.extend(op.lambda.body.result.iter().map(|e| frame.read(*e)));
        Ok(())
    }

    /// Applies an operator to `left ++ right`.
    pub(super) fn operate(&mut self, frame: &mut Frame, op: &'a Operator, operands: Vec<Val>) -> Result<Vec<Val>> {
        self.bind_all(frame, &op.lambda.params, operands);
        self.run(frame, &op.lambda.body)
    }

    pub(super) fn sink(&mut self, frame: &Frame, ty: &Ty, n: usize) -> Result<Sink> {
        Ok(match ty {
            Ty::Acc(id) => Sink::Acc(frame.get(*id).clone()),
            ty => match self.value_type(frame, ty)? {
                Some((elem, row)) => Sink::Rows(self.rows(elem, &row, n)?),
                None => Sink::Acc(Val::Cert),
            },
        })
    }

    pub(super) fn finish(&mut self, sink: Sink, outer: &[usize]) -> Result<Val> {
        match sink {
            Sink::Rows(rows) if outer.is_empty() => {
                let one = self.assemble(rows, &[1])?;
                self.index(&one, &[0])
            }
            Sink::Rows(rows) => self.assemble(rows, outer),
            Sink::Acc(acc) => Ok(acc),
        }
    }

    pub(super) fn with_acc(&mut self, frame: &mut Frame, w: &'a WithAcc) -> Result<Vec<Val>> {
        let n = w.inputs.len();
        let first = self.accs.len();
        for AccInput { shape, arrays, op } in &w.inputs {
            let shape = self.sizes(frame, shape)?;
            let arrays = self.read_all(frame, arrays);
            for a in &arrays {
                self.consume(frame, a);
                if !a.shape().starts_with(&shape) {
                    return Err(bad(&format!("an array indexed by {shape:?}"), a));
                }
            }
            self.accs.push(Accs { shape, arrays, op, depth: self.depth });
        }
        // The certificate of an accumulator, its identity, holds the accumulator itself: so that a nest without points has one to return.
        for (i, p) in w.lambda.params.iter().enumerate() {
            frame.set(*p, Val::Acc((first + i % n.max(1)) as u32));
        }
        let results = self.run(frame, &w.lambda.body);
        let accs = self.accs.split_off(first);
        let others = results?.split_off(n);
        Ok(accs.into_iter().flat_map(|a| a.arrays).chain(others).collect())
    }

    pub(super) fn upd_acc(&mut self, frame: &mut Frame, acc: Opd, indices: &[Opd], values: &[Opd]) -> Result<Val> {
        let handle = frame.read(acc);
        let Val::Acc(id) = handle else { return Err(bad("an accumulator", &handle)) };
        let id = id as usize;
        let values = self.read_all(frame, values);
        let depth = self.depth;
        let gone = || RuntimeError::internal("an accumulator outside its withacc");
        let acc = self.accs.get(id).filter(|a| a.depth == depth).ok_or_else(gone)?;
        let Some(index) = self.index_within(frame, indices, &acc.shape)? else { return Ok(handle) };
        let op = acc.op;
        let mut arrays = std::mem::take(&mut self.accs[id].arrays);
        let done = self.combine(frame, op, &mut arrays, &index, values);
        self.accs[id].arrays = arrays;
        done?;
        Ok(handle)
    }
}

impl Sink {
    /// Adds scalars.
    pub fn push_words(&mut self, words: &[u64]) -> Result<()> {
        match self {
            Sink::Rows(rows) => rows.push_words(words),
            Sink::Acc(_) => Ok(()),
        }
    }

    pub fn push(&mut self, v: Val) -> Result<()> {
        match self {
            Sink::Rows(rows) => rows.push(v),
            Sink::Acc(_) => Ok(()),
        }
    }
}
