//! Dead code elimination: what does not contribute to a function's results goes, down to single results of SOACs, parameters of loops and λs, and
//! accumulators. A check dies when nothing alive lists its certificate.

use crate::analysis::Analyses;
use crate::analysis::liveness::{Sized, live, sized};
use crate::ir::visit::{VisitMut, walk_exp_mut};
use crate::ir::*;
use std::cell::Cell;

/// Removes dead code.
pub fn dce(mut program: Program, known: &mut Analyses) -> Program {
    for fun in &mut program.funs {
        if sweep_body(&mut fun.body) {
            known.changed();
        }
    }
    program
}

/// Removes the dead code of a body, all results of which are needed; whether there was any.
pub fn sweep_body(body: &mut Body) -> bool {
    let (sized, swept) = (sized(body), Cell::new(false));
    let live = live(body, &sized);
    Sweep { keep: &|v| live.contains(&v), sized: &sized, swept: &swept }.body(body);
    swept.get()
}

/// The statement without the results that are not kept, all through its inner bodies; `None` when nothing of it is. A loop keeps what it keeps as a
/// parameter, an operator of a SOAC all or none of its results.
pub fn sweep_stm(mut stm: Stm, keep: &dyn Fn(Var) -> bool) -> Option<Stm> {
    // mutant negation: nobody looks at whether anything has gone
    Sweep { keep, sized: &Sized::default(), swept: &Cell::new(false) }.stm(&mut stm).then_some(stm)
}

struct Sweep<'a> {
    keep: &'a dyn Fn(Var) -> bool,
    /// What the sizes of arrays rely on.
    sized: &'a Sized,
    /// Whether anything has gone.
    swept: &'a Cell<bool>,
}

