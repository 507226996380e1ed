//! Common subexpressions: what a dominating statement has computed already is not computed again. Arrays that may be consumed are left alone.

use super::derivatives::adds_up;
use crate::analysis::Analyses;
use crate::analysis::alias::Consumable;
use crate::hash::HashMap;
use crate::ir::visit::{Visit, VisitMut, substitute, walk_exp, walk_exp_mut};
use crate::ir::*;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Removes common subexpressions, and does nothing else. (The simplifier's rules have [`Seen`] on their way.)
pub fn cse(mut program: Program, known: &mut Analyses) -> Program {
    let (consumable, differentiates) = (known.consumable(&program), known.differentiates(&program));
    let Program { funs, prov } = &mut program;
    for fun in funs {
        let (seen, subst) = (Seen::default(), HashMap::default());
        let mut cse = Cse { consumable: &consumable, differentiates, seen, subst, prov };
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
    seen: Seen,
    subst: HashMap<Var, SubExp>,
    prov: &'a mut ProvTable,
}

impl VisitMut for Cse<'_> {
    fn body(&mut self, body: &mut Body) {
        let outside = self.seen.enter();
        for mut stm in body.take_stms() {
            substitute(&mut stm, &self.subst);
            walk_exp_mut(self, &mut stm.exp);
            match self.twin(&stm) {
                Some(twin) => _ = self.subst.insert(stm.pat[0].var, twin.into()),
                None => body.stms.push(stm),
            }
        }
        for e in &mut body.result {
            substitute(e, &self.subst);
        }
        self.seen.leave(outside, body, self.prov);
    }
}

impl Cse<'_> {
    fn twin(&mut self, stm: &Stm) -> Option<Var> {
        // mutant swap: what may be used again has one result
        let may_be_consumed = stm.pat.first().is_some_and(|b| self.consumable.may_be_consumed(b.var));
        self.seen.twin(stm, self.differentiates, may_be_consumed)
    }
}

/// The statements that dominate what comes next, and whose value may be used again.
#[derive(Default)]
pub struct Seen {
    /// By the hash of their expressions.
    stms: HashMap<u64, Vec<Stm>>,
    here: Here,
}

/// What has been seen of a body.
#[derive(Default)]
pub struct Here {
    hashes: Vec<u64>,
    /// For a statement's variable, the places of those that it stands for.
    merged: HashMap<Var, Vec<Prov>>,
}

impl Seen {
    /// A body begins; the one around it goes on when this one is left.
    pub fn enter(&mut self) -> Here {
        std::mem::take(&mut self.here)
    }

    /// A body ends, in which statements also stand for those that were merged with them, and which dominates nothing behind it.
    pub fn leave(&mut self, outside: Here, body: &mut Body, prov: &mut ProvTable) {
        let Here { hashes, mut merged } = std::mem::replace(&mut self.here, outside);
        for stm in &mut body.stms {
            // mutant: what others are merged with has one result
            for other in stm.pat.first().and_then(|b| merged.remove(&b.var)).unwrap_or_default() {
                stm.prov = merge(prov, stm.prov, other);
            }
        }
        for hash in hashes {
            self.stms.get_mut(&hash).map(Vec::pop);
        }
    }

    /// The variable of a statement that has computed the same before, if derivatives, and what may be consumed, let it stand for this one's. What is new is
    /// such a statement from now on.
    pub fn twin(&mut self, stm: &Stm, differentiates: bool, may_be_consumed: bool) -> Option<Var> {
        let adds_up = !matches!(&stm.exp, Exp::Prim(op, _) if differentiates && !adds_up(*op));
        let is_own = stm.attr(Attr::ENOUGH).is_some();
        if !mergeable(&stm.exp) || !adds_up || is_own || may_be_consumed {
            return None;
        }
        let hash = hash(&stm.exp);
        let alike = self.stms.entry(hash).or_default();
        if let Some(twin) = alike.iter().find(|s| same(s, stm)) {
            let twin = twin.pat[0].var;
            self.here.merged.entry(twin).or_default().push(stm.prov);
            return Some(twin);
        }
        alike.push(stm.clone());
        self.here.hashes.push(hash);
        None
    }
}

/// Both provenances, unless they come from one place.
fn merge(table: &mut ProvTable, a: Prov, b: Prov) -> Prov {
    if table.span(a) == table.span(b) { a } else { table.merge(a, b) }
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
            // mutant: the same
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
