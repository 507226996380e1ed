//! The Futi language and its IR. See README.md for the map of the house.

pub mod ad;
pub mod analysis;
pub mod backend;
pub mod budget;
mod compile;
pub mod diag;
pub mod entry;
pub mod failure;
pub mod hash;
mod imports;
pub mod ir;
pub mod lower;
pub mod passes;
pub mod prelude;
pub mod prim;
pub mod session;
pub mod source;
pub mod syntax;
pub mod types;
pub mod value;

pub use compile::{Compiled, Settings, compile, compile_with};
pub use imports::files::{Imported, ProgramFile, ProgramFiles, program_files};
