//! Return sweep of histograms with any operator (digest 000 §1.7, R-HIST with errata E3, E4, E5): the values are sorted by their bins, and each is reversed
//! between the reductions of what stands before it, the destination included, and after it in its bin. Those are segmented scans. Values whose index is out of
//! range sort to the end and are left out. Sums, min and max, and products that are normal numbers need no sort.

use super::reduce::is_normal;
use super::*;
use crate::ad::bins::{self, Sorted, at_edges, edges, segmented};
use crate::ir::build::{map_exp, reduce_exp};

/// The adjoints of the values and of the destinations.
type Adjoints = (Vec<Option<SubExp>>, Vec<Option<SubExp>>);

impl Rev<'_, '_> {
    pub(super) fn hist(&mut self, b: &mut Builder, stm: &Stm, h: &Hist, adjoints: Vec<Option<Adj>>) -> Res<()> {
        let op = &h.ops[0];
        let prim = op.op.lambda.as_prim();
        if prim.is_some_and(is_sum) {
            self.sums(b, h, adjoints);
            return Ok(());
        }
        let types: Vec<Type> = op.dests.iter().map(|d| b.vars.ty(*d).clone()).collect();
        let adjoints = self.dense_all(b, &types, adjoints);
        let (values, dests) = match (prim, adjoints[0]) {
            (Some(Prim::Bin(BinOp::Min | BinOp::Max, t)), Some(adjoint)) => self.best(b, h, t, stm.pat[0].var, adjoint),
            (Some(Prim::Bin(BinOp::Mul, t)), Some(adjoint)) if t.is_float() && !self.shared.nested => {
                self.products(b, h, t, adjoint)?
            }
            _ => self.sorted(b, h, &adjoints)?,
        };
        for (e, adjoint) in h.arrays[op.shape.len()..].iter().zip(values).chain(op.dests.iter().zip(dests)) {
            if let Some(adjoint) = adjoint {
                self.add(b, *e, adjoint, true);
            }
        }
        Ok(())
    }