impl Sweep<'_> {
    fn keeps(&self, b: &Binder) -> bool {
        (self.keep)(b.var)
    }

    /// Sweeps a statement; whether anything of it is left.
    fn stm(&self, stm: &mut Stm) -> bool {
        let kept: Vec<bool> = stm.pat.iter().map(|b| self.keeps(b)).collect();
        let arrays = if self.sized.is_empty() { Vec::new() } else { stm.exp.rows().to_vec() };
        let kept = match &mut stm.exp {
            Exp::If { yes, no, .. } => {
                self.retain(&mut yes.result, &kept);
                self.retain(&mut no.result, &kept);
                kept
            }
            Exp::Loop { params, body, .. } => {
                let kept: Vec<bool> = params.iter().map(|p| self.keeps(&p.binder)).collect();
                self.retain(params, &kept);
                self.retain(&mut body.result, &kept);
                kept
            }
            Exp::Match { cases, default, .. } => {
                cases.iter_mut().for_each(|case| self.retain(&mut case.body.result, &kept));
                self.retain(&mut default.result, &kept);
                kept
            }
            Exp::Screma(s) => self.screma(s, kept),
            Exp::Hist(h) => self.hist(h, kept),
            Exp::Scatter(s) => self.scatter(s, kept),
            Exp::Stream(s) if kept.contains(&true) => {
                let (accs, before) = (s.accumulators(), s.lambda.params.len() - s.arrays.len());
                let kept: Vec<bool> = kept.iter().enumerate().map(|(k, live)| *live || k < accs).collect();
                self.retain_results(&mut s.lambda, &kept);
                let params: Vec<bool> = s.lambda.params[before..].iter().map(|p| self.keeps(p)).collect();
                self.retain(&mut s.lambda.params, &[&vec![true; before][..], &params].concat());
                self.retain(&mut s.arrays, &params);
                kept
            }
            Exp::FlatMap(f) if kept.contains(&true) => {
                let kept: Vec<bool> = kept.iter().enumerate().map(|(k, live)| *live || k < FlatMap::FIXED).collect();
                f.irregular = kept[FlatMap::FIXED..FlatMap::FIXED + f.irregular].iter().filter(|live| **live).count();
                self.retain_results(&mut f.lambda, &kept[FlatMap::FIXED - 1..]);
                self.rows(&mut f.lambda, &mut f.arrays);
                kept
            }
            Exp::WithAcc(w) => self.withacc(w, kept),
            // all results or none
            _ => vec![kept.contains(&true); kept.len()],
        };
        self.retain(&mut stm.pat, &kept);
        if stm.pat.is_empty() {
            return false;
        }
        // the width of what is left is still the size of the arrays that have gone
        let rows = stm.exp.rows();
        let gone = arrays.iter().filter(|a| !rows.contains(a)).filter_map(|a| self.sized.get(a)).flatten();
        let gone: Vec<Var> = gone.filter(|c| !stm.certs.contains(c)).copied().collect();
        stm.certs.extend(gone);
        walk_exp_mut(&mut Sweep { ..*self }, &mut stm.exp);
        true
    }

    /// Parameters that are not used go, and the arrays whose rows they are.
    fn rows(&self, lambda: &mut Lambda, arrays: &mut Vec<Var>) {
        let params: Vec<bool> = lambda.params.iter().map(|p| self.keeps(p)).collect();
        self.retain(&mut lambda.params, &params);
        self.retain(arrays, &params);
    }

    fn screma(&self, s: &mut Screma, kept: Vec<bool>) -> Vec<bool> {
        let (scans, reduces) = s.operand_counts();
        // which results of the map live, and which of the whole
        let (mut map, of_post) = match &mut s.post {
            None => (kept, None),
            Some(post) => {
                let (reduced, rows) = kept.split_at(reduces);
                self.retain_results(post, rows);
                let params: Vec<bool> = post.params.iter().map(|p| self.keeps(p)).collect();
                ([&params[..scans], reduced, &params[scans..]].concat(), Some(rows.to_vec()))
            }
        };
        let mut first = 0;
        for ops in [&mut s.scans, &mut s.reduces] {
            let mut live = Vec::new();
            for op in ops.iter() {
                let range = first..first + op.neutral.len();
                first = range.end;
                live.push(map[range.clone()].contains(&true));
                map[range].fill(live[live.len() - 1]);
            }
            self.retain(ops, &live);
        }
        self.retain_results(&mut s.map, &map);
        self.rows(&mut s.map, &mut s.arrays);
        match (&mut s.post, of_post) {
            (Some(post), Some(rows)) => {
                self.retain(&mut post.params, &[&map[..scans], &map[scans + reduces..]].concat());
                [&map[scans..scans + reduces], &rows].concat()
            }
            _ => map,
        }
    }

    fn hist(&self, h: &mut Hist, mut kept: Vec<bool>) -> Vec<bool> {
        let (mut live, mut indices) = (Vec::new(), Vec::new());
        let mut first = 0;
        for op in &h.ops {
            let range = first..first + op.dests.len();
            first = range.end;
            let lives = kept[range.clone()].contains(&true);
            kept[range].fill(lives);
            live.push(lives);
            indices.extend(vec![lives; op.shape.len()]);
        }
        self.retain(&mut h.ops, &live);
        self.retain_results(&mut h.map, &[&indices[..], &kept].concat());
        self.rows(&mut h.map, &mut h.arrays);
        kept
    }

    fn scatter(&self, s: &mut Scatter, kept: Vec<bool>) -> Vec<bool> {
        let dests = s.dests.iter().zip(&kept);
        let indices: Vec<bool> = dests.flat_map(|(d, live)| vec![*live; d.shape.len()]).collect();
        self.retain(&mut s.dests, &kept);
        self.retain_results(&mut s.map, &[&indices[..], &kept].concat());
        self.rows(&mut s.map, &mut s.arrays);
        kept
    }

    fn withacc(&self, w: &mut WithAcc, mut kept: Vec<bool>) -> Vec<bool> {
        let n = w.inputs.len();
        let mut inputs = Vec::new();
        let mut first = 0;
        for (input, acc) in w.inputs.iter().zip(&w.lambda.params[n..]) {
            let range = first..first + input.arrays.len();
            first = range.end;
            // mutant dropped term: an array that lives needs its accumulator, which is then kept, too
            let live = self.keeps(acc) || kept[range.clone()].contains(&true);
            kept[range].fill(live);
            inputs.push(live);
        }
        let results = [&inputs[..], &kept[first..]].concat();
        // mutant off by one: as many are read as there are parameters
        self.retain(&mut w.lambda.params, &inputs.repeat(2));
        self.retain(&mut w.lambda.body.result, &results);
        self.retain(&mut w.lambda.ret, &results);
        self.retain(&mut w.inputs, &inputs);
        kept
    }

    fn retain_results(&self, lambda: &mut Lambda, keep: &[bool]) {
        self.retain(&mut lambda.body.result, keep);
        self.retain(&mut lambda.ret, keep);
    }

    fn retain<T>(&self, items: &mut Vec<T>, keep: &[bool]) {
        let (before, mut keep) = (items.len(), keep.iter());
        items.retain(|_| keep.next() == Some(&true));
        self.swept.set(self.swept.get() || items.len() < before);
    }
}

impl VisitMut for Sweep<'_> {
    fn body(&mut self, body: &mut Body) {
        let before = body.stms.len();
        body.stms.retain_mut(|s| Sweep::stm(self, s));
        self.swept.set(self.swept.get() || body.stms.len() < before);
    }
}
