//! What the host does: the program as data ([`ir`]), its text ([`mod@print`], [`parse`]), what it must be ([`check`]), what it means on any machine ([`run`]), what that has
//! cost ([`tally`]), and how memory is dealt with ([`options`]).

pub mod check;
pub mod ir;
pub mod options;
pub mod parse;
pub mod print;
#[cfg(test)]
mod roundtrip;
pub mod run;
mod sizes;
pub mod tally;

pub use check::CheckedHost;
pub use ir::HostProgram;
