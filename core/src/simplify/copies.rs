//! Copies that are not needed: `let y = copy x` where x is bound to a new array in the same body, or is a unique parameter of the function whose body it is, and neither x nor what may
//! share storage with it is used any more. Then y is x, and may be consumed as y was.

use crate::analysis::Analyses;
use crate::hash::{HashMap, HashSet};
use crate::ir::visit::{VisitMut, free_vars, substitute, walk_exp_mut};
use crate::ir::*;

/// Removes them.
pub fn copies(mut program: Program, known: &mut Analyses) -> Program {
    let groups = known.consumable(&program);
    for fun in &mut program.funs {
        let own = fun.params.iter().filter(|p| p.unique).map(|p| p.binder.var).collect();
        let mut copies = Copies { group: &|v| groups.group(v), subst: HashMap::default() };
        copies.within(&mut fun.body, own);
        if !copies.subst.is_empty() {
            known.changed();
        }
    }
    program
}

struct Copies<'a> {
    group: &'a dyn Fn(Var) -> Var,
    subst: HashMap<Var, SubExp>,
}

impl Copies<'_> {
    /// Removes them from a body that also has these arrays for itself.
    fn within(&mut self, body: &mut Body, mut fresh: HashSet<Var>) {
        // groups of what is used after the statement at hand
        let mut after: HashSet<Var> = body.result.iter().filter_map(|e| e.as_var()).map(self.group).collect();
        fresh.extend(body.stms.iter().flat_map(Stm::fresh));
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

impl VisitMut for Copies<'_> {
    fn body(&mut self, body: &mut Body) {
        self.within(body, HashSet::default());
    }
}
