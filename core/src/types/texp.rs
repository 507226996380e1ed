//! From types as written to types.

use super::check::Checker;
use super::declared::shown_sizes;
use super::env::{Module, Scope, TypeDef, Value};
use super::hint::other_type;
use super::pattern::marked;
use super::ty::*;
use crate::diag::{Code, Diagnostic};
use crate::hash::HashSet;
use crate::source::Span;
use crate::syntax::ast::{self, Lifted, TypeArg, TypeExp, TypeExpKind};
use std::sync::Arc;

/// What of a type is marked `*`.
pub(super) fn unique(t: &TypeExp) -> Unique {
    match &t.kind {
        TypeExpKind::Unique(_) => Unique::Yes,
        TypeExpKind::Tuple(ts) => marked(ts.iter().enumerate().map(|(i, t)| (label(i), unique(t))).collect()),
        TypeExpKind::Record(fields) => marked(fields.iter().map(|(name, t)| (name.name.clone(), unique(t))).collect()),
        TypeExpKind::Exists(_, t) => unique(t),
        // a sum is taken as a whole
        TypeExpKind::Sum(constructors) => {
            let any = constructors.iter().flat_map(|(_, ts)| ts).any(|t| unique(t).any());
            if any { Unique::Yes } else { Unique::No }
        }
        TypeExpKind::Name(..) | TypeExpKind::Array(..) | TypeExpKind::Fun(..) => Unique::No,
    }
}

/// As many as Futhark has.
const MOST_CONSTRUCTORS: usize = 255;

impl Checker {
    /// The type that an expression stands for. Sizes left open (`[]`) become variables of inference.
    pub(super) fn type_exp(&mut self, scope: &Scope, t: &TypeExp) -> Type {
        let ty = stacker::maybe_grow(64 << 10, 1 << 20, || self.type_exp_inner(scope, t));
        match t.kind {
            // a name without arguments is no new type
            TypeExpKind::Name(_, ref args) if args.is_empty() => self.infer.budget.take(1, "the types in it", t.span),
            _ => self.weigh(&ty, t.span),
        }
        ty
    }

    fn type_exp_inner(&mut self, scope: &Scope, t: &TypeExp) -> Type {
        match &t.kind {
            TypeExpKind::Name(name, args) => self.named_type(scope, name, args, t.span),
            TypeExpKind::Array(size, elem) => {
                let size = self.size_exp(scope, size.as_deref(), t.span);
                let elem_ty = self.type_exp(scope, elem);
                if self.infer.contains_lifted(&elem_ty, Lifted::Size) {
                    let text = super::apply::shown(&self.sources, elem.span);
                    return self.lifted_array(&text, &elem_ty, elem.span);
                }
                self.at_most(scope, elem, Lifted::No, "An array");
                Type::array(size, elem_ty)
            }
            TypeExpKind::Tuple(types) => Type::tuple(types.iter().map(|t| self.type_exp(scope, t)).collect()),
            TypeExpKind::Record(fields) => {
                self.distinct_fields(fields.iter().map(|(name, _)| name));
                Type::record(fields.iter().map(|(name, t)| (name.name.clone(), self.type_exp(scope, t))).collect())
            }
            TypeExpKind::Sum(constructors) => {
                let mut all: Vec<(Name, Vec<Type>)> = vec![];
                let mut names: HashSet<&Name> = HashSet::default();
                for (name, types) in constructors {
                    if !names.insert(&name.name) {
                        let message = format!("The constructor \"#{}\" is there twice.", name.name);
                        self.infer.error(Diagnostic::error(Code::DuplicateName, name.span, message));
                    }
                    all.push((name.name.clone(), types.iter().map(|t| self.type_exp(scope, t)).collect()));
                }
                if all.len() > MOST_CONSTRUCTORS {
                    let message =
                        format!("A sum type has at most {MOST_CONSTRUCTORS} constructors, and this has {}.", all.len());
                    self.infer.error(Diagnostic::error(Code::BadTypeArguments, t.span, message));
                    return Type::Error;
                }
                Type::sum(all)
            }
            // What is marked, [`unique`] says.
            TypeExpKind::Unique(t) => self.type_exp(scope, t),
            TypeExpKind::Fun(param, arg, ret) => {
                let (consumes, fresh) = (unique(arg), unique(ret));
                let arg = self.type_exp(scope, arg);
                let mut inner = scope.clone();
                let id = param.as_ref().map(|param| {
                    if let Some(again) = param_named(ret, &param.name) {
                        self.bound_twice(&param.name, again, param.span);
                    }
                    let id = self.infer.fresh_id(param.name.clone());
                    let scheme = Arc::new(Scheme::mono(arg.clone()));
                    inner.bind(param.name.clone(), Value::Bound(id.clone(), scheme));
                    id
                });
                let (ret, exts) = self.returned_type(&inner, ret);
                let names = size_names(&ret);
                let param = id.filter(|id| names.contains(id));
                Type::Fun(Arc::new(FunType { param, arg, consumes, exts, ret, fresh }))
            }
            TypeExpKind::Exists(names, body) => {
                let mut inner = scope.clone();
                let mut subst = Subst::default();
                for name in names {
                    let id = self.infer.fresh_id(name.name.clone());
                    subst.sizes.insert(id.clone(), self.infer.fresh_size(name.span, name.name.clone()));
                    inner.bind(name.name.clone(), Value::Bound(id, Arc::new(Scheme::mono(Type::I64))));
                }
                let ty = self.type_exp(&inner, body);
                let shown = shown_sizes(&ty);
                let mut hidden = false;
                for name in names {
                    let id = subst.sizes.keys().find(|id| id.name == name.name).cloned();
                    // mutant: the names have just been put there
                    if id.is_some_and(|id| !shown.contains(&Size::Var(id))) {
                        hidden = true;
                        let message =
                            format!("Existential size \"{}\" is not used as the size of an array.", name.name);
                        let d = Diagnostic::error(Code::BadSize, name.span, message);
                        self.infer.error(d.note(
                            "It must be a dimension by itself, and not only in what a function takes or returns.",
                        ));
                    }
                }
                if hidden { Type::Error } else { ty.subst(&subst) }
            }
        }
    }

