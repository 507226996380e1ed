//! The environment of adjoints: what is known of the adjoint of each variable, and the ways to add to it.

use super::*;

/// The adjoint of a variable, of type `seed ++ t`. A variable that has none in the environment has the adjoint zero.
#[derive(Clone, PartialEq, Debug)]
pub enum Adj {
    /// The value, and whether it is nobody else's, so that it may be updated in place.
    Dense(SubExp, bool),
    /// Zero but for these contributions: reading single elements of an array makes no array of zeros.
    Sparse(Vec<Entry>),
    /// Collected by this accumulator, of shape `seed ++ shape of t`.
    Acc(Var),
}

/// A contribution to an element or row of an array's adjoint.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The index of the element or row.
    pub indices: Vec<SubExp>,
    /// The contribution, of type `seed ++ row`.
    pub value: SubExp,
    /// The certificates that the index is in range.
    pub certs: Vec<Var>,
    /// That of the indices that may be −1, and then there is nothing to contribute.
    pub guard: Option<SubExp>,
}

impl Entry {
    /// The entry as one of the array that this one's array is the part at these indices of.
    pub fn below(self, indices: &[SubExp], certs: &[Var]) -> Entry {
        // mutant: certificates are a set
        let certs = [certs, &self.certs].concat();
        Entry { indices: [indices, &self.indices].concat(), certs, ..self }
    }
}

impl Rev<'_, '_> {
    pub(super) fn adjoint_type(&self, ty: &Type) -> Type {
        ty.array_of(&self.seed)
    }

    /// The adjoint of a body's result in the sizes of that result: outside of the body they may have other names.
    pub(super) fn in_sizes_of(&self, b: &mut Builder, result: SubExp, adjoint: Adj) -> Adj {
        let SubExp::Var(v) = result else { return adjoint };
        let ty = b.vars.ty(v).clone();
        let mut coerced = |value: SubExp, ty: Type| in_type(b, value, &ty);
        match adjoint {
            Adj::Dense(value, owned) => Adj::Dense(coerced(value, self.adjoint_type(&ty)), owned),
            Adj::Sparse(entries) => {
                let part =
                    |e: Entry| Entry { value: coerced(e.value, self.adjoint_type(&ty.peel(e.indices.len()))), ..e };
                Adj::Sparse(entries.into_iter().map(part).collect())
            }
            acc => acc,
        }
    }

    /// Adds a contribution of the operand's own type (with the seed) to its adjoint.
    pub(super) fn add(&mut self, b: &mut Builder, e: impl Into<SubExp>, value: SubExp, owned: bool) {
        self.add_adjoint(b, e.into(), Adj::Dense(value, owned));
    }

    /// Adds an adjoint to the adjoint of an operand.
    pub(super) fn add_adjoint(&mut self, b: &mut Builder, e: SubExp, new: Adj) {
        let SubExp::Var(v) = e else { return };
        if !self.active.contains(&v) {
            return;
        }
        if let Some(View { of, indices, certs }) = self.views.get(&v).cloned() {
            let part = match new {
                Adj::Dense(value, _) => vec![Entry { indices, value, certs, guard: None }],
                Adj::Sparse(entries) => entries.into_iter().map(|e| e.below(&indices, &certs)).collect(),
                Adj::Acc(_) => Vec::new(),
            };
            return self.add_adjoint(b, of.into(), Adj::Sparse(part));
        }
        let sum = match (self.adjoints.remove(&v), new) {
            (None, new) => new,
            (Some(old), Adj::Sparse(entries)) => self.add_entries(b, old, entries),
            (Some(Adj::Acc(acc)), Adj::Dense(value, _)) => {
                Adj::Acc(seed::acc_update(b, self.seed.len(), acc, &[], &[value]))
            }
            (Some(Adj::Dense(x, _)), Adj::Dense(y, _)) => {
                let name = format!("{}_adj", b.vars.name(v));
                Adj::Dense(seed::plus(b, &name, x, y), true)
            }
            (Some(Adj::Sparse(entries)), dense) => self.add_entries(b, dense, entries),
            (Some(old), Adj::Acc(_)) => old,
        };
        self.adjoints.insert(v, sum);
    }

