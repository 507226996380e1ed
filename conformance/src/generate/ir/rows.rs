//! Nests of few points with much to do in each: loops of as many rounds at all points, of what is parallel over widths that are the same at all, and
//! uniform nests three deep.

use super::maker::{LIMIT, Maker, Param};
use super::operators::Reduction;
use super::parallel::updated;
use super::scalars::scalar;
use super::scope::{Scope, Val};
use super::soacs::Mapped;
use super::writes::acc_param;
use futi_core::ir::build::{Builder, map_exp};
use futi_core::ir::visit::free_vars;
use futi_core::ir::*;

/// What is the same at all points.
#[derive(Clone, Copy)]
struct Nest {
    /// How many elements the arrays of a point have.
    width: Dim,
    /// How often they are made anew.
    rounds: SubExp,
    /// At most.
    most: i64,
}

/// The depth that bodies have left outside of all nests.
const OUTSIDE: usize = 3;

/// Rows are no more than these: each has much to do.
const ROWS: f64 = 8.0;

/// A map over rows with rounds in it, or over rows of rows.
pub(super) fn rounds(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    match m.draw.below(10) {
        0 => accumulated(m, b, scope, depth),
        1 => deep(m, b, scope, depth),
        _ => {
            let nest = nest(m, b, depth);
            let source = rows(m, b, scope);
            let (map, bounds) =
                m.lambda(b, scope, &source.params, |m, b, scope, _| point(m, b, scope, depth, nest, None));
            let out = b.let_many("map", map_exp(source.width, source.arrays, map));
            out.into_iter().zip(bounds).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
        }
    }
}

/// A few rows, with their indices.
fn rows(m: &mut Maker, b: &mut Builder, scope: &mut Scope) -> Mapped {
    let mapped = m.mapped(b, scope, true);
    if m.at_most(mapped.width) <= ROWS {
        return mapped;
    }
    let width = m.dim();
    Mapped { width, arrays: vec![m.indices(b, width)], params: vec![Param::index(m.size(width))] }
}

/// Widths that are worth to be divided, and others; in a nest already, only others.
fn nest(m: &mut Maker, b: &mut Builder, depth: usize) -> Nest {
    let many = match depth {
        // more than a group has invocations
        OUTSIDE if m.draw.chance(1) => 260,
        OUTSIDE => m.draw.pick(&[33, 33, 33, 33, 34, 40]),
        _ => 3,
    };
    // of a constant width there are no more versions than two
    let sizes: Vec<Dim> = m.dims.iter().copied().filter(|d| matches!(d, Dim::Var(_))).collect();
    let width = match (sizes.is_empty(), m.draw.below(6)) {
        (true, _) | (_, 0) => Dim::Const(many),
        (_, 1) => m.draw.pick(&sizes),
        _ => {
            let size = m.draw.pick(&sizes);
            m.known(b, BinOp::Add, size, Dim::Const(many))
        }
    };
    let width = if m.size(width).is_none_or(|n| n <= 0) { Dim::Const(many) } else { width };
    let other = m.dim();
    match m.size(other) {
        Some(most) if (1..=3).contains(&most) && m.draw.chance(40) => Nest { width, rounds: other.into(), most },
        _ => {
            let most = m.draw.pick(&[2, 2, 2, 2, 3, 3, 3, 3, 1, 0]);
            Nest { width, rounds: SubExp::i64(most), most: most.max(1) }
        }
    }
}

/// A map over rows whose rounds update an accumulator of the whole.
fn accumulated(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let sum = m.sum(b);
    let shape = m.shape(1);
    let (arrays, start) = m.dests(b, scope, &sum.types, &shape);
    let nest = nest(m, b, depth);
    let mut source = rows(m, b, scope);
    let id = b.vars.fresh("id", Type::Cert);
    let ty = Type::Acc(AccType { id: id.var, shape: shape.clone(), elems: sum.types.clone() });
    let acc = b.vars.fresh("acc", ty.clone());
    source.params.push(acc_param(ty.clone()));
    source.arrays.push(acc.var);
    let mut inner = scope.inner();
    let (mut bounds, mut ret) = (Vec::new(), Vec::new());
    let body = b.inner(|b| {
        let (map, made) = m.lambda(b, &mut inner, &source.params, |m, b, scope, p| {
            point(m, b, scope, depth, nest, p.last().map(|acc| (*acc, &shape[..], &sum)))
        });
        bounds = made[1..].to_vec();
        let out = b.let_many("mapped", map_exp(source.width, source.arrays, map));
        ret = out.iter().map(|v| b.vars.ty(*v).clone()).collect();
        out.into_iter().map(SubExp::Var).collect()
    });
    scope.mark(&free_vars(&body));
    ret[0] = ty;
    // an update of each element, or two, in each round
    let times = 2.0 * m.at_most(source.width) * m.at_most(nest.width) * nest.most as f64;
    let inputs = vec![AccInput { shape, arrays, op: sum.op.clone() }];
    let lambda = Lambda { params: vec![id, acc], ret, body };
    let out = b.let_many("withacc", Exp::WithAcc(WithAcc { inputs, lambda }));
    scope.share_all();
    let bounds = sum.bounds_from(start, times).into_iter().chain(bounds);
    out.into_iter().zip(bounds).for_each(|(v, bound)| _ = scope.add(b.vars, v, bound));
}

