//! What the program says: results on standard output, all else on standard error.
//!
//! Whoever reads may have seen enough, and go away: then the program ends, with the exit status that it would have had. A stream may be closed, or a
//! disk full: that is an error where results are lost, and cannot be told where it is standard error.

use crate::failure::Failure;
use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Writes results to standard output.
///
/// # Errors
/// They cannot be written; [`Failure::Status`] where nobody reads any more.
pub fn out(text: impl Display) -> Result<(), Failure> {
    bytes(text.to_string().as_bytes())
}

/// The same before the program ends in this way, also where nobody reads any more.
///
/// # Errors
/// The results cannot be written; else as the program ends.
pub fn last(text: impl Display, end: Result<(), Failure>) -> Result<(), Failure> {
    match out(text) {
        Err(failure @ Failure::Io(_)) => Err(failure),
        _ => end,
    }
}

/// The same of bytes.
///
/// # Errors
/// As [`out`].
pub fn bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    written(out.write_all(bytes).and_then(|()| out.flush()))
}

/// What becomes of writing to standard output.
///
/// # Errors
/// As [`out`].
pub fn written(result: std::io::Result<()>) -> Result<(), Failure> {
    result.map_err(|e| match e.kind() {
        ErrorKind::BrokenPipe => Failure::Status(0),
        _ => Failure::Io(format!("standard output: {e}")),
    })
}

/// Writes to standard error; if that fails, there is nobody to be told.
pub fn err(text: impl Display) {
    let _ = write!(std::io::stderr().lock(), "{text}");
}
