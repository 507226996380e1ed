//! Parallel nodes by kernels: chunk by chunk the body at all points, then the operators over its results, strictly from left to right.

// Note [What a kernel leaves undone]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A kernel has no effects. A chunk in which it is stopped - a check fails, fuel runs out, the caller cancels - leaves nothing behind, and the plain
// path goes on from the chunk's first point: it fails as the definition says, where it says, having counted what it says. So a kernel never reports
// a failure, and the hooks below return how far they came.

use super::code::{Kernel, REGS, Reg, Source, Tally};
use super::compile;
use super::operators::Two;
use super::run::{Budget, Registers, View};
use super::words::{Slice, scalar, word};
use crate::eval::code::{Frame, Operator, Screma, SegOp, Slot, Ty};
use crate::eval::soac::Sink;
use crate::eval::val::Val;
use crate::eval::{Machine, Result};
use futi_core::prim::{Prim, ScalarType};
use futi_core::value::count;

/// The kernels of a parallel node.
#[derive(Debug)]
pub(crate) struct Nest {
    map: Kernel,
    ops: Vec<Combine>,
    /// The types of the operators' values.
    types: Vec<ScalarType>,
    /// About how many statements a point takes.
    work: usize,
    /// How many blocks there are.
    blocks: usize,
}

/// An operator.
#[derive(Debug)]
struct Combine {
    /// On how many values.
    m: usize,
    scan: bool,
    by: By,
    /// What an application counts.
    blocks: Vec<Tally>,
}

#[derive(Debug)]
enum By {
    Two(Two),
    Table(Prim, ScalarType),
    Kernel(Box<Kernel>),
}

impl Nest {
    pub fn of_screma(s: &Screma) -> Option<Box<Nest>> {
        let map = compile::lambda(&s.map.params, &s.map.ret, &s.map.body)?;
        let scans = s.scans.iter().map(|op| Combine::of(op, true));
        // mutant: what is staged for a reduction goes to no sink, and a fold has the value that the scan ends with
        let ops = scans.chain(s.reduces.iter().map(|op| Combine::of(op, false))).collect::<Option<Vec<_>>>()?;
        Nest::new(map, ops, &s.map.ret)
    }

    pub fn of_seg_op(seg: &SegOp) -> Option<Box<Nest>> {
        let space: Vec<Slot> = seg.space.iter().map(|(s, _)| *s).collect();
        let map = compile::lambda(&space, &seg.ret, &seg.body)?;
        let ops = seg.reduces.iter().map(|op| Combine::of(op, false)).collect::<Option<Vec<_>>>()?;
        Nest::new(map, ops, &seg.ret)
    }

    fn new(map: Kernel, ops: Vec<Combine>, ret: &[Ty]) -> Option<Box<Nest>> {
        let values: usize = ops.iter().map(|op| op.m).sum();
        let ty = |t: &Ty| if let Ty::Value(t, _) = t { Some(*t) } else { None };
        let types = ret.get(..values)?.iter().map(ty).collect::<Option<_>>()?;
        // mutant: the next lines set both
        let mut nest = Nest { map, ops, types, work: 0, blocks: 0 };
        nest.work = nest.blocks().map(|b| b.steps() as usize).sum();
        nest.blocks = nest.blocks().count();
        Some(Box::new(nest))
    }

    /// Whether the body runs on columns.
    #[cfg(test)]
    pub fn is_straight(&self) -> bool {
        self.map.straight
    }

    fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        let operators = self.ops.iter().filter_map(|op| match &op.by {
            By::Kernel(k) => Some(&**k),
            By::Two(_) | By::Table(..) => None,
        });
        std::iter::once(&self.map).chain(operators)
    }

    fn blocks(&self) -> impl Iterator<Item = &Tally> + Clone {
        self.map.blocks.iter().chain(self.ops.iter().flat_map(|op| &op.blocks))
    }
}

impl Combine {
    fn of(op: &Operator, scan: bool) -> Option<Combine> {
        let m = op.neutral.len();
        if let (Some(prim), 1) = (op.prim, m) {
            let by = match Two::of(prim) {
                Some(two) => By::Two(two),
                None => By::Table(prim, prim.signature()?.1),
            };
            let blocks = vec![Tally { bodies: 1, prims: vec![(prim, 1)], ..Tally::default() }];
            return Some(Combine { m, scan, by, blocks });
        }
        let mut kernel = compile::operator(&op.lambda)?;
        let blocks = std::mem::take(&mut kernel.blocks);
        Some(Combine { m, scan, by: By::Kernel(Box::new(kernel)), blocks })
    }

