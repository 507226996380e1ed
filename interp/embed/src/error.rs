//! What can go wrong, with its place.

use futi_core::backend::{self, Unsupported};
use futi_core::diag::{self, Diagnostic, Frames};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::ir::ProvTable;
use futi_core::source::{SourceMap, Span};
use std::fmt;

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Of what kind.
    pub kind: Kind,
    /// What it says, for people: of a program also the lines of the source.
    pub message: String,
    /// Where in the source, if it is there.
    pub place: Option<Place>,
}

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The program: it cannot be read, is refused, or has what the backend lacks.
    Program,
    /// What a caller has asked for: an entry point, a device, arguments.
    Arguments,
    /// A run: the program has failed.
    Runtime,
    /// A run: it was asked to stop.
    Interrupted,
    /// A defect of ours.
    Internal,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1 on.
    pub line: usize,
    /// The column, from 1 on.
    pub column: usize,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.trim_end())
    }
}

impl std::error::Error for Error {}

impl Error {
    /// What a caller has asked for is not there.
    pub fn arguments(message: impl Into<String>) -> Error {
        Error { kind: Kind::Arguments, message: message.into(), place: None }
    }

    /// A defect of ours.
    pub fn internal(message: impl fmt::Display) -> Error {
        let message = RuntimeError::internal(message).message;
        Error { kind: Kind::Internal, message, place: None }
    }

    /// What is said of a program.
    pub fn program(diagnostics: &[Diagnostic], sources: &SourceMap) -> Error {
        let first = diagnostics.iter().find(|d| d.is_error()).or(diagnostics.first());
        let place = first.and_then(|d| place(d.span(), sources));
        Error { kind: Kind::Program, message: diag::render(diagnostics, sources, false), place }
    }

    /// What cannot be differentiated, or what a backend lacks; a defect of ours, if it is one.
    pub fn unsupported(constructs: &[Unsupported], prov: &ProvTable, sources: &SourceMap) -> Error {
        let kind = match constructs.iter().any(Unsupported::is_internal) {
            true => Kind::Internal,
            false => Kind::Program,
        };
        Error { kind, ..Error::program(&backend::diagnostics(constructs, prov, sources), sources) }
    }

    /// A failure of a run.
    pub fn run(error: &RuntimeError, prov: &ProvTable, sources: &SourceMap) -> Error {
        let kind = match error.kind {
            FailureKind::Internal => Kind::Internal,
            FailureKind::Arguments => Kind::Arguments,
            FailureKind::Cancelled => Kind::Interrupted,
            _ => Kind::Runtime,
        };
        let places = std::iter::once(&error.prov).chain(&error.calls).flat_map(|at| sources.spans(*at, prov));
        let own = places.into_iter().find(|span| !sources.of_prelude(*span));
        let message = diag::failure(error, prov, sources, Frames::Own);
        Error { kind, message, place: own.and_then(|span| place(span, sources)) }
    }
}

fn place(span: Span, sources: &SourceMap) -> Option<Place> {
    let file = sources.get(span.file)?;
    let (line, column) = file.line_col(span.start);
    Some(Place { file: file.path.to_string(), line, column })
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::ir::Prov;

    #[test]
    fn what_is_our_defect_is_not_the_programs() {
        let unknown = Prov::UNKNOWN;
        let lacks = Unsupported { construct: "a sum".into(), missing: "adders".into(), prov: unknown };
        let kind = |all: &[Unsupported]| Error::unsupported(all, &ProvTable::default(), &SourceMap::default()).kind;
        assert_eq!(kind(std::slice::from_ref(&lacks)), Kind::Program);
        assert_eq!(kind(&[lacks, Unsupported::internal("no sum", unknown)]), Kind::Internal);
    }
}
