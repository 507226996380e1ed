//! Return sweep of histograms with any operator (digest 000 §1.7, R-HIST with errata E3, E4, E5): the values are sorted by their bins, and each is reversed
//! between the reductions of what stands before it, the destination included, and after it in its bin. Those are segmented scans. Values whose index is out of
//! range sort to the end and are left out.

use super::*;
use crate::ad::sort;
use crate::ir::build::map_exp;

impl Rev<'_, '_> {
    pub(super) fn hist(&mut self, b: &mut Builder, h: &Hist, adjoints: Vec<Option<Adj>>) -> Res<()> {
        let op = &h.ops[0];
        if op.op.lambda.as_prim().is_some_and(is_sum) {
            self.sums(b, h, adjoints);
            return Ok(());
        }
        let (depth, m) = (self.seed.len(), op.dests.len());
        let types: Vec<Type> = op.dests.iter().map(|d| b.vars.ty(*d).clone()).collect();
        let adjoints = self.dense_all(b, &types, adjoints);
        let (indices, values) = h.arrays.split_at(op.shape.len());

        let (keys, bins) = keys(b, h.width, indices, &op.shape);
        let order = sort::by_key(b, h.width, keys, bins);
        let width = Dim::Var(count_below(b, h.width, keys, bins));
        let slice = vec![SliceDim::Range { start: SubExp::i64(0), count: width, stride: SubExp::i64(1) }];
        let order = b.let_one("order", Exp::Slice { array: order, slice });
        let sorted: Vec<Var> =
            [indices, values, &[keys]].concat().iter().map(|a| gather(b, width, order, *a)).collect();
        let (indices, rest) = sorted.split_at(indices.len());
        let (sorted, keys) = rest.split_at(m);

        let starts = edges(b, width, keys[0], false);
        let ends = edges(b, width, keys[0], true);
        let before = segmented(b, width, &op.op, starts, sorted, false, &|b, i| {
            let at: Vec<SubExp> = indices.iter().map(|a| b.index(*a, &[i]).into()).collect();
            op.dests.iter().map(|d| b.index(*d, &at).into()).collect()
        });
        let after = segmented(b, width, &op.op, ends, sorted, true, &|_, _| op.op.neutral.clone());

        // what each value's bin has for an adjoint
        let mut arrays = [&before[..], sorted, &after].concat();
        let mut given = Vec::new();
        for adjoint in &adjoints {
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
                let all = called(b, lambda, &rows[m..3 * m]);
                let operands = [&rows[..m], &all].concat();
                first =
                    rev.applied(b, lambda, &operands, |i| i < m && dests[i], false, elements.clone())?[..m].to_vec();
            }
            let prefix = called(b, lambda, left);
            let operands = [&prefix, right].concat();
            let through = rev.applied(b, lambda, &operands, |i| i < m, false, elements)?;
            let through = through.iter().map(|a| a.map(|e| Adj::Dense(e, false))).collect();
            let wanted = |i: usize| i >= m && active[i - m];
            let mut out = rev.applied(b, lambda, left, wanted, true, through)?[m..].to_vec();
            out.extend(first);
            Ok(out)
        })?;
        for (values, out) in values.iter().zip(&out) {
            if let Some(out) = out {
                let ty = b.vars.ty(*values).clone();
                let SubExp::Var(zeros) = seed::zero(b, &self.adjoint_type(&ty)) else { continue };
                let out = seed::innermost(b, *out, depth);
                let all = seed::scatter(b, depth, width, &[order], out, &[h.width], zeros);
                self.add(b, *values, all.into(), true);
            }
        }
        // the adjoint of a bin that nothing goes to is that of the result
        let places = first_of_each(b, width, starts, indices);
        for (k, dest) in op.dests.iter().enumerate() {
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
            self.add(b, *dest, all.into(), true);
        }
        Ok(())
    }
}

/// The number of each index's bin, in row-major order, or that of all bins if it is out of range; and the number of all bins.
fn keys(b: &mut Builder, width: Dim, indices: &[Var], shape: &[Dim]) -> (Var, SubExp) {
    let (plus, times) = (ScalarType::I64.plus(), ScalarType::I64.times());
    let bins = shape.iter().fold(SubExp::i64(1), |n, d| b.prim_op(times, &[n, (*d).into()]));
    let params: Vec<(&str, Type)> = indices.iter().map(|_| ("i", Type::I64)).collect();
    let key = b.lambda(&params, |b, p| {
        let at: Vec<SubExp> = p.iter().map(|v| SubExp::Var(*v)).collect();
        let inside = seed::in_range(b, &at, shape);
        let flat = at.iter().zip(shape).fold(SubExp::i64(0), |flat, (i, d)| {
            let outer = b.prim_op(times, &[flat, (*d).into()]);
            b.prim_op(plus, &[outer, *i])
        });
        vec![b.prim_op(Prim::Select(ScalarType::I64), &[inside, flat, bins])]
    });
    (b.let_one("keys", map_exp(width, indices.to_vec(), key)), bins)
}

/// How many keys are less than this one.
fn count_below(b: &mut Builder, width: Dim, keys: Var, bound: SubExp) -> Var {
    let map = b.lambda(&[("k", Type::I64)], |b, p| {
        let less = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[p[0].into(), bound]);
        vec![b.prim_op(Prim::Conv(ScalarType::Bool, ScalarType::I64), &[less])]
    });
    let reduces = vec![b.operator(ScalarType::I64.plus(), Scalar::I64(0))];
    b.let_one("count", Exp::Screma(Screma { width, arrays: vec![keys], map, scans: Vec::new(), reduces, post: None }))
}

