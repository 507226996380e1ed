//! From a parallel nest of the IR to the GLSL of a kernel, as text and plain data: nothing here needs a device.
//!
//! [`map_kernel`] makes one invocation of each point; [`reduce_kernel`] makes workgroups of segments. The code of a point is sequential, whatever it
//! has inside: `body` writes statements, `soac` writes SOACs as loops, `array` knows where arrays are, `acc` updates accumulators.

mod acc;
mod array;
mod body;
mod emit;
mod nest;
mod soac;
#[cfg(test)]
mod tests;

pub use acc::scalar_operator;
pub use emit::{Context, Emitted, Refusal};
pub use nest::{map_kernel, reduce_kernel};

use futi_core::ir::{Check, Prim, Prov, Scalar, ScalarType, SubExp, Var};

/// A word of a kernel's argument block.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// The address of the failure buffer.
    Failure,
    /// How many points the nest has; of a reduction, how many segments.
    Points,
    /// How many invocations there are.
    Threads,
    /// Into how many chunks each segment is cut.
    Chunks,
    /// The value of a variable of the host.
    Scalar(Var),
    /// The address of a scalar that the host has not seen.
    Cell(Var),
    /// The address of an array.
    Array(Var),
    /// The address of a result.
    Result(usize),
    /// The address of memory for an array of each invocation, an element of all invocations after the other.
    Scratch(usize),
}

/// A number that the host can work out before the launch, from its own variables.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// A constant.
    Lit(Scalar),
    /// A variable of the host.
    Var(Var),
    /// An operator applied.
    Op(Prim, Vec<Known>),
}

impl Known {
    /// Its value, given those of variables.
    pub fn eval<E>(&self, var: &mut dyn FnMut(Var) -> Result<Scalar, E>) -> Result<Scalar, E> {
        match self {
            Known::Lit(x) => Ok(*x),
            Known::Var(v) => var(*v),
            Known::Op(prim, args) => {
                let args: Result<Vec<Scalar>, E> = args.iter().map(|arg| arg.eval(var)).collect();
                Ok(prim.eval(&args?))
            }
        }
    }
}

/// An array that each invocation has for itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Scratch {
    /// The type of its elements.
    pub elem: ScalarType,
    /// Its dimensions.
    pub shape: Vec<Known>,
}

/// How many scalar operations a piece of code executes, as far as the host can tell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cost {
    /// So many, and these.
    Sum(u64, Vec<Cost>),
    /// So many times; once if the number is not known.
    Times(Option<Known>, Box<Cost>),
    /// The larger.
    Max(Box<Cost>, Box<Cost>),
}

impl Cost {
    /// Its value, given those of variables.
    pub fn eval<E>(&self, var: &mut dyn FnMut(Var) -> Result<Scalar, E>) -> Result<u64, E> {
        Ok(match self {
            Cost::Sum(own, parts) => {
                parts.iter().try_fold(*own, |sum, part| Ok(sum.saturating_add(part.eval(var)?)))?
            }
            Cost::Times(times, cost) => {
                let times = times.as_ref().map_or(Ok(Scalar::I64(1)), |times| times.eval(var))?;
                cost.eval(var)?.saturating_mul(times.to_f64().max(0.0) as u64)
            }
            Cost::Max(a, b) => a.eval(var)?.max(b.eval(var)?),
        })
    }
}

/// A place where a kernel can fail. Its number in the failure buffer is its position among all of the program's, plus one.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// The check.
    pub check: Check,
    /// The statement.
    pub prov: Prov,
}

impl Site {
    /// The operands that are reported, in order.
    pub fn operands(&self) -> Vec<SubExp> {
        self.check.operands()
    }
}

/// Bytes of the failure buffer: the number of the site in the first word, from byte 8 on the operands as `i64`.
pub const FAILURE_BYTES: u64 = 1024;

/// What stands for the site where an invocation ran into [`crate::device::Caps::loop_limit`].
pub const ROUNDS: u32 = u32::MAX;

/// The most operands that fit.
pub const MAX_OPERANDS: usize = (FAILURE_BYTES as usize - 8) / 8;

/// A kernel before it is compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The whole GLSL.
    pub source: String,
    /// What its argument block holds: eight bytes each.
    pub args: Vec<Arg>,
    /// The arrays of each invocation.
    pub scratch: Vec<Scratch>,
    /// The arrays that it updates in place: those of accumulators.
    pub updates: Vec<Var>,
    /// Invocations in a workgroup.
    pub group_size: u32,
    /// What one point executes.
    pub cost: Cost,
}
