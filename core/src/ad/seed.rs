//! Building blocks over the seed shape: see Note [Seed shape] in `ad/mod.rs`.

use crate::ir::build::{Builder, map_exp, reduce_exp};
use crate::ir::*;

/// Moves dimension `s` outermost: `seed ++ [n] ++ t` becomes `[n] ++ seed ++ t`.
pub fn outermost(b: &mut Builder, array: Var, s: usize) -> Var {
    let rank = b.vars.ty(array).rank();
    let perm = std::iter::once(s).chain(0..s).chain(s + 1..rank).collect();
    if s == 0 { array } else { b.let_one("outer", Exp::Rearrange { perm, array }) }
}

/// Undoes [`outermost`]: `[n] ++ seed ++ t` becomes `seed ++ [n] ++ t`.
pub fn innermost(b: &mut Builder, array: Var, s: usize) -> Var {
    let rank = b.vars.ty(array).rank();
    let perm = (1..=s).chain(std::iter::once(0)).chain(s + 1..rank).collect();
    if s == 0 { array } else { b.let_one("inner", Exp::Rearrange { perm, array }) }
}

/// Moves the first `s` dimensions behind the `k` that follow: `seed ++ shape ++ t` becomes `shape ++ seed ++ t`.
pub fn inwards(b: &mut Builder, array: Var, s: usize, k: usize) -> Var {
    let rank = b.vars.ty(array).rank();
    let perm = (s..s + k).chain(0..s).chain(s + k..rank).collect();
    if s == 0 { array } else { b.let_one("inwards", Exp::Rearrange { perm, array }) }
}

/// Undoes [`inwards`].
pub fn outwards(b: &mut Builder, array: Var, s: usize, k: usize) -> Var {
    inwards(b, array, if s == 0 { 0 } else { k }, s)
}

/// The λ that gives the rows of arrays as they are.
pub fn rows(b: &mut Builder, arrays: &[Var]) -> Lambda {
    let types: Vec<Type> = arrays.iter().map(|a| b.vars.ty(*a).row()).collect();
    b.identity("row", &types)
}

/// The scatter of values at indices of the `shape` of a destination, both of which have `s` dimensions of the seed first. Consumes the destination.
pub fn scatter(b: &mut Builder, s: usize, width: Dim, indices: &[Var], values: Var, shape: &[Dim], dest: Var) -> Var {
    let values = outermost(b, values, s);
    let array = inwards(b, dest, s, shape.len());
    let arrays: Vec<Var> = indices.iter().copied().chain([values]).collect();
    let map = rows(b, &arrays);
    let dests = vec![ScatterDest { shape: shape.to_vec(), array }];
    let result = b.let_one("scattered", Exp::from(Scatter { width, arrays, map, dests }));
    outwards(b, result, s, shape.len())
}

/// Maps `f` over the seed shape: it gets the elements of the operands for one direction, each of which has the seed shape first, and gives the
/// results for that direction.
pub fn over(
    b: &mut Builder,
    seed: &[Dim],
    args: &[SubExp],
    f: &mut dyn FnMut(&mut Builder, &[SubExp]) -> Vec<SubExp>,
) -> Vec<SubExp> {
    let Some((width, rest)) = seed.split_first() else { return f(b, args) };
    let arrays: Vec<Var> = args.iter().filter_map(|e| e.as_var()).collect();
    let params: Vec<(&str, Type)> = arrays.iter().map(|a| ("t", b.vars.ty(*a).row())).collect();
    let map = b.lambda(&params, |b, p| {
        let row: Vec<SubExp> = p.iter().map(|v| SubExp::Var(*v)).collect();
        over(b, rest, &row, f)
    });
    b.let_many("t", map_exp(*width, arrays, map)).into_iter().map(SubExp::Var).collect()
}

/// An expression of arrays with one result, for each direction.
pub fn over_arrays(b: &mut Builder, seed: &[Dim], name: &str, args: &[SubExp], exp: &dyn Fn(&[Var]) -> Exp) -> SubExp {
    over(b, seed, args, &mut |b, rows| {
        let rows: Vec<Var> = rows.iter().filter_map(|e| e.as_var()).collect();
        vec![b.let_one(name, exp(&rows)).into()]
    })[0]
}

/// The slice of what has the seed shape first: all directions.
pub fn whole(seed: &[Dim], slice: &[SliceDim]) -> Vec<SliceDim> {
    let all = |n: &Dim| SliceDim::Range { start: SubExp::i64(0), count: *n, stride: SubExp::i64(1) };
    seed.iter().map(all).chain(slice.iter().copied()).collect()
}

