//! Programs and their cases.

use crate::spec::{Action, Pattern, Spec, SpecError, Structure, TestCase, parse};
use futi_core::diag::{Diagnostic, one_line};
use futi_core::source::{SourceMap, SourceProvider};
use futi_embed::files::Files;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// A program with its tests.
#[derive(Debug)]
pub struct TestProgram {
    /// Where it is.
    pub path: PathBuf,
    /// The random stream of its cases, if it says which: `-- stream: NAME` in the comment at its beginning. It is the name of the generated program that
    /// it once was, so that random directions are the same.
    pub stream: Option<String>,
    /// The words of `tags { … }`.
    pub tags: Vec<String>,
    /// Its cases.
    pub cases: Vec<Case>,
}

/// What stands before the name of a stream.
pub const STREAM: &str = "-- stream: ";

/// One thing to be tested.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name within the program: `entry#number`, or what is asked.
    pub name: String,
    /// What is asked.
    pub what: What,
}

/// What a case asks for.
#[derive(Clone, Debug)]
pub enum What {
    /// The program is accepted.
    Compiles,
    /// The program is rejected, with diagnostics that match.
    CompileError(Pattern),
    /// The program is accepted with a warning that matches.
    Warning(Pattern),
    /// The IR contains so many nodes of these kinds.
    Structure(Structure),
    /// An entry point, an input, and what comes of it.
    Run {
        /// The entry point.
        entry: String,
        /// Input and expectation.
        case: TestCase,
    },
    /// A property holds, of as many values as are tried.
    Property(String),
    /// A test block that is malformed, or a program that cannot be read: a failure.
    CannotRun(String),
}

/// A path that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotFound(String);

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for NotFound {}

/// The programs at these paths: a file is itself; of a folder, all `.fut` and `.ir` files in it and below, in order of
/// their names. One that is not there, cannot be read, or is no text, has one case, which fails.
///
/// # Errors
/// A folder that cannot be read.
pub fn find(paths: &[PathBuf]) -> Result<Vec<TestProgram>, NotFound> {
    Ok(files(paths)?.into_iter().map(program).collect())
}

/// The files of these programs.
///
/// # Errors
/// A folder that cannot be read.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, NotFound> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, true, &mut files).map_err(|e| NotFound(format!("{}: {e}", path.display())))?;
    }
    Ok(files)
}

/// The program at this path, with what its test blocks ask for.
pub fn program(path: PathBuf) -> TestProgram {
    match Files.read(&path.to_string_lossy()) {
        Ok(text) => {
            let spec = parse(&text);
            let tags = spec.iter().flat_map(|s| &s.blocks).flat_map(|b| b.tags.clone()).collect();
            TestProgram { path, stream: stream(&text), tags, cases: cases(spec) }
        }
        Err(e) => {
            let mut sources = SourceMap::new();
            let diagnostic = Diagnostic::unreadable(&path.to_string_lossy(), &e, &mut sources);
            let unread = Case { name: "program".into(), what: What::CannotRun(one_line(&diagnostic, &sources)) };
            TestProgram { path, stream: None, tags: Vec::new(), cases: vec![unread] }
        }
    }
}

/// The name of the random stream that a program asks for.
fn stream(text: &str) -> Option<String> {
    let mut comment = text.lines().take_while(|line| line.starts_with("--"));
    comment.find_map(|line| line.strip_prefix(STREAM)).map(|name| name.trim().to_string())
}

fn collect(path: &Path, named: bool, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    // what is not there, and a link that leads nowhere, is one program that cannot be read
    if path.is_dir() {
        let mut inside: Vec<PathBuf> = fs::read_dir(path)?.map(|e| Ok(e?.path())).collect::<std::io::Result<_>>()?;
        inside.sort();
        return inside.iter().try_for_each(|p| collect(p, false, out));
    }
    if named || path.extension().is_some_and(|e| e == "fut" || e == "ir") {
        out.push(path.to_path_buf());
    }
    Ok(())
}

