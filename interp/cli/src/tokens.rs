//! `futi tokens`: what the lexer makes of a file.

use crate::failure::Failure;
use crate::{files, load, say};
use futi_core::source::{FileId, SourceMap, Span, printable};
use futi_core::syntax::token::lex;
use std::path::PathBuf;

/// List the tokens of a file, one a line, each behind its line and column.
#[derive(clap::Args)]
pub struct Args {
    /// The file.
    file: PathBuf,
}

/// Runs the subcommand. What is no token is reported when all have been listed.
pub fn tokens(args: Args) -> Result<(), Failure> {
    let text = files::read(&args.file)?;
    let mut sources = SourceMap::new();
    let file = sources.add(&args.file.to_string_lossy(), &text);
    let lexed = lex(file, &text);
    let lines: String = lexed.tokens.iter().map(|(_, span)| line(&sources, file, *span)).collect();
    if lexed.diagnostics.is_empty() {
        return say::out(lines);
    }
    say::last(lines, Err(Failure::Diagnostics(load::explained(&lexed.diagnostics, &sources))))
}

fn line(sources: &SourceMap, file: FileId, span: Span) -> String {
    let (line, column) = sources.get(file).map_or((0, 0), |f| f.line_col(span.start));
    format!("{line}:{column} {}\n", printable(sources.text(span)))
}
