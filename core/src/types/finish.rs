//! The end of a definition's inference: defaults, generalisation, and every type in its body made final.

use super::ty::*;
use super::typed::*;
use super::unify::Infer;
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use std::sync::Arc;

/// Finishes a definition. What its type leaves open becomes its parameters. `errors_before` is the number of diagnostics
/// from before the definition.
pub(super) fn definition(infer: &mut Infer, def: &mut Def, errors_before: usize) {
    infer.default_scalars();
    infer.level = 1;
    let (types, sizes) = infer.free(&def.scheme.ty);
    for (i, m) in types.into_iter().enumerate() {
        if infer.wanted_fields(m) {
            let message =
                "The type of this must be known here: it is taken apart, but nothing says how many components it has.";
            infer.error(Diagnostic::error(Code::TypeMismatch, def.span, message));
            infer.solve_type(m, Type::Error);
            continue;
        }
        let lifted = infer.may_be_function(m);
        let id = infer.fresh_id(format!("t{i}"));
        if lifted {
            infer.lifted.insert(id.clone());
        }
        infer.solve_type(m, Type::Var(id.clone()));
        def.tparams.push(TypeParam::Type(id, lifted));
    }
    for m in sizes {
        let name = infer.size_origin(m).1.clone();
        let id = infer.fresh_id(name);
        infer.solve_size(m, Size::Var(id.clone()));
        def.tparams.push(TypeParam::Size(id));
    }
    let ty = infer.zonk(&def.scheme.ty);
    // The unknown sizes of a value without parameters.
    let mut exts = vec![];
    if def.params.is_empty() {
        let params: Vec<&Id> = def.tparams.iter().map(TypeParam::id).collect();
        let bound = bound(&ty);
        exts.extend(
            size_names(&ty)
                .into_iter()
                .filter(|id| infer.level_of(id) > 0 && !params.contains(&id) && !bound.contains(id)),
        );
        exts.sort_by_key(|id| id.num);
    }
    def.scheme = Scheme { params: def.tparams.clone(), exts, ty };
    let silent = infer.diagnostics[errors_before..].iter().any(Diagnostic::is_error);
    let mut finish = Finish { infer, silent };
    def.params.iter_mut().for_each(|p| finish.pat(p));
    finish.expr(&mut def.body);
    def.scheme.ty = closed(&def.scheme.ty);
}

fn bound(ty: &Type) -> Vec<Id> {
    match ty {
        Type::Fun(f) => f.param.iter().chain(&f.exts).cloned().chain(bound(&f.arg)).chain(bound(&f.ret)).collect(),
        Type::Array(_, t) => bound(t),
        Type::Tuple(ts) => ts.iter().flat_map(bound).collect(),
        _ => vec![],
    }
}

/// A type without variables of inference: types left open become the error type, sizes zero.
pub(super) fn closed(ty: &Type) -> Type {
    fn size(s: &Size) -> Size {
        match s {
            Size::Meta(_) => Size::Const(0),
            Size::Op(op, ab) => Size::op(*op, size(&ab.0), size(&ab.1)),
            _ => s.clone(),
        }
    }
    ty.map(&mut size, &mut |t| matches!(t, Type::Meta(_)).then_some(Type::Error))
}

/// Entry points take and return values only, and are not polymorphic in types.
pub(super) fn entry_type(infer: &mut Infer, def: &Def) {
    if let Some(TypeParam::Type(id, _)) = def.scheme.params.iter().find(|p| matches!(p, TypeParam::Type(..))) {
        let message = format!("Entry point \"{}\" is polymorphic in the type \"{id}\".", def.id);
        infer.error(Diagnostic::error(Code::BadEntry, def.span, message).note(format!("Its type is {}.", def.scheme)));
    }
    for p in &def.params {
        if p.ty.has_function() {
            let message = format!("Entry point \"{}\" takes a function.", def.id);
            infer.error(Diagnostic::error(Code::BadEntry, p.span, message));
        }
    }
    if def.body.ty.has_function() {
        let message = format!("Entry point \"{}\" returns a function.", def.id);
        infer.error(Diagnostic::error(Code::BadEntry, def.body.span, message));
    }
}

struct Finish<'a> {
    infer: &'a mut Infer,
    /// The definition is in error already: what is undetermined is no news.
    silent: bool,
}

