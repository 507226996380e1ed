//! An interactive session: definitions in persistent scopes, and the values that have been computed. Functions and modules are definitions, never
//! values; values are passed to later inputs as parameters. Nothing is evaluated here: an input that needs it becomes a program to run.

mod complete;
mod describe;
mod inputs;
mod shown;
mod stopped;

pub use complete::Candidate;
pub use inputs::{Inputs, is_command};
pub use shown::Shown;
pub use stopped::Stopped;

use crate::diag::{self, Diagnostic};
use crate::driver::imports;
use crate::entry;
use crate::hash::HashSet;
use crate::ir::Program;
use crate::lower::{Stop, leaf_types, lower_session};
use crate::source::{FileId, SourceMap, SourceProvider};
use crate::syntax::ast::{Decl, DeclKind, ModExp};
use crate::syntax::token::{self, Token};
use crate::syntax::{self, Input};
use crate::types::env::Env;
use crate::types::ty::{Id, Type};
use crate::types::typed::{Def, TypedProgram};
use crate::types::{check, check_expr};
use crate::value::Value;
use crate::{prelude, types};
use std::sync::Arc;

/// A session. It reports errors only: what is tried out is full of names that nothing uses yet.
#[derive(Clone)]
pub struct Session {
    sources: SourceMap,
    env: Env,
    values: Vec<SessionValue>,
    /// The numbers of values that were `it` when definitions were made that use them.
    kept: HashSet<u32>,
    inputs: usize,
}

/// What has been found out about a text, if it could be, and what is to be said of it.
pub type Text<T> = (Option<T>, Vec<Diagnostic>);

/// A value that the session has computed.
#[derive(Clone)]
struct SessionValue {
    id: Id,
    ty: Type,
    leaves: Vec<Value>,
}

/// What is to be done about an input.
pub enum Step {
    /// Run these programs in order, and give each one's results to [`Session::computed`].
    Evaluate(Vec<Arc<Def>>),
    /// Show this type: the input is a function, or has several types.
    Type(String),
    /// Nothing: there are errors, or definitions only.
    Nothing,
}

/// A definition to be evaluated: a program, its function and its arguments.
pub struct Evaluation {
    /// The program.
    pub program: Program,
    /// The function to call.
    pub fun: String,
    /// Its arguments.
    pub args: Vec<Value>,
    /// What there is to be seen where it stops at a `#[break]`, by its number.
    pub stops: Vec<Stop>,
    def: Arc<Def>,
}

impl Default for Session {
    fn default() -> Self {
        let prelude::Prelude { env, sources, .. } = prelude::load();
        Session { sources, env, values: Vec::new(), kept: HashSet::default(), inputs: 0 }
    }
}

impl Session {
    /// Sets what `#[param(NAME)]` stands for from now on, by its name; of several, the last one.
    pub fn tune(&mut self, tuning: Vec<(String, i64)>) {
        self.env.tuning = tuning.into();
    }

    /// What diagnostics and provenance refer to.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The number of the next input, from 0.
    pub fn next_input(&self) -> usize {
        self.inputs
    }

