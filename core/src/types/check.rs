//! Checking a program: its declarations, one after the other. A definition in error is reported and gets the type that it
//! declares (what it leaves open agrees with everything), so that the others can be checked.

use super::env::{Env, Scope, TypeDef, Value};
use super::ty::*;
use super::typed::{Def, Intrinsic, Operator, TypedProgram};
use super::unify::Infer;
use super::{causality, finish};
use crate::diag::{Code, Diagnostic};
use crate::prim::{Prim, ScalarType};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{self, Ast, Decl, DeclKind, ModExp};
use std::collections::HashMap;
use std::sync::Arc;

/// The state of a check.
pub(super) struct Checker {
    pub infer: Infer,
    /// For messages.
    pub sources: Arc<SourceMap>,
    pub env: Env,
    /// What this run has defined.
    pub program: TypedProgram,
    /// The prelude's `length`.
    pub length: Option<Id>,
    /// The definition that is being checked; a reference to it from inside is recursion.
    pub current: Option<Id>,
}

/// Checks a program in an environment; returns the typed program, the environment with what it defines, and what is to be
/// said. Definitions in error are left out of the typed program.
pub fn check(program: &Ast, env: &Env, sources: &SourceMap) -> (TypedProgram, Env, Vec<Diagnostic>) {
    let mut checker = Checker::new(env, sources);
    let mut scope = env.scope.clone();
    let mut seen = HashMap::new();
    for decl in &program.decls {
        let added = checker.decl(&scope, decl, true, &mut seen);
        scope = scope.open(&added.local).open(&added.public);
    }
    checker.env.scope = scope;
    checker.env.next_id = checker.infer.next_id;
    (checker.program, checker.env, checker.infer.diagnostics)
}

/// Checks an expression by itself, as a definition without parameters of the given name.
pub fn check_expr(
    name: &str,
    expr: &ast::Expr,
    env: &Env,
    sources: &SourceMap,
) -> (Option<Arc<Def>>, Env, Vec<Diagnostic>) {
    let mut checker = Checker::new(env, sources);
    let ident = ast::Ident { name: name.into(), span: expr.span };
    let def = ast::FunDef { name: ident, tparams: vec![], params: vec![], ret: None, body: expr.clone() };
    let scope = env.scope.clone();
    let value = checker.def(&scope, &def, false, &[], None);
    let mut env = checker.env;
    env.scope.values.insert(name.into(), value);
    env.next_id = checker.infer.next_id;
    (checker.program.defs.pop(), env, checker.infer.diagnostics)
}

/// The environment of what is built in: scalar types, overloaded operators, and the module `intrinsics` with the table of
/// operators and with `vals`, the types of the other intrinsics.
pub fn builtin(vals: &Ast, sources: &SourceMap) -> (Env, Vec<Diagnostic>) {
    let mut scope = Scope::default();
    for t in ScalarType::ALL {
        scope.types.insert(t.name().into(), TypeDef { params: vec![], body: Type::Scalar(t) });
    }
    for (symbol, op) in Operator::INFIX {
        scope.values.insert(symbol.into(), Value::Op(op));
    }
    scope.values.insert("&&".into(), Value::And);
    scope.values.insert("||".into(), Value::Or);

    let mut checker = Checker::new(&Env { scope: scope.clone(), ..Env::default() }, sources);
    let mut intrinsics = Scope::default();
    for prim in Prim::all() {
        intrinsics.values.insert(prim.to_string().replace('.', "_").into(), Value::Prim(prim));
    }
    for decl in &vals.decls {
        let DeclKind::Val { name, tparams, ty } = &decl.kind else { continue };
        checker.infer.reset();
        checker.infer.level = 1;
        let mut inner = scope.clone();
        let params = checker.type_params(&mut inner, tparams);
        let ty = checker.type_exp(&inner, ty);
        let ty = checker.infer.zonk(&ty);
        match Intrinsic::from_name(&name.name) {
            Some(intrinsic) => {
                let scheme = Arc::new(Scheme { params, exts: vec![], ty });
                intrinsics.values.insert(name.name.clone(), Value::Intrinsic(intrinsic, scheme));
            }
            None => {
                let message = format!("There is no intrinsic \"{}\".", name.name);
                checker.infer.error(Diagnostic::error(Code::UnknownName, name.span, message));
            }
        }
    }
    scope.modules.insert("intrinsics".into(), Arc::new(intrinsics));
    let env = Env { scope, next_id: checker.infer.next_id, ..Env::default() };
    (env, checker.infer.diagnostics)
}

/// What a declaration adds: what everyone sees, and what only its neighbours see.
#[derive(Default)]
struct Added {
    public: Scope,
    local: Scope,
}

impl Checker {
    fn new(env: &Env, sources: &SourceMap) -> Checker {
        let length = match env.scope.values.get("length") {
            Some(Value::Bound(id, _)) => Some(id.clone()),
            _ => None,
        };
        Checker {
            infer: Infer::new(env.next_id),
            sources: Arc::new(sources.clone()),
            env: env.clone(),
            program: TypedProgram::default(),
            length,
            current: None,
        }
    }

    /// Does the name of an operator mean the prelude's? Pipes are applications then.
    pub(super) fn is_prelude(&self, scope: &Scope, name: &str) -> bool {
        match (scope.values.get(name), self.env.scope.values.get(name)) {
            (Some(Value::Bound(a, _)), Some(Value::Bound(b, _))) => a == b,
            _ => false,
        }
    }

