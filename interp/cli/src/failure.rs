//! How a subcommand fails, what it says on standard error, and the exit status.

use crate::say;
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::ir::{Prov, ProvTable};
use futi_core::source::{SourceMap, printable};
use std::fmt;
use std::panic::PanicHookInfo;
use std::process::ExitCode;

/// Exit status for diagnostics.
pub const DIAGNOSTICS: u8 = 2;
/// Exit status for runtime errors, bad data and IO.
pub const RUNTIME: u8 = 1;
/// Exit status for a defect of ours (`EX_SOFTWARE`).
pub const INTERNAL: u8 = 70;

/// The end of a subcommand that did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// Diagnostics, already rendered.
    Diagnostics(String),
    /// The program failed: what and where.
    Runtime(String),
    /// Files, input and devices: one line.
    Io(String),
    /// A defect of ours.
    Internal(String),
    /// All has been said: the exit status alone.
    Status(u8),
}

impl Failure {
    /// Says it on standard error.
    pub fn report(self) -> ExitCode {
        let (text, code) = match self {
            Failure::Diagnostics(text) => (text, DIAGNOSTICS),
            Failure::Runtime(text) => (format!("Error: {}", printable(&text)), RUNTIME),
            Failure::Io(text) => (format!("futi: {}", printable(&text)), RUNTIME),
            Failure::Internal(text) => (format!("futi: {}", printable(&text)), INTERNAL),
            Failure::Status(code) => return ExitCode::from(code),
        };
        say::err(format_args!("{}\n", text.trim_end()));
        ExitCode::from(code)
    }

    /// A runtime error with the places through which it was reached.
    pub fn runtime(error: &RuntimeError, prov: &ProvTable, sources: &SourceMap) -> Failure {
        let text = runtime_text(error, prov, sources);
        match error.kind {
            FailureKind::Internal => Failure::Internal(text),
            FailureKind::Arguments => Failure::Io(text),
            _ => Failure::Runtime(text),
        }
    }
}

/// The message, then a line for each place: the statement, and the calls that led to it.
pub fn runtime_text(error: &RuntimeError, prov: &ProvTable, sources: &SourceMap) -> String {
    let mut text = error.message.clone();
    for (i, place) in error.backtrace(prov, sources).into_iter().enumerate() {
        let start = if i == 0 { "\n\nBacktrace:\n-> " } else { "\n   " };
        text.push_str(&format!("{start}#{i}  {place}"));
    }
    text
}

/// The innermost place in what the user wrote, the prelude left out.
pub fn user_place(at: Prov, prov: &ProvTable, sources: &SourceMap) -> String {
    let places = sources.backtrace(at, prov);
    let own = places.iter().find(|p| !p.starts_with("/prelude/"));
    own.or(places.first()).cloned().unwrap_or_default()
}

/// The message of a panic.
fn message(panic: &PanicHookInfo) -> String {
    let payload = panic.payload();
    let message = payload.downcast_ref::<&str>().map(|s| s.to_string());
    message.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// Whether the system had no memory for a piece of stack: `stacker` panics then, and has no other way to say so.
pub fn is_no_stack(panic: &PanicHookInfo) -> bool {
    let message = message(panic);
    message.contains("mmap failed to allocate stack") || message.contains("mprotect/mmap failed")
}

/// What is said of a panic.
pub fn internal(panic: &PanicHookInfo) -> impl fmt::Display {
    let message = message(panic);
    let place = panic.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
    format!(
        "futi: internal error: {}{place}\nThis is a defect of Futi, not of your program. Please report it, with the program and its input.",
        printable(message.trim_start_matches("internal error: "))
    )
}
