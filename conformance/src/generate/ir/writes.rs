//! Updates in place, scratch, histograms and scatters.

use super::arrays::{slice_of, strides};
use super::maker::{LIMIT, Maker, Param};
use super::scope::{Scope, Val};
use futi_core::ir::build::{Builder, slice_type};
use futi_core::ir::*;

/// A type of arrays that are not empty, of a rank up to this.
fn target(m: &mut Maker, scope: &Scope, most: usize) -> Option<Type> {
    let fits = |t: &Type| (1..=most).contains(&t.rank()) && m.non_empty(t, t.rank());
    let fit: Vec<Type> = scope.items.iter().filter(|i| fits(&i.ty)).map(|i| i.ty.clone()).collect();
    if !fit.is_empty() && m.draw.chance(85) {
        return Some(m.draw.pick(&fit));
    }
    let rank = 1 + m.draw.below(most);
    let shape = m.shape(rank);
    let ty = Type::Scalar(m.elem()).array_of(&shape);
    m.non_empty(&ty, rank).then_some(ty)
}

/// An element or row replaced.
pub(super) fn update(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some(ty) = target(m, scope, 3) else { return };
    let (array, bound) = m.own(b, scope, &ty, 2.0 * LIMIT);
    let count = 1 + m.draw.below(ty.rank());
    let value = m.entry(b, scope, &ty.peel(count));
    let indices: Option<Vec<SubExp>> = ty.shape()[..count].iter().map(|d| m.index_below(b, scope, *d)).collect();
    let indices = indices.unwrap_or_else(|| vec![SubExp::i64(0); count]);
    let check = Check::Bounds { indices: indices.clone(), sizes: ty.shape()[..count].to_vec() };
    let v = m.checked(b, check, "new", Exp::Update { array, indices, value: value.e });
    scope.add_own(b.vars, v, bound.max(value.bound));
}

/// A part replaced.
pub(super) fn update_slice(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some(ty) = target(m, scope, 3) else { return };
    let (array, bound) = m.own(b, scope, &ty, 2.0 * LIMIT);
    let Some((slice, Some(check))) = slice_of(m, b, scope, &ty, true) else { return };
    let (value, other) = part(m, b, scope, &slice_type(&ty, &slice));
    let v = m.checked(b, check, "new", Exp::UpdateSlice { array, slice, value });
    scope.add_own(b.vars, v, bound.max(other));
}

/// An array to be written into another.
fn part(m: &mut Maker, b: &mut Builder, scope: &mut Scope, ty: &Type) -> (Var, f64) {
    let val = m.entry(b, scope, ty);
    match val.e {
        SubExp::Var(v) => (v, val.bound),
        SubExp::Lit(x) => {
            (b.let_one("part", Exp::Replicate { shape: ty.shape().to_vec(), value: x.into() }), val.bound)
        }
    }
}

/// Positions by offset and strides replaced.
pub(super) fn flat_update(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some(ty) = target(m, scope, 1) else { return };
    let Some(n) = m.size(ty.shape()[0]) else { return };
    let (array, bound) = m.own(b, scope, &ty, 2.0 * LIMIT);
    let (offset, dims) = strides(m, n);
    let shape: Vec<Dim> = dims.iter().map(|(d, _)| *d).collect();
    let (value, other) = part(m, b, scope, &ty.row().array_of(&shape));
    let v = b.let_one("new", Exp::FlatUpdate { array, offset, dims, value });
    scope.add_own(b.vars, v, bound.max(other));
}

/// An array written element by element before it is read.
pub(super) fn scratch(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let d = m.dim();
    let elem = m.elem();
    let ty = Type::Scalar(elem);
    let Some(n) = m.size(d) else { return };
    let value = m.entry(b, scope, &ty);
    let mut array = b.let_one("scratch", Exp::Scratch { elem, shape: vec![d] });
    if n <= 3 && m.draw.chance(50) {
        let mut bound = value.bound;
        for i in (0..n).rev() {
            let next = if i + 1 == n { value } else { m.entry(b, scope, &ty) };
            bound = bound.max(next.bound);
            array = b.let_one("filled", Exp::Update { array, indices: vec![SubExp::i64(i)], value: next.e });
        }
        return scope.add_own(b.vars, array, bound);
    }
    let index = b.vars.fresh("i", Type::I64);
    let param = LoopParam { binder: b.vars.fresh("to", ty.array_of(&[d])), unique: true, init: array.into() };
    let to = param.binder.var;
    let other = m.entry(b, scope, &ty);
    let body = b.inner(|b| {
        let even = b.prim_op(Prim::Bin(BinOp::And, ScalarType::I64), &[index.var.into(), SubExp::i64(1)]);
        let even = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[even, SubExp::i64(0)]);
        let x = b.prim_op(Prim::Select(elem), &[even, value.e, other.e]);
        vec![b.let_one("to", Exp::Update { array: to, indices: vec![index.var.into()], value: x }).into()]
    });
    let form = LoopForm::For { index, bound: d.into() };
    let v = b.let_one("filled", Exp::Loop { params: vec![param], form, body });
    scope.add(b.vars, v, value.bound.max(other.bound));
}

