//! Functions with derivatives of their own: what they may not have, and what becomes of them once nothing around them is differentiated any more: they are
//! their λ, applied.

use super::{Res, bind_params, rewritten, unsupported};
use crate::ir::build::{Builder, Vars};
use crate::ir::visit::free_vars;
use crate::ir::*;

/// Refuses a derivative with respect to a float that the function reads from outside, of which its rules say nothing. (Integers are indices and sizes.)
pub fn closed_over(b: &Builder, c: &Custom, varies: impl Fn(Var) -> bool, prov: Prov) -> Res<()> {
    // mutant: what has no elements is a certificate here, of which there are no derivatives: none varies
    let is_float = |v: &Var| b.vars.ty(*v).elem().is_some_and(|t| t.is_float());
    if free_vars(&c.lambda).into_iter().filter(is_float).any(varies) {
        return unsupported(
            "a function with a derivative of its own",
            "it does not say what the derivative with respect to a free variable is: make that part of its argument",
            prov,
        );
    }
    Ok(())
}

/// Replaces every custom function by its λ applied; the rules go.
pub fn apply(funs: &mut [Fun], vars: &mut Vars) {
    for f in funs {
        f.body = rewritten(vars, &f.body, &mut |b, stm| match stm.exp {
            Exp::Custom(c) => inlined(b, *c, stm.certs, stm.pat),
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
