//! Programs that have been compiled for a backend.

use crate::array::Array;
use crate::error::{argument, raised};
use crate::function::Function;
use crate::types::tree;
use crate::worker::Worker;
use futi_core::ad::entry::Selection;
use futi_core::prim::ScalarType;
use futi_embed::{Ad, Options, Step};
use pyo3::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// A program that has been compiled for a backend.
#[pyclass(frozen, module = "futi._futi")]
pub struct Model {
    model: Arc<futi_embed::Model>,
    worker: Arc<Worker>,
}

/// A step as Python writes it.
type Written = (String, Vec<usize>, Vec<usize>, Vec<usize>);

#[pymethods]
impl Model {
    /// A program from a file, or of a text.
    #[new]
    #[pyo3(signature = (*, path=None, text=None, backend="interp", ad="auto", checkpoints=None, tuning=Vec::new()))]
    fn new(
        py: Python<'_>,
        path: Option<&str>,
        text: Option<&str>,
        backend: &str,
        ad: &str,
        checkpoints: Option<u64>,
        tuning: Vec<(String, i64)>,
    ) -> PyResult<Model> {
        let ad = ad.parse::<Ad>().map_err(|e| raised(py, e))?;
        let device = backend.parse().map_err(|e| raised(py, e))?;
        let options = Options { device, ad, checkpoints, tuning };
        let model = py.detach(|| match (path, text) {
            (Some(path), _) => futi_embed::Model::load(Path::new(path), options),
            (None, text) => futi_embed::Model::compile(text.unwrap_or_default(), options),
        });
        Ok(Model { model: Arc::new(model.map_err(|e| raised(py, e))?), worker: Arc::default() })
    }

    /// The names of the entry points.
    fn entries(&self) -> Vec<String> {
        self.model.entries().map(ToString::to_string).collect()
    }

    /// What the compiler has warned of.
    fn warnings(&self) -> String {
        self.model.warnings()
    }

    /// Names and types of an entry point's parameters, and the type of its result.
    #[expect(clippy::type_complexity, reason = "what Python gets is this tuple")]
    fn signature<'py>(
        &self,
        py: Python<'py>,
        entry: &str,
    ) -> PyResult<(Vec<(String, Bound<'py, PyAny>)>, Bound<'py, PyAny>)> {
        let function = self.model.function(entry, &[]).map_err(|e| raised(py, e))?;
        let sig = function.signature();
        let params = sig.params.iter().map(|p| Ok((p.name.to_string(), tree(py, &p.ty, &[])?)));
        Ok((params.collect::<PyResult<_>>()?, tree(py, &sig.result, &[])?))
    }

    /// An entry point, or what steps make of it: `("jvp", params, results, aux)`, `("vjp", ..)`, the same in many directions, `("jvps", ..)` and `("vjps", ..)`,
    /// and `("map", params, [], [])`.
    fn function(&self, py: Python<'_>, entry: &str, steps: Vec<Written>) -> PyResult<Function> {
        let step = |(kind, params, results, aux): Written| {
            let selection = Selection { params, results, aux, directions: kind.ends_with('s') };
            match kind.as_str() {
                "jvp" | "jvps" => Ok(Step::Jvp(selection)),
                "vjp" | "vjps" => Ok(Step::Vjp(selection)),
                "map" => Ok(Step::Map(selection.params)),
                _ => Err(argument(py, format!("there is no step {kind}"))),
            }
        };
        let steps = steps.into_iter().map(step).collect::<PyResult<Vec<_>>>()?;
        let function = self.model.function(entry, &steps).map_err(|e| raised(py, e))?;
        Ok(Function::new(self.model.clone(), function, self.worker.clone()))
    }

    /// Brings an array, or a scalar, of this element type to where the backend keeps values.
    fn put(&self, py: Python<'_>, elem: &str, value: &Bound<'_, PyAny>) -> PyResult<Array> {
        let elem = ScalarType::ALL.into_iter().find(|t| t.name() == elem);
        let elem = elem.ok_or_else(|| argument(py, "there is no such type of elements"))?;
        Array::put(&self.model, elem, value)
    }
}
