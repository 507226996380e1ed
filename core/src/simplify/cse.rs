//! Common subexpressions: what a dominating statement has computed already is not computed again. Arrays that may be consumed are left alone.

use super::derivatives::adds_up;
use crate::analysis::Analyses;
use crate::analysis::alias::Consumable;
use crate::hash::HashMap;
use crate::ir::visit::{Visit, VisitMut, substitute, walk_exp, walk_exp_mut};
use crate::ir::*;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Removes common subexpressions.
pub fn cse(mut program: Program, known: &mut Analyses) -> Program {
    let (consumable, differentiates) = (known.consumable(&program), known.differentiates(&program));
    let Program { funs, prov } = &mut program;
    for fun in funs {
        let mut cse =
            Cse { consumable: &consumable, differentiates, seen: HashMap::default(), subst: HashMap::default(), prov };
        cse.body(&mut fun.body);
        if !cse.subst.is_empty() {
            known.changed();
        }
    }
    program
}

struct Cse<'a> {
    consumable: &'a Consumable,
    /// Whether derivatives are still to be taken.
    differentiates: bool,
    /// The statements that dominate and whose value may be used again, by the hash of their expressions.
    seen: HashMap<u64, Vec<Stm>>,
    subst: HashMap<Var, SubExp>,
    prov: &'a mut ProvTable,
}

impl VisitMut for Cse<'_> {
    fn body(&mut self, body: &mut Body) {
        let mut here: Vec<u64> = Vec::new();
        let mut merged: HashMap<Var, Vec<Prov>> = HashMap::default();
        for mut stm in std::mem::take(&mut body.stms) {
            substitute(&mut stm, &self.subst);
            let adds_up = !matches!(&stm.exp, Exp::Prim(op, _) if self.differentiates && !adds_up(*op));
            if !mergeable(&stm.exp) || !adds_up || !self.is_shareable(&stm.pat[0]) {
                walk_exp_mut(self, &mut stm.exp);
                body.stms.push(stm);
                continue;
            }
            let key = hash(&stm.exp);
            let twin = self.seen.get(&key).and_then(|stms| stms.iter().find(|s| same(s, &stm)));
            match twin {
                Some(twin) => {
                    merged.entry(twin.pat[0].var).or_default().push(stm.prov);
                    self.subst.insert(stm.pat[0].var, twin.pat[0].var.into());
                }
                None => {
                    self.seen.entry(key).or_default().push(stm.clone());
                    here.push(key);
                    body.stms.push(stm);
                }
            }
        }
        for e in &mut body.result {
            substitute(e, &self.subst);
        }
        for stm in &mut body.stms {
            // mutant: what others are merged with has one result
            for prov in stm.pat.first().and_then(|b| merged.remove(&b.var)).unwrap_or_default() {
                stm.prov = merge(self.prov, stm.prov, prov);
            }
        }
        // what stands in this body dominates nothing behind it
        for key in here {
            self.seen.get_mut(&key).map(Vec::pop);
        }
    }
}

/// Both provenances, unless they come from one place.
fn merge(table: &mut ProvTable, a: Prov, b: Prov) -> Prov {
    if table.span(a) == table.span(b) { a } else { table.merge(a, b) }
}

impl Cse<'_> {
    fn is_shareable(&self, b: &Binder) -> bool {
        !matches!(b.ty, Type::Array(..)) || !self.consumable.may_be_consumed(b.var)
    }
}

fn same(before: &Stm, stm: &Stm) -> bool {
    before.exp == stm.exp
        // neither may rely on a check that the other does not: that would drop a failure, or add one
        && before.certs.len() == stm.certs.len()
        && before.certs.iter().all(|c| stm.certs.contains(c))
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
            // mutant: with a coarser hash more expressions share a place in the table; whether they are equal is compared all the same
            v.hash(&mut self.0);
        }
        fn subexp(&mut self, e: &SubExp) {
            e.hash(&mut self.0);
        }
        fn dim(&mut self, d: &Dim) {
            d.hash(&mut self.0);
        }
    }
    let mut hasher = DefaultHasher::new();
    // mutant: with a coarser hash more expressions share a place in the table; whether they are equal is compared all the same
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
