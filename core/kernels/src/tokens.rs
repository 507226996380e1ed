//! What the parsers of kernels and of host programs have in common: words, and what is to come next.

use crate::ir::Ident;
use futi_core::ir::Prov;
use futi_core::ir::parse::{ParseError, string_literal};
use futi_core::prim::ScalarType;
use std::str::FromStr;

pub type Result<T, E = ParseError> = std::result::Result<T, E>;

/// How deep statements and expressions may nest.
pub const MAX_DEPTH: usize = 512;

/// A piece of a text.
#[derive(Clone, Copy)]
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
    pub column: usize,
    /// Its first byte in the whole text.
    pub start: usize,
}

/// Words, with dots and signs in them; strings; `->`; every other character for itself. At last the end.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut out = Vec::new();
    for (i, line) in text.lines().enumerate() {
        // lines are parts of the text
        let first_byte = line.as_ptr() as usize - text.as_ptr() as usize;
        let (mut rest, mut column) = (line, 1);
        while let Some(first) = rest.chars().next().filter(|_| !rest.starts_with("--")) {
            let len = if rest.starts_with("->") {
                2
            } else if is_word(first) || first == '-' {
                let word = |from: usize| rest[from..].find(|c| !is_word(c)).map_or(rest.len(), |n| from + n);
                let end = word(1);
                // an exponent may have a sign: 1e-5f64
                let is_number = rest.starts_with(|c: char| c.is_ascii_digit() || c == '-');
                let has_sign = is_number && rest[..end].ends_with(['e', 'E']) && rest[end..].starts_with(['-', '+']);
                if has_sign { word(end + 1) } else { end }
            } else {
                string_literal(rest).map_or(first.len_utf8(), |(_, len)| len)
            };
            let (text, behind) = rest.split_at(len);
            if !first.is_whitespace() {
                out.push(Token { text, line: i + 1, column, start: first_byte + line.len() - rest.len() });
            }
            (rest, column) = (behind, column + text.chars().count());
        }
    }
    out.push(Token {
        text: "",
        line: text.lines().count().max(1),
        column: text.lines().last().map_or(0, |line| line.chars().count()) + 1,
        start: text.len(),
    });
    out
}

/// Reads tokens, of which the last one is the end, and looks up names in what is known.
pub struct Parser<'a, K> {
    tokens: &'a [Token<'a>],
    pub at: usize,
    depth: usize,
    /// What is known of what is read: names are looked up in it.
    pub known: K,
}

impl<'a, K> Parser<'a, K> {
    pub fn new(tokens: &'a [Token<'a>], known: K) -> Parser<'a, K> {
        Parser { tokens, at: 0, depth: 0, known }
    }

    /// A token, counted from the first one; the end behind it.
    pub fn token(&self, at: usize) -> Token<'a> {
        self.tokens[at.min(self.tokens.len() - 1)]
    }

    pub fn peek(&self) -> &'a str {
        self.token(self.at).text
    }

    pub fn fail<T>(&self, wanted: &str) -> Result<T> {
        let Token { text, line, column, .. } = self.token(self.at);
        let there = if text.is_empty() { "the end of the text".to_string() } else { format!("`{text}`") };
        Err(ParseError { line, column, message: format!("{wanted} is wanted, and there is {there}") })
    }

    /// Takes the next word if it means something.
    pub fn word<T>(&mut self, wanted: &str, read: impl FnOnce(&'a str) -> Option<T>) -> Result<T> {
        match read(self.peek()) {
            Some(x) => {
                self.at += 1;
                Ok(x)
            }
            None => self.fail(wanted),
        }
    }

    pub fn eat(&mut self, text: &str) -> bool {
        let is = self.peek() == text;
        self.at += usize::from(is);
        is
    }

    pub fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { self.fail(&format!("`{text}`")) }
    }

    /// The end of what is read.
    pub fn end(&self) -> Result<()> {
        if self.at + 1 >= self.tokens.len() { Ok(()) } else { self.fail("the end of the text") }
    }

    /// The first line: `futi-` and what it is, and the version.
    pub fn header(&mut self, what: &str, version: u32) -> Result<()> {
        self.expect("futi")?;
        self.expect(&format!("-{what}"))?;
        self.word(&format!("version {version}"), |word| (word == version.to_string()).then_some(()))
    }

    pub fn number<T: FromStr>(&mut self) -> Result<T> {
        self.word("a number", |word| word.parse().ok())
    }

    /// The number that the next entry of a table has.
    pub fn next_number(&mut self, next: usize) -> Result<()> {
        self.word(&format!("the number {next}"), |word| (word == next.to_string()).then_some(()))
    }

    pub fn prov(&mut self) -> Result<Prov> {
        self.expect("@")?;
        Ok(Prov(self.number()?))
    }

    /// Something that may contain itself.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return self.fail(&format!("what is nested less than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(64 << 10, 1 << 20, || parse(self));
        self.depth -= 1;
        result
    }

    /// `(item, item)`
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.expect("(")?;
        let mut all = Vec::new();
        while !self.eat(")") {
            if !all.is_empty() {
                self.expect(",")?;
            }
            all.push(item(self)?);
        }
        Ok(all)
    }

    /// `NAME_NUMBER: TYPE` of a table's next entry.
    pub fn declared(&mut self, at: usize) -> Result<(Ident, ScalarType)> {
        Ok((self.declared_name(at)?, self.word("a type", ScalarType::from_name)?))
    }

    pub fn declared_name(&mut self, at: usize) -> Result<Ident> {
        let name = self.new_name(at)?;
        self.expect(":")?;
        Ok(name)
    }

    /// `NAME_NUMBER` of a table's next entry.
    pub fn new_name(&mut self, at: usize) -> Result<Ident> {
        self.word(&format!("a name with `_{at}` at its end"), |word| {
            split(word)
                .filter(|(name, number)| *number as usize == at && !name.contains('.'))
                .map(|(name, _)| Ident::new(name))
        })
    }

    /// The number of an entry of a table; its name is what the table says, if it has such an entry.
    pub fn entry(&mut self, what: &str, kind: &str, own: impl FnOnce(&K, usize) -> Option<&Ident>) -> Result<u32> {
        let known = self.peek().strip_prefix(kind).and_then(split).filter(|(name, _)| !name.contains('.'));
        let Some((name, number)) = known else { return self.fail(what) };
        match own(&self.known, number as usize) {
            Some(ident) if ident.to_string() != name => self.fail(&format!("`{kind}{ident}_{number}`")),
            _ => {
                self.at += 1;
                Ok(number)
            }
        }
    }
}

/// A name and the number at its end.
pub fn split(word: &str) -> Option<(&str, u32)> {
    let (name, number) = word.rsplit_once('_')?;
    let plain = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    Some((name, number.parse().ok().filter(|_| plain)?))
}
