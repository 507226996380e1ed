//! The manifest, `futhark.pkg`: what this package is called and what it requires.
//!
//! It is rewritten in place, word by word, so that comments, blanks and ends of lines stay as they are.

use super::name::{BadName, Name};
use crate::failure::Failure;
use futi_core::source::printable;
use semver::Version;
use std::fmt;
use std::ops::Range;

/// The name of the file.
pub const FILE: &str = "futhark.pkg";

/// What a manifest says.
#[derive(Debug, Default)]
pub struct Manifest {
    text: String,
    /// What this package is called; a program that is no package has no name.
    pub package: Option<Name>,
    /// Where it says so.
    pub package_place: Place,
    /// What is required, in its order.
    pub requires: Vec<Require>,
    /// Where `require { }` closes, if it is there.
    end: Option<usize>,
}

/// A package, and the least version of it that will do.
#[derive(Clone, Debug)]
pub struct Require {
    /// The package.
    pub name: Name,
    /// The version.
    pub version: Version,
    /// What the version's commit is to be.
    pub commit: Option<String>,
    /// Where it is required.
    pub place: Place,
    /// Where its words are in the text: the name, the version, and the commit if it is there.
    words: Vec<Range<usize>>,
}

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    line: usize,
    column: usize,
}

/// What is wrong with a manifest.
#[derive(Debug, PartialEq, Eq)]
pub struct Error {
    place: Place,
    wrong: Wrong,
}

#[derive(Debug, PartialEq, Eq)]
enum Wrong {
    Unexpected { found: String, expected: &'static str },
    Name(String, BadName),
    Url(String),
    Version(String),
    OtherMajor(Name, Version),
    Commit(String),
    Twice(String),
}

/// A word, or a bracket, and where it is.
type Word<'a> = (&'a str, Range<usize>);

impl Manifest {
    /// Reads it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn parse(text: &str) -> Result<Manifest, Error> {
        let mut reader = Reader { text, words: words(text).into_iter().peekable() };
        let mut out = Manifest { text: text.to_string(), ..Manifest::default() };
        while let Some((word, at)) = reader.words.next() {
            match word {
                "package" if out.package.is_none() => {
                    let (name, at) = reader.name()?;
                    if name.is_url() {
                        return Err(reader.error(&at, Wrong::Url(name.to_string())));
                    }
                    (out.package, out.package_place) = (Some(name), reader.place(&at));
                }
                "require" if out.end.is_none() => {
                    reader.expect("{")?;
                    out.end = Some(reader.requires(&mut out.requires)?);
                }
                "package" | "require" => return Err(reader.error(&at, Wrong::Twice(format!("`{word}`")))),
                _ => return Err(reader.unexpected(Some((word, at)), "`package` or `require`")),
            }
        }
        Ok(out)
    }

    /// The text of a manifest that names a package and requires nothing.
    pub fn named(name: &Name) -> String {
        format!("package {name}\n\nrequire {{\n}}\n")
    }

    /// What it requires of that package.
    pub fn requirement(&self, name: &Name) -> Option<&Require> {
        self.requires.iter().find(|r| r.name == *name)
    }

    /// The text with a requirement, in the place of what it required of that package before.
    pub fn with(&self, name: &Name, version: &Version, commit: &str) -> String {
        let mut text = self.text.clone();
        if let Some(Require { words, .. }) = self.requirement(name) {
            if let [_, old_version, old_commit @ ..] = &words[..] {
                match old_commit {
                    [old, ..] => text.replace_range(old.clone(), &format!("#{commit}")),
                    [] => text.insert_str(old_version.end, &format!(" #{commit}")),
                }
                text.replace_range(old_version.clone(), &version.to_string());
            }
            return text;
        }
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let line = format!("  {name} {version} #{commit}{newline}");
        let Some(end) = self.end else {
            let between = match text.trim().is_empty() {
                true => "",
                false if text.ends_with('\n') => newline,
                false => &newline.repeat(2),
            };
            return format!("{text}{between}require {{{newline}{line}}}{newline}");
        };
        let before = text[..end].trim_end_matches([' ', '\t']);
        match before.ends_with('\n') {
            true => text.insert_str(before.len(), &line),
            false => text.replace_range(before.len()..end, &format!("{newline}{line}")),
        }
        text
    }

    /// The text without that requirement.
    pub fn without(&self, require: &Require) -> String {
        let mut text = self.text.clone();
        for word in require.words.iter().rev() {
            cut(&mut text, word);
        }
        text
    }
}

