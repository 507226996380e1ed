//! What a function that refers to itself may do (language reference, "Recursive functions"): its result is no function, and each reference is a call with
//! the function's own parameters for those that are functions. So every call can be specialised for the functions that the outermost one is given.

use super::causality::children;
use super::ty::{Id, Type, TypeParam};
use super::typed::{Def, Expr, ExprKind, PatKind, Step, StepKind};
use crate::diag::{Code, Diagnostic};
use crate::syntax::ast::Lifted;

/// Reports what a recursive definition does that it may not.
pub(super) fn check(def: &Def, diagnostics: &mut Vec<Diagnostic>) {
    if functional(def, &def.body.ty) {
        let message = format!(
            "\"{}\" refers to itself, but its result is not first-order: it may not be a function, or contain one.",
            def.id
        );
        diagnostics.push(Diagnostic::error(Code::Recursion, def.span, message));
    }
    let mut check = Check { def, higher_order: def.params.iter().any(|p| functional(def, &p.ty)), diagnostics };
    check.expr(&def.body);
}

/// Could a value of the type have functions? What a lifted parameter of the type stands for could.
fn functional(def: &Def, ty: &Type) -> bool {
    let lifted = |id: &Id| def.tparams.iter().any(|p| matches!(p, TypeParam::Type(own, Lifted::Full) if own == id));
    let mut found = ty.has_function() || matches!(ty, Type::Var(id) if lifted(id));
    ty.parts(&mut |t| found |= functional(def, t));
    found
}

struct Check<'a> {
    def: &'a Def,
    higher_order: bool,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Check<'_> {
    fn is_itself(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Var(id, _) if *id == self.def.id)
    }

    fn expr(&mut self, e: &Expr) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_inner(e));
    }

    fn expr_inner(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Apply(f, args, _) if self.is_itself(f) => {
                self.call(&args.iter().collect::<Vec<_>>(), e);
                args.iter().for_each(|a| self.expr(a));
            }
            ExprKind::Chain(first, steps) if self.higher_order => {
                self.expr(first);
                for Step { kind, .. } in steps {
                    match kind {
                        StepKind::Apply(f, x, _) => {
                            if self.is_itself(f) {
                                // what is piped into it is a value: its functions are missing
                                self.call(&[], f);
                            } else {
                                self.expr(f);
                            }
                            x.iter().for_each(|x| self.expr(x));
                        }
                        StepKind::And(x) | StepKind::Or(x) => self.expr(x),
                    }
                }
            }
            ExprKind::Var(..) if self.is_itself(e) && self.higher_order => self.call(&[], e),
            _ => children(e, &mut |e| self.expr(e)),
        }
    }

    /// A reference with these arguments.
    fn call(&mut self, args: &[&Expr], at: &Expr) {
        if args.len() < self.def.params.len() {
            let message = format!(
                "\"{}\" refers to itself and has a higher-order parameter, but this is not fully saturated: it takes {} arguments.",
                self.def.id,
                self.def.params.len()
            );
            self.diagnostics.push(Diagnostic::error(Code::Recursion, at.span, message));
            return;
        }
        for (i, param) in self.def.params.iter().enumerate().filter(|(_, p)| functional(self.def, &p.ty)) {
            let same = match (&param.kind, args.get(i).map(|a| &a.kind)) {
                (PatKind::Name(own), Some(ExprKind::Var(given, _))) => own == given,
                _ => false,
            };
            if !same {
                let message = format!(
                    "\"{}\" refers to itself: those of its parameters that are functions must be passed unchanged.",
                    self.def.id
                );
                self.diagnostics.push(Diagnostic::error(Code::Recursion, at.span, message));
                return;
            }
        }
    }
}
