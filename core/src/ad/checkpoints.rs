//! What reverse mode keeps of loops: what it may keep, and what it has chosen to.

use crate::budget::Budget;
use crate::ir::Prov;
use std::fmt;

/// What differentiation is to heed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The bytes that the states which reverse mode keeps of a loop may take: where those of all trips may take more, some are kept and trips are executed
    /// again (binomial checkpointing). All are kept if it is `None`, and of a loop with the attribute `stripmine` what that says.
    pub checkpoints: Option<u64>,
    /// The nodes that compiling the program may make; [`Budget::DEFAULT`] if it is `None`. The code of all calls in their places, and that of a derivative, may
    /// have as many statements as one value may have nodes.
    pub nodes: Option<u64>,
}

impl Options {
    /// The most statements of code that a pass may make of calls, or of a derivative.
    pub fn statements(&self) -> u64 {
        Budget::new(self.nodes.unwrap_or(Budget::DEFAULT)).most()
    }
}

/// What reverse mode keeps of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// The state at the beginning of every trip.
    All,
    /// The same, but for arrays that are updated in place.
    InPlace {
        /// So many lose no value: they are kept once.
        settled: usize,
        /// Of so many the overwritten elements are kept.
        overwritten: usize,
    },
    /// The state at the beginning of every trip, of each of so many loops that the attribute `stripmine` has made of it.
    StripMined(i64),
    /// As many states as there is room for.
    Binomial {
        /// The room, in bytes.
        budget: u64,
        /// The bytes of a state, if they are known.
        state: Option<u64>,
        /// So many arrays that are updated in place lose no value: they are no part of a state, and kept once.
        settled: usize,
    },
}

/// What was asked for and is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remark {
    /// `#[true_dep]` is said of an array for which it is not proved.
    TrueDep,
    /// The budget limits no loop whose state changes its shape.
    NoBudget,
    /// `#[stripmine]` is for loops whose number of trips is known before they run.
    NotMined,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Remark::TrueDep => {
                "`#[true_dep]` is not believed, as it is not proved: no element may be written twice, nor be read before it is written"
            }
            Remark::NoBudget => "the budget does not limit that, as the shape of the state changes from trip to trip",
            Remark::NotMined => "`#[stripmine]` is for loops with `for`, and changes nothing",
        })
    }
}

/// What was chosen for the loop at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The loop.
    pub prov: Prov,
    /// What is kept of it.
    pub chosen: Chosen,
    /// What is not done.
    pub remarks: Vec<Remark>,
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chosen::All => {
                f.write_str("the state at the beginning of every trip is kept, and every trip executed twice")
            }
            Chosen::InPlace { settled, overwritten } => {
                f.write_str("the state at the beginning of every trip is kept, but for ")?;
                if *settled > 0 {
                    f.write_str(&kept_once(*settled))?;
                }
                if *settled > 0 && *overwritten > 0 {
                    f.write_str(", and ")?;
                }
                if *overwritten > 0 {
                    write!(f, "{} of which the overwritten elements are kept", arrays(*overwritten))?;
                }
                Ok(())
            }
            Chosen::StripMined(k) => {
                write!(
                    f,
                    "strip-mined into {k} loops, each of which keeps its states; every trip is executed {} times",
                    k + 1
                )
            }
            Chosen::Binomial { budget, state, settled } => {
                match state {
                    Some(state) => {
                        let room = (budget / state.max(&1)).max(1);
                        write!(
                            f,
                            "binomial checkpoints: up to {room} states of {state} bytes are kept, in {budget} bytes"
                        )?;
                    }
                    None => write!(f, "binomial checkpoints: as many states are kept as {budget} bytes hold")?,
                }
                match settled {
                    0 => Ok(()),
                    n => write!(f, "; no part of them is {}", kept_once(*n)),
                }
            }
        }
    }
}

fn arrays(n: usize) -> String {
    if n == 1 { "an array".to_string() } else { format!("{n} arrays") }
}

/// What is said of settled arrays.
fn kept_once(n: usize) -> String {
    let are = if n == 1 { "is" } else { "are" };
    format!("{} that {are} updated in place without losing a value", arrays(n))
}
