//! What is run: the programs, their entry points, and the datasets of these, by the names that `futhark bench` gives them.

use crate::failure::Failure;
use futi_conformance::spec::{self, Action, Expect, Input, Pattern, Spec, TestCase};
use futi_conformance::suite;
use futi_core::source::SourceProvider;
use futi_core::value::Value;
use futi_embed::files::Files;
use std::path::{Path, PathBuf};

/// A program and what of it is run.
#[derive(Debug)]
pub struct Program {
    /// Where it is.
    pub path: PathBuf,
    /// Its entry points, each with datasets.
    pub entries: Vec<Entry>,
}

/// An entry point and its datasets.
#[derive(Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its name in results: that of the program, with `:` and the entry point behind it if that is not `main`.
    pub key: String,
    /// The datasets, by name.
    pub datasets: Vec<(String, TestCase)>,
}

/// Which programs and cases are asked for.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Only these entry points, if there are any.
    pub entries: Vec<String>,
    /// None of the cases with one of these tags.
    pub exclude: Vec<String>,
    /// No files whose path matches.
    pub ignore: Vec<Pattern>,
    /// Where the test blocks are, if not in the programs.
    pub spec: Option<PathBuf>,
}

/// The programs at these paths, and in folders there. Those without datasets are left out.
pub fn programs(paths: &[PathBuf], wanted: &Wanted) -> Result<Vec<Program>, Failure> {
    let io = |e: &dyn std::fmt::Display| Failure::Io(e.to_string());
    let spec = wanted.spec.as_ref().map(|file| read(file, spec::parse_bare)).transpose()?;
    let mut programs = Vec::new();
    for path in suite::files(paths).map_err(|e| io(&e))? {
        let name = path.to_string_lossy().into_owned();
        if wanted.ignore.iter().any(|pattern| pattern.matches(&name)) {
            continue;
        }
        let own = spec.clone().map_or_else(|| read(&path, spec::parse), Ok)?;
        let entries = entries(&name, own, wanted);
        if !entries.is_empty() {
            programs.push(Program { path, entries });
        }
    }
    Ok(programs)
}

/// The test blocks of a file.
fn read(path: &Path, parse: fn(&str) -> Result<Spec, spec::SpecError>) -> Result<Spec, Failure> {
    let name = path.to_string_lossy();
    let text = Files.read(&name).map_err(|e| Failure::Io(format!("{name}: {}", e.message)))?;
    parse(&text).map_err(|e| Failure::Io(format!("{name}: {e}")))
}

fn entries(program: &str, spec: Spec, wanted: &Wanted) -> Vec<Entry> {
    let is_excluded = |tags: &[String]| tags.iter().any(|tag| wanted.exclude.contains(tag));
    let mut entries: Vec<Entry> = Vec::new();
    if spec.blocks.iter().any(|block| is_excluded(&block.tags)) {
        return entries;
    }
    for block in spec.blocks {
        let Action::Run(run) = block.action else { continue };
        for name in run.entries {
            if !wanted.entries.is_empty() && !wanted.entries.contains(&name) {
                continue;
            }
            // what is to fail takes no time that anybody wants to know
            let is_run = |case: &TestCase| !is_excluded(&case.tags) && !matches!(case.expect, Expect::Error(_));
            let cases = run.cases.iter().enumerate().filter(|(_, case)| is_run(case));
            let cases: Vec<_> = cases.map(|(i, case)| (dataset(i, case), case.clone())).collect();
            if cases.is_empty() {
                continue;
            }
            let at = entries.iter().position(|entry| entry.name == name).unwrap_or_else(|| {
                let key = if name == "main" { program.to_string() } else { format!("{program}:{name}") };
                entries.push(Entry { name, key, datasets: Vec::new() });
                entries.len() - 1
            });
            for (name, case) in cases {
                let name = unused(name, &entries[at].datasets);
                entries[at].datasets.push((name, case));
            }
        }
    }
    entries
}

