//! Modules: what they declare, what module types ask of them, and modules with parameters.
//!
//! Note [Modules are scopes]: a module is what its names mean, and nothing of it is left after this. A module with a parameter is checked once where it is
//! defined, with a parameter of which only the module type is known, and then again for each argument: its definitions are made anew.
//!
//! Note [Hidden types]: the types of a module type of which it says nothing get ids, new ones each time the module type is used. Such an id stands for a
//! type of the module that is seen through the module type: `Env::hidden` says for which. The checker knows it only if it is in `Env::visible` too: it is
//! for the parameters of modules and for `with`, while what `m : s` hides stays hidden.

use super::check::{Checker, Place, Seen};
use super::env::{Functor, FunctorBody, Hidden, Meaning, Module, Scope, SigDef, TypeDef, Value};
use super::finish;
use super::infer::typed_expr;
use super::renamed::{qualified, renamed, sizes_named};
use super::ty::*;
use super::typed::{Def, ExprKind, Unique};
use crate::budget::{HEAVY, MODULE};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, Lifted, ModExp, SigExp, SigExpKind, SpecKind};
use std::sync::Arc;

/// What a module type asks for.
pub(super) enum Sig {
    /// A module with these names. Its values have ids that nothing defines.
    Plain(Scope, Vec<HiddenType>),
    /// A module with a parameter: what its names mean, the parameter, and the result.
    Arrow(Scope, Box<ast::ModParam>, SigExp),
    /// What is in error, which has been said.
    Error,
}

/// A type of which a module type says nothing.
pub(super) struct HiddenType {
    /// The names of modules, then of the type.
    path: Vec<Name>,
    id: Id,
    params: Vec<TypeParam>,
    lifted: Lifted,
}

/// Where a module is seen through a module type.
#[derive(Clone, Copy)]
struct View<'a> {
    /// The modules that it is in, `m.n.`.
    path: &'a str,
    /// The module type.
    span: Span,
    /// The types around it that have sizes of their own: Note [Sizes of hidden types].
    own: &'a Hidden,
}

impl Checker {
    fn bad_module(&mut self, span: Span, message: impl Into<String>) {
        self.infer.error(Diagnostic::error(Code::BadModule, span, message));
    }

    // Modules.

    /// `module m params : sig = def`
    pub(super) fn module(
        &mut self,
        scope: &Scope,
        params: &[ast::ModParam],
        sig: Option<&SigExp>,
        def: &ModExp,
    ) -> Module {
        match params {
            [] => {
                let module = self.mod_exp(scope, def);
                match sig {
                    Some(sig) => self.seal(scope, module, sig),
                    None => module,
                }
            }
            [param, rest @ ..] => {
                let body = FunctorBody::Def(rest.to_vec(), sig.cloned(), Box::new(def.clone()));
                // mutant: whether it is in error is found out when it is tried, in the next line
                let functor = Functor { scope: scope.clone(), param: param.clone(), body, in_error: false };
                Module::Functor(self.tried(functor))
            }
        }
    }

    /// What a module expression means.
    pub(super) fn mod_exp(&mut self, scope: &Scope, def: &ModExp) -> Module {
        self.infer.budget.take(HEAVY, "the modules in it", module_span(def));
        stacker::maybe_grow(256 << 10, 4 << 20, || self.mod_exp_inner(scope, def))
    }

    fn mod_exp_inner(&mut self, scope: &Scope, def: &ModExp) -> Module {
        match def {
            ModExp::Name(name) => {
                if name.quals.is_empty() && &*name.base.name == "intrinsics" {
                    self.bad_module(name.span(), "The 'intrinsics' module may not be used in module expressions.");
                }
                let found = self.module_scope(scope, &name.quals).and_then(|s| self.module_named(&s, &name.base));
                found.map_or(Module::Error, |m| (*m).clone())
            }
            ModExp::Struct(decls, _) => Module::Plain(self.decls(scope, decls)),
            ModExp::Import(path) => Module::Plain(self.import(path)),
            ModExp::Apply(f, arg) => {
                let (f_span, span) = (module_span(f), module_span(def));
                let f = self.mod_exp(scope, f);
                let arg = self.mod_exp(scope, arg);
                match f {
                    Module::Functor(functor) => self.apply_functor(&functor, &arg, span),
                    Module::Plain(_) => {
                        self.bad_module(f_span, "This module takes no parameter.");
                        Module::Error
                    }
                    Module::Error => Module::Error,
                }
            }
            ModExp::Ascribe(m, sig) => {
                let module = self.mod_exp(scope, m);
                self.seal(scope, module, sig)
            }
            ModExp::Lambda(param, sig, body) => self.module(scope, std::slice::from_ref(&**param), sig.as_ref(), body),
        }
    }

