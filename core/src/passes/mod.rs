//! The passes but for differentiation ([`crate::ad`]) and the simplifier ([`mod@crate::simplify`]): each takes a program and returns one that means the same. A
//! pipeline is a list of them ([`crate::driver::pipeline`]).

pub mod accumulators;
pub mod combine;
pub mod flatten;
pub mod fuse;
pub mod guard;
pub mod histograms;
pub mod inline;
pub mod plain;
#[cfg(test)]
mod tests;
