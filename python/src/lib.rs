//! `futi._futi`: models, functions and arrays for the package's Python part, which knows structures (records, tuples, pytrees); here all is leaves.

mod array;
mod error;
mod function;
mod model;
mod types;
mod worker;

use pyo3::prelude::*;

/// What the package `futi` is made on.
#[pymodule]
fn _futi(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<model::Model>()?;
    module.add_class::<function::Function>()?;
    module.add_class::<array::Array>()?;
    Ok(())
}
