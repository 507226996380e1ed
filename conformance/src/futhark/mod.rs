//! Other implementations of the language: executables that speak Futhark's server protocol (futhark-compat.md §5.2), and the compiler that makes them.
//!
//! [`Server`] is a running executable; [`Reference`] says how one is made from a source program. What a server cannot do is told apart: the program's
//! own failure is a result, a process that crashes, hangs or talks nonsense is [`Broken`].

mod reference;
mod server;
#[cfg(test)]
mod tests;

pub use crate::process::{Breakage, Broken, Limits};
pub use reference::{Loaded, Reference, Refused};
pub use server::{Ran, Server};
