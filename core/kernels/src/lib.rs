//! Kernels, between the flat IR and a device: what they are ([`ir`]), how they are made ([`build`]) and written ([`mod@print`], [`parse`]), what they must be ([`check`]), and what they
//! mean: an executor on the host ([`exec`]), which finds races, missing barriers, reads of memory that nobody wrote, and accesses out of bounds, without a device. [`host`] is what the
//! host does before, between and behind kernels; [`explain`] says what has become of a program's constructs. [`removal`] makes kernels wrong, for those who look for what is wrong.

pub mod build;
pub mod check;
pub mod exec;
pub mod explain;
pub mod generate;
pub mod host;
pub mod ir;
pub mod parse;
pub mod print;
pub mod removal;
mod tokens;
