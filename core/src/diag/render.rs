//! Diagnostics as text.

use super::excerpt::Excerpt;
use super::{Diagnostic, Severity};
use crate::source::{FileId, SourceMap, Span, pictured, printable};
use ariadne::{Config, IndexType, Label, Report, ReportKind, Source};
use std::fmt::{Debug, Display};
use std::ops::Range;
use std::sync::Arc;

/// How many errors, and how many warnings, are shown at most.
pub const SHOWN: usize = 100;

/// The diagnostics with their source lines, in the given order, each followed by an empty line. Of more than [`SHOWN`] errors or warnings the first in the
/// source, in this order, and how many more there are.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, color: bool) -> String {
    let mut out = Vec::new();
    let mut cache = Files { map: sources, parsed: vec![], excerpts: vec![], cut: vec![] };
    let (shown, more) = first_ones(diagnostics);
    for diagnostic in shown {
        if diagnostic.labels.is_empty() || diagnostic.labels.iter().any(|(span, _)| sources.get(span.file).is_none()) {
            out.extend_from_slice(one_line(diagnostic, sources).as_bytes());
            out.push(b'\n');
            continue;
        }
        cache.excerpts = excerpts(diagnostic, sources);
        cache.cut.clear();
        let start = out.len();
        // Writing to a Vec does not fail, and every file is in the map.
        let _ = report(diagnostic, &cache, color).write(&mut cache, &mut out);
        if !cache.excerpts.is_empty() {
            let text = relocated(&String::from_utf8_lossy(&out[start..]), &cache);
            out.truncate(start);
            out.extend_from_slice(text.as_bytes());
        }
        out.push(b'\n');
    }
    // Ariadne pads some lines with blanks.
    let text = String::from_utf8_lossy(&out);
    text.lines().map(str::trim_end).chain(more.iter().map(String::as_str)).flat_map(|line| [line, "\n"]).collect()
}

/// Which are shown, and what is said of the others.
fn first_ones(diagnostics: &[Diagnostic]) -> (Vec<&Diagnostic>, Vec<String>) {
    let mut shown: Vec<&Diagnostic> = diagnostics.iter().collect();
    let mut more = vec![];
    for (severity, name) in [(Severity::Error, "error"), (Severity::Warning, "warning")] {
        let of_this = |d: &&Diagnostic| d.severity == severity;
        let count = shown.iter().copied().filter(of_this).count();
        if let Some(others @ 1..) = count.checked_sub(SHOWN) {
            let (mut these, rest): (Vec<&Diagnostic>, Vec<&Diagnostic>) = shown.into_iter().partition(of_this);
            these.sort_by_key(|d| d.span());
            these.truncate(SHOWN);
            these.extend(rest);
            shown = these;
            more.push(format!("… and {others} more {name}{}", if others == 1 { "" } else { "s" }));
        }
    }
    (shown, more)
}

/// A diagnostic on one line: `file:line:col-col: error E0301: message`. Lines of the message are joined by spaces.
pub fn one_line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let message = printable(&diagnostic.message).split_whitespace().collect::<Vec<_>>().join(" ");
    let place = diagnostic.labels.first().map_or(String::new(), |(span, _)| sources.locate(*span) + ": ");
    format!("{place}{severity} {}: {message}", diagnostic.code)
}

/// A file, or the excerpt of it that is shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shown(FileId, bool);

/// A span in the form that ariadne wants.
type Place = (Shown, Range<usize>);

fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end.max(span.start) as usize
}

/// The files of which only excerpts are shown: Note [Long lines].
type Excerpts = Vec<(FileId, Excerpt)>;

// Note [Long lines]
// ~~~~~~~~~~~~~~~~~
// Ariadne looks several times at each column of each line that it shows: a program of one long line, with an error in each column, takes minutes. So it is given
// an excerpt in the place of such a file. It knows nothing of the columns that are left out; the lines in which it names a place (`╭─[ file:line:column ]`) are
// put right afterwards, which it marks by a character that is in no path.
const MARK: char = '\u{0}';

fn excerpts(diagnostic: &Diagnostic, sources: &SourceMap) -> Excerpts {
    let mut files: Vec<FileId> = diagnostic.labels.iter().map(|(span, _)| span.file).collect();
    files.sort();
    files.dedup();
    let places = |id| -> Vec<Range<usize>> {
        diagnostic.labels.iter().filter(|(span, _)| span.file == id).map(|(span, _)| bytes(*span)).collect()
    };
    files.into_iter().filter_map(|id| Some((id, Excerpt::of(sources.get(id)?, &places(id))?))).collect()
}

