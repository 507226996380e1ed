//! The text of one block.

use super::*;

/// What may follow the input of a case, or start the next: no tag of a case.
const KEYWORDS: [&str; 9] =
    ["input", "random", "script", "output", "auto", "error", "structure", "warning", "property"];

/// Reads a block. `first`: whether it is the first of its program, in which more may stand.
pub(super) fn parse(line: usize, text: &str, first: bool) -> Result<Block, SpecError> {
    let mut p = Parser { text, pos: 0, line };
    let tags = if p.word("tags") { p.braced_words()? } else { Vec::new() };
    let action = if first && p.word("error:") {
        Action::CompileError(p.pattern()?)
    } else if p.word("property:") {
        let mut names = p.names();
        while p.word("property:") {
            names.extend(p.names());
        }
        Action::Properties(names)
    } else {
        Action::Run(p.run(first)?)
    };
    p.blank();
    if !p.rest().is_empty() {
        let found = p.rest().split_whitespace().next().unwrap_or_default().to_string();
        return p.fail(format!("`{found}` does not fit in a test block here"));
    }
    Ok(Block { line, tags, action })
}

struct Parser<'a> {
    text: &'a str,
    pos: usize,
    /// The line of the text's start.
    line: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    fn here(&self) -> usize {
        self.line + self.text[..self.pos].matches('\n').count()
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, SpecError> {
        Err(SpecError { line: self.here(), message: message.into() })
    }

    fn blank(&mut self) {
        self.pos = self.text.len() - self.rest().trim_start().len();
    }

    /// Takes this word, if it is the next.
    fn word(&mut self, word: &str) -> bool {
        self.blank();
        let rest = self.rest();
        let ends = |tail: &str| word.ends_with([':', '{', '@']) || !tail.starts_with(is_name_char);
        let found = rest.strip_prefix(word).is_some_and(ends);
        self.pos += if found { word.len() } else { 0 };
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), SpecError> {
        if self.word(word) {
            return Ok(());
        }
        let found = self.rest().split_whitespace().next().map_or("the end".into(), |w| format!("`{w}`"));
        self.fail(format!("expected `{word}`, found {found}"))
    }

    /// The rest of the line, trimmed.
    fn rest_of_line(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find('\n').unwrap_or(rest.len());
        self.pos += end;
        rest[..end].trim()
    }

    fn names(&mut self) -> Vec<String> {
        self.rest_of_line().split_whitespace().map(str::to_string).collect()
    }

    fn pattern(&mut self) -> Result<Pattern, SpecError> {
        let line = self.here();
        let source = self.rest_of_line();
        Pattern::new(source).map_err(|message| SpecError { line, message })
    }

    /// The text between braces, and its first line. Braces inside come in pairs, but for those in quoted text.
    fn braced(&mut self) -> Result<(&'a str, usize), SpecError> {
        self.expect("{")?;
        let (rest, line) = (self.rest(), self.here());
        let (mut quoted, mut escaped, mut depth) = (false, false, 1);
        let end = rest.char_indices().find(|(_, c)| {
            match c {
                '"' if !escaped => quoted = !quoted,
                '{' if !quoted => depth += 1,
                '}' if !quoted => depth -= 1,
                _ => {}
            }
            escaped = quoted && *c == '\\' && !escaped;
            depth == 0
        });
        match end {
            Some((end, _)) => {
                self.pos += end + 1;
                Ok((&rest[..end], line))
            }
            None => self.fail("a `}` is missing"),
        }
    }

    fn braced_words(&mut self) -> Result<Vec<String>, SpecError> {
        Ok(self.braced()?.0.split_whitespace().map(str::to_string).collect())
    }

    fn file(&mut self) -> Result<String, SpecError> {
        self.blank();
        let rest = self.rest();
        let name = rest.split_whitespace().next().unwrap_or_default();
        if name.is_empty() {
            return self.fail("the name of a file is missing");
        }
        self.pos += name.len();
        Ok(name.to_string())
    }

    fn run(&mut self, first: bool) -> Result<Run, SpecError> {
        let mut entries = vec!["main".to_string()];
        if self.word("entry:") {
            entries = self.names();
            if entries.is_empty() {
                return self.fail("the name of an entry point is missing");
            }
        }
        let mut run = Run { entries, cases: Vec::new(), structures: Vec::new(), warnings: Vec::new() };
        while let Some(case) = self.case()? {
            run.cases.push(case);
        }
        while first && self.word("structure") {
            run.structures.push(self.structure()?);
        }
        while first && self.word("warning:") {
            run.warnings.push(self.pattern()?);
        }
        Ok(run)
    }

    fn case(&mut self) -> Result<Option<TestCase>, SpecError> {
        self.blank();
        let (start, line) = (self.pos, self.here());
        let mut name = None;
        if let Some(rest) = self.rest().strip_prefix('"') {
            let Some(end) = rest.find('"') else { return self.fail("a `\"` is missing") };
            name = Some(rest[..end].to_string());
            self.pos += end + 2;
        }
        let mut tags = self.tags();
        let Some(input) = self.input(&mut tags)? else {
            if name.is_some() || !tags.is_empty() {
                return self.fail("expected `input`");
            }
            self.pos = start;
            return Ok(None);
        };
        Ok(Some(TestCase { line, name, tags, input, expect: self.expectation()? }))
    }

    /// The words up to the next keyword.
    fn tags(&mut self) -> Vec<String> {
        let mut tags = Vec::new();
        loop {
            self.blank();
            let rest = self.rest();
            let tag = &rest[..rest.find(|c| !is_name_char(c)).unwrap_or(rest.len())];
            if tag.is_empty() || KEYWORDS.contains(&tag) {
                return tags;
            }
            tags.push(tag.to_string());
            self.pos += tag.len();
        }
    }

    /// The input; tags may stand before the word `input` itself, too.
    fn input(&mut self, tags: &mut Vec<String>) -> Result<Option<Input>, SpecError> {
        if self.word("random") {
            tags.extend(self.tags());
            self.expect("input")?;
            let (text, line) = self.braced()?;
            return Ok(Some(Input::Random(random_values(text, line)?)));
        }
        if self.word("script") {
            tags.extend(self.tags());
            self.expect("input")?;
            return Ok(Some(if self.word("@") {
                Input::ScriptFile(self.file()?)
            } else {
                Input::Script(self.braced()?.0.trim().to_string())
            }));
        }
        if !self.word("input") {
            return Ok(None);
        }
        Ok(Some(if self.word("@") { Input::File(self.file()?) } else { Input::Values(self.values()?) }))
    }

    fn values(&mut self) -> Result<Vec<Value>, SpecError> {
        let (text, line) = self.braced()?;
        let before = &self.text[..self.pos - text.len() - 1];
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count());
        // a width in a format has a limit
        parse_values(&(" ".repeat(column) + text), line)
    }

    fn expectation(&mut self) -> Result<Expect, SpecError> {
        if self.word("auto") {
            self.expect("output")?;
            return Ok(Expect::Auto);
        }
        if self.word("error:") {
            return Ok(Expect::Error(self.pattern()?));
        }
        if !self.word("output") {
            return Ok(Expect::Success);
        }
        Ok(if self.word("@") { Expect::File(self.file()?) } else { Expect::Values(self.values()?) })
    }

    fn structure(&mut self) -> Result<Structure, SpecError> {
        let line = self.here();
        self.blank();
        let rest = self.rest();
        let stage = &rest[..rest.find(|c| !is_name_char(c) && c != '-').unwrap_or(rest.len())];
        self.pos += stage.len();
        let stage = (!stage.is_empty()).then(|| stage.to_string());
        let words = self.braced_words()?;
        let mut counts = Vec::new();
        for pair in words.chunks(2) {
            let [path, n] = pair else { return self.fail(format!("`{}` is without a number", pair[0])) };
            let Ok(n) = n.parse() else { return self.fail(format!("`{n}` is not a number")) };
            counts.push((path.split('/').map(str::to_string).collect(), n));
        }
        Ok(Structure { line, stage, counts })
    }
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'')
}

/// `[10][3]f32 5i64`: types with sizes, and values.
fn random_values(text: &str, line: usize) -> Result<Vec<RandomValue>, SpecError> {
    let fail = |word: &str| SpecError { line, message: format!("`{word}` is neither a type with sizes nor a scalar") };
    text.split_whitespace().map(|word| random_value(word).ok_or_else(|| fail(word))).collect()
}

/// A type with its sizes, `[10][3]f32`, or a scalar, without blanks.
pub fn random_value(word: &str) -> Option<RandomValue> {
    let mut rest = word;
    let mut shape = Vec::new();
    while let Some((n, tail)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
        shape.push(n.replace('_', "").trim_end_matches("i64").parse::<usize>().ok()?);
        rest = tail;
    }
    match (ScalarType::from_name(rest), text::parse_scalar(rest)) {
        (Some(t), _) => Some(RandomValue::OfType(t, shape)),
        (None, Some(x)) if shape.is_empty() => Some(RandomValue::Value(x.into())),
        _ => None,
    }
}
