//! Sites in GLSL: the library's files, and pieces of GLSL in string literals of Rust.

use super::{Form, Operator, Site, hash};
use std::ops::Range;

/// What stands in the text as it is, and what it becomes. The spaces keep signs and brackets of types out.
const TOKENS: [(&str, &str, Operator); 18] = [
    ("memoryBarrierShared();", "", Operator::Barrier),
    ("memoryBarrierBuffer();", "", Operator::Barrier),
    ("barrier();", "", Operator::Barrier),
    (" < ", " <= ", Operator::Tie),
    (" <= ", " < ", Operator::Tie),
    (" > ", " >= ", Operator::Tie),
    (" >= ", " > ", Operator::Tie),
    (" == ", " != ", Operator::Comparison),
    (" != ", " == ", Operator::Comparison),
    (" + ", " - ", Operator::Sign),
    (" - ", " + ", Operator::Sign),
    (" * ", " + ", Operator::DroppedTerm),
    (" && ", " || ", Operator::Swap),
    (" || ", " && ", Operator::Swap),
    (" & ", " | ", Operator::Swap),
    (" | ", " & ", Operator::Swap),
    (" << ", " >> ", Operator::Swap),
    (" >> ", " << ", Operator::Swap),
];

/// Neutral elements, as literals.
const NEUTRAL: [(&str, &str); 6] =
    [("0.0lf", "1.0lf"), ("1.0lf", "0.0lf"), ("0.0f", "1.0f"), ("1.0f", "0.0f"), ("0.0", "1.0"), ("1.0", "0.0")];

/// The sites of a text that begins at this offset. Lines of comments have none.
pub fn sites(text: &str, offset: usize) -> Vec<Site> {
    let mut sites = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.find("//").map_or(line, |comment| &line[..comment]);
        // no instructions to the compiler, whose numbers are no values
        if !code.trim_start().starts_with(['#']) && !code.contains("layout(") {
            sites.extend(line_sites(code).into_iter().map(|(range, operator, other)| {
                let at = offset + start;
                Site { operator, range: at + range.start..at + range.end, form: Form::Reading(other) }
            }));
        }
        start += line.len();
    }
    sites
}

/// Whether a string literal of Rust is GLSL, rather than a message or a name.
pub fn is_glsl(literal: &str) -> bool {
    let text = literal.trim_start_matches(['r', '#', '"']);
    let ends = text.trim_end_matches(['"', '#']).trim_end_matches("\\n").trim_end();
    ends.ends_with([';', '}']) && text.contains(['(', '=', ';'])
        || ["for (", "if (", "while ("].iter().any(|k| text.starts_with(k))
        || text.starts_with('(') && ends.ends_with(')')
}

fn line_sites(line: &str) -> Vec<(Range<usize>, Operator, String)> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let before = line[..at].chars().next_back();
        let token = TOKENS.iter().find(|(token, ..)| rest.starts_with(token) && !is_part_of_name(before, token));
        if let Some((token, other, operator)) = token {
            // the last space may begin the next one
            let (range, other) = (at..at + token.trim_end().len(), other.trim_end());
            at = range.end;
            out.push((range, *operator, other.to_string()));
        } else if let Some((range, operator, other)) = number(line, at, before) {
            at = range.end;
            out.push((range, operator, other));
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '$'
}

fn is_part_of_name(before: Option<char>, token: &str) -> bool {
    token.starts_with(is_word) && before.is_some_and(is_word)
}

/// A number that stands here: decimal integers and the neutral elements of floats. Those in braces or brackets are indices and names.
fn number(line: &str, at: usize, before: Option<char>) -> Option<(Range<usize>, Operator, String)> {
    if before.is_some_and(|c| is_word(c) || c == '{' || c == '[') {
        return None;
    }
    let word: &str = line[at..].split(|c| !is_word(c)).next()?;
    let range = at..at + word.len();
    if let Some((_, other)) = NEUTRAL.iter().find(|(zero, _)| word == *zero) {
        return Some((range, Operator::Neutral, other.to_string()));
    }
    let digits = word.trim_end_matches(['u', 'U', 'L']);
    let value: u64 = digits.parse().ok()?;
    let (operator, other) = match value {
        // half of the zeros and ones are neutral elements: as many are mistaken for the other
        0 | 1 if hash(line).is_multiple_of(2) => (Operator::Neutral, 1 - value),
        _ => (Operator::OffByOne, value.checked_add(1)?),
    };
    Some((range, operator, format!("{other}{}", &word[digits.len()..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(text: &str) -> Vec<(&str, String)> {
        let other = |s: &Site| match &s.form {
            Form::Reading(other) => other.clone(),
            form => panic!("{form:?}"),
        };
        sites(text, 0).iter().map(|s| (&text[s.range.clone()], other(s))).collect()
    }

    #[test]
    fn signs_neutral_elements_and_barriers_are_sites() {
        let got = changes("    if (x < 0.0lf) barrier(); // a + b\n    y = a * b - z; // 7\n");
        let want = [(" <", " <="), ("0.0lf", "1.0lf"), ("barrier();", ""), (" *", " +"), (" -", " +")];
        assert_eq!(got, want.map(|(a, b)| (a, b.to_string())));
    }

    #[test]
    fn names_and_parts_of_numbers_are_none() {
        assert_eq!(changes("x1 = exp2 + f_2(6.93e-01lf, 0x7fu, {0}, a[1], memory_barrier();"), [(" +", " -".into())]);
        assert_eq!(changes("#version 460\nlayout(local_size_x = 64) in;\n"), []);
        assert_eq!(changes("f(23u, 64UL)"), [("23u", "24u".to_string()), ("64UL", "65UL".to_string())]);
    }

    #[test]
    fn messages_are_no_glsl() {
        for glsl in
            ["\"barrier();\"", "\"if (lane == 0u)\"", "\"({x} < {y})\"", "\"void f({params}) {{\\n{body}}}\\n\""]
        {
            assert!(is_glsl(glsl), "{glsl}");
        }
        for text in ["\"a loop of 2 < 3\"", "\"operands that are scalars\"", "\"F64\"", "\"\""] {
            assert!(!is_glsl(text), "{text}");
        }
    }
}
