//! Hoisting: cheap statements that are the same in every round of a loop or at every index of a SOAC move out of it, as far as their operands allow.
//!
//! What moves is total and costs little even if the body never runs: scalar operators, views, and reads that rely on a check which stands outside
//! already. No check moves, nor anything that depends on one inside: a body that never runs does not fail.

use crate::ir::visit::{Visit, VisitMut, free_vars, walk_exp_mut};
use crate::ir::*;
use std::collections::HashSet;

/// Hoists invariant statements.
pub fn hoist(mut program: Program) -> Program {
    for fun in &mut program.funs {
        Hoist.body(&mut fun.body);
    }
    program
}

struct Hoist;

impl VisitMut for Hoist {
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
                    lift(body, bound, &mut out);
                }
                Exp::Screma(s) => {
                    lift_lambda(&mut s.map, &mut out);
                    s.scans.iter_mut().chain(&mut s.reduces).for_each(|op| lift_lambda(&mut op.lambda, &mut out));
                }
                Exp::WithAcc(w) => lift_lambda(&mut w.lambda, &mut out),
                Exp::SegOp(seg) => {
                    let bound = seg.space.iter().map(|(b, _)| b.var).collect();
                    lift(&mut seg.body, bound, &mut out);
                }
                _ => {}
            }
            out.push(stm);
        }
        body.stms = out;
    }
}

fn lift_lambda(lambda: &mut Lambda, out: &mut Vec<Stm>) {
    let bound = lambda.params.iter().map(|p| p.var).collect();
    lift(&mut lambda.body, bound, out);
}

/// Moves what depends on nothing bound inside.
fn lift(body: &mut Body, mut bound: HashSet<Var>, out: &mut Vec<Stm>) {
    for stm in std::mem::take(&mut body.stms) {
        let invariant = free_vars(&stm).iter().all(|v| !bound.contains(v));
        if invariant && movable(&stm) {
            out.push(stm);
        } else {
            Bind(&mut bound).stm(&stm);
            body.stms.push(stm);
        }
    }
}

struct Bind<'a>(&'a mut HashSet<Var>);

impl Visit for Bind<'_> {
    fn bind(&mut self, b: &Binder) {
        self.0.insert(b.var);
    }
}

fn movable(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Prim(..) | Exp::SubExp(SubExp::Lit(_)) | Exp::Rearrange { .. } | Exp::Reshape { .. } => true,
        Exp::Coerce { .. } | Exp::Index { .. } => !stm.certs.is_empty(),
        Exp::Iota { n, .. } => n.as_lit().is_some() || !stm.certs.is_empty(),
        _ => false,
    }
}
