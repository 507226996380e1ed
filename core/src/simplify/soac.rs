//! SOACs: what their arrays are known to be, and results that do not depend on the index.

use super::*;
use crate::analysis::liveness::size_checks;
use crate::ir::build::Builder;
use crate::ir::visit::{VisitMut, walk_body_mut, walk_stm_mut};

impl Rules {
    pub(super) fn screma(&mut self, stm: &mut Stm) -> Option<Outcome> {
        self.inputs(stm);
        if let Exp::Screma(s) = &mut stm.exp {
            self.without_scans(s);
            self.invariant_rows(s);
        }
        None
    }

    /// What is known of the arrays that a λ is mapped over.
    pub(super) fn inputs(&mut self, stm: &mut Stm) {
        let (width, arrays, lambda) = match &mut stm.exp {
            Exp::Screma(s) => (s.width, &mut s.arrays, &mut s.map),
            Exp::Hist(h) => (h.width, &mut h.arrays, &mut h.map),
            Exp::Scatter(s) => (s.width, &mut s.arrays, &mut s.map),
            Exp::FlatMap(f) => (f.width, &mut f.arrays, &mut f.lambda),
            _ => return,
        };
        self.known_inputs(arrays, lambda, stm.prov);
        self.reads_to_inputs(width, arrays, lambda);
    }

    /// A row of a replicate is its value; an array mapped over twice is one parameter.
    fn known_inputs(&mut self, arrays: &mut Vec<Var>, lambda: &mut Lambda, prov: Prov) {
        let mut k = 0;
        while k < arrays.len() {
            let (array, param) = (arrays[k], lambda.params[k].clone());
            // mutant dropped term: an accumulator stands among the inputs once, and nothing else makes one
            let known = !matches!(param.ty, Type::Acc(_)) && !self.may_be_consumed(param.var);
            let twin = arrays[..k].iter().position(|a| *a == array).filter(|_| known);
            let value: Option<SubExp> = match (twin, self.def(array).cloned()) {
                (Some(twin), _) => Some(lambda.params[twin].var.into()),
                (_, Some(Exp::Replicate { shape, value })) if known && self.stays(value) && shape.len() == 1 => {
                    Some(value)
                }
                (_, Some(Exp::Replicate { shape, value })) if known && self.stays(value) => {
                    let mut b = Builder::new(&mut self.vars, prov);
                    let row = Exp::Replicate { shape: shape[1..].to_vec(), value };
                    b.bind(vec![param.clone()], row);
                    lambda.body.stms.splice(0..0, b.stms);
                    arrays.remove(k);
                    lambda.params.remove(k);
                    continue;
                }
                _ => None,
            };
            match value {
                Some(value) => {
                    self.subst.insert(param.var, value);
                    arrays.remove(k);
                    lambda.params.remove(k);
                }
                None => k += 1,
            }
        }
        substitute(lambda, &self.subst);
    }

    /// `map (\i -> … xs[i] …) (iota n)` maps over `xs`, when that has n rows.
    fn reads_to_inputs(&mut self, width: Dim, arrays: &mut Vec<Var>, lambda: &mut Lambda) {
        let is_iota = |a: &Var| {
            matches!(self.def(*a), Some(Exp::Iota { start, step, elem: ScalarType::I64, .. })
            if is_int(*start, 0) && is_int(*step, 1))
        };
        let indices: HashSet<Var> =
            arrays.iter().zip(&lambda.params).filter(|(a, _)| is_iota(a)).map(|(_, p)| p.var).collect();
        if indices.is_empty() {
            return;
        }
        let mut reads = Reads { rules: self, width, indices, bound: bound_in(lambda), inputs: Vec::new() };
        walk_body_mut(&mut reads, &mut lambda.body);
        for (array, param) in reads.inputs {
            arrays.push(array);
            lambda.params.push(param);
        }
    }

    /// Where there are no scans, what follows them is part of the map.
    fn without_scans(&mut self, s: &mut Screma) {
        let (_, reduces) = s.operand_counts();
        if !s.scans.is_empty() {
            return;
        }
        let Some(mut post) = s.post.take() else { return };
        let rows = s.map.body.result.split_off(reduces);
        let subst: HashMap<Var, SubExp> = post.params.iter().map(|p| p.var).zip(rows).collect();
        substitute(&mut post.body, &subst);
        s.map.body.stms.extend(post.body.stms);
        s.map.body.result.extend(post.body.result);
        s.map.ret.truncate(reduces);
        s.map.ret.extend(post.ret);
    }