    /// By min or max: a bin's adjoint goes to the operand that is its result: the destination if that equals the result, else the first value that does. If
    /// none does, all are NaN and it is the destination.
    fn best(&mut self, b: &mut Builder, h: &Hist, t: ScalarType, result: Var, adjoint: SubExp) -> Adjoints {
        let (op, seed) = (&h.ops[0], self.seed.clone());
        let (shape, dest) = (&op.shape, op.dests[0]);
        let (indices, values) = h.arrays.split_at(shape.len());
        let (equal, select) = (Prim::Cmp(CmpOp::Eq, t), Prim::Select(ScalarType::I64));
        let none = SubExp::i64(i64::MAX);
        // in each bin the least position of a value that is the result
        let iota = b.iota(h.width);
        let arrays = [indices, values, &[iota]].concat();
        let ats = vec![("i", Type::I64); shape.len()];
        let params = [&ats[..], &[("x", Type::Scalar(t)), ("k", Type::I64)]].concat();
        let map = b.lambda(&params, |b, p| {
            let at: Vec<SubExp> = p[..shape.len()].iter().map(|v| SubExp::Var(*v)).collect();
            let (x, k) = (p[shape.len()].into(), p[shape.len() + 1].into());
            let found = |b: &mut Builder| {
                let y = b.index(result, &at).into();
                let here = b.prim_op(equal, &[x, y]);
                b.prim_op(select, &[here, k, none])
            };
            let place = seed::inside(b, "place", &at, shape, found, |_| none);
            [at, vec![place]].concat()
        });
        let nothing = b.let_one("none", Exp::Replicate { shape: shape.clone(), value: none });
        let least = b.operator(Prim::Bin(BinOp::Min, ScalarType::I64), Scalar::I64(i64::MAX));
        let ops = vec![HistOp { shape: shape.clone(), dests: vec![nothing], op: least }];
        let first = b.let_one("first", Exp::from(Hist { width: h.width, arrays, map, ops }));
        // ... unless the destination is
        let chosen = seed::over(b, shape, &[dest, result, first].map(SubExp::Var), &mut |b, p| {
            let is_dest = b.prim_op(equal, &[p[0], p[1]]);
            vec![b.prim_op(select, &[is_dest, none, p[2]])]
        });
        let (SubExp::Var(chosen), SubExp::Var(all)) = (chosen[0], adjoint) else { return (vec![None], vec![None]) };
        let mut out = (vec![None], vec![None]);
        if self.active.contains(&values[0]) {
            // each bin's adjoint to the position that it has found
            let bins = seed::count(b, shape);
            let size = Dim::from_subexp(bins).unwrap_or(Dim::Const(0));
            let (places, adjoints) = (flat(b, size, chosen, 0), flat(b, size, all, seed.len()));
            let ty = b.vars.ty(values[0]).clone();
            let SubExp::Var(zeros) = seed::zero(b, &self.adjoint_type(&ty)) else { return (vec![None], vec![None]) };
            let put = seed::scatter(b, seed.len(), size, &[places], adjoints, &[h.width], zeros);
            out.0 = vec![Some(put.into())];
        }
        if self.active.contains(&dest) {
            let kept = seed::over(b, &seed, &[adjoint], &mut |b, a| {
                seed::over(b, shape, &[chosen.into(), a[0]], &mut |b, p| {
                    let untouched = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[p[0], none]);
                    vec![b.prim_op(Prim::Select(t), &[untouched, p[1], t.zero().into()])]
                })
            });
            out.1 = vec![Some(kept[0])];
        }
        out
    }

    /// By products: of each bin the product of its values, divided by each. Where one of these is no normal number (so that some value may be zero), by sorting:
    /// see Note [Zeros in a product].
    fn products(&mut self, b: &mut Builder, h: &Hist, t: ScalarType, adjoint: SubExp) -> Res<Adjoints> {
        let (shape, dest, seed) = (&h.ops[0].shape, h.ops[0].dests[0], self.seed.clone());
        let (indices, values) = h.arrays.split_at(shape.len());
        let wanted = [self.active.contains(&values[0]), self.active.contains(&dest)];
        let ty = b.vars.ty(dest).clone();
        let ones = b.let_one("ones", Exp::Replicate { shape: ty.shape().to_vec(), value: t.one().into() });
        let map = seed::rows(b, &h.arrays);
        let op = HistOp { shape: shape.clone(), dests: vec![ones], op: b.operator(Prim::Bin(BinOp::Mul, t), t.one()) };
        let product = Hist { width: h.width, arrays: h.arrays.clone(), map, ops: vec![op] };
        let product = b.let_one("product", product.into());
        let cond = all_normal(b, product, t);
        let times = t.times_along();
        let yes = b.inner(|b| {
            let mut result = Vec::new();
            if wanted[0] {
                let params = [vec![("i", Type::I64); shape.len()], vec![("x", Type::Scalar(t))]].concat();
                let others = b.lambda(&params, |b, p| {
                    let at: Vec<SubExp> = p[..shape.len()].iter().map(|v| SubExp::Var(*v)).collect();
                    let others = |b: &mut Builder| {
                        let (all, dest) = (b.index(product, &at).into(), b.index(dest, &at).into());
                        let others = b.prim_op(Prim::Bin(BinOp::Div, t), &[all, p[shape.len()].into()]);
                        b.prim_op(times, &[dest, others])
                    };
                    vec![seed::inside(b, "others", &at, shape, others, |_| t.zero().into())]
                });
                let others = b.let_one("others", map_exp(h.width, h.arrays.clone(), others));
                let given: Vec<SubExp> = adjoint
                    .as_var()
                    .into_iter()
                    .map(|adjoint| self.at_each(b, h.width, indices, shape, adjoint, &Type::Scalar(t)).into())
                    .collect();
                let adj =
                    seed::over(b, &seed, &given, &mut |b, a| vec![b.elementwise("adj", times, a[0], others.into())]);
                result.push(adj[0]);
            }
            if wanted[1] {
                let adj = seed::over(b, &seed, &[adjoint], &mut |b, a| {
                    vec![b.elementwise("adj", times, a[0], product.into())]
                });
                result.push(adj[0]);
            }
            result
        });
        let mut inner = Builder::new(b.vars, b.prov);
        let (of_values, of_dests) = self.sorted(&mut inner, h, &[Some(adjoint)])?;
        let mut result = Vec::new();
        for (wanted, (adj, of)) in wanted.iter().zip([(of_values[0], values[0]), (of_dests[0], dest)]) {
            if *wanted {
                let ty = self.adjoint_type(&inner.vars.ty(of).clone());
                result.push(adj.unwrap_or_else(|| seed::zero(&mut inner, &ty)));
            }
        }
        let no = Body { stms: inner.stms, result };
        let mut out = b.let_many("adj", Exp::If { cond, yes, no }).into_iter().map(|v| Some(v.into()));
        let mut next = |wanted: bool| vec![if wanted { out.next().flatten() } else { None }];
        Ok((next(wanted[0]), next(wanted[1])))
    }

    /// By any operator.
    fn sorted(&mut self, b: &mut Builder, h: &Hist, adjoints: &[Option<SubExp>]) -> Res<Adjoints> {
        let op = &h.ops[0];
        let (depth, m) = (self.seed.len(), op.dests.len());
        let types: Vec<Type> = op.dests.iter().map(|d| b.vars.ty(*d).clone()).collect();
        let (indices, values) = h.arrays.split_at(op.shape.len());

        let Sorted { width, order, indices, values: sorted, keys } =
            bins::sorted(b, h.width, indices, values, &op.shape);
        let (indices, sorted) = (&indices[..], &sorted[..]);

        let starts = edges(b, width, keys, false);
        let ends = edges(b, width, keys, true);
        let before = segmented(b, width, &op.op, starts, sorted, false, &|b, i| {
            let at: Vec<SubExp> = indices.iter().map(|a| b.index(*a, &[i]).into()).collect();
            op.dests.iter().map(|d| b.index(*d, &at).into()).collect()
        });
        let after = segmented(b, width, &op.op, ends, sorted, true, &|_, _| op.op.neutral.clone());

        // what each value's bin has for an adjoint
        let mut arrays = [&before[..], sorted, &after].concat();
        let mut given = Vec::new();
        for adjoint in adjoints {
            given.push(adjoint.and_then(SubExp::as_var).map(|all| {
                let all = seed::inwards(b, all, depth, op.shape.len());
                let params: Vec<(&str, Type)> = indices.iter().map(|_| ("i", Type::I64)).collect();
                let read = b.lambda(&params, |b, p| {
                    let at: Vec<SubExp> = p.iter().map(|v| SubExp::Var(*v)).collect();
                    vec![b.index(all, &at).into()]
                });
                arrays.push(b.let_one("adj", map_exp(width, indices.to_vec(), read)));
                arrays.len() - 1
            }));
        }
        let params: Vec<Binder> = arrays.iter().map(|a| b.vars.fresh("x", b.vars.ty(*a).row())).collect();
        let rows: Vec<SubExp> = params.iter().map(|p| p.var.into()).collect();
        let active: Vec<bool> = values.iter().map(|a| self.active.contains(a)).collect();
        let dests: Vec<bool> = op.dests.iter().map(|d| self.active.contains(d)).collect();
        let free = self.active_free(b, &op.op.lambda);
        let out = self.mapped(b, width, &arrays, params, &free, |rev, b| {
            let row = |given: &Option<usize>| given.map(|i| Adj::Dense(rows[i], false));
            let elements: Vec<Option<Adj>> = given.iter().map(row).collect();
            let lambda = &op.op.lambda;
            let (left, right) = (&rows[..2 * m], &rows[2 * m..3 * m]);
            let mut first = Vec::new();
            if dests.contains(&true) {
                // where the bin begins, what comes before is the destination, and all others are this value and what comes after
                // mutant off by one `m..3 * m`: operands beyond the parameters are not bound
                let all = called(b, lambda, &rows[m..3 * m]);
                let operands = [&rows[..m], &all].concat();
                first = rev.applied(b, lambda, &operands, |i| i < m && dests[i], false, elements.clone())?;
                first.truncate(m);
            }
            let prefix = called(b, lambda, left);
            let operands = [&prefix, right].concat();
            // mutant comparison: what comes behind the first m is not asked for
            let through = rev.applied(b, lambda, &operands, |i| i < m, false, elements)?;
            let through = through.iter().map(|a| a.map(|e| Adj::Dense(e, false))).collect();
            let wanted = |i: usize| i >= m && active[i - m];
            let mut out = rev.applied(b, lambda, left, wanted, true, through)?[m..].to_vec();
            out.extend(first);
            Ok(out)
        })?;
        let mut of_values = vec![None; m];
        let mut of_dests = vec![None; m];
        for (k, (values, out)) in values.iter().zip(&out).enumerate() {
            if let Some(out) = out {
                let ty = b.vars.ty(*values).clone();
                let SubExp::Var(zeros) = seed::zero(b, &self.adjoint_type(&ty)) else { continue };
                let out = seed::innermost(b, *out, depth);
                let all = seed::scatter(b, depth, width, &[order], out, &[h.width], zeros);
                of_values[k] = Some(all.into());
            }
        }
        // the adjoint of a bin that nothing goes to is that of the result
        let places = at_edges(b, width, starts, indices);
        for k in 0..m {
            if !dests[k] {
                continue;
            }
            let out = out.get(m + k).copied().flatten();
            let whole = match adjoints[k] {
                Some(adjoint) => self.owned(b, adjoint, false),
                None => seed::zero(b, &self.adjoint_type(&types[k])),
            };
            let SubExp::Var(whole) = whole else { continue };
            let rows = match out {
                Some(out) => seed::innermost(b, out, depth),
                None => {
                    let ty = types[k].peel(op.shape.len()).array_of(&[width]);
                    let SubExp::Var(zeros) = seed::zero(b, &self.adjoint_type(&ty)) else { continue };
                    zeros
                }
            };
            let all = seed::scatter(b, depth, width, &places, rows, &op.shape, whole);
            of_dests[k] = Some(all.into());
        }
        Ok((of_values, of_dests))
    }
}

/// Whether all elements are normal numbers.
fn all_normal(b: &mut Builder, array: Var, t: ScalarType) -> SubExp {
    let ty = b.vars.ty(array).clone();
    let row = ty.row();
    let map = b.lambda(&[("x", row.clone())], |b, p| {
        vec![if row.rank() > 0 { all_normal(b, p[0], t) } else { is_normal(b, t, p[0].into()) }]
    });
    let reduces = vec![b.operator(Prim::Bin(BinOp::And, ScalarType::Bool), Scalar::Bool(true))];
    let (width, arrays) = (ty.shape()[0], vec![array]);
    b.let_one("normal", reduce_exp(width, arrays, map, reduces)).into()
}

/// An array of all bins, behind `s` other dimensions, with them in one.
fn flat(b: &mut Builder, size: Dim, array: Var, s: usize) -> Var {
    let outer = &b.vars.ty(array).shape()[..=s];
    if b.vars.ty(array).rank() == s + 1 {
        return array;
    }
    let shape = [&outer[..s], &[size]].concat();
    b.let_one("flat", Exp::Reshape { shape, array })
}
