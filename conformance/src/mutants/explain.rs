//! `conformance/mutants.toml`: why mutants survive although no test is missing.

use super::Mutant;
use serde::Deserialize;
use std::path::Path;

/// A reason, and the survivors that it is for.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// The file, by its path in the workspace.
    pub file: String,
    /// What the source line contains.
    pub line: String,
    /// What the change, as it is printed, contains; empty for any.
    #[serde(default)]
    pub change: String,
    /// Why the program is as good with the mutant as without it.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    survivor: Vec<Explanation>,
}

impl Explanation {
    /// Whether it is for this mutant.
    pub fn is_for(&self, m: &Mutant) -> bool {
        let change = format!("{}: {}", m.site.operator, m.change);
        self.file == m.file && m.source.contains(&self.line) && change.contains(&self.change)
    }
}

/// The explanations of a file, all of which must be for some of the mutants.
///
/// # Errors
/// A file that cannot be read, or is no list of explanations; an explanation for none.
pub fn read(file: &Path, mutants: &[Mutant]) -> Result<Vec<Explanation>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    parse(&text, mutants).map_err(|e| format!("{}: {e}", file.display()))
}

fn parse(text: &str, mutants: &[Mutant]) -> Result<Vec<Explanation>, String> {
    let document: Document = toml::from_str(text).map_err(|e| e.to_string())?;
    for e in &document.survivor {
        if e.reason.trim().is_empty() || e.line.trim().is_empty() {
            return Err(format!("an explanation in {} lacks its line or its reason", e.file));
        }
        // without the backend there are no mutants of it
        let judged = mutants.iter().any(|m| m.file == e.file) || cfg!(feature = "vulkan");
        if judged && !mutants.iter().any(|m| e.is_for(m)) {
            return Err(format!("`{}` with `{}` in {} is no mutant", e.line, e.change, e.file));
        }
    }
    Ok(document.survivor)
}

#[cfg(test)]
mod tests {
    use super::super::{Target, mutants};
    use super::*;

    fn some() -> Vec<Mutant> {
        mutants(Target::Passes, "core/src/passes/x.rs", "fn f(n: u32) -> bool {\n    n < g()\n}\n", 0).unwrap()
    }

    const FILE: &str = "[[survivor]]\nfile = 'core/src/passes/x.rs'\nline = 'n < g()'\nchange = 'comparison: `n < g()` -> `n <='\nreason = 'equal is as good'\n";

    #[test]
    fn an_explanation_is_for_the_mutants_of_its_line_and_change() {
        let mutants = some();
        assert_eq!(mutants.len(), 1);
        let explanations = parse(FILE, &mutants).unwrap();
        assert!(explanations[0].is_for(&mutants[0]));
        assert!(!Explanation { change: "sign".into(), ..explanations[0].clone() }.is_for(&mutants[0]));
        assert!(!Explanation { file: "core/src/passes/y.rs".into(), ..explanations[0].clone() }.is_for(&mutants[0]));
    }

    #[test]
    fn an_explanation_for_nothing_is_an_error() {
        let error = parse(&FILE.replace("n <=", "n >"), &some()).unwrap_err();
        assert!(error.ends_with("in core/src/passes/x.rs is no mutant"), "{error}");
        assert!(parse(&FILE.replace("equal is as good", " "), &some()).unwrap_err().contains("lacks"));
        assert!(parse("[[survivor]]\nfile = 'x'\n", &some()).is_err());
    }
}