/// What a program's test blocks ask for.
fn cases(spec: Result<Spec, SpecError>) -> Vec<Case> {
    let case = |name: String, what| Case { name, what };
    let spec = match spec {
        Ok(spec) => spec,
        Err(e) => return vec![case("test block".into(), What::CannotRun(e.to_string()))],
    };
    let mut cases = Vec::new();
    for block in spec.blocks {
        match block.action {
            Action::CompileError(pattern) => cases.push(case("error".into(), What::CompileError(pattern))),
            Action::Properties(names) => {
                cases.extend(names.into_iter().map(|n| case(format!("property {n}"), What::Property(n))));
            }
            Action::Run(run) => {
                for entry in &run.entries {
                    for (i, c) in run.cases.iter().enumerate() {
                        let label = c.name.as_ref().map_or(String::new(), |n| format!(" {n}"));
                        let what = What::Run { entry: entry.clone(), case: c.clone() };
                        cases.push(case(format!("{entry}#{}{label}", i + 1), what));
                    }
                }
                for s in run.structures {
                    let name = format!("structure {}", s.stage.as_deref().unwrap_or("fused"));
                    cases.push(case(name, What::Structure(s)));
                }
                for (i, w) in run.warnings.into_iter().enumerate() {
                    cases.push(case(format!("warning#{}", i + 1), What::Warning(w)));
                }
            }
        }
    }
    number(&mut cases);
    if cases.is_empty() {
        cases.push(case("compiles".into(), What::Compiles));
    }
    cases
}

/// Two blocks for one entry point have cases of the same number: they are counted on.
fn number(cases: &mut [Case]) {
    let mut seen = futi_core::hash::HashMap::default();
    for case in cases {
        let Some((entry, rest)) = case.name.split_once('#') else { continue };
        let n = seen.entry(entry.to_string()).or_insert(0);
        *n += 1;
        let label = rest.split_once(' ').map_or(String::new(), |(_, label)| format!(" {label}"));
        case.name = format!("{entry}#{n}{label}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str) -> Vec<String> {
        cases(parse(source)).into_iter().map(|c| c.name).collect()
    }

    #[test]
    fn cases_are_numbered_by_entry() {
        let source = "-- ==\n-- entry: f g\n-- input { 1 }\n-- \"big one\" input { 2 }\n-- structure { Map 1 }\ndef x = 1\n-- ==\n-- entry: f\n-- input { 3 }\n";
        assert_eq!(names(source), ["f#1", "f#2 big one", "g#1", "g#2 big one", "structure fused", "f#3"]);
    }

    #[test]
    fn without_a_test_the_program_must_compile() {
        assert_eq!(names("def x = 1"), ["compiles"]);
    }

    #[test]
    fn what_cannot_be_read_is_a_case() {
        let found = cases(parse("-- ==\n-- inptu { 1 }\n"));
        assert!(matches!(&found[0].what, What::CannotRun(why) if why.starts_with("line 2")), "{found:?}");
        assert_eq!(names("-- ==\n-- property: p q\n"), ["property p", "property q"]);
    }

    #[test]
    fn a_program_that_is_no_text_is_one_case() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.fut"), b"-- \xff\xfe").unwrap();
        fs::write(folder.path().join("b.fut"), "def x = 1").unwrap();
        let found = find(&[folder.path().into()]).unwrap();
        let cases: Vec<&Case> = found.iter().flat_map(|p| &p.cases).collect();
        assert_eq!(cases.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["program", "compiles"]);
        assert!(matches!(&cases[0].what, What::CannotRun(why) if why.contains("UTF-8")), "{cases:?}");
    }

    #[test]
    fn the_stream_stands_in_the_first_comment() {
        assert_eq!(stream("-- stream: generated/source:39\n-- ==\ndef x = 1").as_deref(), Some("generated/source:39"));
        assert_eq!(stream("-- why\n-- stream: a b \n").as_deref(), Some("a b"));
        assert_eq!(stream("def x = 1\n-- stream: a"), None);
    }

    #[test]
    fn what_is_not_there_is_a_case() {
        let found = find(&["no/such/path".into()]).unwrap();
        let what = &found[0].cases[0].what;
        assert!(
            matches!(what, What::CannotRun(why) if why.contains("no/such/path cannot be read: No such file")),
            "{what:?}"
        );
    }
}
