//! Generated programs: what nobody thought of writing down.

pub mod ir;
pub mod order;
pub mod source;
pub mod views;

use futi_core::ir::Program;
use futi_core::value::Value;

/// The entry point of a generated program.
pub const ENTRY: &str = "main";

/// A generated program and an input: all that an oracle needs.
#[derive(Clone, PartialEq, Debug)]
pub struct Generated {
    /// A well-formed program with the entry point [`ENTRY`].
    pub program: Program,
    /// The arguments of the IR function, sizes included.
    pub args: Vec<Value>,
}
