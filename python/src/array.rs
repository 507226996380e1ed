//! Values where the backend keeps them.

use crate::error::{argument, raised};
use futi_core::backend::Handle;
use futi_core::failure::RuntimeError;
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::{self, Elem, Value};
use futi_embed::{Error, Model};
use half::f16;
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyTuple};
use std::sync::Arc;

/// A scalar or an array where the backend keeps it. It never changes. NumPy takes it as an array, by a copy where it is on a device.
#[pyclass(frozen, module = "futi._futi")]
pub struct Array {
    model: Arc<Model>,
    elem: ScalarType,
    handle: Handle,
}

/// Runs code at the Rust type of elements.
macro_rules! at_type {
    ($elem:expr, $T:ident => $body:expr) => {
        match $elem {
            ScalarType::I8 => {
                type $T = i8;
                $body
            }
            ScalarType::I16 => {
                type $T = i16;
                $body
            }
            ScalarType::I32 => {
                type $T = i32;
                $body
            }
            ScalarType::I64 => {
                type $T = i64;
                $body
            }
            ScalarType::U8 => {
                type $T = u8;
                $body
            }
            ScalarType::U16 => {
                type $T = u16;
                $body
            }
            ScalarType::U32 => {
                type $T = u32;
                $body
            }
            ScalarType::U64 => {
                type $T = u64;
                $body
            }
            ScalarType::F16 => {
                type $T = f16;
                $body
            }
            ScalarType::F32 => {
                type $T = f32;
                $body
            }
            ScalarType::F64 => {
                type $T = f64;
                $body
            }
            ScalarType::Bool => {
                type $T = bool;
                $body
            }
        }
    };
}

impl Array {
    pub(crate) fn of(model: &Arc<Model>, elem: ScalarType, handle: Handle) -> Array {
        Array { model: model.clone(), elem, handle }
    }

    /// Brings a NumPy array, or a scalar, whose elements are of this type.
    pub(crate) fn put(model: &Arc<Model>, elem: ScalarType, value: &Bound<'_, PyAny>) -> PyResult<Array> {
        let py = value.py();
        let value = match scalar(elem, value) {
            Some(x) => Value::Scalar(x),
            None => at_type!(elem, T => copied::<T>(elem, value)?),
        };
        let handle = py.detach(|| model.backend().put(&value)).map_err(|e| failed(py, e))?;
        Ok(Array::of(model, elem, handle))
    }

    pub(crate) fn into_handle(self) -> Handle {
        self.handle
    }

    /// Its handle for a model that wants elements of this type.
    pub(crate) fn handle(&self, py: Python<'_>, model: &Arc<Model>, elem: ScalarType) -> PyResult<Handle> {
        if self.elem != elem {
            return Err(argument(py, format!("an array of {} is given for one of {elem}", self.elem)));
        }
        if Arc::ptr_eq(&self.model, model) {
            return Ok(self.handle.clone());
        }
        let put = || self.model.backend().get(&self.handle).and_then(|value| model.backend().put(&value));
        py.detach(put).map_err(|e| failed(py, e))
    }

    fn value(&self, py: Python<'_>) -> PyResult<Value> {
        py.detach(|| self.model.backend().get(&self.handle)).map_err(|e| failed(py, e))
    }

    fn sizes(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.model.backend().shape(&self.handle).map(|(_, shape)| shape).map_err(|e| failed(py, e))
    }
}

#[pymethods]
impl Array {
    /// The sizes of its dimensions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.sizes(py)?)
    }

    /// How many dimensions it has.
    #[getter]
    fn ndim(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.sizes(py)?.len())
    }

    /// The NumPy type of its elements.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("numpy")?.call_method1("dtype", (dtype(self.elem),))
    }

    /// It as a NumPy array, a copy of its own; a scalar as a NumPy scalar.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        given(py, self.value(py)?)
    }

    /// The same, for NumPy.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = copy;
        let array = py.import("numpy")?.call_method1("asarray", (self.numpy(py)?,))?;
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    /// Exports a copy on the host.
    #[pyo3(signature = (**options))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'py, pyo3::types::PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.__array__(py, None, None)?.call_method("__dlpack__", (), options)
    }

    /// The host.
    fn __dlpack_device__(&self) -> (i32, i32) {
        (1, 0)
    }

    /// Waits until it has been computed.
    fn block_until_ready(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        let (py, array) = (slf.py(), slf.get());
        py.detach(|| array.model.backend().wait(&array.handle)).map_err(|e| failed(py, e))?;
        Ok(slf)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.sizes(py)?.first().copied().ok_or_else(|| pyo3::exceptions::PyTypeError::new_err("a scalar has no length"))
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        self.numpy(py)?.call_method0("__float__")?.extract()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let dims: String = self.sizes(py)?.iter().map(|n| format!("[{n}]")).collect();
        Ok(format!("<futi.Array {dims}{} on {}>", self.elem, self.model.backend().name()))
    }
}

fn failed(py: Python<'_>, e: RuntimeError) -> PyErr {
    raised(py, Error { kind: futi_embed::Kind::Runtime, message: e.message, place: None })
}