fn gather(b: &mut Builder, width: Dim, order: Var, array: Var) -> Var {
    let read = b.lambda(&[("p", Type::I64)], |b, p| vec![b.index(array, &[p[0].into()]).into()]);
    b.let_one("sorted", map_exp(width, vec![order], read))
}

/// Of sorted keys, whether each is the first of its kind, or the last.
fn edges(b: &mut Builder, width: Dim, keys: Var, last: bool) -> Var {
    let iota = seed::iota(b, width);
    let map = b.lambda(&[("i", Type::I64), ("k", Type::I64)], |b, p| {
        let (end, step) = match last {
            true => (seed::minus(b, width.into(), SubExp::i64(1)), 1),
            false => (SubExp::i64(0), -1),
        };
        let at_end = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[p[0].into(), end]);
        let yes = Body { stms: Vec::new(), result: vec![Scalar::Bool(true).into()] };
        let no = b.inner(|b| {
            let next = b.prim_op(ScalarType::I64.plus(), &[p[0].into(), SubExp::i64(step)]);
            let other = b.index(keys, &[next]).into();
            let equal = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[p[1].into(), other]);
            vec![b.prim_op(Prim::Un(UnOp::Not, ScalarType::Bool), &[equal])]
        });
        vec![b.let_one("edge", Exp::If { cond: at_end, yes, no }).into()]
    });
    b.let_one("edges", map_exp(width, vec![iota, keys], map))
}

/// For each value the reduction of those before it in its segment, or after it if from the `right`, and of what `first` gives at the segment's edge.
fn segmented(
    b: &mut Builder,
    width: Dim,
    op: &Operator,
    edges: Var,
    values: &[Var],
    right: bool,
    first: &dyn Fn(&mut Builder, SubExp) -> Vec<SubExp>,
) -> Vec<Var> {
    let m = values.len();
    let rows: Vec<Type> = values.iter().map(|v| b.vars.ty(*v).row()).collect();
    let chosen = |b: &mut Builder, cond: SubExp, yes: Body, no: Body| -> Vec<SubExp> {
        let pat: Vec<Binder> = rows.iter().map(|t| b.vars.fresh("x", t.clone())).collect();
        let results = pat.iter().map(|p| p.var.into()).collect();
        b.bind(pat, Exp::If { cond, yes, no });
        results
    };
    let backwards =
        |b: &mut Builder, array: Var| if right { b.let_one("reversed", Exp::Reverse { array }) } else { array };
    let iota = seed::iota(b, width);
    let arrays = [iota, edges].map(|a| backwards(b, a)).to_vec();
    let map = b.lambda(&[("i", Type::I64), ("edge", Type::BOOL)], |b, p| {
        let yes = b.inner(|b| first(b, p[0].into()));
        let no = b.inner(|b| {
            let step = SubExp::i64(if right { 1 } else { -1 });
            let next = b.prim_op(ScalarType::I64.plus(), &[p[0].into(), step]);
            values.iter().map(|v| b.index(*v, &[next]).into()).collect()
        });
        let mut results = vec![p[1].into()];
        results.extend(chosen(b, p[1].into(), yes, no));
        results
    });
    // (f, x) ⊕ (g, y) = (f or g, if g then y else x ⊙ y)
    let side: Vec<(&str, Type)> =
        [("edge", Type::BOOL)].into_iter().chain(rows.iter().map(|t| ("x", t.clone()))).collect();
    let lambda = b.lambda(&[&side[..], &side].concat(), |b, p| {
        let (x, y) = p.split_at(m + 1);
        let any = b.prim_op(Prim::Bin(BinOp::Or, ScalarType::Bool), &[x[0].into(), y[0].into()]);
        let (x, edge, y): (Vec<SubExp>, SubExp, Vec<SubExp>) =
            (x[1..].iter().map(|v| (*v).into()).collect(), y[0].into(), y[1..].iter().map(|v| (*v).into()).collect());
        let yes = Body { stms: Vec::new(), result: y.clone() };
        let operands = if right { [y, x].concat() } else { [x, y].concat() };
        let no = b.inner(|b| called(b, &op.lambda, &operands));
        let mut results = vec![any];
        results.extend(chosen(b, edge, yes, no));
        results
    });
    let neutral = std::iter::once(Scalar::Bool(false).into()).chain(op.neutral.iter().copied()).collect();
    let scans = vec![Operator { lambda, neutral, commutative: false }];
    let scanned =
        b.let_many("scanned", Exp::Screma(Screma { width, arrays, map, scans, reduces: Vec::new(), post: None }));
    scanned[1..].iter().map(|a| backwards(b, *a)).collect()
}

/// The indices where a segment begins, and elsewhere −1.
fn first_of_each(b: &mut Builder, width: Dim, starts: Var, indices: &[Var]) -> Vec<Var> {
    let at = |b: &mut Builder, index: &Var| {
        let map = b.lambda(&[("edge", Type::BOOL), ("i", Type::I64)], |b, p| {
            vec![b.prim_op(Prim::Select(ScalarType::I64), &[p[0].into(), p[1].into(), SubExp::i64(-1)])]
        });
        b.let_one("places", map_exp(width, vec![starts, *index], map))
    };
    indices.iter().map(|index| at(b, index)).collect()
}
