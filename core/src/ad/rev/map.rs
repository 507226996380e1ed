//! Return sweep of maps (digest 002 §1A.17): the λ executes again and returns the adjoints of its parameters. The contributions to a free scalar
//! are summed by a reduction; those to a free array go to an accumulator, of full rank and with scalar elements.
//!
//! When only a few elements of the result have an adjoint, the λ is reversed for these alone (§1A.14.2).

use super::*;
use crate::ir::build::reduce_exp;

/// So many elements of a sparse adjoint are cheaper one by one.
pub const FEW: usize = 4;

/// What one index of a map over the return sweep gives: the mapped results, none for those that are zero everywhere.
type Results = Vec<Option<SubExp>>;

/// What is known of the adjoint of a mapped result.
enum Given {
    /// It is zero.
    Nothing,
    /// The array of the rows' adjoints.
    Rows(Var),
    /// The rows' adjoints one after the other, and where each begins and how long it is.
    Parts { all: Var, offsets: Var, sizes: Var },
}

/// The same for one row.
enum Row {
    Nothing,
    Whole(Var),
    Part { all: Var, offset: Var, size: Var },
}

impl Rev<'_, '_> {
    pub(super) fn map(&mut self, b: &mut Builder, s: &Screma, adjoints: Vec<Option<Adj>>) -> Res<()> {
        let spent = s.map.params.iter().any(|p| self.is_spent(&p.ty));
        let entries = |a: &Option<Adj>| match a {
            None => Some(0),
            // mutant swap: an index has at least one place, and so has every entry; no adjoint is a list of no entries
            Some(Adj::Sparse(entries)) if entries.iter().all(|e| !e.indices.is_empty()) => Some(entries.len()),
            _ => None,
        };
        let few = adjoints.iter().map(entries).sum::<Option<usize>>();
        if !spent && few.is_some_and(|n| n <= FEW) {
            return self.few(b, s, adjoints);
        }
        let types: Vec<Type> = s.map.ret.iter().map(|t| t.array_of(&[s.width])).collect();
        let rows = self.dense_all(b, &types, adjoints).into_iter().map(|a| a.and_then(SubExp::as_var));
        let rows = rows.map(|a| a.map_or(Given::Nothing, Given::Rows)).collect();
        self.map_of(b, s.width, &s.arrays, &s.map, rows)
    }

    /// Of `flatmap`, the adjoints of a row's arrays are the parts of those of the results that begin at its offset.
    pub(super) fn flatmap(&mut self, b: &mut Builder, stm: &Stm, f: &FlatMap, adjoints: Vec<Option<Adj>>) -> Res<()> {
        let types: Vec<Type> = stm.pat.iter().map(|p| p.ty.clone()).collect();
        let values = self.dense_all(b, &types, adjoints).into_iter().map(|a| a.and_then(SubExp::as_var));
        let (sizes, offsets) = (stm.pat[1].var, stm.pat[3].var);
        // the size has none
        let rows =
            std::iter::once(Given::Nothing).chain(values.skip(4).enumerate().map(|(k, adjoint)| match adjoint {
                None => Given::Nothing,
                Some(all) if k < f.irregular => Given::Parts { all, offsets, sizes },
                Some(all) => Given::Rows(all),
            }));
        let rows = rows.collect();
        self.map_of(b, f.width, &f.arrays, &f.lambda, rows)
    }

