//! Diagnostics: one type for everything that the front end has to say about a program, and its rendering.

mod edit;
mod excerpt;
mod failure;
#[cfg(test)]
pub(crate) mod mended;
mod render;
#[cfg(test)]
mod tests;

pub use edit::{Edit, edited};
pub use failure::{Frames, failure};
pub use render::{SHOWN, one_line, render};

use crate::source::{FileId, SourceError, SourceMap, Span};
use std::fmt;

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The program is rejected.
    Error,
    /// The program is accepted.
    Warning,
}

/// Declares [`Code`] and the list of its members.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal,)*) => {
        /// What a diagnostic is about. Each code has a fixed number, which documentation and tests may rely on:
        /// E00xx reading, E01xx syntax, E02xx names, E03xx types, E04xx sizes, E05xx entry points, recursion
        /// and lowering, E06xx uniqueness, E07xx warnings. Each has a page in `docs/errors/`, with programs and their repairs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Code {
            $($(#[$doc])* $name = $number,)*
        }

        impl Code {
            /// Every code, in the order of the numbers.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];
        }
    };
}

codes! {
    /// A source cannot be read.
    Unreadable = 1,
    /// A character that begins no token.
    UnknownCharacter = 101,
    /// A number that is malformed.
    BadNumber = 102,
    /// A token that does not fit.
    UnexpectedToken = 103,
    /// Something is nested deeper than 512 levels.
    NestingTooDeep = 104,
    /// A name that is not in scope.
    UnknownName = 201,
    /// A type name that is not in scope.
    UnknownType = 202,
    /// A module name that is not in scope, or a name that it lacks.
    UnknownModule = 203,
    /// A name bound twice where once is allowed.
    DuplicateName = 204,
    /// Two types that had to agree do not.
    TypeMismatch = 301,
    /// A type that would contain itself.
    InfiniteType = 302,
    /// An operator or literal at a type that does not have it.
    NoSuchOverload = 303,
    /// Something that is not a function is applied, or to too many arguments.
    NotAFunction = 304,
    /// Something that is not an array is indexed, or by too many indices.
    NotAnArray = 305,
    /// A projection of a field that is not there.
    NoSuchField = 306,
    /// A function where functions may not stand (array elements, branches, loops, entry points).
    FunctionNotAllowed = 307,
    /// A literal that its type cannot hold.
    LiteralOutOfRange = 308,
    /// A loop whose pattern cannot stand for its initial values.
    BadPattern = 309,
    /// A type is applied to the wrong arguments.
    BadTypeArguments = 310,
    /// A module that does not fit its module type, or stands where it may not.
    BadModule = 311,
    /// A `match` that does not cover a value.
    UnmatchedCases = 312,
    /// A pattern that does not fit all values, where all must fit.
    RefutablePattern = 313,
    /// Two sizes that had to agree do not.
    SizeMismatch = 401,
    /// A size is needed before it is computed.
    Causality = 402,
    /// A size that nothing determines.
    AmbiguousSize = 403,
    /// A size would leave the scope of its name.
    SizeEscapes = 404,
    /// An expression that cannot be a size.
    BadSize = 405,
    /// An entry point with a type that an entry point cannot have.
    BadEntry = 501,
    /// A recursive function of a kind that recursion does not allow.
    Recursion = 502,
    /// A construct that differentiation has no rule for, or a backend no code.
    NotSupported = 503,
    /// A program that grows, when it is compiled, beyond what compiling may make.
    TooLarge = 504,
    /// A use of what has been consumed.
    UseAfterConsume = 601,
    /// A consumption of what may not be consumed.
    NotConsumable = 602,
    /// A result marked `*` that may be an alias of what is not the function's.
    ReturnAliased = 603,
    /// A part of a result marked `*` that may be an alias of another part.
    UniqueReturnAliased = 604,
    /// A consumed argument of which two parts may be the same.
    SelfAliasedArgument = 605,
    /// A functional argument that contains consumption, or consumes where it may not.
    ConsumingArgument = 606,
    /// A function whose result may be an alias of a definition of the top level.
    AliasesFreeVariable = 607,
    /// A turn of a loop that returns, for a consumed parameter, what is not its own.
    LoopReturnAliased = 608,
    /// A turn of a loop that returns the same for two parameters, of which the first is consumed.
    LoopReturnConsumed = 609,
    /// A turn of a loop that returns, for a consumed parameter, what it returns for another one too.
    LoopReturnTwice = 610,
    /// A function is bound to a name, but making it consumes something.
    ContainsConsumption = 611,
    /// An update of an array with what may be a part of it.
    AliasedUpdate = 612,
    /// A consumed argument that may be an alias of another argument.
    AliasedArgument = 613,
    /// A value of the top level whose type is marked `*`.
    UniqueConstant = 614,
    /// A name that nothing refers to: a warning.
    UnusedName = 701,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "E{:04}", *self as u16)
    }
}

