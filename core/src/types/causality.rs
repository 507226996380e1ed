//! A size is needed where it stands in what a reference's type parameters stand for; by then it must have been computed.

use super::ty::{Id, Size, Type};
use super::typed::*;
use crate::diag::{Code, Diagnostic};
use crate::hash::HashMap;
use crate::source::Span;

/// Reports the sizes in a definition that are needed before they are computed.
pub(super) fn check(def: &Def, diagnostics: &mut Vec<Diagnostic>) {
    let mut c = Causality { computed_later: HashMap::default(), diagnostics };
    c.collect(&def.body);
    if !c.computed_later.is_empty() {
        c.expr(&def.body);
    }
}

struct Causality<'a> {
    /// Unknown sizes that have not been computed yet, and where they will be.
    computed_later: HashMap<Id, Span>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// The unknown sizes that evaluating an expression itself (not its parts) brings up.
pub(super) fn brings_up(e: &Expr) -> Vec<(Id, Span)> {
    let span = e.span;
    let all = |ids: &[Id]| ids.iter().map(|id| (id.clone(), span)).collect();
    match &e.kind {
        ExprKind::Apply(_, _, info) => apply_brings_up(info, span),
        ExprKind::If(_, _, exts) | ExprKind::Match(_, _, exts) | ExprKind::Hole(exts) => all(exts),
        ExprKind::Index(_, indices) => {
            let ext = |index: &Index| match index {
                Index::Slice(_, Some(ext)) => Some((ext.clone(), span)),
                _ => None,
            };
            indices.iter().filter_map(ext).collect()
        }
        ExprKind::Block(_, _, exts) => exts.iter().map(|(id, _)| (id.clone(), span)).collect(),
        ExprKind::Loop(l) => l.variant.iter().map(|(_, outside)| (outside.clone(), span)).collect(),
        ExprKind::Range(r) => r.ext.iter().map(|id| (id.clone(), span)).collect(),
        ExprKind::Chain(_, steps) => steps.iter().flat_map(step_brings_up).collect(),
        _ => vec![],
    }
}

fn apply_brings_up(info: &Apply, span: Span) -> Vec<(Id, Span)> {
    let args = info.arg_sizes.iter().filter_map(|(_, size)| match size {
        Size::Var(id) => Some(id),
        _ => None,
    });
    info.exts.iter().chain(args).map(|id| (id.clone(), span)).collect()
}

fn step_brings_up(step: &Step) -> Vec<(Id, Span)> {
    match &step.kind {
        StepKind::Apply(_, _, info) => apply_brings_up(info, step.span),
        _ => vec![],
    }
}

impl Causality<'_> {
    /// Notes every unknown size below an expression.
    fn collect(&mut self, e: &Expr) {
        stacker::maybe_grow(128 << 10, 2 << 20, || {
            self.computed_later.extend(brings_up(e));
            children(e, &mut |e| self.collect(e));
        })
    }

    fn needs(&mut self, args: &[Arg], span: Span, ty: &Type) {
        let mut missing: Vec<(Id, Span)> = vec![];
        let mut look = |s: &Size| {
            s.names(&mut |id| {
                if let Some(at) = self.computed_later.get(id)
                    && !missing.iter().any(|(known, _)| known == id)
                {
                    missing.push((id.clone(), *at));
                }
            })
        };
        for a in args {
            match a {
                Arg::Size(s) => look(s),
                Arg::Type(t) => t.sizes(&mut look),
            }
        }
        for (id, at) in missing {
            let message = format!(
                "Causality check: size \"{id}\" needed for type of this:\n  {ty}\nBut \"{id}\" is computed later."
            );
            self.diagnostics.push(
                Diagnostic::error(Code::Causality, span, message)
                    .label(at, format!("\"{id}\" is computed here"))
                    .note("Hint: Bind the expression producing the size with 'let' beforehand."),
            );
            self.computed_later.remove(&id);
        }
    }

    fn expr(&mut self, e: &Expr) {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.expr_inner(e))
    }

    fn expr_inner(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(_, args) | ExprKind::Intrinsic(_, args) => self.needs(args, e.span, &e.ty),
            // A section: its operator comes first.
            // mutant negation: of an application without arguments there is only the function to look at
            // mutant swap: only `(op e)` has a first argument before its function and a last one behind it, and both are variables, which need and
            //   bring up no size
            // mutant comparison: in one place with their function are only the parameters that an entry point is given, which need and bring up no
            //   size
            ExprKind::Apply(f, args, _) if args.first().is_some_and(|x| x.span.start < f.span.start) => {
                self.expr(f);
                args.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Apply(f, args, _) => {
                for i in evaluation_order(args) {
                    self.expr(&args[i]);
                }
                self.expr(f);
            }
            ExprKind::Chain(first, steps) => {
                steps.iter().rev().filter_map(|s| s.on_the_left(first)).for_each(|f| self.expr(f));
                self.expr(first);
                for step in steps {
                    match &step.kind {
                        StepKind::Apply(f, x, _) => {
                            x.iter().for_each(|x| self.expr(x));
                            self.expr(f);
                        }
                        StepKind::And(x) | StepKind::Or(x) => self.expr(x),
                    }
                    for (id, _) in step_brings_up(step) {
                        self.computed_later.remove(&id);
                    }
                }
            }
            _ => {
                if let (ExprKind::Lambda(_), Type::Fun(fun)) = (&e.kind, &e.ty) {
                    self.needs(&[Arg::Type(fun.arg.clone())], e.span, &e.ty);
                }
                children(e, &mut |e| self.expr(e))
            }
        }
        for (id, _) in brings_up(e) {
            self.computed_later.remove(&id);
        }
    }
}