/// A uniform nest three deep, with a reduction inside, or rounds.
fn deep(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let (nest, between) = (nest(m, b, depth), m.dim());
    let source = rows(m, b, scope);
    let (map, bounds) = m.lambda(b, scope, &source.params, |m, b, scope, _| {
        let is = m.indices(b, between);
        let params = [Param::index(m.size(between))];
        let (map, bounds) = m.lambda(b, scope, &params, |m, b, scope, _| {
            if m.draw.chance(40) {
                return point(m, b, scope, depth, nest, None);
            }
            let r = reduction(m, b, nest.width);
            let folded = fold(m, b, scope, nest.width, &[], &r, false);
            folded.into_iter().map(|v| m.tame(b, v, LIMIT)).collect()
        });
        let out = b.let_many("rows", map_exp(between, vec![is], map));
        out.into_iter().zip(bounds).map(|(v, bound)| Val::new(v, bound)).collect()
    });
    let out = b.let_many("map", map_exp(source.width, source.arrays, map));
    out.into_iter().zip(bounds).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
}

/// An accumulator with its shape and what it adds by.
type Whole<'a> = Option<(Var, &'a [Dim], &'a Reduction)>;

/// What a point does: arrays go through rounds. What comes of an accumulator is its first result.
fn point(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize, nest: Nest, whole: Whole) -> Vec<Val> {
    let first = m.elem();
    let mut params = Vec::new();
    for k in 0..1 + m.draw.below(3) {
        let elem = if k == 0 || m.draw.chance(50) { first } else { m.elem() };
        let unique = m.draw.chance(30);
        let init = start(m, b, scope, nest.width, elem, unique);
        let binder = b.vars.fresh("own", Type::Scalar(elem).array_of(&[nest.width]));
        params.push(LoopParam { binder, unique, init: init.into() });
    }
    let index = b.vars.fresh("round", Type::I64);
    let carried: Vec<LoopParam> = params.clone();
    if let Some((acc, ..)) = whole {
        let binder = b.vars.fresh("acc", b.vars.ty(acc).clone());
        params.insert(0, LoopParam { binder, unique: true, init: acc.into() });
    }
    let whole = whole.map(|(_, shape, sum)| (params[0].binder.var, shape, sum));
    let mut inner = scope.inner();
    inner.add(b.vars, index.var, 4.0).below = Some(nest.most);
    let body = b.inner(|b| round(m, b, &mut inner, depth, nest.width, &carried, whole));
    scope.mark(&free_vars(&body));
    let form = LoopForm::For { index, bound: nest.rounds };
    let mut made = b.let_many("rounds", Exp::Loop { params, form, body });
    let acc = whole.map(|_| Val::new(made.remove(0), 0.0));
    let results: Vec<Val> = made.into_iter().flat_map(|v| result(m, b, scope, nest.width, v)).collect();
    acc.into_iter().chain(results).collect()
}

/// What there is before the first round.
fn start(m: &mut Maker, b: &mut Builder, scope: &mut Scope, width: Dim, elem: ScalarType, unique: bool) -> Var {
    let row = Type::Scalar(elem);
    match m.draw.below(5) {
        0 => {
            let value = m.within(b, scope, &row, LIMIT).e;
            b.let_one("start", Exp::Replicate { shape: vec![width], value })
        }
        1 => {
            let ty = row.array_of(&[width]);
            match m.within(b, scope, &ty, LIMIT).e {
                SubExp::Var(v) if unique => b.let_one("start", Exp::Copy(v)),
                SubExp::Var(v) => v,
                value => b.let_one("start", Exp::Replicate { shape: vec![width], value }),
            }
        }
        _ => mapped(m, b, scope, width, &[], elem),
    }
}