    /// Adds a contribution to one element or row of the adjoint of an array.
    pub(super) fn add_at(&mut self, b: &mut Builder, array: Var, entry: Entry) {
        self.add_adjoint(b, array.into(), Adj::Sparse(vec![entry]));
    }

    /// Adds a contribution to a slice of the adjoint of an array, in place.
    pub(super) fn add_slice(&mut self, b: &mut Builder, array: Var, slice: &[SliceDim], value: SubExp) {
        let fixed = |i: &SubExp| SliceDim::Fix(*i);
        let (mut array, mut slice, mut certs) = (array, slice.to_vec(), b.certs.clone());
        while let Some(View { of, indices, certs: more }) = self.views.get(&array).cloned() {
            slice = indices.iter().map(fixed).chain(slice).collect();
            certs.extend(more);
            array = of;
        }
        if !self.active.contains(&array) {
            return;
        }
        let seed = self.seed.clone();
        let adjoint = match self.adjoints.remove(&array) {
            Some(Adj::Acc(acc)) => {
                // mutant: it is the type of an accumulator
                let rank = if let Type::Acc(acc) = b.vars.ty(acc) { acc.shape.len() } else { 0 };
                let count = rank - slice.iter().filter(|d| matches!(d, SliceDim::Fix(_))).count();
                Adj::Acc(seed::acc_nest(b, acc, count, &[value], &mut |b, outer| {
                    let (mut indices, mut rest) = (outer[..seed.len()].to_vec(), outer[seed.len()..].iter());
                    for dim in &slice {
                        indices.push(match dim {
                            SliceDim::Fix(i) => *i,
                            SliceDim::Range { start, stride, .. } => {
                                let i = rest.next().copied().unwrap_or(SubExp::i64(0));
                                let step = b.prim_op(ScalarType::I64.times(), &[i, *stride]);
                                b.prim_op(ScalarType::I64.plus(), &[*start, step])
                            }
                        });
                    }
                    indices.extend(rest);
                    indices
                }))
            }
            other => {
                let first = other.is_none();
                let ty = b.vars.ty(array).clone();
                let (whole, owned) = match other {
                    Some(adjoint) => self.dense(b, &ty, adjoint),
                    // mutant negation: a copy of new zeros is as good, and the simplifier takes it away
                    None => (seed::zero(b, &self.adjoint_type(&ty)), true),
                };
                let SubExp::Var(whole) = self.owned(b, whole, owned) else { return };
                let new = b.under(certs, |b| {
                    let slice = seed::whole(&seed, &slice);
                    let mut value = value;
                    if !first {
                        let old = b.let_one("old", Exp::Slice { array: whole, slice: slice.clone() });
                        value = seed::plus(b, "sum", old.into(), value);
                    }
                    let name = b.vars.name(whole).clone();
                    let put = |value| Exp::UpdateSlice { array: whole, slice, value };
                    value.as_var().map_or(whole, |value| b.let_one(name.as_str(), put(value)))
                });
                Adj::Dense(new.into(), true)
            }
        };
        self.adjoints.insert(array, adjoint);
    }

    fn add_entries(&mut self, b: &mut Builder, to: Adj, entries: Vec<Entry>) -> Adj {
        match to {
            Adj::Sparse(old) => Adj::Sparse([old, entries].concat()),
            Adj::Acc(mut acc) => {
                for entry in entries {
                    acc = seed::acc_update(b, self.seed.len(), acc, &entry.indices, &[entry.value]);
                }
                Adj::Acc(acc)
            }
            Adj::Dense(value, owned) => {
                let SubExp::Var(mut array) = self.owned(b, value, owned) else { return Adj::Dense(value, owned) };
                for entry in &entries {
                    array = self.add_entry(b, array, entry, false);
                }
                Adj::Dense(array.into(), true)
            }
        }
    }

