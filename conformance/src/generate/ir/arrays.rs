//! Operands, and arrays made, viewed and read.

use super::maker::{LIMIT, Maker};
use super::scope::{Scope, Val};
use futi_core::ir::build::Builder;
use futi_core::ir::*;

/// An array in scope that fits, or a new vector.
pub(super) fn some_array(
    m: &mut Maker,
    b: &mut Builder,
    scope: &mut Scope,
    fits: impl Fn(&Maker, &Type) -> bool,
    rank: usize,
) -> Option<(Var, f64)> {
    let fit: Vec<SubExp> = scope.items.iter().filter(|i| i.ty.rank() > 0 && fits(m, &i.ty)).map(|i| i.e).collect();
    if let Some(found) = m.find_array(scope, |_| true).filter(|(v, _)| fit.contains(&(*v).into())) {
        return Some(found);
    }
    if let Some(val) = m.find(scope, |i| fit.contains(&i.e)) {
        return Some((val.e.as_var()?, val.bound));
    }
    let shape = m.shape(rank);
    let ty = Type::Scalar(m.elem()).array_of(&shape);
    let made = m.array(b, scope, &ty);
    fits(m, &ty).then_some(made)
}

/// Another name.
pub(super) fn operand(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    named(m, b, scope, Exp::SubExp);
}

/// A value that no pass sees through.
pub(super) fn opaque(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    named(m, b, scope, Exp::Opaque);
}

fn named(m: &mut Maker, b: &mut Builder, scope: &mut Scope, exp: fn(SubExp) -> Exp) {
    let Some(val) = m.find(scope, |i| i.ty.elem().is_some()) else { return };
    let below = scope.item(val.e).and_then(|i| i.below);
    scope.share(val.e);
    let v = b.let_one("same", exp(val.e));
    scope.add(b.vars, v, val.bound).below = below;
}

/// An array of a few values.
pub(super) fn literal(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let row = match m.draw.chance(25) {
        true => m.row_type(),
        false => Type::Scalar(m.elem()),
    };
    let count = if m.draw.chance(4) { 0 } else { 1 + m.draw.below(4) };
    let vals: Vec<Val> = (0..count).map(|_| m.value(b, scope, &row)).collect();
    let bound = vals.iter().fold(0.0, |x: f64, v| x.max(v.bound));
    let v = b.let_one("lit", Exp::ArrayLit { elems: vals.into_iter().map(|v| v.e).collect(), row });
    scope.add_own(b.vars, v, bound);
}

/// An element or a row.
pub(super) fn index(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some((array, bound)) = some_array(m, b, scope, |m, t| m.non_empty(t, 1), 1) else { return };
    let ty = b.vars.ty(array).clone();
    let most = (1..=ty.rank()).take_while(|k| m.non_empty(&ty, *k)).count();
    let count = if m.draw.chance(60) { most } else { 1 + m.draw.below(most) };
    let indices: Option<Vec<SubExp>> = ty.shape()[..count].iter().map(|d| m.index_below(b, scope, *d)).collect();
    let Some(indices) = indices else { return };
    scope.share(array.into());
    let v = m.indexed(b, array, indices);
    scope.add(b.vars, v, bound);
}

/// A range of a dimension of so many, at least one: and its check.
pub(super) fn range(m: &mut Maker, d: Dim, n: i64) -> (SliceDim, Check) {
    let (start, count, stride) = match m.draw.below(8) {
        0 | 1 => (0, None, 1),
        2 => (n - 1, None, -1),
        3 => (m.draw.below(n as usize) as i64, Some(0), 1),
        k => {
            let start = m.draw.below(n as usize) as i64;
            let stride = if k < 6 { 1 } else { m.draw.pick(&[2, -1, -2, 3]) };
            let room = if stride > 0 { (n - 1 - start) / stride } else { start / -stride };
            (start, Some(1 + m.draw.below(1 + room as usize) as i64), stride)
        }
    };
    let size = count.unwrap_or(n);
    let end = if size == 0 { start } else { start + (size - 1) * stride + stride.signum() };
    let (start, end, stride) = (SubExp::i64(start), SubExp::i64(end), SubExp::i64(stride));
    let count = count.map_or(d, Dim::Const);
    (SliceDim::Range { start, count, stride }, Check::Slice { start, end, stride, size: d })
}