/// An index of a histogram: mostly in range.
fn bin_index(m: &mut Maker, b: &mut Builder, scope: &mut Scope, d: Dim) -> SubExp {
    if m.draw.chance(70)
        && let Some(i) = m.index_below(b, scope, d)
    {
        return i;
    }
    let i = m.value(b, scope, &Type::I64).e;
    b.prim_op(ScalarType::I64.plus(), &[i, SubExp::i64(m.draw.below(3) as i64 - 1)])
}

/// Histograms: of one or two destinations, each of one or, more often, two arrays, with an index of rank one or two.
pub(super) fn hist(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let count = 1 + usize::from(m.draw.chance(35));
    let (mut ops, mut reductions, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let reduction = if m.draw.chance(60) { m.pair(b) } else { m.reduction(b, true, true) };
        let rank = 1 + usize::from(m.draw.chance(30));
        let shape = m.shape(rank);
        let (dests, start) = m.dests(b, scope, &reduction.types, &shape);
        starts.push(start);
        ops.push((shape, dests));
        reductions.push(reduction);
    }
    let source = m.mapped(b, scope, false);
    let width = source.width;
    let types: Vec<Type> = reductions.iter().flat_map(|r| r.types.clone()).collect();
    let (map, _) = m.lambda(b, scope, &source.params, |m, b, scope, _| {
        let values = m.inside(b, scope, depth - 1, &types, LIMIT);
        let mut out = Vec::new();
        for (shape, _) in &ops {
            out.extend(shape.iter().map(|d| Val::new(bin_index(m, b, scope, *d), 0.0)));
        }
        let mut at = 0;
        for r in &reductions {
            let end = at + r.types.len();
            out.extend(r.operands(m, b, &values[at..end]));
            at = end;
        }
        out
    });
    let n = m.at_most(width);
    let bounds: Vec<f64> = reductions.iter().zip(&starts).flat_map(|(r, s)| r.bounds_from(*s, n)).collect();
    let ops = ops.into_iter().zip(reductions).map(|((shape, dests), r)| HistOp { shape, dests, op: r.op }).collect();
    let out = b.let_many("hist", Exp::from(Hist { width, arrays: source.arrays, map, ops }));
    out.into_iter().zip(bounds).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
}

/// A position for each index below a width: they are all different, some of them perhaps out of range.
pub(super) fn place(m: &mut Maker, b: &mut Builder, width: Dim, i: SubExp) -> SubExp {
    let add = ScalarType::I64.plus();
    match m.draw.below(5) {
        0 => i,
        1 => b.prim_op(add, &[i, SubExp::i64(1)]),
        2 => b.prim_op(add, &[i, SubExp::i64(-1)]),
        3 => b.prim_op(ScalarType::I64.times(), &[i, SubExp::i64(2)]),
        _ => {
            let last = b.prim_op(add, &[width.into(), SubExp::i64(-1)]);
            b.prim_op(Prim::Bin(BinOp::Sub, ScalarType::I64), &[last, i])
        }
    }
}

/// A scatter to positions that are all different, some of them out of range.
pub(super) fn scatter(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let mut dests = Vec::new();
    let (mut types, mut bounds) = (Vec::new(), Vec::new());
    for _ in 0..1 + usize::from(m.draw.chance(30)) {
        let rank = 1 + usize::from(m.draw.chance(30));
        let shape = m.shape(rank);
        let row = m.row_type();
        let (array, bound) = m.own(b, scope, &row.array_of(&shape), LIMIT);
        dests.push(ScatterDest { shape, array });
        types.push(row);
        bounds.push(bound);
    }
    let source = m.mapped(b, scope, true);
    let width = source.width;
    let (map, values) = m.lambda(b, scope, &source.params, |m, b, scope, p| {
        let values = m.inside(b, scope, depth - 1, &types, LIMIT);
        let i: SubExp = p[p.len() - 1].into();
        let mut out = Vec::new();
        for dest in &dests {
            let place = place(m, b, width, i);
            let fixed = SubExp::i64(m.draw.below(2) as i64);
            let indices = match (dest.shape.len(), m.draw.below(3)) {
                (1, _) => vec![place],
                (_, 0) => vec![place, fixed],
                (_, 1) => vec![fixed, place],
                _ => vec![place, place],
            };
            out.extend(indices.into_iter().map(|i| Val::new(i, 0.0)));
        }
        out.extend(values);
        out
    });
    let values = &values[values.len() - types.len()..];
    let bounds: Vec<f64> = bounds.iter().zip(values).map(|(a, b)| a.max(*b)).collect();
    let out = b.let_many("scatter", Exp::from(Scatter { width, arrays: source.arrays, map, dests }));
    out.into_iter().zip(bounds).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
}

/// A parameter that is a row of an accumulator's array or the accumulator itself.
pub(super) fn acc_param(ty: Type) -> Param {
    Param::new(ty, 0.0)
}
