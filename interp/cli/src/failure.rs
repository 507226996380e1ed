//! How a subcommand fails, what it says on standard error, and the exit status.

use crate::say;
use futi_core::diag::{self, Frames};
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
    /// Says it on standard error, and gives the exit status.
    pub fn report(self) -> ExitCode {
        self.say();
        ExitCode::from(self.status())
    }

    /// What it says.
    pub fn text(&self) -> String {
        match self {
            Failure::Diagnostics(text) | Failure::Runtime(text) | Failure::Io(text) | Failure::Internal(text) => {
                text.clone()
            }
            Failure::Status(status) => format!("exit status {status}"),
        }
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            Failure::Diagnostics(_) => DIAGNOSTICS,
            Failure::Runtime(_) | Failure::Io(_) => RUNTIME,
            Failure::Internal(_) => INTERNAL,
            Failure::Status(code) => *code,
        }
    }

    /// Says it on standard error.
    pub fn say(&self) {
        let text = match self {
            Failure::Diagnostics(text) => text.clone(),
            Failure::Runtime(text) => format!("Error: {}", printable(text)),
            Failure::Io(text) | Failure::Internal(text) => format!("futi: {}", printable(text)),
            Failure::Status(_) => return,
        };
        say::err(format_args!("{}\n", text.trim_end()));
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

/// [`diag::failure`]; FUTI_BACKTRACE=full shows the places in the prelude, too.
pub fn runtime_text(error: &RuntimeError, prov: &ProvTable, sources: &SourceMap) -> String {
    let is_full = std::env::var_os("FUTI_BACKTRACE").is_some_and(|v| v == "full");
    diag::failure(error, prov, sources, if is_full { Frames::All } else { Frames::Own })
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
