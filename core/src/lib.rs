//! The Futi language and its IR. See README.md for the map of the house.

pub mod ad;
pub mod analysis;
pub mod backend;
pub mod budget;
pub mod diag;
pub mod driver;
pub mod entry;
pub mod failure;
pub mod hash;
pub mod ir;
pub mod lower;
pub mod passes;
pub mod prelude;
pub mod prim;
pub mod session;
pub mod simplify;
pub mod source;
pub mod syntax;
pub mod types;
pub mod value;

pub use driver::compile::{Compiled, Settings, compile, compile_with};
pub use driver::imports::files::{Imported, ProgramFile, ProgramFiles, program_files};
