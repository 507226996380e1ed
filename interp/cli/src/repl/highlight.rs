//! Source text in colours, for the terminal.

use futi_core::source::FileId;
use futi_core::syntax::token::{Token, lex};

const KEYWORD: &str = "\x1b[34m";
const NUMBER: &str = "\x1b[36m";
const TEXT: &str = "\x1b[32m";
const CONSTRUCTOR: &str = "\x1b[33m";
const COMMAND: &str = "\x1b[35m";
/// Dark: what is said, but does not count.
const ASIDE: &str = "\x1b[90m";
const END: &str = "\x1b[0m";

/// The text with the escape sequences of its colours; without them it is the same.
pub fn code(text: &str) -> String {
    let mut out = String::with_capacity(2 * text.len());
    let mut at = 0;
    if futi_core::session::is_command(text) {
        at = text.find(char::is_whitespace).unwrap_or(text.len());
        coloured(&mut out, COMMAND, &text[..at]);
    }
    let rest = at;
    let tokens = lex(FileId::default(), &text[rest..]).tokens;
    for (i, (token, span)) in tokens.iter().enumerate() {
        let (start, end) = (rest + span.start as usize, rest + span.end as usize);
        between(&mut out, &text[at..start]);
        let is_constructor = i > 0 && tokens[i - 1].0 == Token::Sym("#") && tokens[i - 1].1.end == span.start;
        let colour = match token {
            Token::Keyword(_) => KEYWORD,
            Token::Int(..) | Token::Float(..) | Token::Field(_) => NUMBER,
            Token::Str(_) => TEXT,
            Token::Ident(_) if is_constructor => CONSTRUCTOR,
            Token::Sym("#") => CONSTRUCTOR,
            _ => "",
        };
        coloured(&mut out, colour, &text[start..end]);
        at = end;
    }
    between(&mut out, &text[at..]);
    out
}

/// What is said, but is no code.
pub fn aside(text: &str) -> String {
    format!("{ASIDE}{text}{END}")
}

/// Blanks and comments.
fn between(out: &mut String, text: &str) {
    let comments = text.find("--").unwrap_or(text.len());
    out.push_str(&text[..comments]);
    coloured(out, ASIDE, &text[comments..]);
}

fn coloured(out: &mut String, colour: &str, text: &str) {
    if colour.is_empty() || text.is_empty() {
        out.push_str(text);
    } else {
        out.extend([colour, text, END]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_colours() {
        let shown = |text: &str| {
            let mut text = code(text);
            for (name, colour) in
                [("k", KEYWORD), ("n", NUMBER), ("t", TEXT), ("c", CONSTRUCTOR), ("m", COMMAND), ("-", ASIDE)]
            {
                text = text.replace(colour, &format!("<{name}:"));
            }
            text.replace(END, ">")
        };
        assert_eq!(shown("let x = 1 + y -- in"), "<k:let> x = <n:1> + y <-:-- in>");
        assert_eq!(shown(":type \"a--b\""), "<m::type> <t:\"a--b\">");
        assert_eq!(shown("match #some 1.5"), "<k:match> <c:#><c:some> <n:1.5>");
        assert_eq!(shown(":q"), "<m::q>");
        assert_eq!(shown("\"no end"), "\"no end");
        assert_eq!(shown("é 1"), "é <n:1>");
    }
}
