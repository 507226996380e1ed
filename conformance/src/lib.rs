//! The conformance harness: holds the interpreter, every pass and every backend against each other, against expected outputs and against numerics.

pub mod spec;
