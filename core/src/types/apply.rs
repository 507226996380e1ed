//! Inference for applications: of functions, of operators in a chain, in pipes and sections.

use super::check::Checker;
use super::env::{Scope, Value};
use super::hint::Call;
use super::infer::{T, lambda, typed_expr};
use super::ty::*;
use super::typed::{Apply, Binding, ExprKind, Step, StepKind};
use super::unify::Want;
use crate::diag::{Code, Diagnostic};
use crate::source::{SourceMap, Span};
use crate::syntax::ast;
use crate::syntax::ops::{Level, level};

impl Checker {
    /// `f x y`
    pub(super) fn application(&mut self, scope: &Scope, f: &ast::Expr, args: &[ast::Expr], span: Span) -> T {
        if let ast::ExprKind::Var(name) = &f.kind
            && !scope.values.contains_key(name)
        {
            if let Some(said) = self.prefix_word(scope, f, args, span) {
                return said;
            }
            // the types of the arguments say in which module the name may be
            let types: Vec<Type> = args.iter().map(|a| self.expr(scope, a).ty).collect();
            self.unknown(scope, ("", name), f.span, &types);
            return typed_expr(ExprKind::Error, Type::Error, span);
        }
        let f = self.expr(scope, f);
        if let Some(said) = self.infix_words(scope, &f, args, span) {
            return said;
        }
        let args = args.iter().map(|a| (self.part(scope, a), a.span)).collect();
        self.apply(f, args, span)
    }

    /// An argument or operand: if there is an error in it nothing is said of its type.
    fn part(&mut self, scope: &Scope, e: &ast::Expr) -> T {
        let errors = self.infer.diagnostics.len();
        let typed = self.expr(scope, e);
        match self.infer.diagnostics.len() == errors {
            true => typed,
            false => T { ty: Type::Error, ..typed },
        }
    }

    pub(super) fn apply(&mut self, f: T, args: Vec<(T, Span)>, span: Span) -> T {
        let mut info = Apply::default();
        let mut ty = f.ty.clone();
        let call = Call { f: &f, args: &args, span };
        for (i, (arg, _)) in args.iter().enumerate() {
            let size = |c: &mut Checker| c.argument_size(arg);
            match self.apply_type(&f, &ty, (i, args.len()), (&arg.ty, arg.span), size, span, &mut info) {
                Ok(next) => ty = next,
                Err(Refused(d, expected)) => {
                    self.refused(call, i, *d, expected.as_ref());
                    ty = Type::Error;
                    break;
                }
            }
        }
        let args = args.into_iter().map(|(a, _)| a).collect();
        typed_expr(ExprKind::Apply(Box::new(f), args, info), ty, span)
    }

    /// Reports that a function cannot be applied to an argument: one error for all of the application.
    fn refused(&mut self, call: Call<'_>, i: usize, d: Diagnostic, expected: Option<&Type>) {
        let d = self.explained(call, d);
        let d = match expected {
            Some(expected) if !d.has_hint() => {
                let d = self.filled(call, i, expected, d);
                self.advised(d, expected, &call.args[i].0, call.span)
            }
            _ => d,
        };
        match expected {
            Some(expected) => self.infer.failed(d, expected),
            None => self.infer.error(d),
        }
    }

