//! What packages are called: their paths, which others write, and which become arguments of git and places in our file system.

use semver::Version;
use std::fmt;

/// The path of a package: `github.com/user/name`, with `@N` behind it from version 2 on; or the URL of a repository in the file system, `file:///folder/name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(String);

/// Why a text is no path of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadName {
    /// It begins with `/`.
    Absolute,
    /// It is empty, or has nothing between two `/`.
    Empty,
    /// A part of it is `..`, or another name that begins with a point.
    Dotted(String),
    /// A part of it begins with `-`, as options do.
    Option(String),
    /// A character that may mean something to a shell, to git or to a terminal.
    Character(char),
    /// `@` with something else behind it than a number from 2 on, or not at the end.
    Major,
}

/// What the URLs begin with.
const URL: &str = "file:///";

impl Name {
    /// Reads it.
    ///
    /// # Errors
    /// It is none, or one that could do harm.
    pub fn parse(text: &str) -> Result<Name, BadName> {
        let path = text.strip_prefix(URL).unwrap_or(text);
        let (path, major) = path.split_once('@').map_or((path, None), |(path, major)| (path, Some(major)));
        if path.starts_with('/') {
            return Err(BadName::Absolute);
        }
        path.split('/').try_for_each(part)?;
        match major {
            Some(m) if m.starts_with('0') || m == "1" || !m.bytes().all(|b| b.is_ascii_digit()) || m.is_empty() => {
                Err(BadName::Major)
            }
            _ => Ok(Name(text.to_string())),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is the URL of a repository in the file system.
    pub fn is_url(&self) -> bool {
        self.0.starts_with(URL)
    }

    /// Its repository: the path without `@N`.
    pub fn repository(&self) -> &str {
        self.0.split_once('@').map_or(&self.0, |(path, _)| path)
    }

    /// Whether that may be a version of this package: one that begins with N; without `@N` one that begins with 0 or 1.
    pub fn has(&self, version: &Version) -> bool {
        match self.0.split_once('@') {
            Some((_, major)) => version.major.to_string() == major,
            None => version.major < 2,
        }
    }

    /// Whether the folder of one of the two is in the folder of the other.
    pub fn overlaps(&self, other: &Name) -> bool {
        let within = |outer: &Name, inner: &Name| {
            inner.0.strip_prefix(&outer.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        within(self, other) || within(other, self)
    }
}

fn part(part: &str) -> Result<(), BadName> {
    match part.chars().find(|c| !(c.is_ascii_alphanumeric() || "-_.~+".contains(*c))) {
        _ if part.is_empty() => Err(BadName::Empty),
        Some(c) => Err(BadName::Character(c)),
        None if part.starts_with('.') => Err(BadName::Dotted(part.to_string())),
        None if part.starts_with('-') => Err(BadName::Option(part.to_string())),
        None => Ok(()),
    }
}

/// Whether a file of a package may be of that path: it stays in its folder, does not touch what git keeps there, and nothing in it acts on a terminal.
pub fn is_harmless(path: &str) -> bool {
    let harmless = |part: &str| {
        !part.is_empty() && part != "." && part != ".." && !part.eq_ignore_ascii_case(".git") && !part.contains('\\')
    };
    path.split('/').all(harmless) && futi_core::source::printable(path) == path && !path.contains(['\n', '\t'])
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadName::Absolute => f.write_str("it is absolute; a repository here is written `file:///folder`"),
            BadName::Empty => f.write_str("a part of it is empty"),
            BadName::Dotted(part) => write!(f, "`{part}` begins with a point"),
            BadName::Option(part) => write!(f, "`{part}` begins with `-`"),
            BadName::Character(c) => write!(f, "{c:?} may not stand there"),
            BadName::Major => f.write_str("behind `@` is the first number of its versions, from 2 on"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_do_harm_is_no_name() {
        let bad = |text: &str| Name::parse(text).unwrap_err();
        let text = |s: &str| s.to_string();
        for absolute in ["/etc/passwd", "//a", "file:////a"] {
            assert_eq!(bad(absolute), BadName::Absolute, "{absolute}");
        }
        for empty in ["", "a//b", "a/", "file:///", "@2"] {
            assert_eq!(bad(empty), BadName::Empty, "{empty}");
        }
        assert_eq!(bad("../a"), BadName::Dotted(text("..")));
        assert_eq!(bad("file:///a/../b"), BadName::Dotted(text("..")));
        assert_eq!(bad("github.com/u/.git"), BadName::Dotted(text(".git")));
        assert_eq!(bad("--upload-pack"), BadName::Option(text("--upload-pack")));
        assert_eq!(bad("a/-x"), BadName::Option(text("-x")));
        for (name, c) in [
            ("--upload-pack=x", '='),
            ("a/b\u{1b}[31m", '\u{1b}'),
            ("ext::sh", ':'),
            ("file://host/a", ':'),
            ("https://a/b", ':'),
            ("a\\b", '\\'),
            ("a b", ' '),
            ("\u{e4}/b", '\u{e4}'),
        ] {
            assert_eq!(bad(name), BadName::Character(c), "{name}");
        }
        for major in ["a@", "a@1", "a@02", "a@+2", "a@2/b", "a@b/c", "a@2@3"] {
            assert_eq!(bad(major), BadName::Major, "{major}");
        }
    }

    #[test]
    fn versions_belong_to_names() {
        let has = |name: &str, version: &str| Name::parse(name).unwrap().has(&Version::parse(version).unwrap());
        assert!(has("github.com/u/a", "0.3.1") && has("github.com/u/a", "1.0.0") && !has("github.com/u/a", "2.0.0"));
        assert!(has("github.com/u/a@2", "2.0.0") && !has("github.com/u/a@2", "3.0.0") && !has("a@10", "1.0.0"));
        assert_eq!(Name::parse("github.com/u/a@2").unwrap().repository(), "github.com/u/a");
    }

    #[test]
    fn folders_in_folders() {
        let overlap = |a: &str, b: &str| Name::parse(a).unwrap().overlaps(&Name::parse(b).unwrap());
        assert!(overlap("a/b", "a/b/c") && overlap("a/b/c", "a/b") && overlap("a/b", "a/b"));
        assert!(!overlap("a/b", "a/bc") && !overlap("a/b", "a/c"));
    }

    #[test]
    fn files_stay_in_their_folder() {
        for good in ["a.fut", "b/c.fut", ".gitignore", "..a", "\u{e4}.fut"] {
            assert!(is_harmless(good), "{good}");
        }
        for bad in
            ["", "/a", "a//b", "../a", "a/../b", "./a", ".git/config", "a/.GIT", "a\\b", "a\u{1b}b", "a\nb", "a\tb"]
        {
            assert!(!is_harmless(bad), "{bad}");
        }
    }
}
