//! Inference for patterns.

use super::check::Checker;
use super::env::{Scope, Value};
use super::texp::unique;
use super::ty::*;
use super::typed::{self, ExprKind, PatKind};
use super::unify::Want;
use crate::diag::{Code, Diagnostic};
use crate::hash::{HashMap, HashSet};
use crate::source::Span;
use crate::syntax::ast::{self, PatKind as P};
use std::collections::BTreeMap;
use std::sync::Arc;

impl typed::Pat {
    /// The names that it binds, from left to right.
    pub fn names(&self) -> Vec<Id> {
        match &self.kind {
            PatKind::Name(id) => vec![id.clone()],
            PatKind::Wildcard | PatKind::Lit(_) => vec![],
            PatKind::Record(fields) => fields.iter().flat_map(|(_, p)| p.names()).collect(),
            PatKind::Constr(_, pats) => pats.iter().flat_map(typed::Pat::names).collect(),
        }
    }
}

/// The fields of a pattern of a record or tuple; a field alone binds its name.
fn fields(pat: &ast::Pat) -> Option<Vec<(ast::Ident, ast::Pat)>> {
    match &pat.kind {
        P::Tuple(pats) => {
            let ident = |(i, p): (usize, &ast::Pat)| (ast::Ident { name: label(i), span: p.span }, p.clone());
            Some(pats.iter().enumerate().map(ident).collect())
        }
        P::Record(fields) => {
            let own = |name: &ast::Ident| ast::Pat { kind: P::Name(name.name.clone()), span: name.span };
            Some(fields.iter().map(|(name, p)| (name.clone(), p.clone().unwrap_or_else(|| own(name)))).collect())
        }
        _ => None,
    }
}

/// The attributes in a pattern.
pub(super) fn attrs(pat: &ast::Pat) -> Vec<&ast::Attr> {
    match &pat.kind {
        P::Name(_) | P::Wildcard | P::Lit(_) => vec![],
        P::Tuple(pats) | P::Constr(_, pats) => pats.iter().flat_map(attrs).collect(),
        P::Record(fields) => fields.iter().filter_map(|(_, p)| p.as_ref()).flat_map(attrs).collect(),
        P::Typed(p, _) => attrs(p),
        P::Attr(attr, p) => std::iter::once(attr).chain(attrs(p)).collect(),
    }
}

/// The names that a pattern binds, and where.
pub(super) fn bound_names(pat: &ast::Pat) -> Vec<(Name, Span)> {
    match &pat.kind {
        P::Name(name) => vec![(name.clone(), pat.span)],
        P::Wildcard | P::Lit(_) => vec![],
        P::Tuple(_) | P::Record(_) => {
            fields(pat).unwrap_or_default().iter().flat_map(|(_, p)| bound_names(p)).collect()
        }
        P::Constr(_, pats) => pats.iter().flat_map(bound_names).collect(),
        P::Typed(p, _) | P::Attr(_, p) => bound_names(p),
    }
}

/// What the annotations of a pattern show to be no more than observed: a type that is not marked `*`.
pub(super) fn pattern_observed(pat: &ast::Pat) -> Unique {
    fn others(u: Unique) -> Unique {
        match u {
            Unique::No => Unique::Yes,
            Unique::Yes => Unique::No,
            Unique::Fields(fields) => {
                marked(fields.iter().map(|(name, u)| (name.clone(), others(u.clone()))).collect())
            }
        }
    }
    match &pat.kind {
        P::Typed(_, t) => others(unique(t)),
        P::Attr(_, p) => pattern_observed(p),
        P::Tuple(_) | P::Record(_) => {
            let parts = fields(pat).unwrap_or_default().into_iter().map(|(name, p)| (name.name, pattern_observed(&p)));
            marked(parts.collect())
        }
        P::Name(_) | P::Wildcard | P::Lit(_) | P::Constr(..) => Unique::No,
    }
}