    /// `state := state ⊙ x0 ⊙ x1 …` over the points of a chunk from `from` on; `staged` gets each value on the way, for a scan. `None` when it was
    /// stopped.
    #[allow(clippy::too_many_arguments)]
    fn fold<'c>(
        &self,
        frame: &Frame,
        r: &mut Registers,
        column: &dyn Fn(usize) -> Column<'c>,
        state: &mut [u64],
        staged: &mut [Vec<u64>],
        counts: &mut [u64],
        budget: &mut Budget,
    ) -> Option<()> {
        let xs = column(0);
        counts[0] += xs.len() as u64;
        match &self.by {
            By::Two(op) if self.scan => {
                let before = staged[0].len();
                // mutant off by one: the scan writes to all that has been added
                staged[0].resize(before + xs.len(), 0);
                state[0] = op.scan(state[0], xs, &mut staged[0][before..]);
            }
            By::Two(op) => state[0] = op.fold(state[0], xs),
            By::Table(op, ty) => {
                for x in xs {
                    state[0] = word(op.eval(&[scalar(*ty, state[0]), scalar(*ty, *x)]));
                    if self.scan {
                        staged[0].push(state[0]);
                    }
                }
            }
            By::Kernel(k) => {
                k.enter(frame, r)?;
                let views = k.views(frame, &[])?;
                let (left, right) = k.params.split_at(self.m);
                k.results.iter().zip(&*state).for_each(|(reg, w)| r[*reg as usize] = *w);
                debug_assert_eq!(left.len(), k.results.len());
                for e in 0..xs.len() {
                    for (j, reg) in right.iter().enumerate() {
                        if let Some(reg) = reg {
                            r[*reg as usize] = column(j)[e];
                        }
                    }
                    if !k.run(r, &views, counts, budget) {
                        return None;
                    }
                    if self.scan {
                        k.results.iter().zip(&mut *staged).for_each(|(reg, out)| out.push(r[*reg as usize]));
                    }
                }
                k.results.iter().zip(state).for_each(|(reg, w)| *w = r[*reg as usize]);
            }
        }
        Some(())
    }
}

type Column<'a> = &'a [u64];

/// Room for a run, kept from one to the next.
pub(crate) struct Scratch {
    pub(super) registers: Registers,
    pub(super) counts: Vec<u64>,
    pub(super) state: Vec<u64>,
    /// The state before a chunk.
    before: Vec<u64>,
    neutral: Vec<u64>,
    columns: Vec<Vec<u64>>,
    inputs: Vec<Vec<u64>>,
    outputs: Vec<Vec<u64>>,
    staged: Vec<Vec<u64>>,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch {
            // mutant: a register is written before it is read
            registers: [0; REGS],
            counts: Vec::new(),
            state: Vec::new(),
            before: Vec::new(),
            neutral: Vec::new(),
            columns: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            staged: Vec::new(),
        }
    }
}

impl Scratch {
    /// Sets the operators' values; false when one of them is not a plain scalar.
    fn begin<'v>(&mut self, values: impl Iterator<Item = &'v Vec<Val>>) -> bool {
        self.state.clear();
        for v in values.flatten() {
            let Val::Scalar(x) = v else { return false };
            self.state.push(word(*x));
        }
        self.neutral.clone_from(&self.state);
        true
    }
}

/// At least so many columns of at least n words.
fn room(columns: &mut Vec<Vec<u64>>, count: usize, n: usize) {
    // mutant: to make as many columns as there are changes nothing
    if columns.len() < count {
        columns.resize_with(count, Vec::new);
    }
    for column in &mut columns[..count] {
        // mutant: to make a column as long as it is changes nothing
        if column.len() < n {
            // mutant off by one: a column is filled before it is read
            column.resize(n, 0);
        }
    }
}

