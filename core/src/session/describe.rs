//! What names mean, as a person reads it: types, the contents of modules, documentation.

use super::{Session, Text};
use crate::diag::Diagnostic;
use crate::syntax;
use crate::types::check;
use crate::types::env::{Meaning, Module, Scope, Value};
use std::fmt::Write;

impl Session {
    /// What a module has, a line each: `type t`, `val f : t -> t`; modules in it are indented.
    pub fn module_type(&mut self, text: &str) -> Text<String> {
        const NAME: &str = "it'module";
        let text = format!("module {NAME} = {text}");
        let file = self.sources.add(&format!("[{}]", self.inputs), &text);
        let (ast, mut diagnostics) = syntax::parse(file, &text);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return (None, diagnostics);
        }
        let (_, env, errors) = check(&ast, &self.env, &self.sources);
        diagnostics.extend(errors.into_iter().filter(Diagnostic::is_error));
        let module = env.scope.modules.get(NAME).map(|module| {
            let mut out = String::new();
            contents(module, 0, &mut out);
            out
        });
        (module, diagnostics)
    }

    /// What a name means: its type, what is said of it where it is defined, and where that is. None if it means nothing.
    pub fn about(&self, path: &str) -> Option<String> {
        let (scope, name) = match path.rsplit_once('.') {
            Some((module, name)) if !module.is_empty() => (self.module(module)?, name),
            _ => (&self.env.scope, path),
        };
        let mut out = String::new();
        if let Some(value) = scope.values.get(name) {
            let ty = value.scheme().map_or("an operator of all numbers".to_string(), |scheme| scheme.to_string());
            let _ = writeln!(out, "{path} : {ty}");
            if let Value::Bound(id, _) = value
                && let Some(def) = self.env.defs.get(&id.num)
            {
                def.doc.iter().flat_map(|doc| doc.lines()).for_each(|line| _ = writeln!(out, "  {}", line.trim()));
                let _ = writeln!(out, "at {}", self.sources.locate(def.span));
            }
        } else if let Some(module) = scope.modules.get(name) {
            let _ = writeln!(out, "module {path}");
            contents(module, 1, &mut out);
        } else if let Some(def) = scope.types.get(name) {
            let params: String = def.params.iter().map(|p| format!(" {p}")).collect();
            let _ = writeln!(out, "type {path}{params} = {}", def.body);
        } else if scope.sigs.contains_key(name) {
            let _ = writeln!(out, "module type {path}");
        } else {
            return None;
        }
        Some(out)
    }

    /// The names of a module.
    fn module(&self, path: &str) -> Option<&Scope> {
        path.split('.').try_fold(&self.env.scope, |scope, name| match &**scope.modules.get(name)? {
            Module::Plain(inner) => Some(inner),
            Module::Functor(_) | Module::Error => None,
        })
    }
}

/// A line for each name in a module.
fn contents(module: &Module, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let Module::Plain(scope) = module else {
        let _ = writeln!(out, "{indent}a module with parameters");
        return;
    };
    for (name, meaning) in scope.in_order() {
        let _ = match meaning {
            Meaning::Type(_) => writeln!(out, "{indent}type {name}"),
            Meaning::Value(value) => match value.scheme() {
                Some(scheme) => writeln!(out, "{indent}val {name} : {scheme}"),
                None => writeln!(out, "{indent}val {name}"),
            },
            Meaning::Module(inner) => {
                let _ = writeln!(out, "{indent}module {name}");
                contents(inner, depth + 1, out);
                Ok(())
            }
        };
    }
}
