//! Inference for expressions: each becomes its typed form.

use super::check::Checker;
use super::env::{Scope, Value};
use super::parts::record;
use super::pattern;
use super::ty::*;
use super::typed::{self, Apply, ExprKind, Literal, Operator, PatKind, Step, StepKind};
use super::unify::{ScalarSet, Want};
use crate::budget::HEAVY;
use crate::diag::{Code, Diagnostic};
use crate::prim::{CmpOp, ScalarType};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as E, Lifted};
use crate::syntax::token::wrapped;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) type T = typed::Expr;

pub(super) fn typed_expr(kind: ExprKind, ty: Type, span: Span) -> T {
    T { kind, ty, span }
}

/// Whether an expression's type may be larger than those of its parts: of others, the type is not counted, so that a program which only takes apart what it has
/// is counted in linear time.
fn makes_type(e: &ast::Expr) -> bool {
    match &e.kind {
        E::Tuple(_) | E::Record(_) | E::Constr(..) | E::Array(_) | E::Apply(..) | E::Chain(..) => true,
        E::Lambda(..) | E::SectionLeft(..) | E::SectionRight(..) | E::Loop(_) => true,
        E::Range { .. } | E::Ascribe(..) | E::Coerce(..) | E::Index(..) => true,
        E::Int(..) | E::Float(..) | E::Bool(_) | E::Str(_) | E::Var(_) | E::Hole | E::Op(_) | E::Paren(_) => false,
        E::Match(..) | E::If(..) | E::Block(..) | E::OpenIn(..) | E::Attr(..) | E::Assert(..) => false,
        E::Project(..) | E::Update(..) | E::Negate(_) | E::Not(_) | E::SectionPath(_) => false,
    }
}

/// A function without a declared result.
pub(super) fn lambda(params: Vec<typed::Pat>, body: T, ty: Type, span: Span) -> T {
    let consumes = vec![Unique::No; params.len()];
    typed_expr(ExprKind::Lambda(Arc::new(typed::Lambda { params, consumes, fresh: None, body })), ty, span)
}

impl Checker {
    pub(super) fn bad(&mut self, code: Code, span: Span, message: impl Into<String>) -> T {
        self.infer.error(Diagnostic::error(code, span, message));
        typed_expr(ExprKind::Error, Type::Error, span)
    }

    pub(super) fn ints() -> ScalarSet {
        ScalarSet::of(ScalarType::ALL.into_iter().filter(|t| t.is_int()))
    }

    /// What arrays are indexed by.
    pub(super) fn signed_ints() -> ScalarSet {
        ScalarSet::of(ScalarType::ALL.into_iter().filter(|t| t.is_int() && !t.is_unsigned()))
    }

    /// The typed form of an expression.
    pub(super) fn expr(&mut self, scope: &Scope, e: &ast::Expr) -> T {
        self.infer.budget.take(HEAVY, "the expressions in it, again at each use of a module,", e.span);
        let typed = stacker::maybe_grow(256 << 10, 4 << 20, || self.expr_inner(scope, e));
        if makes_type(e) {
            self.weigh(&typed.ty, e.span);
        }
        typed
    }