    /// The type of a function of type `ty` applied to its argument number `i` of `n`.
    #[allow(clippy::too_many_arguments)]
    fn apply_type(
        &mut self,
        f: &T,
        ty: &Type,
        (i, n): (usize, usize),
        (arg, arg_span): (&Type, Span),
        size: impl FnOnce(&mut Checker) -> Option<Size>,
        span: Span,
        info: &mut Apply,
    ) -> Result<Type, Refused> {
        match self.infer.head(ty) {
            Type::Fun(fun) => {
                if let Err(m) = self.infer.unify(&fun.arg, arg) {
                    let (function, argument) = (shown(&self.sources, f.span), shown(&self.sources, arg_span));
                    let why = format!("Cannot apply \"{function}\" to \"{argument}\" (invalid type).");
                    let d = self.infer.mismatch(&m, &fun.arg, arg, arg_span, &why);
                    return Err(Refused(d.into(), Some(fun.arg.clone())));
                }
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
                    return Ok(Type::Error);
                }
                Ok(self.result_type(&ret, &f, span, &mut info.exts))
            }
            Type::Meta(m) if matches!(self.infer.want(m), Want::Scalars(_)) => {
                let message = format!("\"{}\" is applied, so it must be a function.", shown(&self.sources, f.span));
                let d = Diagnostic::error(Code::FunctionNotAllowed, f.span, message);
                Err(Refused(d.here("this is a number").into(), None))
            }
            Type::Meta(_) => {
                let ret = self.infer.fresh_type();
                let fun = Type::fun(arg.clone(), ret.clone());
                let sources = self.sources.clone();
                self.infer.require(&fun, ty, f.span, || {
                    format!("\"{}\" is applied, so it must be a function.", shown(&sources, f.span))
                });
                Ok(ret)
            }
            Type::Error => Ok(Type::Error),
            other => {
                let shown = shown(&self.sources, f.span);
                let other = self.infer.shown(&other);
                let message = if i == 0 {
                    format!("Cannot apply \"{shown}\" as a function: it has type {other}.")
                } else {
                    let s = if i == 1 { "" } else { "s" };
                    format!("Cannot apply \"{shown}\" to {n} arguments: it takes {i} argument{s} and returns {other}.")
                };
                Err(Refused(Diagnostic::error(Code::NotAFunction, span, message).into(), None))
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
        if let Some((op, _)) = rest.first().filter(|(op, _)| is_op(op, "=>"))
            && let Some(said) = self.fat_arrow(scope, first, op, span)
        {
            return said;
        }
        let operands = || std::iter::once(first).chain(rest.iter().map(|(_, e)| e)).collect::<Vec<_>>();
        let right = self.is_prelude(scope, "|>");
        self.said_of_words = None;
        let x = self.part(scope, first);
        let mut acc = Acc { ty: x.ty.clone(), span: first.span, steps: vec![] };
        for (op, e) in rest {
            if self.said_of_words.is_some()
                && let Some(said) = self.chain_of_words(scope, &operands(), span)
            {
                return said;
            }
            let at = Span { end: e.span.end, ..span };
            if right && is_op(op, "|>") {
                let f = self.expr(scope, e);
                self.step(&x, f, None, at, &mut acc);
                continue;
            }
            if is_op(op, "-")
                && matches!(scope.values.get("-"), Some(Value::Op(_)))
                && let Some(said) = self.negative(scope, &acc, op, e)
            {
                acc.push(StepKind::Apply(said, None, Apply::default()), Type::Error, at);
                continue;
            }
            let value = if op.quals.is_empty() { scope.values.get(&op.base.name) } else { None };
            if let Some(value @ (Value::And | Value::Or)) = value {
                let and = matches!(value, Value::And);
                let y = self.expr(scope, e);
                let why = || format!("The operands of \"{}\" must be truth values.", op.base.name);
                match acc.steps.is_empty() {
                    true => self.require(&Type::BOOL, &T { span: acc.span, ..x.clone() }, why),
                    false => self.infer.require(&Type::BOOL, &acc.ty, acc.span, why),
                }
                self.require(&Type::BOOL, &y, why);
                let kind = if and { StepKind::And(y) } else { StepKind::Or(y) };
                acc.push(kind, Type::BOOL, at);
                continue;
            }
            let f = self.operator(scope, op);
            let y = self.part(scope, e);
            if self.said_of_words.is_some()
                && let Some(said) = self.chain_of_words(scope, &operands(), span)
            {
                return said;
            }
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
        let applied = self.apply_type(&f, &f.ty.clone(), (0, n), (&acc.ty, acc.span), size, span, &mut info);
        let first = applied.map_err(|refused| (refused, 0));
        let applied = first.and_then(|ty| match &y {
            None => Ok(ty),
            Some(y) => {
                let size = |c: &mut Checker| c.argument_size(y);
                let applied = self.apply_type(&f, &ty, (1, n), (&y.ty, y.span), size, span, &mut info);
                applied.map_err(|refused| (refused, 1))
            }
        });
        let ty = match applied {
            Ok(ty) => ty,
            Err((refused, i)) => {
                let left = if acc.steps.is_empty() { T { span: acc.span, ..x.clone() } } else { acc.operand() };
                self.refused_step(&f, (&left, y.as_ref()), i, refused, span)
            }
        };
        // an error in the operands may be one in the type of the result
        let in_error = self.infer.head(&acc.ty) == Type::Error && self.infer.head(&ty) != Type::BOOL;
        let ty = if in_error { Type::Error } else { ty };
        self.weigh(&ty, span);
        acc.push(StepKind::Apply(f, y, info), ty, span);
    }

    /// Reports that an operator cannot be applied to one of its operands, or what is at the end of a pipe to what goes through it.
    fn refused_step(&mut self, f: &T, (x, y): (&T, Option<&T>), i: usize, refused: Refused, span: Span) -> Type {
        let Refused(d, expected) = refused;
        let d = *d;
        let Some(y) = y else {
            let args = [(x.clone(), x.span)];
            let call = Call { f, args: &args, span };
            self.refused(call, 0, d, expected.as_ref());
            return Type::Error;
        };
        let Some(expected) = expected else {
            self.infer.error(d);
            return Type::Error;
        };
        let is_function = |c: &Checker, e: &T| matches!(c.infer.head(&e.ty), Type::Fun(_));
        let d = match self.infer.is_shown() && !is_function(self, x) && !is_function(self, y) {
            true if self.sources.text(f.span) == "^" && self.is_fraction(&x.ty) => {
                self.rewrite(d, "the power is `**`: ", span, vec![(f.span, "**".to_string())])
            }
            true => self.operands_converted(d, (x, x.span), y, span),
            false => d,
        };
        let operand = if i == 0 { x } else { y };
        let d = self.advised(d, &expected, operand, span);
        self.infer.failed(d, &expected);
        match self.infer.head(&f.ty) {
            Type::Fun(fun) => match self.infer.head(&fun.ret) {
                // that of an operator on numbers may be another one when its operands are
                Type::Fun(fun) if self.infer.head(&fun.ret) == Type::BOOL => Type::BOOL,
                _ => Type::Error,
            },
            _ => Type::Error,
        }
    }

    /// `f -3`: what a function is followed by is no operand, but an argument. `None` if it is one.
    fn negative(&mut self, scope: &Scope, acc: &Acc, op: &ast::QualName, e: &ast::Expr) -> Option<T> {
        let Type::Fun(fun) = self.infer.head(&acc.ty) else { return None };
        let negated = match &e.kind {
            ast::ExprKind::Apply(first, _) => first,
            _ => e,
        };
        let minus = op.span();
        let f = self.operator(scope, op);
        let y = self.expr(scope, negated);
        let function = shown(&self.sources, acc.span);
        let why = format!("Cannot apply \"-\" to \"{function}\" (invalid type).");
        let wanted = match self.infer.head(&f.ty) {
            Type::Fun(minus) => minus.arg.clone(),
            _ => return None,
        };
        let m = self.infer.unify(&wanted, &acc.ty).err()?;
        let d = self.infer.mismatch(&m, &wanted, &acc.ty, acc.span, &why);
        let is_argument = minus.end == negated.span.start || Checker::is_literal(&y);
        let d = match is_argument && self.infer.is_shown() && self.infer.unify(&fun.arg, &y.ty).is_ok() {
            true => self.negative_argument(&d, acc.span.to(e.span), minus, negated.span),
            false => None,
        }
        .unwrap_or(d);
        self.infer.failed(d, &wanted);
        Some(typed_expr(ExprKind::Error, Type::Error, e.span))
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

/// Why a function cannot be applied to an argument, and the type of the argument that it takes, if it takes one.
struct Refused(Box<Diagnostic>, Option<Type>);

/// What has been read of a chain.
struct Acc {
    ty: Type,
    span: Span,
    steps: Vec<Step>,
}

impl Acc {
    /// What has been read, as an operand: for messages.
    fn operand(&self) -> T {
        typed_expr(ExprKind::Error, self.ty.clone(), self.span)
    }

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
