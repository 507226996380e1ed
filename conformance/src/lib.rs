//! The conformance harness: holds the interpreter, every pass and every backend against each other, against expected outputs and against numerics.

pub mod applies;
pub mod derive;
pub mod numeric;
pub mod random;
pub mod spec;
pub mod widen;
