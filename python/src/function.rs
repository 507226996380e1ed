//! What a model can be called for.

use crate::array::{Array, taken};
use crate::error::raised;
use crate::worker::Worker;
use futi_core::backend::{CallCtx, Handle};
use futi_core::prim::ScalarType;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A function over leaves.
#[pyclass(frozen, module = "futi._futi")]
pub struct Function {
    model: Arc<futi_embed::Model>,
    function: Arc<futi_embed::Function>,
    params: Vec<(ScalarType, usize)>,
    results: Vec<(ScalarType, usize)>,
    worker: Arc<Worker>,
}

impl Function {
    pub(crate) fn new(
        model: Arc<futi_embed::Model>,
        function: Arc<futi_embed::Function>,
        worker: Arc<Worker>,
    ) -> Function {
        let sig = function.signature();
        let params = sig.params.iter().flat_map(|p| p.ty.leaves()).collect();
        let results = sig.result.leaves();
        Function { model, function, params, results, worker }
    }
}

#[pymethods]
impl Function {
    /// Element types and ranks of the leaves that it takes.
    fn params(&self) -> Vec<(&'static str, usize)> {
        self.params.iter().map(|(elem, rank)| (elem.name(), *rank)).collect()
    }

    /// Those of the leaves that it gives.
    fn results(&self) -> Vec<(&'static str, usize)> {
        self.results.iter().map(|(elem, rank)| (elem.name(), *rank)).collect()
    }

    /// The sizes of its results that only a run tells: a result and a dimension of it for each.
    fn size_places(&self) -> Vec<(usize, usize)> {
        self.function.result_sizes()
    }

    /// Calls it; arrays, scalars, and arrays on the device are taken. The lock is released meanwhile.
    fn call(&self, py: Python<'_>, args: &Bound<'_, PyList>) -> PyResult<Vec<Array>> {
        let results = self.results_of(py, args)?.into_iter().zip(&self.results);
        Ok(results.map(|(handle, (elem, _))| Array::of(&self.model, *elem, handle)).collect())
    }

    /// The same; results are NumPy's. On the host they take over what nobody else has.
    fn call_numpy<'py>(&self, py: Python<'py>, args: &Bound<'py, PyList>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.results_of(py, args)?.into_iter().map(|handle| taken(py, &self.model, handle)).collect()
    }
}

impl Function {
    fn results_of(&self, py: Python<'_>, args: &Bound<'_, PyList>) -> PyResult<Vec<Handle>> {
        let mut handles = Vec::with_capacity(self.params.len());
        for (i, arg) in args.iter().enumerate() {
            let elem = self.params.get(i).map_or(ScalarType::F64, |(elem, _)| *elem);
            handles.push(match arg.cast::<Array>() {
                Ok(array) => array.get().handle(py, &self.model, elem)?,
                Err(_) => Array::put(&self.model, elem, &arg)?.into_handle(),
            });
        }
        let stop = Arc::new(AtomicBool::new(false));
        let ctx = CallCtx { cancel: Some(stop.clone()) };
        let (model, function) = (self.model.clone(), self.function.clone());
        let run = move || function.call(&model, handles, &ctx);
        self.worker.run(py, &stop, run)?.map_err(|e| raised(py, e))
    }
}