/// The results of a point that are made of an array after the last round.
fn result(m: &mut Maker, b: &mut Builder, scope: &mut Scope, width: Dim, array: Var) -> Vec<Val> {
    match m.draw.below(10) {
        0 => vec![Val::new(array, LIMIT)],
        1..=3 => {
            m.index_below(b, scope, width).map(|i| Val::new(m.indexed(b, array, vec![i]), LIMIT)).into_iter().collect()
        }
        _ => {
            let r = reduction(m, b, width);
            let folded = fold(m, b, scope, width, &[array], &r, false);
            folded.into_iter().map(|v| m.tame(b, v, LIMIT)).collect()
        }
    }
}

/// A round; what its results are, that of the accumulator first.
fn round(
    m: &mut Maker,
    b: &mut Builder,
    scope: &mut Scope,
    depth: usize,
    width: Dim,
    params: &[LoopParam],
    whole: Whole,
) -> Vec<SubExp> {
    let mut out: Vec<Var> = params.iter().map(|p| p.binder.var).collect();
    // what may be read, with what is made in the round
    let (mut arrays, mut fresh) = (out.clone(), Vec::new());
    for v in &out {
        scope.add(b.vars, *v, LIMIT).used = true;
    }
    let elem = |b: &Builder, v: Var| b.vars.ty(v).elem().unwrap_or(ScalarType::I64);
    for step in 0..1 + m.draw.below(3) {
        let k = m.draw.below(out.len());
        let ty = elem(b, out[k]);
        let (read, again) = (some(m, &arrays), some(m, &arrays));
        let is_branch = step > 0 && m.draw.chance(5);
        let made: Vec<Var> = match m.draw.below(9) {
            _ if is_branch => vec![branch(m, b, scope, depth, &read, out[k])],
            0..=2 => {
                let r = reduction(m, b, width);
                let scanned = fold(m, b, scope, width, &read, &r, true);
                scanned.into_iter().filter_map(|v| m.tame(b, v, LIMIT).e.as_var()).collect()
            }
            3..=5 => {
                let r = reduction(m, b, width);
                for v in fold(m, b, scope, width, &read, &r, false) {
                    let v = m.tame(b, v, LIMIT);
                    scope.push(b.vars, v);
                }
                vec![mapped(m, b, scope, width, &again, ty)]
            }
            _ => vec![mapped(m, b, scope, width, &read, ty)],
        };
        for v in made {
            scope.add(b.vars, v, LIMIT).used = true;
            arrays.push(v);
            if !is_branch {
                fresh.push(v);
            }
            if elem(b, v) == ty {
                out[k] = v;
            }
        }
    }
    // arrays of the same type change places
    let k = m.draw.below(out.len());
    if elem(b, out[0]) == elem(b, out[k]) && m.draw.chance(40) {
        out.swap(0, k);
    }
    let read = some(m, &arrays);
    let acc = whole.map(|(acc, shape, sum)| update_whole(m, b, scope, acc, shape, sum, &read));
    // what is replaced in place is read before
    let values: Vec<Option<(SubExp, SubExp)>> = (0..out.len())
        .map(|k| {
            let index = m.index_below(b, scope, width).filter(|_| params[k].unique && m.draw.chance(70))?;
            Some((index, m.within(b, scope, &Type::Scalar(elem(b, out[k])), LIMIT).e))
        })
        .collect();
    // nothing else is what is the loop's own
    let mut owned: Vec<Var> = Vec::new();
    for (v, p) in out.iter().zip(params) {
        let is_new = fresh.contains(v) || *v == p.binder.var;
        let is_own = is_new && out.iter().filter(|other| *other == v).count() == 1;
        owned.push(if p.unique && !is_own { b.let_one("own", Exp::Copy(*v)) } else { *v });
    }
    let results = owned.into_iter().zip(values).map(|(v, value)| match value {
        Some((index, value)) => b.let_one("own", Exp::Update { array: v, indices: vec![index], value }),
        None => v,
    });
    acc.into_iter().chain(results).map(SubExp::Var).collect()
}

/// One to three of these.
fn some(m: &mut Maker, arrays: &[Var]) -> Vec<Var> {
    (0..1 + m.draw.below(3)).map(|_| arrays[m.draw.late(arrays.len())]).collect()
}

/// An operator on scalars whose results do not grow too fast for derivatives.
fn reduction(m: &mut Maker, b: &mut Builder, width: Dim) -> Reduction {
    let n = m.at_most(width);
    let filled = m.filled(width);
    let stms = b.stms.len();
    for _ in 0..6 {
        let r = m.reduction(b, false, filled);
        let grows = m.smooth && r.bounds(n).iter().any(|bound| *bound > 2.0 * n);
        if !grows && r.types.iter().all(|t| t.rank() == 0) {
            return r;
        }
        b.stms.truncate(stms);
    }
    m.sum(b)
}

