//! What a kernel does that it may not.

use super::shadow::Touch;
use crate::ir::Ident;
use futi_core::ir::Prov;
use std::fmt;

/// A fault of a kernel: of the compiler, not of the program.
#[derive(Clone, PartialEq, Debug)]
pub struct Trap {
    /// What.
    pub kind: TrapKind,
    /// The kernel.
    pub kernel: Ident,
    /// Where in the program the kernel comes from.
    pub prov: Prov,
    /// The first line of the statement, if it is one that does it.
    pub statement: Option<String>,
    /// The group, and the invocation of it, if it is one that does it.
    pub invocation: Option<(u32, u32)>,
}

/// What a kernel may not do.
#[derive(Clone, PartialEq, Debug)]
pub enum TrapKind {
    /// Two accesses of an element that nothing orders, one of them a write, and not both atomic of scopes that hold both.
    Race {
        /// The array.
        array: String,
        /// The element.
        element: usize,
        /// What the invocation does.
        touch: Touch,
        /// What another one has done.
        other: Touch,
        /// The other one: its group, and its number in it.
        by: (u32, u32),
    },
    /// A use of an element that was never written.
    Unwritten {
        /// The array.
        array: String,
        /// The element.
        element: usize,
    },
    /// An access outside of an array.
    OutOfBounds {
        /// The array.
        array: String,
        /// The element.
        element: i64,
        /// How many it has.
        len: usize,
    },
    /// An access that the kernel does not declare.
    Undeclared {
        /// The array.
        array: String,
    },
    /// Some wait at a barrier or for an exchange, and others, who have not failed, do not come there.
    Divergence,
    /// An exchange with an invocation that is not in the subgroup, or has failed.
    Absent {
        /// Its number in the subgroup.
        lane: i64,
    },
    /// The step of a loop is not above zero, or the variable's type has no value for the next round.
    Step,
    /// It has taken as many steps as the launch allows: it waits for something that does not come.
    Endless,
    /// It is launched in a way that it does not allow.
    Launch(String),
}

impl TrapKind {
    /// Its name, as tests say it.
    pub fn name(&self) -> &'static str {
        match self {
            TrapKind::Race { .. } => "Race",
            TrapKind::Unwritten { .. } => "Unwritten",
            TrapKind::OutOfBounds { .. } => "OutOfBounds",
            TrapKind::Undeclared { .. } => "Undeclared",
            TrapKind::Divergence => "Divergence",
            TrapKind::Absent { .. } => "Absent",
            TrapKind::Step => "Step",
            TrapKind::Endless => "Endless",
            TrapKind::Launch(_) => "Launch",
        }
    }
}

fn touches(touch: Touch) -> &'static str {
    match touch {
        Touch::Read => "reads",
        Touch::Write => "writes",
        Touch::AtomicRead => "reads atomically",
        Touch::AtomicWrite => "updates atomically",
    }
}

impl fmt::Display for TrapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrapKind::Race { array, element, touch, other, by: (group, invocation) } => {
                let (touch, other) = (touches(*touch), touches(*other));
                write!(
                    f,
                    "it {touch} {array}[{element}], which invocation {invocation} of group {group} {other}: nothing orders the two"
                )
            }
            TrapKind::Unwritten { array, element } => write!(f, "it uses {array}[{element}], which was never written"),
            TrapKind::OutOfBounds { array, element, len } => write!(f, "{array}[{element}] of {len} elements"),
            TrapKind::Undeclared { array } => write!(f, "the kernel does not declare that it accesses {array} so"),
            TrapKind::Divergence => write!(f, "others wait, and it does not come"),
            TrapKind::Absent { lane } => {
                write!(f, "invocation {lane} of the subgroup does not take part in the exchange")
            }
            TrapKind::Step => write!(f, "the loop does not step to its end"),
            TrapKind::Endless => write!(f, "the launch takes too many steps"),
            TrapKind::Launch(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in kernel {}: {}", self.kind.name(), self.kernel, self.kind)?;
        if let Some(statement) = &self.statement {
            write!(f, ", in `{statement}`")?;
        }
        self.invocation
            .iter()
            .try_for_each(|(group, invocation)| write!(f, " (invocation {invocation} of group {group})"))
    }
}

impl std::error::Error for Trap {}
