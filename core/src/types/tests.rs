use super::env::Env;
use super::*;
use crate::diag::{Diagnostic, one_line};
use crate::prelude;
use crate::source::SourceMap;
use crate::syntax;

/// Checks a program on top of the prelude.
fn run(text: &str) -> (Env, SourceMap, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let (env, diagnostics) = prelude::load(&mut sources);
    let prelude: Vec<String> = diagnostics.iter().map(|d| one_line(d, &sources)).collect();
    assert_eq!(prelude, [""; 0]);
    let file = sources.add("t.fut", text);
    let (ast, mut diagnostics) = syntax::parse(file, text);
    let (_, env, more) = check(&ast, &env, &sources);
    diagnostics.extend(more);
    (env, sources, diagnostics)
}

/// The types of the names in a program without errors.
fn types(text: &str, names: &[&str]) -> Vec<String> {
    let (env, sources, diagnostics) = run(text);
    let errors: Vec<String> = diagnostics.iter().map(|d| one_line(d, &sources)).collect();
    assert_eq!(errors, [""; 0], "{text}");
    names.iter().map(|n| env.type_of(n).unwrap_or_else(|| panic!("{n} is not defined"))).collect()
}

fn ty(text: &str) -> String {
    types(&format!("def it = {text}"), &["it"]).remove(0)
}

#[test]
fn prelude_checks() {
    let mut sources = SourceMap::new();
    let (_, diagnostics) = prelude::load(&mut sources);
    let text: Vec<String> = diagnostics.iter().map(|d| one_line(d, &sources)).collect();
    assert_eq!(text, [""; 0]);
}

#[test]
fn literals() {
    assert_eq!(ty("1 + 2"), "i32");
    assert_eq!(ty("1 + 2.0"), "f64");
    assert_eq!(ty("1i64 + 2"), "i64");
    assert_eq!(ty("[1, 2.5f32, 0]"), "[3]f32");
    assert_eq!(ty("(1, true, -2147483648)"), "(i32, bool, i32)");
}
