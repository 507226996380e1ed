//! Types of entry points as Python has them: nested tuples whose first element says what they are.
//!
//! ```text
//! ("leaf", "f64", 2, ["n", "3"])           a scalar or an array of scalars: element type, rank, sizes as written
//! ("tuple", [type, ..])                    an array of tuples is a tuple of arrays
//! ("record", [(name, type), ..])
//! ("opaque", name, ["f64", ..], [1, ..])   what has no structure outside: element types and ranks of its leaves
//! ```

use futi_core::entry::type_name;
use futi_core::ir::EntryType;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// The type of values in arrays of these dimensions, the outermost first.
pub fn tree<'py>(py: Python<'py>, ty: &EntryType, dims: &[String]) -> PyResult<Bound<'py, PyAny>> {
    let all = |ts: &mut dyn Iterator<Item = &EntryType>| ts.map(|t| tree(py, t, dims)).collect::<PyResult<Vec<_>>>();
    Ok(match ty {
        EntryType::Scalar(elem) => ("leaf", elem.name(), dims.len(), dims.to_vec()).into_pyobject(py)?.into_any(),
        EntryType::Array(own, elem) => {
            let dims: Vec<String> = dims.iter().cloned().chain(own.iter().map(ToString::to_string)).collect();
            tree(py, elem, &dims)?
        }
        EntryType::Tuple(ts) => ("tuple", PyList::new(py, all(&mut ts.iter())?)?).into_pyobject(py)?.into_any(),
        EntryType::Record(fields) => {
            let types = all(&mut fields.iter().map(|(_, t)| t))?;
            let pairs = fields
                .iter()
                .zip(types)
                .map(|((name, _), t)| PyTuple::new(py, [name.as_str().into_pyobject(py)?.into_any(), t]));
            ("record", PyList::new(py, pairs.collect::<PyResult<Vec<_>>>()?)?).into_pyobject(py)?.into_any()
        }
        EntryType::Opaque(..) | EntryType::Sum(..) => {
            let name = dims.iter().map(|_| "[]").collect::<String>() + &type_name(ty);
            let leaves = ty.leaves();
            let elems: Vec<&str> = leaves.iter().map(|(elem, _)| elem.name()).collect();
            let ranks: Vec<usize> = leaves.iter().map(|(_, rank)| rank + dims.len()).collect();
            ("opaque", name, elems, ranks).into_pyobject(py)?.into_any()
        }
    })
}