/// Calls `f` on the expressions directly inside one, in the order of their evaluation.
pub(super) fn children(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    match &e.kind {
        ExprKind::Lit(_)
        | ExprKind::Var(..)
        | ExprKind::Intrinsic(..)
        | ExprKind::Prim(_)
        | ExprKind::Op(..)
        | ExprKind::Hole(_)
        | ExprKind::Error => {}
        ExprKind::Record(fields) => fields.iter().for_each(|(_, e)| f(e)),
        ExprKind::Constr(_, es) | ExprKind::Array(es) => es.iter().for_each(f),
        ExprKind::Update(e, path, value) => {
            if !value_first(path) {
                f(e);
            }
            for step in path {
                if let Access::Index(indices) = step {
                    indices.iter().flat_map(Index::exprs).for_each(&mut *f);
                }
            }
            f(value);
            if value_first(path) {
                f(e);
            }
        }
        ExprKind::Assert(condition, e) => {
            f(condition);
            f(e);
        }
        ExprKind::Match(value, cases, _) => {
            f(value);
            cases.iter().for_each(|(_, e)| f(e));
        }
        ExprKind::Project(e, _) | ExprKind::Coerce(e) | ExprKind::Attr(_, e) | ExprKind::Break(_, e) => f(e),
        ExprKind::Index(e, is) => {
            f(e);
            is.iter().flat_map(Index::exprs).for_each(f);
        }
        ExprKind::Apply(g, args, _) => {
            args.iter().for_each(&mut *f);
            f(g);
        }
        ExprKind::Chain(first, steps) => {
            f(first);
            for step in steps {
                match &step.kind {
                    StepKind::Apply(g, x, _) => {
                        x.iter().for_each(&mut *f);
                        f(g);
                    }
                    StepKind::And(x) | StepKind::Or(x) => f(x),
                }
            }
        }
        ExprKind::Lambda(lambda) => f(&lambda.body),
        ExprKind::If(branches, other, _) => {
            for (c, e) in branches {
                f(c);
                f(e);
            }
            f(other);
        }
        ExprKind::Block(bindings, body, _) => {
            for b in bindings {
                match b {
                    Binding::Pat(_, e) => f(e),
                    Binding::Fun(def) => f(&def.body),
                }
            }
            f(body);
        }
        ExprKind::Loop(l) => {
            f(&l.init);
            match &l.form {
                LoopForm::For(_, e) | LoopForm::ForIn(_, e) | LoopForm::While(e) => f(e),
            }
            f(&l.body);
        }
        ExprKind::Range(r) => {
            f(&r.first);
            r.second.iter().for_each(&mut *f);
            f(&r.end);
        }
    }
}
