//! The Futi language and its IR. See README.md for the map of the house.

pub mod ad;
pub mod backend;
pub mod entry;
pub mod failure;
pub mod ir;
pub mod passes;
pub mod prim;
pub mod value;
