//! Copies that are not needed: `let y = copy x` where x is bound to a new array in the same body, and neither x nor what may share storage with it is
//! used any more. Then y is x, and may be consumed as y was.

use crate::analysis::alias::consumable;
use crate::hash::{HashMap, HashSet};
use crate::ir::visit::{VisitMut, free_vars, substitute, walk_exp_mut};
use crate::ir::*;

/// Removes them.
pub fn copies(mut program: Program) -> Program {
    let groups = consumable(&program);
    for fun in &mut program.funs {
        let mut copies = Copies { group: &|v| groups.group(v), subst: HashMap::default() };
        copies.body(&mut fun.body);
    }
    program
}

struct Copies<'a> {
    group: &'a dyn Fn(Var) -> Var,
    subst: HashMap<Var, SubExp>,
}

impl VisitMut for Copies<'_> {
    fn body(&mut self, body: &mut Body) {
        // groups of what is used after the statement at hand
        let mut after: HashSet<Var> = body.result.iter().filter_map(|e| e.as_var()).map(self.group).collect();
        let fresh: HashSet<Var> = body.stms.iter().flat_map(fresh).collect();
        let mut dead = vec![false; body.stms.len()];
        let mut gone = Vec::new();
        for (i, stm) in body.stms.iter().enumerate().rev() {
            if let Exp::Copy(x) = &stm.exp {
                // what relies on a check stays, or the program would not fail where it did
                dead[i] = stm.certs.is_empty() && fresh.contains(x) && !after.contains(&(self.group)(*x));
            }
            if dead[i]
                && let Exp::Copy(x) = &stm.exp
            {
                // from here on up, x is used where y was; y's uses are what follows
                gone.push((stm.pat[0].var, *x));
            }
            after.extend(free_vars(stm).into_iter().map(self.group));
        }
        // from the first on: of a copy of a copy, what the latter stands for is known
        for (y, x) in gone.into_iter().rev() {
            let e = self.subst.get(&x).copied().unwrap_or(x.into());
            self.subst.insert(y, e);
        }
        let mut dead = dead.into_iter();
        body.stms.retain(|_| dead.next() == Some(false));
        for stm in &mut body.stms {
            substitute(stm, &self.subst);
            walk_exp_mut(self, &mut stm.exp);
        }
        for e in &mut body.result {
            substitute(e, &self.subst);
        }
    }
}

/// What a statement binds to new arrays.
pub fn fresh(stm: &Stm) -> Vec<Var> {
    let pat = |keep: &dyn Fn(usize) -> bool| {
        stm.pat.iter().enumerate().filter(|(k, _)| keep(*k)).map(|(_, b)| b.var).collect()
    };
    match &stm.exp {
        Exp::ArrayLit { .. }
        | Exp::Update { .. }
        | Exp::UpdateSlice { .. }
        | Exp::FlatUpdate { .. }
        | Exp::Iota { .. }
        | Exp::Replicate { .. }
        | Exp::Scratch { .. }
        | Exp::Manifest { .. }
        | Exp::Reverse { .. }
        | Exp::Rotate { .. }
        | Exp::Concat { .. }
        | Exp::Copy(_)
        | Exp::Screma(_)
        | Exp::Hist(_)
        | Exp::Scatter(_)
        | Exp::Stream(_)
        | Exp::FlatMap(_)
        | Exp::SegOp(_) => pat(&|_| true),
        Exp::Loop { params, .. } => pat(&|k| params[k].unique),
        Exp::WithAcc(w) => {
            let arrays: usize = w.inputs.iter().map(|i| i.arrays.len()).sum();
            pat(&|k| k < arrays)
        }
        // scalars, views, and what may be one of its operands
        Exp::SubExp(_)
        | Exp::Opaque(_)
        | Exp::Prim(..)
        | Exp::Index { .. }
        | Exp::Slice { .. }
        | Exp::FlatIndex { .. }
        | Exp::Rearrange { .. }
        | Exp::Reshape { .. }
        | Exp::Coerce { .. }
        | Exp::Check(_)
        | Exp::Apply { .. }
        | Exp::If { .. }
        | Exp::Match { .. }
        | Exp::UpdAcc { .. }
        | Exp::Jvp(_)
        | Exp::Vjp(_)
        | Exp::Custom(_) => Vec::new(),
    }
}