impl Finish<'_> {
    fn ty(&mut self, ty: &mut Type, span: Span) {
        let mut zonked = self.infer.zonk(ty);
        let mut open = vec![];
        zonked.sizes(&mut |s| {
            let mut stack = vec![s.clone()];
            while let Some(s) = stack.pop() {
                match s {
                    Size::Meta(m) => open.push(m),
                    Size::Op(_, ab) => stack.extend([ab.0.clone(), ab.1.clone()]),
                    _ => {}
                }
            }
        });
        for m in open {
            if self.infer.size(&Size::Meta(m)) != Size::Meta(m) {
                continue;
            }
            let (at, name) = self.infer.size_origin(m);
            if !self.silent {
                let message = format!("Nothing determines the size \"{name}\" here.");
                self.infer.error(Diagnostic::error(Code::AmbiguousSize, at, message));
            }
            self.infer.solve_size(m, Size::Const(0));
        }
        zonked = self.infer.zonk(&zonked);
        // A type that nothing determines does not matter, unless it is taken apart.
        *ty = zonked.map(&mut |s| s.clone(), &mut |t| match t {
            Type::Meta(m) if self.infer.wanted_fields(*m) => {
                if !self.silent {
                    let message = "The type of this must be known here: nothing says how many components it has.";
                    self.infer.error(Diagnostic::error(Code::TypeMismatch, span, message));
                }
                self.infer.solve_type(*m, Type::Error);
                Some(Type::Error)
            }
            Type::Meta(_) => Some(Type::tuple(vec![])),
            _ => None,
        });
    }

    fn size(&mut self, size: &mut Size, span: Span) {
        let mut ty = Type::array(size.clone(), Type::BOOL);
        self.ty(&mut ty, span);
        if let Type::Array(s, _) = ty {
            *size = s;
        }
    }

    fn pat(&mut self, p: &mut Pat) {
        self.ty(&mut p.ty, p.span);
        if let PatKind::Tuple(ps) = &mut p.kind {
            ps.iter_mut().for_each(|p| self.pat(p));
        }
    }

    fn args(&mut self, args: &mut [Arg], span: Span) {
        for a in args {
            match a {
                Arg::Size(s) => self.size(s, span),
                Arg::Type(t) => self.ty(t, span),
            }
        }
    }

    fn no_functions(&mut self, ty: &Type, span: Span, what: &str) {
        if self.infer.contains_function(ty) && !self.silent {
            let message = format!("{what} cannot be functions, but this has type {ty}.");
            self.infer.error(Diagnostic::error(Code::FunctionNotAllowed, span, message));
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.expr_inner(e))
    }

    fn expr_inner(&mut self, e: &mut Expr) {
        let span = e.span;
        self.ty(&mut e.ty, span);
        match &mut e.kind {
            ExprKind::Lit(value) => {
                if let (Type::Scalar(t), false) = (&e.ty, self.silent)
                    && value.at(*t).is_none()
                {
                    let message = format!("This number does not fit in {t}.");
                    self.infer.error(Diagnostic::error(Code::LiteralOutOfRange, span, message));
                }
            }
            ExprKind::Var(_, args) | ExprKind::Intrinsic(_, args) => self.args(args, span),
            ExprKind::Prim(_) | ExprKind::Error => {}
            ExprKind::Op(_, at) => {
                self.ty(at, span);
                debug_assert!(matches!(at, Type::Scalar(_) | Type::Error) || self.silent);
            }
            ExprKind::Tuple(es) | ExprKind::Array(es) => es.iter_mut().for_each(|e| self.expr(e)),
            ExprKind::Project(e, _) | ExprKind::Coerce(e) | ExprKind::Attr(_, e) => self.expr(e),
            ExprKind::Index(e, is) => {
                self.expr(e);
                is.iter_mut().for_each(|e| self.expr(e));
            }
            ExprKind::Apply(f, args, _) => {
                self.expr(f);
                args.iter_mut().for_each(|e| self.expr(e));
            }
            ExprKind::Chain(first, steps) => {
                self.expr(first);
                for step in steps {
                    self.ty(&mut step.ty, step.span);
                    match &mut step.kind {
                        StepKind::Apply(f, x, _) => {
                            self.expr(f);
                            x.iter_mut().for_each(|x| self.expr(x));
                        }
                        StepKind::And(x) | StepKind::Or(x) => self.expr(x),
                    }
                }
            }
            ExprKind::Lambda(lambda) => {
                // Nobody else has it yet.
                if let Some(lambda) = Arc::get_mut(lambda) {
                    lambda.params.iter_mut().for_each(|p| self.pat(p));
                    self.expr(&mut lambda.body);
                }
            }
            ExprKind::If(branches, other, _) => {
                for (c, e) in branches {
                    self.expr(c);
                    self.expr(e);
                }
                self.expr(other);
                self.no_functions(&e.ty.clone(), span, "The results of branches");
            }
            ExprKind::Block(bindings, body, exts) => {
                for b in bindings {
                    match b {
                        Binding::Pat(p, e) => {
                            self.expr(e);
                            self.pat(p);
                        }
                        Binding::Fun(def) => {
                            if let Some(def) = Arc::get_mut(def) {
                                def.params.iter_mut().for_each(|p| self.pat(p));
                                self.expr(&mut def.body);
                                self.ty(&mut def.scheme.ty, span);
                            }
                        }
                    }
                }
                self.expr(body);
                exts.iter_mut().for_each(|(_, s)| self.size(s, span));
            }
            ExprKind::Loop(l) => {
                self.expr(&mut l.init);
                self.pat(&mut l.pat);
                match &mut l.form {
                    LoopForm::For(_, e) | LoopForm::While(e) => self.expr(e),
                    LoopForm::ForIn(p, e) => {
                        self.expr(e);
                        self.pat(p);
                    }
                }
                self.expr(&mut l.body);
                self.no_functions(&e.ty.clone(), span, "What a loop carries around");
            }
            ExprKind::Range(r) => {
                self.expr(&mut r.first);
                r.second.iter_mut().for_each(|e| self.expr(e));
                self.expr(&mut r.end);
            }
        }
    }
}
