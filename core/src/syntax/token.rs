//! Tokens, and the lexer that makes them.
//!
//! White space matters in three places, all settled here: `f[x]` indexes and `f [x]` applies (the first `[` is
//! [`Token::IndexBracket`]); `m.(` opens a module locally and `m.+` is a qualified operator; and digits right behind a
//! dot are a field (`x.0.1`), never a fraction.

use super::lookalike;
use crate::diag::{Code, Diagnostic};
use crate::source::{FileId, Span};
use std::fmt;

/// A token; identifiers and operators borrow from the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// A name.
    Ident(&'a str),
    /// A keyword.
    Keyword(Keyword),
    /// An integer literal with its type suffix.
    Int(i128, Option<&'a str>),
    /// A float literal with its type suffix.
    Float(f64, Option<&'a str>),
    /// The digits behind the dot of `x.0`.
    Field(u32),
    /// A string literal, without its quotes.
    Str(&'a str),
    /// An operator made of symbols, except the reserved ones below.
    Op(&'a str),
    /// An operator of a module, with the module: `f64.+`.
    QualOp(&'a str),
    /// `[` right behind an expression: an index follows.
    IndexBracket,
    /// `.` right behind an expression, before `(`.
    DotParen,
    /// `.` before a name or a field.
    Dot,
    /// Anything else that is fixed: brackets and reserved symbols.
    Sym(&'static str),
    /// Something that is no token; the lexer has reported it.
    Unknown,
}

macro_rules! keywords {
    ($($name:ident $text:literal),* $(,)?) => {
        /// A reserved word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Keyword { $(#[doc = concat!("`", $text, "`")] $name),* }

        impl Keyword {
            /// The word.
            pub fn text(self) -> &'static str {
                match self { $(Keyword::$name => $text),* }
            }

            fn of(text: &str) -> Option<Keyword> {
                match text { $($text => Some(Keyword::$name),)* _ => None }
            }
        }
    };
}

keywords! {
    Def "def", Entry "entry", Let "let", In "in", If "if", Then "then", Else "else", Loop "loop", For "for",
    While "while", Do "do", Module "module", Open "open", Type "type", Import "import", Local "local", True "true",
    False "false", Match "match", Case "case", With "with", Val "val", Include "include", Assert "assert",
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Ident(name) => write!(f, "`{name}`"),
            Token::Keyword(k) => write!(f, "`{}`", k.text()),
            Token::Int(..) => f.write_str("an integer"),
            Token::Float(..) => f.write_str("a number"),
            Token::Field(n) => write!(f, "`{n}`"),
            Token::Str(_) => f.write_str("a string"),
            Token::Op(op) | Token::QualOp(op) => write!(f, "`{op}`"),
            Token::IndexBracket => f.write_str("`[`"),
            Token::DotParen | Token::Dot => f.write_str("`.`"),
            Token::Sym(s) => write!(f, "`{s}`"),
            Token::Unknown => f.write_str("an unknown character"),
        }
    }
}

/// A documentation comment: consecutive lines, the first of which begins `-- |`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doc {
    /// From the first line's dashes to the last line's end.
    pub span: Span,
    /// The lines without their dashes.
    pub text: String,
}

/// What the lexer returns.
#[derive(Clone, Debug, Default)]
pub struct Lexed<'a> {
    /// The tokens, in order.
    pub tokens: Vec<(Token<'a>, Span)>,
    /// The documentation comments, in order.
    pub docs: Vec<Doc>,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Splits a text into tokens. Never fails: what is no token becomes [`Token::Unknown`] and a diagnostic.
pub fn lex(file: FileId, text: &str) -> Lexed<'_> {
    let mut lexer = Lexer { file, text, pos: 0, token_start: 0, out: Lexed::default() };
    while lexer.skip_blank() {
        lexer.token_start = lexer.pos;
        let token = lexer.token();
        let span = lexer.span(lexer.token_start);
        lexer.out.tokens.push((token, span));
    }
    lexer.out
}

/// What operators begin with.
pub(crate) const OPERATOR_CHARS: &str = "+-*/%=!><|&^";
/// Brackets and symbols with a meaning of their own; the longest first where one begins another.
const SYMBOLS: [&str; 27] = [
    "???", "...", "..<", "..>", "..", "#[", ":>", "'^", "'~", "(", ")", "[", "]", "{", "}", ",", ":", ";", "\\", "`",
    "'", "?", "#", ".", "@", "~", "$",
];
/// Runs of operator characters that are not operators.
const RESERVED: [&str; 3] = ["->", "=", "!"];

fn is_ident_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_ident_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '\''
}

/// What operators go on with (language reference, "symchar").
fn is_operator_char(c: char) -> bool {
    c == '.' || OPERATOR_CHARS.contains(c)
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    pos: usize,
    /// Where the token being read begins.
    token_start: usize,
    out: Lexed<'a>,
}

impl<'a> Lexer<'a> {
    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.pos as u32)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    fn error(&mut self, code: Code, start: usize, message: String) {
        let span = self.span(start);
        self.out.diagnostics.push(Diagnostic::error(code, span, message));
    }

    /// Moves over the characters that satisfy `f` and returns them.
    fn take_while(&mut self, f: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|c| !f(c)).unwrap_or(rest.len());
        self.pos += len;
        &rest[..len]
    }

    /// Moves to the next token; false at the end of the text.
    fn skip_blank(&mut self) -> bool {
        loop {
            self.take_while(char::is_whitespace);
            if self.invisible() {
                continue;
            }
            if !self.rest().starts_with("--") {
                return !self.rest().is_empty();
            }
            if self.rest().starts_with("-- |") {
                self.doc();
            } else {
                self.comment();
            }
        }
    }

    /// Moves over a comment up to the end of its line.
    fn comment(&mut self) -> &'a str {
        self.take_while(|c| c != '\n')
    }

    fn doc(&mut self) {
        let start = self.pos;
        let mut text = self.comment()["-- |".len()..].trim_end().to_string();
        loop {
            let end = self.pos;
            self.take_while(|c| c == ' ' || c == '\t' || c == '\r');
            let newline = self.rest().starts_with('\n');
            self.pos += usize::from(newline);
            self.take_while(|c| c == ' ' || c == '\t');
            if !newline
                || !self.rest().starts_with("--")
                || self.rest().starts_with("-- |")
                || self.rest().starts_with("-- ==")
            {
                self.pos = end;
                break;
            }
            text.push('\n');
            text.push_str(self.comment()["--".len()..].trim_end());
        }
        let span = self.span(start);
        self.out.docs.push(Doc { span, text });
    }

    /// Does the previous token end right here, and can it end an expression?
    fn behind_expression(&self) -> bool {
        self.out.tokens.last().is_some_and(|(token, span)| {
            span.end as usize == self.pos
                && matches!(token, Token::Ident(_) | Token::Field(_) | Token::Sym(")" | "]" | "}"))
        })
    }

    /// Is this the previous token, and does it end right here?
    fn ends_here(&self, token: Token) -> bool {
        self.out.tokens.last().is_some_and(|(last, span)| *last == token && span.end as usize == self.pos)
    }

    fn token(&mut self) -> Token<'a> {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or(' ');
        if is_ident_start(first) {
            // a constructor may have any word for its name
            let constructor = self.ends_here(Token::Sym("#"));
            let word = self.take_while(is_ident_char);
            return match Keyword::of(word).filter(|_| !constructor) {
                Some(keyword) => Token::Keyword(keyword),
                None => Token::Ident(word),
            };
        }
        if first.is_ascii_digit() {
            return if self.ends_here(Token::Dot) { self.field() } else { self.number() };
        }
        if first == '.' && self.behind_expression() {
            let next = rest[1..].chars().next().unwrap_or(' ');
            if next == '(' {
                self.pos += 1;
                return Token::DotParen;
            }
            if OPERATOR_CHARS.contains(next) && matches!(self.out.tokens.last(), Some((Token::Ident(_), _))) {
                return self.qualified_operator();
            }
        }
        if first == '.' && rest[1..].starts_with(|c: char| is_ident_start(c) || c.is_ascii_digit()) {
            self.pos += 1;
            return Token::Dot;
        }
        if first == '[' && self.behind_expression() {
            self.pos += 1;
            return Token::IndexBracket;
        }
        if first == '"' {
            return self.string();
        }
        if first == '\''
            && let Some(token) = self.character()
        {
            return token;
        }
        if OPERATOR_CHARS.contains(first) {
            let run = self.take_while(is_operator_char);
            return match RESERVED.iter().find(|r| **r == run) {
                Some(symbol) => Token::Sym(symbol),
                None => Token::Op(run),
            };
        }
        if let Some(symbol) = SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
            self.pos += symbol.len();
            return Token::Sym(symbol);
        }
        self.unknown(first)
    }

    /// A character that begins no token. If it is known what was meant it is read as that, so that nothing else is said of it.
    fn unknown(&mut self, first: char) -> Token<'a> {
        let start = self.pos;
        if lookalike::is_quote(first)
            && let Some(token) = self.quoted(first)
        {
            return token;
        }
        self.pos += first.len_utf8();
        if first.is_alphabetic() && lookalike::meant(first).is_none() {
            self.take_while(|c| !c.is_ascii() && c.is_alphanumeric() && lookalike::meant(c).is_none());
        }
        let message = format!("Unknown character {}.", lookalike::shown(first));
        let d = Diagnostic::error(Code::UnknownCharacter, self.span(start), message);
        let (d, token) = match lookalike::meant(first) {
            Some(meant) => {
                let d = d.hint(format!("write `{meant}`.")).edit(self.span(start), meant);
                let symbol = RESERVED.iter().chain(&SYMBOLS).find(|s| **s == meant);
                (d, symbol.map_or(Token::Op(meant), |s| Token::Sym(s)))
            }
            None if first.is_alphabetic() => {
                (d.hint("names are made of the letters a to z, digits, `_` and `'`."), Token::Unknown)
            }
            None => (d, Token::Unknown),
        };
        self.out.diagnostics.push(d);
        token
    }

    /// A string between quotes that are none.
    fn quoted(&mut self, first: char) -> Option<Token<'a>> {
        let start = self.pos;
        let rest = &self.rest()[first.len_utf8()..];
        let line = rest.lines().next()?;
        let (end, last) = line.char_indices().find(|(_, c)| *c == '"' || lookalike::is_quote(*c))?;
        let body = &line[..end];
        self.pos += first.len_utf8() + end + last.len_utf8();
        let message = format!("Unknown character {}.", lookalike::shown(first));
        let d = Diagnostic::error(Code::UnknownCharacter, self.span(start), message);
        self.out.diagnostics.push(
            d.hint(format!("a text stands between `\"` and `\"`: write `\"{body}\"`."))
                .edit(self.span(start), format!("\"{body}\"")),
        );
        Some(if unescape(body).is_ok() { Token::Str(body) } else { Token::Unknown })
    }

    /// Moves over characters that nobody sees, which stand between words of texts that were pasted.
    fn invisible(&mut self) -> bool {
        let start = self.pos;
        if self.take_while(lookalike::is_invisible).is_empty() {
            return false;
        }
        let first = self.text[start..].chars().next().unwrap_or(' ');
        let message = format!("Unknown character {}.", lookalike::shown(first));
        let d = Diagnostic::error(Code::UnknownCharacter, self.span(start), message);
        self.out.diagnostics.push(d.hint("leave it out; it cannot be seen.").edit(self.span(start), ""));
        true
    }

    /// At the dot of `m.n.+`: takes back the names before it.
    fn qualified_operator(&mut self) -> Token<'a> {
        let mut start = self.pos;
        while let Some((Token::Ident(_) | Token::Dot, span)) = self.out.tokens.last() {
            if span.end as usize != start {
                break;
            }
            start = span.start as usize;
            self.out.tokens.pop();
        }
        self.pos += 1;
        self.take_while(is_operator_char);
        self.token_start = start;
        Token::QualOp(&self.text[start..self.pos])
    }

    fn field(&mut self) -> Token<'a> {
        let start = self.pos;
        let digits = self.take_while(|c| c.is_ascii_digit());
        digits.parse().map(Token::Field).unwrap_or_else(|_| self.bad_number(start, "this field number is too large"))
    }

    /// `'c'`, an integer; not the quote of a type parameter.
    fn character(&mut self) -> Option<Token<'a>> {
        let start = self.pos;
        let rest = &self.rest()[1..];
        let len = match rest.chars().next()? {
            '\\' => 1 + rest[1..].char_indices().skip(1).find(|(_, c)| *c == '\'')?.0,
            c => c.len_utf8(),
        };
        let body = rest.get(..len).filter(|_| rest[len..].starts_with('\''))?;
        self.pos += len + 2;
        match unescape(body).as_deref().map(|text| (text.chars().next(), text.chars().count())) {
            Ok((Some(c), 1)) => Some(Token::Int(c as i128, None)),
            _ => {
                self.error(Code::UnknownCharacter, start, format!("`{body}` is no character."));
                Some(Token::Unknown)
            }
        }
    }

    fn string(&mut self) -> Token<'a> {
        let start = self.pos;
        let body = &self.rest()[1..];
        let mut escaped = false;
        let end = body.find(|c| {
            let ends = (c == '"' && !escaped) || c == '\n';
            escaped = c == '\\' && !escaped;
            ends
        });
        let body = &body[..end.unwrap_or(body.len())];
        self.pos += 1 + body.len();
        if !self.rest().starts_with('"') {
            self.error(Code::UnknownCharacter, start, "This string has no closing quote.".to_string());
            return Token::Unknown;
        }
        self.pos += 1;
        if let Err(escape) = unescape(body) {
            self.error(Code::UnknownCharacter, start, format!("`{escape}` is no escape sequence."));
            return Token::Unknown;
        }
        Token::Str(body)
    }

    fn bad_number(&mut self, start: usize, why: &str) -> Token<'a> {
        self.error(Code::BadNumber, start, format!("Malformed number: {why}."));
        Token::Unknown
    }

    fn number(&mut self) -> Token<'a> {
        let start = self.pos;
        for (prefix, radix) in [("0x", 16), ("0X", 16), ("0b", 2), ("0B", 2)] {
            if self.rest().starts_with(prefix) {
                self.pos += 2;
                let digits = self.take_while(|c| c.is_digit(radix) || c == '_').replace('_', "");
                if radix == 16
                    && let Some(token) = self.hexadecimal_float(start, &digits)
                {
                    return token;
                }
                let suffix = self.suffix();
                return match i128::from_str_radix(&digits, radix) {
                    Ok(value) => self.int(start, value, suffix),
                    Err(_) => self.bad_number(start, "digits missing, or too many"),
                };
            }
        }
        if self.rest().starts_with("0r") || self.rest().starts_with("0R") {
            self.pos += 2;
            let digits = self.take_while(|c| "IVXLCDM_".contains(c)).replace('_', "");
            let suffix = self.suffix();
            return match digits.is_empty() {
                true => self.bad_number(start, "digits missing"),
                false => self.int(start, roman(&digits), suffix),
            };
        }
        self.take_while(|c| c.is_ascii_digit() || c == '_');
        let mut float = false;
        if self.rest().starts_with('.') && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) {
            float = true;
            self.pos += 1;
            self.take_while(|c| c.is_ascii_digit() || c == '_');
        }
        let after = self.rest().strip_prefix(['e', 'E']);
        let after = after.map(|r| r.strip_prefix(['+', '-']).unwrap_or(r));
        if let Some(after) = after.filter(|r| r.starts_with(|c: char| c.is_ascii_digit())) {
            float = true;
            self.pos = self.text.len() - after.len();
            self.take_while(|c| c.is_ascii_digit() || c == '_');
        }
        let digits = self.text[start..self.pos].replace('_', "");
        let suffix = self.suffix();
        if float || matches!(suffix, Some("f16" | "f32" | "f64")) {
            match (digits.parse(), suffix) {
                (Ok(value), None | Some("f16" | "f32" | "f64")) => Token::Float(value, suffix),
                (_, Some(s)) => self.bad_number(start, &format!("`{s}` is not a type of numbers with a fraction")),
                (Err(_), None) => self.bad_number(start, "digits missing"),
            }
        } else {
            match digits.parse() {
                Ok(value) => self.int(start, value, suffix),
                Err(_) => self.bad_number(start, "too many digits"),
            }
        }
    }

    /// The rest of `0x1.8p-3`, behind the digits before the point; none if there is neither point nor exponent.
    fn hexadecimal_float(&mut self, start: usize, whole: &str) -> Option<Token<'a>> {
        let is_digit = |c: char| c.is_ascii_hexdigit();
        let mut digits = whole.to_string();
        if self.rest().starts_with('.') && self.rest()[1..].starts_with(is_digit) {
            self.pos += 1;
            digits += &self.take_while(|c| is_digit(c) || c == '_').replace('_', "");
        } else if !self.rest().starts_with(['p', 'P']) {
            return None;
        }
        let mut exponent: i32 = -4 * (digits.len() - whole.len()) as i32;
        if self.rest().starts_with(['p', 'P']) {
            self.pos += 1;
            let negative = self.rest().starts_with('-');
            self.pos += usize::from(self.rest().starts_with(['+', '-']));
            let Ok(n) = self.take_while(|c| c.is_ascii_digit() || c == '_').replace('_', "").parse::<i32>() else {
                return Some(self.bad_number(start, "the exponent has no digits, or too many"));
            };
            exponent = exponent.saturating_add(if negative { -n } else { n });
        }
        let suffix = self.suffix();
        let Ok(mantissa) = u128::from_str_radix(&digits, 16) else {
            return Some(self.bad_number(start, "digits missing, or too many"));
        };
        // in two steps: neither power is out of range where the number is not
        let half = exponent.clamp(-2200, 2200) / 2;
        let value = mantissa as f64 * 2f64.powi(half) * 2f64.powi(exponent.clamp(-2200, 2200) - half);
        Some(match suffix {
            None | Some("f16" | "f32" | "f64") => Token::Float(value, suffix),
            Some(s) => self.bad_number(start, &format!("`{s}` is not a type of numbers with a fraction")),
        })
    }

    fn int(&mut self, start: usize, value: i128, suffix: Option<&'a str>) -> Token<'a> {
        match suffix {
            None => Token::Int(value, None),
            Some("i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64") => {
                Token::Int(wrapped(value, suffix), suffix)
            }
            Some(s) => self.bad_number(start, &format!("`{s}` is not a type of integers")),
        }
    }

    fn suffix(&mut self) -> Option<&'a str> {
        Some(self.take_while(is_ident_char)).filter(|s| !s.is_empty())
    }
}

