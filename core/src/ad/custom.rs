//! Functions with derivatives of their own, once nothing around them is differentiated any more: they are their λ, applied.

use super::{bind_params, rewritten};
use crate::ir::build::{Builder, Vars};
use crate::ir::*;

/// Replaces every custom function by its λ applied; the rules go.
pub fn apply(funs: &mut [Fun], vars: &mut Vars) {
    for f in funs {
        f.body = rewritten(vars, &f.body, &mut |b, stm| match stm.exp {
            Exp::Custom(c) => inlined(b, c, stm.certs, stm.pat),
            exp => b.push(Stm { exp, ..stm }),
        });
    }
}

/// Binds the results of a custom function, from its λ.
pub fn inlined(b: &mut Builder, c: Custom, certs: Vec<Var>, pat: Vec<Binder>) {
    bind_params(b, &c.lambda.params, &c.args);
    let results = b.splice(c.lambda.body);
    b.certs = certs;
    for (p, e) in pat.into_iter().zip(results.into_iter().skip(c.saved)) {
        b.bind(vec![p], Exp::SubExp(e));
    }
}
