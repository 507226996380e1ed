//! The front end, whole: from a path to a program.

use crate::budget::Budget;
use crate::diag::{self, Diagnostic};
use crate::ir::Program;
use crate::prelude::{self, Prelude};
use crate::source::{SourceMap, SourceProvider};
use crate::{imports, lower, syntax, types};

/// What compiling a file has given.
pub struct Compiled {
    /// The program, unless there are errors.
    pub program: Option<Program>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// What they, and the program's provenance, refer to.
    pub sources: SourceMap,
}

/// Reads, parses, checks and lowers a file.
pub fn compile(path: &str, provider: &dyn SourceProvider) -> Compiled {
    compile_within(path, provider, Budget::default())
}

/// [`compile`], and may make no more than this.
pub fn compile_within(path: &str, provider: &dyn SourceProvider, budget: Budget) -> Compiled {
    let Prelude { mut env, mut sources, mut diagnostics } = prelude::load();
    env.budget = budget;
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