    /// What declarations declare to the outside.
    fn decls(&mut self, scope: &Scope, decls: &[ast::Decl]) -> Scope {
        let (mut inside, mut public) = (scope.clone(), Scope::default());
        let mut seen = Seen::default();
        for decl in decls {
            let added = self.decl(&inside, decl, Place::Module, &mut seen);
            inside = inside.open(&added.local).open(&added.public);
            public = public.open(&added.public);
        }
        public
    }

    /// What the file at a path declares.
    pub(super) fn import(&mut self, path: &ast::Ident) -> Scope {
        let from = self.sources.get(path.span.file).map_or(String::new(), |f| f.path.to_string());
        // a file that cannot be read has been reported
        self.env.imports.get(&*crate::source::resolve(&from, &path.name)).cloned().unwrap_or_default()
    }

    // Modules with parameters.

    /// Checks a module with a parameter for an argument of which only the module type is known. One in another that is being applied has been tried with that:
    /// what is known of the argument of the outer one makes no difference to it until it is applied itself.
    fn tried(&mut self, functor: Functor) -> Arc<Functor> {
        if self.in_functor {
            return Arc::new(functor);
        }
        let before = (self.env.defs.clone(), self.program.defs.len(), self.infer.diagnostics.len());
        let functor = &functor;
        let first = self.infer.next_id;
        let param = unknown_module(self.sig(&functor.scope, &functor.param.sig));
        let param = qualified(&param, &functor.param.name, first, &mut self.infer.budget);
        self.functor_body(functor, param, functor.param.name.span);
        // What has been defined refers to what nothing defines.
        // mutant: no name of these definitions is left, so that nothing comes to them
        self.env.defs = before.0;
        self.program.defs.truncate(before.1);
        let in_error = self.infer.diagnostics[before.2..].iter().any(Diagnostic::is_error);
        Arc::new(Functor { in_error, ..functor.clone() })
    }

    /// A module with a parameter, applied.
    fn apply_functor(&mut self, functor: &Functor, arg: &Module, span: Span) -> Module {
        let sig = self.sig(&functor.scope, &functor.param.sig);
        let at = View { path: "", span, own: &Hidden::default() };
        let Some(view) = self.matched(arg, sig, at, true) else { return Module::Error };
        let before = self.infer.diagnostics.len();
        let around = std::mem::replace(&mut self.in_functor, true);
        let result = self.functor_body(functor, view, span);
        self.in_functor = around;
        if functor.in_error {
            // which has been said where it is defined
            self.infer.diagnostics.truncate(before);
        }
        result
    }

    fn functor_body(&mut self, functor: &Functor, param: Module, span: Span) -> Module {
        self.infer.budget.take(MODULE, "the modules with parameters that it applies", span);
        let mut scope = functor.scope.clone();
        scope.bind_module(functor.param.name.name.clone(), Arc::new(param.clone()));
        match &functor.body {
            FunctorBody::Def(rest, sig, def) => self.module(&scope, rest, sig.as_ref(), def),
            FunctorBody::Sealed(inner, sig) => {
                let result = self.apply_functor(inner, &param, span);
                self.seal(&scope, result, sig)
            }
            FunctorBody::Unknown(sig) => unknown_module(self.sig(&scope, sig)),
        }
    }

    // Module types.

    /// What a module type asks for.
    pub(super) fn sig(&mut self, scope: &Scope, sig: &SigExp) -> Sig {
        self.infer.budget.take(HEAVY, "the module types in it", sig.span);
        stacker::maybe_grow(256 << 10, 4 << 20, || self.sig_inner(scope, sig))
    }