/// Takes a word out of a text, and its line if nothing else is there.
fn cut(text: &mut String, word: &Range<usize>) {
    let start = text[..word.start].rfind('\n').map_or(0, |i| i + 1);
    let end = text[word.end..].find('\n').map_or(text.len(), |i| word.end + i + 1);
    if text[start..word.start].trim().is_empty() && text[word.end..end].trim().is_empty() {
        text.replace_range(start..end, "");
    } else {
        let blanks = text[word.end..].len() - text[word.end..].trim_start_matches([' ', '\t']).len();
        text.replace_range(word.start..word.end + blanks, "");
    }
}

/// The words of a text, without comments.
fn words(text: &str) -> Vec<Word<'_>> {
    let (mut out, mut at) = (vec![], 0);
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest.chars().next() {
            Some(c) if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            _ if rest.starts_with("--") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            Some('{' | '}') => 1,
            _ => rest.find(|c: char| c.is_whitespace() || c == '{' || c == '}').unwrap_or(rest.len()),
        };
        out.push((&rest[..length], at..at + length));
        at += length;
    }
    out
}

struct Reader<'a> {
    text: &'a str,
    words: std::iter::Peekable<std::vec::IntoIter<Word<'a>>>,
}

impl<'a> Reader<'a> {
    /// The requirements up to the closing bracket; where that is.
    fn requires(&mut self, out: &mut Vec<Require>) -> Result<usize, Error> {
        loop {
            if let Some((_, at)) = self.words.next_if(|(word, _)| *word == "}") {
                return Ok(at.start);
            }
            let require = self.require()?;
            if out.iter().any(|r| r.name == require.name) {
                return Err(self.error(&require.words[0], Wrong::Twice(require.name.to_string())));
            }
            out.push(require);
        }
    }

    fn require(&mut self) -> Result<Require, Error> {
        let (name, name_at) = self.name()?;
        let (word, version_at) = self.word("a version, X.Y.Z")?;
        let version = Version::parse(word).map_err(|_| self.error(&version_at, Wrong::Version(word.to_string())))?;
        if !name.has(&version) {
            return Err(self.error(&version_at, Wrong::OtherMajor(name, version)));
        }
        let mut words = vec![name_at, version_at];
        let mut commit = None;
        if let Some((word, at)) = self.words.next_if(|(word, _)| word.starts_with('#')) {
            let digits = &word[1..];
            if digits.len() != 40 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                return Err(self.error(&at, Wrong::Commit(word.to_string())));
            }
            commit = Some(digits.to_ascii_lowercase());
            words.push(at);
        }
        Ok(Require { name, version, commit, place: self.place(&words[0]), words })
    }

    fn name(&mut self) -> Result<(Name, Range<usize>), Error> {
        let (word, at) = self.word("the path of a package")?;
        let name = Name::parse(word).map_err(|e| self.error(&at, Wrong::Name(word.to_string(), e)))?;
        Ok((name, at))
    }

    fn word(&mut self, expected: &'static str) -> Result<Word<'a>, Error> {
        match self.words.next() {
            Some((word, at)) if word != "{" && word != "}" => Ok((word, at)),
            other => Err(self.unexpected(other, expected)),
        }
    }

    fn expect(&mut self, bracket: &'static str) -> Result<(), Error> {
        match self.words.next() {
            Some((word, _)) if word == bracket => Ok(()),
            other => Err(self.unexpected(other, "`{`")),
        }
    }

    fn unexpected(&self, found: Option<Word<'_>>, expected: &'static str) -> Error {
        let end = self.text.trim_end().len();
        let (found, at) =
            found.map_or(("the end of the file".to_string(), end..end), |(word, at)| (format!("`{word}`"), at));
        self.error(&at, Wrong::Unexpected { found, expected })
    }

    fn error(&self, at: &Range<usize>, wrong: Wrong) -> Error {
        Error { place: self.place(at), wrong }
    }

    fn place(&self, at: &Range<usize>) -> Place {
        let before = &self.text[..at.start];
        let line = before.rfind('\n').map_or(0, |i| i + 1);
        Place { line: before.matches('\n').count() + 1, column: before[line..].chars().count() + 1 }
    }
}

