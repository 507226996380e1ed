//! The host's program: what is left of a flat program when its nests have become kernels.
//!
//! [`lower`](lower::lower) makes it, without a device; [`run`] runs it. Scalars that come from arrays or reductions stay in device memory, in *cells*:
//! scalar code on them becomes a kernel of one invocation, and the host looks at a cell only when its own control flow or a size depends on it.

mod beyond;
mod lifetimes;
pub mod lower;
pub mod run;
mod support;
#[cfg(test)]
mod tests;
pub mod tuning;
pub mod val;

use crate::kernels::{Kernel, Site};
use futi_core::ir::{Binder, Check, Dim, Name, Prim, Prov, ProvTable, ScalarType, SubExp, Type, Var};
use futi_core::value::Array;
use std::collections::BTreeMap;

/// The number of a kernel in its [`Plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KernelIndex(pub usize);

/// A program for the host and its kernels.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The entry points.
    pub entries: BTreeMap<Name, Entry>,
    /// The kernels, each with a name for people.
    pub kernels: Vec<(String, Kernel)>,
    /// Where in the program each of them comes from.
    pub places: Vec<Prov>,
    /// The places where kernels can fail.
    pub sites: Vec<Site>,
    /// Arrays that are written out in the program.
    pub constants: Vec<Array>,
    /// What provenances refer to.
    pub prov: ProvTable,
}

/// An entry point.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The parameters; those marked may be consumed.
    pub params: Vec<(Binder, bool)>,
    /// The code.
    pub block: Block,
}

/// Steps, one after the other, then results.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The steps.
    pub steps: Vec<Step>,
    /// The results.
    pub result: Vec<SubExp>,
}

/// What the host does.
#[derive(Clone, Debug)]
pub struct Step {
    /// The deed.
    pub op: Op,
    /// The statement.
    pub prov: Prov,
    /// Variables that are not used any more after it: their memory is free.
    pub drops: Vec<Var>,
}

/// A deed of the host.
#[derive(Clone, Debug)]
pub enum Op {
    /// Another name for a value.
    Bind(Var, SubExp),
    /// A scalar operator on values that the host has.
    Prim(Var, Prim, Vec<SubExp>),
    /// A check of values that the host has.
    Check(Check),
    /// Run a nest.
    Launch(Box<Launch>),
    /// A row of an array, without copying.
    Row {
        /// The row.
        var: Var,
        /// The array.
        array: Var,
        /// Fewer indices than it has dimensions.
        indices: Vec<SubExp>,
    },
    /// The same elements under another shape, without copying.
    View {
        /// The result.
        var: Var,
        /// The array.
        array: Var,
        /// The shape.
        shape: Vec<Dim>,
    },
    /// Memory for an array.
    Scratch {
        /// The array.
        var: Var,
        /// The type of its elements.
        elem: ScalarType,
        /// Its shape.
        shape: Vec<Dim>,
    },
    /// A copy of one of the constants.
    Constant(Var, usize),
    /// An array of these rows.
    Gather {
        /// The array.
        var: Var,
        /// Its rows.
        rows: Vec<SubExp>,
        /// The type of a row.
        row: Type,
    },
    /// A copy of an array.
    Copy(Var, Var),
    /// An element or row of an array replaced, in place.
    Write {
        /// The array afterwards.
        var: Var,
        /// The array before.
        array: Var,
        /// The indices.
        indices: Vec<SubExp>,
        /// The element or row.
        value: SubExp,
    },
    /// A branch.
    If {
        /// The condition.
        cond: SubExp,
        /// When true.
        yes: Block,
        /// When false.
        no: Block,
        /// What is bound to the results.
        results: Vec<Slot>,
    },
    /// A loop.
    Loop {
        /// The parameters with their first values.
        params: Vec<(Slot, SubExp)>,
        /// How it goes on.
        form: Form,
        /// The body.
        body: Block,
        /// What is bound to the parameters' last values.
        results: Vec<Var>,
    },
}

/// A variable that gets values from several places, which must agree where a scalar is.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The variable.
    pub var: Var,
    /// Of a scalar in a cell, its type.
    pub cell: Option<ScalarType>,
}

/// How a loop goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// For an index from 0 up to a bound.
    For {
        /// The index.
        index: Var,
        /// The bound.
        bound: SubExp,
    },
    /// While a parameter is true.
    While(Var),
}

/// A nest, and the kernels that can run it.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The results that are arrays or cells, with the position that [`crate::kernels::Arg::Result`] has for each.
    pub outputs: Vec<(usize, Binder)>,
    /// The size of each dimension.
    pub space: Vec<Dim>,
    /// The kernels.
    pub how: How,
}

/// The kernels of a nest.
#[derive(Clone, Debug)]
pub enum How {
    /// One invocation of each point.
    Map(KernelIndex),
    /// A reduction over the last dimension.
    Reduce {
        /// One invocation of each segment.
        each: KernelIndex,
        /// Workgroups of each segment, if operands are scalars.
        group: Option<Box<Grouped>>,
    },
}

/// A reduction by workgroups.
#[derive(Clone, Debug)]
pub struct Grouped {
    /// Reduces chunks of segments.
    pub first: KernelIndex,
    /// Reduces what the first has made of several chunks.
    pub second: KernelIndex,
    /// What the second kernel calls the first one's results.
    pub partial: Vec<Binder>,
    /// And the number of chunks.
    pub chunks: Var,
}
