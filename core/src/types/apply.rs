//! Inference for applications: of functions, of operators in a chain, in pipes and sections.

use super::check::Checker;
use super::env::{Scope, Value};
use super::infer::{T, lambda, typed_expr};
use super::ty::*;
use super::typed::{Apply, Binding, ExprKind, Step, StepKind};
use crate::diag::Code;
use crate::source::{SourceMap, Span};
use crate::syntax::ast;
use crate::syntax::ops::{Level, level};

impl Checker {
    pub(super) fn apply(&mut self, f: T, args: Vec<(T, Span)>, span: Span) -> T {
        let mut info = Apply::default();
        let mut ty = f.ty.clone();
        let count = args.len();
        for (i, (arg, _)) in args.iter().enumerate() {
            ty = self.apply_type(&f, &ty, (i, count), &arg.ty, arg.span, |c| c.argument_size(arg), span, &mut info);
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
                        let origin = format!("the value of \"{}\"", shown(&self.sources, arg_span));
                        Size::Var(self.infer.fresh_ext(arg_span, origin))
                    });
                    // one that is not known yet is that of something else; a constant's is known everywhere
                    let named = !matches!(&size, Size::Const(_) | Size::Meta(_))
                        && !matches!(&size, Size::Var(id) if self.env.def(id).is_some() || !self.infer.origins.contains_key(id));
                    if named {
                        info.arg_sizes.push((i, size.clone()));
                    }
                    subst.sizes.insert(param.clone(), size);
                }
                for ext in &fun.exts {
                    let id = self
                        .infer
                        .fresh_ext(span, format!("unknown size returned by \"{}\"", shown(&self.sources, f.span)));
                    subst.sizes.insert(ext.clone(), Size::Var(id.clone()));
                    info.exts.push(id);
                }
                let (f, ret) = (shown(&self.sources, f.span), fun.ret.subst(&subst));
                if !self.no_opened_parameter(&ret, &f, arg_span) {
                    return Type::Error;
                }
                self.result_type(&ret, &f, span, &mut info.exts)
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
                    let s = if i == 1 { "" } else { "s" };
                    format!("Cannot apply \"{shown}\" to {n} arguments: it takes {i} argument{s} and returns {other}.")
                };
                self.bad(Code::NotAFunction, span, message).ty
            }
        }
    }

    pub(super) fn chain(
        &mut self,
        scope: &Scope,
        first: &ast::Expr,
        rest: &[(ast::QualName, ast::Expr)],
        span: Span,
    ) -> T {
        // mutant: a chain has an operator, and its operators are of one level
        if rest.first().is_some_and(|(op, _)| level(&op.base.name) == Level::PipeLeft) {
            return self.chain_from_right(scope, first, rest, span);
        }
        let right = self.is_prelude(scope, "|>");
        let x = self.expr(scope, first);
        let mut acc = Acc { ty: x.ty.clone(), span: first.span, steps: vec![] };
        for (op, e) in rest {
            let at = Span { end: e.span.end, ..span };
            if right && is_op(op, "|>") {
                let f = self.expr(scope, e);
                self.step(&x, f, None, at, &mut acc);
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
            self.step(&x, f, Some(y), at, &mut acc);
        }
        typed_expr(ExprKind::Chain(Box::new(x), acc.steps), acc.ty, span)
    }

    /// `f <| g <| x`, also with other operators that begin so: `a <|| (g <| x)`.
    fn chain_from_right(
        &mut self,
        scope: &Scope,
        first: &ast::Expr,
        rest: &[(ast::QualName, ast::Expr)],
        span: Span,
    ) -> T {
        let is_pipe = self.is_prelude(scope, "<|");
        let mut x = self.expr(scope, rest.last().map_or(first, |(_, last)| last));
        let mut acc = Acc { ty: x.ty.clone(), span: x.span, steps: vec![] };
        let lefts = std::iter::once(first).chain(rest.iter().map(|(_, e)| e));
        let lefts: Vec<&ast::Expr> = lefts.take(rest.len()).collect();
        for (e, (op, _)) in lefts.into_iter().zip(rest).rev() {
            let at = Span { start: e.span.start, ..span };
            if is_pipe && is_op(op, "<|") {
                let f = self.expr(scope, e);
                self.step(&x, f, None, at, &mut acc);
                continue;
            }
            let f = self.operator(scope, op);
            let left = self.expr(scope, e);
            let start = Acc { ty: left.ty.clone(), span: left.span, steps: vec![] };
            let right = std::mem::replace(&mut acc, start);
            let y = match right.steps.is_empty() {
                true => x,
                false => typed_expr(ExprKind::Chain(Box::new(x), right.steps), right.ty, right.span),
            };
            x = left;
            self.step(&x, f, Some(y), at, &mut acc);
        }
        typed_expr(ExprKind::Chain(Box::new(x), acc.steps), acc.ty, span)
    }

    /// One step of a chain: `f` applied to what there is, and to `y` if it is an operator.
    fn step(&mut self, x: &T, f: T, y: Option<T>, span: Span, acc: &mut Acc) {
        let mut info = Apply::default();
        let first = acc.steps.is_empty();
        // mutant off by one `1`: it is for the message about too many arguments, and one argument alone is not too many
        let n = if y.is_some() { 2 } else { 1 };
        let size = |c: &mut Checker| if first { c.argument_size(x) } else { None };
        let mut ty = self.apply_type(&f, &f.ty.clone(), (0, n), &acc.ty, acc.span, size, span, &mut info);
        if let Some(y) = &y {
            ty = self.apply_type(&f, &ty, (1, n), &y.ty, y.span, |c| c.argument_size(y), span, &mut info);
        }
        self.weigh(&ty, span);
        acc.push(StepKind::Apply(f, y, info), ty, span);
    }

    /// `\x -> f x`, where `f` is given the parameter.
    pub(super) fn section(&mut self, span: Span, f: impl FnOnce(&mut Checker, T) -> T) -> T {
        let (pat, body) = self.deeper(|c| {
            let (pat, x) = c.local("x", span);
            (pat, c.deeper(|c| f(c, x)))
        });
        let ty = self.function_type(&[&pat], &[], &body.ty, &None);
        lambda(vec![pat], body, ty, span)
    }

    /// `(op e)`: `e` is evaluated once, then `\x -> x op e`.
    pub(super) fn section_right(&mut self, scope: &Scope, op: &ast::QualName, e: &ast::Expr, span: Span) -> T {
        let y = self.expr(scope, e);
        let op = self.operator(scope, op);
        let (y_pat, lambda) = self.deeper(|c| {
            let (y_pat, y_var) = c.local("y", y.span);
            let _ = c.infer.unify(&y_pat.ty, &y.ty);
            c.abbreviate(&y_pat, &y);
            (y_pat, c.section(span, |c, x| c.apply(op, vec![(x, span), (y_var, y.span)], span)))
        });
        let (ty, exts) = self.close(&lambda.ty, &[]);
        let lambda = T { ty: ty.clone(), ..lambda };
        typed_expr(ExprKind::Block(vec![Binding::Pat(y_pat, y)], Box::new(lambda), exts), ty, span)
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
pub(super) fn shown(sources: &SourceMap, span: Span) -> String {
    let text = sources.text(span);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= 60 { words } else { words.chars().take(57).chain("...".chars()).collect() }
}
