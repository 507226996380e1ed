//! Diagnostics as text.

use super::{Diagnostic, Severity};
use crate::source::{FileId, SourceMap, Span};
use ariadne::{Config, IndexType, Label, Report, ReportKind, Source};
use std::fmt::{Debug, Display};
use std::sync::Arc;

/// All diagnostics with their source lines, in the given order, each followed by an empty line.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, color: bool) -> String {
    let mut out = Vec::new();
    let mut cache = Files { map: sources, parsed: vec![] };
    for diagnostic in diagnostics {
        if diagnostic.labels.iter().any(|(span, _)| sources.get(span.file).is_none()) {
            out.extend_from_slice(one_line(diagnostic, sources).as_bytes());
            out.push(b'\n');
            continue;
        }
        // Writing to a Vec does not fail, and every file is in the map.
        let _ = report(diagnostic, color).write(&mut cache, &mut out);
        out.push(b'\n');
    }
    // Ariadne pads some lines with blanks.
    let text = String::from_utf8_lossy(&out);
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// A diagnostic on one line: `file:line:col-col: error E0301: message`. Lines of the message are joined by spaces.
pub fn one_line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let message = diagnostic.message.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}: {severity} {}: {message}", sources.locate(diagnostic.span()), diagnostic.code)
}

/// A span in the form that ariadne wants.
type Place = (FileId, std::ops::Range<usize>);

fn place(span: Span) -> Place {
    (span.file, span.start as usize..span.end.max(span.start) as usize)
}

fn report(diagnostic: &Diagnostic, color: bool) -> Report<'static, Place> {
    let (kind, tint) = match diagnostic.severity {
        Severity::Error => (ReportKind::Error, ariadne::Color::Red),
        Severity::Warning => (ReportKind::Warning, ariadne::Color::Yellow),
    };
    let mut report = Report::build(kind, place(diagnostic.span()))
        .with_config(Config::default().with_color(color).with_index_type(IndexType::Byte))
        .with_code(diagnostic.code)
        .with_message(&diagnostic.message);
    for (i, (span, text)) in diagnostic.labels.iter().enumerate() {
        let tint = if i == 0 { tint } else { ariadne::Color::Blue };
        let mut label = Label::new(place(*span)).with_color(tint).with_order(i as i32);
        if !text.is_empty() {
            label = label.with_message(text);
        }
        report = report.with_label(label);
    }
    report.with_notes(&diagnostic.notes);
    report.finish()
}

/// The files of a [`SourceMap`] as ariadne wants them, split into lines when first shown.
struct Files<'a> {
    map: &'a SourceMap,
    parsed: Vec<(FileId, Source<Arc<str>>)>,
}

impl ariadne::Cache<FileId> for Files<'_> {
    type Storage = Arc<str>;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<Arc<str>>, impl Debug> {
        let index = match self.parsed.iter().position(|(i, _)| i == id) {
            Some(index) => index,
            None => {
                let Some(file) = self.map.get(*id) else { return Err("no such file") };
                self.parsed.push((*id, Source::from(file.text.clone())));
                self.parsed.len() - 1
            }
        };
        Ok::<_, &str>(&self.parsed[index].1)
    }

    fn display<'a>(&self, id: &'a FileId) -> Option<impl Display + 'a> {
        self.map.get(*id).map(|f| f.path.to_string())
    }
}
