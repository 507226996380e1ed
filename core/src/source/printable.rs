//! Text of others in what we say. A source, or the name of a file, may have characters that a terminal obeys, and that hide what is there or change what stands
//! around it: none of them is printed as it is.

use std::borrow::Cow;

/// Does it do something else than to stand where it is? Control characters, and those that turn the direction of writing around.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with escape sequences for such characters: `\u{1b}`. Lines and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| acts(c) && !matches!(c, '\n' | '\t');
    if !text.contains(hidden) {
        return text.into();
    }
    let mut out = String::new();
    for c in text.chars() {
        if hidden(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out.into()
}

/// The text with one character that can be seen for each of these, so that columns stay: the picture of a control character, `␛`, or `�`. Lines end with line
/// feeds only, as a [`SourceMap`](super::SourceMap) counts them.
pub fn pictured(text: &str) -> Cow<'_, str> {
    let picture = |c: char| match c {
        '\n' | '\t' => None,
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32),
        '\u{7f}' => Some('␡'),
        '\u{2028}' | '\u{2029}' => Some(char::REPLACEMENT_CHARACTER),
        c => acts(c).then_some(char::REPLACEMENT_CHARACTER),
    };
    if !text.contains(|c| picture(c).is_some()) {
        return text.into();
    }
    // what ends a line with the line feed is no character of it
    let mut rest = text.chars().peekable();
    let mut out = String::new();
    while let Some(c) = rest.next() {
        let ends_line = c == '\r' && rest.peek() == Some(&'\n');
        out.push(if ends_line { ' ' } else { picture(c).unwrap_or(c) });
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        assert_eq!(printable("a\u{1b}[31mé\tb\n"), "a\\u{1b}[31mé\tb\n");
        assert_eq!(printable("\u{9b}\u{202e}\u{7f}\r"), "\\u{9b}\\u{202e}\\u{7f}\\u{d}");
    }

    #[test]
    fn pictures_keep_columns() {
        let text = "é\u{1b}[31m\u{9b}\tx\r\ny\u{c}z\rw";
        assert_eq!(pictured(text), "é␛[31m�\tx \ny␌z␍w");
        assert_eq!(pictured(text).chars().count(), text.chars().count());
    }
}