    fn decl(&mut self, scope: &Scope, decl: &Decl, top: bool, seen: &mut HashMap<(u8, Name), Span>) -> Added {
        let mut added = Added::default();
        let mut once = |c: &mut Checker, space: u8, name: &ast::Ident| {
            if let Some(first) = seen.insert((space, name.name.clone()), name.span) {
                let d =
                    Diagnostic::error(Code::DuplicateName, name.span, format!("\"{}\" is defined twice.", name.name));
                c.infer.error(d.here("defined again here").label(first, "first defined here"));
            }
        };
        match &decl.kind {
            DeclKind::Def { entry, def } => {
                once(self, 0, &def.name);
                let entry = *entry && self.entry_allowed(def, top);
                let value = self.def(scope, def, entry, &decl.attrs, decl.doc.clone());
                added.public.values.insert(def.name.name.clone(), value);
            }
            DeclKind::Val { name, .. } => {
                let message = "A `val` declares what something else defines; it may stand in module types only.";
                self.infer.error(Diagnostic::error(Code::NotSupported, name.span, message));
            }
            DeclKind::Type { name, params, def, .. } => {
                once(self, 1, name);
                self.infer.reset();
                self.infer.level = 1;
                let mut inner = scope.clone();
                let params = self.type_params(&mut inner, params);
                let body = self.type_exp(&inner, def);
                let (_, open) = self.infer.free(&body);
                if !open.is_empty() {
                    let message = format!("The type \"{}\" leaves a size open; give it a size parameter.", name.name);
                    self.infer.error(Diagnostic::error(Code::BadSize, def.span, message));
                }
                let body = finish::closed(&self.infer.zonk(&body));
                added.public.types.insert(name.name.clone(), TypeDef { params, body });
            }
            DeclKind::Module { name, params, sig, def } => {
                once(self, 2, name);
                if !params.is_empty() || sig.is_some() {
                    self.not_supported(name.span, "Modules with parameters or module types are");
                }
                let module = self.mod_exp(scope, def);
                added.public.modules.insert(name.name.clone(), Arc::new(module));
            }
            DeclKind::ModuleType { name, .. } => self.not_supported(name.span, "Module types are"),
            DeclKind::Open(def) => added.public = self.mod_exp(scope, def),
            DeclKind::Local(inner) => {
                let inner = self.decl(scope, inner, top, seen);
                added.local = inner.local.open(&inner.public);
            }
            DeclKind::Import(path) => {
                self.not_supported(path.span, "Imports are");
            }
        }
        added
    }

    fn entry_allowed(&mut self, def: &ast::FunDef, top: bool) -> bool {
        if !top {
            self.infer.error(Diagnostic::error(Code::BadEntry, def.name.span, "Entry points cannot stand in modules."));
        }
        top
    }

    /// What a module exports.
    fn mod_exp(&mut self, scope: &Scope, def: &ModExp) -> Scope {
        match def {
            ModExp::Name(name) => {
                let quals: Vec<ast::Ident> = name.quals.iter().chain([&name.base]).cloned().collect();
                self.modules(scope, &quals).cloned().unwrap_or_default()
            }
            ModExp::Import(path) => {
                self.not_supported(path.span, "Imports are");
                Scope::default()
            }
            ModExp::Apply(f, _) => self.mod_exp(scope, f),
            ModExp::Ascribe(m, sig) => {
                self.not_supported(sig.span, "Module types are");
                self.mod_exp(scope, m)
            }
            ModExp::Lambda(p, ..) => {
                self.not_supported(p.name.span, "Modules with parameters are");
                Scope::default()
            }
            ModExp::Struct(decls, _) => {
                let (mut inside, mut public) = (scope.clone(), Scope::default());
                let mut seen = HashMap::new();
                for decl in decls {
                    let added = self.decl(&inside, decl, false, &mut seen);
                    inside = inside.open(&added.local).open(&added.public);
                    public = public.open(&added.public);
                }
                public
            }
        }
    }

    /// Checks a definition and says what its name means.
    fn def(
        &mut self,
        scope: &Scope,
        def: &ast::FunDef,
        entry: bool,
        attrs: &[ast::Attr],
        doc: Option<String>,
    ) -> Value {
        self.infer.reset();
        let errors_before = self.infer.diagnostics.len();
        let id = self.infer.global_id(def.name.name.clone());
        self.current = Some(id.clone());
        self.infer.level = 1;
        let mut inner = scope.clone();
        if &*def.name.name != "_" {
            // So that recursion gets a message of its own. Operators may well be defined by what they hide.
            if !scope.values.contains_key(&def.name.name) {
                let scheme = Arc::new(Scheme::mono(Type::Error));
                inner.values.insert(def.name.name.clone(), Value::Bound(id.clone(), scheme));
            }
        }
        let tparams = self.type_params(&mut inner, &def.tparams);
        let fun = self.function(&inner, &def.params, def.ret.as_ref(), &def.body);
        let mut typed = Def {
            id: id.clone(),
            scheme: Scheme { params: tparams.clone(), exts: vec![], ty: fun.ty },
            tparams,
            params: fun.params,
            body: fun.body,
            entry,
            attrs: attrs.to_vec(),
            doc,
            span: def.name.span,
        };
        finish::definition(&mut self.infer, &mut typed, errors_before);
        let failed = |c: &Checker| c.infer.diagnostics[errors_before..].iter().any(Diagnostic::is_error);
        if entry && !failed(self) {
            finish::entry_type(&mut self.infer, &typed);
        }
        self.current = None;
        let ok = !failed(self);
        let scheme = Arc::new(typed.scheme.clone());
        if ok {
            causality::check(&typed, &mut self.infer.diagnostics);
            let typed = Arc::new(typed);
            self.env.defs.insert(id.num, typed.clone());
            self.program.defs.push(typed);
        }
        Value::Bound(id, scheme)
    }
}
