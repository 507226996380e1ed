//! The one renaming: gives every binder of a piece of IR a fresh variable, so that binders stay unique when code is duplicated.

use super::build::Vars;
use super::visit::{Node, VisitMut, substitute};
use super::*;
use crate::hash::HashMap;

/// A copy of the node with fresh binders; free variables stay.
pub fn renamed<N: Node + Clone>(node: &N, vars: &mut Vars) -> N {
    let mut copy = node.clone();
    copy.visit_mut(&mut Rename { vars, map: HashMap::default() });
    copy
}

/// A copy of the lambda with fresh binders, applied: its parameters replaced by the arguments.
///
/// # Panics
/// When there are fewer arguments than parameters.
pub fn applied(lambda: &Lambda, args: &[SubExp], vars: &mut Vars) -> Body {
    let mut lambda = renamed(lambda, vars);
    let subst = lambda.params.iter().enumerate().map(|(i, p)| (p.var, args[i])).collect();
    substitute(&mut lambda.body, &subst);
    lambda.body
}

struct Rename<'a> {
    vars: &'a mut Vars,
    map: HashMap<Var, Var>,
}

impl VisitMut for Rename<'_> {
    fn var(&mut self, v: &mut Var) {
        if let Some(new) = self.map.get(v) {
            *v = *new;
        }
    }
    fn bind(&mut self, b: &mut Binder) {
        self.ty(&mut b.ty);
        let fresh = self.vars.fresh(b.name.clone(), b.ty.clone());
        self.map.insert(b.var, fresh.var);
        b.var = fresh.var;
    }
}