/// A parameter for an element of each of these arrays, and one for its index.
fn params(m: &Maker, b: &Builder, width: Dim, arrays: &[Var]) -> Vec<Param> {
    let elements = arrays.iter().map(|v| Param::new(b.vars.ty(*v).row(), LIMIT));
    elements.chain([Param::index(m.size(width))]).collect()
}

/// Scalars of these types, made of what is in scope.
fn scalars(m: &mut Maker, b: &mut Builder, scope: &mut Scope, types: &[Type]) -> Vec<Val> {
    (0..1 + m.draw.below(2)).for_each(|_| scalar(m, b, scope, 0));
    let mut values: Vec<Val> = types.iter().map(|t| m.value(b, scope, t)).collect();
    m.absorb(b, scope, &mut values);
    values.into_iter().map(|v| m.tame(b, v, LIMIT)).collect()
}

/// An array of this type, made of these element by element.
fn mapped(m: &mut Maker, b: &mut Builder, scope: &mut Scope, width: Dim, arrays: &[Var], elem: ScalarType) -> Var {
    let params = params(m, b, width, arrays);
    let is = m.indices(b, width);
    let (map, _) = m.lambda(b, scope, &params, |m, b, scope, _| scalars(m, b, scope, &[Type::Scalar(elem)]));
    b.let_one("map", map_exp(width, [arrays, &[is]].concat(), map))
}

/// What is made of these element by element, reduced or scanned.
fn fold(
    m: &mut Maker,
    b: &mut Builder,
    scope: &mut Scope,
    width: Dim,
    arrays: &[Var],
    r: &Reduction,
    scans: bool,
) -> Vec<Val> {
    let params = params(m, b, width, arrays);
    let is = m.indices(b, width);
    let (map, _) = m.lambda(b, scope, &params, |m, b, scope, _| {
        let values = scalars(m, b, scope, &r.types);
        r.operands(m, b, &values)
    });
    let (scans, reduces) = if scans { (vec![r.op.clone()], vec![]) } else { (vec![], vec![r.op.clone()]) };
    let exp = Exp::from(Screma { width, arrays: [arrays, &[is]].concat(), map, scans, reduces, post: None });
    let bounds = r.bounds(m.at_most(width));
    b.let_many("fold", exp).into_iter().zip(bounds).map(|(v, bound)| Val::new(v, bound)).collect()
}

/// Another array of the type of this one, or it as it is.
fn branch(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize, from: &[Var], as_it_is: Var) -> Var {
    let cond = m.cond(b, scope);
    let ty = b.vars.ty(as_it_is).clone();
    let (width, elem) = (ty.shape()[0], ty.elem().unwrap_or(ScalarType::I64));
    let mut inner = scope.inner();
    let yes = b.inner(|b| vec![mapped(m, b, &mut inner, width, from, elem).into()]);
    scope.mark(&free_vars(&yes));
    let no = match depth > 1 && m.draw.chance(30) {
        true => b.inner(|b| vec![b.let_one("turned", Exp::Reverse { array: as_it_is }).into()]),
        false => Body { stms: Vec::new(), result: vec![as_it_is.into()] },
    };
    let pat = b.vars.fresh("side", ty);
    b.bind(vec![pat.clone()], Exp::If { cond, yes, no });
    pat.var
}

/// The accumulator after an update by the point, or by each element of its arrays.
fn update_whole(
    m: &mut Maker,
    b: &mut Builder,
    scope: &mut Scope,
    acc: Var,
    shape: &[Dim],
    sum: &Reduction,
    arrays: &[Var],
) -> Var {
    let width = b.vars.ty(arrays[0]).shape()[0];
    if m.draw.chance(50) {
        let values = sum.drawn(m, b, scope);
        return updated(m, b, scope, acc, shape, &values);
    }
    let mut params = params(m, b, width, arrays);
    params.push(acc_param(b.vars.ty(acc).clone()));
    let is = m.indices(b, width);
    let (map, _) = m.lambda(b, scope, &params, |m, b, scope, p| {
        let values = scalars(m, b, scope, &sum.types);
        let operands = sum.operands(m, b, &values);
        p.last().map(|acc| Val::new(updated(m, b, scope, *acc, shape, &operands), 0.0)).into_iter().collect()
    });
    b.let_one("acc", map_exp(width, [arrays, &[is, acc]].concat(), map))
}