    /// The value, or a copy that nobody else has.
    pub(super) fn owned(&mut self, b: &mut Builder, value: SubExp, owned: bool) -> SubExp {
        match value {
            SubExp::Var(v) if !owned && matches!(b.vars.ty(v), Type::Array(..)) => {
                let name = b.vars.name(v).clone();
                b.let_one(name.as_str(), Exp::Copy(v)).into()
            }
            _ => value,
        }
    }

    /// The array with the contribution added, in place. The first on a new array of zeros is just put there.
    fn add_entry(&mut self, b: &mut Builder, array: Var, entry: &Entry, first: bool) -> Var {
        let Entry { indices, value, certs, guard } = entry;
        if !self.seed.is_empty() {
            return seed::add_into(b, self.seed.len(), array, indices, *value);
        }
        let name = b.vars.name(array).clone();
        let put = |b: &mut Builder| {
            b.under(certs.clone(), |b| {
                let new = if first {
                    *value
                } else {
                    let old = b.index(array, indices);
                    seed::plus(b, "sum", old.into(), *value)
                };
                b.let_one(name.as_str(), Exp::Update { array, indices: indices.clone(), value: new })
            })
        };
        let Some(guard) = guard else { return put(b) };
        let found = b.prim_op(Prim::Cmp(CmpOp::Le, ScalarType::I64), &[SubExp::i64(0), *guard]);
        let yes = b.inner(|b| vec![put(b).into()]);
        let no = Body { stms: Vec::new(), result: vec![array.into()] };
        b.let_one(name.as_str(), Exp::If { cond: found, yes, no })
    }

    /// An adjoint of a value of this type as a value, and whether it is nobody else's.
    pub(super) fn dense(&mut self, b: &mut Builder, ty: &Type, adjoint: Adj) -> (SubExp, bool) {
        match adjoint {
            Adj::Dense(value, owned) => (value, owned),
            Adj::Sparse(entries) => {
                let zeros = seed::zero(b, &self.adjoint_type(ty));
                // mutant: a literal is a number, which nobody updates in place
                let SubExp::Var(mut array) = zeros else { return (zeros, true) };
                for (i, entry) in entries.iter().enumerate() {
                    array = self.add_entry(b, array, entry, i == 0);
                }
                (array.into(), true)
            }
            // what is defined here has no accumulator
            // mutant: branches and loops, which alone come here with an accumulator, do not ask who owns it
            Adj::Acc(acc) => (acc.into(), true),
        }
    }

    /// Takes the adjoint of a variable out of the environment; `None` for zero.
    pub(super) fn take(&mut self, b: &mut Builder, v: Var) -> Option<(SubExp, bool)> {
        let adjoint = self.adjoints.remove(&v)?;
        let ty = b.vars.ty(v).clone();
        Some(self.dense(b, &ty, adjoint))
    }

    pub(super) fn take_or_zero(&mut self, b: &mut Builder, v: Var) -> (SubExp, bool) {
        self.take(b, v).unwrap_or_else(|| {
            let ty = self.adjoint_type(&b.vars.ty(v).clone());
            (seed::zero(b, &ty), true)
        })
    }

    /// The adjoints of a statement's results, as values.
    pub(super) fn dense_all(
        &mut self,
        b: &mut Builder,
        types: &[Type],
        adjoints: Vec<Option<Adj>>,
    ) -> Vec<Option<SubExp>> {
        let dense = |(ty, adjoint): (&Type, Option<Adj>)| adjoint.map(|a| self.dense(b, ty, a).0);
        types.iter().zip(adjoints).map(dense).collect()
    }

    /// The same, with zeros for those that there are none of.
    pub(super) fn dense_or_zero(&mut self, b: &mut Builder, types: &[Type], adjoints: Vec<Option<Adj>>) -> Vec<SubExp> {
        let value = |(ty, adjoint): (&Type, Option<Adj>)| match adjoint {
            Some(adjoint) => self.dense(b, ty, adjoint).0,
            None => seed::zero(b, &self.adjoint_type(ty)),
        };
        types.iter().zip(adjoints).map(value).collect()
    }
}
