//! Contributions of branches to single elements and rows of an array: these are what they return, and no array is made.

use super::super::adj::Entry;
use super::super::map::FEW;
use super::*;

/// The adjoints after a branch.
type Env = im::HashMap<Var, Adj>;

/// A contribution to an element or row of an array, from either branch or from both.
pub struct Part {
    of: Var,
    from: [Option<Entry>; 2],
}

impl Part {
    /// Whether both branches contribute at these indices, known outside of them.
    fn is_common(&self) -> bool {
        self.from.iter().all(Option::is_some)
    }

    fn any(&self) -> Option<&Entry> {
        self.from.iter().flatten().next()
    }
}

/// What the branches contribute to an array, if that is to a few of its elements; `first` is the first variable bound in them.
pub fn parts(of: Var, outer: &Env, sides: [&Env; 2], first: u32) -> Option<Vec<Part>> {
    let entries = |env: &Env| match env.get(&of) {
        None => Some(Vec::new()),
        Some(Adj::Sparse(entries)) => Some(entries.clone()),
        _ => None,
    };
    let before = entries(outer)?;
    let [mut yes, no] = sides.map(|env| entries(env)?.strip_prefix(&before[..]).map(<[Entry]>::to_vec));
    let mut parts = Vec::new();
    for entry in no? {
        let known = entry.guard.is_none() && entry.indices.iter().all(|e| e.as_var().is_none_or(|v| v.0 < first));
        let same = |other: &Entry| known && other.guard.is_none() && other.indices == entry.indices;
        let at = yes.as_ref()?.iter().position(same);
        let other = at.and_then(|at| yes.as_mut().map(|yes| yes.remove(at)));
        parts.push(Part { of, from: [other, Some(entry)] });
    }
    parts.extend(yes?.into_iter().map(|entry| Part { of, from: [Some(entry), None] }));
    let indexed = parts.iter().all(|part| part.any().is_some_and(|entry| !entry.indices.is_empty()));
    (indexed && parts.len() <= FEW).then_some(parts)
}

impl Rev<'_, '_> {
    /// What a branch returns for a part: unless it is common, the indices, −1 where there is nothing to contribute; then the contribution.
    pub(super) fn part_of(&self, b: &mut Builder, part: &Part, side: usize) -> Vec<SubExp> {
        let Some(any) = part.any() else { return Vec::new() };
        let Some(entry) = &part.from[side] else {
            let zero = self.adjoint_type(&b.vars.ty(part.of).peel(any.indices.len()));
            let value = seed::zero(b, &zero);
            return any.indices.iter().map(|_| SubExp::i64(-1)).chain([value]).collect();
        };
        b.under(entry.certs.clone(), |b| {
            let indices = if part.is_common() { &[] } else { &entry.indices[..] };
            indices.iter().chain([&entry.value]).map(|e| b.relying(*e)).collect()
        })
    }
    /// What the branches have returned for a part, which becomes an entry of its array's adjoint.
    pub(super) fn part_of_either(&mut self, b: &mut Builder, part: &Part) -> Vec<Binder> {
        let Some(entry) = part.any() else { return Vec::new() };
        let ty = self.adjoint_type(&b.vars.ty(part.of).peel(entry.indices.len()));
        let mut new = Entry { certs: Vec::new(), guard: None, ..entry.clone() };
        let mut pat = Vec::new();
        if !part.is_common() {
            let at = entry.guard.and_then(|guard| new.indices.iter().position(|e| *e == guard)).unwrap_or(0);
            pat.extend(new.indices.iter().map(|_| b.vars.fresh("at", Type::I64)));
            new.indices = pat.iter().map(|p| p.var.into()).collect();
            new.guard = Some(new.indices[at]);
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
