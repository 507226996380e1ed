//! What goes to the bins of a histogram, sorted by bins and in order within each: for operators for which the order counts, and for what stands before and after a value (digest 000 §1.7, R-HIST).
//! Values whose index is out of range sort to the end and are left out.

use super::{called, seed, sort};
use crate::ir::build::{Builder, map_exp, reduce_exp, scan_exp};
use crate::ir::*;

/// The values of a histogram's bins, one bin behind the other.
pub struct Sorted {
    /// How many there are.
    pub width: Dim,
    /// Their positions before.
    pub order: Var,
    /// The indices of their bins.
    pub indices: Vec<Var>,
    /// The values.
    pub values: Vec<Var>,
    /// The numbers of their bins.
    pub keys: Var,
}

/// Sorts values by bins of this shape.
pub fn sorted(b: &mut Builder, width: Dim, indices: &[Var], values: &[Var], shape: &[Dim]) -> Sorted {
    let (keys, bins) = keys(b, width, indices, shape);
    let order = sort::by_key(b, width, keys, bins);
    let width = Dim::Var(count_below(b, width, keys, bins));
    let slice = vec![SliceDim::Range { start: SubExp::i64(0), count: width, stride: SubExp::i64(1) }];
    let order = b.let_one("order", Exp::Slice { array: order, slice });
    let mut all = [indices, values, &[keys]].concat().into_iter().map(|a| gather(b, width, order, a));
    let indices = all.by_ref().take(indices.len()).collect();
    let values = all.by_ref().take(values.len()).collect();
    let keys = all.next().unwrap_or(keys);
    Sorted { width, order, indices, values, keys }
}

/// A histogram whose values come to their bins in order, each behind the destination's; its results.
pub fn folded(b: &mut Builder, h: &Hist) -> Vec<Var> {
    let HistOp { shape, dests, op } = &h.ops[0];
    let (indices, values) = h.arrays.split_at(shape.len());
    let Sorted { width, indices, values, keys, .. } = sorted(b, h.width, indices, values, shape);
    let [starts, ends] = [false, true].map(|last| edges(b, width, keys, last));
    let before = segmented(b, width, op, starts, &values, false, &|b, i| {
        let at: Vec<SubExp> = indices.iter().map(|a| b.index(*a, &[i]).into()).collect();
        dests.iter().map(|d| b.index(*d, &at).into()).collect()
    });
    let arrays = [before, values].concat();
    let params: Vec<(&str, Type)> = arrays.iter().map(|a| ("x", b.vars.ty(*a).row())).collect();
    let last = b.lambda(&params, |b, p| {
        let operands: Vec<SubExp> = p.iter().map(|v| SubExp::Var(*v)).collect();
        called(b, &op.lambda, &operands)
    });
    let all = b.let_many("folded", map_exp(width, arrays, last));
    let places = at_edges(b, width, ends, &indices);
    let put = |(all, dest): (&Var, &Var)| seed::scatter(b, 0, width, &places, *all, shape, *dest);
    all.iter().zip(dests).map(put).collect()
}

/// The number of each index's bin, in row-major order, or that of all bins if it is out of range; and the number of all bins.
fn keys(b: &mut Builder, width: Dim, indices: &[Var], shape: &[Dim]) -> (Var, SubExp) {
    let (plus, times) = (ScalarType::I64.plus(), ScalarType::I64.times());
    let bins = seed::count(b, shape);
    let params: Vec<(&str, Type)> = indices.iter().map(|_| ("i", Type::I64)).collect();
    let key = b.lambda(&params, |b, p| {
        let at: Vec<SubExp> = p.iter().map(|v| SubExp::Var(*v)).collect();
        let inside = b.in_range(&at, shape);
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
    b.let_one("count", reduce_exp(width, vec![keys], map, reduces))
}

fn gather(b: &mut Builder, width: Dim, order: Var, array: Var) -> Var {
    let read = b.lambda(&[("p", Type::I64)], |b, p| vec![b.index(array, &[p[0].into()]).into()]);
    b.let_one("sorted", map_exp(width, vec![order], read))
}

/// Of sorted keys, whether each is the first of its kind, or the last.
pub fn edges(b: &mut Builder, width: Dim, keys: Var, last: bool) -> Var {
    let neighbours = b.iota_from(if last { 1 } else { -1 }, width);
    let map = b.lambda(&[("neighbour", Type::I64), ("k", Type::I64)], |b, p| {
        let lt = Prim::Cmp(CmpOp::Lt, ScalarType::I64);
        let neighbour: SubExp = p[0].into();
        let at_end = match last {
            true => b.prim_op(Prim::Cmp(CmpOp::Le, ScalarType::I64), &[width.into(), neighbour]),
            false => b.prim_op(lt, &[neighbour, SubExp::i64(0)]),
        };
        let yes = Body { stms: Vec::new(), result: vec![Scalar::Bool(true).into()] };
        let no = b.inner(|b| {
            let other = b.index(keys, &[neighbour]).into();
            let (less, more) = if last { (p[1].into(), other) } else { (other, p[1].into()) };
            vec![b.prim_op(lt, &[less, more])]
        });
        vec![b.let_one("edge", Exp::If { cond: at_end, yes, no }).into()]
    });
    b.let_one("edges", map_exp(width, vec![neighbours, keys], map))
}

/// For each value the reduction of those before it in its segment, or after it if from the `right`, and of what `first` gives at the segment's edge.
pub fn segmented(
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
    let step = if right { 1 } else { -1 };
    let neighbours = b.iota_from(step, width);
    let arrays = [neighbours, edges].map(|a| backwards(b, a)).to_vec();
    let map = b.lambda(&[("neighbour", Type::I64), ("edge", Type::BOOL)], |b, p| {
        let neighbour = SubExp::Var(p[0]);
        let yes = b.inner(|b| {
            let i = seed::minus(b, neighbour, SubExp::i64(step));
            first(b, i)
        });
        let no = b.inner(|b| values.iter().map(|v| b.index(*v, &[neighbour]).into()).collect());
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
        // mutant swap `[y, x]`: who asks for what comes after has an operator that is commutative
        let operands = if right { [y, x].concat() } else { [x, y].concat() };
        let no = b.inner(|b| called(b, &op.lambda, &operands));
        let mut results = vec![any];
        results.extend(chosen(b, edge, yes, no));
        results
    });
    let neutral = std::iter::once(Scalar::Bool(false).into()).chain(op.neutral.iter().copied()).collect();
    // mutant negation: scans keep the order in any case
    let scans = vec![Operator { lambda, neutral, commutative: false }];
    let scanned = b.let_many("scanned", scan_exp(width, arrays, map, scans));
    scanned[1..].iter().map(|a| backwards(b, *a)).collect()
}

/// The indices at the edges of segments, and elsewhere −1.
pub fn at_edges(b: &mut Builder, width: Dim, edges: Var, indices: &[Var]) -> Vec<Var> {
    let at = |b: &mut Builder, index: &Var| {
        let map = b.lambda(&[("edge", Type::BOOL), ("i", Type::I64)], |b, p| {
            // mutant off by one `1` -> `2`: one index out of range is as good as another
            vec![b.prim_op(Prim::Select(ScalarType::I64), &[p[0].into(), p[1].into(), SubExp::i64(-1)])]
        });
        b.let_one("places", map_exp(width, vec![edges, *index], map))
    };
    indices.iter().map(|index| at(b, index)).collect()
}