/// What the annotations of a pattern mark with `*`.
pub(super) fn pattern_unique(pat: &ast::Pat) -> Unique {
    match &pat.kind {
        P::Typed(p, t) => match unique(t) {
            Unique::No => pattern_unique(p),
            some => some,
        },
        P::Attr(_, p) => pattern_unique(p),
        P::Tuple(_) | P::Record(_) => {
            let parts = fields(pat).unwrap_or_default().into_iter().map(|(name, p)| (name.name, pattern_unique(&p)));
            marked(parts.collect())
        }
        P::Name(_) | P::Wildcard | P::Lit(_) | P::Constr(..) => Unique::No,
    }
}

/// The marks of a record with these marks of its fields.
pub(super) fn marked(fields: Vec<(Name, Unique)>) -> Unique {
    if fields.iter().any(|(_, u)| u.any()) { Unique::Fields(fields.into()) } else { Unique::No }
}

impl Checker {
    /// Binds a pattern to a type; its names go into `scope`, at the current level.
    pub(super) fn pattern(&mut self, scope: &mut Scope, pat: &ast::Pat, ty: Type) -> typed::Pat {
        let mut names = HashSet::default();
        let outer = scope.clone();
        self.pattern_inner(&outer, scope, pat, ty, &mut names)
    }

    fn pattern_inner(
        &mut self,
        outer: &Scope,
        scope: &mut Scope,
        pat: &ast::Pat,
        ty: Type,
        names: &mut HashSet<Name>,
    ) -> typed::Pat {
        let span = pat.span;
        match &pat.kind {
            P::Name(name) => {
                if !names.insert(name.clone()) {
                    let message = format!("The name \"{name}\" is bound twice in one pattern.");
                    self.infer.error(Diagnostic::error(Code::DuplicateName, span, message));
                }
                let id = self.infer.fresh_id(name.clone());
                self.names.bind(&id, span);
                scope.bind(name.clone(), Value::Bound(id.clone(), Arc::new(Scheme::mono(ty.clone()))));
                typed::Pat { kind: PatKind::Name(id), ty, span }
            }
            P::Wildcard => typed::Pat { kind: PatKind::Wildcard, ty, span },
            P::Tuple(_) | P::Record(_) => {
                let fields = fields(pat).unwrap_or_default();
                self.distinct_fields(fields.iter().map(|(name, _)| name));
                let types = self.field_types(&fields, &ty, span);
                let mut typed = vec![];
                for ((name, pat), t) in fields.iter().zip(types) {
                    typed.push((name.name.clone(), self.pattern_inner(outer, scope, pat, t, names)));
                }
                typed::Pat { kind: PatKind::Record(typed), ty, span }
            }
            P::Typed(pat, t) => {
                let annotated = self.type_exp(outer, t);
                self.infer
                    .require(&annotated, &ty, span, || "The value does not have the type of its pattern.".to_string());
                self.pattern_inner(outer, scope, pat, annotated, names)
            }
            P::Attr(attr, pat) => {
                self.attr(scope, attr);
                self.pattern_inner(outer, scope, pat, ty, names)
            }
            P::Lit(e) => {
                let literal = self.expr(outer, e);
                let ExprKind::Lit(value) = literal.kind else {
                    return typed::Pat { kind: PatKind::Wildcard, ty: Type::Error, span };
                };
                let why = || "The value does not have the type of its pattern.".to_string();
                self.infer.require(&literal.ty, &ty, span, why);
                typed::Pat { kind: PatKind::Lit(value), ty, span }
            }
            P::Constr(name, pats) => {
                let types = self.constructor_types(name, pats.len(), &ty, span);
                let mut typed = vec![];
                for (pat, t) in pats.iter().zip(types) {
                    typed.push(self.pattern_inner(outer, scope, pat, t, names));
                }
                typed::Pat { kind: PatKind::Constr(name.name.clone(), typed), ty, span }
            }
        }
    }

