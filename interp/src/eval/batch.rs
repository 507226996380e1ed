//! A λ without branches applied to all rows at once, where rows are scalars that depend on what is differentiated.

// Note [All rows at once]
// ~~~~~~~~~~~~~~~~~~~~~~~
// A λ of scalar operators alone does the same at every row, and cannot fail. So it is run once, its parameters standing for whole arrays, each
// operator applied element by element: on duals, primals and tangents are columns; in a trace each operator is one node, and its reversal works on columns
// as well. This is van Hus's vectorised map (digest 003 §1B.4), `is_straight_line` his branch check. What does not depend on the row stays a scalar, and is
// computed once. The values are those of the element-by-element path; sums of contributions to one variable from many rows are added up in another order.
//
// An operator has no derivative rule for arrays: `Machine::prim` with its table of scalar partials is the only rule there is, read element by element.

use super::code::{Exp, Frame, Lambda, Opd, Operator, Screma, Slot};
use super::kernel::is_straight_line;
use super::linear::Linear;
use super::val::Val;
use super::{Machine, Result, bad};
use crate::ctx::NodeKind;

impl<'a> Machine<'a> {
    /// The arrays that the map λ of a screma makes of all rows, if it can be run on all at once and something differentiated is among them.
    pub(super) fn batched(
        &mut self,
        frame: &mut Frame,
        s: &'a Screma,
        arrays: &[Val],
        width: usize,
    ) -> Result<Option<Vec<Val>>> {
        // mutant off by one: the tag 1 is strict mode's, which does not come here
        let depends = |v: &Val| v.tag() > 0;
        // Without a derivative under way nothing depends on one: plain nodes do not look at their λ.
        let applies = self.differentiates()
            && !(self.ctx.plain || self.ctx.strict)
            && (self.ctx.keep.arrays || self.tapes.is_empty())
            && is_straight_line(&s.map)
            && (arrays.iter().any(depends) || free(&s.map).any(|slot| depends(frame.get(slot))));
        if !applies {
            return Ok(None);
        }
        self.map_rows(frame, &s.map, arrays, width).map(Some)
    }

    /// The results of a screma, given the arrays that its map λ has made.
    pub(super) fn folds(&mut self, frame: &mut Frame, s: &'a Screma, arrays: Vec<Val>) -> Result<Vec<Val>> {
        let mut arrays = arrays.into_iter();
        let mut out = Vec::with_capacity(s.map.ret.len());
        for (op, scan) in s.scans.iter().map(|op| (op, true)).chain(s.reduces.iter().map(|op| (op, false))) {
            let neutral = self.read_all(frame, &op.neutral);
            let operands = arrays.by_ref().take(neutral.len()).collect();
            out.extend(if scan {
                self.scan(frame, op, neutral, operands)?
            } else {
                self.fold(frame, op, neutral, operands)?
            });
        }
        out.extend(arrays);
        Ok(out)
    }

    /// λ, which is straight-line code, applied to the n rows of arrays of scalars at once.
    fn map_rows(&mut self, frame: &mut Frame, l: &'a Lambda, arrays: &[Val], n: usize) -> Result<Vec<Val>> {
        let before = self.tapes.first().map(|t| t.nodes.len());
        for (p, a) in l.params.iter().zip(arrays) {
            frame.set(*p, a.clone());
        }
        self.counters.bodies += n as u64;
        for stm in &l.body.stms {
            self.counters.statements += n as u64;
            self.counters.count_nodes(stm.kind, n as u64);
            self.tick()?;
            let v = match &stm.exp {
                Exp::Prim { op, args, n } => {
                    let vals = args.map(|e| frame.read(e));
                    self.prim(*op, &vals.each_ref()[..*n])?
                }
                Exp::Operand(e) => frame.read(*e),
                _ => return Err(bad("scalar code without branches", &Val::Gone)),
            };
            frame.set(stm.pat[0], v);
        }
        if let (Some(before), Some(tape)) = (before, self.tapes.first_mut())
            && tape.full
        {
            tape.maps.push(before as u32..tape.nodes.len() as u32);
        }
        let mut results = Vec::with_capacity(l.body.result.len());
        for e in &l.body.result {
            let v = frame.read(*e);
            results.push(self.spread(v, &[n])?);
        }
        // What stays in a frame is held by somebody.
        for s in l.params.iter().chain(l.body.stms.iter().flat_map(|s| &s.pat)) {
            frame.take(*s);
        }
        Ok(results)
    }

    /// The value as one of this shape: a scalar stands for an array of the same everywhere.
    pub(crate) fn spread(&mut self, v: Val, shape: &[usize]) -> Result<Val> {
        if v.shape().len() == shape.len() { Ok(v) } else { self.linear(&Linear::Replicate { shape }, vec![v]) }
    }

    /// The reduction of arrays of operands that all rows have given at once.
    fn fold(&mut self, frame: &mut Frame, op: &'a Operator, neutral: Vec<Val>, operands: Vec<Val>) -> Result<Vec<Val>> {
        if let ([operand], [Val::Scalar(ne)], Some(prim)) = (&operands[..], &neutral[..], op.prim)
            && operand.shape().len() == 1
            && prim == ne.scalar_type().plus()
            && *ne == ne.scalar_type().zero()
        {
            // a sum has no intermediate values that anybody needs (digest 003 §1B.7)
            let n = operand.count() as u64;
            self.counters.bodies += n;
            self.counters.statements += n;
            self.counters.count_nodes(NodeKind::Prim, n);
            let sum = self.linear(&Linear::Sum { shape: &[] }, operands)?;
            return Ok(vec![sum]);
        }
        match self.ctx.fold_segments {
            Some(segments) if self.ctx.keep.arrays && is_straight_line(&op.lambda) => {
                self.segmented_fold(frame, op, neutral, operands, segments)
            }
            _ => {
                let n = rows(&operands);
                self.fold_from(frame, op, neutral, &operands, 0..n)
            }
        }
    }

