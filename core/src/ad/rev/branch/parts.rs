//! Contributions of branches to single elements and rows of an array: these are what they return, and no array is made.

use super::super::adj::Entry;
use super::super::map::FEW;
use super::*;
use crate::hash::SharedMap;

/// The adjoints after a branch.
type Env = SharedMap<Var, Adj>;

/// A contribution to an element or row of an array, from either branch or from both.
pub struct Part {
    of: Var,
    from: [Option<Entry>; 2],
}

impl Part {
    /// Whether both branches contribute at these indices, which are known outside of them: what a branch computes has no name in the other.
    fn is_common(&self) -> bool {
        self.from.iter().all(Option::is_some)
    }

    fn any(&self) -> Option<&Entry> {
        self.from.iter().flatten().next()
    }
}

/// What the branches contribute to an array, if that is to a few of its elements.
pub fn parts(of: Var, outer: &Env, sides: [&Env; 2]) -> Option<Vec<Part>> {
    let entries = |env: &Env| match env.get(&of) {
        None => Some(Vec::new()),
        Some(Adj::Sparse(entries)) => Some(entries.clone()),
        _ => None,
    };
    let before = entries(outer)?;
    let [mut yes, no] = sides.map(|env| entries(env)?.strip_prefix(&before[..]).map(<[Entry]>::to_vec));
    let mut parts = Vec::new();
    for entry in no? {
        let at = yes.as_ref()?.iter().position(|other| other.indices == entry.indices);
        let other = at.and_then(|at| yes.as_mut().map(|yes| yes.remove(at)));
        parts.push(Part { of, from: [other, Some(entry)] });
    }
    parts.extend(yes?.into_iter().map(|entry| Part { of, from: [Some(entry), None] }));
    (parts.len() <= FEW).then_some(parts)
}

impl Rev<'_, '_> {
    /// What a branch returns for a part: unless it is common, the indices, the first of which is −1 where there is nothing to contribute; then the
    /// contribution.
    pub(super) fn part_of(&self, b: &mut Builder, part: &Part, side: usize) -> Vec<SubExp> {
        let Some(any) = part.any() else { return Vec::new() };
        let Some(entry) = &part.from[side] else {
            let zero = self.adjoint_type(&b.vars.ty(part.of).peel(any.indices.len()));
            let value = seed::zero(b, &zero);
            return any.indices.iter().map(|_| SubExp::i64(-1)).chain([value]).collect();
        };
        let mut indices = if part.is_common() { Vec::new() } else { entry.indices.clone() };
        if let ([first, ..], Some(guard)) = (&mut indices[..], entry.guard)
            && guard != *first
        {
            let none = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[guard, SubExp::i64(0)]);
            *first = b.prim_op(Prim::Select(ScalarType::I64), &[none, guard, *first]);
        }
        indices.push(entry.value);
        b.under(entry.certs.clone(), |b| indices.iter().map(|e| b.relying(*e)).collect())
    }

    /// What the branches have returned for a part, which becomes an entry of its array's adjoint.
    pub(super) fn part_of_either(&mut self, b: &mut Builder, part: &Part) -> Vec<Binder> {
        let Some(entry) = part.any() else { return Vec::new() };
        let ty = self.adjoint_type(&b.vars.ty(part.of).peel(entry.indices.len()));
        let mut new = Entry { certs: Vec::new(), ..entry.clone() };
        let mut pat = Vec::new();
        if !part.is_common() {
            pat.extend(new.indices.iter().map(|_| b.vars.fresh("at", Type::I64)));
            new.indices = pat.iter().map(|p| p.var.into()).collect();
            new.guard = new.indices.first().copied();
        }
        let value = b.vars.fresh(format!("{}_adj", b.vars.name(part.of)).as_str(), ty);
        new.value = value.var.into();
        pat.push(value);
        let mut entries = match self.adjoints.remove(&part.of) {
            Some(Adj::Sparse(entries)) => entries,
            _ => Vec::new(),
        };
        entries.push(new);
        self.adjoints.insert(part.of, Adj::Sparse(entries));
        pat
    }
}
