//! Hoisting: cheap statements that are the same in every round of a loop or at every index of a SOAC move out of it, as far as their operands allow.
//!
//! What moves is total and costs little even if the body never runs: scalar operators, views, and reads that rely on a check of theirs which stands
//! outside already. (What else a read relies on is no reason to believe that it is in range: the body may never run because it is not.) No check moves, nor
//! anything that depends on one inside: a body that never runs does not fail. Nor does a new array that may be consumed inside: that needs one in every
//! round.

use super::derivatives::adds_up;
use crate::analysis::Analyses;
use crate::analysis::alias::Consumable;
use crate::hash::{HashMap, HashSet};
use crate::ir::build::Vars;
use crate::ir::visit::{Visit, VisitMut, free_vars, walk_exp_mut, walk_stm};
use crate::ir::*;

/// Hoists invariant statements.
pub fn hoist(mut program: Program, known: &mut Analyses) -> Program {
    let (consumable, differentiates) = (known.consumable(&program), known.differentiates(&program));
    let vars = known.vars(&program);
    let mut moved = false;
    for fun in &mut program.funs {
        let mut checks = Checks::default();
        fun.body.stms.iter().for_each(|stm| checks.stm(stm));
        let mut hoist = Hoist { consumable: &consumable, vars: &vars, checks, differentiates, moved: false };
        hoist.body(&mut fun.body);
        moved |= hoist.moved;
    }
    if moved {
        known.changed();
    } else {
        known.unchanged(vars);
    }
    program
}

/// What the certificates of a function stand for.
#[derive(Default)]
struct Checks(HashMap<Var, Check>);

impl Visit for Checks {
    fn stm(&mut self, stm: &Stm) {
        if let Exp::Check(check) = &stm.exp {
            self.0.insert(stm.pat[0].var, check.clone());
        }
        walk_stm(self, stm);
    }
}

struct Hoist<'a> {
    consumable: &'a Consumable,
    vars: &'a Vars,
    checks: Checks,
    /// Whether derivatives are still to be taken.
    differentiates: bool,
    /// Whether anything has moved.
    moved: bool,
}

impl VisitMut for Hoist<'_> {
    fn body(&mut self, body: &mut Body) {
        let stms = body.take_stms();
        let out = &mut body.stms;
        for mut stm in stms {
            // innermost first, so that a statement can move through several bodies
            walk_exp_mut(self, &mut stm.exp);
            match &mut stm.exp {
                Exp::Loop { params, form, body } => {
                    let mut bound: HashSet<Var> = params.iter().map(|p| p.binder.var).collect();
                    if let LoopForm::For { index, .. } = form {
                        bound.insert(index.var);
                    }
                    self.lift(body, bound, out);
                }
                Exp::Screma(s) => {
                    let operators = s.scans.iter_mut().chain(&mut s.reduces).map(|op| &mut op.lambda);
                    self.lift_lambdas([&mut s.map].into_iter().chain(operators).chain(&mut s.post), out);
                }
                Exp::Hist(h) => {
                    let operators = h.ops.iter_mut().map(|op| &mut op.op.lambda);
                    self.lift_lambdas([&mut h.map].into_iter().chain(operators), out);
                }
                Exp::Scatter(s) => self.lift_lambdas([&mut s.map], out),
                Exp::Stream(s) => {
                    if let StreamForm::Par(op) = &mut s.form {
                        self.lift_lambdas([&mut op.lambda], out);
                    }
                    self.lift_lambdas([&mut s.lambda], out);
                }
                Exp::FlatMap(f) => self.lift_lambdas([&mut f.lambda], out),
                Exp::WithAcc(w) => {
                    let operators = w.inputs.iter_mut().map(|i| &mut i.op.lambda);
                    self.lift_lambdas(operators.chain([&mut w.lambda]), out);
                }
                Exp::SegOp(seg) => {
                    self.lift_lambdas(seg.operators_mut().iter_mut().map(|op| &mut op.lambda), out);
                    let bound = seg.space.iter().map(|(b, _)| b.var).collect();
                    self.lift(&mut seg.body, bound, out);
                }
                // branches run at most once; what a derivative is taken of, or has rules for, stays where it is
                _ => {}
            }
            out.push(stm);
        }
    }
}