    /// Reads an input: declarations, or an expression. Definitions are in scope from now on; the files that are imported come from the provider.
    pub fn input(&mut self, text: &str, provider: &dyn SourceProvider) -> (Step, Vec<Diagnostic>) {
        let name = format!("[{}]", self.inputs);
        self.inputs += 1;
        self.env.budget = self.env.budget.renewed();
        let file = self.sources.add(&name, text);
        let (input, mut diagnostics) = syntax::parse_expr_or_decls(file, text);
        let step = match input {
            Input::Empty => Step::Nothing,
            _ if diagnostics.iter().any(Diagnostic::is_error) => Step::Nothing,
            Input::Decls(mut ast) => {
                let (env, errors) = imports::load(&ast, file, &self.env, &mut self.sources, provider);
                diagnostics.extend(errors.into_iter().filter(Diagnostic::is_error));
                ast.decls.iter_mut().for_each(make_visible);
                let (program, env, errors) = check(&ast, &env, &self.sources);
                let failed = errors.iter().any(Diagnostic::is_error);
                diagnostics.extend(errors.into_iter().filter(Diagnostic::is_error));
                if failed || !diagnostics.is_empty() {
                    return (Step::Nothing, diagnostics);
                }
                self.keep_it(text);
                self.env = env;
                self.values_of(program)
            }
            Input::Expr(e) => {
                let (def, env, errors) = check_expr(&format!("it{}", self.inputs - 1), &e, &self.env, &self.sources);
                diagnostics.extend(errors);
                match def.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) {
                    Some(def) if !is_value(&def) => Step::Type(def.scheme.to_string()),
                    Some(def) => {
                        // The definition is known to lowering, but no name is.
                        self.env = Env { scope: self.env.scope.clone(), ..env };
                        Step::Evaluate(vec![def])
                    }
                    None => Step::Nothing,
                }
            }
        };
        (step, diagnostics)
    }

    /// The type of an expression, as the source writes it.
    pub fn type_of(&mut self, text: &str) -> Text<String> {
        let file = self.sources.add(&format!("[{}]", self.inputs), text);
        let (expr, mut diagnostics) = syntax::parse_expr(file, text);
        let Some(expr) = expr else { return (None, diagnostics) };
        if let Some(known) = self.env.type_of(text.trim()) {
            return (Some(known), diagnostics);
        }
        let (def, _, errors) = check_expr("it", &expr, &self.env, &self.sources);
        diagnostics.extend(errors);
        (def.map(|d| d.scheme.to_string()), diagnostics)
    }

    /// Adds a file's definitions; none when it has errors. Its values are to be evaluated.
    pub fn load(&mut self, path: &str, provider: &dyn SourceProvider) -> (Step, Vec<Diagnostic>) {
        let text = match provider.read(path) {
            Ok(text) => text,
            Err(e) => return (Step::Nothing, vec![Diagnostic::unreadable(path, &e, &mut self.sources)]),
        };
        let file = self.sources.add(path, &text);
        let (ast, mut diagnostics) = syntax::parse(file, &text);
        self.env.budget = self.env.budget.renewed();
        let (env, errors) = imports::load(&ast, file, &self.env, &mut self.sources, provider);
        diagnostics.extend(errors);
        let (program, env, errors) = check(&ast, &env, &self.sources);
        diagnostics.extend(errors);
        diag::in_order(&mut diagnostics, file);
        diagnostics.retain(Diagnostic::is_error);
        if !diagnostics.is_empty() {
            return (Step::Nothing, diagnostics);
        }
        self.env = env;
        (self.values_of(program), diagnostics)
    }

    /// The program that evaluates a definition of [`Step::Evaluate`].
    ///
    /// # Errors
    /// What is not supported.
    pub fn evaluation(&self, def: &Arc<Def>) -> Result<Evaluation, Vec<Diagnostic>> {
        let types: Vec<_> = self.values.iter().map(|v| (v.id.clone(), v.ty.clone())).collect();
        let (program, sizes, stops) = lower_session(def, &types, &self.env, &self.sources)?;
        let fun = program.funs.last();
        let values = self.values.iter().flat_map(|v| v.leaves.clone()).collect();
        let args = fun.map_or(Vec::new(), |f| entry::with_sizes(&f.params, sizes, values));
        let fun = fun.map_or(String::new(), |f| f.name.to_string());
        Ok(Evaluation { program, fun, args, stops, def: def.clone() })
    }

    /// Records the results of an evaluation, under the definition's name; gives that name, unless it is ours, and the value's leaves with its type
    /// for printing.
    pub fn computed(&mut self, evaluation: Evaluation, results: Vec<Value>) -> Shown {
        let def = evaluation.def;
        let ty = def.body.ty.clone();
        let count = leaf_types(&ty, &self.env).len();
        let leaves = results[results.len().saturating_sub(count)..].to_vec();
        let is_expression = self.env.scope.values.get(&def.id.name).is_none();
        if is_expression {
            self.forget_it();
            let value = types::env::Value::Bound(def.id.clone(), Arc::new(def.scheme.clone()));
            self.env.scope.bind("it".into(), value);
        }
        self.values.push(SessionValue { id: def.id.clone(), ty: def.scheme.ty.clone(), leaves: leaves.clone() });
        Shown::new((!is_expression).then(|| def.id.name.to_string()), &ty, leaves, &self.env)
    }

    /// Drops the value of `it`, which is to mean something else, unless a definition uses it.
    fn forget_it(&mut self) {
        if let Some(types::env::Value::Bound(id, _)) = self.env.scope.values.get("it")
            && !self.kept.contains(&id.num)
        {
            self.values.retain(|v| v.id.num != id.num);
        }
    }

    /// Keeps the value of `it` for the definitions in these tokens, if they use it.
    fn keep_it(&mut self, text: &str) {
        let uses = |(token, _): &(Token, _)| *token == Token::Ident("it");
        if let Some(types::env::Value::Bound(id, _)) = self.env.scope.values.get("it")
            && token::lex(FileId::default(), text).tokens.iter().any(uses)
        {
            self.kept.insert(id.num);
        }
    }

    /// The values among a program's definitions. Those of modules are known by other names, and evaluated where they are used.
    fn values_of(&self, program: TypedProgram) -> Step {
        let means = |def: &Def| match self.env.scope.values.get(&def.id.name) {
            Some(types::env::Value::Bound(id, _)) => *id == def.id,
            _ => false,
        };
        Step::Evaluate(program.defs.into_iter().filter(|d| is_value(d) && means(d)).collect())
    }
}