    /// The types of the fields that a pattern takes from a value: all that there are.
    fn field_types(&mut self, fields: &[(ast::Ident, ast::Pat)], ty: &Type, span: Span) -> Vec<Type> {
        if let Type::Record(known) = self.infer.head(ty)
            && known.len() == fields.len()
        {
            let find = |(name, _): &(ast::Ident, _)| Some(known[field_position(&known, &name.name)?].1.clone());
            if let Some(types) = fields.iter().map(find).collect::<Option<Vec<Type>>>() {
                return types;
            }
        }
        let types: Vec<Type> = fields.iter().map(|_| self.infer.fresh_type()).collect();
        let names = fields.iter().map(|(name, _)| name.name.clone());
        let record = Type::record(names.zip(types.iter().cloned()).collect());
        self.infer.require(&record, ty, span, || "This pattern does not fit the value.".to_string());
        types
    }

    /// The types of what a constructor with so many parts holds in a value of type `ty`.
    pub(super) fn constructor_types(&mut self, name: &ast::Ident, parts: usize, ty: &Type, span: Span) -> Vec<Type> {
        if let Type::Sum(constructors) = self.infer.head(ty)
            && let Some((_, types)) = constructors.iter().find(|c| c.0 == name.name)
            && types.len() == parts
        {
            return types.clone();
        }
        let types: Vec<Type> = (0..parts).map(|_| self.infer.fresh_type()).collect();
        if let Type::Sum(_) = self.infer.head(ty) {
            self.no_constructor(name, parts, ty);
            return types;
        }
        let wanted = Want::Constructors(BTreeMap::from([(name.name.clone(), types.clone())]));
        let wanted = self.infer.fresh(wanted, ast::Lifted::Full);
        let why = || format!("The value must have a constructor \"#{}\" with {parts} parts.", name.name);
        self.infer.require(&wanted, ty, span, why);
        types
    }

    /// Complains about a field that is there twice.
    pub(super) fn distinct_fields<'a>(&mut self, names: impl Iterator<Item = &'a ast::Ident>) {
        let mut seen: HashMap<&Name, Span> = HashMap::default();
        for name in names {
            let first = *seen.entry(&name.name).or_insert(name.span);
            if first != name.span {
                let message = format!("The field \"{}\" is there twice.", name.name);
                let d = Diagnostic::error(Code::DuplicateName, name.span, message);
                self.infer.error(d.label(first, "first here"));
            }
        }
    }

    /// The type that a pattern's annotations give, before anything else is known.
    pub(super) fn pattern_type(&mut self, scope: &Scope, pat: &ast::Pat) -> Type {
        match &pat.kind {
            P::Typed(p, t) => {
                let ty = self.type_exp(scope, t);
                if !matches!(p.kind, P::Name(_) | P::Wildcard) {
                    let inner = self.pattern_type(scope, p);
                    let why = || "The type of this pattern is not that of its parts.".to_string();
                    self.infer.require(&inner, &ty, p.span, why);
                }
                ty
            }
            P::Tuple(_) | P::Record(_) => {
                let fields = fields(pat).unwrap_or_default();
                Type::record(fields.into_iter().map(|(name, p)| (name.name, self.pattern_type(scope, &p))).collect())
            }
            P::Attr(_, p) => self.pattern_type(scope, p),
            P::Name(_) | P::Wildcard | P::Lit(_) | P::Constr(..) => self.infer.fresh_type(),
        }
    }

    /// As [`Checker::pattern`], with the annotations already taken into account by `ty`.
    pub(super) fn bare_pattern(&mut self, scope: &mut Scope, pat: &ast::Pat, ty: Type) -> typed::Pat {
        fn strip(pat: &ast::Pat) -> ast::Pat {
            let kind = match &pat.kind {
                P::Typed(p, _) | P::Attr(_, p) => return strip(p),
                P::Tuple(pats) => P::Tuple(pats.iter().map(strip).collect()),
                P::Record(fields) => {
                    P::Record(fields.iter().map(|(name, p)| (name.clone(), p.as_ref().map(strip))).collect())
                }
                other => other.clone(),
            };
            ast::Pat { kind, span: pat.span }
        }
        self.pattern(scope, &strip(pat), ty)
    }
}
