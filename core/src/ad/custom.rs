//! Functions with derivatives of their own, once nothing around them is differentiated any more: they are their λ, applied.

use super::bind_params;
use crate::ir::build::{Builder, Vars};
use crate::ir::visit::{VisitMut, walk_exp_mut, walk_fun_mut};
use crate::ir::*;

/// Replaces every custom function by its λ applied; the rules go.
pub fn apply(funs: &mut [Fun], vars: &mut Vars) {
    funs.iter_mut().for_each(|f| walk_fun_mut(&mut Apply(vars), f));
}

struct Apply<'a>(&'a mut Vars);

impl VisitMut for Apply<'_> {
    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            walk_exp_mut(self, &mut stm.exp);
            let Exp::Custom(c) = stm.exp else {
                body.stms.push(stm);
                continue;
            };
            let mut b = Builder::new(self.0, stm.prov);
            bind_params(&mut b, &c.lambda.params, &c.args);
            let results = b.splice(c.lambda.body);
            b.certs = stm.certs;
            for (p, e) in stm.pat.into_iter().zip(results.into_iter().skip(c.saved)) {
                b.bind(vec![p], Exp::SubExp(e));
            }
            body.stms.extend(b.stms);
        }
    }
}
