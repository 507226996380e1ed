//! What was meant by a text that cannot be read. Nothing here is asked of texts that can be.
//!
//! A [`rules::Fix`] is a change of the text at the place of an error, for a mistake that is common. A fix counts if the text can be read with it; or if it
//! can be read further, and other fixes mend the rest: several mistakes of a declaration are mended one after the other. The error is then said of what is missing or too much,
//! and the hint shows the lines as they are to be written.

mod brackets;
mod header;
mod rules;
#[cfg(test)]
mod tests;
mod words;

use super::token::{Token, lex};
use super::{end_of_input, expr, run, whole_decl};
use crate::diag::{Code, Diagnostic, Edit, edited};
use crate::source::{FileId, Span};
use rules::{Fix, Site};

/// How many mistakes of one declaration are mended.
const STEPS: usize = 6;
/// How many tokens are read again for hints: of a text of many mistakes the first have hints.
const TOKENS: usize = 100_000;
/// The same in texts; to read one costs something however short it is.
const TEXTS: usize = 200;
/// A longer rewriting is shortened.
const SHOWN: usize = 100;

/// Explains the errors of a text.
pub(super) struct Hints<'t> {
    file: FileId,
    text: &'t str,
    is_expr: bool,
    tokens: usize,
    texts: usize,
}

