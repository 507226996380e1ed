//! Vertical fusion: a map whose results are mapped over by one later SOAC of the same width becomes part of that SOAC's map, so that what passes
//! between them is never an array. No computation is made twice: results of the first that are used elsewhere, later, become results of the whole.

use super::alias::{Consumable, consumable};
use crate::ir::visit::{VisitMut, free_vars, substitute, walk_exp_mut};
use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// Fuses what can be fused.
pub fn fuse(mut program: Program) -> Program {
    let consumable = consumable(&program);
    let Program { funs, prov } = &mut program;
    for fun in funs {
        Fuse { consumable: &consumable, prov }.body(&mut fun.body);
    }
    program
}

struct Fuse<'a> {
    consumable: &'a Consumable,
    prov: &'a mut ProvTable,
}

impl VisitMut for Fuse<'_> {
    fn body(&mut self, body: &mut Body) {
        sink(body);
        while let Some((producer, consumer)) = self.pair(body) {
            let first = body.stms.remove(producer);
            let second = body.stms.remove(consumer - 1);
            body.stms.insert(consumer - 1, self.fused(first, second));
        }
        for stm in &mut body.stms {
            walk_exp_mut(self, &mut stm.exp);
        }
    }
}

/// Moves a SOAC whose results are used only in the λ of one later `withacc` into that λ, which runs once.
fn sink(body: &mut Body) {
    let mut i = body.stms.len();
    while i > 0 {
        i -= 1;
        if !matches!(body.stms[i].exp, Exp::Screma(_)) || consumes(&body.stms[i]) {
            continue;
        }
        let bound: HashSet<Var> = body.stms[i].pat.iter().map(|b| b.var).collect();
        let uses = |vars: Vec<Var>| vars.iter().any(|v| bound.contains(v));
        let users: Vec<usize> = (i + 1..body.stms.len()).filter(|j| uses(free_vars(&body.stms[*j]))).collect();
        let in_results = body.result.iter().any(|e| e.as_var().is_some_and(|v| bound.contains(&v)));
        let [user] = users[..] else { continue };
        let inputs = free_vars(&body.stms[i]);
        let consumed = (i + 1..=user).any(|j| consumed_by(&body.stms[j]).iter().any(|v| inputs.contains(v)));
        let inside = match &body.stms[user].exp {
            Exp::WithAcc(w) => {
                let outside = w.inputs.iter().flat_map(|i| i.arrays.iter().copied().chain(free_vars(&i.op.lambda)));
                let neutral = w.inputs.iter().flat_map(|i| i.op.neutral.iter().filter_map(|e| e.as_var()));
                !outside.chain(neutral).any(|v| bound.contains(&v))
            }
            _ => false,
        };
        if in_results || consumed || !inside {
            continue;
        }
        let stm = body.stms.remove(i);
        if let Exp::WithAcc(w) = &mut body.stms[user - 1].exp {
            w.lambda.body.stms.insert(0, stm);
        }
    }
}

/// Arrays that a statement consumes itself; accumulators too.
fn consumed_by(stm: &Stm) -> Vec<Var> {
    match &stm.exp {
        Exp::Update { array, .. } => vec![*array],
        Exp::UpdAcc { acc, .. } => vec![*acc],
        Exp::WithAcc(w) => w.inputs.iter().flat_map(|i| i.arrays.iter().copied()).collect(),
        Exp::Loop { params, .. } => params.iter().filter(|p| p.unique).filter_map(|p| p.init.as_var()).collect(),
        Exp::If { yes, no, .. } => [yes, no].iter().flat_map(|b| b.stms.iter().flat_map(consumed_by)).collect(),
        Exp::Apply { args, .. } => args.iter().filter_map(|e| e.as_var()).collect(),
        _ => Vec::new(),
    }
}

fn consumes(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Screma(s) => s.map.params.iter().any(|p| matches!(p.ty, Type::Acc(_))),
        _ => true,
    }
}