/// Whether a definition is a value of one type, not a function.
fn is_value(def: &Def) -> bool {
    def.params.is_empty() && def.scheme.params.is_empty() && !def.body.ty.has_function()
}

/// What later inputs do not see of a file, they see of an input: `local` definitions, and what it imports.
fn make_visible(decl: &mut Decl) {
    match &mut decl.kind {
        DeclKind::Local(inner) => {
            make_visible(inner);
            let kind = std::mem::replace(&mut inner.kind, DeclKind::Open(ModExp::Struct(Vec::new(), decl.span)));
            decl.kind = kind;
        }
        DeclKind::Import(path) => decl.kind = DeclKind::Open(ModExp::Import(path.clone())),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceError;

    /// There are no files.
    fn nothing(_: &str) -> Result<String, SourceError> {
        Err(SourceError::new("No such file"))
    }

    /// What is to be evaluated after these inputs.
    fn evaluated(inputs: &[&str]) -> (Session, Vec<Arc<Def>>) {
        let mut session = Session::default();
        let mut last = vec![];
        for input in inputs {
            let (step, diagnostics) = session.input(input, &nothing);
            assert!(diagnostics.is_empty(), "{input}: {diagnostics:?}");
            last = if let Step::Evaluate(defs) = step { defs } else { panic!("{input} is no value") };
        }
        (session, last)
    }

    #[test]
    fn numbers_of_definitions_are_given_once() {
        let (session, defs) = evaluated(&["def f (x: i32) = x + 1", "f 1", "let y = f 2"]);
        let f = session.env.defs.values().find(|def| &*def.id.name == "f").unwrap();
        assert_eq!(defs.len(), 1);
        assert!(defs[0].id.num > f.id.num && f.params.len() == 1);
    }

    #[test]
    fn what_is_in_a_functor_is_not_evaluated() {
        let (_, defs) = evaluated(&["module f (P: { val y: i32 }) = { def x = P.y + 1 }"]);
        assert!(defs.is_empty());
    }

    #[test]
    fn what_is_in_a_module_is_evaluated_where_it_is_used() {
        let (_, defs) = evaluated(&["module m = { def x = 1i32 } def x = 2i32"]);
        assert_eq!(defs.iter().map(|def| def.id.name.to_string()).collect::<Vec<_>>(), ["x"]);
        let (_, defs) = evaluated(&["module m = { def x = 1i32 }", "m.x"]);
        assert_eq!(defs.len(), 1);
    }

    #[test]
    fn later_inputs_see_what_an_input_imports() {
        let file = |path: &str| match path {
            "lib/a.fut" => Ok("local def y = 1i32 def x = y".to_string()),
            _ => Err(SourceError::new("No such file")),
        };
        let uses = |import: &str, name: &str| {
            let mut session = Session::default();
            let (_, diagnostics) = session.input(import, &file);
            let (step, more) = session.input(name, &file);
            (matches!(step, Step::Evaluate(_)), diagnostics.len(), more.len())
        };
        for (import, name) in [
            ("import \"lib/a\"", "x"),
            ("open import \"lib/a\"", "x"),
            ("local import \"lib/a\"", "x"),
            ("module m = import \"lib/a\"", "m.x"),
            ("local def x = 1i32", "x"),
        ] {
            assert_eq!(uses(import, name), (true, 0, 0), "{import}");
        }
        assert_eq!(uses("import \"lib/a\"", "y"), (false, 0, 1));
        assert_eq!(uses("import \"lib/b\"", "x"), (false, 1, 1));
    }

    #[test]
    fn functions_have_types() {
        let (step, _) = Session::default().input("\\x -> x + 1i32", &nothing);
        assert!(matches!(step, Step::Type(ty) if ty == "i32 -> i32"));
    }

    #[test]
    fn what_a_hidden_type_is_lasts() {
        let mut session = Session::default();
        session.input("module m: { type^ t val f: t } = { type^ t = i32 -> i32 def f (x: i32) = x }", &nothing);
        let (_, diagnostics) = session.input("[m.f, m.f]", &nothing);
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    }
}