impl<'t> Hints<'t> {
    /// For declarations.
    pub(super) fn new(file: FileId, text: &'t str) -> Hints<'t> {
        Hints { file, text, is_expr: false, tokens: TOKENS, texts: TEXTS }
    }

    /// For an expression.
    pub(super) fn of_expr(file: FileId, text: &'t str) -> Hints<'t> {
        Hints { is_expr: true, ..Hints::new(file, text) }
    }

    /// The error, said of what is wrong, with a hint, if it is known. `tokens` are those of what could not be read.
    pub(super) fn explained(&mut self, error: Diagnostic, tokens: &[(Token<'_>, Span)]) -> Diagnostic {
        let (Some((_, first)), Some((_, last))) = (tokens.first(), tokens.last()) else { return error };
        if error.code != Code::UnexpectedToken {
            return error;
        }
        if self.texts == 0 || tokens.len() > self.tokens {
            return brackets::unclosed(error, tokens);
        }
        let (start, end) = (first.start as usize, last.end as usize);
        let part = &self.text[start..end];
        let here = Diagnostic { labels: moved(&error.labels, -i64::from(first.start)), ..error.clone() };
        let Some((fix, new)) = self.mended(part, here) else { return brackets::unclosed(error, tokens) };
        let edits = changes(self.file, first.start, part, &new);
        let d = said(error, fix, first.start);
        let shown = rewritten(part, &new);
        let d = if d.has_hint() { d } else { d.hint(format!("write `{shown}`.")) };
        Diagnostic { edits, ..d }
    }

    /// The text of a declaration without its mistakes, and what mends the first of them. If not all can be mended, what mends the first may be no more than a guess.
    fn mended(&mut self, part: &str, error: Diagnostic) -> Option<(Fix, String)> {
        let mut first: Option<(Fix, String)> = None;
        let (mut text, mut error) = (part.to_string(), error);
        for _ in 0..STEPS {
            let fixes = {
                let lexed = lex(self.file, &text);
                let at = error.span().start;
                let k = lexed.tokens.partition_point(|(_, s)| s.start < at);
                let expected = error.labels.first().map_or("", |(_, text)| text);
                let brackets = brackets::innermost(&lexed.tokens);
                let (tokens, is_expr) = (&lexed.tokens, self.is_expr);
                rules::fixes(&Site { text: &text, tokens, brackets: &brackets, at: k, expected, is_expr })
            };
            let left = lex(self.file, &text).tokens.iter().filter(|(_, s)| s.start >= error.span().start).count();
            let texts: Vec<String> = fixes.iter().map(|fix| edited(&text, &fix.edits)).collect();
            let (n, next) = self.first_better(&texts, left)?;
            text = texts.into_iter().nth(n)?;
            match &mut first {
                Some((_, mended)) => mended.clone_from(&text),
                None => first = Some((fixes.into_iter().nth(n)?, text.clone())),
            }
            let Some(next) = next else { return first };
            error = next;
        }
        None
    }

    /// The first of the texts that can be read (`None`), or in which fewer tokens are left at the error.
    fn first_better(&mut self, texts: &[String], left: usize) -> Option<(usize, Option<Diagnostic>)> {
        let mut partly = None;
        for (n, text) in texts.iter().enumerate() {
            self.texts = self.texts.checked_sub(1)?;
            match self.read(text)? {
                (_, None) => return Some((n, None)),
                (tokens, Some(error)) if tokens < left && partly.is_none() => partly = Some((n, Some(error))),
                _ => {}
            }
        }
        partly
    }

    /// How many tokens of a text are left where it cannot be read, and why it cannot.
    fn read(&mut self, text: &str) -> Option<(usize, Option<Diagnostic>)> {
        let lexed = lex(self.file, text);
        if let Some(error) = lexed.diagnostics.into_iter().next() {
            return Some((usize::MAX, Some(error)));
        }
        let mut tokens = &lexed.tokens[..];
        self.tokens = self.tokens.checked_sub(tokens.len())?;
        let end = Span::new(self.file, text.len() as u32, text.len() as u32);
        let parser = whole_decl();
        let error = match self.is_expr {
            true => run(&expr::expr().then_ignore(end_of_input()), tokens, end).err(),
            false => loop {
                if tokens.is_empty() {
                    break None;
                }
                match run(&parser, tokens, end) {
                    Err(error) => break Some(error),
                    Ok(decl) => {
                        let next = tokens.partition_point(|(_, s)| s.start < decl.span.end);
                        tokens = &tokens[next.max(1)..];
                    }
                }
            },
        };
        let left = |error: &Diagnostic| lexed.tokens.iter().filter(|(_, s)| s.start >= error.span().start).count();
        Some((error.as_ref().map_or(0, left), error))
    }
}

/// The labels with their places moved.
fn moved(labels: &[(Span, String)], by: i64) -> Vec<(Span, String)> {
    let offset = |at: u32| (i64::from(at) + by).max(0) as u32;
    let span = |span: Span| Span { start: offset(span.start), end: offset(span.end), ..span };
    labels.iter().map(|(at, text)| (span(*at), text.clone())).collect()
}

/// The error in the words of the fix, whose places are behind `start`.
fn said(error: Diagnostic, fix: Fix, start: u32) -> Diagnostic {
    let labels = match fix.labels.is_empty() {
        true => error.labels,
        false => moved(&fix.labels, i64::from(start)),
    };
    let message = fix.message.unwrap_or(error.message);
    let d = Diagnostic { message, labels, ..error };
    match fix.hint {
        Some(hint) => d.hint(hint),
        None => d,
    }
}

/// Where two texts begin to differ, and how much they have in common at their ends: in bytes, between characters.
fn difference(old: &str, new: &str) -> (usize, usize) {
    let same = old.char_indices().zip(new.chars()).take_while(|((_, a), b)| a == b);
    let start = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
    let same = old[start..].chars().rev().zip(new[start..].chars().rev()).take_while(|(a, b)| a == b);
    (start, same.map(|(c, _)| c.len_utf8()).sum())
}

/// One change that makes the second text of the first, which begins at `start`.
fn changes(file: FileId, start: u32, old: &str, new: &str) -> Vec<Edit> {
    let (from, end) = difference(old, new);
    let at = |offset: usize| start + offset as u32;
    vec![(Span::new(file, at(from), at(old.len() - end)), new[from..new.len() - end].to_string())]
}

/// The lines of the new text that are not those of the old one, as one.
fn rewritten(old: &str, new: &str) -> String {
    let (from, end) = difference(old, new);
    let start = new[..from].rfind('\n').map_or(0, |at| at + 1);
    let to = new.len() - end;
    let stop = new[to..].find('\n').map_or(new.len(), |at| to + at);
    let words = new[start..stop].split_whitespace().collect::<Vec<_>>().join(" ");
    match words.chars().count() > SHOWN {
        true => words.chars().take(SHOWN - 3).chain("...".chars()).collect(),
        false => words,
    }
}
