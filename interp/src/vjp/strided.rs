//! Adjoints of slices, views by strides, and rotation.

use super::reverse::{Pass, Store};
use super::trace::Op;
use crate::eval::linear::Linear;
use crate::eval::strided::Lmad;
use crate::eval::val::Val;
use crate::eval::{Machine, Result};
use futi_core::failure::RuntimeError;
use futi_core::hash::HashSet;
use futi_core::value::count;

impl Machine<'_> {
    /// What the adjoint `y` of such a node, or of a custom function's result, adds to those of its operands.
    pub(super) fn propagate_strided(&mut self, pass: &Pass<impl Store>, op: &Op, y: Val) -> Result<()> {
        match op {
            Op::Rotate(x, by) => {
                let back = self.linear(&Linear::Rotate { by: by.wrapping_neg() }, vec![y])?;
                self.add_whole(pass, *x, back)
            }
            Op::Gather { array, lmad } => self.add_spread(pass, *array, lmad, y),
            Op::Spread { part, lmad } => {
                let part_of = self.linear(&Linear::Gather { lmad }, vec![y])?;
                self.add_whole(pass, *part, part_of)
            }
            Op::Put { array, value, lmad } => {
                if value.is_some() {
                    let mut part = self.linear(&Linear::Gather { lmad }, vec![y.clone()])?;
                    for loser in overwritten(lmad, y.count())? {
                        let zero = self.zeros(pass.tape.nodes[value.0 as usize].elem, &[]);
                        part = self.update(part, loser, zero)?;
                    }
                    self.add_whole(pass, *value, part)?;
                }
                if array.is_some() {
                    let zeros = self.zeros(pass.tape.nodes[array.0 as usize].elem, &lmad.shape());
                    let rest = self.linear(&Linear::Put { lmad }, vec![y, zeros])?;
                    self.add_whole(pass, *array, rest)?;
                }
                Ok(())
            }
            Op::Result { of, part } => self.hand_result(pass, *of, *part, y),
            op => Err(RuntimeError::internal(format!("{op:?} on the way back"))),
        }
    }

    /// Adds at a descriptor's positions of a node's adjoint: element by element when they are few, so that many small parts of a large array cost no more
    /// than what they hold.
    fn add_spread(&mut self, pass: &Pass<impl Store>, n: super::NodeId, lmad: &Lmad, y: Val) -> Result<()> {
        let shape = pass.tape.nodes[n.0 as usize].shape();
        let len: usize = count(shape);
        if lmad.count() > len / 16 {
            let sum = self.linear(&Linear::Spread { lmad, shape }, vec![y])?;
            return self.add_whole(pass, n, sum);
        }
        for (i, at) in lmad.positions(len)?.into_iter().enumerate() {
            let element = self.slice(&y, i, &[])?;
            self.add_at(pass, n, at, element)?;
        }
        Ok(())
    }
}

/// Which elements of a part, in row-major order, do not win their position because a later one has it too.
fn overwritten(lmad: &Lmad, len: usize) -> Result<Vec<usize>> {
    let mut taken = HashSet::default();
    let positions = lmad.positions(len)?;
    Ok((0..positions.len()).rev().filter(|i| !taken.insert(positions[*i])).collect())
}
