//! Arrays that are one in the IR and must not be.
//!
//! Note [Arrays that come apart]: uniqueness belongs to the source's values, and an array of tuples is one value there. Here it is several arrays, which may
//! share storage: those of `zip xs xs`, those of a pair whose halves are one array, and all results of a call that may return its argument. What the
//! source may consume or give up as a whole, the IR may then not consume array by array. A copy of one of them is always right, so that the checker's
//! rules say where copies go; nothing is copied unless they ask for it.

use crate::hash::{HashMap, HashSet};
use crate::ir::build::Vars;
use crate::ir::check::{Clash, clashes};
use crate::ir::visit::{VisitMut, walk_exp_mut};
use crate::ir::*;

/// Copies arrays where the checker's rules of consumption ask for it. What is left is no matter of copies.
pub fn apart(program: &mut Program, vars: &mut Vars) {
    loop {
        let clashes: HashSet<Clash> = clashes(program, vars).into_iter().collect();
        if clashes.is_empty() {
            return;
        }
        let unique = program.funs.iter().map(|f| (f.name.clone(), f.params.iter().map(|p| p.unique).collect()));
        let mut apart = Apart { vars, clashes, unique: unique.collect(), done: 0 };
        for fun in &mut program.funs {
            apart.body(&mut fun.body);
            let name = &fun.name;
            apart.results(&mut fun.body, |result| Clash::Result { fun: name.clone(), result });
        }
        // a copy is an operand that nothing else has: each is made at most once
        if apart.done == 0 {
            return;
        }
    }
}

struct Apart<'a> {
    vars: &'a mut Vars,
    clashes: HashSet<Clash>,
    /// Which parameters of the functions are unique.
    unique: HashMap<Name, Vec<bool>>,
    /// How many copies have been made.
    done: usize,
}

impl Apart<'_> {
    fn copy(&mut self, array: Var, prov: Prov) -> (Stm, Var) {
        let (name, ty) = (self.vars.name(array).clone(), self.vars.ty(array).clone());
        let binder = self.vars.fresh(name, ty);
        let var = binder.var;
        (Stm { pat: vec![binder], exp: Exp::Copy(array), certs: Vec::new(), attrs: Vec::new(), prov }, var)
    }

    /// Copies those results of a body that clash.
    fn results(&mut self, body: &mut Body, clash: impl Fn(usize) -> Clash) {
        for i in 0..body.result.len() {
            if let Some(array) = body.result[i].as_var()
                && self.clashes.contains(&clash(i))
            {
                let prov = body.stms.last().map_or(Prov::UNKNOWN, |s| s.prov);
                let (stm, var) = self.copy(array, prov);
                self.done += 1;
                body.stms.push(stm);
                body.result[i] = var.into();
            }
        }
    }
}

enum Operand<'e> {
    Var(&'e mut Var),
    SubExp(&'e mut SubExp),
}

impl VisitMut for Apart<'_> {
    fn body(&mut self, body: &mut Body) {
        for mut stm in body.take_stms() {
            let first = stm.pat.first().map(|b| b.var);
            let here = |c: &Clash| matches!(c, Clash::Operand { stm, .. } if Some(*stm) == first);
            let mut arrays: Vec<Var> = (self.clashes.iter().filter(|c| here(c)))
                .filter_map(|c| if let Clash::Operand { array, .. } = c { Some(*array) } else { None })
                .collect();
            arrays.sort();
            for array in arrays {
                let (copy, var) = self.copy(array, stm.prov);
                match operand(&self.unique, &mut stm.exp, array) {
                    Some(Operand::Var(v)) => *v = var,
                    Some(Operand::SubExp(e)) => *e = var.into(),
                    None => continue,
                }
                self.done += 1;
                body.stms.push(copy);
            }
            walk_exp_mut(self, &mut stm.exp);
            if let (Exp::Loop { body, .. }, Some(stm)) = (&mut stm.exp, first) {
                self.results(body, |result| Clash::Next { stm, result });
            }
            body.stms.push(stm);
        }
    }
}

/// The first operand that a statement may consume, and that is this array: of a call, one that it does consume.
fn operand<'e>(unique: &HashMap<Name, Vec<bool>>, exp: &'e mut Exp, array: Var) -> Option<Operand<'e>> {
    let is = |v: &&mut Var| **v == array;
    let of_vars = |v: Option<&'e mut Var>| v.map(Operand::Var);
    match exp {
        Exp::Update { array: a, .. } | Exp::UpdateSlice { array: a, .. } | Exp::FlatUpdate { array: a, .. } => {
            of_vars(Some(a).filter(is))
        }
        Exp::Apply { fun, args } => {
            let unique = unique.get(fun)?;
            let mut consumed = args.iter_mut().zip(unique).filter(|(e, u)| **u && e.as_var() == Some(array));
            consumed.next().map(|(e, _)| Operand::SubExp(e))
        }
        Exp::Loop { params, .. } => {
            let mut consumed = params.iter_mut().filter(|p| p.unique && p.init.as_var() == Some(array));
            consumed.next().map(|p| Operand::SubExp(&mut p.init))
        }
        Exp::Scatter(s) => of_vars(s.dests.iter_mut().map(|d| &mut d.array).chain(&mut s.arrays).find(is)),
        Exp::Hist(h) => of_vars(h.ops.iter_mut().flat_map(|op| &mut op.dests).chain(&mut h.arrays).find(is)),
        Exp::WithAcc(w) => of_vars(w.inputs.iter_mut().flat_map(|i| &mut i.arrays).find(is)),
        Exp::Screma(s) => of_vars(s.arrays.iter_mut().find(is)),
        Exp::Stream(s) => of_vars(s.arrays.iter_mut().find(is)),
        Exp::FlatMap(f) => of_vars(f.arrays.iter_mut().find(is)),
        _ => None,
    }
}
