//! Which registers hold what was never written.

// Note [What was never written]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// An array of which no element or only some have been written may be moved: rows of it become rows of a result, one buffer of a loop is copied to the other. So a value that was never written
// may be loaded, chosen and stored, which leaves it one that was never written. It may not be used: nothing is computed from it, nor decided, found or told to others by it. The host does not read it
// either, so that no result of the program is one.

use super::code::{Code, Op, Reg};

/// An element that was never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unwritten {
    /// The array, by its number in the code.
    pub(super) array: u32,
    pub(super) element: usize,
}

/// The registers of an invocation that hold what was never written, and where it is from.
#[derive(Clone, Default, Debug)]
pub(super) struct Unset(Vec<(Reg, Unwritten)>);

impl Unset {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What a register holds, if it was never written.
    pub(super) fn of(&self, reg: Reg) -> Option<Unwritten> {
        self.0.iter().find(|(own, _)| *own == reg).map(|(_, from)| *from)
    }

    /// A register holds it now.
    pub(super) fn add(&mut self, reg: Reg, from: Unwritten) {
        self.forget(reg);
        self.0.push((reg, from));
    }

    fn forget(&mut self, reg: Reg) {
        self.0.retain(|(own, _)| *own != reg);
    }

    /// What comes of a step that is about to be taken on these registers; what it uses that was never written, if it does.
    pub(super) fn step(&mut self, op: &Op, code: &Code, registers: &[u64]) -> Result<(), Unwritten> {
        let moved = match op {
            Op::Copy { x, .. } | Op::Store { x, .. } => Some(*x),
            Op::Select { cond, x, y, .. } => Some(if registers[*cond as usize] != 0 { *x } else { *y }),
            _ => None,
        };
        let used = match op {
            Op::Copy { .. } => vec![],
            Op::Store { index, .. } => vec![*index],
            Op::Select { cond, .. } => vec![*cond],
            _ => op.reads(code),
        };
        if let Some(from) = used.into_iter().find_map(|reg| self.of(reg)) {
            return Err(from);
        }
        if let Some(to) = op.sets(code) {
            match moved.and_then(|reg| self.of(reg)) {
                Some(from) => self.add(to, from),
                None => self.forget(to),
            }
        }
        Ok(())
    }
}
