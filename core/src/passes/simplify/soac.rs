//! SOACs: what their arrays are known to be, and results that do not depend on the index.

use super::*;
use crate::ir::build::Builder;
use crate::ir::visit::{VisitMut, walk_body_mut, walk_stm_mut};

impl Rules {
    pub(super) fn screma(&mut self, stm: &mut Stm) -> Option<Outcome> {
        self.known_inputs(stm);
        self.reads_to_inputs(stm);
        self.invariant_results(stm)
    }

    /// A row of a replicate is its value; an array mapped over twice is one parameter.
    fn known_inputs(&mut self, stm: &mut Stm) {
        let Exp::Screma(s) = &mut stm.exp else { return };
        let mut k = 0;
        while k < s.arrays.len() {
            let (array, param) = (s.arrays[k], s.map.params[k].clone());
            let known = !matches!(param.ty, Type::Acc(_)) && !self.consumable.may_be_consumed(param.var);
            let twin = s.arrays[..k].iter().position(|a| *a == array).filter(|_| known);
            let value: Option<SubExp> = match (twin, self.def(array).cloned()) {
                (Some(twin), _) => Some(s.map.params[twin].var.into()),
                (_, Some(Exp::Replicate { shape, value })) if known && shape.len() == 1 => Some(value),
                (_, Some(Exp::Replicate { shape, value })) if known => {
                    let mut b = Builder::new(&mut self.vars, stm.prov);
                    let row = Exp::Replicate { shape: shape[1..].to_vec(), value };
                    b.bind(vec![param.clone()], row);
                    s.map.body.stms.splice(0..0, b.stms);
                    s.arrays.remove(k);
                    s.map.params.remove(k);
                    continue;
                }
                _ => None,
            };
            match value {
                Some(value) => {
                    self.subst.insert(param.var, value);
                    s.arrays.remove(k);
                    s.map.params.remove(k);
                }
                None => k += 1,
            }
        }
        substitute(&mut s.map, &self.subst);
    }

    /// `map (\i -> … xs[i] …) (iota n)` maps over `xs`, when that has n rows.
    fn reads_to_inputs(&mut self, stm: &mut Stm) {
        let Exp::Screma(s) = &mut stm.exp else { return };
        let is_iota = |a: &Var| {
            matches!(self.def(*a), Some(Exp::Iota { start, step, elem: ScalarType::I64, .. })
            if is_int(*start, 0) && is_int(*step, 1))
        };
        let indices: HashSet<Var> =
            s.arrays.iter().zip(&s.map.params).filter(|(a, _)| is_iota(a)).map(|(_, p)| p.var).collect();
        if indices.is_empty() {
            return;
        }
        let mut bound = Bound(HashSet::new());
        bound.lambda(&s.map);
        let mut reads = Reads { rules: self, width: s.width, indices, bound: bound.0, inputs: Vec::new() };
        walk_body_mut(&mut reads, &mut s.map.body);
        for (array, param) in reads.inputs {
            s.arrays.push(array);
            s.map.params.push(param);
        }
    }

    /// A result that is the same at every index is a replicate.
    fn invariant_results(&mut self, stm: &mut Stm) -> Option<Outcome> {
        let Exp::Screma(s) = &mut stm.exp else { return None };
        let (scans, reduces) = s.operand_counts();
        let mut bound = Bound(HashSet::new());
        bound.lambda(&s.map);
        let inside = |e: &SubExp| e.as_var().is_some_and(|v| bound.0.contains(&v));
        let is_value = |b: &Binder| b.ty.elem().is_some();
        let k = (scans + reduces..stm.pat.len()).find(|k| is_value(&stm.pat[*k]) && !inside(&s.map.body.result[*k]))?;
        let value = s.map.body.result.remove(k);
        s.map.ret.remove(k);
        let out = stm.pat.remove(k);
        let exp = Exp::Replicate { shape: vec![s.width], value };
        let replicate = Stm { pat: vec![out.clone()], exp, certs: Vec::new(), attrs: Vec::new(), prov: stm.prov };
        let mut es: Vec<SubExp> = stm.pat.iter().map(|b| b.var.into()).collect();
        es.insert(k, out.var.into());
        let rest = Stm {
            pat: std::mem::take(&mut stm.pat),
            exp: std::mem::replace(&mut stm.exp, Exp::SubExp(value)),
            ..stm.clone()
        };
        stm.pat = rest.pat.clone();
        stm.pat.insert(k, out);
        let stms = if rest.pat.is_empty() { vec![replicate] } else { vec![rest, replicate] };
        Some(Outcome::Code(stms, es))
    }
}

/// Collects what is bound inside.
struct Bound(HashSet<Var>);

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
        let ty = self.rules.vars.ty(*array).clone();
        let certain = stm.certs.iter().all(|c| self.rules.certain.contains(c));
        if !at_index || !certain || self.bound.contains(array) || ty.shape()[0] != self.width {
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