    fn expr_inner(&mut self, scope: &Scope, e: &ast::Expr) -> T {
        let span = e.span;
        match &e.kind {
            E::Int(n, suffix) => self.literal(Literal::Int(*n), suffix.as_deref(), span),
            E::Float(x, suffix) => self.literal(Literal::Float(*x), suffix.as_deref(), span),
            E::Bool(b) => typed_expr(ExprKind::Lit(Literal::Bool(*b)), Type::BOOL, span),
            E::Var(name) => self.variable(scope, name, span),
            E::Paren(e) => T { span, ..self.expr(scope, e) },
            E::Tuple(es) => {
                let es = es.iter().enumerate().map(|(i, e)| (label(i), self.expr(scope, e))).collect();
                record(es, span)
            }
            E::Record(fields) => self.record(scope, fields, span),
            E::Constr(name, args) => {
                let args: Vec<T> = args.iter().map(|e| self.expr(scope, e)).collect();
                let types = args.iter().map(|e| e.ty.clone()).collect();
                let wanted = Want::Constructors(BTreeMap::from([(name.name.clone(), types)]));
                let ty = self.infer.fresh(wanted, Lifted::Full);
                typed_expr(ExprKind::Constr(name.name.clone(), args), ty, span)
            }
            E::Match(value, cases) => self.match_(scope, value, cases, span),
            E::Update(e, path, value) => {
                let e = self.expr(scope, e);
                self.update(scope, e, path, value, span)
            }
            E::Assert(condition, e) => {
                let condition = self.expr(scope, condition);
                self.require(&Type::BOOL, &condition, || "What is asserted must be a truth value.".to_string());
                let e = self.expr(scope, e);
                let ty = e.ty.clone();
                typed_expr(ExprKind::Assert(Box::new(condition), Box::new(e)), ty, span)
            }
            E::Hole => {
                let ty = self.infer.fresh_type();
                typed_expr(ExprKind::Hole(vec![]), ty, span)
            }
            E::Array(es) => {
                let elem = self.infer.fresh(Want::Anything, Lifted::No);
                let es: Vec<T> = es.iter().map(|e| self.expr(scope, e)).collect();
                for e in &es {
                    self.require(&elem, e, || "The elements of an array must have one type.".to_string());
                }
                let ty = Type::array(Size::Const(es.len() as i64), elem);
                typed_expr(ExprKind::Array(es), ty, span)
            }
            E::Str(text) => {
                let byte = |b: &u8| {
                    let byte = Literal::Int(i128::from(*b));
                    typed_expr(ExprKind::Lit(byte), Type::Scalar(ScalarType::U8), span)
                };
                let bytes: Vec<T> = text.as_bytes().iter().map(byte).collect();
                let ty = Type::array(Size::Const(bytes.len() as i64), Type::Scalar(ScalarType::U8));
                typed_expr(ExprKind::Array(bytes), ty, span)
            }
            E::Project(..) => self.projection(scope, e),
            E::Index(array, indices) => self.index(scope, array, indices, span),
            E::OpenIn(module, body) => {
                let Some(quals) = module_path(module) else {
                    return self.bad(Code::UnknownModule, module.span, "Only a module can be opened.");
                };
                let Some(inner) = self.module_scope(scope, &quals) else {
                    return typed_expr(ExprKind::Error, Type::Error, span);
                };
                let scope = scope.open(&inner);
                T { span, ..self.expr(&scope, body) }
            }
            E::Apply(f, args) => self.application(scope, f, args, span),
            E::Chain(first, rest) => self.chain(scope, first, rest, span),
            E::Negate(e) => {
                // The sign of a literal belongs to it: -2147483648 is an i32. Of a number of a type that is known it is the negation: -1u8 is 255u8.
                let inner = self.expr(scope, e);
                match inner.kind {
                    ExprKind::Lit(Literal::Int(n)) => {
                        let negated = match inner.ty {
                            Type::Scalar(t) if Literal::Int(n).at(t).is_some() => wrapped(-n, Some(t.name())),
                            _ => -n,
                        };
                        T { kind: ExprKind::Lit(Literal::Int(negated)), span, ..inner }
                    }
                    ExprKind::Lit(Literal::Float(x)) => T { kind: ExprKind::Lit(Literal::Float(-x)), span, ..inner },
                    _ => self.unary(Operator::Neg, inner, span),
                }
            }
            E::Not(e) => {
                let inner = self.expr(scope, e);
                self.unary(Operator::Not, inner, span)
            }
            E::Op(op) => self.operator(scope, op),
            E::SectionLeft(e, op) => {
                let x = self.expr(scope, e);
                let op = self.operator(scope, op);
                self.apply(op, vec![(x, e.span)], span)
            }
            E::SectionRight(op, e) => self.section_right(scope, op, e, span),
            E::SectionPath(path) => self.section_path(scope, path, span),
            E::Lambda(params, ret, body) => {
                self.distinct_params(&[], params);
                let def = self.function(scope, params, ret.as_ref(), body);
                let (params, body) = (def.params, def.body);
                let lambda = typed::Lambda { params, consumes: def.consumes, fresh: def.fresh, body };
                typed_expr(ExprKind::Lambda(Arc::new(lambda)), def.ty, span)
            }
            E::If(branches, other) => self.branches(scope, branches, other, span),
            E::Block(bindings, body) => self.block(scope, bindings, body, span),
            E::Loop(l) => {
                let carried = self.loop_(scope, l, span);
                // what is said of a part of the state is said of the loop
                pattern::attrs(&l.pat).into_iter().fold(carried, |inner, attr| {
                    let ty = inner.ty.clone();
                    typed_expr(ExprKind::Attr(attr.clone(), Box::new(inner)), ty, span)
                })
            }
            E::Range { first, second, kind, end } => self.range(scope, first, second.as_deref(), *kind, end, span),
            E::Ascribe(e, t) => {
                let ty = self.type_exp(scope, t);
                let inner = self.expr(scope, e);
                let why = || "Expression does not have expected type from explicit ascription.".to_string();
                self.require(&ty, &T { span: e.span, ..inner.clone() }, why);
                T { ty, span, ..inner }
            }
            E::Coerce(e, t) => {
                let inner = self.expr(scope, e);
                let ty = self.type_exp(scope, t);
                let absent = self.absent(&inner.ty, &ty);
                if let Err(m) = self.infer.unify_shapes(&ty, &inner.ty, inner.span) {
                    let d = self.infer.mismatch(&m, &ty, &inner.ty, span, "A size coercion can change sizes only.");
                    self.infer.error(d);
                }
                // What the type leaves open is as it is.
                let (was, now) = (self.infer.zonk(&inner.ty), self.infer.zonk(&ty));
                // What no value holds is as small as can be, where nothing else determines it.
                for (was, now) in held_by(&was, &absent).into_iter().zip(held_by(&now, &absent)) {
                    if let (Size::Meta(was), Size::Meta(now)) = (self.infer.size(&was), self.infer.size(&now)) {
                        self.infer.of_absent.extend([was, now]);
                    }
                }
                let (mut old, mut new) = (vec![], vec![]);
                was.sizes(&mut |s| old.push(s.clone()));
                now.sizes(&mut |s| new.push(s.clone()));
                if old.len() == new.len() {
                    for (old, new) in old.iter().zip(&new) {
                        if matches!(new, Size::Meta(_)) {
                            let _ = self.infer.unify_sizes(new, old);
                        }
                    }
                }
                typed_expr(ExprKind::Coerce(Box::new(inner)), ty, span)
            }
            E::Attr(attr, e) => {
                self.attr(scope, attr);
                let inner = self.expr(scope, e);
                let ty = inner.ty.clone();
                let kind = match &*attr.name == "break" && attr.args.is_empty() {
                    true => ExprKind::Break(self.locals(scope), Box::new(inner)),
                    false => ExprKind::Attr(attr.clone(), Box::new(inner)),
                };
                typed_expr(kind, ty, span)
            }
        }
    }