/// A slice of the leading dimensions of an array, which are not empty; the check of its last range.
pub(super) fn slice_of(
    m: &mut Maker,
    b: &mut Builder,
    scope: &mut Scope,
    ty: &Type,
    ranges: bool,
) -> Option<(Vec<SliceDim>, Option<Check>)> {
    let most = (1..=ty.rank()).take_while(|k| m.non_empty(ty, *k)).count();
    let count = 1 + m.draw.below(most.max(1));
    let mut slice = Vec::new();
    let mut check = None;
    for (k, d) in ty.shape()[..count].iter().enumerate() {
        let n = m.size(*d).filter(|n| *n > 0)?;
        let last = k + 1 == count && check.is_none() && ranges;
        if !last && m.draw.chance(35) {
            slice.push(SliceDim::Fix(m.index_below(b, scope, *d)?));
        } else {
            let (range, c) = range(m, *d, n);
            slice.push(range);
            check = Some(c);
        }
    }
    Some((slice, check))
}

/// Ranges and indices of the leading dimensions.
pub(super) fn slice(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some((array, bound)) = some_array(m, b, scope, |m, t| m.non_empty(t, 1), 1) else { return };
    let ty = b.vars.ty(array).clone();
    let Some((slice, check)) = slice_of(m, b, scope, &ty, true) else { return };
    scope.share(array.into());
    let exp = Exp::Slice { array, slice };
    let v = match check {
        Some(check) => m.checked(b, check, "part", exp),
        None => b.let_one("part", exp),
    };
    scope.add(b.vars, v, bound);
}

/// Offset and dimensions of a view of a vector of n ≥ 1 elements, all in range.
pub(super) fn strides(m: &mut Maker, n: i64) -> (SubExp, Vec<(Dim, SubExp)>) {
    let mut dims = Vec::new();
    let (mut low, mut high) = (0, 0);
    for _ in 0..1 + m.draw.below(2) {
        let stride = m.draw.pick(&[1, 1, 2, -1, 3, 0]);
        let count = 1 + m.draw.below(3) as i64;
        let reach = stride * (count - 1);
        let (l, h) = (low + reach.min(0), high + reach.max(0));
        if h - l < n {
            (low, high) = (l, h);
            dims.push((Dim::Const(count), SubExp::i64(stride)));
        } else {
            dims.push((Dim::Const(1), SubExp::i64(stride)));
        }
    }
    let offset = -low + m.draw.below((n - (high - low)) as usize) as i64;
    (SubExp::i64(offset), dims)
}

/// A view by offset and strides.
pub(super) fn flat_index(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some((array, bound)) = some_array(m, b, scope, |m, t| t.rank() == 1 && m.non_empty(t, 1), 1) else { return };
    let Some(n) = m.size(b.vars.ty(array).shape()[0]) else { return };
    let (offset, dims) = strides(m, n);
    scope.share(array.into());
    let v = b.let_one("view", Exp::FlatIndex { array, offset, dims });
    scope.add(b.vars, v, bound);
}

/// Numbers in arithmetic progression.
pub(super) fn iota(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let n = m.dim();
    let ints: Vec<ScalarType> = m.elems.iter().copied().filter(|t| t.is_int()).collect();
    let elem = m.draw.pick(&ints);
    if m.draw.chance(50) {
        let v = m.indices(b, n);
        scope.add_own(b.vars, v, 0.0);
        return;
    }
    let start = m.value(b, scope, &Type::Scalar(elem)).e;
    let step = m.draw.literal(elem).into();
    let exp = Exp::Iota { n: n.into(), start, step, elem };
    let v = m.checked(b, Check::NonNegativeSize(n.into()), "iota", exp);
    scope.add_own(b.vars, v, 0.0);
}

/// One value many times.
pub(super) fn replicate(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some(val) = m.find(scope, |i| i.ty.elem().is_some() && i.ty.rank() < 2) else { return };
    let n = m.dim();
    let exp = Exp::Replicate { shape: vec![n], value: val.e };
    let v = m.checked(b, Check::NonNegativeSize(n.into()), "rep", exp);
    scope.add_own(b.vars, v, val.bound);
}

/// A permutation of so many dimensions.
fn permutation(m: &mut Maker, rank: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..rank).collect();
    (0..rank).map(|_| left.remove(m.draw.below(left.len()))).collect()
}

/// The dimensions in another order.
pub(super) fn rearrange(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some((array, bound)) = some_array(m, b, scope, |_, t| t.rank() >= 2, 2) else { return };
    let rank = b.vars.ty(array).rank();
    let mut perm = permutation(m, rank);
    if perm.is_sorted() && m.draw.chance(80) {
        perm.reverse();
    }
    scope.share(array.into());
    let v = b.let_one("turned", Exp::Rearrange { perm, array });
    scope.add(b.vars, v, bound);
}

/// Another layout.
pub(super) fn manifest(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some((array, bound)) = some_array(m, b, scope, |_, t| t.rank() >= 1, 2) else { return };
    let rank = b.vars.ty(array).rank();
    let perm = permutation(m, rank);
    let v = b.let_one("laid", Exp::Manifest { perm, array });
    scope.add_own(b.vars, v, bound);
}

