//! What declared types and parameters must keep to: which types are lifted, which sizes can be read off a value, and that each name is bound once.

use super::check::Checker;
use super::env::Scope;
use super::pattern::bound_names;
use super::ty::*;
use crate::diag::{Code, Diagnostic};
use crate::hash::{HashMap, HashSet};
use crate::source::Span;
use crate::syntax::ast::{self, Lifted, TypeArg, TypeExp, TypeExpKind};

/// The sizes that a value of the type shows: the dimensions of arrays, but for those that only the functions in it take or give.
pub(super) fn shown_sizes(ty: &Type) -> Vec<Size> {
    fn look(ty: &Type, out: &mut Vec<Size>) {
        match ty {
            Type::Fun(_) => {}
            Type::Array(size, elem) => {
                out.push(size.clone());
                look(elem, out);
            }
            // what a module hides shows its own sizes (see `Checker::shows_sizes`), and perhaps nothing of its type arguments
            Type::Abstract(_, args) => args.iter().for_each(|arg| {
                if let Arg::Size(size) = arg {
                    out.push(size.clone());
                }
            }),
            _ => ty.parts(&mut |t| look(t, out)),
        }
    }
    let mut out = vec![];
    look(ty, &mut out);
    out
}

/// An unknown size of a function's result that a parameter has: nobody can call what has it.
pub(super) fn unknown_in_parameter(ty: &Type) -> Option<Id> {
    fn look(ty: &Type, unknown: &mut Vec<Id>) -> Option<Id> {
        match ty {
            Type::Fun(f) => {
                let names = size_names(&f.arg);
                if let Some(id) = unknown.iter().find(|id| names.contains(id)) {
                    return Some(id.clone());
                }
                let len = unknown.len();
                // a size that the result shows is one of it when the function in it is called
                let shown = shown_sizes(&f.ret);
                unknown.extend(f.exts.iter().filter(|id| !shown.contains(&Size::Var((*id).clone()))).cloned());
                let found = look(&f.ret, unknown);
                // mutant: names are unique: what stands beside a function type mentions none of those in it
                unknown.truncate(len);
                found
            }
            _ => {
                let mut found = None;
                ty.parts(&mut |t| found = found.take().or_else(|| look(t, unknown)));
                found
            }
        }
    }
    look(ty, &mut vec![])
}

impl Checker {
    /// How lifted a type is as it is written: what is declared of the names in it, whatever they stand for.
    pub(super) fn declared_lifted(&self, scope: &Scope, t: &TypeExp) -> Lifted {
        let all = |ts: &mut dyn Iterator<Item = &TypeExp>| {
            ts.map(|t| self.declared_lifted(scope, t)).max().unwrap_or_default()
        };
        match &t.kind {
            TypeExpKind::Name(name, args) => {
                let own = self.type_named(scope, name).map_or(Lifted::No, |def| def.lifted);
                let args = args.iter().filter_map(|arg| if let TypeArg::Type(t) = arg { Some(t) } else { None });
                own.max(all(&mut args.into_iter()))
            }
            TypeExpKind::Array(_, t) | TypeExpKind::Unique(t) => self.declared_lifted(scope, t),
            TypeExpKind::Exists(_, t) => self.declared_lifted(scope, t).max(Lifted::Size),
            TypeExpKind::Tuple(ts) => all(&mut ts.iter()),
            TypeExpKind::Record(fields) => all(&mut fields.iter().map(|(_, t)| t)),
            TypeExpKind::Sum(constructors) => all(&mut constructors.iter().flat_map(|(_, ts)| ts)),
            TypeExpKind::Fun(..) => Lifted::Full,
        }
    }

    /// Complains about a type that is more lifted than it may be where it stands.
    pub(super) fn at_most(&mut self, scope: &Scope, t: &TypeExp, most: Lifted, place: &str) {
        let lifted = self.declared_lifted(scope, t);
        if lifted > most {
            let (what, code) = match lifted {
                Lifted::Full => ("lifted", Code::FunctionNotAllowed),
                _ => ("size-lifted", Code::BadSize),
            };
            let text = super::apply::shown(&self.sources, t.span);
            let message = format!("{place} may not contain size-lifted or lifted types, but \"{text}\" is {what}.");
            let d = Diagnostic::error(code, t.span, message);
            self.infer.error(
                d.note("A type declared with `type~` may have unknown sizes; one declared with `type^`, functions."),
            );
        }
    }