    fn literal(&mut self, value: Literal, suffix: Option<&str>, span: Span) -> T {
        let ty = match suffix {
            Some(s) => match ScalarType::from_name(s) {
                Some(t) => Type::Scalar(t),
                None => {
                    return self.bad(Code::UnknownType, span, format!("There is no type \"{s}\" of numbers."));
                }
            },
            None => {
                let float = matches!(value, Literal::Float(_));
                self.infer.fresh_scalar(ScalarSet::of(
                    ScalarType::ALL.into_iter().filter(|t| t.is_float() || (t.is_int() && !float)),
                ))
            }
        };
        typed_expr(ExprKind::Lit(value), ty, span)
    }

    /// A reference to what a name means.
    pub(super) fn reference(&mut self, value: &Value, span: Span) -> T {
        match value {
            Value::Bound(id, scheme) => {
                self.names.refer(id);
                let (ty, args, exts) = self.instantiate(scheme, &id.name, span);
                let var = typed_expr(ExprKind::Var(id.clone(), args), ty.clone(), span);
                if exts.is_empty() {
                    return var;
                }
                // Those of them that are constants have one name at all uses (`Checker::sizes_of_constant`).
                let mut own = Subst::default();
                for (ext, name) in scheme.exts.iter().zip(&exts) {
                    if self.env.def(ext).is_some() {
                        let origin = self.infer.origins.get(name).cloned();
                        self.infer.origins.extend(origin.map(|origin| (ext.clone(), origin)));
                    } else {
                        own.sizes.insert(ext.clone(), Size::Var(name.clone()));
                    }
                }
                let apply = Apply { arg_sizes: vec![], exts };
                let value = typed_expr(ExprKind::Apply(Box::new(var), vec![], apply), ty, span);
                match own.sizes.len() == scheme.exts.len() {
                    true => value,
                    false => typed_expr(ExprKind::Coerce(Box::new(value)), scheme.ty.subst(&own), span),
                }
            }
            Value::Intrinsic(i, scheme) => {
                let (ty, args, _) = self.instantiate(scheme, "intrinsic", span);
                typed_expr(ExprKind::Intrinsic(*i, args), ty, span)
            }
            Value::Prim(prim) => {
                let (args, ret) = prim.signature().unwrap_or((vec![], ScalarType::Bool));
                let ty = args.into_iter().rev().fold(Type::Scalar(ret), |ret, t| Type::fun(Type::Scalar(t), ret));
                typed_expr(ExprKind::Prim(*prim), ty, span)
            }
            Value::Op(op) => {
                let t = self.operand_type(*op);
                let ret = if op.is_comparison() { Type::BOOL } else { t.clone() };
                let ty = (0..op.arity()).fold(ret, |ret, _| Type::fun(t.clone(), ret));
                typed_expr(ExprKind::Op(*op, t), ty, span)
            }
            Value::And | Value::Or => {
                let (a, x) = self.local("a", span);
                let (b, y) = self.local("b", span);
                // mutant: both are booleans
                for p in [&a, &b] {
                    let _ = self.infer.unify(&p.ty, &Type::BOOL);
                }
                let kind = if matches!(value, Value::And) { StepKind::And(y) } else { StepKind::Or(y) };
                let step = Step { kind, ty: Type::BOOL, span };
                let body = typed_expr(ExprKind::Chain(Box::new(x), vec![step]), Type::BOOL, span);
                let ty = Type::fun(Type::BOOL, Type::fun(Type::BOOL, Type::BOOL));
                // mutant: a function's arguments are evaluated before it is called: then both operators are symmetric
                lambda(vec![a, b], body, ty, span)
            }
        }
    }