    fn sig_inner(&mut self, scope: &Scope, sig: &SigExp) -> Sig {
        match &sig.kind {
            SigExpKind::Name(name) => {
                let Some(inner) = self.module_scope(scope, &name.quals) else { return Sig::Error };
                match inner.sigs.get(&name.base.name).cloned() {
                    Some(def) => {
                        let SigDef { scope, sig } = &*def;
                        self.sig(scope, sig)
                    }
                    None => {
                        let message = format!("Unknown module type \"{}\".", name.text());
                        let d = Diagnostic::error(Code::UnknownModule, name.span(), message);
                        let d =
                            self.infer.suggest(d, (&name.modules(), &name.base.name), inner.sigs.keys().map(|k| &**k));
                        self.infer.error(d);
                        Sig::Error
                    }
                }
            }
            SigExpKind::Specs(specs) => self.specs(scope, specs),
            SigExpKind::With { sig: inner, name, params, ty } => {
                let (names, mut hidden) = match self.sig(scope, inner) {
                    Sig::Plain(names, hidden) => (names, hidden),
                    Sig::Arrow(..) => {
                        self.bad_module(inner.span, "A module type with a parameter has no types to refine.");
                        return Sig::Error;
                    }
                    Sig::Error => return Sig::Error,
                };
                let path = name.quals.iter().chain([&name.base]).map(|q| &q.name);
                let Some(position) = hidden.iter().position(|h| h.path.iter().eq(path.clone())) else {
                    let message = format!("The module type has no type \"{}\" that is open.", name.text());
                    self.bad_module(name.span(), message);
                    return Sig::Plain(names, hidden);
                };
                let mut def = self.type_def(scope, Lifted::Full, &name.base, params, ty);
                let found = hidden.remove(position);
                // it is no secret what it is, so it may be lifted more
                def.lifted = found.lifted;
                self.define_hidden(&found, &def, name.span(), true);
                let own = self.with_own_sizes(&[found]);
                Sig::Plain(self.scope_written_out(&names, &own, name.span()), hidden)
            }
            SigExpKind::Arrow(name, param, result) => {
                let name = name.clone().unwrap_or_else(|| ast::Ident { name: "_".into(), span: param.span });
                let param = ast::ModParam { name, sig: (**param).clone() };
                // so that what is wrong in the result is said
                let mut inner = scope.clone();
                let known = unknown_module(self.sig(scope, &param.sig));
                inner.bind_module(param.name.name.clone(), Arc::new(known));
                self.sig(&inner, result);
                Sig::Arrow(scope.clone(), Box::new(param), (**result).clone())
            }
        }
    }

    fn specs(&mut self, scope: &Scope, specs: &[ast::Spec]) -> Sig {
        let (mut inside, mut names) = (scope.clone(), Scope::default());
        let mut hidden = vec![];
        let mut seen = Seen::default();
        for spec in specs {
            let mut added = Scope::default();
            match &spec.kind {
                SpecKind::Val { name, tparams, ty } => {
                    self.once("value", name, &mut seen);
                    let scheme = self.val_spec(&inside, tparams, ty);
                    let id = self.infer.global_id(name.name.clone());
                    added.values.insert(name.name.clone(), Value::Bound(id, Arc::new(scheme)));
                }
                SpecKind::Type { lifted, name, params, def: Some(def) } => {
                    self.once("type", name, &mut seen);
                    let def = self.type_def(&inside, *lifted, name, params, def);
                    added.types.insert(name.name.clone(), def);
                }
                SpecKind::Type { lifted, name, params, def: None } => {
                    self.once("type", name, &mut seen);
                    let params = self.type_params(&mut inside.clone(), params);
                    let id = self.infer.global_id(name.name.clone());
                    self.infer.lifted.insert(id.clone(), *lifted);
                    let body = Type::Abstract(id.clone(), params.iter().map(TypeParam::arg).collect());
                    let order = id.num;
                    let def = TypeDef { params: params.clone(), exts: vec![], body, lifted: *lifted, order };
                    added.types.insert(name.name.clone(), def);
                    hidden.push(HiddenType { path: vec![name.name.clone()], id, params, lifted: *lifted });
                }
                SpecKind::Module(name, sig) => {
                    self.once("module", name, &mut seen);
                    let first = self.infer.next_id;
                    let mut sig = self.sig(&inside, sig);
                    if let Sig::Plain(_, inner) = &mut sig {
                        for mut h in std::mem::take(inner) {
                            h.path.insert(0, name.name.clone());
                            hidden.push(h);
                        }
                    }
                    let module = qualified(&unknown_module(sig), name, first, &mut self.infer.budget);
                    added.modules.insert(name.name.clone(), Arc::new(module));
                }
                SpecKind::Include(sig) => match self.sig(&inside, sig) {
                    Sig::Plain(included, more) => {
                        added = included;
                        hidden.extend(more);
                    }
                    Sig::Arrow(..) => self.bad_module(sig.span, "A module type with a parameter cannot be included."),
                    Sig::Error => {}
                },
            }
            inside = inside.open(&added);
            names = names.open(&added);
        }
        Sig::Plain(names, hidden)
    }