/// The text with the columns of the files themselves.
fn relocated(text: &str, cache: &Files) -> String {
    let right = |line: &str| {
        let (before, rest) = line.split_once(MARK)?;
        let (id, excerpt, file, rest) = cache.excerpts.iter().find_map(|(id, excerpt)| {
            let file = cache.map.get(*id)?;
            Some((*id, excerpt, file, rest.strip_prefix(&*printable(&file.path))?))
        })?;
        let (line, rest) = rest.strip_prefix(':')?.split_once(':')?;
        let (column, behind) = rest.split_once(' ')?;
        let offset = excerpt.source(line.parse().ok()?, column.parse().ok()?)? as u32;
        let (line, column) = cache.map.get(id)?.line_col(offset);
        Some(format!("{before}{}:{line}:{column} {behind}", printable(&file.path)))
    };
    let lines = text.split_inclusive('\n');
    lines.map(|line| right(line).unwrap_or_else(|| line.replace(MARK, ""))).collect()
}

/// A place, in characters: those that act are shown as other ones, which have other numbers of bytes.
fn place(span: Span, cache: &Files) -> Place {
    let excerpt = cache.excerpts.iter().find(|(id, _)| *id == span.file);
    let (text, range) = match (excerpt, cache.map.get(span.file)) {
        (Some((_, excerpt)), _) => (&*excerpt.text, excerpt.place(&bytes(span))),
        (None, file) => (file.map_or("", |f| &f.text), bytes(span)),
    };
    let characters = |end: usize| text.char_indices().take_while(|(at, _)| *at < end).count();
    (Shown(span.file, excerpt.is_some()), characters(range.start)..characters(range.end))
}

fn report(diagnostic: &Diagnostic, cache: &Files, color: bool) -> Report<'static, Place> {
    let (kind, tint) = match diagnostic.severity {
        Severity::Error => (ReportKind::Error, ariadne::Color::Red),
        Severity::Warning => (ReportKind::Warning, ariadne::Color::Yellow),
    };
    let mut report = Report::build(kind, place(diagnostic.span(), cache))
        .with_config(Config::default().with_color(color).with_index_type(IndexType::Char))
        .with_code(diagnostic.code)
        .with_message(printable(&diagnostic.message));
    for (i, (order, (span, text))) in order(diagnostic, cache.map).into_iter().zip(&diagnostic.labels).enumerate() {
        let tint = if i == 0 { tint } else { ariadne::Color::Blue };
        let mut label = Label::new(place(*span, cache)).with_color(tint).with_order(order);
        // Without a message, ariadne would not show the place.
        label = label.with_message(if text.is_empty() { "here".into() } else { printable(text) });
        report = report.with_label(label);
    }
    report.with_notes(diagnostic.notes.iter().map(|note| printable(note)));
    report.finish()
}

/// For each label, which it is from above: in the file of the main place first, then by the lines. Of labels in another order ariadne would make an excerpt each,
/// all under the main place.
fn order(diagnostic: &Diagnostic, sources: &SourceMap) -> Vec<i32> {
    let main = diagnostic.span().file;
    let line = |span: Span| sources.get(span.file).map(|file| file.line(span.end.max(span.start + 1) - 1));
    let mut from_above: Vec<usize> = (0..diagnostic.labels.len()).collect();
    from_above.sort_by_key(|i| {
        let span = diagnostic.labels[*i].0;
        (span.file != main, span.file, line(span))
    });
    let mut order = vec![0; from_above.len()];
    from_above.into_iter().enumerate().for_each(|(rank, i)| order[i] = rank as i32);
    order
}

/// The files of a [`SourceMap`] as ariadne wants them, split into lines when first shown.
struct Files<'a> {
    map: &'a SourceMap,
    parsed: Vec<(FileId, Source<Arc<str>>)>,
    /// Those for the diagnostic at hand, and what they are for ariadne.
    excerpts: Excerpts,
    cut: Vec<(FileId, Source<Arc<str>>)>,
}

impl ariadne::Cache<Shown> for Files<'_> {
    type Storage = Arc<str>;

    fn fetch(&mut self, Shown(id, is_excerpt): &Shown) -> Result<&Source<Arc<str>>, impl Debug> {
        let parsed = if *is_excerpt { &mut self.cut } else { &mut self.parsed };
        let index = match parsed.iter().position(|(i, _)| i == id) {
            Some(index) => index,
            None => {
                let excerpt = self.excerpts.iter().find(|(i, _)| *is_excerpt && i == id);
                let source = match (excerpt, self.map.get(*id)) {
                    (Some((_, excerpt)), _) => Source::from(Arc::from(pictured(&excerpt.text))),
                    (None, Some(file)) => Source::from(Arc::from(pictured(&file.text))),
                    (None, None) => return Err("no such file"),
                };
                parsed.push((*id, source));
                parsed.len() - 1
            }
        };
        Ok::<_, &str>(&parsed[index].1)
    }

    fn display<'a>(&self, Shown(id, is_excerpt): &'a Shown) -> Option<impl Display + 'a> {
        let mark = if *is_excerpt { MARK.to_string() } else { String::new() };
        self.map.get(*id).map(|f| mark + &printable(&f.path))
    }
}
