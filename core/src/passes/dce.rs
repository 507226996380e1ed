//! Dead code elimination: what does not contribute to a function's results goes, down to single results of SOACs, parameters of loops and λs, and
//! accumulators. A check dies when nothing alive lists its certificate.
//!
//! Liveness is reachability in the graph of uses, which crosses scopes: a mapped result needs the result of λ, a parameter of λ the array, a
//! parameter of a loop its next and its first value. So the rounds of a loop need no fixpoint.

use crate::ir::visit::{VisitMut, free_vars, walk_exp_mut, walk_fun_mut};
use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// Removes dead code.
pub fn dce(mut program: Program) -> Program {
    for fun in &mut program.funs {
        let mut graph = Graph::default();
        graph.body(&fun.body);
        let live = graph.reach(fun.body.result.iter().filter_map(|e| e.as_var()).collect());
        walk_fun_mut(&mut Sweep { keep: &|v| live.contains(&v) }, fun);
    }
    program
}

/// The statement without the results that are not kept, all through its inner bodies; `None` when nothing of it is. A loop keeps what it keeps as a
/// parameter, an operator of a SOAC all or none of its results.
pub fn sweep_stm(mut stm: Stm, keep: &dyn Fn(Var) -> bool) -> Option<Stm> {
    Sweep { keep }.stm(&mut stm).then_some(stm)
}

/// What each variable needs.
#[derive(Default)]
struct Graph {
    needs: HashMap<Var, Vec<Var>>,
}

impl Graph {
    fn reach(&self, roots: Vec<Var>) -> HashSet<Var> {
        let mut live: HashSet<Var> = roots.iter().copied().collect();
        let mut todo = roots;
        while let Some(v) = todo.pop() {
            for w in self.needs.get(&v).into_iter().flatten() {
                if live.insert(*w) {
                    todo.push(*w);
                }
            }
        }
        live
    }

    fn need(&mut self, v: Var, what: impl IntoIterator<Item = Var>) {
        self.needs.entry(v).or_default().extend(what);
    }

    fn need_exps<'a>(&mut self, v: Var, what: impl IntoIterator<Item = &'a SubExp>) {
        self.need(v, what.into_iter().filter_map(|e| e.as_var()));
    }

    /// A binder needs what its type mentions.
    fn binder(&mut self, b: &Binder) {
        self.need(b.var, free_vars(&b.ty));
    }

    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|s| self.stm(s));
    }

    fn stm(&mut self, stm: &Stm) {
        for b in &stm.pat {
            self.binder(b);
            self.need(b.var, stm.certs.iter().copied());
        }
        let pat: Vec<Var> = stm.pat.iter().map(|b| b.var).collect();
        match &stm.exp {
            Exp::If { cond, yes, no } => {
                self.body(yes);
                self.body(no);
                for (k, v) in pat.iter().enumerate() {
                    self.need_exps(*v, [cond, &yes.result[k], &no.result[k]]);
                }
            }
            Exp::Loop { params, form, body } => {
                self.body(body);
                for (k, p) in params.iter().enumerate() {
                    let v = p.binder.var;
                    self.binder(&p.binder);
                    self.need_exps(v, [&p.init, &body.result[k]]);
                    match form {
                        LoopForm::For { index, bound } => {
                            self.need_exps(v, [bound]);
                            self.need_exps(index.var, [bound]);
                        }
                        LoopForm::While(cond) => self.need(v, [*cond]),
                    }
                    self.need(pat[k], [v]);
                    // the statement goes when no parameter lives; certificates and sizes are the parameters', too
                    self.need(v, stm.certs.iter().copied());
                }
            }
            Exp::Screma(s) => self.screma(s, &pat),
            Exp::WithAcc(w) => {
                self.body(&w.lambda.body);
                let n = w.inputs.len();
                let (ids, accs) = w.lambda.params.split_at(n);
                let mut outs = pat.iter();
                for (k, input) in w.inputs.iter().enumerate() {
                    let acc = accs[k].var;
                    self.binder(&accs[k]);
                    self.need(acc, [ids[k].var].into_iter().chain(input.arrays.iter().copied()));
                    self.operator(&[acc], &input.op);
                    for out in outs.by_ref().take(input.arrays.len()) {
                        self.need_exps(*out, [&w.lambda.body.result[k]]);
                        self.need(*out, [acc]);
                    }
                }
                for (out, e) in outs.zip(&w.lambda.body.result[n..]) {
                    self.need_exps(*out, [e]);
                }
            }
            // of these all results live or none
            Exp::Jvp(ad) | Exp::Vjp(ad) => {
                self.body(&ad.lambda.body);
                for v in &pat {
                    self.need_exps(*v, ad.args.iter().chain(&ad.seeds).chain(&ad.lambda.body.result));
                    self.need(*v, ad.seed_shape.iter().filter_map(|d| SubExp::from(*d).as_var()));
                }
            }
            Exp::SegOp(seg) => {
                self.body(&seg.body);
                seg.reduces.iter().for_each(|op| self.operator(&pat, op));
                for v in &pat {
                    self.need_exps(*v, &seg.body.result);
                    self.need(*v, seg.space.iter().filter_map(|(_, d)| SubExp::from(*d).as_var()));
                }
            }
            exp => {
                let free = free_vars(exp);
                pat.iter().for_each(|v| self.need(*v, free.iter().copied()));
            }
        }
    }

    fn screma(&mut self, s: &Screma, pat: &[Var]) {
        self.body(&s.map.body);
        for (p, a) in s.map.params.iter().zip(&s.arrays) {
            self.binder(p);
            self.need(p.var, [*a]);
        }
        let width = SubExp::from(s.width);
        let mut first = 0;
        for op in s.scans.iter().chain(&s.reduces) {
            let range = first..first + op.neutral.len();
            first = range.end;
            self.operator(&pat[range.clone()], op);
            for k in range.clone() {
                self.need_exps(pat[k], s.map.body.result[range.clone()].iter().chain([&width]));
            }
        }
        for (k, e) in s.map.body.result.iter().enumerate().skip(first) {
            self.need_exps(pat[k], [e, &width]);
        }
    }

    /// Results computed by an operator, which keeps its parameters.
    fn operator(&mut self, results: &[Var], op: &Operator) {
        self.body(&op.lambda.body);
        for v in results {
            self.need_exps(*v, op.neutral.iter().chain(&op.lambda.body.result));
        }
    }
}