    /// The type of a function's result where no body says more: the sizes that it leaves open are known only after a call.
    pub(super) fn returned_type(&mut self, scope: &Scope, t: &TypeExp) -> (Type, Vec<Id>) {
        let ty = self.type_exp(scope, t);
        // those of the type itself: a function in it has its own
        if let Type::Fun(_) = ty {
            return (ty, vec![]);
        }
        let mut open = vec![];
        self.infer.zonk(&ty).sizes(&mut |size| {
            size.metas(&mut |m| {
                if !open.contains(&m) {
                    open.push(m)
                }
            })
        });
        let mut exts = vec![];
        for m in open {
            let id = self.infer.fresh_id(self.infer.size_origin(m).1.clone());
            self.infer.solve_size(m, Size::Var(id.clone()));
            exts.push(id);
        }
        (self.infer.zonk(&ty), exts)
    }

    /// A size between brackets.
    fn size_exp(&mut self, scope: &Scope, size: Option<&ast::Expr>, span: Span) -> Size {
        let Some(e) = size else { return self.infer.fresh_size(span, "n") };
        let errors = self.infer.diagnostics.len();
        let typed = self.expr(scope, e);
        self.undeclared_size(e, errors);
        self.consumes_nothing(&typed);
        self.require(&Type::I64, &typed, || "A size must be an i64.".to_string());
        self.size_of(&typed).unwrap_or_else(|| {
            if self.infer.diagnostics.len() == errors {
                let message = "This cannot be used as a size: an expression that binds names, or is too long, has no fixed value.";
                self.infer.error(Diagnostic::error(Code::BadSize, e.span, message));
            }
            self.infer.fresh_size(e.span, "n")
        })
    }

    fn named_type(&mut self, scope: &Scope, name: &ast::QualName, args: &[TypeArg], span: Span) -> Type {
        let Some(inner) = self.module_scope(scope, &name.quals) else { return Type::Error };
        let Some(TypeDef { params, exts, body, .. }) = inner.types.get(&name.base.name).cloned() else {
            let d = Diagnostic::error(Code::UnknownType, name.span(), format!("Unknown type \"{}\".", name.text()));
            let d = match other_type(&name.base.name).filter(|_| name.quals.is_empty()) {
                Some(other) => d.hint(format!("did you mean \"{other}\"?")).edit(name.span(), other),
                None => self.infer.suggest(d, (&name.modules(), &name.base.name), inner.types.keys().map(|k| &**k)),
            };
            self.infer.error(d);
            return Type::Error;
        };
        if params.len() != args.len() && body != Type::Error {
            let message =
                format!("Type \"{}\" takes {} arguments, but is given {}.", name.text(), params.len(), args.len());
            let d = Diagnostic::error(Code::BadTypeArguments, span, message);
            let sizes: Vec<&str> = args
                .iter()
                .filter_map(|arg| match arg {
                    TypeArg::Size(_, span) => Some(self.sources.text(*span)),
                    TypeArg::Type(_) => None,
                })
                .collect();
            // `f64[n]` is `[n]f64`
            let array = format!("{}{}", sizes.concat(), name.text());
            let is_array = params.is_empty() && sizes.len() == args.len();
            self.infer.error(if is_array { d.hint(format!("write `{array}`.")).edit(span, array) } else { d });
            return Type::Error;
        }
        let mut subst = Subst::default();
        for ext in exts {
            let size = self.infer.fresh_size(span, ext.name.clone());
            subst.sizes.insert(ext, size);
        }
        for (param, arg) in params.iter().zip(args) {
            match (param, arg) {
                (TypeParam::Size(id), TypeArg::Size(size, span)) => {
                    let size = self.size_exp(scope, size.as_deref(), *span);
                    subst.sizes.insert(id.clone(), size);
                }
                (TypeParam::Type(id, _), TypeArg::Type(arg)) => {
                    // it may be lifted, as for 0.25.32, unless the type has arrays of it: so is the whole then (`declared_lifted`)
                    subst.types.insert(id.clone(), self.type_exp(scope, arg));
                }
                (TypeParam::Size(id), TypeArg::Type(t)) => {
                    let message = format!("The argument for \"{id}\" must be a size in brackets.");
                    self.infer.error(Diagnostic::error(Code::BadTypeArguments, t.span, message));
                    return Type::Error;
                }
                (TypeParam::Type(id, _), TypeArg::Size(_, span)) => {
                    let message = format!("The argument for \"{id}\" must be a type.");
                    self.infer.error(Diagnostic::error(Code::BadTypeArguments, *span, message));
                    return Type::Error;
                }
            }
        }
        let ty = body.subst(&subst);
        let most = self.infer.budget.most();
        // of what is too large the caller will say so
        if args.is_empty() || self.infer.nodes(&ty, most) > most {
            return ty;
        }
        match self.lifted_elements(&ty) {
            Some(elem) => self.lifted_array(&elem.to_string(), &elem, span),
            None => ty,
        }
    }

