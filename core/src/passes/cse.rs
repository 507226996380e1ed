//! Common subexpressions: what a dominating statement has computed already is not computed again. Arrays that may be consumed are left alone.

use super::alias::{Consumable, consumable};
use super::derivatives::{adds_up, differentiates};
use crate::ir::visit::{Visit, VisitMut, substitute, walk_exp, walk_exp_mut};
use crate::ir::*;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Removes common subexpressions.
pub fn cse(mut program: Program) -> Program {
    let (consumable, differentiates) = (consumable(&program), differentiates(&program));
    let Program { funs, prov } = &mut program;
    for fun in funs {
        let mut cse =
            Cse { consumable: &consumable, differentiates, seen: im::HashMap::new(), subst: HashMap::new(), prov };
        cse.body(&mut fun.body);
    }
    program
}

struct Cse<'a> {
    consumable: &'a Consumable,
    /// Whether derivatives are still to be taken.
    differentiates: bool,
    /// The statements that dominate, by the hash of their expressions.
    seen: im::HashMap<u64, Vec<Stm>>,
    subst: HashMap<Var, SubExp>,
    prov: &'a mut ProvTable,
}

impl VisitMut for Cse<'_> {
    fn body(&mut self, body: &mut Body) {
        let outer = self.seen.clone();
        let mut merged: Vec<(Var, Prov)> = Vec::new();
        for mut stm in std::mem::take(&mut body.stms) {
            substitute(&mut stm, &self.subst);
            let adds_up = !matches!(&stm.exp, Exp::Prim(op, _) if self.differentiates && !adds_up(*op));
            if !mergeable(&stm.exp) || !adds_up {
                walk_exp_mut(self, &mut stm.exp);
                body.stms.push(stm);
                continue;
            }
            let key = hash(&stm.exp);
            let twin = self.seen.get(&key).and_then(|stms| stms.iter().find(|s| self.same(s, &stm)));
            match twin {
                Some(twin) => {
                    merged.push((twin.pat[0].var, stm.prov));
                    self.subst.insert(stm.pat[0].var, twin.pat[0].var.into());
                }
                None => {
                    let mut stms = self.seen.get(&key).cloned().unwrap_or_default();
                    stms.push(stm.clone());
                    self.seen.insert(key, stms);
                    body.stms.push(stm);
                }
            }
        }
        for e in &mut body.result {
            substitute(e, &self.subst);
        }
        for (v, prov) in merged {
            if let Some(stm) = body.stms.iter_mut().find(|s| matches!(&s.pat[..], [b] if b.var == v)) {
                stm.prov = merge(self.prov, stm.prov, prov);
            }
        }
        self.seen = outer;
    }
}

/// Both provenances, unless they come from one place.
fn merge(table: &mut ProvTable, a: Prov, b: Prov) -> Prov {
    if table.span(a) == table.span(b) { a } else { table.merge(a, b) }
}

impl Cse<'_> {
    fn same(&self, before: &Stm, stm: &Stm) -> bool {
        let free = |b: &Binder| !matches!(b.ty, Type::Array(..)) || !self.consumable.may_be_consumed(b.var);
        before.exp == stm.exp
            && free(&before.pat[0])
            && free(&stm.pat[0])
            // neither may rely on a check that the other does not: that would drop a failure, or add one
            && before.certs.len() == stm.certs.len()
            && before.certs.iter().all(|c| stm.certs.contains(c))
    }
}

/// Expressions without bodies, of one result, whose value and type depend on their operands alone. Not what is opaque: each is a value of its own.
fn mergeable(exp: &Exp) -> bool {
    matches!(
        exp,
        Exp::Prim(..)
            | Exp::ArrayLit { .. }
            | Exp::Index { .. }
            | Exp::Slice { .. }
            | Exp::FlatIndex { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Rearrange { .. }
            | Exp::Reshape { .. }
            | Exp::Coerce { .. }
            | Exp::Manifest { .. }
            | Exp::Reverse { .. }
            | Exp::Rotate { .. }
            | Exp::Concat { .. }
            | Exp::Check(_)
    )
}

/// A hash that agrees on equal expressions: of the kind and the operands. Whether they are equal is then compared.
fn hash(exp: &Exp) -> u64 {
    struct Vars(DefaultHasher);
    impl Visit for Vars {
        fn var(&mut self, v: &Var) {
            v.hash(&mut self.0);
        }
        fn subexp(&mut self, e: &SubExp) {
            e.hash(&mut self.0);
        }
    }
    let mut hasher = DefaultHasher::new();
    std::mem::discriminant(exp).hash(&mut hasher);
    match exp {
        Exp::Prim(op, _) => op.hash(&mut hasher),
        Exp::Rearrange { perm, .. } | Exp::Manifest { perm, .. } => perm.hash(&mut hasher),
        _ => {}
    }
    let mut vars = Vars(hasher);
    walk_exp(&mut vars, exp);
    vars.0.finish()
}