struct Sweep<'a> {
    keep: &'a dyn Fn(Var) -> bool,
}

impl Sweep<'_> {
    fn keeps(&self, b: &Binder) -> bool {
        (self.keep)(b.var)
    }

    /// Sweeps a statement; whether anything of it is left.
    fn stm(&self, stm: &mut Stm) -> bool {
        let kept: Vec<bool> = stm.pat.iter().map(|b| self.keeps(b)).collect();
        let mut kept = match &mut stm.exp {
            Exp::If { yes, no, .. } => {
                retain(&mut yes.result, &kept);
                retain(&mut no.result, &kept);
                kept
            }
            Exp::Loop { params, body, .. } => {
                let kept: Vec<bool> = params.iter().map(|p| self.keeps(&p.binder)).collect();
                retain(params, &kept);
                retain(&mut body.result, &kept);
                kept
            }
            Exp::Screma(s) => self.screma(s, kept),
            Exp::WithAcc(w) => self.withacc(w, kept),
            // all results or none
            _ => vec![kept.contains(&true); kept.len()],
        };
        kept.resize(stm.pat.len(), true);
        retain(&mut stm.pat, &kept);
        if stm.pat.is_empty() {
            return false;
        }
        walk_exp_mut(&mut Sweep { keep: self.keep }, &mut stm.exp);
        true
    }

    fn screma(&self, s: &mut Screma, mut kept: Vec<bool>) -> Vec<bool> {
        let mut first = 0;
        for ops in [&mut s.scans, &mut s.reduces] {
            let mut live = Vec::new();
            for op in ops.iter() {
                let range = first..first + op.neutral.len();
                first = range.end;
                live.push(kept[range.clone()].contains(&true));
                kept[range].fill(live[live.len() - 1]);
            }
            retain(ops, &live);
        }
        retain(&mut s.map.body.result, &kept);
        retain(&mut s.map.ret, &kept);
        let params: Vec<bool> = s.map.params.iter().map(|p| self.keeps(p)).collect();
        retain(&mut s.map.params, &params);
        retain(&mut s.arrays, &params);
        kept
    }

    fn withacc(&self, w: &mut WithAcc, mut kept: Vec<bool>) -> Vec<bool> {
        let n = w.inputs.len();
        let mut inputs = Vec::new();
        let mut first = 0;
        for (input, acc) in w.inputs.iter().zip(&w.lambda.params[n..]) {
            let range = first..first + input.arrays.len();
            first = range.end;
            let live = self.keeps(acc) || kept[range.clone()].contains(&true);
            kept[range].fill(live);
            inputs.push(live);
        }
        let results = [&inputs[..], &kept[first..]].concat();
        retain(&mut w.lambda.params, &[&inputs[..], &inputs].concat());
        retain(&mut w.lambda.body.result, &results);
        retain(&mut w.lambda.ret, &results);
        retain(&mut w.inputs, &inputs);
        kept
    }
}

impl VisitMut for Sweep<'_> {
    fn body(&mut self, body: &mut Body) {
        body.stms.retain_mut(|s| Sweep::stm(self, s));
    }
}

fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    items.retain(|_| keep.next().copied().unwrap_or(true));
}
