//! The front end on programs that are long, deep, cut off, or very many. They are no unit tests, as the library is optimized here.

mod robust;
mod size_expressions;

use futi_core::diag::Diagnostic;
use futi_core::{prelude, syntax, types};

/// The errors of a program on top of the prelude.
fn errors(text: &str) -> Vec<Diagnostic> {
    let prelude::Prelude { env, mut sources, .. } = prelude::load();
    let file = sources.add("t.fut", text);
    let (ast, mut diagnostics) = syntax::parse(file, text);
    diagnostics.extend(types::check(&ast, &env, &sources).2);
    diagnostics.retain(Diagnostic::is_error);
    diagnostics
}
