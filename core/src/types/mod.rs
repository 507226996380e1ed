//! The type checker: from the syntax tree to the typed program.
//!
//! Hindley-Milner inference with sizes. [`ty`] has the types, [`typed`] the result, [`env`](mod@env) what names mean; `unify` makes
//! types equal, `infer` and `binding` go over expressions, `texp` over types as written, `check` over declarations,
//! `finish` makes a definition's types final, `causality` sees that sizes are computed before they are needed.

mod binding;
mod causality;
mod check;
pub mod env;
mod finish;
mod infer;
#[cfg(test)]
mod tests;
mod texp;
pub mod ty;
pub mod typed;
mod unify;

pub use check::{builtin, check, check_expr};