/// NumPy's name of a type.
fn dtype(elem: ScalarType) -> &'static str {
    match elem {
        ScalarType::I8 => "int8",
        ScalarType::I16 => "int16",
        ScalarType::I32 => "int32",
        ScalarType::I64 => "int64",
        ScalarType::U8 => "uint8",
        ScalarType::U16 => "uint16",
        ScalarType::U32 => "uint32",
        ScalarType::U64 => "uint64",
        ScalarType::F16 => "float16",
        ScalarType::F32 => "float32",
        ScalarType::F64 => "float64",
        ScalarType::Bool => "bool",
    }
}

/// A number of Python's own that is one of this type.
fn scalar(elem: ScalarType, value: &Bound<'_, PyAny>) -> Option<Scalar> {
    if elem == ScalarType::Bool {
        return value.cast_exact::<PyBool>().ok().map(|b| Scalar::Bool(b.is_true()));
    }
    if elem.is_float() {
        let exact = value.is_exact_instance_of::<PyFloat>() || value.is_exact_instance_of::<PyInt>();
        return exact.then(|| value.extract::<f64>().ok()).flatten().map(|x| Scalar::from_f64(elem, x));
    }
    let x: i128 = value.cast_exact::<PyInt>().ok()?.extract().ok()?;
    Scalar::from_int(elem, x)
}

/// A copy of a NumPy array, or of what NumPy makes one of.
fn copied<T: Elem + Element>(elem: ScalarType, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let py = value.py();
    let wrong = |what: String| argument(py, format!("{what} for {}", dtype(elem)));
    let array = match value.cast::<PyArrayDyn<T>>() {
        Ok(array) => array.clone(),
        Err(_) => {
            let numpy = py.import("numpy")?;
            let is_array = value.cast::<PyUntypedArray>().is_ok();
            if is_array {
                let given = value.getattr("dtype")?.str()?;
                return Err(wrong(format!("an array of {given} is given")));
            }
            // lists, numbers, and what says that it is an array
            let plain = numpy.call_method1("asarray", (value,))?;
            let from = plain.getattr("dtype")?;
            let fits = numpy.call_method1("can_cast", (&from, dtype(elem), "same_kind"))?.is_truthy()?;
            let counts = elem.is_float() || from.getattr("kind")?.extract::<String>()? != "f";
            if !(fits && counts) && plain.getattr("size")?.extract::<usize>()? > 0 {
                return Err(wrong(format!("{} is given", from.str()?)));
            }
            let made = numpy.call_method1("asarray", (plain, dtype(elem)))?;
            made.cast::<PyArrayDyn<T>>().map_err(|_| wrong("something else is given".into()))?.clone()
        }
    };
    let shape: Vec<usize> = array.shape().to_vec();
    let read: PyReadonlyArrayDyn<'_, T> = array.try_readonly().map_err(|e| wrong(e.to_string()))?;
    let mut elements = room::<T>(array.len());
    match read.as_slice() {
        Ok(all) if array.is_c_contiguous() => elements.extend_from_slice(all),
        // in another order, or not one behind the other
        _ => elements.extend(read.as_array().iter().copied()),
    }
    Ok(match &shape[..] {
        [] => elements.first().map(|x| Value::Scalar(x.scalar())).ok_or_else(|| wrong("nothing is given".into()))?,
        shape => value::Array::from_vec(shape, elements).into(),
    })
}

/// Room for so many elements. Where there is much of it the system is asked for large pages, as NumPy asks: going to each of many small ones takes longer than copying what
/// goes there.
fn room<T>(n: usize) -> Vec<T> {
    let room = Vec::with_capacity(n);
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const PAGE: usize = 4096;
        const MUCH: usize = 4 << 20;
        let bytes = n * size_of::<T>();
        if bytes >= MUCH {
            let start = room.as_ptr() as usize;
            let first = start.next_multiple_of(PAGE);
            let len = (start + bytes - first) / PAGE * PAGE;
            // SAFETY: the pages are within what has just been allocated; the advice changes nothing of what they hold. If it is not taken, nothing is lost.
            let _ = unsafe { madvise(first as *mut _, len, Advice::LinuxHugepage) };
        }
    }
    room
}

/// What a handle has, as NumPy has it. Nobody may have the handle any more, so that the elements can be taken over.
pub fn taken<'py>(py: Python<'py>, model: &Arc<Model>, handle: Handle) -> PyResult<Bound<'py, PyAny>> {
    let get = || {
        let value = model.backend().get(&handle);
        drop(handle);
        value
    };
    given(py, py.detach(get).map_err(|e| failed(py, e))?)
}

/// A value as NumPy has it: an array that takes the elements over, unless somebody else has them too.
pub fn given(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    fn array<T: Elem + Element>(py: Python<'_>, value: value::Array) -> PyResult<Bound<'_, PyAny>> {
        let shape = value.shape().to_vec();
        let flat = PyArray1::from_vec(py, value.into_vec::<T>().unwrap_or_default());
        Ok(flat.reshape(shape)?.into_any())
    }
    match value {
        Value::Array(own) => at_type!(own.elem(), T => array::<T>(py, own)),
        Value::Scalar(x) => {
            let one = given(py, value::Array::filled(&[1], x).into())?;
            one.get_item(0)
        }
    }
}