impl Hoist<'_> {
    fn lift_lambdas<'a>(&mut self, lambdas: impl IntoIterator<Item = &'a mut Lambda>, out: &mut Vec<Stm>) {
        for lambda in lambdas {
            let bound = lambda.params.iter().map(|p| p.var).collect();
            self.lift(&mut lambda.body, bound, out);
        }
    }

    /// Moves what depends on nothing bound inside.
    fn lift(&mut self, body: &mut Body, mut bound: HashSet<Var>, out: &mut Vec<Stm>) {
        let mut moved = false;
        out.extend(body.stms.extract_if(.., |stm| {
            let invariant = free_vars(stm).iter().all(|v| !bound.contains(v));
            let moves = invariant && self.movable(stm);
            if moves {
                moved = true;
            } else {
                Bind(&mut bound).stm(stm);
            }
            moves
        }));
        self.moved |= moved;
    }

    fn movable(&self, stm: &Stm) -> bool {
        match &stm.exp {
            Exp::Prim(op, _) => !self.differentiates || adds_up(*op),
            // a size that relies on a check
            Exp::SubExp(SubExp::Var(_)) => stm.pat[0].ty == Type::I64,
            Exp::SubExp(SubExp::Lit(_)) | Exp::Rearrange { .. } | Exp::Reshape { .. } => true,
            Exp::Index { array, indices } => {
                let mut dims = indices.iter().zip(self.vars.ty(*array).shape());
                dims.all(|(index, size)| self.is_within(stm, *index, *size))
            }
            Exp::Slice { array, slice } => {
                let mut dims = slice.iter().zip(self.vars.ty(*array).shape());
                dims.all(|(dim, size)| match dim {
                    SliceDim::Fix(index) => self.is_within(stm, *index, *size),
                    SliceDim::Range { start, count, stride } => {
                        (*start, *stride) == (SubExp::i64(0), SubExp::i64(1)) && count == size
                            || self.relies(stm, |check| {
                                matches!(check, Check::Slice { start: s, stride: t, size: n, .. } if (s, t, n) == (start, stride, size))
                            })
                    }
                })
            }
            Exp::Coerce { shape, .. } => {
                self.relies(stm, |check| matches!(check, Check::SizeEq { expected, .. } if expected == shape))
            }
            // such checks, of strides and of ranges, are not left out because of what is known inside: where there is one, it is the statement's own
            Exp::FlatIndex { .. } => self.relies(stm, |check| matches!(check, Check::Assert(..))),
            Exp::Iota { n, .. } => {
                let fits = n.as_lit().and_then(Scalar::as_i64).is_some_and(|n| n >= 0)
                    || self.relies(stm, |check| match check {
                        Check::NonNegativeSize(size) => size == n,
                        check => matches!(check, Check::Range { .. }),
                    });
                fits && !self.consumable.may_be_consumed(stm.pat[0].var)
            }
            _ => false,
        }
    }

    /// Whether the statement relies on such a check.
    fn relies(&self, stm: &Stm, fits: impl Fn(&Check) -> bool) -> bool {
        stm.certs.iter().filter_map(|c| self.checks.0.get(c)).any(fits)
    }

    /// Whether the statement relies on the index to be less than the size.
    fn is_within(&self, stm: &Stm, index: SubExp, size: Dim) -> bool {
        self.relies(stm, |check| match check {
            Check::Bounds { indices, sizes } => indices.iter().zip(sizes).any(|(i, n)| (*i, *n) == (index, size)),
            _ => false,
        })
    }
}

struct Bind<'a>(&'a mut HashSet<Var>);

impl Visit for Bind<'_> {
    fn bind(&mut self, b: &Binder) {
        self.0.insert(b.var);
    }
}