/// The number that Roman numerals stand for. What is before a greater one is subtracted in IV and IX, XL and XC, CD and CM.
fn roman(digits: &str) -> i128 {
    let value = |c: char| match c {
        'I' => 1,
        'V' => 5,
        'X' => 10,
        'L' => 50,
        'C' => 100,
        'D' => 500,
        _ => 1000,
    };
    let next = digits.chars().skip(1).map(Some).chain([None]);
    let signed = |(c, next): (char, Option<char>)| match (c, next) {
        ('I', Some('V' | 'X')) | ('X', Some('L' | 'C')) | ('C', Some('D' | 'M')) => -value(c),
        _ => value(c),
    };
    digits.chars().zip(next).map(signed).sum()
}

/// The number of an integer type that a literal with the type's suffix stands for: it wraps, so that `0x80i8` and `128i8` are the least `i8`. Without a suffix
/// it is what it is, and must fit in the type that it gets.
pub fn wrapped(value: i128, suffix: Option<&str>) -> i128 {
    match suffix {
        Some("i8") => value as i8 as i128,
        Some("i16") => value as i16 as i128,
        Some("i32") => value as i32 as i128,
        Some("i64") => value as i64 as i128,
        Some("u8") => value as u8 as i128,
        Some("u16") => value as u16 as i128,
        Some("u32") => value as u32 as i128,
        Some("u64") => value as u64 as i128,
        _ => value,
    }
}

/// The text that a literal stands for; the escape sequence that there is not, if there is one. `\\&` stands for nothing.
pub fn unescape(body: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(first) = rest.chars().next() else { return Err("\\".to_string()) };
        let simple = "n\nt\tr\rb\u{8}f\u{c}v\u{b}a\u{7}\\\\\"\"''";
        let (radix, prefix) = match first {
            'x' => (16, 1),
            'o' => (8, 1),
            _ => (10, 0),
        };
        let digits = &rest[prefix..];
        let count = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let code = u32::from_str_radix(&digits[..count], radix).ok().and_then(char::from_u32);
        if let Some(c) = code {
            out.push(c);
            rest = &digits[count..];
            continue;
        }
        let pairs: Vec<char> = simple.chars().collect();
        match pairs.chunks(2).find(|pair| pair[0] == first) {
            Some(pair) => out.push(pair[1]),
            None if first == '&' => {}
            None => return Err(format!("\\{first}")),
        }
        rest = &rest[first.len_utf8()..];
    }
    out.push_str(rest);
    Ok(out)
}