    fn fold_from(
        &mut self,
        frame: &mut Frame,
        op: &'a Operator,
        mut state: Vec<Val>,
        operands: &[Val],
        rows: std::ops::Range<usize>,
    ) -> Result<Vec<Val>> {
        for i in rows {
            for a in operands {
                state.push(self.index(a, &[i])?);
            }
            state = self.operate(frame, op, state)?;
        }
        Ok(state)
    }

    /// Folds of so many segments side by side, then one over their results: van Hus §3.4, with the neutral element as the first item. The first n mod t of
    /// t segments have one item more than the others; no segment is empty.
    fn segmented_fold(
        &mut self,
        frame: &mut Frame,
        op: &'a Operator,
        neutral: Vec<Val>,
        operands: Vec<Val>,
        segments: usize,
    ) -> Result<Vec<Val>> {
        let items = rows(&operands) + 1;
        let lanes = segments.clamp(1, items);
        let (depth, longer) = (items / lanes, items % lanes);
        // what comes at each step: for the longer segments, then for the others
        let mut steps: Vec<Vec<Val>> = vec![Vec::new(); depth + 1];
        for (ne, xs) in neutral.into_iter().zip(operands) {
            let elem = xs.elem().ok_or_else(|| bad("an array", &xs))?;
            let first = self.linear(&Linear::Pack { elem, row: &[] }, vec![ne])?;
            let all = self.linear(&Linear::Concat, vec![first, xs])?;
            let cut = longer * (depth + 1);
            let mut parts = Vec::new();
            for (at, rows, length) in [(0, longer, depth + 1), (cut, lanes - longer, depth)] {
                // mutant comparison: a part of no rows adds none
                if rows > 0 {
                    let part = self.slice(&all, at, &[rows * length])?;
                    let by_lane = self.linear(&Linear::Reshape { shape: &[rows, length] }, vec![part])?;
                    parts.push(self.linear(&Linear::Rearrange { perm: &[1, 0] }, vec![by_lane])?);
                }
            }
            for (l, step) in steps.iter_mut().enumerate() {
                let mut columns = Vec::new();
                for part in parts.iter().filter(|p| l < p.shape()[0]) {
                    columns.push(self.index(part, &[l])?);
                }
                if let [one] = &columns[..] {
                    step.push(one.clone());
                } else if !columns.is_empty() {
                    step.push(self.linear(&Linear::Concat, columns)?);
                }
            }
        }
        let mut steps = steps.into_iter().filter(|s| !s.is_empty());
        let mut state = steps.next().unwrap_or_default();
        for step in steps {
            let now = step[0].shape()[0];
            let mut active = Vec::with_capacity(2 * state.len());
            for s in &state {
                active.push(self.slice(s, 0, &[now])?);
            }
            active.extend(step);
            let new = self.map_rows(frame, &op.lambda, &active, now)?;
            for (s, new) in state.iter_mut().zip(new) {
                let rest = self.slice(s, now, &[lanes - now])?;
                *s = if now == lanes { new } else { self.linear(&Linear::Concat, vec![new, rest])? };
            }
        }
        let mut first = Vec::with_capacity(state.len());
        for s in &state {
            first.push(self.index(s, &[0])?);
        }
        self.fold_from(frame, op, first, &state, 1..lanes)
    }

    /// The scan of arrays of operands that all rows have given at once, in order.
    fn scan(
        &mut self,
        frame: &mut Frame,
        op: &'a Operator,
        mut state: Vec<Val>,
        operands: Vec<Val>,
    ) -> Result<Vec<Val>> {
        let n = rows(&operands);
        let mut prefixes: Vec<Vec<Val>> = vec![Vec::with_capacity(n); operands.len()];
        for i in 0..n {
            state = self.fold_from(frame, op, state, &operands, i..i + 1)?;
            prefixes.iter_mut().zip(&state).for_each(|(all, v)| all.push(v.clone()));
        }
        let mut arrays = Vec::with_capacity(operands.len());
        for (values, operand) in prefixes.into_iter().zip(&operands) {
            let elem = operand.elem().ok_or_else(|| bad("an array", operand))?;
            let row = operand.shape()[1..].to_vec();
            arrays.push(self.linear(&Linear::Pack { elem, row: &row }, values)?);
        }
        Ok(arrays)
    }
}

/// How many rows an operator's operands have; of an operator on nothing, it does not matter.
fn rows(operands: &[Val]) -> usize {
    // mutant swap: all operands of an operator have as many rows
    // mutant off by one: an operator on nothing gives nothing, however often it is applied
    operands.first().map_or(0, |v| v.shape()[0])
}

/// The variables that a straight-line λ reads.
fn free(l: &Lambda) -> impl Iterator<Item = Slot> {
    let reads = |exp: &'_ Exp| -> Vec<Opd> {
        match exp {
            // those that an operator does not have are constants
            Exp::Prim { args, .. } => args.to_vec(),
            Exp::Operand(e) => vec![*e],
            _ => Vec::new(),
        }
    };
    l.body.stms.iter().flat_map(move |s| reads(&s.exp)).chain(l.body.result.iter().copied()).filter_map(Opd::slot)
}
