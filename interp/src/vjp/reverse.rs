//! The reverse pass: a node fires when the adjoints of all its uses have arrived, and sends its operands theirs.
//!
//! Only uses that reach a result count; a use elsewhere would be waited for in vain. Any order of firing nodes that are ready is right. The adjoints
//! are values of the evaluator, so that an outer derivative sees the reverse pass as it sees any other code.

use super::trace::{Op, Tape};
use crate::eval::linear::Linear;
use crate::eval::prim::READS_RESULT;
use crate::eval::val::{NodeId, Val};
use crate::eval::{Machine, Result};
use futi_core::value::count;
use futi_core::value::meter::Charge;
use std::cell::{Cell, RefCell};

/// What has arrived of a node's adjoint.
#[derive(Debug, Default)]
pub(super) enum Adjoint {
    /// Nothing: it is zero.
    #[default]
    Zero,
    /// A value of the node's type.
    Whole(Val),
    /// Parts of an array and the offsets where they belong; offsets may repeat. What indices contribute: no array is made for each.
    Parts(Vec<(usize, Val)>),
}

/// Where adjoints gather, and how many uses of each node have yet to send.
pub(super) trait Store {
    /// Changes a node's adjoint.
    fn change<R>(&self, n: NodeId, f: impl FnOnce(&mut Adjoint) -> R) -> R;
    /// A use has sent what it has; whether it was the last.
    fn arrived(&self, n: NodeId) -> bool;
}

/// The store of one thread.
struct Alone {
    adjoints: Vec<RefCell<Adjoint>>,
    pending: Vec<Cell<u32>>,
}

impl Store for Alone {
    fn change<R>(&self, n: NodeId, f: impl FnOnce(&mut Adjoint) -> R) -> R {
        f(&mut self.adjoints[n.0 as usize].borrow_mut())
    }
    fn arrived(&self, n: NodeId) -> bool {
        let left = &self.pending[n.0 as usize];
        left.set(left.get() - 1);
        left.get() == 0
    }
}

/// Picks the node to fire next out of those that are ready: what became ready last, or any.
struct Schedule(Option<u64>);

impl Schedule {
    fn next(&mut self, ready: &mut Vec<NodeId>) -> Option<NodeId> {
        let Some(state) = &mut self.0 else { return ready.pop() };
        if ready.is_empty() {
            return None;
        }
        // A linear congruential generator (Knuth's MMIX); the high bits are good enough.
        // mutant off by one: one random order is as good as another
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        // mutant off by one: one random order is as good as another
        Some(ready.swap_remove((*state >> 33) as usize % ready.len()))
    }
}

/// The reverse pass over one trace.
pub(super) struct Pass<'t, S> {
    pub tape: &'t Tape,
    pub store: S,
}

/// How many uses each node has in nodes that reach one of the outputs, and whether it does so itself.
pub(super) fn uses(tape: &Tape, outputs: &[NodeId]) -> (Vec<u32>, Vec<bool>) {
    let mut count = vec![0; tape.nodes.len()];
    let mut reaches = vec![false; tape.nodes.len()];
    outputs.iter().for_each(|n| reaches[n.0 as usize] = true);
    // mutant off by one `0`: the first node of a trace is an input, which uses nothing
    for i in (0..tape.nodes.len()).rev() {
        if reaches[i] {
            tape.nodes[i].op.operands(|n| {
                count[n.0 as usize] += 1;
                reaches[n.0 as usize] = true;
            });
        }
    }
    (count, reaches)
}

