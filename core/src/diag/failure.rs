//! Failures of programs as people read them.

use crate::failure::RuntimeError;
use crate::ir::ProvTable;
use crate::source::{SourceMap, Span};

/// Which places of a failure are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frames {
    /// Those in what the user wrote, if there are any.
    Own,
    /// Those in the prelude, too.
    All,
}

/// What a failure says: the message; the line of the source where it happened; then a line for each place: the statement, and the calls that led to it. One that comes
/// again and again is counted.
pub fn failure(error: &RuntimeError, prov: &ProvTable, sources: &SourceMap, frames: Frames) -> String {
    let all = error.backtrace(prov, sources);
    let is_own = |place: &&String| frames == Frames::All || !place.starts_with("/prelude/");
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