    fn val_spec(&mut self, scope: &Scope, tparams: &[ast::TypeParam], ty: &ast::TypeExp) -> Scheme {
        self.infer.reset();
        let (errors_before, span) = (self.infer.diagnostics.len(), ty.span);
        let mut inner = scope.clone();
        let mut params = self.type_params(&mut inner, tparams);
        let ty = self.type_exp(&inner, ty);
        let (_, open) = self.infer.free(&ty);
        let is_function = matches!(self.infer.head(&ty), Type::Fun(_));
        // an argument of a functor may have types with sizes of their own
        if is_function
            && !self.in_functor
            && let Some(m) = open.first()
        {
            let at = self.infer.size_origin(*m).0;
            let d = Diagnostic::error(Code::BadSize, at, "All function parameters must have non-anonymous sizes.");
            self.infer.error(d.note("Add size parameters: `val f [n] : [n]i32 -> i32`."));
        }
        let mut exts = vec![];
        for m in open {
            let id = self.infer.fresh_id(self.infer.size_origin(m).1.clone());
            self.infer.solve_size(m, Size::Var(id.clone()));
            if is_function { params.push(TypeParam::Size(id)) } else { exts.push(id) }
        }
        let ty = finish::written_type(&mut self.infer, &ty, span, errors_before);
        Scheme { params, exts, ty }
    }

    // A module seen through a module type.

    fn seal(&mut self, scope: &Scope, module: Module, sig: &SigExp) -> Module {
        let wanted = self.sig(scope, sig);
        let at = View { path: "", span: sig.span, own: &Hidden::default() };
        self.matched(&module, wanted, at, false).unwrap_or(module)
    }

    /// Those of these types that have sizes of their own: Note [Sizes of hidden types].
    fn with_own_sizes(&self, hidden: &[HiddenType]) -> Hidden {
        let own = |h: &HiddenType| self.env.hidden.get(&h.id.num).filter(|def| !def.exts.is_empty()).cloned();
        hidden.iter().filter_map(|h| Some((h.id.num, own(h)?))).collect()
    }

    /// A module as a module type shows it; its types are those that it has, if they are `visible`.
    fn matched(&mut self, module: &Module, sig: Sig, at: View, visible: bool) -> Option<Module> {
        let span = at.span;
        match (module, sig) {
            (_, Sig::Error) => None,
            (Module::Error, sig) => Some(unknown_module(sig)),
            (Module::Plain(have), Sig::Plain(want, hidden)) => {
                let errors = self.infer.diagnostics.len();
                for h in &hidden {
                    match type_at(have, &h.path) {
                        Some(def) => self.define_hidden(h, &def, span, true),
                        None => self.lacks("type", &h.path.join("."), None, span),
                    }
                }
                let inner = self.with_own_sizes(&hidden);
                let want = if visible { self.scope_written_out(&want, &inner, span) } else { want };
                let inside = View { own: &inner.union(at.own.clone()), ..at };
                let seen = (self.infer.diagnostics.len() == errors).then(|| self.matched_scope(have, &want, inside));
                if !visible {
                    hidden.iter().for_each(|h| drop(self.infer.visible.remove(&h.id.num)));
                    self.env.visible = self.infer.visible.clone();
                }
                seen.map(Module::Plain)
            }
            (Module::Functor(have), Sig::Arrow(scope, param, result)) => {
                let sealed = FunctorBody::Sealed(have.clone(), result);
                // mutant: whether it is in error is found out when it is tried, in the next line
                let functor = Functor { scope, param: *param, body: sealed, in_error: false };
                Some(Module::Functor(self.tried(functor)))
            }
            (Module::Plain(_), Sig::Arrow(..)) => {
                self.bad_module(span, "The module type asks for a parametric module, and this one has no parameter.");
                None
            }
            (Module::Functor(_), Sig::Plain(..)) => {
                let message = "The module type asks for a module without parameters, and this one is parametric: it must be applied first.";
                self.bad_module(span, message);
                None
            }
        }
    }

