//! Errors as exceptions: the classes of `futi.errors`, with the place in the source.

use futi_embed::{Error, Kind};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

/// The exception for an error.
pub fn raised(py: Python<'_>, error: Error) -> PyErr {
    let class = match error.kind {
        Kind::Interrupted => return PyKeyboardInterrupt::new_err(()),
        Kind::Program => "ProgramError",
        Kind::Arguments => "ArgumentError",
        Kind::Runtime => "RunError",
        Kind::Internal => "InternalError",
    };
    let message = error.to_string();
    let place = error.place.map(|place| (place.file, place.line, place.column));
    let made = py.import("futi.errors").and_then(|errors| errors.getattr(class)?.call1((&message, place)));
    made.map_or_else(|_| PyRuntimeError::new_err(message), PyErr::from_value)
}

/// What a caller has asked for is not there.
pub fn argument(py: Python<'_>, message: impl Into<String>) -> PyErr {
    raised(py, Error::arguments(message))
}