/// The name, or the first with a number that no other dataset of the entry point has.
fn unused(name: String, others: &[(String, TestCase)]) -> String {
    let is_used = |name: &String| others.iter().any(|(other, _)| other == name);
    let numbered = (2..).map(|n| format!("{name} ({n})"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !is_used(name)).unwrap_or(name)
}

/// So much of the values of a dataset is in its name.
const LONGEST: usize = 50;

/// The name of a case, the i-th of its block.
fn dataset(i: usize, case: &TestCase) -> String {
    if let Some(name) = &case.name {
        return name.clone();
    }
    match &case.input {
        Input::Values(values) => {
            let text = values.iter().map(Value::to_string).collect::<Vec<_>>().join(" ");
            let mut short: String = text.chars().take(LONGEST).collect();
            if short.len() < text.len() {
                short.push_str("...");
            }
            format!("#{i} (\"{short}\")")
        }
        Input::File(file) | Input::ScriptFile(file) => file.clone(),
        Input::Random(wanted) => wanted.iter().map(random).collect::<Vec<_>>().join(" "),
        Input::Script(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

fn random(wanted: &spec::RandomValue) -> String {
    match wanted {
        spec::RandomValue::Value(value) => value.to_string(),
        spec::RandomValue::OfType(ty, shape) => {
            let dims: String = shape.iter().map(|n| format!("[{n}]")).collect();
            format!("{dims}{ty}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(source: &str, wanted: &Wanted) -> Vec<String> {
        let entries = entries("p.fut", spec::parse(source).unwrap(), wanted);
        entries.iter().flat_map(|e| e.datasets.iter().map(|(name, _)| format!("{}: {name}", e.key))).collect()
    }

    /// As Futhark 0.25.32 names them: `futhark bench --json` of this program.
    #[test]
    fn datasets_have_futharks_names() {
        let source = "-- ==
-- input { 1i64 [1,2,3] } output { 1i64 }
-- nobench input { 4i64 empty([0]i32) }
-- input { 5i64 [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24] }
-- random input { 5i64 [10]i32 } auto output
-- script input { let   x = 3i64
--    in (x, xs x) }
-- \"large one\" input @ data/x.in
-- input @ data/y.in
";
        let wanted = Wanted { exclude: vec!["nobench".into()], ..Wanted::default() };
        assert_eq!(
            planned(source, &wanted),
            [
                "p.fut: #0 (\"1i64 [1i32, 2i32, 3i32]\")",
                "p.fut: #2 (\"5i64 [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i...\")",
                "p.fut: 5i64 [10]i32",
                "p.fut: let x = 3i64 in (x, xs x)",
                "p.fut: large one",
                "p.fut: data/y.in",
            ]
        );
    }

    #[test]
    fn what_is_not_asked_for_is_left_out() {
        let source = "-- ==\n-- entry: f main\n-- compiled input { 1 }\n-- input { 2 } error: x\n-- input { 3 }\n";
        let of = |entries: &[&str], exclude: &[&str]| {
            let owned = |list: &[&str]| list.iter().map(ToString::to_string).collect();
            planned(source, &Wanted { entries: owned(entries), exclude: owned(exclude), ..Wanted::default() })
        };
        assert_eq!(of(&["f"], &[]), ["p.fut:f: #0 (\"1i32\")", "p.fut:f: #2 (\"3i32\")"]);
        assert_eq!(of(&["main"], &["compiled"]), ["p.fut: #2 (\"3i32\")"]);
        assert!(of(&["g"], &[]).is_empty());
        let tagged = "-- ==\n-- tags { disable }\n-- input { 1 }\n";
        assert!(planned(tagged, &Wanted { exclude: vec!["disable".into()], ..Wanted::default() }).is_empty());
    }

    #[test]
    fn no_two_datasets_have_one_name() {
        let source = "-- ==\n-- input { 1 }\n\n-- ==\n-- input { 1 }\n";
        assert_eq!(planned(source, &Wanted::default()), ["p.fut: #0 (\"1i32\")", "p.fut: #0 (\"1i32\") (2)"]);
    }
}
