//! Inference for expressions: each becomes its typed form.

use super::check::Checker;
use super::env::{Scope, Value};
use super::ty::*;
use super::typed::{self, Apply, Arg, Binding, ExprKind, Literal, Operator, PatKind, Step, StepKind};
use super::unify::{ScalarSet, Want};
use crate::diag::{Code, Diagnostic, did_you_mean};
use crate::prim::{BinOp, ScalarType};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{self, ExprKind as E};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) type T = typed::Expr;

fn typed_expr(kind: ExprKind, ty: Type, span: Span) -> T {
    T { kind, ty, span }
}

impl Checker {
    fn bad(&mut self, code: Code, span: Span, message: impl Into<String>) -> T {
        self.infer.error(Diagnostic::error(code, span, message));
        typed_expr(ExprKind::Error, Type::Error, span)
    }

    /// Says that something is not there yet.
    pub(super) fn not_supported(&mut self, span: Span, what: &str) {
        self.infer.error(Diagnostic::error(Code::NotSupported, span, format!("{what} not supported yet.")));
    }

    pub(super) fn ints() -> ScalarSet {
        ScalarSet::of(ScalarType::ALL.into_iter().filter(|t| t.is_int()))
    }

    /// The typed form of an expression.
    pub(super) fn expr(&mut self, scope: &Scope, e: &ast::Expr) -> T {
        stacker::maybe_grow(256 << 10, 4 << 20, || self.expr_inner(scope, e))
    }

