//! The type checker: from the syntax tree to the typed program.
//!
//! Hindley-Milner inference with sizes. [`ty`] has the types, [`typed`] the result, [`env`](mod@env) what names mean; `unify` makes
//! types equal, `infer` and `binding` go over expressions, `texp` over types as written, `check` over declarations,
//! `finish` makes a definition's types final, `causality` sees that sizes are computed before they are needed, `consume` that nothing is used
//! after its consumption, `unused` which names nothing uses.

mod apply;
mod binding;
mod causality;
mod check;
mod consume;
mod declared;
pub mod env;
mod exhaustive;
mod finish;
mod hint;
mod infer;
mod mismatch;
mod modules;
mod opened;
mod own_sizes;
mod parts;
mod pattern;
mod recursion;
mod renamed;
mod sizes;
#[cfg(test)]
mod tests;
mod texp;
pub mod ty;
pub mod typed;
mod unify;
mod unused;

pub use check::{builtin, check, check_expr, check_import};