    /// Complains about a type that hides sizes that its values do not show.
    pub(super) fn shows_sizes(&mut self, name: &str, params: &[TypeParam], body: &Type, span: Span) {
        let shown = shown_sizes(body);
        for param in params {
            if let TypeParam::Size(id) = param
                && !shown.contains(&Size::Var(id.clone()))
            {
                let message = format!(
                    "The type \"{name}\" cannot be made abstract: its size parameter \"{id}\" is not used constructively."
                );
                let d = Diagnostic::error(Code::BadSize, span, message);
                self.infer.error(d.note("It must be a dimension of an array, by itself, so that each value shows it."));
            }
        }
    }

    /// Each name is bound once in the parameters of a function, sizes included; twice in one pattern, the pattern complains.
    pub(super) fn distinct_params(&mut self, tparams: &[ast::TypeParam], params: &[ast::Pat]) {
        let mut seen: HashMap<Name, Span> = HashMap::default();
        for p in tparams {
            if let ast::TypeParam::Size(name) = p {
                seen.entry(name.name.clone()).or_insert(name.span);
            }
        }
        for p in params {
            let names = bound_names(p);
            for (name, span) in &names {
                if let Some(first) = seen.get(name) {
                    self.bound_twice(name, *span, *first);
                }
            }
            for (name, span) in names {
                seen.entry(name).or_insert(span);
            }
        }
    }

    pub(super) fn bound_twice(&mut self, name: &Name, span: Span, first: Span) {
        let d = Diagnostic::error(Code::DuplicateName, span, format!("The name \"{name}\" is bound twice."));
        self.infer.error(d.here("bound again here").label(first, "first bound here"));
    }

    /// A declared result, or parameter, may name whole parameters only, none of the names inside of the patterns before it.
    pub(super) fn names_whole_params(&mut self, inner: &HashSet<Id>, ty: &Type, what: &str, span: Span) {
        let mut named: Vec<Id> = size_names(ty).into_iter().filter(|id| inner.contains(id)).collect();
        named.sort_by_key(|id| id.num);
        for id in named {
            let message = format!(
                "The type of {what} refers to \"{id}\", which is bound to an inner component of a function parameter."
            );
            self.infer.error(Diagnostic::error(Code::SizeEscapes, span, message));
        }
    }

    /// A size may be computed again and again: it consumes nothing.
    pub(super) fn consumes_nothing(&mut self, e: &super::typed::Expr) {
        if let super::typed::ExprKind::Apply(f, args, _) = &e.kind {
            let mut ty = self.infer.head(&f.ty);
            for arg in args {
                let Type::Fun(fun) = &ty else { break };
                let named = matches!(arg.kind, super::typed::ExprKind::Var(..) | super::typed::ExprKind::Project(..));
                if named && fun.consumes.any() {
                    let text = super::apply::shown(&self.sources, arg.span);
                    let message =
                        format!("Consuming \"{text}\", which is not consumable: a size may not consume anything.");
                    self.infer.error(Diagnostic::error(Code::NotConsumable, arg.span, message));
                }
                ty = self.infer.head(&fun.ret);
            }
        }
        super::causality::children(e, &mut |e| self.consumes_nothing(e));
    }

    /// What the type of a function must be for others to use it: the sizes that it declares are in its type, and no parameter has an unknown one.
    pub(super) fn usable(&mut self, name: &Id, declared: &[TypeParam], ty: &Type, span: Span) {
        let names = size_names(ty);
        for p in declared {
            if let TypeParam::Size(id) = p
                && !names.contains(id)
            {
                let message = format!("Cannot generalise the type of \"{name}\": the size [{id}] is not used in it.");
                self.infer.error(Diagnostic::error(Code::AmbiguousSize, span, message));
            }
        }
        if let Some(id) = unknown_in_parameter(ty) {
            let message =
                format!("Cannot generalise the type of \"{name}\": unknown size \"{id}\" in a parameter, {ty}.");
            self.infer.error(Diagnostic::error(Code::SizeEscapes, span, message));
        }
    }
}
