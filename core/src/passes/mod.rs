//! The passes: each takes a program and returns one that means the same. A pipeline is a list of them ([`pipeline`]).

pub mod accumulators;
pub mod alias;
pub mod carried;
pub mod combine;
pub mod copies;
pub mod cse;
pub mod dce;
pub mod derivatives;
pub mod flatten;
pub mod fuse;
pub mod guard;
pub mod histograms;
pub mod hoist;
pub mod inline;
pub mod pipeline;
pub mod simplify;
#[cfg(test)]
mod tests;