    /// The same of a name that the program writes. One that begins with an underscore says that it is not used.
    fn used(&mut self, value: &Value, name: &str, span: Span) -> T {
        if name.starts_with('_') {
            let message = format!("Use of \"{name}\": variables prefixed with underscore may not be accessed.");
            self.infer.error(Diagnostic::error(Code::UnknownName, span, message));
        }
        self.reference(value, span)
    }

    fn instantiate(&mut self, scheme: &Scheme, name: &str, span: Span) -> (Type, Vec<Arg>, Vec<Id>) {
        let mut subst = Subst::default();
        let args = (scheme.params.iter())
            .map(|p| match p {
                TypeParam::Size(id) => {
                    let size = self.infer.fresh_size(span, id.name.clone());
                    subst.sizes.insert(id.clone(), size.clone());
                    Arg::Size(size)
                }
                TypeParam::Type(id, lifted) => {
                    let ty = self.infer.fresh_instance(*lifted);
                    subst.types.insert(id.clone(), ty.clone());
                    Arg::Type(ty)
                }
            })
            .collect();
        let exts = scheme.exts.iter().map(|id| {
            let ext = self.infer.fresh_ext(span, format!("unknown size of \"{name}\""));
            subst.sizes.insert(id.clone(), Size::Var(ext.clone()));
            ext
        });
        let exts = exts.collect();
        (scheme.ty.subst(&subst), args, exts)
    }

    pub(super) fn variable(&mut self, scope: &Scope, name: &str, span: Span) -> T {
        match scope.values.get(name) {
            Some(value) => self.used(&value.clone(), name, span),
            None => self.unknown(scope, ("", name), span, &[]),
        }
    }

