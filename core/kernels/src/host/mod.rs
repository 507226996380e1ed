//! The host's program: what it is ([`ir`]).

pub mod ir;