    /// The return sweep of a λ mapped over arrays, from what its results' adjoints are.
    fn map_of(&mut self, b: &mut Builder, width: Dim, over: &[Var], lambda: &Lambda, given: Vec<Given>) -> Res<()> {
        let depth = self.seed.len();
        let inputs: Vec<(Var, Binder)> = over
            .iter()
            .zip(&lambda.params)
            .filter(|(_, p)| p.ty.elem().is_some())
            .map(|(a, p)| (*a, p.clone()))
            .collect();
        let mut arrays: Vec<Var> = inputs.iter().map(|(a, _)| *a).collect();
        let mut params: Vec<Binder> = inputs.iter().map(|(_, p)| p.clone()).collect();
        let mut rows: Vec<Row> = Vec::new();
        let mut row = |b: &mut Builder, array: Var| {
            let row = b.vars.fresh("adj", b.vars.ty(array).row());
            arrays.push(array);
            params.push(row.clone());
            row.var
        };
        for given in given {
            rows.push(match given {
                Given::Nothing => Row::Nothing,
                Given::Rows(v) => {
                    let v = seed::outermost(b, v, depth);
                    Row::Whole(row(b, v))
                }
                Given::Parts { all, offsets, sizes } => Row::Part { all, offset: row(b, offsets), size: row(b, sizes) },
            });
        }
        let mut free = self.active_free(b, lambda);
        // arrays whose adjoints λ adds to an accumulator, and those whose adjoints it returns a row of
        let (collected, active): (Vec<_>, Vec<_>) = inputs
            .iter()
            .filter(|(_, p)| self.active.contains(&p.var))
            .map(|(a, p)| (*a, p.var))
            .partition(|(a, p)| self.is_collected(*a) || b.vars.ty(*p).rank() > 0 && free_inside(&lambda.body, *p));
        let index = b.vars.fresh("i", Type::I64);
        if !collected.is_empty() {
            arrays.push(b.iota(width));
            params.push(index.clone());
        }
        for (a, p) in &collected {
            let view = View { of: *a, indices: vec![index.var.into()], certs: Vec::new() };
            let root = self.root(*a);
            if !free.contains(&root) {
                free.push(root);
            }
            if b.vars.ty(*p).rank() > 0 {
                self.views.insert(*p, view);
            }
        }
        let out = self.mapped(b, width, &arrays, params, &free, |rev, b| {
            let adjoints = rows.into_iter().map(|row| match row {
                Row::Nothing => None,
                Row::Whole(v) => Some(Adj::Dense(v.into(), false)),
                Row::Part { all, offset, size } => {
                    let (start, count, stride) = (offset.into(), Dim::Var(size), SubExp::i64(1));
                    let slice = seed::whole(&rev.seed, &[SliceDim::Range { start, count, stride }]);
                    Some(Adj::Dense(b.let_one("adj", Exp::Slice { array: all, slice }).into(), false))
                }
            });
            let adjoints = adjoints.collect();
            rev.again(b, &lambda.body, adjoints)?;
            for (a, p) in &collected {
                if let Some((value, _)) = rev.take(b, *p) {
                    let indices = vec![index.var.into()];
                    rev.add_at(b, *a, adj::Entry { indices, value, certs: Vec::new(), guard: None });
                }
            }
            Ok(active.iter().map(|(_, p)| rev.take(b, *p).map(|(e, _)| e)).collect())
        })?;
        for ((a, _), out) in active.iter().zip(out) {
            if let Some(out) = out {
                let out = seed::innermost(b, out, depth);
                self.add(b, *a, out.into(), depth == 0);
            }
        }
        Ok(())
    }

    /// For each contribution to an element of the result, the λ at that element, with the contribution as the adjoint of its result.
    fn few(&mut self, b: &mut Builder, s: &Screma, adjoints: Vec<Option<Adj>>) -> Res<()> {
        let certs = b.certs.clone();
        for (k, adjoint) in adjoints.into_iter().enumerate() {
            let Some(Adj::Sparse(entries)) = adjoint else { continue };
            for entry in entries {
                b.certs = certs.clone();
                let entry = adj::Entry { value: b.relying(entry.value), ..entry };
                let (i, rest) = (entry.indices[0], entry.indices[1..].to_vec());
                // the code of that element, with fresh binders, as if the program had it here
                let lambda = renamed(&s.map, b.vars);
                let element = |(a, p): (&Var, &Binder)| {
                    let exp = Exp::Index { array: *a, indices: vec![i] };
                    let (certs, attrs) = (entry.certs.clone(), Vec::new());
                    Stm { pat: vec![p.clone()], exp, certs, attrs, prov: b.prov }
                };
                let mut stms: Vec<Stm> = s.arrays.iter().zip(&lambda.params).map(element).collect();
                stms.extend(lambda.body.stms);
                let body = Body { stms, result: vec![lambda.body.result[k]] };
                activity::extend(&mut self.active, &body);
                let guarded = entry.guard == Some(i);
                let row = match rest.is_empty() {
                    true => Adj::Dense(entry.value, false),
                    false => Adj::Sparse(vec![adj::Entry { indices: rest, ..entry }]),
                };
                if guarded {
                    let compare = Prim::Cmp(CmpOp::Le, ScalarType::I64);
                    let found = b.prim_op(compare, &[SubExp::i64(0), i]);
                    let zero = b.inner(|b| vec![seed::zero(b, &s.map.ret[k])]);
                    self.branch(b, found, &body, &zero, vec![Some(row)])?;
                } else {
                    self.again(b, &body, vec![Some(row)])?;
                }
            }
        }
        Ok(())
    }