    pub(super) fn qualified(&mut self, scope: &Scope, name: &ast::QualName) -> T {
        let Some(inner) = self.module_scope(scope, &name.quals) else {
            return typed_expr(ExprKind::Error, Type::Error, name.span());
        };
        match inner.values.get(&name.base.name) {
            Some(value) => self.used(&value.clone(), &name.base.name, name.span()),
            None => self.unknown(&inner, (&name.modules(), &name.base.name), name.span(), &[]),
        }
    }

    pub(super) fn operator(&mut self, scope: &Scope, op: &ast::QualName) -> T {
        self.qualified(scope, op)
    }

    /// The type of the operands of an operator.
    fn operand_type(&mut self, op: Operator) -> Type {
        match op {
            // everything but functions can be compared
            Operator::Cmp(CmpOp::Eq) | Operator::Ne => self.infer.fresh(Want::Comparable, Lifted::Size),
            _ => self.infer.fresh_scalar(ScalarSet::of(op.types())),
        }
    }

    fn unary(&mut self, op: Operator, x: T, span: Span) -> T {
        let op = self.reference(&Value::Op(op), span);
        let at = x.span;
        self.apply(op, vec![(x, at)], span)
    }

    /// The variables that an attribute mentions are in scope.
    pub(super) fn attr(&mut self, scope: &Scope, attr: &ast::Attr) {
        for arg in &attr.args {
            match arg {
                ast::AttrArg::Int(_) => {}
                ast::AttrArg::Attr(attr) => self.attr(scope, attr),
                ast::AttrArg::Var(name) => _ = self.qualified(scope, name),
            }
        }
    }

    /// The names that a definition binds for itself, with their types, in the order in which it does.
    fn locals(&self, scope: &Scope) -> Vec<(Id, Type)> {
        let local = |value: &Value| match value {
            Value::Bound(id, scheme) if scheme.params.is_empty() && self.env.def(id).is_none() => {
                Some((id.clone(), scheme.ty.clone()))
            }
            _ => None,
        };
        let mut locals: Vec<(Id, Type)> = scope.values.values().filter_map(local).collect();
        locals.sort_by_key(|(id, _)| id.num);
        locals
    }

    /// The constructors of a sum of which a value of the first type is none, as far as that is known: `some`, of `#none`.
    fn absent(&self, value: &Type, sum: &Type) -> Vec<Name> {
        let (Type::Meta(m), Type::Sum(constructors)) = (self.infer.head(value), self.infer.head(sum)) else {
            return vec![];
        };
        let Want::Constructors(present) = self.infer.want(m) else { return vec![] };
        constructors.iter().map(|(name, _)| name).filter(|name| !present.contains_key(*name)).cloned().collect()
    }

    /// A fresh local variable of unknown type: its pattern, and a reference to it.
    pub(super) fn local(&mut self, name: &str, span: Span) -> (typed::Pat, T) {
        let ty = self.infer.fresh_type();
        let id = self.infer.fresh_id(name);
        let var = typed_expr(ExprKind::Var(id.clone(), vec![]), ty.clone(), span);
        (typed::Pat { kind: PatKind::Name(id), ty, span }, var)
    }
}

/// The sizes of what these constructors of a sum hold.
fn held_by(ty: &Type, names: &[Name]) -> Vec<Size> {
    let mut sizes = vec![];
    if let Type::Sum(constructors) = ty {
        let held = constructors.iter().filter(|(name, _)| names.contains(name)).flat_map(|(_, types)| types);
        held.for_each(|t| t.sizes(&mut |size| sizes.push(size.clone())));
    }
    sizes
}

/// The names in `m.n`.
fn module_path(e: &ast::Expr) -> Option<Vec<ast::Ident>> {
    match &e.kind {
        E::Var(name) => Some(vec![ast::Ident { name: name.clone(), span: e.span }]),
        E::Project(e, field) => {
            let mut path = module_path(e)?;
            path.push(field.clone());
            Some(path)
        }
        _ => None,
    }
}
