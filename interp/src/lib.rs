//! The reference interpreter: it defines what a program of the IR means, and what `jvp` and `vjp` of it mean.
//!
//! [`Code::new`] turns a program into slots and last uses, [`Code::call`] runs a function of it under a [`Ctx`]; [`eval`] does both.
//! Derivatives are taken by definition, never by a rule for a parallel construct: `jvp` runs a function on dual numbers, `vjp` runs it once on
//! traced values and walks the trace backwards (van Hus, *Maintaining parallelism in reverse-mode AD*). Neither `core::ad` nor `core::passes` is
//! used here: this crate is what they are held against.
//!
//! The map: [`ctx`] is what a run counts, bounds and perturbs; `eval/` the tree-walker (`code` and `compile` its input, `val` its values, `linear`
//! and `prim` what can be done to them, `soac` and a file each the parallel nodes, `failures` and `strict` what is reported, `kernel/` scalar code
//! compiled); `jvp` dual numbers; `vjp/` the trace and its reversal; [`backend`] the
//! interpreter as a backend.

pub mod backend;
pub mod ctx;
mod eval;
mod jvp;
#[cfg(test)]
mod testing;
mod vjp;

pub use backend::Interpreter;
pub use ctx::{Counters, Ctx, KernelCounters, NodeKind, Partition, Question, Rounds, Stopped};
pub use eval::Code;
pub use vjp::{Keep, Trace, trace};

use futi_core::failure::RuntimeError;
use futi_core::ir::Program;
use futi_core::value::Value;

/// Runs a function of a program. Arguments and results are the function's parameters and results, leading sizes included.
///
/// The program is expected to be well-formed; one that is not gives an internal error at worst. Whoever calls a function more than once, or wants
/// its unique arguments updated in place, uses [`Code`].
///
/// # Errors
/// What the program fails with, wrong arguments, a limit of the context, or a name that is no function of the program.
pub fn eval(program: &Program, fun: &str, args: &[Value], ctx: &Ctx) -> Result<Vec<Value>, RuntimeError> {
    Code::new(program)?.call(fun, args.to_vec(), ctx)
}
