//! Passes: each takes an IR program and returns one that means the same.

pub mod flatten;
