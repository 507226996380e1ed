//! The files that a program imports: read, parsed and checked, each once, those first that others import.

pub mod files;

use crate::diag::{self, Code, Diagnostic};
use crate::source::{FileId, SourceMap, SourceProvider, resolve};
use crate::syntax::ast::{Ast, Decl, DeclKind, Ident, ModExp};
use crate::types::env::Env;
use crate::{prelude, syntax, types};

/// Loads what a file imports, and what that imports; returns the environment that knows them.
pub fn load(
    ast: &Ast,
    file: FileId,
    env: &Env,
    sources: &mut SourceMap,
    provider: &dyn SourceProvider,
) -> (Env, Vec<Diagnostic>) {
    let mut loader = Loader { env: env.clone(), sources, provider, diagnostics: vec![], open: vec![] };
    let path = loader.path(file);
    loader.open.push(path.clone());
    loader.imports(ast, &path);
    (loader.env, loader.diagnostics)
}

struct Loader<'a> {
    env: Env,
    sources: &'a mut SourceMap,
    provider: &'a dyn SourceProvider,
    diagnostics: Vec<Diagnostic>,
    /// The files that are being loaded, from the outermost.
    open: Vec<String>,
}

impl Loader<'_> {
    fn path(&self, file: FileId) -> String {
        self.sources.get(file).map_or(String::new(), |f| f.path.to_string())
    }

    fn imports(&mut self, ast: &Ast, from: &str) {
        let mut paths = vec![];
        ast.decls.iter().for_each(|d| imported(d, &mut paths));
        for path in paths {
            stacker::maybe_grow(256 << 10, 4 << 20, || self.import(path, from));
        }
    }

    fn import(&mut self, import: &Ident, from: &str) {
        let path = resolve(from, &import.name);
        if self.env.imports.contains_key(&*path) {
            return;
        }
        let error = |message: String| Diagnostic::error(Code::Unreadable, import.span, message);
        if self.open.contains(&path) {
            let message = format!(
                "{path} imports itself: {}",
                [&self.open[..], std::slice::from_ref(&path)].concat().join(" -> ")
            );
            self.diagnostics.push(error(message));
            return;
        }
        let (source, text) = match (self.provider.read(&path), prelude::library(&import.name)) {
            (Ok(text), _) => (path.as_str(), text),
            (Err(_), Some((source, text))) => (source, text.to_string()),
            (Err(e), None) => {
                self.diagnostics.push(Diagnostic::unreadable_import(import.span, &path, &e, self.sources));
                // so that it is said once
                self.env.imports.insert(path.as_str().into(), types::env::Scope::default());
                return;
            }
        };
        let file = self.sources.add(source, &text);
        let (ast, mut own) = syntax::parse(file, &text);
        self.open.push(path.clone());
        self.imports(&ast, source);
        self.open.pop();
        let (env, errors) = types::check_import(&path, &ast, &self.env, self.sources);
        self.env = env;
        own.extend(errors);
        diag::in_order(&mut own, file);
        self.diagnostics.extend(own);
    }
}

/// The paths that a declaration imports.
fn imported<'a>(decl: &'a Decl, out: &mut Vec<&'a Ident>) {
    match &decl.kind {
        DeclKind::Import(path) => out.push(path),
        DeclKind::Local(inner) => imported(inner, out),
        DeclKind::Open(m) | DeclKind::Module { def: m, .. } => imported_by(m, out),
        DeclKind::Def { .. } | DeclKind::Val { .. } | DeclKind::Type { .. } | DeclKind::ModuleType { .. } => {}
    }
}

fn imported_by<'a>(module: &'a ModExp, out: &mut Vec<&'a Ident>) {
    match module {
        ModExp::Name(_) => {}
        ModExp::Struct(decls, _) => decls.iter().for_each(|d| imported(d, out)),
        ModExp::Import(path) => out.push(path),
        ModExp::Apply(f, arg) => {
            imported_by(f, out);
            imported_by(arg, out);
        }
        ModExp::Ascribe(m, _) | ModExp::Lambda(_, _, m) => imported_by(m, out),
    }
}
