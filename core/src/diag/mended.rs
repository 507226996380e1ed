//! For tests: whether a hint, when its changes are made, mends a program.

use super::{Code, Diagnostic, HINT, edited, one_line};
use crate::source::SourceMap;
use crate::types::env::Env;
use crate::{prelude, syntax, types};

/// Where programs are checked: on top of the prelude.
pub(crate) struct Bench(Env, SourceMap);

impl Bench {
    pub(crate) fn new() -> Bench {
        let prelude::Prelude { env, sources, .. } = prelude::load();
        Bench(env, sources)
    }

    /// The errors of a program, in order, and each on a line.
    fn errors(&self, text: &str) -> (Vec<Diagnostic>, Vec<String>) {
        let mut sources = self.1.clone();
        let file = sources.add("t.fut", text);
        let (ast, mut diagnostics) = syntax::parse(file, text);
        diagnostics.extend(types::check(&ast, &self.0, &sources).2);
        diagnostics.retain(Diagnostic::is_error);
        let lines = diagnostics.iter().map(|d| one_line(d, &sources)).collect();
        (diagnostics, lines)
    }

    /// What is not as it should be of a program: one error of this code, with this in its hint, whose changes mend the program.
    fn wrong(&self, code: Code, text: &str, hint: &str) -> Option<String> {
        let (errors, lines) = self.errors(text);
        let [d] = &errors[..] else { return Some(format!("{text}\n    there is not one error: {lines:#?}")) };
        if d.code != code {
            return Some(format!("{text}\n    wants {code}: {lines:?}"));
        }
        let hints: Vec<&String> = d.notes.iter().filter(|note| note.starts_with(HINT)).collect();
        if hints.len() != 1 || !hints[0].contains(hint) {
            return Some(format!("{text}\n    wants one hint with {hint:?}: {:?}", d.notes));
        }
        let mended = edited(text, &d.edits);
        let (_, lines) = self.errors(&mended);
        (mended == text || !lines.is_empty())
            .then(|| format!("{text}\n    becomes\n{mended}\n    of which is said {lines:#?}"))
    }

    /// All that is not as it should be.
    pub(crate) fn check(&self, cases: &[(Code, &str, &str)]) {
        let wrong: Vec<String> = cases.iter().filter_map(|(code, text, hint)| self.wrong(*code, text, hint)).collect();
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    }
}
