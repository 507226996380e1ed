//! What puts the parts together: from files to a program ([`compile`]), and from a program to the stage that a backend asks for ([`pipeline`]).

pub mod compile;
pub(crate) mod imports;
pub mod pipeline;
