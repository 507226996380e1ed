//! Return sweep of `if`: the forward sweep of the branch taken is executed again inside the branch; both branches return the adjoints of all
//! variables that one of them has contributed to (digest 002 §1A.8). The condition has no adjoint. Of an array to which they have contributed single elements, these are
//! returned, and no array is made.

use super::adj::Entry;
use super::map::FEW;
use super::*;
use crate::passes::alias::consumable_in;

/// The adjoints after a branch.
type Env = im::HashMap<Var, Adj>;

/// A contribution to an element or row of an array, from either branch or from both.
struct Part {
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
fn parts(of: Var, outer: &Env, sides: [&Env; 2], first: u32) -> Option<Vec<Part>> {
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
    pub(super) fn branch(
        &mut self,
        b: &mut Builder,
        cond: SubExp,
        yes: &Body,
        no: &Body,
        adjoints: Vec<Option<Adj>>,
    ) -> Res<()> {
        let mut free = self.active_free(b, yes);
        free.extend(self.active_free(b, no).into_iter().filter(|v| !free.contains(v)).collect::<Vec<_>>());
        let outer = self.adjoints.clone();
        let first = b.vars.count();
        let states = self.states();
        let mut sides = Vec::new();
        let mut undone = Vec::new();
        for body in [yes, no] {
            let mut inner = Builder::new(b.vars, b.prov);
            self.again(&mut inner, body, adjoints.clone())?;
            sides.push((inner.stms, std::mem::replace(&mut self.adjoints, outer.clone())));
            undone.push(self.states());
            self.set_states(&states);
        }
        // of arrays that go by tapes, those that a branch has made its updates of again
        let changed: Vec<usize> =
            (0..states.len()).filter(|t| undone.iter().any(|side| side[*t] != states[*t])).collect();
        let mut touched: Vec<Var> =
            free.into_iter().filter(|v| sides.iter().any(|(_, env)| env.get(v) != outer.get(v))).collect();
        let mut few = Vec::new();
        if let [(_, yes), (_, no)] = &sides[..] {
            touched.retain(|v| match parts(*v, &outer, [yes, no], first) {
                Some(parts) => {
                    few.extend(parts);
                    false
                }
                None => true,
            });
        }
        let mut bodies = Vec::new();
        let mut owned = vec![true; touched.len()];
        for (side, ((stms, env), undone)) in sides.into_iter().zip(undone).enumerate() {
            let mut inner = Builder::new(b.vars, b.prov);
            inner.stms = stms;
            self.adjoints = env;
            let mut result = Vec::new();
            for (v, owned) in touched.iter().zip(&mut owned) {
                let (value, mine) = self.take_or_zero(&mut inner, *v);
                // a value from outside is ours only if it is this variable's adjoint from before, or that of a result and nobody else's (whether two
                // variables get it is seen below)
                let inside = value.as_var().is_none_or(|w| w.0 >= first);
                let same = matches!(outer.get(v), Some(Adj::Dense(old, _)) if *old == value);
                let given = adjoints.contains(&Some(Adj::Dense(value, true)));
                *owned &= mine && (inside || same || given);
                result.push(value);
            }
            for part in &few {
                result.extend(self.part(&mut inner, part, side));
            }
            result.extend(changed.iter().map(|t| SubExp::Var(undone[*t])));
            bodies.push(Body { stms: inner.stms, result });
        }
        self.adjoints = outer;
        if touched.is_empty() && few.is_empty() {
            return Ok(());
        }
        let pat: Vec<Binder> = touched
            .iter()
            .map(|v| {
                let ty = match self.adjoints.get(v) {
                    Some(Adj::Acc(acc)) => b.vars.ty(*acc).clone(),
                    _ => self.adjoint_type(b.vars.ty(*v)),
                };
                b.vars.fresh(format!("{}_adj", b.vars.name(*v)).as_str(), ty)
            })
            .collect();
        let (Some(no), Some(yes)) = (bodies.pop(), bodies.pop()) else { return Ok(()) };
        let mut states = states;
        let mut all = pat.clone();
        for part in few {
            let Some(entry) = part.any() else { continue };
            let rank = entry.indices.len();
            let ty = self.adjoint_type(&b.vars.ty(part.of).peel(rank));
            let mut indices = entry.indices.clone();
            let mut guard = None;
            if !part.is_common() {
                let at = entry.guard.and_then(|guard| indices.iter().position(|e| *e == guard)).unwrap_or(0);
                let out: Vec<Binder> = indices.iter().map(|_| b.vars.fresh("at", Type::I64)).collect();
                indices = out.iter().map(|p| p.var.into()).collect();
                guard = Some(indices[at]);
                all.extend(out);
            }
            let value = b.vars.fresh(format!("{}_adj", b.vars.name(part.of)).as_str(), ty);
            let new = Entry { indices, value: value.var.into(), certs: Vec::new(), guard };
            all.push(value);
            let entries = match self.adjoints.get(&part.of) {
                Some(Adj::Sparse(entries)) => [&entries[..], &[new]].concat(),
                _ => vec![new],
            };
            self.adjoints.insert(part.of, Adj::Sparse(entries));
        }
        for t in changed {
            let (name, ty) = (b.vars.name(states[t]).clone(), b.vars.ty(states[t]).clone());
            all.push(b.vars.fresh(name, ty));
            states[t] = all[all.len() - 1].var;
        }
        self.set_states(&states);
        b.bind(all, Exp::If { cond, yes, no });
        // an array that is one's adjoint after one branch, and another's after the other, is neither's own
        let groups = b.stms.last().map(consumable_in).unwrap_or_default();
        let alone = |p: &Binder| pat.iter().filter(|q| groups.group(q.var) == groups.group(p.var)).count() == 1;
        for ((v, p), owned) in touched.iter().zip(&pat).zip(owned) {
            let new = match self.adjoints.get(v) {
                Some(Adj::Acc(_)) => Adj::Acc(p.var),
                _ => Adj::Dense(p.var.into(), owned && alone(p)),
            };
            self.adjoints.insert(*v, new);
        }
        Ok(())
    }

    /// What a branch returns for a part: unless it is common, the indices, −1 where there is nothing to contribute; then the contribution.
    fn part(&self, b: &mut Builder, part: &Part, side: usize) -> Vec<SubExp> {
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
}