    /// Maps `f`, part of the return sweep, over arrays with these parameters. Contributions to the variables `free` are collected over all indices;
    /// the results are the mapped results of `f`, whose outer dimension is the width: the seed shape comes after it.
    pub(super) fn mapped(
        &mut self,
        b: &mut Builder,
        width: Dim,
        arrays: &[Var],
        params: Vec<Binder>,
        free: &[Var],
        f: impl FnOnce(&mut Self, &mut Builder) -> Res<Results>,
    ) -> Res<Vec<Option<Var>>> {
        let outer = self.adjoints.clone();
        let mut accs = Vec::new();
        for v in free {
            let ty = b.vars.ty(*v).clone();
            let name = format!("{}_adj", b.vars.name(*v));
            let collect = match (outer.get(v), ty.elem()) {
                (Some(Adj::Acc(acc)), _) => {
                    let ty = b.vars.ty(*acc).clone();
                    Collect::Acc { acc: *acc, param: b.vars.fresh(name.as_str(), ty) }
                }
                (_, Some(elem)) if ty.rank() > 0 => {
                    let id = b.vars.fresh("id", Type::Cert);
                    let shape = self.adjoint_type(&ty).shape().to_vec();
                    let ty = Type::Acc(AccType { id: id.var, shape, elems: vec![elem.into()] });
                    let acc = b.vars.fresh(name.as_str(), ty.clone());
                    Collect::Array { id, acc, param: b.vars.fresh(name.as_str(), ty) }
                }
                _ => Collect::Sum,
            };
            match collect.param() {
                Some(p) => self.adjoints.insert(*v, Adj::Acc(p.var)),
                None => self.adjoints.remove(v),
            };
            accs.push((*v, collect));
        }
        let mut inner = Builder::new(b.vars, b.prov);
        let rows = f(self, &mut inner)?;

        // λ's results: sums, mapped results, accumulators
        let mut sums = Vec::new();
        let mut mapped: Vec<SubExp> = rows.iter().filter_map(|e| *e).collect();
        let outs = mapped.len();
        let mut seeded_sums = Vec::new();
        let mut touched = Vec::new();
        for (v, collect) in accs {
            match (&collect, self.adjoints.get(&v).cloned()) {
                (Collect::Sum, Some(adjoint)) => {
                    let ty = inner.vars.ty(v).clone();
                    let (value, _) = self.dense(&mut inner, &ty, adjoint);
                    if self.seed.is_empty() {
                        sums.push((v, value));
                    } else {
                        seeded_sums.push(v);
                        mapped.push(value);
                    }
                }
                // mutant negation: what has no parameter is a sum, which the case before takes
                (_, Some(Adj::Acc(acc))) if collect.param().is_some_and(|p| p.var != acc) => {
                    touched.push((v, collect, acc));
                }
                _ => {}
            }
        }
        self.adjoints = outer;
        let stms = inner.stms;
        let result: Vec<SubExp> = (sums.iter().map(|(_, e)| *e))
            .chain(mapped.iter().copied())
            .chain(touched.iter().map(|(_, _, acc)| SubExp::Var(*acc)))
            .collect();
        if result.is_empty() {
            return Ok(vec![None; rows.len()]);
        }
        let ret: Vec<Type> = result.iter().map(|e| b.vars.type_of(*e)).collect();
        let mut reduces = Vec::new();
        for (v, _) in &sums {
            if let Some(elem) = b.vars.ty(*v).elem() {
                reduces.push(b.operator(elem.plus(), elem.zero()));
            }
        }
        let mut all = arrays.to_vec();
        let mut all_params = params;
        for (_, collect, _) in &touched {
            all.push(collect.source());
            all_params.extend(collect.param().cloned());
        }
        let map = Lambda { params: all_params, ret, body: Body { stms, result } };
        let soac = reduce_exp(width, all, map, reduces);

        let new: Vec<(&Var, &Binder, &Binder)> = touched
            .iter()
            .filter_map(|(v, c, _)| match c {
                Collect::Array { id, acc, .. } => Some((v, id, acc)),
                _ => None,
            })
            .collect();
        let results: Vec<Var> = if new.is_empty() {
            b.let_many("adj", soac)
        } else {
            let mut inputs = Vec::new();
            for (v, ..) in &new {
                let (value, owned) = self.take_or_zero(b, **v);
                let value = self.owned(b, value, owned);
                let ty = b.vars.type_of(value);
                if let (Some(array), Some(elem)) = (value.as_var(), ty.elem()) {
                    let op = b.operator(elem.plus(), elem.zero());
                    inputs.push(AccInput { shape: ty.shape().to_vec(), arrays: vec![array], op });
                }
            }
            let mut results = Vec::new();
            let body = b.inner(|b| {
                results = b.let_many("adj", soac);
                // the accumulators of this withacc first, as it wants them
                let (own, others): (Vec<_>, Vec<_>) = (0..results.len()).partition(|i| {
                    let first = results.len() - touched.len();
                    *i >= first && matches!(touched[i - first].1, Collect::Array { .. })
                });
                [own, others].concat().into_iter().map(|i| results[i].into()).collect()
            });
            let ret = body.result.iter().map(|e| b.vars.type_of(*e)).collect();
            let ids = new.iter().map(|(_, id, _)| (*id).clone());
            let params = ids.chain(new.iter().map(|(.., acc)| (*acc).clone())).collect();
            let lambda = Lambda { params, ret, body: body.clone() };
            let outs = b.let_many("adj", Exp::WithAcc(WithAcc { inputs, lambda }));
            // back to the order of the SOAC's results
            let place = |r: &Var| body.result.iter().position(|e| *e == SubExp::Var(*r)).map(|i| outs[i]);
            results.iter().filter_map(place).collect()
        };

        let (sums_out, rest) = results.split_at(sums.len());
        let (mapped_out, accs_out) = rest.split_at(mapped.len());
        for ((v, collect, _), out) in touched.iter().zip(accs_out) {
            let adjoint = match collect {
                Collect::Acc { .. } => Adj::Acc(*out),
                _ => Adj::Dense((*out).into(), true),
            };
            self.adjoints.insert(*v, adjoint);
        }
        for ((v, _), sum) in sums.iter().zip(sums_out) {
            // mutant negation: a free variable that is summed is a number, and without a seed shape so is its adjoint: nobody updates it in place
            self.add(b, *v, (*sum).into(), true);
        }
        for (v, terms) in seeded_sums.iter().zip(&mapped_out[outs..]) {
            let sum = seed::sum_outer(b, *terms, 1);
            self.add(b, *v, sum, true);
        }
        let mut outs = mapped_out[..outs].iter();
        Ok(rows.iter().map(|e| e.and_then(|_| outs.next().copied())).collect())
    }
}