/// Another shape of as many elements.
pub(super) fn reshape(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some((array, bound)) = some_array(m, b, scope, |_, t| t.rank() >= 1, 2) else { return };
    let ty = b.vars.ty(array).clone();
    let shape = ty.shape().to_vec();
    let new = match &shape[..] {
        [Dim::Const(n)] if n % 2 == 0 && m.draw.chance(60) => vec![Dim::Const(2), Dim::Const(n / 2)],
        [d] => vec![Dim::Const(1), *d],
        [d, e] if m.draw.chance(40) => vec![*e, *d],
        [d, e, rest @ ..] => [&[m.known(b, BinOp::Mul, *d, *e)], rest].concat(),
        [] => return,
    };
    scope.share(array.into());
    let v = b.let_one("shaped", Exp::Reshape { shape: new.clone(), array });
    new.iter().filter_map(|d| if let Dim::Var(v) = d { Some(*v) } else { None }).for_each(|v| size_item(b, scope, v));
    scope.add(b.vars, v, bound);
}

/// A size that has been computed, as something that can be named.
pub(super) fn size_item(b: &Builder, scope: &mut Scope, v: Var) {
    if scope.item(v.into()).is_none() {
        scope.add(b.vars, v, 16.0).used = true;
    }
}

/// Sizes under other names, with the check that they are equal.
pub(super) fn coerce(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let known = |m: &Maker, t: &Type| t.rank() >= 1 && t.shape().iter().any(|d| m.size(*d).is_some());
    let Some((array, bound)) = some_array(m, b, scope, known, 1) else { return };
    let actual = b.vars.ty(array).shape().to_vec();
    let mut expected = actual.clone();
    for d in &mut expected {
        let Some(n) = m.size(*d) else { continue };
        let same: Vec<Dim> = m.dims.iter().copied().filter(|e| m.size(*e) == Some(n)).chain([Dim::Const(n)]).collect();
        *d = m.draw.pick(&same);
    }
    scope.share(array.into());
    let exp = Exp::Coerce { shape: expected.clone(), array };
    let v = m.certified(b, Check::SizeEq { actual, expected }, "same", exp);
    scope.add(b.vars, v, bound);
}

/// Backwards.
pub(super) fn reverse(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some((array, bound)) = some_array(m, b, scope, |_, t| t.rank() >= 1, 1) else { return };
    let v = b.let_one("back", Exp::Reverse { array });
    scope.add_own(b.vars, v, bound);
}

/// Turned round.
pub(super) fn rotate(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let by = match m.draw.below(4) {
        0 => m.value(b, scope, &Type::I64).e,
        _ => SubExp::i64(m.draw.below(13) as i64 - 6),
    };
    let Some((array, bound)) = some_array(m, b, scope, |_, t| t.rank() >= 1, 1) else { return };
    let v = b.let_one("turned", Exp::Rotate { by, array });
    scope.add_own(b.vars, v, bound);
}

/// One array after the other.
pub(super) fn concat(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some((first, mut bound)) = some_array(m, b, scope, |_, t| t.rank() >= 1, 1) else { return };
    let row = b.vars.ty(first).row();
    let mut arrays = vec![first];
    let mut size = b.vars.ty(first).shape()[0];
    for _ in 0..1 + m.draw.below(2) {
        let found = m.find_array(scope, |t| t.rank() >= 1 && t.row() == row);
        // of one array twice, nobody sees the order
        let (next, other) = match found.filter(|(v, _)| !arrays.contains(v)) {
            Some(other) => other,
            None => m.array(b, scope, &row.array_of(&[Dim::Const(2)])),
        };
        bound = bound.max(other);
        arrays.push(next);
        size = m.known(b, BinOp::Add, size, b.vars.ty(next).shape()[0]);
    }
    let v = b.let_one("joined", Exp::Concat { arrays, size });
    if let Dim::Var(size) = size {
        size_item(b, scope, size);
    }
    scope.add_own(b.vars, v, bound);
}

/// A copy.
pub(super) fn copy(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let Some((array, bound)) = some_array(m, b, scope, |_, t| t.rank() >= 1, 1) else { return };
    let v = b.let_one("copy", Exp::Copy(array));
    scope.add_own(b.vars, v, bound);
}

impl Maker {
    /// A float or other value that goes into an array of this type: of a magnitude that arrays have.
    pub(super) fn entry(&mut self, b: &mut Builder, scope: &mut Scope, ty: &Type) -> Val {
        self.within(b, scope, ty, 2.0 * LIMIT)
    }
}
