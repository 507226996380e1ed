//! A group at work: where each of its invocations is, and what is theirs.

use super::clock::Clock;
use super::code::{Code, Source};
use super::memory::Bytes;
use super::shadow::Shadow;
use super::unset::Unset;
use super::{Launch, trap::TrapKind};
use crate::ir::Builtin;

/// Where an invocation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// It runs.
    Ready,
    /// It waits for its group.
    AtBarrier,
    /// It waits for its subgroup.
    AtExchange,
    /// It has failed, and nobody waits for it.
    Failed,
    /// It is at its end.
    Ended,
}

/// A subgroup.
pub(super) struct Subgroup {
    /// How many have not failed.
    pub(super) live: u32,
    /// How many of them wait for an exchange.
    pub(super) waiting: u32,
}

/// A group.
pub(super) struct Group {
    pub(super) number: u32,
    /// The registers of all invocations, one behind the other.
    pub(super) registers: Vec<u64>,
    /// Those of each that hold what was never written.
    pub(super) unset: Vec<Unset>,
    pub(super) clocks: Vec<Clock>,
    pub(super) states: Vec<State>,
    /// The step at which each is.
    pub(super) at: Vec<usize>,
    /// Those that run, in no order.
    pub(super) ready: Vec<u32>,
    pub(super) subgroups: Vec<Subgroup>,
    /// The arrays of the group, and what has happened to their elements.
    pub(super) shared: Bytes,
    pub(super) shadow: Shadow,
    /// The arrays of its invocations.
    pub(super) private: Bytes,
}

/// What groups begin with.
pub(super) struct Start {
    /// The registers of an invocation, but for its own numbers.
    pub(super) registers: Vec<u64>,
    pub(super) shared_bytes: usize,
    pub(super) shared_elements: usize,
    pub(super) private_bytes: usize,
}

/// What a group does when none of its invocations runs.
pub(super) enum Next {
    /// They go on behind a barrier.
    GoOn,
    /// It is at its end.
    Ended,
}

impl Group {
    pub(super) fn new(launch: &Launch, code: &Code, start: &Start, number: u32) -> Group {
        let (size, wide) = (launch.group_size, launch.subgroup_size);
        let mut registers = Vec::with_capacity(size as usize * code.registers);
        for _ in 0..size {
            registers.extend_from_slice(&start.registers);
        }
        for (reg, source) in &code.sources {
            let Source::Builtin(builtin) = source else { continue };
            for i in 0..size {
                let own = match builtin {
                    Builtin::Group => number,
                    Builtin::Invocation => i,
                    Builtin::Subgroup => i / wide,
                    Builtin::Lane => i % wide,
                    Builtin::Groups | Builtin::GroupSize | Builtin::SubgroupSize => continue,
                };
                registers[i as usize * code.registers + *reg as usize] = own.into();
            }
        }
        let subgroups =
            (0..size.div_ceil(wide)).map(|s| Subgroup { live: wide.min(size - s * wide), waiting: 0 }).collect();
        Group {
            number,
            registers,
            unset: vec![Unset::default(); size as usize],
            clocks: (0..size).map(|i| Clock::new(number * size + i, size)).collect(),
            states: vec![State::Ready; size as usize],
            at: vec![0; size as usize],
            ready: (0..size).collect(),
            subgroups,
            shared: Bytes::new(start.shared_bytes),
            shadow: Shadow::new(start.shared_elements),
            private: Bytes::new(start.private_bytes * size as usize),
        }
    }

    /// Goes on where none runs: all wait at one barrier, or all are at their end. Gives which one does not come, if some wait for it.
    pub(super) fn settle(&mut self) -> Result<Next, (usize, TrapKind)> {
        let waits = |state: State| matches!(state, State::AtBarrier | State::AtExchange);
        let Some(first) = self.states.iter().position(|state| waits(*state)) else { return Ok(Next::Ended) };
        let place = self.at[first];
        let comes =
            |i: usize| self.states[i] == State::Failed || self.states[i] == State::AtBarrier && self.at[i] == place;
        if let Some(other) = (0..self.states.len()).find(|i| !comes(*i)) {
            // who has ended does not come, rather than who waits
            let ended = self.states.iter().position(|state| *state == State::Ended);
            return Err((ended.unwrap_or(other), TrapKind::Divergence));
        }
        if self.states.contains(&State::Failed) {
            return Ok(Next::Ended);
        }
        Clock::barrier(&mut self.clocks);
        self.at.iter_mut().for_each(|at| *at += 1);
        self.states.fill(State::Ready);
        self.ready = (0..self.states.len() as u32).collect();
        Ok(Next::GoOn)
    }
}