/// Whether the variable is free in the λ of a SOAC in the body: its adjoint would need an accumulator there.
fn free_inside(body: &Body, v: Var) -> bool {
    use crate::ir::visit::{Visit, walk_exp};
    struct Inside(Var, bool);
    impl Visit for Inside {
        fn exp(&mut self, e: &Exp) {
            match e {
                Exp::Screma(s) => self.1 |= free_vars(&s.map).contains(&self.0),
                _ => walk_exp(self, e),
            }
        }
    }
    let mut inside = Inside(v, false);
    inside.body(body);
    inside.1
}

/// How the contributions of all indices to a free variable come together.
enum Collect {
    /// A scalar: summed.
    Sum,
    /// An accumulator that is there already; `param` stands for it inside.
    Acc { acc: Var, param: Binder },
    /// An array, which is turned into the accumulator `acc`.
    Array { id: Binder, acc: Binder, param: Binder },
}

impl Collect {
    fn param(&self) -> Option<&Binder> {
        match self {
            Collect::Sum => None,
            Collect::Acc { param, .. } | Collect::Array { param, .. } => Some(param),
        }
    }

    /// What is mapped over for the parameter.
    fn source(&self) -> Var {
        match self {
            Collect::Acc { acc, .. } => *acc,
            Collect::Array { acc, .. } => acc.var,
            // a sum has no parameter
            Collect::Sum => Var(u32::MAX),
        }
    }
}
