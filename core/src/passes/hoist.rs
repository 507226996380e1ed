//! Hoisting: cheap statements that are the same in every round of a loop or at every index of a SOAC move out of it, as far as their operands allow.
//!
//! What moves is total and costs little even if the body never runs: scalar operators, views, and reads that rely on a check which stands outside
//! already. No check moves, nor anything that depends on one inside: a body that never runs does not fail. Nor does a new array that may be consumed
//! inside: that needs one in every round.

use super::alias::{Consumable, consumable};
use super::derivatives::{adds_up, differentiates};
use crate::ir::visit::{Visit, VisitMut, free_vars, walk_exp_mut};
use crate::ir::*;
use std::collections::HashSet;

/// Hoists invariant statements.
pub fn hoist(mut program: Program) -> Program {
    let (consumable, differentiates) = (consumable(&program), differentiates(&program));
    for fun in &mut program.funs {
        Hoist { consumable: &consumable, differentiates }.body(&mut fun.body);
    }
    program
}

struct Hoist<'a> {
    consumable: &'a Consumable,
    /// Whether derivatives are still to be taken.
    differentiates: bool,
}

impl VisitMut for Hoist<'_> {
    fn body(&mut self, body: &mut Body) {
        let mut out = Vec::new();
        for mut stm in std::mem::take(&mut body.stms) {
            // innermost first, so that a statement can move through several bodies
            walk_exp_mut(self, &mut stm.exp);
            match &mut stm.exp {
                Exp::Loop { params, form, body } => {
                    let mut bound: HashSet<Var> = params.iter().map(|p| p.binder.var).collect();
                    if let LoopForm::For { index, .. } = form {
                        bound.insert(index.var);
                    }
                    self.lift(body, bound, &mut out);
                }
                Exp::Screma(s) => {
                    let operators = s.scans.iter_mut().chain(&mut s.reduces).map(|op| &mut op.lambda);
                    self.lift_lambdas([&mut s.map].into_iter().chain(operators).chain(&mut s.post), &mut out);
                }
                Exp::Hist(h) => {
                    let operators = h.ops.iter_mut().map(|op| &mut op.op.lambda);
                    self.lift_lambdas([&mut h.map].into_iter().chain(operators), &mut out);
                }
                Exp::Scatter(s) => self.lift_lambdas([&mut s.map], &mut out),
                Exp::Stream(s) => {
                    if let StreamForm::Par(op) = &mut s.form {
                        self.lift_lambdas([&mut op.lambda], &mut out);
                    }
                    self.lift_lambdas([&mut s.lambda], &mut out);
                }
                Exp::FlatMap(f) => self.lift_lambdas([&mut f.lambda], &mut out),
                Exp::WithAcc(w) => {
                    let operators = w.inputs.iter_mut().map(|i| &mut i.op.lambda);
                    self.lift_lambdas(operators.chain([&mut w.lambda]), &mut out);
                }
                Exp::SegOp(seg) => {
                    let operators = seg.scans.iter_mut().chain(&mut seg.reduces);
                    self.lift_lambdas(operators.map(|op| &mut op.lambda), &mut out);
                    self.lift_lambdas(seg.hists.iter_mut().map(|h| &mut h.op.lambda), &mut out);
                    let bound = seg.space.iter().map(|(b, _)| b.var).collect();
                    self.lift(&mut seg.body, bound, &mut out);
                }
                // branches run at most once; what a derivative is taken of, or has rules for, stays where it is
                _ => {}
            }
            out.push(stm);
        }
        body.stms = out;
    }
}

impl Hoist<'_> {
    fn lift_lambdas<'a>(&self, lambdas: impl IntoIterator<Item = &'a mut Lambda>, out: &mut Vec<Stm>) {
        for lambda in lambdas {
            let bound = lambda.params.iter().map(|p| p.var).collect();
            self.lift(&mut lambda.body, bound, out);
        }
    }

    /// Moves what depends on nothing bound inside.
    fn lift(&self, body: &mut Body, mut bound: HashSet<Var>, out: &mut Vec<Stm>) {
        for stm in std::mem::take(&mut body.stms) {
            let invariant = free_vars(&stm).iter().all(|v| !bound.contains(v));
            if invariant && self.movable(&stm) {
                out.push(stm);
            } else {
                Bind(&mut bound).stm(&stm);
                body.stms.push(stm);
            }
        }
    }

    fn movable(&self, stm: &Stm) -> bool {
        match &stm.exp {
            Exp::Prim(op, _) => !self.differentiates || adds_up(*op),
            Exp::SubExp(SubExp::Lit(_)) | Exp::Rearrange { .. } | Exp::Reshape { .. } => true,
            Exp::Coerce { .. } | Exp::Index { .. } | Exp::Slice { .. } | Exp::FlatIndex { .. } => !stm.certs.is_empty(),
            Exp::Iota { n, .. } => {
                let fits = n.as_lit().and_then(Scalar::as_i64).is_some_and(|n| n >= 0);
                (fits || !stm.certs.is_empty()) && !self.consumable.may_be_consumed(stm.pat[0].var)
            }
            _ => false,
        }
    }
}

struct Bind<'a>(&'a mut HashSet<Var>);

impl Visit for Bind<'_> {
    fn bind(&mut self, b: &Binder) {
        self.0.insert(b.var);
    }
}
