//! How a subcommand fails, what it says on standard error, and the exit status.

use crate::say;
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::ir::{Prov, ProvTable};
use futi_core::source::{SourceMap, Span, printable};
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

/// The message; the line of the source where it happened; then a line for each place: the statement, and the calls that led to it. Those in the prelude are left
/// out unless `FUTI_BACKTRACE` is `full`, and one that comes again and again is counted.
pub fn runtime_text(error: &RuntimeError, prov: &ProvTable, sources: &SourceMap) -> String {
    let all = error.backtrace(prov, sources);
    let is_full = std::env::var_os("FUTI_BACKTRACE").is_some_and(|v| v == "full");
    let is_own = |place: &&String| is_full || !place.starts_with("/prelude/");
    let own: Vec<&String> = all.iter().filter(is_own).collect();
    let shown = if own.is_empty() { all.iter().collect() } else { own };
    let mut text = error.message.clone();
    let places = std::iter::once(&error.prov).chain(&error.calls).flat_map(|at| sources.spans(*at, prov));
    if let Some(span) = places.into_iter().find(|span| !sources.of_prelude(*span)) {
        text.push_str(&excerpt(span, sources));
    }
    for (i, frame) in counted(&shown).into_iter().enumerate() {
        let start = if i == 0 { "\n\nBacktrace:\n-> " } else { "\n   " };
        text.push_str(&format!("{start}{frame}"));
    }
    match all.len() - shown.len() {
        0 => {}
        1 => text.push_str("\n   (1 in the prelude; FUTI_BACKTRACE=full shows it)"),
        n => text.push_str(&format!("\n   ({n} in the prelude; FUTI_BACKTRACE=full shows them)")),
    }
    text
}

/// The frames with their numbers. Where one or several come again and again, as in recursion, they stand once, and how often is said.
fn counted(places: &[&String]) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < places.len() {
        // how often what begins here comes again at once, for the shortest piece that does three times
        let times = |n: usize| places[at..].chunks_exact(n).take_while(|piece| *piece == &places[at..at + n]).count();
        let left = places.len() - at;
        let (n, times) = (1..=8.min(left)).map(|n| (n, times(n))).find(|(_, times)| *times >= 3).unwrap_or((1, 1));
        out.extend((at..at + n).map(|i| format!("#{i}  {}", places[i])));
        if times > 1 {
            let them = if n == 1 { "this".to_string() } else { format!("these {n}") };
            out.push(format!("... {them} {} times more", times - 1));
        }
        at += n * times;
    }
    out
}

/// The line in which a place begins, and what of it is meant.
fn excerpt(span: Span, sources: &SourceMap) -> String {
    let Some(file) = sources.get(span.file) else { return String::new() };
    let line = file.line(span.start);
    let range = file.line_range(line);
    let text = &file.text[range.clone()];
    // a line of a program that another one has written may be of any length
    if text.len() > 500 {
        return String::new();
    }
    let tab = |part: &str| part.replace('\t', "    ").chars().count();
    let clamp = |at: u32| (at as usize).clamp(range.start, range.end) - range.start;
    let (start, end) = (clamp(span.start), clamp(span.end));
    let number = (line + 1).to_string();
    let (before, marked) = (text.get(..start).unwrap_or(""), text.get(start..end).unwrap_or(""));
    let room = " ".repeat(number.len());
    format!(
        "\n\n{number} | {}\n{room} | {}{}",
        text.trim_end().replace('\t', "    "),
        " ".repeat(tab(before)),
        "^".repeat(tab(marked).max(1))
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_come_again_are_counted() {
        let counted = |places: &str| {
            let places: Vec<String> = places.chars().map(String::from).collect();
            counted(&places.iter().collect::<Vec<_>>())
        };
        assert_eq!(counted("ab"), ["#0  a", "#1  b"]);
        assert_eq!(counted("aab"), ["#0  a", "#1  a", "#2  b"]);
        assert_eq!(counted("xaaaab"), ["#0  x", "#1  a", "... this 3 times more", "#5  b"]);
        assert_eq!(counted("abababc"), ["#0  a", "#1  b", "... these 2 2 times more", "#6  c"]);
    }

    #[test]
    fn what_is_meant_is_marked() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.fut", "def x =\n\té + 1 / 0\ndef y = x\n");
        let at = |start, end| excerpt(Span::new(file, start, end), &sources);
        // the é has two bytes
        assert_eq!(at(14, 19), "\n\n2 |     é + 1 / 0\n  |         ^^^^^");
        assert_eq!(at(4, 30), "\n\n1 | def x =\n  |     ^^^");
        assert_eq!(at(7, 7), "\n\n1 | def x =\n  |        ^");
    }
}