    /// Says what a hidden type stands for.
    fn define_hidden(&mut self, hidden: &HiddenType, def: &TypeDef, span: Span, visible: bool) {
        let name = hidden.path.join(".");
        let kinds = |ps: &[TypeParam]| ps.iter().map(|p| matches!(p, TypeParam::Size(_))).collect::<Vec<_>>();
        if kinds(&hidden.params) != kinds(&def.params) {
            self.bad_module(
                span,
                format!("The type \"{name}\" does not have the parameters that the module type asks for."),
            );
            return;
        }
        if def.lifted > hidden.lifted {
            let kind = if hidden.lifted == Lifted::No { "a non-lifted" } else { "an at most size-lifted" };
            self.bad_module(
                span,
                format!("The module type asks for {kind} type \"{name}\", and that of the module is lifted more."),
            );
            return;
        }
        let narrowed = hidden.params.iter().zip(&def.params).any(|pair| match pair {
            (TypeParam::Type(_, asked), TypeParam::Type(_, has)) => has < asked,
            _ => false,
        });
        if narrowed {
            self.bad_module(
                span,
                format!("Cannot refine a type to one that takes less: the parameters of \"{name}\" are lifted more."),
            );
            return;
        }
        self.shows_sizes(&name, &def.params, &def.body, span);
        self.env.hidden.insert(hidden.id.num, def.clone());
        if visible {
            self.infer.visible.insert(hidden.id.num, def.clone());
            self.env.visible.insert(hidden.id.num, def.clone());
        }
    }

    /// Complains about what a module type asks for, `asked`, and the module has not.
    fn lacks(&mut self, what: &str, name: &str, asked: Option<String>, span: Span) {
        let d = Diagnostic::error(Code::BadModule, span, format!("The module lacks the {what} \"{name}\"."));
        self.infer.error(match asked {
            Some(asked) => d.note(format!("The module type asks for: {asked}")),
            None => d,
        });
    }

    fn matched_scope(&mut self, have: &Scope, want: &Scope, at: View) -> Scope {
        let View { path, span, .. } = at;
        // sizes that the module type names are those of the module
        let want = &renamed(want, &sizes_named(have, want), (&mut self.infer.budget, span));
        let mut seen = want.clone();
        for (name, asked) in want.in_order() {
            match asked {
                // those that are hidden have been matched
                Meaning::Type(def) => match have.types.get(name) {
                    Some(found) => self.matched_type(name, found, def, at),
                    None => self.lacks("type", &format!("{path}{name}"), None, span),
                },
                Meaning::Value(Value::Bound(_, scheme)) => match have.values.get(name).cloned() {
                    Some(found) => {
                        let value = self.matched_value(name, &found, scheme, at);
                        seen.values.insert(name.clone(), value);
                    }
                    None => {
                        let name = format!("{path}{name}");
                        self.lacks("value", &name, Some(self.val(&name, scheme)), span);
                    }
                },
                Meaning::Module(module) => {
                    if let Some(module) = self.matched_module(name, have, module, at) {
                        seen.modules.insert(name.clone(), Arc::new(module));
                    }
                }
                Meaning::Value(_) => {}
            }
        }
        seen
    }

    /// The module of that name as a module type shows it, which asks for one like `want`.
    fn matched_module(&mut self, name: &Name, have: &Scope, want: &Module, at: View) -> Option<Module> {
        let path = at.path;
        let Some(found) = have.modules.get(name).cloned() else {
            self.lacks("module", &format!("{path}{name}"), None, at.span);
            return None;
        };
        let sig = match want {
            Module::Plain(names) => Sig::Plain(names.clone(), vec![]),
            Module::Functor(f) => match &f.body {
                FunctorBody::Unknown(result) => Sig::Arrow(f.scope.clone(), Box::new(f.param.clone()), result.clone()),
                _ => return None,
            },
            Module::Error => return None,
        };
        // mutant: it hides no types: those have been matched with the module around
        self.matched(&found, sig, View { path: &format!("{path}{name}."), ..at }, true)
    }

    fn matched_type(&mut self, name: &Name, have: &TypeDef, want: &TypeDef, at: View) {
        let asked = self.type_written_out(want, at.own);
        let args: Vec<Arg> = want.params.iter().map(TypeParam::arg).collect();
        let same = have.params.len() == want.params.len() && {
            let mut body = have.body.subst(&Subst::of(&have.params, &args));
            let exts = have.exts.iter().zip(&asked.exts).map(|(h, w)| (h.clone(), Size::Var(w.clone()))).collect();
            body = body.subst(&Subst { sizes: exts, ..Subst::default() });
            self.infer.unify(&asked.body, &body).is_ok()
        };
        if !same {
            let path = at.path;
            let asked = self.infer.shown(&asked.body);
            let message =
                format!("The type \"{path}{name}\" is {}, where the module type asks for {asked}.", have.body);
            self.bad_module(at.span, message);
        }
    }