impl Machine<'_> {
    /// The adjoints of the inputs, given those of some nodes. An input that reaches none of them has adjoint `None`.
    pub(crate) fn reverse(
        &mut self,
        tape: &Tape,
        inputs: &[NodeId],
        seeds: Vec<(NodeId, Val)>,
    ) -> Result<Vec<Option<Val>>> {
        let outputs: Vec<NodeId> = seeds.iter().map(|(n, _)| *n).collect();
        let (pending, reaches) = uses(tape, &outputs);
        // An output that is also used elsewhere waits for that use.
        let ready: Vec<NodeId> = (0..tape.nodes.len() as u32)
            .map(NodeId)
            .filter(|n| reaches[n.0 as usize] && pending[n.0 as usize] == 0)
            .collect();
        let store = size_of::<RefCell<Adjoint>>() + size_of::<Cell<u32>>();
        let _held = Charge::new(&self.meter, (tape.nodes.len() * store) as u64);
        #[cfg(feature = "threads")]
        if super::threads::applies(self, tape, &seeds) {
            return super::threads::reverse(self, tape, inputs, seeds, pending, ready);
        }
        // mutant off by one `0..tape.nodes.len()`: of room for one node more nobody makes use
        let adjoints = (0..tape.nodes.len()).map(|_| RefCell::default()).collect();
        let pass = Pass { tape, store: Alone { adjoints, pending: pending.into_iter().map(Cell::new).collect() } };
        for (n, seed) in seeds {
            self.add_whole(&pass, n, seed)?;
        }
        let mut ready = ready;
        let mut schedule = Schedule(self.ctx.reverse_order);
        while let Some(n) = schedule.next(&mut ready) {
            self.fire(&pass, n, &mut ready)?;
        }
        self.of_inputs(&pass, inputs)
    }

    /// What has arrived at the inputs.
    pub(super) fn of_inputs(&mut self, pass: &Pass<impl Store>, inputs: &[NodeId]) -> Result<Vec<Option<Val>>> {
        let mut of_inputs = Vec::with_capacity(inputs.len());
        for n in inputs {
            of_inputs.push(match pass.store.change(*n, std::mem::take) {
                Adjoint::Zero => None,
                adjoint => Some(self.whole(pass.tape, *n, adjoint)?),
            });
        }
        Ok(of_inputs)
    }

    /// A dense adjoint.
    fn whole(&mut self, tape: &Tape, n: NodeId, adjoint: Adjoint) -> Result<Val> {
        let node = &tape.nodes[n.0 as usize];
        match adjoint {
            Adjoint::Whole(v) => Ok(v),
            Adjoint::Zero => Ok(self.zeros(node.elem, node.shape())),
            Adjoint::Parts(parts) => {
                self.allocate(node.elem, node.shape())?;
                let mut sum = self.zeros(node.elem, node.shape());
                for (at, v) in parts {
                    sum = self.add_part(sum, at, v)?;
                }
                Ok(sum)
            }
        }
    }

    /// `sum` with `v` added to the part at an offset; in place when nobody else holds `sum`.
    fn add_part(&mut self, sum: Val, at: usize, v: Val) -> Result<Val> {
        let mut old = self.slice(&sum, at, v.shape())?;
        if !v.shape().is_empty() {
            // The part shares its elements with the sum, which is to stay unshared.
            old = self.linear(&Linear::Copy, vec![old])?;
        }
        let new = self.plus(old, v)?;
        self.update(sum, at, new)
    }

    fn plus(&mut self, a: Val, b: Val) -> Result<Val> {
        match a.elem() {
            Some(elem) if a.shape().is_empty() => self.prim(elem.plus(), &[&a, &b]),
            // mutant: addition is commutative
            _ => self.linear(&Linear::Plus, vec![a, b]),
        }
    }

    /// Adds to a node's adjoint.
    pub(super) fn add_whole(&mut self, pass: &Pass<impl Store>, n: NodeId, v: Val) -> Result<()> {
        pass.store.change(n, |adjoint| {
            let sum = match std::mem::take(adjoint) {
                Adjoint::Zero => v,
                Adjoint::Whole(old) => self.plus(old, v)?,
                Adjoint::Parts(parts) => {
                    let mut sum = v;
                    for (at, v) in parts {
                        sum = self.add_part(sum, at, v)?;
                    }
                    sum
                }
            };
            *adjoint = Adjoint::Whole(sum);
            Ok(())
        })
    }

    /// Adds to the part of a node's adjoint at an offset.
    pub(super) fn add_at(&mut self, pass: &Pass<impl Store>, n: NodeId, at: usize, v: Val) -> Result<()> {
        let node = &pass.tape.nodes[n.0 as usize];
        pass.store.change(n, |adjoint| {
            *adjoint = match std::mem::take(adjoint) {
                Adjoint::Zero => Adjoint::Parts(vec![(at, v)]),
                Adjoint::Whole(sum) => Adjoint::Whole(self.add_part(sum, at, v)?),
                Adjoint::Parts(mut parts) => {
                    parts.push((at, v));
                    // More parts than elements take more room than the array.
                    if parts.len() > count(node.shape()) {
                        Adjoint::Whole(self.whole(pass.tape, n, Adjoint::Parts(parts))?)
                    } else {
                        Adjoint::Parts(parts)
                    }
                }
            };
            Ok(())
        })
    }

    /// Sends a node's adjoint on to its operands.
    pub(super) fn fire(&mut self, pass: &Pass<impl Store>, n: NodeId, ready: &mut Vec<NodeId>) -> Result<()> {
        self.counters.fired += 1;
        self.tick()?;
        let node = &pass.tape.nodes[n.0 as usize];
        if let Op::Input | Op::Lift(_) = node.op {
            return Ok(());
        }
        match (pass.store.change(n, std::mem::take), &node.op) {
            (Adjoint::Zero, _) => {}
            (Adjoint::Parts(parts), Op::Index { array, at: offset }) => {
                for (at, v) in parts {
                    self.add_at(pass, *array, offset + at, v)?;
                }
            }
            (Adjoint::Parts(parts), Op::Reshape(array)) => {
                for (at, v) in parts {
                    self.add_at(pass, *array, at, v)?;
                }
            }
            (Adjoint::Parts(parts), Op::Pack(rows)) if parts_fit_rows(&parts, node.shape()) => {
                let m: usize = count(&node.shape()[1..]);
                for (at, v) in parts {
                    let row = rows[at / m];
                    if !row.is_some() {
                        continue;
                    }
                    match &node.shape()[1..] {
                        [] => {
                            // A part of one element may be an array of it.
                            let element = if v.shape().is_empty() { v } else { self.slice(&v, 0, &[])? };
                            self.add_whole(pass, row, element)?;
                        }
                        shape if *shape == *v.shape() => self.add_whole(pass, row, v)?,
                        _ => self.add_at(pass, row, at % m, v)?,
                    }
                }
            }
            (Adjoint::Parts(parts), Op::Prim { .. }) => {
                for (at, mut v) in parts {
                    if v.shape().len() > 1 {
                        // It has come through a reshape; scalar operators are applied to arrays of one dimension.
                        v = self.linear(&Linear::Reshape { shape: &[v.count()] }, vec![v])?;
                    }
                    self.propagate_prim(pass, n, v, Some(at))?;
                }
            }
            (Adjoint::Parts(parts), Op::Custom(applied)) => self.fire_custom(pass, applied, parts)?,
            (adjoint, _) => {
                let adjoint = self.whole(pass.tape, n, adjoint)?;
                self.propagate(pass, n, adjoint)?;
            }
        }
        node.op.operands(|operand| {
            if pass.store.arrived(operand) {
                ready.push(operand);
            }
        });
        Ok(())
    }

    /// What the adjoint `y` of a scalar operator adds to those of its operands; of an operator on arrays perhaps only the part from an offset on.
    fn propagate_prim(&mut self, pass: &Pass<impl Store>, n: NodeId, y: Val, part: Option<usize>) -> Result<()> {
        let tape = pass.tape;
        let Op::Prim { op, operands, kept, reads } = &tape.nodes[n.0 as usize].op else { return Ok(()) };
        let table = self.partials(*op)?;
        let mut kept = tape.kept[*kept as usize..].iter();
        let mut values = [Val::Gone, Val::Gone, Val::Gone, Val::Gone];
        for (v, bit) in values.iter_mut().zip([1, 2, 4, READS_RESULT]) {
            if reads & bit != 0
                && let Some(read) = kept.next()
            {
                *v = match part {
                    Some(at) if !read.shape().is_empty() => self.slice(read, at, y.shape())?,
                    _ => read.clone(),
                };
            }
        }
        let [args @ .., result] = &values;
        for (i, operand) in operands.iter().enumerate().filter(|(_, n)| n.is_some()) {
            let types = (table.result, table.args[i]);
            let Some(v) = table.partials[i].contribution(self, args, result, &y, types)? else { continue };
            let scalar = tape.nodes[operand.0 as usize].shape().is_empty();
            // What a switch has sent may be the same for all rows.
            // mutant dropped term `!scalar && v.shape().is_empty()` -> `v.shape().is_empty()`: what is the same for all rows although their adjoints
            //   are not is a zero that a switch has sent, and so is the sum of as many as there are rows
            let same = !scalar && v.shape().is_empty() && !y.shape().is_empty();
            let v = if same { self.linear(&Linear::Replicate { shape: y.shape() }, vec![v])? } else { v };
            match part {
                Some(at) if !scalar => self.add_at(pass, *operand, at, v)?,
                _ if scalar && !v.shape().is_empty() => {
                    // a scalar that all rows have used
                    let sum = self.linear(&Linear::Sum { shape: &[] }, vec![v])?;
                    self.add_whole(pass, *operand, sum)?;
                }
                _ => self.add_whole(pass, *operand, v)?,
            }
        }
        Ok(())
    }

    /// What the adjoint `y` of a node adds to those of its operands.
    fn propagate(&mut self, pass: &Pass<impl Store>, n: NodeId, y: Val) -> Result<()> {
        let tape = pass.tape;
        let node = &tape.nodes[n.0 as usize];
        let shape_of = |n: NodeId| tape.nodes[n.0 as usize].shape();
        match &node.op {
            Op::Input | Op::Lift(_) => {}
            Op::Prim { .. } => self.propagate_prim(pass, n, y, None)?,
            Op::Index { array, at } => self.add_at(pass, *array, *at, y)?,
            Op::Update { array, at, value, shape } => {
                if value.is_some() {
                    let mut part = self.slice(&y, *at, shape)?;
                    if !shape.is_empty() {
                        part = self.linear(&Linear::Copy, vec![part])?;
                    }
                    self.add_whole(pass, *value, part)?;
                }
                if array.is_some() {
                    let rest = self.update(y, *at, self.zeros(node.elem, shape))?;
                    self.add_whole(pass, *array, rest)?;
                }
            }
            Op::Pack(rows) => {
                let row = &node.shape()[1..];
                let m: usize = count(row);
                for (i, n) in rows.iter().enumerate().filter(|(_, n)| n.is_some()) {
                    let part = self.slice(&y, i * m, row)?;
                    self.add_whole(pass, *n, part)?;
                }
            }
            Op::Replicate(x) => {
                let sum = self.linear(&Linear::Sum { shape: shape_of(*x) }, vec![y])?;
                self.add_whole(pass, *x, sum)?;
            }
            Op::Rearrange(x, perm) => {
                let mut inverse = vec![0; perm.len()];
                perm.iter().enumerate().for_each(|(i, p)| inverse[*p] = i);
                let back = self.linear(&Linear::Rearrange { perm: &inverse }, vec![y])?;
                self.add_whole(pass, *x, back)?;
            }
            Op::Reshape(x) => {
                let back = self.linear(&Linear::Reshape { shape: shape_of(*x) }, vec![y])?;
                self.add_whole(pass, *x, back)?;
            }
            Op::Reverse(x) => {
                let back = self.linear(&Linear::Reverse, vec![y])?;
                self.add_whole(pass, *x, back)?;
            }
            Op::Concat(parts) => {
                let mut at = 0;
                for (n, count) in parts {
                    if n.is_some() {
                        let part = self.slice(&y, at, shape_of(*n))?;
                        self.add_whole(pass, *n, part)?;
                    }
                    at += count;
                }
            }
            Op::Plus(a, b) => {
                if a.is_some() {
                    self.add_whole(pass, *a, y.clone())?;
                }
                if b.is_some() {
                    self.add_whole(pass, *b, y)?;
                }
            }
            Op::Sum(x) => {
                let outer = &shape_of(*x)[..shape_of(*x).len() - node.shape().len()];
                let back =
                    if outer.is_empty() { y } else { self.linear(&Linear::Replicate { shape: outer }, vec![y])? };
                self.add_whole(pass, *x, back)?;
            }
            op => self.propagate_strided(pass, op, y)?,
        }
        Ok(())
    }
}

/// Whether each part lies within one row. (One without elements may lie behind the last; where there are others, rows have elements.)
fn parts_fit_rows(parts: &[(usize, Val)], shape: &[usize]) -> bool {
    let m: usize = count(&shape[1..]);
    parts.iter().all(|(at, v)| v.count() > 0 && at % m + v.count() <= m)
}
