//! The front end, whole: from a path to a program.

use super::imports;
use crate::budget::Budget;
use crate::diag::{self, Diagnostic};
use crate::ir::Program;
use crate::prelude::{self, Prelude};
use crate::source::{SourceMap, SourceProvider};
use crate::{lower, syntax, types};

/// What compiling a file has given.
pub struct Compiled {
    /// The program, unless there are errors.
    pub program: Option<Program>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// What they, and the program's provenance, refer to.
    pub sources: SourceMap,
}

/// How a file is compiled.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What the compilation may make.
    pub budget: Budget,
    /// What `#[param(NAME)]` stands for, by its name; of several, the last one. Those without a value stand for what they are written at.
    pub tuning: Vec<(String, i64)>,
}

/// Reads, parses, checks and lowers a file.
pub fn compile(path: &str, provider: &dyn SourceProvider) -> Compiled {
    compile_with(path, provider, Settings::default())
}

/// [`compile`] with these settings.
pub fn compile_with(path: &str, provider: &dyn SourceProvider, settings: Settings) -> Compiled {
    let Prelude { mut env, mut sources, mut diagnostics } = prelude::load();
    env.budget = settings.budget;
    env.tuning = settings.tuning.into();
    let text = match provider.read(path) {
        Ok(text) => text,
        Err(e) => {
            diagnostics.push(Diagnostic::unreadable(path, &e, &mut sources));
            return Compiled { program: None, diagnostics, sources };
        }
    };
    let file = sources.add(path, &text);
    let (ast, errors) = syntax::parse(file, &text);
    diagnostics.extend(errors);
    let (env, errors) = imports::load(&ast, file, &env, &mut sources, provider);
    diagnostics.extend(errors);
    let (typed, env, errors) = types::check(&ast, &env, &sources);
    diagnostics.extend(errors);
    diag::in_order(&mut diagnostics, file);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Compiled { program: None, diagnostics, sources };
    }
    let entries: Vec<_> = typed.entries().cloned().collect();
    let program = lower::lower(&entries, &env, &sources).map_err(|errors| diagnostics.extend(errors)).ok();
    Compiled { program, diagnostics, sources }
}