impl Kernel {
    /// Sets constants and free variables; `None` when one of those is not a plain scalar.
    pub(super) fn enter(&self, frame: &Frame, r: &mut Registers) -> Option<()> {
        for (reg, w) in &self.literals {
            r[*reg as usize] = *w;
        }
        for (reg, s) in &self.scalars {
            let Val::Scalar(x) = frame.get(*s) else { return None };
            r[*reg as usize] = word(*x);
        }
        Some(())
    }

    /// The arrays that it reads, `mapped` those mapped over; `None` when one of them is not plain or is not read by elements.
    pub(super) fn views<'f>(&self, frame: &'f Frame, mapped: &'f [Val]) -> Option<Vec<View<'f>>> {
        let view = |(source, rank): &(Source, usize)| {
            let array = match source {
                Source::Free(s) => frame.get(*s),
                Source::RowsOf(param) => mapped.get(*param)?,
            };
            match array {
                Val::Array(a) if a.shape().len() == *rank => Some(View { elems: Slice::of(a)?, shape: a.shape() }),
                _ => None,
            }
        };
        self.arrays.iter().map(view).collect()
    }
}

/// A nest to be run: n points, in segments of `inner`.
struct Points<'a> {
    nest: &'a Nest,
    /// The arrays mapped over.
    mapped: &'a [Val],
    points: usize,
    inner: usize,
    /// Whether reductions start again with each segment.
    segmented: bool,
    /// Where each result goes: a sink.
    sinks: &'a dyn Fn(usize) -> Option<usize>,
}

/// How many points a chunk has: few enough for the registers to stay in the cache.
fn chunk(k: &Kernel) -> usize {
    // mutant: how many points a chunk has changes no result
    if k.straight { ((1 << 12) / k.regs.max(1)).clamp(128, 1024) } else { 1024 }
}

/// Fewer statements than these are not worth setting out for.
const LITTLE: usize = 5;

/// From so many points on columns are worth their while.
const MANY: usize = 12;

impl<'a> Machine<'a> {
    /// Whether kernels mean what the plain path means: nothing looks at single operations.
    pub(super) fn kernels_apply(&self) -> bool {
        !self.ctx.plain && !self.ctx.strict && self.ctx.rounding.is_none()
    }

    /// Runs `f` with room to work in.
    pub(super) fn with_scratch<T>(&mut self, f: impl FnOnce(&mut Self, &mut Scratch) -> T) -> T {
        let mut scratch = self.scratch.take().unwrap_or_default();
        let result = f(self, &mut scratch);
        // mutant: what is not used again is made again
        self.scratch = Some(scratch);
        result
    }

    /// How many trips of loops the fuel is good for.
    pub(crate) fn trips_left(&self) -> Option<u64> {
        self.ctx.fuel.map(|fuel| fuel.saturating_sub(self.counters.steps()))
    }