impl Error {
    /// What is said of it; `of` is whose manifest it is, if it is not ours.
    pub fn failure(&self, of: &str) -> Failure {
        self.place.failure(of, &self.wrong)
    }
}

impl Place {
    /// Something is wrong here, in the manifest of `of`, which is empty for ours.
    pub fn failure(self, of: &str, what: &dyn fmt::Display) -> Failure {
        let before = if of.is_empty() { String::new() } else { format!("{of}, ") };
        Failure::Diagnostics(printable(&format!("{before}{FILE}:{}:{}: {what}", self.line, self.column)).into_owned())
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Unexpected { found, expected } => write!(f, "unexpected {found}, expected {expected}"),
            Wrong::Name(name, why) => write!(f, "`{name}` is no path of a package: {why}"),
            Wrong::Url(url) => write!(f, "`{url}` is where a package is, not its path"),
            Wrong::Version(version) => write!(f, "`{version}` is no version, X.Y.Z"),
            Wrong::OtherMajor(name, version) => {
                write!(
                    f,
                    "version {version} is one of the package {}@{}, not of {name}",
                    name.repository(),
                    version.major
                )
            }
            Wrong::Commit(word) => write!(f, "`{word}` is no `#` and the 40 digits of a commit"),
            Wrong::Twice(what) => write!(f, "{what} is there twice"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    fn parse(text: &str) -> Manifest {
        Manifest::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
    }

    fn name(text: &str) -> Name {
        Name::parse(text).unwrap()
    }

    fn with(text: &str, package: &str, version: &str) -> String {
        parse(text).with(&name(package), &Version::parse(version).unwrap(), COMMIT)
    }

    fn without(text: &str, package: &str) -> String {
        let manifest = parse(text);
        manifest.without(manifest.requirement(&name(package)).unwrap())
    }

    #[test]
    fn what_is_there_is_read() {
        let text =
            format!("-- ours\npackage github.com/u/me -- me\nrequire {{ a/b 0.1.0 #{COMMIT} -- why\n  c/d@2 2.0.1 }}");
        let manifest = parse(&text);
        assert_eq!(manifest.package, Some(name("github.com/u/me")));
        let required: Vec<_> =
            manifest.requires.iter().map(|r| (r.name.as_str(), r.version.to_string(), r.commit.as_deref())).collect();
        assert_eq!(required, [("a/b", "0.1.0".to_string(), Some(COMMIT)), ("c/d@2", "2.0.1".to_string(), None)]);
        assert_eq!(manifest.requires[1].place, Place { line: 4, column: 3 });
        // neither part need be there
        assert!(parse("").requires.is_empty() && parse("require{}").package.is_none());
    }

    #[test]
    fn errors_have_their_places() {
        for (text, said) in [
            ("pakage a", "1:1: unexpected `pakage`, expected `package` or `require`"),
            ("package", "1:8: unexpected the end of the file, expected the path of a package"),
            ("package {", "1:9: unexpected `{`, expected the path of a package"),
            ("package a package b", "1:11: `package` is there twice"),
            ("require {}\r\nrequire {}", "2:1: `require` is there twice"),
            ("require a", "1:9: unexpected `a`, expected `{`"),
            ("require {\n  a 1.0.0\n", "2:10: unexpected the end of the file, expected the path of a package"),
            ("require {\n  a }", "2:5: unexpected `}`, expected a version, X.Y.Z"),
            ("require {\n  a 1.0 }", "2:5: `1.0` is no version, X.Y.Z"),
            ("require {\n  a v1.0.0 }", "2:5: `v1.0.0` is no version, X.Y.Z"),
            ("require {\n  a 2.0.0 }", "2:5: version 2.0.0 is one of the package a@2, not of a"),
            ("require {\n  a 1.0.0 #12 }", "2:11: `#12` is no `#` and the 40 digits of a commit"),
            ("require {\n  a 1.0.0\n  a 1.1.0 }", "3:3: a is there twice"),
            ("-- \u{e4}\nrequire { ../a 1.0.0 }", "2:11: `../a` is no path of a package: `..` begins with a point"),
            ("require { -x 1.0.0 }", "1:11: `-x` is no path of a package: `-x` begins with `-`"),
            ("package file:///a", "1:9: `file:///a` is where a package is, not its path"),
            ("package a\u{1b}", "1:9: `a\\u{1b}` is no path of a package: '\\u{1b}' may not stand there"),
        ] {
            let Failure::Diagnostics(message) = Manifest::parse(text).unwrap_err().failure("") else {
                panic!("{text}")
            };
            assert_eq!(message, format!("futhark.pkg:{said}"), "{text}");
        }
        let Failure::Diagnostics(message) = Manifest::parse("?").unwrap_err().failure("a 1.0.0") else { panic!() };
        assert!(message.starts_with("a 1.0.0, futhark.pkg:1:1: "), "{message}");
    }

    #[test]
    fn what_is_added_leaves_the_rest_as_it_is() {
        let entry = |name: &str| format!("{name} 1.2.0 #{COMMIT}");
        let x = entry("x/y");
        for (text, expected) in [
            ("", format!("require {{\n  {x}\n}}\n")),
            ("package me", format!("package me\n\nrequire {{\n  {x}\n}}\n")),
            ("package me\r\n", format!("package me\r\n\r\nrequire {{\r\n  {x}\r\n}}\r\n")),
            ("require {}", format!("require {{\n  {x}\n}}")),
            ("require { a 1.0.0 } -- end\n", format!("require {{ a 1.0.0\n  {x}\n}} -- end\n")),
            (
                "require {\n  a 1.0.0 -- why\n-- last\n }\n",
                format!("require {{\n  a 1.0.0 -- why\n-- last\n  {x}\n }}\n"),
            ),
            ("require {\r\n  a 1.0.0\r\n}", format!("require {{\r\n  a 1.0.0\r\n  {x}\r\n}}")),
            // what is there is changed
            ("require { x/y 1.0.0 -- why\n}", format!("require {{ {x} -- why\n}}")),
            ("require { x/y -- why\r\n 1.0.0 }", format!("require {{ x/y -- why\r\n 1.2.0 #{COMMIT} }}")),
            (&format!("require {{ x/y 1.0.0 #{} }}", "0".repeat(40)), format!("require {{ {x} }}")),
        ] {
            let new = with(text, "x/y", "1.2.0");
            assert_eq!(new, expected, "{text}");
            assert_eq!(parse(&new).requires.iter().filter(|r| r.name == name("x/y")).count(), 1);
        }
    }

    #[test]
    fn comments_of_what_is_removed_stay() {
        let text = format!("require {{\r\n  -- first\r\n  a/b 1.0.0 #{COMMIT} -- why\r\n  c/d 1.0.0\r\n}}\r\n");
        assert_eq!(without(&text, "a/b"), "require {\r\n  -- first\r\n  -- why\r\n  c/d 1.0.0\r\n}\r\n");
        assert!(without(&text, "c/d").ends_with("-- why\r\n}\r\n"));
        assert_eq!(
            without("require { a 1.0.0 b 2.0.0-x }".replace("2.0.0-x", "1.0.0-x").as_str(), "b"),
            "require { a 1.0.0 }"
        );
        assert_eq!(without("require {\n a\n 1.0.0\n}", "a"), "require {\n}");
    }
}
