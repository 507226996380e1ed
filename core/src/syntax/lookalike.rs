//! Characters that begin no token and look like one: what editors and other languages write.

/// What is written for a character, if that is known.
pub(super) fn meant(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2010}'..='\u{2015}' | '−' | '﹣' | '－' => "-",
        '×' | '·' | '⋅' | '∗' | '∙' | '＊' => "*",
        '÷' | '∕' | '⁄' | '／' => "/",
        '＋' => "+",
        '≠' => "!=",
        '≤' | '⩽' => "<=",
        '≥' | '⩾' => ">=",
        '＝' => "=",
        '＜' => "<",
        '＞' => ">",
        '≡' => "==",
        '→' | '⟶' | '⇒' => "->",
        'λ' => "\\",
        '∧' => "&&",
        '∨' => "||",
        '¬' | '！' => "!",
        '⊕' => "^",
        '«' | '≪' => "<<",
        '»' | '≫' => ">>",
        '…' => "...",
        '（' => "(",
        '）' => ")",
        '［' => "[",
        '］' => "]",
        '｛' => "{",
        '｝' => "}",
        '，' => ",",
        '：' => ":",
        '．' => ".",
        '‘' | '’' | '′' | '＇' => "'",
        _ => return None,
    })
}

/// Is it a quote that an editor makes of `"`?
pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '“' | '”' | '„' | '‟' | '″' | '＂')
}

/// Is it a character that nobody sees?
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}

/// A character as a message shows it: with its number, by which one that looks like another is told from it.
pub(super) fn shown(c: char) -> String {
    match c.is_control() || c.is_whitespace() || is_invisible(c) {
        true => format!("`{}`", c.escape_unicode()),
        false => format!("`{c}` (U+{:04X})", u32::from(c)),
    }
}
