//! A session as a program.

use futi_core::session::Step;
use futi_core::source::FileId;
use futi_core::syntax::ast::{Decl, DeclKind};
use futi_core::syntax::token::{Token, lex};
use futi_core::syntax::{Input, parse_expr_or_decls};
use std::collections::BTreeSet;
use std::path::Path;

/// What has been entered without an error, in order.
#[derive(Clone, Default)]
pub struct Saved {
    all: Vec<Entry>,
}

#[derive(Clone)]
enum Entry {
    /// A file was loaded.
    File(String),
    Declarations(String),
    /// An expression, and whether a later input uses its value, `it`.
    Expression(String, bool),
}

impl Saved {
    /// Notes an input, and what it has become.
    pub fn add(&mut self, text: &str, step: &Step) {
        let uses_it = lex(FileId::default(), text).tokens.iter().any(|(token, _)| *token == Token::Ident("it"));
        if uses_it
            && let Some(used) = self
                .all
                .iter_mut()
                .rev()
                .find_map(|e| if let Entry::Expression(_, used) = e { Some(used) } else { None })
        {
            *used = true;
        }
        let is_expression = matches!(parse_expr_or_decls(FileId::default(), text).0, Input::Expr(_));
        self.all.push(match step {
            // a function has no value that a name stands for
            Step::Type(_) => return,
            _ if is_expression => Entry::Expression(text.to_string(), false),
            _ => Entry::Declarations(text.to_string()),
        });
    }

    /// Notes that a file was loaded.
    pub fn load(&mut self, path: &str) {
        self.all.push(Entry::File(path.to_string()));
    }

    /// The files that were loaded.
    pub fn files(&self) -> Vec<String> {
        self.all.iter().filter_map(|e| if let Entry::File(path) = e { Some(path.clone()) } else { None }).collect()
    }

    /// The program, for a file in a folder: the same definitions. What is defined once more is opened before, as a name is defined once only.
    pub fn program(&self, folder: &Path) -> String {
        let (mut done, mut names) = (String::new(), BTreeSet::new());
        for entry in &self.all {
            let text = match entry {
                Entry::File(path) => format!("open import \"{}\"", import(path, folder)),
                Entry::Declarations(text) => text.clone(),
                Entry::Expression(text, true) => format!("let it =\n{}", indented(text)),
                Entry::Expression(_, false) => continue,
            };
            let new = names_of(&text);
            if !new.is_disjoint(&names) {
                done = format!("open {{\n{}}}\n", indented(&done));
                names.clear();
            }
            names.extend(new);
            done.push_str(&text);
            done.push('\n');
        }
        done
    }
}

/// How a file in a folder imports one that the session has loaded: relative to the folder, if it is below.
fn import(path: &str, folder: &Path) -> String {
    let absolute = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let file = absolute(Path::new(path));
    let short = file.strip_prefix(absolute(folder)).unwrap_or(&file).with_extension("");
    short.to_string_lossy().into_owned()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".into() } else { format!("  {line}\n") }).collect()
}

/// The names that declarations define, with what kind of name each is.
fn names_of(text: &str) -> BTreeSet<(u8, String)> {
    let Input::Decls(ast) = parse_expr_or_decls(FileId::default(), text).0 else { return BTreeSet::new() };
    let mut names = BTreeSet::new();
    fn of(decl: &Decl, names: &mut BTreeSet<(u8, String)>) {
        match &decl.kind {
            DeclKind::Def { def, .. } => _ = names.insert((0, def.name.name.to_string())),
            DeclKind::Type { name, .. } => _ = names.insert((1, name.name.to_string())),
            DeclKind::Module { name, .. } => _ = names.insert((0, name.name.to_string())),
            DeclKind::ModuleType { name, .. } => _ = names.insert((2, name.name.to_string())),
            DeclKind::Local(inner) => of(inner, names),
            _ => {}
        }
    }
    ast.decls.iter().for_each(|decl| of(decl, &mut names));
    names
}
