//! Source files, spans into them, and where their text comes from.
//!
//! Core opens no file: whoever embeds it hands in a [`SourceProvider`].

mod printable;

pub use printable::{pictured, printable};

use crate::ir::{Prov, ProvTable};
use std::fmt;
use std::sync::Arc;

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A range of bytes of one file: `start` inclusive, `end` exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` (inclusive) to `end` (exclusive) of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// The smallest span that covers both; both must be of the same file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span at the end of this one.
    pub fn at_end(self) -> Span {
        Span { start: self.end, ..self }
    }
}

/// One file: its path as the user wrote it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path, only for messages.
    pub path: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// Byte offset of the start of each line.
    line_starts: Arc<[u32]>,
}

impl SourceFile {
    /// 1-based line and column (in characters) of a byte offset.
    pub fn line_col(&self, offset: u32) -> (usize, usize) {
        let line = self.line(offset);
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let column = self.text[self.line_starts[line] as usize..end].chars().count() + 1;
        (line + 1, column)
    }

    /// The line of a byte offset, from 0.
    pub fn line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&s| s <= offset) - 1
    }

    /// Where a line, counted from 0, is, without its end.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.line_starts[line] as usize;
        start..self.line_starts.get(line + 1).map_or(self.text.len(), |next| *next as usize - 1)
    }
}

/// All files of a compilation or of a session. Cloning shares the texts.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file. Texts of 4 GiB or more are cut there: spans are 32 bits wide.
    pub fn add(&mut self, path: &str, text: &str) -> FileId {
        let mut end = text.len().min(u32::MAX as usize - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i as u32 + 1)).collect();
        self.files.push(SourceFile { path: path.into(), text: text.into(), line_starts: starts });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file, if the id is of this map.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The latest file of that path.
    pub fn find(&self, path: &str) -> Option<FileId> {
        self.files.iter().rposition(|f| &*f.path == path).map(|i| FileId(i as u32))
    }

    /// The place of a statement, then those of the calls that led to it, as [`SourceMap::locate`] prints them; of a file that is not in this map, its path.
    pub fn backtrace(&self, prov: Prov, table: &ProvTable) -> Vec<String> {
        let place = |(file, start, end)| {
            let path = table.files().get(file as usize).map_or("", |p| p.as_str());
            self.find(path).map_or(path.to_string(), |id| self.locate(Span::new(id, start, end)))
        };
        table.backtrace(prov).into_iter().map(place).collect()
    }

    /// The places of [`SourceMap::backtrace`] that are in files of this map.
    pub fn spans(&self, prov: Prov, table: &ProvTable) -> Vec<Span> {
        let span = |(file, start, end)| {
            let path = table.files().get(file as usize)?;
            Some(Span::new(self.find(path.as_str())?, start, end))
        };
        table.backtrace(prov).into_iter().filter_map(span).collect()
    }

    /// Is this a place in the prelude, or nowhere?
    pub fn of_prelude(&self, span: Span) -> bool {
        self.get(span.file).is_none_or(|f| f.path.starts_with("/prelude/"))
    }

    /// All files with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// The text that a span covers (empty if the span is not of this map).
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|f| f.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// The place as Futhark prints it: `file:line:col-col` or `file:line:col-line:col`, 1-based, inclusive.
    pub fn locate(&self, span: Span) -> String {
        let Some(file) = self.get(span.file) else { return "<unknown>".to_string() };
        let (l1, c1) = file.line_col(span.start);
        let (l2, c2) = file.line_col(span.end.max(span.start + 1) - 1);
        let path = printable(&file.path);
        match (l1 == l2, c1 == c2) {
            (true, true) => format!("{path}:{l1}:{c1}"),
            (true, false) => format!("{path}:{l1}:{c1}-{c2}"),
            (false, _) => format!("{path}:{l1}:{c1}-{l2}:{c2}"),
        }
    }
}

/// Why a source could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// What is shown to the user.
    pub message: String,
    /// Of a file that is no text: what can be shown of it, and where in that the first byte is that is none.
    pub no_text: Option<Box<(String, u32)>>,
}

impl SourceError {
    /// An error with that message.
    pub fn new(message: impl Into<String>) -> SourceError {
        SourceError { message: message.into(), no_text: None }
    }
}

/// The text of a file, without a byte-order mark, which some editors put in front.
///
/// # Errors
/// It is not in UTF-8.
pub fn text(mut bytes: Vec<u8>) -> Result<String, SourceError> {
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..'\u{feff}'.len_utf8());
    }
    String::from_utf8(bytes).map_err(|e| {
        // as in what is shown: all before it is text
        let at = e.utf8_error().valid_up_to();
        let byte = e.as_bytes().get(at).copied().unwrap_or_default();
        let shown = String::from_utf8_lossy(e.as_bytes()).into_owned();
        let message = format!("it is not text in UTF-8 (byte 0x{byte:02x})");
        SourceError { message, no_text: Some(Box::new((shown, at as u32))) }
    })
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SourceError {}

/// The path of the file that an `import` in the file at `from` means: relative to that file, without `.fut`.
pub fn resolve(from: &str, import: &str) -> String {
    let file = format!("{import}.fut");
    let mut parts: Vec<&str> = match (import.starts_with('/'), from.rsplit_once('/')) {
        (true, _) => vec![""],
        (false, Some((folder, _))) => folder.split('/').collect(),
        (false, None) => vec![],
    };
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| !last.is_empty() && *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Where sources come from: a file system, a test's table, a browser.
pub trait SourceProvider {
    /// The text of the source named `path`.
    fn read(&self, path: &str) -> Result<String, SourceError>;
}

impl<F: Fn(&str) -> Result<String, SourceError>> SourceProvider for F {
    fn read(&self, path: &str) -> Result<String, SourceError> {
        self(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_one_based_and_inclusive() {
        let mut map = SourceMap::new();
        let f = map.add("a.fut", "def x =\n  é + 1\n");
        assert_eq!(map.locate(Span::new(f, 0, 3)), "a.fut:1:1-3");
        assert_eq!(map.locate(Span::new(f, 4, 5)), "a.fut:1:5");
        // The é is two bytes and one column.
        assert_eq!(map.locate(Span::new(f, 10, 16)), "a.fut:2:3-7");
        assert_eq!(map.locate(Span::new(f, 0, 16)), "a.fut:1:1-2:7");
        assert_eq!(map.text(Span::new(f, 10, 12)), "é");
    }
}