impl Fuse<'_> {
    /// The first pair of statements that can become one.
    fn pair(&self, body: &Body) -> Option<(usize, usize)> {
        (0..body.stms.len()).find_map(|i| {
            let stm = &body.stms[i];
            let Exp::Screma(first) = &stm.exp else { return None };
            if !first.scans.is_empty() || !first.reduces.is_empty() || consumes(stm) {
                return None;
            }
            let bound: HashSet<Var> = stm.pat.iter().map(|b| b.var).collect();
            let j = (i + 1..body.stms.len()).find(|j| free_vars(&body.stms[*j]).iter().any(|v| bound.contains(v)))?;
            self.fusible(body, i, j, first, &bound).then_some((i, j))
        })
    }

    /// Whether statement i, whose results are first used by statement j, can become part of it.
    fn fusible(&self, body: &Body, i: usize, j: usize, first: &Screma, bound: &HashSet<Var>) -> bool {
        let Exp::Screma(second) = &body.stms[j].exp else { return false };
        let mapped = second.arrays.iter().any(|a| bound.contains(a));
        // any other use inside needs the whole array
        let mut inner: Vec<Var> = free_vars(&second.map);
        for op in second.scans.iter().chain(&second.reduces) {
            inner.extend(free_vars(&op.lambda));
            inner.extend(op.neutral.iter().filter_map(|e| e.as_var()));
        }
        let whole = inner.iter().any(|v| bound.contains(v));
        // what stays a result must not be consumed as a row inside
        let params = second.map.params.iter().zip(&second.arrays).filter(|(_, a)| bound.contains(a));
        let consumed_row =
            params.into_iter().any(|(p, _)| matches!(p.ty, Type::Array(..)) && self.consumable.may_be_consumed(p.var));
        // the inputs must still be there at j
        let inputs = free_vars(&body.stms[i]);
        let gone = (i + 1..j).any(|k| {
            consumed_by(&body.stms[k])
                .iter()
                .any(|v| inputs.iter().any(|w| self.consumable.group(*v) == self.consumable.group(*w)))
        });
        first.width == second.width && mapped && !whole && !consumed_row && !gone
    }

    fn fused(&mut self, first: Stm, second: Stm) -> Stm {
        let (prov, attrs) = (self.merge(first.prov, second.prov), [&first.attrs[..], &second.attrs].concat());
        let mut certs = [&first.certs[..], &second.certs].concat();
        certs.sort_unstable();
        certs.dedup();
        let (Exp::Screma(a), Exp::Screma(b)) = (first.exp, second.exp) else {
            return Stm { pat: Vec::new(), exp: Exp::SubExp(SubExp::i64(0)), certs, attrs, prov };
        };
        let mut subst = HashMap::new();
        let mut arrays = a.arrays;
        let mut params = a.map.params;
        for (array, p) in b.arrays.iter().zip(&b.map.params) {
            match first.pat.iter().position(|out| out.var == *array) {
                Some(k) => {
                    subst.insert(p.var, a.map.body.result[k]);
                }
                None => {
                    arrays.push(*array);
                    params.push(p.clone());
                }
            }
        }
        let mut body = b.map.body;
        substitute(&mut body, &subst);
        let stms = [a.map.body.stms, body.stms].concat();
        let result = [body.result, a.map.body.result].concat();
        let map = Lambda { params, ret: [b.map.ret, a.map.ret].concat(), body: Body { stms, result } };
        let pat = [second.pat, first.pat].concat();
        let exp = Exp::Screma(Screma { width: b.width, arrays, map, scans: b.scans, reduces: b.reduces });
        Stm { pat, exp, certs, attrs, prov }
    }

    fn merge(&mut self, a: Prov, b: Prov) -> Prov {
        if self.prov.span(a) == self.prov.span(b) { b } else { self.prov.merge(b, a) }
    }
}