    fn expr_inner(&mut self, scope: &Scope, e: &ast::Expr) -> T {
        let span = e.span;
        match &e.kind {
            E::Int(n, suffix) => {
                self.literal(Literal::Int(i128::try_from(*n).unwrap_or(i128::MAX)), suffix.as_deref(), span)
            }
            E::Float(x, suffix) => self.literal(Literal::Float(*x), suffix.as_deref(), span),
            E::Bool(b) => typed_expr(ExprKind::Lit(Literal::Bool(*b)), Type::BOOL, span),
            E::Var(name) => self.variable(scope, name, span),
            E::Paren(e) => T { span, ..self.expr(scope, e) },
            E::Tuple(es) => {
                let es: Vec<T> = es.iter().map(|e| self.expr(scope, e)).collect();
                let ty = Type::tuple(es.iter().map(|e| e.ty.clone()).collect());
                typed_expr(ExprKind::Tuple(es), ty, span)
            }
            E::Array(es) => {
                let elem = self.infer.fresh(Want::Anything, false);
                let es: Vec<T> = es.iter().map(|e| self.expr(scope, e)).collect();
                for e in &es {
                    self.infer
                        .require(&elem, &e.ty, e.span, || "The elements of an array must have one type.".to_string());
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
            E::Record(_)
            | E::Constr(..)
            | E::Match(..)
            | E::Update(..)
            | E::Assert(..)
            | E::Hole
            | E::SectionIndex(_) => {
                self.not_supported(span, "This kind of expression is");
                typed_expr(ExprKind::Error, Type::Error, span)
            }
            E::Project(..) => self.projection(scope, e),
            E::Index(array, indices) => self.index(scope, array, indices, span),
            E::OpenIn(module, body) => {
                let Some(quals) = module_path(module) else {
                    return self.bad(Code::UnknownModule, module.span, "Only a module can be opened.");
                };
                let Some(inner) = self.modules(scope, &quals) else {
                    return typed_expr(ExprKind::Error, Type::Error, span);
                };
                let scope = scope.open(inner);
                T { span, ..self.expr(&scope, body) }
            }
            E::Apply(f, args) => {
                let f_typed = self.expr(scope, f);
                let args = args.iter().map(|a| (self.expr(scope, a), a.span)).collect();
                self.apply(f_typed, args, span)
            }
            E::Chain(first, rest) => self.chain(scope, first, rest, span),
            E::Negate(e) => {
                // The sign of a literal belongs to it: -2147483648 is an i32.
                let inner = self.expr(scope, e);
                match inner.kind {
                    ExprKind::Lit(Literal::Int(n)) => T { kind: ExprKind::Lit(Literal::Int(-n)), span, ..inner },
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
            E::SectionProject(fields) => {
                self.infer.level += 1;
                let x = self.local("x", span);
                let lambda_body = fields.iter().fold(x.1, |e, f| self.project(e, f));
                self.infer.level -= 1;
                self.infer.lower_levels(&x.0.ty);
                self.infer.lower_levels(&lambda_body.ty);
                let ty = Type::fun(x.0.ty.clone(), lambda_body.ty.clone());
                typed_expr(ExprKind::Lambda(Arc::new(typed::Lambda { params: vec![x.0], body: lambda_body })), ty, span)
            }
            E::Lambda(params, ret, body) => {
                let def = self.function(scope, params, ret.as_ref(), body);
                let lambda = typed::Lambda { params: def.params, body: def.body };
                typed_expr(ExprKind::Lambda(Arc::new(lambda)), def.ty, span)
            }
            E::If(branches, other) => self.branches(scope, branches, other, span),
            E::Block(bindings, body) => self.block(scope, bindings, body, span),
            E::Loop(l) => self.loop_(scope, l, span),
            E::Range { first, second, kind, end } => self.range(scope, first, second.as_deref(), *kind, end, span),
            E::Ascribe(e, t) => {
                let ty = self.type_exp(scope, t);
                let inner = self.expr(scope, e);
                let why = || "Expression does not have expected type from explicit ascription.".to_string();
                self.infer.require(&ty, &inner.ty, span, why);
                T { ty, span, ..inner }
            }
            E::Coerce(e, t) => {
                let inner = self.expr(scope, e);
                let ty = self.type_exp(scope, t);
                if let Err(m) = self.infer.unify_but_sizes(&ty, &inner.ty) {
                    let d = self.infer.mismatch(&m, &ty, &inner.ty, span, "A size coercion can change sizes only.");
                    self.infer.error(d);
                }
                // What the type leaves open is as it is.
                let (was, now) = (self.infer.zonk(&inner.ty), self.infer.zonk(&ty));
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
                let inner = self.expr(scope, e);
                let ty = inner.ty.clone();
                typed_expr(ExprKind::Attr(attr.clone(), Box::new(inner)), ty, span)
            }
        }
    }

    fn literal(&mut self, value: Literal, suffix: Option<&str>, span: Span) -> T {
        let ty = match suffix {
            Some(s) => match ScalarType::from_name(s) {
                Some(t) => Type::Scalar(t),
                None => {
                    return self.bad(Code::NotSupported, span, format!("Numbers of type {s} are not supported yet."));
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
                let (ty, args, exts) = self.instantiate(scheme, &id.name, span);
                let var = typed_expr(ExprKind::Var(id.clone(), args), ty.clone(), span);
                if exts.is_empty() {
                    return var;
                }
                let apply = Apply { arg_sizes: vec![], exts };
                typed_expr(ExprKind::Apply(Box::new(var), vec![], apply), ty, span)
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
                let t = self.infer.fresh_scalar(ScalarSet::of(op.types()));
                let ret = if op.is_comparison() { Type::BOOL } else { t.clone() };
                let ty = (0..op.arity()).fold(ret, |ret, _| Type::fun(t.clone(), ret));
                typed_expr(ExprKind::Op(*op, t), ty, span)
            }
            Value::And | Value::Or => {
                self.infer.level += 1;
                let (a, x) = self.local("a", span);
                let (b, y) = self.local("b", span);
                self.infer.level -= 1;
                for p in [&a, &b] {
                    let _ = self.infer.unify(&p.ty, &Type::BOOL);
                }
                let kind = if matches!(value, Value::And) { StepKind::And(y) } else { StepKind::Or(y) };
                let step = Step { kind, ty: Type::BOOL, span };
                let body = typed_expr(ExprKind::Chain(Box::new(x), vec![step]), Type::BOOL, span);
                let ty = Type::fun(Type::BOOL, Type::fun(Type::BOOL, Type::BOOL));
                typed_expr(ExprKind::Lambda(Arc::new(typed::Lambda { params: vec![a, b], body })), ty, span)
            }
        }
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
                    let ty = self.infer.fresh(Want::Anything, *lifted);
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

    fn variable(&mut self, scope: &Scope, name: &str, span: Span) -> T {
        match scope.values.get(name) {
            Some(Value::Bound(id, _)) if Some(id) == self.current.as_ref() => {
                self.bad(Code::Recursion, span, format!("\"{name}\" refers to itself; recursion is not supported yet."))
            }
            Some(value) => self.reference(&value.clone(), span),
            None => self.unknown_name(scope, name, name, span),
        }
    }

    fn unknown_name(&mut self, scope: &Scope, name: &str, shown: &str, span: Span) -> T {
        let mut d = Diagnostic::error(Code::UnknownName, span, format!("Unknown name \"{shown}\"."));
        if let Some(near) = did_you_mean(name, scope.values.keys().map(|k| &**k)) {
            d = d.note(format!("Did you mean \"{near}\"?"));
        } else if scope.modules.contains_key(name) {
            d = d.note(format!("\"{name}\" is a module: write \"{name}.\" and a name in it."));
        }
        self.infer.error(d);
        typed_expr(ExprKind::Error, Type::Error, span)
    }

    fn qualified(&mut self, scope: &Scope, name: &ast::QualName) -> T {
        let Some(inner) = self.modules(scope, &name.quals) else {
            return typed_expr(ExprKind::Error, Type::Error, name.span());
        };
        match inner.values.get(&name.base.name) {
            Some(value) => self.reference(&value.clone(), name.span()),
            None => self.unknown_name(inner, &name.base.name, &name.text(), name.span()),
        }
    }

    fn operator(&mut self, scope: &Scope, op: &ast::QualName) -> T {
        self.qualified(scope, op)
    }

    /// `e.x.y`: projections, or a name in a module.
    fn projection(&mut self, scope: &Scope, e: &ast::Expr) -> T {
        let mut fields = vec![];
        let mut root = e;
        while let E::Project(inner, field) = &root.kind {
            fields.push((field, root.span));
            root = inner;
        }
        fields.reverse();
        let mut base = None;
        let mut used = 0;
        if let E::Var(name) = &root.kind
            && !scope.values.contains_key(name)
            && let Some(module) = scope.modules.get(name)
        {
            let mut quals = vec![ast::Ident { name: name.clone(), span: root.span }];
            let mut inner = module.clone();
            while used + 1 < fields.len()
                && !inner.values.contains_key(&fields[used].0.name)
                && let Some(next) = inner.modules.get(&fields[used].0.name).cloned()
            {
                quals.push(fields[used].0.clone());
                inner = next;
                used += 1;
            }
            base = Some(self.qualified(scope, &ast::QualName { quals, base: fields[used].0.clone() }));
            used += 1;
        }
        let base = base.unwrap_or_else(|| self.expr(scope, root));
        fields[used..].iter().fold(base, |e, (field, span)| T { span: *span, ..self.project(e, field) })
    }

    fn project(&mut self, e: T, field: &ast::Ident) -> T {
        let span = e.span.to(field.span);
        let Ok(index) = field.name.parse::<usize>() else {
            if matches!(self.infer.head(&e.ty), Type::Error) {
                return T { kind: ExprKind::Error, ..e };
            }
            let message =
                format!("There is no field \"{}\" in a value of type {}.", field.name, self.infer.zonk(&e.ty));
            return self.bad(Code::NoSuchField, field.span, message);
        };
        let ty = match self.infer.head(&e.ty) {
            Type::Error => Type::Error,
            Type::Tuple(types) if index < types.len() => types[index].clone(),
            Type::Meta(_) => {
                let ty = self.infer.fresh_type();
                let want = self.infer.fresh(Want::Fields(BTreeMap::from([(index, ty.clone())])), true);
                self.infer.require(&want, &e.ty, field.span, || format!("This must have a component {index}."));
                ty
            }
            other => {
                let message = format!("There is no component {index} in a value of type {}.", self.infer.zonk(&other));
                return self.bad(Code::NoSuchField, field.span, message);
            }
        };
        typed_expr(ExprKind::Project(Box::new(e), index), ty, span)
    }

    fn index(&mut self, scope: &Scope, array: &ast::Expr, indices: &[ast::Index], span: Span) -> T {
        let array = self.expr(scope, array);
        let mut ty = array.ty.clone();
        let mut typed = vec![];
        for index in indices {
            let e = match index {
                ast::Index::At(e) => e,
                ast::Index::Slice(_, span) => {
                    return self.bad(Code::NotSupported, *span, "Slices are not supported yet.");
                }
            };
            let i = self.expr(scope, e);
            let int = self.infer.fresh_scalar(Checker::ints());
            self.infer.require(&int, &i.ty, i.span, || "An index must be an integer.".to_string());
            typed.push(i);
            ty = match self.infer.head(&ty) {
                Type::Array(_, elem) => (*elem).clone(),
                Type::Error => Type::Error,
                Type::Meta(_) => {
                    let elem = self.infer.fresh(Want::Anything, false);
                    let size = self.infer.fresh_size(span, "n");
                    let whole = Type::array(size, elem.clone());
                    self.infer.require(&whole, &ty, array.span, || "What is indexed must be an array.".to_string());
                    elem
                }
                _ => {
                    let message = format!(
                        "Cannot index with {} indices into a value of type {}.",
                        indices.len(),
                        self.infer.zonk(&array.ty)
                    );
                    return self.bad(Code::NotAnArray, span, message);
                }
            };
        }
        typed_expr(ExprKind::Index(Box::new(array), typed), ty, span)
    }

    fn unary(&mut self, op: Operator, x: T, span: Span) -> T {
        let op = self.reference(&Value::Op(op), span);
        let at = x.span;
        self.apply(op, vec![(x, at)], span)
    }

    // Application.

    pub(super) fn apply(&mut self, f: T, args: Vec<(T, Span)>, span: Span) -> T {
        let mut info = Apply::default();
        let mut ty = f.ty.clone();
        let count = args.len();
        for (i, (arg, _)) in args.iter().enumerate() {
            ty = self.apply_type(&f, &ty, (i, count), &arg.ty, arg.span, |c| c.size_of(arg), span, &mut info);
        }
        let args = args.into_iter().map(|(a, _)| a).collect();
        typed_expr(ExprKind::Apply(Box::new(f), args, info), ty, span)
    }

    /// The type of a function of type `ty` applied to its argument number `i` of `n`.
    #[allow(clippy::too_many_arguments)]
    fn apply_type(
        &mut self,
        f: &T,
        ty: &Type,
        (i, n): (usize, usize),
        arg: &Type,
        arg_span: Span,
        size: impl FnOnce(&mut Checker) -> Option<Size>,
        span: Span,
        info: &mut Apply,
    ) -> Type {
        match self.infer.head(ty) {
            Type::Fun(fun) => {
                let sources = self.sources.clone();
                self.infer.require(&fun.arg, arg, arg_span, || {
                    format!(
                        "Cannot apply \"{}\" to \"{}\" (invalid type).",
                        shown(&sources, f.span),
                        shown(&sources, arg_span)
                    )
                });
                let mut subst = Subst::default();
                if let Some(param) = &fun.param {
                    let size = size(self).unwrap_or_else(|| {
                        let id = self
                            .infer
                            .fresh_ext(arg_span, format!("the value of \"{}\"", shown(&self.sources, arg_span)));
                        info.arg_sizes.push((i, id.clone()));
                        Size::Var(id)
                    });
                    subst.sizes.insert(param.clone(), size);
                }
                for ext in &fun.exts {
                    let id = self
                        .infer
                        .fresh_ext(span, format!("unknown size returned by \"{}\"", shown(&self.sources, f.span)));
                    subst.sizes.insert(ext.clone(), Size::Var(id.clone()));
                    info.exts.push(id);
                }
                fun.ret.subst(&subst)
            }
            Type::Meta(_) => {
                let ret = self.infer.fresh_type();
                let fun = Type::fun(arg.clone(), ret.clone());
                let sources = self.sources.clone();
                self.infer.require(&fun, ty, f.span, || {
                    format!("\"{}\" is applied, so it must be a function.", shown(&sources, f.span))
                });
                ret
            }
            Type::Error => Type::Error,
            other => {
                let shown = shown(&self.sources, f.span);
                let other = self.infer.zonk(&other);
                let message = if i == 0 {
                    format!("Cannot apply \"{shown}\" as a function: it has type {other}.")
                } else {
                    format!("Cannot apply \"{shown}\" to {n} arguments: after {i}, its type is {other}.")
                };
                self.bad(Code::NotAFunction, span, message).ty
            }
        }
    }

    fn chain(&mut self, scope: &Scope, first: &ast::Expr, rest: &[(ast::QualName, ast::Expr)], span: Span) -> T {
        let (right, left) = (self.is_prelude(scope, "|>"), self.is_prelude(scope, "<|"));
        if left && rest.iter().all(|(op, _)| is_op(op, "<|")) {
            // f <| g <| x: from the right.
            let Some(((_, last), funs)) = rest.split_last() else { return self.expr(scope, first) };
            let x = self.expr(scope, last);
            let mut acc = Acc { ty: x.ty.clone(), span: last.span, steps: vec![] };
            let funs: Vec<&ast::Expr> = std::iter::once(first).chain(funs.iter().map(|(_, f)| f)).collect();
            for f in funs.into_iter().rev() {
                let at = Span { start: f.span.start, ..span };
                let f = self.expr(scope, f);
                self.pipe(&x, f, at, &mut acc);
            }
            return typed_expr(ExprKind::Chain(Box::new(x), acc.steps), acc.ty, span);
        }
        let x = self.expr(scope, first);
        let mut acc = Acc { ty: x.ty.clone(), span: first.span, steps: vec![] };
        for (op, e) in rest {
            let at = Span { end: e.span.end, ..span };
            if right && is_op(op, "|>") {
                let f = self.expr(scope, e);
                self.pipe(&x, f, at, &mut acc);
                continue;
            }
            let value = if op.quals.is_empty() { scope.values.get(&op.base.name) } else { None };
            if let Some(value @ (Value::And | Value::Or)) = value {
                let and = matches!(value, Value::And);
                let y = self.expr(scope, e);
                for (ty, span) in [(&acc.ty, acc.span), (&y.ty, y.span)] {
                    self.infer.require(&Type::BOOL, ty, span, || {
                        format!("The operands of \"{}\" must be truth values.", op.base.name)
                    });
                }
                let kind = if and { StepKind::And(y) } else { StepKind::Or(y) };
                acc.push(kind, Type::BOOL, at);
                continue;
            }
            let f = self.operator(scope, op);
            let y = self.expr(scope, e);
            let mut info = Apply::default();
            let start = acc.steps.is_empty();
            let ty = self.apply_type(
                &f,
                &f.ty.clone(),
                (0, 2),
                &acc.ty,
                acc.span,
                |c| if start { c.size_of(&x) } else { None },
                at,
                &mut info,
            );
            let ty = self.apply_type(&f, &ty, (1, 2), &y.ty, y.span, |c| c.size_of(&y), at, &mut info);
            acc.push(StepKind::Apply(f, Some(y), info), ty, at);
        }
        typed_expr(ExprKind::Chain(Box::new(x), acc.steps), acc.ty, span)
    }

    /// One step of a pipeline: `f` applied to what there is.
    fn pipe(&mut self, x: &T, f: T, span: Span, acc: &mut Acc) {
        let mut info = Apply::default();
        let first = acc.steps.is_empty();
        let ty = self.apply_type(
            &f,
            &f.ty.clone(),
            (0, 1),
            &acc.ty,
            acc.span,
            |c| if first { c.size_of(x) } else { None },
            span,
            &mut info,
        );
        acc.push(StepKind::Apply(f, None, info), ty, span);
    }

    /// A fresh local variable of unknown type: its pattern, and a reference to it.
    fn local(&mut self, name: &str, span: Span) -> (typed::Pat, T) {
        let ty = self.infer.fresh_type();
        let id = self.infer.fresh_id(name);
        let var = typed_expr(ExprKind::Var(id.clone(), vec![]), ty.clone(), span);
        (typed::Pat { kind: PatKind::Name(id), ty, span }, var)
    }

    /// `(op e)`: `e` is evaluated once, then `\x -> x op e`.
    fn section_right(&mut self, scope: &Scope, op: &ast::QualName, e: &ast::Expr, span: Span) -> T {
        let y = self.expr(scope, e);
        let op = self.operator(scope, op);
        let outer = self.infer.level;
        self.infer.level = outer + 1;
        let (y_pat, y_var) = self.local("y", y.span);
        let _ = self.infer.unify(&y_pat.ty, &y.ty);
        if let (PatKind::Name(id), Some(size)) = (&y_pat.kind, self.size_of(&y)) {
            self.infer.size_defs.insert(id.clone(), size);
        }
        self.infer.level = outer + 2;
        let (x_pat, x_var) = self.local("x", span);
        self.infer.level = outer + 3;
        let body = self.apply(op, vec![(x_var, span), (y_var, y.span)], span);
        let ty = self.function_type(&[&x_pat], &body.ty);
        self.infer.level = outer;
        let (ty, exts) = self.close(&ty, &[]);
        let lambda = typed::Lambda { params: vec![x_pat], body };
        let lambda = typed_expr(ExprKind::Lambda(Arc::new(lambda)), ty.clone(), span);
        typed_expr(ExprKind::Block(vec![Binding::Pat(y_pat, y)], Box::new(lambda), exts), ty, span)
    }

    // Sizes.

    /// An expression as a size, if it can be one.
    pub(super) fn size_of(&mut self, e: &T) -> Option<Size> {
        if self.infer.head(&e.ty) != Type::I64 {
            return None;
        }
        match &e.kind {
            ExprKind::Lit(Literal::Int(n)) => i64::try_from(*n).ok().map(Size::Const),
            ExprKind::Var(id, args) if args.is_empty() => Some(Size::Var(id.clone())),
            ExprKind::Attr(_, e) => self.size_of(e),
            // The length of an array is its size.
            ExprKind::Apply(f, args, _) => match (&f.kind, &args[..]) {
                (ExprKind::Var(id, _), [array]) if Some(id) == self.length.as_ref() => match self.infer.head(&array.ty)
                {
                    Type::Array(size, _) => Some(self.infer.size(&size)),
                    _ => None,
                },
                _ => None,
            },
            ExprKind::Chain(first, steps) if steps.len() <= 16 => {
                let first = self.size_of(first)?;
                steps.iter().try_fold(first, |acc, step| {
                    let StepKind::Apply(f, Some(y), _) = &step.kind else { return None };
                    let ExprKind::Op(Operator::Bin(op), _) = f.kind else { return None };
                    let op = match op {
                        BinOp::Add => SizeOp::Add,
                        BinOp::Sub => SizeOp::Sub,
                        BinOp::Mul => SizeOp::Mul,
                        BinOp::Div => SizeOp::Div,
                        _ => return None,
                    };
                    Some(Size::op(op, acc, self.size_of(y)?))
                })
            }
            _ => None,
        }
    }

    fn range(
        &mut self,
        scope: &Scope,
        first: &ast::Expr,
        second: Option<&ast::Expr>,
        kind: ast::RangeKind,
        end: &ast::Expr,
        span: Span,
    ) -> T {
        let first = self.expr(scope, first);
        let second = second.map(|e| self.expr(scope, e));
        let end = self.expr(scope, end);
        let elem = self.infer.fresh_scalar(Checker::ints());
        for e in [Some(&first), second.as_ref(), Some(&end)].into_iter().flatten() {
            self.infer
                .require(&elem, &e.ty, e.span, || "The parts of a range must be integers of one type.".to_string());
        }
        let known = match (self.size_of(&first), &second, kind, self.size_of(&end)) {
            (Some(Size::Const(0)), None, ast::RangeKind::UpTo, Some(end)) => Some(end),
            (Some(first), None, ast::RangeKind::UpTo, Some(end)) => Some(Size::op(SizeOp::Sub, end, first)),
            (Some(first), None, ast::RangeKind::Inclusive, Some(end)) => {
                Some(Size::op(SizeOp::Add, Size::op(SizeOp::Sub, end, first), Size::Const(1)))
            }
            _ => None,
        };
        let ext = match known {
            Some(_) => None,
            None => Some(self.infer.fresh_ext(span, "unknown length of this range".to_string())),
        };
        let size = known.or(ext.clone().map(Size::Var)).unwrap_or(Size::Const(0));
        let range = typed::Range { first, second, kind, end, ext };
        typed_expr(ExprKind::Range(Box::new(range)), Type::array(size, elem), span)
    }
}

/// What has been read of a chain.
struct Acc {
    ty: Type,
    span: Span,
    steps: Vec<Step>,
}

impl Acc {
    fn push(&mut self, kind: StepKind, ty: Type, span: Span) {
        self.ty = ty.clone();
        self.span = span;
        self.steps.push(Step { kind, ty, span });
    }
}

fn is_op(op: &ast::QualName, name: &str) -> bool {
    op.quals.is_empty() && &*op.base.name == name
}

/// The text of an expression, shortened, on one line.
fn shown(sources: &SourceMap, span: Span) -> String {
    let text = sources.text(span);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= 60 { words } else { words.chars().take(57).chain("...".chars()).collect() }
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
