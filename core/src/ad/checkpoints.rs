//! What reverse mode keeps of loops: what it may keep, and what it has chosen to.

use crate::ir::Prov;
use std::fmt;

/// What differentiation is to heed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The bytes that the states which reverse mode keeps of a loop may take: where those of all trips may take more, some are kept and trips are executed
    /// again (binomial checkpointing). All are kept if it is `None`, and of a loop with the attribute `stripmine` what that says.
    pub checkpoints: Option<u64>,
}

/// What reverse mode keeps of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// The state at the beginning of every trip.
    All,
    /// The same, but for so many arrays that are updated in place without losing a value.
    Settled(usize),
    /// The state at the beginning of every trip, of each of so many loops that the attribute `stripmine` has made of it.
    StripMined(i64),
    /// As many states as there is room for.
    Binomial {
        /// The room, in bytes.
        budget: u64,
        /// The bytes of a state, if they are known.
        state: Option<u64>,
    },
}

/// What was chosen for the loop at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// The loop.
    pub prov: Prov,
    /// What is kept of it.
    pub chosen: Chosen,
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chosen::All => {
                f.write_str("the state at the beginning of every trip is kept, and every trip executed twice")
            }
            Chosen::Settled(1) => f.write_str(
                "the state at the beginning of every trip is kept, but for an array that is updated in place without losing a value",
            ),
            Chosen::Settled(n) => write!(
                f,
                "the state at the beginning of every trip is kept, but for {n} arrays that are updated in place without losing a value"
            ),
            Chosen::StripMined(k) => {
                write!(
                    f,
                    "strip-mined into {k} loops, each of which keeps its states; every trip is executed {} times",
                    k + 1
                )
            }
            Chosen::Binomial { budget, state: Some(state) } => {
                let room = (*budget / (*state).max(1)).max(1);
                write!(f, "binomial checkpoints: up to {room} states of {state} bytes are kept, in {budget} bytes")
            }
            Chosen::Binomial { budget, state: None } => {
                write!(f, "binomial checkpoints: as many states are kept as {budget} bytes hold")
            }
        }
    }
}
