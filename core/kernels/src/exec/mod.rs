//! What a kernel means: an executor of a launch on the host. Invocations run in turns that a seed chooses, some groups at a time; what must not depend on the turns is reported, not what
//! happens to come out.
//!
//! Host programs run on it, too: [`device`] is a machine for them, and [`backend`] a backend.
//!
//! [`Code::of`] makes code of a kernel, and [`run`] runs it: `code` has the steps, `setup` what is settled before a launch, `machine` takes the steps, for the groups of `group`, on the
//! bytes of [`memory`]; `clock` and `shadow` find races, `unset` uses of what was never written; [`trap`] has all that a kernel may do wrong.

pub mod backend;
mod clock;
mod code;
mod cost;
pub mod device;
mod group;
mod machine;
pub mod memory;
mod prims;
mod setup;
mod shadow;
pub mod trap;
mod unset;

use crate::ir::Site;
use futi_core::prim::Scalar;

pub use backend::Executor;
pub use code::Code;
pub use cost::cost;
pub use machine::run;
pub use memory::Bytes;
pub use shadow::Touch;
pub use trap::{Trap, TrapKind};

/// What a block of a kernel is in a launch: a part of an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Binding {
    /// Which allocation.
    pub allocation: usize,
    /// Its first byte, a multiple of the size of an element.
    pub start: usize,
    /// How many elements.
    pub len: usize,
}

/// How a kernel is launched.
#[derive(Clone, Debug)]
pub struct Launch {
    /// How many groups.
    pub groups: u32,
    /// How many invocations a group has.
    pub group_size: u32,
    /// How many invocations a subgroup has.
    pub subgroup_size: u32,
    /// The scalars.
    pub params: Vec<Scalar>,
    /// The blocks. One that the kernel changes has elements of another one only if nothing in the kernel orders what invocations do: no barrier, no fence, nothing that acquires.
    pub blocks: Vec<Binding>,
    /// Chooses the turns, and the order in which groups begin.
    pub seed: u64,
    /// How many steps all invocations may take together.
    pub budget: u64,
}

/// A failure of the program, which a kernel has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Where in the kernel.
    pub site: Site,
    /// At which point.
    pub point: i64,
    /// The operands.
    pub operands: Vec<i64>,
}

/// How much a launch has done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Steps of code.
    pub steps: u64,
    /// Scalar operators of the kernel.
    pub operations: u64,
    /// Bytes read from blocks, by atomic operations, too.
    pub reads: u64,
    /// Bytes written to blocks, likewise.
    pub writes: u64,
    /// Atomic operations.
    pub atomics: u64,
    /// Barriers, once for each group.
    pub barriers: u64,
}

/// What a launch ends with.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outcome {
    /// The failure that counts, if there is one.
    pub failure: Option<Failure>,
    /// How much it has done.
    pub counts: Counts,
}