    /// The type of the elements of an array in a type whose elements could have functions or unknown sizes.
    fn lifted_elements(&self, ty: &Type) -> Option<Type> {
        if let Type::Array(_, elem) = ty
            && self.infer.contains_lifted(elem, Lifted::Size)
        {
            return Some((**elem).clone());
        }
        let mut found = None;
        ty.parts(&mut |t| found = found.take().or_else(|| self.lifted_elements(t)));
        found
    }

    /// Complains about an array of this type, which could have functions or unknown sizes.
    fn lifted_array(&mut self, shown: &str, elem: &Type, span: Span) -> Type {
        let what = if self.infer.contains_function(elem) { "contain functions" } else { "have unknown sizes" };
        let message = format!("Cannot create array: a value of its element type \"{shown}\" might {what}.");
        self.infer.error(Diagnostic::error(Code::FunctionNotAllowed, span, message));
        Type::Error
    }

    /// What the name of a type means, if it means something.
    pub(super) fn type_named(&self, scope: &Scope, name: &ast::QualName) -> Option<TypeDef> {
        let mut scope = scope.clone();
        for qual in &name.quals {
            let module = scope.modules.get(&qual.name)?.clone();
            let Module::Plain(inner) = &*module else { return None };
            scope = inner.clone();
        }
        scope.types.get(&name.base.name).cloned()
    }

    /// The scope of a module, or the scope itself if no module is named.
    pub(super) fn module_scope(&mut self, scope: &Scope, quals: &[ast::Ident]) -> Option<Scope> {
        let Some((last, outer)) = quals.split_last() else { return Some(scope.clone()) };
        let outer = self.module_scope(scope, outer)?;
        match &*self.module_named(&outer, last)? {
            Module::Plain(scope) => Some(scope.clone()),
            Module::Error => None,
            Module::Functor(_) => {
                let message = format!("The module \"{}\" takes a parameter; it has no names of its own.", last.name);
                self.infer.error(Diagnostic::error(Code::BadModule, last.span, message));
                None
            }
        }
    }

    /// The module of that name.
    pub(super) fn module_named(&mut self, scope: &Scope, name: &ast::Ident) -> Option<Arc<Module>> {
        if let Some(module) = scope.modules.get(&name.name) {
            return Some(module.clone());
        }
        let d = Diagnostic::error(Code::UnknownModule, name.span, format!("Unknown module \"{}\".", name.name));
        let d = self.infer.suggest(d, ("", &name.name), scope.modules.keys().map(|k| &**k));
        self.infer.error(d);
        None
    }

    /// Brings type parameters into scope.
    pub(super) fn type_params(&mut self, scope: &mut Scope, params: &[ast::TypeParam]) -> Vec<TypeParam> {
        let mut result: Vec<TypeParam> = vec![];
        for p in params {
            let name = p.ident();
            if result.iter().any(|p| p.id().name == name.name) {
                let message = format!("The parameter \"{}\" is declared twice.", name.name);
                self.infer.error(Diagnostic::error(Code::DuplicateName, name.span, message));
            }
            let id = self.infer.fresh_id(name.name.clone());
            result.push(match p {
                ast::TypeParam::Size(_) => {
                    let scheme = Arc::new(Scheme::mono(Type::I64));
                    scope.bind(name.name.clone(), Value::Bound(id.clone(), scheme));
                    TypeParam::Size(id)
                }
                ast::TypeParam::Type { lifted, .. } => {
                    let body = Type::Var(id.clone());
                    let def = TypeDef { params: vec![], exts: vec![], body, lifted: *lifted, order: 0 };
                    scope.types.insert(name.name.clone(), def);
                    self.infer.lifted.insert(id.clone(), *lifted);
                    TypeParam::Type(id, *lifted)
                }
            });
        }
        result
    }
}

/// Where a function type names a parameter so, be it one that its result takes.
fn param_named(t: &TypeExp, name: &str) -> Option<Span> {
    match &t.kind {
        TypeExpKind::Fun(param, _, ret) => {
            let own = param.as_ref().filter(|p| *p.name == *name).map(|p| p.span);
            own.or_else(|| param_named(ret, name))
        }
        _ => None,
    }
}
