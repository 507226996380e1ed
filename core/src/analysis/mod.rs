//! What passes ask of a program before they change it. Nothing here changes one.

pub mod alias;
pub mod uses;
