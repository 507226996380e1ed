//! Regular expressions of test blocks: POSIX extended, a newline is an ordinary character, found anywhere in the text, empty matches all.

use regex::{Regex, RegexBuilder};
use std::fmt;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: String,
    regex: Regex,
}

impl Pattern {
    /// Compiles a POSIX extended regular expression.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(source: &str) -> Result<Pattern, String> {
        let translated = translate(source);
        let regex = RegexBuilder::new(&translated).dot_matches_new_line(true).build();
        let regex = regex.map_err(|e| format!("`{source}` is not a regular expression: {e}"))?;
        Ok(Pattern { source: source.to_string(), regex })
    }

    /// Whether it matches somewhere in the text.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

/// The differences between the two syntaxes that matter: a backslash before an ordinary character means that character; a brace that does not start
/// a repetition is an ordinary character; in brackets a backslash and an opening bracket are ordinary characters.
fn translate(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let tail = &rest[c.len_utf8()..];
        rest = match c {
            '\\' => match tail.chars().next() {
                Some(e) => {
                    out.push_str(&regex::escape(e.encode_utf8(&mut [0; 4])));
                    &tail[e.len_utf8()..]
                }
                None => {
                    out.push_str("\\\\");
                    tail
                }
            },
            '[' => {
                let end = bracket_end(tail);
                out.push('[');
                bracket(&tail[..end], &mut out);
                &tail[end..]
            }
            '{' if !is_repetition(tail) => {
                out.push_str("\\{");
                tail
            }
            '}' if !out.rsplit('{').next().is_some_and(|s| out.contains('{') && is_bounds(s)) => {
                out.push_str("\\}");
                tail
            }
            c => {
                out.push(c);
                tail
            }
        };
    }
    out
}

/// Whether `n}`, `n,}` or `n,m}` follows.
fn is_repetition(tail: &str) -> bool {
    tail.split_once('}').is_some_and(|(inside, _)| is_bounds(inside))
}

fn is_bounds(s: &str) -> bool {
    let (a, b) = s.split_once(',').unwrap_or((s, ""));
    !a.is_empty() && [a, b].iter().all(|s| s.chars().all(|c| c.is_ascii_digit()))
}

/// Where the bracket expression ends that has just been opened: the position of its `]`, or the end.
fn bracket_end(tail: &str) -> usize {
    let skip = |s: &str, p: &str| if s.starts_with(p) { p.len() } else { 0 };
    let mut i = skip(tail, "^");
    i += skip(&tail[i..], "]");
    loop {
        let rest = &tail[i..];
        if rest.is_empty() || rest.starts_with(']') {
            return i;
        }
        i += match rest.strip_prefix("[:").and_then(|r| r.find(":]")) {
            Some(end) => end + 4,
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
}

/// The inside of a bracket expression.
fn bracket(inside: &str, out: &mut String) {
    let mut rest = inside;
    while let Some(c) = rest.chars().next() {
        let class = rest.strip_prefix("[:").and_then(|r| r.find(":]")).map(|end| end + 4);
        let n = class.unwrap_or(c.len_utf8());
        match c {
            '[' if class.is_some() => out.push_str(&rest[..n]),
            '[' | ']' | '\\' | '&' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
        rest = &rest[n..];
    }
}
