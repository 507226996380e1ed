//! Programs in files, of source or IR, and what the compiler makes of them.

use futi_core::Settings;
use futi_core::diag::{self, Diagnostic};
use futi_core::ir::{Program, check};
use futi_core::passes::guard::guarded;
use futi_core::source::{FileId, SourceError, SourceMap, SourceProvider};
use futi_core::syntax::ast::Ast;
use futi_embed::files::Files;
use futi_embed::tuning::Tuning;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What the compiler makes of a file.
pub(crate) struct Compiled {
    /// The program as lowered, if it was accepted.
    pub program: Option<Program>,
    /// What it was made of.
    pub sources: SourceMap,
    /// Everything that the compiler had to say.
    pub diagnostics: String,
    /// The same, one by one; nothing of a program that is written in the IR.
    pub list: Vec<Diagnostic>,
}

/// Runs `f`; a panic is an error, with its message.
pub fn catch<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|s| s.to_string());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        format!("a panic: {text}")
    })
}

/// A program of which only the text is there.
pub struct Text(pub String);

impl SourceProvider for Text {
    fn read(&self, _: &str) -> Result<String, SourceError> {
        Ok(self.0.clone())
    }
}

fn is_ir(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "ir")
}

/// Compiles a file of source, or reads one of IR.
pub(crate) fn compile(path: &Path, tuning: Tuning) -> Compiled {
    if is_ir(path) {
        return read_ir(path);
    }
    let settings = Settings { tuning, ..Settings::default() };
    let compiled = futi_core::compile_with(&path.to_string_lossy(), &Files, settings);
    let diagnostics = diag::render(&compiled.diagnostics, &compiled.sources, false);
    Compiled { program: compiled.program, sources: compiled.sources, diagnostics, list: compiled.diagnostics }
}

/// The syntax tree of a source file, as far as it can be read.
///
/// # Errors
/// There is no such file, or it is no text.
pub(crate) fn syntax_of(path: &Path) -> Result<Ast, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(futi_core::syntax::parse(FileId(0), &text).0)
}

/// The program of a file, of source or IR, as lowered; none if it is rejected.
pub fn program(path: &Path) -> Option<Program> {
    compile(path, Tuning::new()).program
}

/// A program that is written in the IR.
fn read_ir(path: &Path) -> Compiled {
    let read = || -> Result<Program, String> {
        let program: Program =
            std::fs::read_to_string(path).map_err(|e| e.to_string())?.parse::<Program>().map_err(|e| e.to_string())?;
        match check::errors(&program).first() {
            Some(e) => Err(e.to_string()),
            None => Ok(guarded(program)),
        }
    };
    let (program, diagnostics) = match read() {
        Ok(program) => (Some(program), String::new()),
        Err(e) => (None, format!("{}: {e}", path.display())),
    };
    Compiled { program, sources: SourceMap::default(), diagnostics, list: Vec::new() }
}