/// The zero of a type: `false` for booleans.
pub fn zero(b: &mut Builder, ty: &Type) -> SubExp {
    match ty.elem() {
        Some(elem) => b.fill(ty, elem.zero()),
        // mutant: only values get a zero: the tangent of an active accumulator is there already, and certificates are not active
        None => SubExp::Lit(Scalar::Bool(false)),
    }
}

/// The sum of two tangents or adjoints of one type.
pub fn plus(b: &mut Builder, name: &str, x: SubExp, y: SubExp) -> SubExp {
    match b.vars.type_of(x).elem() {
        Some(elem) => b.elementwise(name, elem.plus(), x, y),
        None => x,
    }
}

/// An integer in another type.
pub fn converted(b: &mut Builder, e: SubExp, to: ScalarType) -> SubExp {
    match b.vars.type_of(e) {
        Type::Scalar(from) if from != to => b.prim_op(Prim::Conv(from, to), &[e]),
        _ => e,
    }
}

/// How often a `for` loop with this bound runs, in `i64`. As the number of a trip, it has no tangent, whatever the bound's is.
pub fn trips(b: &mut Builder, bound: SubExp) -> SubExp {
    let trips = converted(b, bound, ScalarType::I64);
    // a shift to the right passes no tangent on
    let trips = b.prim_op(Prim::Bin(BinOp::Shr, ScalarType::I64), &[trips, SubExp::i64(0)]);
    b.prim_op(Prim::Bin(BinOp::Max, ScalarType::I64), &[trips, SubExp::i64(0)])
}

/// A new array, of values that nothing reads.
pub fn scratch(b: &mut Builder, ty: &Type) -> Var {
    let elem = ty.elem().unwrap_or(ScalarType::Bool);
    b.let_one("scratch", Exp::Scratch { elem, shape: ty.shape().to_vec() })
}

/// `x - y` in `i64`.
pub fn minus(b: &mut Builder, x: SubExp, y: SubExp) -> SubExp {
    b.prim_op(Prim::Bin(BinOp::Sub, ScalarType::I64), &[x, y])
}

/// The sum over the outer `count` dimensions. What is left of the array is mapped over, so that each sum is of scalars.
pub fn sum_outer(b: &mut Builder, array: Var, count: usize) -> SubExp {
    let ty = b.vars.ty(array).clone();
    let (Some(elem), true) = (ty.elem(), count > 0) else { return array.into() };
    if ty.rank() > count {
        let perm = (count..ty.rank()).chain(0..count).collect();
        let inner = b.let_one("inner", Exp::Rearrange { perm, array });
        return over(b, &ty.shape()[count..], &[inner.into()], &mut |b, rows| {
            rows.iter().filter_map(|e| e.as_var()).map(|row| sum_outer(b, row, count)).collect()
        })[0];
    }
    let op = b.operator(elem.plus(), elem.zero());
    let map = b.lambda(&[("x", ty.row())], |b, p| vec![sum_outer(b, p[0], count - 1)]);
    let (width, arrays) = (ty.shape()[0], vec![array]);
    b.let_one("sum", reduce_exp(width, arrays, map, vec![op])).into()
}

/// Adds values to the elements of an accumulator. The values' first `count` dimensions are mapped over; what is left of them are elements, whose indices
/// `indices` gives from those of the dimensions. Out-of-range indices are ignored.
pub fn acc_nest(
    b: &mut Builder,
    acc: Var,
    count: usize,
    values: &[SubExp],
    indices: &mut dyn FnMut(&mut Builder, &[SubExp]) -> Vec<SubExp>,
) -> Var {
    fn go(
        b: &mut Builder,
        acc: Var,
        count: usize,
        outer: &[SubExp],
        values: &[SubExp],
        indices: &mut dyn FnMut(&mut Builder, &[SubExp]) -> Vec<SubExp>,
    ) -> Var {
        if outer.len() == count {
            let indices = indices(b, outer);
            return b.let_one("acc", Exp::UpdAcc { acc, indices, values: values.to_vec() });
        }
        let ty = b.vars.ty(acc).clone();
        let arrays: Vec<Var> = values.iter().filter_map(|e| e.as_var()).collect();
        let width = b.vars.ty(arrays[0]).shape()[0];
        let iota = b.iota(width);
        let rows = arrays.iter().map(|a| ("v", b.vars.ty(*a).row()));
        let params: Vec<(&str, Type)> = [("acc", ty), ("i", Type::I64)].into_iter().chain(rows).collect();
        let map = b.lambda(&params, |b, p| {
            let values: Vec<SubExp> = p[2..].iter().map(|v| SubExp::Var(*v)).collect();
            vec![go(b, p[0], count, &[outer, &[p[1].into()]].concat(), &values, indices).into()]
        });
        b.let_one("acc", map_exp(width, [vec![acc, iota], arrays].concat(), map))
    }
    go(b, acc, count, &[], values, indices)
}