    /// A row that is the same at every index need not be handed to what follows scans.
    fn invariant_rows(&mut self, s: &mut Screma) {
        let (scans, reduces) = s.operand_counts();
        let Some(post) = &mut s.post else { return };
        let bound = bound_in(&s.map);
        for k in (scans + reduces..s.map.ret.len()).rev() {
            let e = s.map.body.result[k];
            if e.as_var().is_none_or(|v| !bound.contains(&v)) {
                let param = post.params.remove(k - reduces);
                // `post` itself is looked at later
                self.subst.insert(param.var, e);
                s.map.body.result.remove(k);
                s.map.ret.remove(k);
            }
        }
    }

    /// Takes out the results that are the same at every index, once what is inside is simple: each is a replicate.
    pub(super) fn invariant_results(&mut self, stm: &mut Stm) -> Vec<Stm> {
        let Exp::Screma(s) = &mut stm.exp else { return Vec::new() };
        let (scans, reduces) = s.operand_counts();
        // nor need these look at an array to be as many as it has elements
        let defs = s.arrays.iter().filter_map(|a| self.defs.get(a));
        let sized = defs.flat_map(|(exp, certs)| size_checks(exp, certs)).filter(|c| !self.certain.contains(c));
        // mutant swap: what is relied upon has no order
        let checks = [stm.certs.clone(), sized.collect()].concat();
        // which of the results are rows, and the λ that gives them: its results are so many fewer
        let (first, fewer, lambda) = match &mut s.post {
            None => (scans + reduces, 0, &mut s.map),
            Some(post) => (reduces, reduces, post),
        };
        let bound = bound_in(lambda);
        let inside = |e: &SubExp| e.as_var().is_some_and(|v| bound.contains(&v));
        let mut replicates = Vec::new();
        for k in (first..stm.pat.len()).rev() {
            if !inside(&lambda.body.result[k - fewer]) {
                let value = lambda.body.result.remove(k - fewer);
                lambda.ret.remove(k - fewer);
                let exp = Exp::Replicate { shape: vec![s.width], value };
                let (pat, certs) = (vec![stm.pat.remove(k)], checks.clone());
                replicates.push(Stm { pat, exp, certs, attrs: Vec::new(), prov: stm.prov });
            }
        }
        replicates.reverse();
        replicates
    }
}

/// Collects what is bound inside.
struct Bound(HashSet<Var>);

fn bound_in(lambda: &Lambda) -> HashSet<Var> {
    let mut bound = Bound(HashSet::default());
    bound.lambda(lambda);
    bound.0
}

impl Visit for Bound {
    fn bind(&mut self, b: &Binder) {
        self.0.insert(b.var);
    }
}

/// Turns reads of outer arrays at the index of the map into reads of new parameters.
struct Reads<'a> {
    rules: &'a mut Rules,
    width: Dim,
    indices: HashSet<Var>,
    bound: HashSet<Var>,
    inputs: Vec<(Var, Binder)>,
}

impl VisitMut for Reads<'_> {
    fn stm(&mut self, stm: &mut Stm) {
        walk_stm_mut(self, stm);
        let Exp::Index { array, indices } = &stm.exp else { return };
        let at_index = indices[0].as_var().is_some_and(|v| self.indices.contains(&v));
        let certain = stm.certs.iter().all(|c| self.rules.certain.contains(c));
        if !at_index || !certain || self.bound.contains(array) {
            return;
        }
        let ty = self.rules.vars.ty(*array).clone();
        if ty.shape()[0] != self.width {
            return;
        }
        let param = match self.inputs.iter().find(|(a, _)| a == array) {
            Some((_, p)) => p.var,
            None => {
                let name = self.rules.vars.name(*array).clone();
                let param = self.rules.vars.fresh(name, ty.row());
                self.inputs.push((*array, param.clone()));
                param.var
            }
        };
        stm.exp = match indices[1..].to_vec() {
            rest if rest.is_empty() => Exp::SubExp(param.into()),
            indices => Exp::Index { array: param, indices },
        };
    }
}