    /// Counts what was done, unless the fuel did not suffice.
    pub(super) fn commit<'k>(
        &mut self,
        blocks: impl Iterator<Item = &'k Tally> + Clone,
        counts: &[u64],
        kernels: impl Iterator<Item = &'k Kernel>,
    ) -> bool {
        let steps = blocks.clone().zip(counts).map(|(b, n)| b.steps() * n).sum::<u64>();
        // mutant comparison: where the fuel just suffices the plain path does the same with it
        if self.trips_left().is_some_and(|left| steps > left) {
            return false;
        }
        blocks.zip(counts).for_each(|(block, n)| self.counters.add_tally(block, *n));
        let done = &mut self.counters.kernels;
        done.chunks += 1;
        done.steps += steps;
        for kernel in kernels {
            done.instructions += kernel.code.len() as u64;
            done.registers += kernel.regs as u64;
        }
        true
    }

    /// As many elements of a screma as kernels can do: their number. States and sinks are as after that many. See Note [What a kernel leaves undone].
    pub(in crate::eval) fn screma_kernel(
        &mut self,
        frame: &Frame,
        s: &'a Screma,
        width: usize,
        arrays: &[Val],
        states: [&mut [Vec<Val>]; 2],
        sinks: &mut [Sink],
    ) -> Result<usize> {
        let Some(nest) = s.nest.as_deref().filter(|_| self.kernels_apply()) else { return Ok(0) };
        let fits = |(a, reg): (&Val, &Option<Reg>)| reg.is_none() || matches!(a, Val::Array(a) if a.shape().len() == 1);
        if !arrays.iter().zip(&nest.map.params).all(fits) {
            return Ok(0);
        }
        let [scans, reduces] = states;
        if width * nest.work < LITTLE {
            return Ok(0);
        }
        let scanned: usize = scans.iter().map(Vec::len).sum();
        let reduced = nest.types.len() - scanned;
        let load = &mut |j: usize, lo: usize, into: &mut [u64]| {
            if let Val::Array(a) = &arrays[j]
                && let Some(elems) = Slice::of(a)
            {
                elems.read(lo, into);
            }
        };
        let to = |i: usize| match i {
            i if i < scanned => Some(i),
            i if i < scanned + reduced => None,
            i => Some(i - reduced),
        };
        let points = Points { nest, mapped: arrays, points: width, inner: width, segmented: false, sinks: &to };
        self.with_scratch(|m, scratch| {
            if !scratch.begin(scans.iter().chain(&*reduces)) {
                return Ok(0);
            }
            let done = m.nest(frame, &points, load, scratch, sinks)?;
            for ((v, w), ty) in scans.iter_mut().chain(reduces).flatten().zip(&scratch.state).zip(&nest.types) {
                *v = scalar(*ty, *w).into();
            }
            Ok(done)
        })
    }

    /// As many points of a segop as kernels can do: their number, and the values of the reductions in the segment of the next one.
    pub(in crate::eval) fn seg_op_kernel(
        &mut self,
        frame: &Frame,
        seg: &'a SegOp,
        dims: &[usize],
        neutral: &[Vec<Val>],
        sinks: &mut [Sink],
    ) -> Result<(usize, Vec<Vec<Val>>)> {
        let none = Ok((0, Vec::new()));
        let Some(nest) = seg.nest.as_deref().filter(|_| self.kernels_apply()) else { return none };
        let points: usize = count(dims);
        // mutant: from how much work on kernels are worth their while changes no result
        if points * nest.work < LITTLE {
            return none;
        }
        let load = &mut |d: usize, lo: usize, into: &mut [u64]| {
            let (n, stride) = (dims[d], dims[d + 1..].iter().product::<usize>());
            let (mut i, mut repeated) = (lo / stride % n, lo % stride);
            for w in into {
                *w = i as u64;
                repeated += 1;
                if repeated == stride {
                    repeated = 0;
                    i = if i + 1 == n { 0 } else { i + 1 };
                }
            }
        };
        // mutant off by one: a parallel nest has a dimension
        let inner = dims.last().copied().unwrap_or(1);
        let run = Points { nest, mapped: &[], points, inner, segmented: true, sinks: &Some };
        self.with_scratch(|m, scratch| {
            if !scratch.begin(neutral.iter()) {
                return none;
            }
            let done = m.nest(frame, &run, load, scratch, sinks)?;
            let mut values = scratch.state.iter().zip(&nest.types).map(|(w, ty)| Val::Scalar(scalar(*ty, *w)));
            Ok((done, nest.ops.iter().map(|op| values.by_ref().take(op.m).collect()).collect()))
        })
    }

    /// The points that kernels can do; leaves the operators' values in `scratch.state`.
    fn nest(
        &mut self,
        frame: &Frame,
        p: &Points,
        load: &mut dyn FnMut(usize, usize, &mut [u64]),
        scratch: &mut Scratch,
        sinks: &mut [Sink],
    ) -> Result<usize> {
        let (nest, map) = (p.nest, &p.nest.map);
        let Some(views) = map.views(frame, p.mapped) else { return Ok(0) };
        let size = chunk(map).min(p.points);
        // mutant dropped term: from how many points on columns are worth their while changes no result
        // mutant comparison: from how many points on columns are worth their while changes no result
        let by_columns = map.straight && p.points >= MANY;
        let values = nest.types.len();
        // mutant off by one: what is staged is cleared for each chunk
        room(&mut scratch.staged, values, 0);
        if map.enter(frame, &mut scratch.registers).is_none() {
            return Ok(0);
        }
        if by_columns {
            room(&mut scratch.columns, map.regs, size);
            for reg in map.literals.iter().map(|l| l.0).chain(map.scalars.iter().map(|s| s.0)) {
                scratch.columns[reg as usize][..size].fill(scratch.registers[reg as usize]);
            }
        } else {
            room(&mut scratch.inputs, map.params.len(), size);
            room(&mut scratch.outputs, map.results.len(), size);
        }
        let ctx = self.ctx;
        let cancelled = &|| ctx.call.cancelled();
        let mut lo = 0;
        while lo < p.points {
            let n = size.min(p.points - lo);
            let budget = &mut Budget::new(self.trips_left(), cancelled);
            let Scratch { registers, counts, state, before, neutral, columns, inputs, outputs, staged } = &mut *scratch;
            before.clone_from(state);
            counts.clear();
            counts.resize(nest.blocks, 0);
            counts[0] = n as u64;
            // mutant off by one: a column is read as far as there are points
            let numbers = lo as u64..(lo + n) as u64;
            let fine = if by_columns {
                if let Some(reg) = map.element {
                    columns[reg as usize].iter_mut().zip(numbers).for_each(|(w, i)| *w = i);
                }
                for (j, reg) in map.params.iter().enumerate() {
                    if let Some(reg) = reg {
                        load(j, lo, &mut columns[*reg as usize][..n]);
                    }
                }
                map.run_columns(columns, n, &views, counts)
            } else {
                for (j, _) in map.params.iter().enumerate().filter(|(_, reg)| reg.is_some()) {
                    load(j, lo, &mut inputs[j][..n]);
                }
                // The operators of the chunk before have used the registers.
                // mutant off by one: to set constants and free variables once more changes nothing
                (lo == 0 || map.enter(frame, registers).is_some())
                    && (0..n).all(|e| {
                        for (reg, column) in map.params.iter().zip(&*inputs) {
                            if let Some(reg) = reg {
                                registers[*reg as usize] = column[e];
                            }
                        }
                        if let Some(reg) = map.element {
                            registers[reg as usize] = (lo + e) as u64;
                        }
                        let fine = map.run(registers, &views, counts, budget);
                        for (reg, column) in map.results.iter().zip(&mut *outputs) {
                            column[e] = registers[*reg as usize];
                        }
                        fine
                    })
            };
            let result = |i: usize| -> &[u64] {
                let column = if by_columns { &columns[map.results[i] as usize] } else { &outputs[i] };
                &column[..n]
            };
            let folded = fine && {
                staged.iter_mut().for_each(Vec::clear);
                p.fold(frame, registers, (lo, n), &result, state, neutral, staged, counts, budget).is_some()
            };
            if !folded || !self.commit(nest.blocks(), counts, nest.kernels()) {
                state.clone_from(before);
                break;
            }
            let combined = staged[..values].iter().map(Vec::as_slice);
            for (i, words) in combined.chain((values..map.results.len()).map(result)).enumerate() {
                if let Some(sink) = (p.sinks)(i) {
                    sinks[sink].push_words(words)?;
                }
            }
            lo += n;
            self.tick()?;
        }
        Ok(lo)
    }
}

