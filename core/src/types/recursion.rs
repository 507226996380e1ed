//! What a function that refers to itself may do (language reference, "Recursive functions"): its result is no function, and each reference is a call with
//! the function's own parameters for those that are functions. So every call can be specialised for the functions that the outermost one is given.

use super::causality::children;
use super::typed::{Def, Expr, ExprKind, PatKind, Step, StepKind};
use crate::diag::{Code, Diagnostic};

/// Reports what a recursive definition does that it may not.
pub(super) fn check(def: &Def, diagnostics: &mut Vec<Diagnostic>) {
    if def.body.ty.has_function() {
        let message = format!("\"{}\" refers to itself: its result may not be a function.", def.id);
        diagnostics.push(Diagnostic::error(Code::Recursion, def.span, message));
    }
    let mut check = Check { def, higher_order: def.params.iter().any(|p| p.ty.has_function()), diagnostics };
    check.expr(&def.body);
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
        for (i, param) in self.def.params.iter().enumerate().filter(|(_, p)| p.ty.has_function()) {
            let same = match (&param.kind, args.get(i).map(|a| &a.kind)) {
                (PatKind::Name(own), Some(ExprKind::Var(given, _))) => own == given,
                _ => false,
            };
            if !same {
                let message = format!(
                    "\"{}\" refers to itself: it must be given its own parameters for those that are functions.",
                    self.def.id
                );
                self.diagnostics.push(Diagnostic::error(Code::Recursion, at.span, message));
                return;
            }
        }
    }
}
