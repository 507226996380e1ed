//! A backend in a process of its own: a crash, a hang or the loss of a device is the failure of one case.
//!
//! The harness starts a program, usually itself again, with [`ARGUMENT`] and the backend's name as arguments, and talks to it in lines of text.
//! Lines of the child that do not start with [`MARK`] are not of the protocol: what a driver prints, kept for the report.
//!
//! ```text
//! harness -> child                            child -> harness (each line behind the mark)
//!                                             hello 1 <level> <ir version> <name>, then `flushes` if subnormal `f32` may count as zero
//! compile <n>, then n lines of IR text        compiled
//!                                             or: unsupported <construct> <missing> <prov>, each; then refused
//! call <entry> <n>, then n lines of values    value <text>, each; then done
//!                                             or: error <kind> <prov> <message>
//! ```
//!
//! Fields are separated by tabs; tabs, newlines and backslashes inside of them are escaped. End of input ends the child, within a second whatever it
//! is computing: nobody is left to be told.

mod client;
mod remote;
mod server;
#[cfg(test)]
mod tests;

pub use client::{Broken, Child, Compiled, Limits};
pub use remote::Remote;
pub use server::{BUILT_IN, COMMAND, built_in, entry_point, named, serve};

use futi_core::backend::IrLevel;
use futi_core::failure::FailureKind;
use std::path::PathBuf;

/// The first argument of a process that is to serve a backend.
pub const ARGUMENT: &str = "--futi-conformance-child";
/// What each line of a child starts with.
pub const MARK: &str = "futi> ";
/// The version of the protocol.
const PROTOCOL: &str = "1";
/// What a backend says last in its greeting on which subnormal `f32` may count as zero.
const FLUSHES: &str = "flushes";

/// How to start the process that serves a backend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackendCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The backend's name, for people.
    pub name: String,
}

impl BackendCommand {
    /// This very program again; its `main` must begin with [`entry_point`]. Behind the backend's name there may be options: [`named`].
    ///
    /// # Errors
    /// The program does not know where it is.
    pub fn this_program(backend: &str) -> std::io::Result<BackendCommand> {
        let args = vec![ARGUMENT.to_string(), backend.to_string()];
        Ok(BackendCommand { program: std::env::current_exe()?, args, name: backend.to_string() })
    }

    /// A command line, its words between blanks or in single or double quotes.
    ///
    /// # Errors
    /// There is no program in it, or a quotation mark is not closed.
    pub fn line(text: &str) -> Result<BackendCommand, String> {
        let mut words: Vec<String> = Vec::new();
        let (mut word, mut inside) = (None::<String>, None);
        for c in text.chars() {
            match (inside, c) {
                (Some(quote), c) if c == quote => inside = None,
                (None, '\'' | '"') => {
                    inside = Some(c);
                    word.get_or_insert_default();
                }
                (None, c) if c.is_whitespace() => words.extend(word.take()),
                (_, c) => word.get_or_insert_default().push(c),
            }
        }
        if inside.is_some() {
            return Err(format!("a quotation mark in `{text}` is not closed"));
        }
        words.extend(word);
        let mut words = words.into_iter();
        let program = words.next().ok_or("the command of the backend is missing")?;
        Ok(BackendCommand { program: program.into(), args: words.collect(), name: text.to_string() })
    }
}

/// Every kind of failure, to be found by name.
const KINDS: [FailureKind; 16] = [
    FailureKind::Assertion,
    FailureKind::Bounds,
    FailureKind::Shape,
    FailureKind::DivisionByZero,
    FailureKind::NegativeExponent,
    FailureKind::NegativeSize,
    FailureKind::Range,
    FailureKind::Derivative,
    FailureKind::Strict,
    FailureKind::Singular,
    FailureKind::Memory,
    FailureKind::Fuel,
    FailureKind::Cancelled,
    FailureKind::Device,
    FailureKind::Arguments,
    FailureKind::Internal,
];

const LEVELS: [IrLevel; 3] = [IrLevel::Core, IrLevel::NoAd, IrLevel::Flat];

/// The item whose `Debug` text this is.
fn by_name<T: std::fmt::Debug + Copy>(all: &[T], name: &str) -> Option<T> {
    all.iter().copied().find(|x| format!("{x:?}") == name)
}

fn escape(s: &str) -> String {
    s.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
}

fn unescape(s: &str) -> String {
    let mut out = String::new();
    let mut chars = s.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(c) => c,
                None => '\\',
            },
            c => c,
        });
    }
    out
}