impl Points<'_> {
    /// The operators over a chunk.
    #[allow(clippy::too_many_arguments)]
    fn fold<'c>(
        &self,
        frame: &Frame,
        r: &mut Registers,
        (lo, n): (usize, usize),
        result: &dyn Fn(usize) -> Column<'c>,
        state: &mut [u64],
        neutral: &[u64],
        staged: &mut [Vec<u64>],
        counts: &mut [u64],
        budget: &mut Budget,
    ) -> Option<()> {
        let (mut first, mut block) = (0, self.nest.map.blocks.len());
        for op in &self.nest.ops {
            let values = first..first + op.m;
            let mut at = 0;
            while at < n {
                let left = if self.segmented { self.inner - (lo + at) % self.inner } else { n };
                let end = n.min(at + left);
                let column = |j: usize| -> Column<'c> { &result(first + j)[at..end] };
                let state = &mut state[values.clone()];
                let staged = &mut staged[values.clone()];
                op.fold(frame, r, &column, state, staged, &mut counts[block..], budget)?;
                if self.segmented && end - at == left {
                    staged.iter_mut().zip(&*state).for_each(|(out, w)| out.push(*w));
                    state.copy_from_slice(&neutral[values.clone()]);
                }
                at = end;
            }
            first += op.m;
            block += op.blocks.len();
        }
        Some(())
    }
}