/// One thing to say about a program: a message, the places it is about (the first label is the main one), notes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// What it is about.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// The message, one sentence or a few lines.
    pub message: String,
    /// Places, each with what is to be said there; the first is the place of the diagnostic. None of what is said of a whole file.
    pub labels: Vec<(Span, String)>,
    /// Further remarks and hints. A hint begins with [`HINT`].
    pub notes: Vec<String>,
    /// What the hint, if there is one, would change in the text.
    pub edits: Vec<Edit>,
}

/// How notes begin that say what to write.
pub const HINT: &str = "Hint: ";

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            labels: vec![(span, String::new())],
            notes: vec![],
            edits: vec![],
        }
    }

    /// A source that cannot be read. What can be shown of it is added to the sources.
    pub fn unreadable(path: &str, e: &SourceError, sources: &mut SourceMap) -> Diagnostic {
        let message = format!("{path} cannot be read: {e}.");
        match bad_byte(path, e, sources) {
            Some(span) => Diagnostic::error(Code::Unreadable, span, message),
            None => Diagnostic { labels: vec![], ..Diagnostic::error(Code::Unreadable, Span::default(), message) },
        }
    }

    /// An import that cannot be read.
    pub fn unreadable_import(import: Span, path: &str, e: &SourceError, sources: &mut SourceMap) -> Diagnostic {
        let d = Diagnostic::error(Code::Unreadable, import, format!("{path} cannot be read: {e}."));
        match bad_byte(path, e, sources) {
            Some(span) => d.here("imported here").label(span, "this is no text"),
            None => d.hint(format!("a path is that from this file, without `.fut`: there is no file `{path}`.")),
        }
    }

    /// A warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Says something at the main place.
    pub fn here(mut self, text: impl Into<String>) -> Diagnostic {
        self.labels[0].1 = text.into();
        self
    }

    /// Adds another place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a remark.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Says what to write.
    pub fn hint(self, text: impl AsRef<str>) -> Diagnostic {
        self.note(format!("{HINT}{}", text.as_ref()))
    }

    /// Adds a change of the text that the hint stands for.
    pub fn edit(mut self, span: Span, new: impl Into<String>) -> Diagnostic {
        self.edits.push((span, new.into()));
        self
    }

    /// Is it said what to write?
    pub fn has_hint(&self) -> bool {
        self.notes.iter().any(|note| note.starts_with(HINT))
    }

    /// Adds the candidate most like `name` as what may be meant, if one is near enough. The name stands behind `before`, and at the end of `at` if that is known.
    pub fn suggest<'a>(
        self,
        (before, name): (&str, &str),
        at: Option<Span>,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Diagnostic {
        let Some(near) = did_you_mean(name, candidates) else { return self };
        let d = self.hint(format!("did you mean \"{before}{near}\"?"));
        match at {
            Some(at) => d.edit(Span { start: at.end.saturating_sub(name.len() as u32).max(at.start), ..at }, near),
            None => d,
        }
    }

    /// The main place.
    pub fn span(&self) -> Span {
        self.labels.first().map(|l| l.0).unwrap_or_default()
    }

    /// Is it an error?
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Brings what is said of a file into the order of the source, behind what is said of the files that it imports, which comes first. What is said at one place
/// keeps its order.
pub fn in_order(diagnostics: &mut [Diagnostic], file: FileId) {
    let place = |d: &Diagnostic| d.labels.first().map(|(span, _)| *span).filter(|span| span.file == file);
    diagnostics.sort_by_key(place);
}

/// Where the first byte is that is no text.
fn bad_byte(path: &str, e: &SourceError, sources: &mut SourceMap) -> Option<Span> {
    let (text, at) = &**e.no_text.as_ref()?;
    let file = sources.add(path, text);
    Some(Span::new(file, *at, *at + char::REPLACEMENT_CHARACTER.len_utf8() as u32))
}

/// The candidate most like `name`, if one is near enough to be what was meant (edit distance of at most a third).
pub fn did_you_mean<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let limit = (length / 3).max(1);
    let is_word = |name: &str| name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    candidates
        .filter(|c| *c != name && c.chars().count().abs_diff(length) <= limit && is_word(c) == is_word(name))
        .map(|c| (edit_distance(name, c), c))
        .filter(|&(d, c)| d <= limit && d < c.chars().count())
        .min()
        .map(|(_, c)| c)
}

/// Levenshtein distance with transpositions of neighbours (optimal string alignment).
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substitute = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitute.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