    /// A value as a module type declares it.
    fn val(&self, name: &str, scheme: &Scheme) -> String {
        let params: String = scheme.params.iter().map(|p| format!(" {p}")).collect();
        format!("val {name}{params} : {}", self.infer.shown(&scheme.ty))
    }

    /// A value with the type that a module type gives it.
    fn matched_value(&mut self, name: &Name, have: &Value, want: &Scheme, at: View) -> Value {
        let span = at.span;
        let asked = self.scheme_written_out(want, at.own);
        self.infer.reset();
        for p in &want.params {
            if let TypeParam::Type(id, lifted) = p {
                self.infer.lifted.insert(id.clone(), *lifted);
            }
        }
        let mut e = self.reference(have, span);
        let before = self.infer.diagnostics.len();
        if let Err(m) = self.infer.unify(&asked.ty, &e.ty) {
            let mut d = self.infer.mismatch(&m, &asked.ty, &e.ty, span, "").here("");
            let found = match have {
                Value::Bound(_, scheme) | Value::Intrinsic(_, scheme) => (**scheme).clone(),
                _ => Scheme::mono(e.ty.clone()),
            };
            let name = format!("{}{name}", at.path);
            d.code = Code::BadModule;
            d.message = format!(
                "The value \"{name}\" does not have the type that the module type asks for.\nExpected: {}\nActual:   {}",
                self.val(&name, &asked),
                self.val(&name, &found)
            );
            if let Value::Bound(id, _) = have
                && self.infer.defaulted.contains(id)
            {
                let note = "Default types: its definition does not say what numbers it is for, so they are i32 or f64.";
                d = self.with_types(d.note(note), id, &asked.ty);
            }
            self.infer.error(d);
        }
        // the sizes of what its results never hold
        for m in self.infer.free(&self.infer.zonk(&e.ty)).1 {
            self.infer.solve_size(m, Size::Const(0));
        }
        let scheme = Arc::new(want.clone());
        let ok = self.infer.diagnostics.len() == before;
        finish::value(&mut self.infer, &mut e, !ok);
        // The same under the same parameters: no definition is needed.
        if let (ExprKind::Var(id, args), []) = (&e.kind, &want.params[..])
            && args.is_empty()
        {
            return Value::Bound(id.clone(), scheme);
        }
        let id = self.infer.global_id(name.clone());
        let def = Def {
            id: id.clone(),
            scheme: want.clone(),
            tparams: want.params.clone(),
            params: vec![],
            consumes: vec![],
            fresh: Some(Unique::No),
            body: typed_expr(e.kind, want.ty.clone(), span),
            // mutant: only of a definition with parameters is it asked, and this one has none
            recursive: false,
            // mutant: only definitions of the program are asked whether they are entry points
            entry: false,
            attrs: vec![],
            doc: None,
            span,
        };
        if ok {
            self.env.defs.insert(id.num, Arc::new(def));
        }
        Value::Bound(id, scheme)
    }
}

/// A module of which only the module type is known.
fn unknown_module(sig: Sig) -> Module {
    match sig {
        Sig::Plain(names, _) => Module::Plain(names),
        Sig::Arrow(scope, param, result) => Module::Functor(Arc::new(Functor {
            scope,
            param: *param,
            body: FunctorBody::Unknown(result),
            // mutant: what is wrong in the module type of the result has been said where it is written, and the same is not said twice
            in_error: false,
        })),
        Sig::Error => Module::Error,
    }
}

fn type_at(scope: &Scope, path: &[Name]) -> Option<TypeDef> {
    match path {
        [] => None,
        [name] => scope.types.get(name).cloned(),
        [name, rest @ ..] => match &**scope.modules.get(name)? {
            Module::Plain(inner) => type_at(inner, rest),
            Module::Functor(_) | Module::Error => None,
        },
    }
}

/// Where a module expression stands.
fn module_span(def: &ModExp) -> Span {
    match def {
        ModExp::Name(name) => name.span(),
        ModExp::Struct(_, span) => *span,
        ModExp::Import(path) => path.span,
        ModExp::Apply(f, arg) => module_span(f).to(module_span(arg)),
        ModExp::Ascribe(m, sig) => module_span(m).to(sig.span),
        ModExp::Lambda(param, _, body) => param.name.span.to(module_span(body)),
    }
}
