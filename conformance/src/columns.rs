//! The columns of a report: the oracles by name.

use serde::{Deserialize, Serialize};

/// An oracle: what a case is held against. Each has a file of its own in `column/`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Column {
    /// The interpreter's result, or the compiler's verdict, against what the test block expects.
    Expected,
    /// The reference itself: well-formed IR, text that reads back, the quick run against the plain one.
    Interp,
    /// A strict run against a plain one.
    Strict,
    /// Runs of the interpreter that may differ in nothing: again, with other partitions of streams, walking traces back in another order.
    Determinism,
    /// Where the program fails: the kind and the place of the failure, at every stage and in derivatives. Of the backend's failure its own column says.
    Errors,
    /// Rewritten source programs, which must give the same results and derivatives.
    Metamorphic,
    /// Another implementation of the language, over Futhark's server protocol.
    Reference,
    /// The output of each pass, run in the interpreter, against the program as lowered.
    Passes,
    /// The backend, in a process of its own, against the interpreter.
    Backend,
    /// AD by transformation against AD by definition.
    ByDefinition,
    /// ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩.
    Identity,
    /// AD against numerical differentiation.
    Numerics,
}

impl Column {
    /// All, in the order of the table.
    pub const ALL: [Column; 12] = [
        Column::Expected,
        Column::Interp,
        Column::Strict,
        Column::Determinism,
        Column::Errors,
        Column::Metamorphic,
        Column::Reference,
        Column::Passes,
        Column::Backend,
        Column::ByDefinition,
        Column::Identity,
        Column::Numerics,
    ];

    /// The heading.
    pub fn name(self) -> &'static str {
        match self {
            Column::Expected => "expected",
            Column::Interp => "interp",
            Column::Strict => "strict",
            Column::Determinism => "determinism",
            Column::Errors => "errors",
            Column::Metamorphic => "metamorphic",
            Column::Reference => "reference",
            Column::Passes => "passes",
            Column::Backend => "backend",
            Column::ByDefinition => "by-definition",
            Column::Identity => "identity",
            Column::Numerics => "numerics",
        }
    }

    /// Whether errors are measured in units of the last place, too. Sums of products and differences, which derivatives are held against, cancel: what is
    /// a small part of a term may be any number of units of the sum.
    pub fn has_ulps(self) -> bool {
        !matches!(self, Column::Identity | Column::Numerics)
    }
}
