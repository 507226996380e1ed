//! Declarations that cannot be read, that were meant in another language, or as something else.

use super::super::check::Checker;
use super::super::env::{Module, Scope, TypeDef, Value};
use super::super::ty::*;
use crate::diag::{Code, Diagnostic, SHOWN};
use crate::source::Span;
use crate::syntax;
use crate::syntax::ast::{self, Ast, Lifted, Unread};
use std::sync::Arc;

impl Checker {
    /// Names whose declarations cannot be read agree with everything.
    pub(in crate::types) fn unread(&mut self, scope: &mut Scope, file: &Ast) {
        for name in &file.unread {
            match name {
                Unread::Value(name) => {
                    let id = self.infer.global_id(name.name.clone());
                    scope.bind(name.name.clone(), Value::Bound(id, Arc::new(Scheme::mono(Type::Error))));
                }
                Unread::Type(name) => {
                    let def =
                        TypeDef { params: vec![], exts: vec![], body: Type::Error, lifted: Lifted::Full, order: 0 };
                    scope.types.insert(name.name.clone(), def);
                }
                Unread::Module(name) => scope.bind_module(name.name.clone(), Arc::new(Module::Error)),
            }
        }
    }

    /// Of a definition whose result is of no type it may be that the text was meant otherwise: then nothing else is said of it.
    pub(in crate::types) fn of_other_language(&mut self, errors_before: usize, at: Span, def: &ast::FunDef) {
        let Some(ret) = &def.ret else { return };
        let of_result = |d: &Diagnostic| d.code == Code::UnknownType && d.span() == ret.span;
        if errors_before < SHOWN
            && self.infer.diagnostics[errors_before..].iter().any(of_result)
            && let Some(file) = self.sources.get(at.file)
            && let Some(d) = syntax::of_other_language(at.file, &file.text, at, ret.span)
        {
            self.infer.diagnostics.truncate(errors_before);
            self.infer.error(d);
        }
    }

    /// What is wrong with the type of an entry point alone is right for a function that is none.
    pub(in crate::types) fn entry_as_function(&mut self, errors_before: usize, name: Span) {
        let Some(d) = self.infer.diagnostics.get(errors_before).filter(|d| d.code == Code::BadEntry).cloned() else {
            return;
        };
        let before = self.sources.get(name.file).map_or("", |file| &file.text[..name.start as usize]).trim_end();
        let word = ["entry", "def", "let"].into_iter().find(|word| before.ends_with(word));
        let Some(word) = word else { return };
        let keyword = Span { start: (before.len() - word.len()) as u32, end: before.len() as u32, ..name };
        let shown = self.sources.text(name);
        // a function named `main` is an entry point however it is defined
        let other = if shown == "main" { "main_function" } else { shown };
        let d = d.hint(format!("only entry points need types that come from outside: write `def {other}`."));
        self.infer.diagnostics[errors_before] = d.edit(keyword, "def").edit(name, other);
    }
}