/// [`acc_nest`] at the indices `seed.. ++ at ++ rest..`: the values have the seed shape and, beyond what `at` and the accumulator's elements cover, the
/// remaining dimensions of its shape.
pub fn acc_update(b: &mut Builder, seed: usize, acc: Var, at: &[SubExp], values: &[SubExp]) -> Var {
    // mutant: it is the type of an accumulator
    let rank = if let Type::Acc(acc) = b.vars.ty(acc) { acc.shape.len() } else { 0 };
    acc_nest(b, acc, rank - at.len(), values, &mut |_, outer| [&outer[..seed], at, &outer[seed..]].concat())
}

/// Adds into an array, in parallel: what `update` does with an accumulator of its elements. Consumes the array.
pub fn accumulate(b: &mut Builder, array: Var, update: impl FnOnce(&mut Builder, Var) -> Var) -> Var {
    let ty = b.vars.ty(array).clone();
    let Some(elem) = ty.elem() else { return array };
    let input = AccInput { shape: ty.shape().to_vec(), arrays: vec![array], op: b.operator(elem.plus(), elem.zero()) };
    let id = b.vars.fresh("id", Type::Cert);
    let acc_ty = Type::Acc(AccType { id: id.var, shape: ty.shape().to_vec(), elems: vec![elem.into()] });
    let acc = b.vars.fresh("acc", acc_ty.clone());
    let body = b.inner(|b| vec![update(b, acc.var).into()]);
    let lambda = Lambda { params: vec![id, acc], ret: vec![acc_ty], body };
    b.let_one("sum", Exp::WithAcc(WithAcc { inputs: vec![input], lambda }))
}

/// Adds a value into an array, in parallel. Consumes the array.
pub fn add_into(b: &mut Builder, seed: usize, array: Var, at: &[SubExp], value: SubExp) -> Var {
    accumulate(b, array, |b, acc| acc_update(b, seed, acc, at, &[value]))
}

/// `array with [s.., indices..] = value[s..]` for each index s of the seed shape, in place. Consumes the array.
pub fn update_all(b: &mut Builder, seed: &[Dim], array: Var, indices: &[SubExp], value: SubExp) -> Var {
    fn go(b: &mut Builder, seed: &[Dim], at: &[SubExp], array: Var, indices: &[SubExp], value: SubExp) -> Var {
        let Some((width, rest)) = seed.split_first() else {
            let value = match value {
                SubExp::Var(v) if !at.is_empty() => b.index(v, at).into(),
                _ => value,
            };
            return b.let_one("with", Exp::Update { array, indices: [at, indices].concat(), value });
        };
        let param = b.vars.fresh("with", b.vars.ty(array).clone());
        let index = b.vars.fresh("s", Type::I64);
        let body =
            b.inner(|b| vec![go(b, rest, &[at, &[index.var.into()]].concat(), param.var, indices, value).into()]);
        let params = vec![LoopParam { binder: param, unique: true, init: array.into() }];
        b.let_one("with", Exp::Loop { params, form: LoopForm::For { index, bound: (*width).into() }, body })
    }
    go(b, seed, &[], array, indices, value)
}

/// The element or row at the indices, for each direction.
pub fn index_all(b: &mut Builder, seed: &[Dim], array: Var, indices: &[SubExp]) -> SubExp {
    over(b, seed, &[array.into()], &mut |b, row| match row[0] {
        SubExp::Var(row) => vec![b.index(row, indices).into()],
        lit => vec![lit],
    })[0]
}

/// What `f` gives where all indices are in range, elsewhere what `other` gives.
pub fn inside(
    b: &mut Builder,
    name: &str,
    indices: &[SubExp],
    shape: &[Dim],
    f: impl FnOnce(&mut Builder) -> SubExp,
    other: impl FnOnce(&mut Builder) -> SubExp,
) -> SubExp {
    let cond = b.in_range(indices, shape);
    let yes = b.inner(|b| vec![f(b)]);
    let no = b.inner(|b| vec![other(b)]);
    b.let_one(name, Exp::If { cond, yes, no }).into()
}

/// How many elements there are in this shape.
pub fn count(b: &mut Builder, shape: &[Dim]) -> SubExp {
    let first: SubExp = shape.first().map_or(SubExp::i64(1), |d| (*d).into());
    shape.iter().skip(1).fold(first, |n, d| b.prim_op(ScalarType::I64.times(), &[n, (*d).into()]))
}
