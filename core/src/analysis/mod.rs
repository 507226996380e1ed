//! What passes ask of a program before they change it. Nothing here changes one.

pub mod alias;
pub mod liveness;
pub mod may_fail;
pub mod uses;
