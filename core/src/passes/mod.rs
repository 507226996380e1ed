//! The passes: each takes a program and returns one that means the same. A pipeline is a list of them.

pub mod dce;
pub mod flatten;
pub mod inline;
