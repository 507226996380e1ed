//! Streams, irregular maps and accumulators.

use super::control::relying;
use super::irregular::own_size;
use super::maker::{LIMIT, Maker};
use super::operators::Reduction;
use super::scope::{Scope, Val};
use super::writes::acc_param;
use futi_core::ir::build::{Builder, map_exp, reduce_exp};
use futi_core::ir::*;

/// `streamseq`: an accumulator from chunk to chunk, and a map whose rows see no other row.
pub(super) fn sequential_stream(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    stream(m, b, scope, depth, true);
}

/// `streampar`.
pub(super) fn parallel_stream(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    stream(m, b, scope, depth, false);
}

fn stream(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize, sequential: bool) {
    let source = m.mapped(b, scope, false);
    let (width, n) = (source.width, m.at_most(source.width));
    let reduction = m.reduction(b, false, true);
    let init: Vec<Val> = match sequential {
        true => reduction.drawn(m, b, scope),
        false => Vec::new(),
    };
    let rows: Vec<Type> = (0..1 + m.draw.below(2)).map(|_| m.row_type()).collect();
    let size = b.vars.fresh("c", Type::I64);
    let chunk = Dim::Var(size.var);
    let accs: Vec<Binder> = match sequential {
        true => reduction.types.iter().map(|t| b.vars.fresh("acc", t.clone())).collect(),
        false => Vec::new(),
    };
    let chunks: Vec<Binder> = source.params.iter().map(|p| b.vars.fresh("chunk", p.ty.array_of(&[chunk]))).collect();
    let mut inner = scope.inner();
    let mut bounds = Vec::new();
    // the operator once more, within the chunk
    let within = Operator { lambda: rename::renamed(&reduction.op.lambda, b.vars), ..reduction.op.clone() };
    let body = b.inner(|b| {
        let types = [reduction.types.clone(), rows.clone()].concat();
        let (map, made) = m.lambda(b, &mut inner, &source.params, |m, b, scope, _| {
            let values = m.inside(b, scope, depth - 1, &types, LIMIT);
            let (operands, rows) = values.split_at(reduction.types.len());
            let mut out = reduction.operands(m, b, operands);
            out.extend_from_slice(rows);
            out
        });
        bounds = made[reduction.types.len()..].to_vec();
        let arrays = chunks.iter().map(|c| c.var).collect();
        let op = within;
        let out = b.let_many("fold", reduce_exp(chunk, arrays, map, vec![op.clone()]));
        let (totals, mapped) = out.split_at(reduction.types.len());
        let mut results: Vec<SubExp> = match sequential {
            false => totals.iter().map(|v| (*v).into()).collect(),
            true => {
                let operands = accs.iter().map(|a| a.var).chain(totals.iter().copied());
                let operands: Vec<SubExp> = operands.map(SubExp::Var).collect();
                let joined = rename::applied(&op.lambda, &operands, b.vars);
                b.splice(joined)
            }
        };
        results.extend(mapped.iter().map(|v| SubExp::Var(*v)));
        results
    });
    scope.mark(&visit::free_vars(&body));
    let ret = reduction.types.iter().cloned().chain(rows.iter().map(|t| t.array_of(&[chunk]))).collect();
    let params = [vec![size], accs, chunks].concat();
    let total = match sequential {
        true => reduction.bounds_from(LIMIT, n),
        false => reduction.bounds(n),
    };
    let form = match sequential {
        true => StreamForm::Seq(init.into_iter().map(|v| v.e).collect()),
        false => StreamForm::Par(reduction.op),
    };
    let lambda = Lambda { params, ret, body };
    let out = b.let_many("stream", Exp::from(Stream { width, arrays: source.arrays, form, lambda }));
    let bounds = total.into_iter().chain(bounds);
    out.into_iter().zip(bounds).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
}

/// Rows of sizes from zero to three.
pub(super) fn flatmap(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let source = m.mapped(b, scope, true);
    let regular: Vec<Type> = (0..m.draw.below(2)).map(|_| m.row_type()).collect();
    let elem = Type::Scalar(m.elem());
    let size = b.vars.fresh("s", Type::I64);
    let types = [vec![elem.clone()], regular.clone()].concat();
    let varied = m.draw.chance(50);
    let (mut lambda, bounds) = m.lambda(b, scope, &source.params, |m, b, scope, p| {
        let values = m.inside(b, scope, depth - 1, &types, LIMIT);
        let k = own_size(m, b, scope, p[p.len() - 1].into());
        let shape: Vec<Dim> = Dim::from_subexp(k).into_iter().collect();
        let xs = Exp::Replicate { shape: shape.clone(), value: values[0].e };
        let mut xs = m.checked(b, Check::NonNegativeSize(k), "xs", xs);
        let mut bound = values[0].bound;
        if let (true, Some(t), Some(d)) = (varied && m.smooth, elem.elem().filter(|t| t.is_float()), shape.first()) {
            // elements that differ
            let is = m.indices(b, *d);
            let map = b.lambda(&[("x", elem.clone()), ("i", Type::I64)], |b, q| {
                let i = b.prim_op(Prim::Conv(ScalarType::I64, t), &[q[1].into()]);
                let i = b.prim_op(t.plus(), &[i, Scalar::from_f64(t, 0.5).into()]);
                vec![b.prim_op(t.times(), &[q[0].into(), i])]
            });
            xs = b.let_one("ys", map_exp(*d, vec![xs, is], map));
            bound *= 3.5;
        }
        let mut out = vec![Val::new(k, 0.0), Val::new(xs, bound)];
        out.extend_from_slice(&values[1..]);
        out
    });
    lambda.ret = [vec![Type::I64, elem.array_of(&[Dim::Var(size.var)])], regular].concat();
    let f = FlatMap { width: source.width, arrays: source.arrays, size, irregular: 1, lambda };
    let total = b.vars.fresh("m", Type::I64);
    let types = f.result_types(total.var);
    let mut pat = vec![total];
    for t in types.into_iter().skip(1) {
        pat.push(b.vars.fresh("flat", t));
    }
    b.bind(pat.clone(), f.into());
    super::arrays::size_item(b, scope, pat[0].var);
    for p in &pat[1..4] {
        scope.add_own(b.vars, p.var, 0.0);
    }
    pat[4..].iter().zip(&bounds[1..]).for_each(|(p, bound)| scope.add_own(b.vars, p.var, *bound));
}

/// Arrays to which a map adds, by an operator, at indices; in a loop, under a condition or in a map inside, now and then.
pub(super) fn withacc(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let count = 1 + usize::from(m.draw.chance(25));
    let (mut inputs, mut bounds, mut ids, mut accs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut reductions: Vec<Reduction> = Vec::new();
    for _ in 0..count {
        let only_sums = m.rules_only || m.draw.chance(40);
        let reduction = if only_sums { m.sum(b) } else { m.reduction(b, true, true) };
        let rank = 1 + usize::from(m.draw.chance(20));
        let shape = m.shape(rank);
        let (arrays, start) = m.dests(b, scope, &reduction.types, &shape);
        let id = b.vars.fresh("id", Type::Cert);
        let ty = Type::Acc(AccType { id: id.var, shape: shape.clone(), elems: reduction.types.clone() });
        accs.push(b.vars.fresh("acc", ty));
        ids.push(id);
        bounds.push(start);
        let op = reduction.op.clone();
        inputs.push(AccInput { shape, arrays, op });
        reductions.push(reduction);
    }
    let mut source = m.mapped(b, scope, false);
    let n = 3.0 * m.at_most(source.width);
    let plain = source.params.len();
    source.params.extend(accs.iter().map(|a| acc_param(a.ty.clone())));
    source.arrays.extend(accs.iter().map(|a| a.var));
    let extra: Vec<Type> = (0..usize::from(m.draw.chance(30))).map(|_| m.row_type()).collect();
    let types: Vec<Type> = reductions.iter().flat_map(|r| r.types.clone()).chain(extra.clone()).collect();
    let mut mapped_bounds = Vec::new();
    let mut inner = scope.inner();
    let ret_accs: Vec<Type> = accs.iter().map(|a| a.ty.clone()).collect();
    let width = source.width;
    let body = b.inner(|b| {
        let (map, made) = m.lambda(b, &mut inner, &source.params, |m, b, scope, p| {
            let values = m.inside(b, scope, depth - 1, &types, LIMIT);
            let (mut out, mut at) = (Vec::new(), 0);
            for ((acc, input), r) in p[plain..].iter().zip(&inputs).zip(&reductions) {
                let operands = r.operands(m, b, &values[at..at + r.types.len()]);
                at += r.types.len();
                out.push(Val::new(updated(m, b, scope, *acc, &input.shape, &operands), 0.0));
            }
            out.extend_from_slice(&values[at..]);
            out
        });
        mapped_bounds = made[accs.len()..].to_vec();
        b.let_many("mapped", map_exp(width, source.arrays, map)).into_iter().map(SubExp::Var).collect()
    });
    scope.mark(&visit::free_vars(&body));
    let ret = ret_accs.into_iter().chain(extra.iter().map(|t| t.array_of(&[width]))).collect();
    let lambda = Lambda { params: [ids, accs].concat(), ret, body };
    let out_bounds: Vec<f64> = reductions.iter().zip(&bounds).flat_map(|(r, s)| r.bounds_from(*s, n)).collect();
    let out = b.let_many("withacc", Exp::WithAcc(WithAcc { inputs, lambda }));
    scope.share_all();
    for (v, bound) in out.into_iter().zip(out_bounds.into_iter().chain(mapped_bounds)) {
        scope.add(b.vars, v, bound);
    }
}

/// The accumulator after updates at indices of this shape.
pub(super) fn updated(
    m: &mut Maker,
    b: &mut Builder,
    scope: &mut Scope,
    acc: Var,
    shape: &[Dim],
    values: &[Val],
) -> Var {
    let mut indices: Vec<SubExp> = Vec::new();
    for d in shape {
        let index = match m.draw.chance(80) {
            true => m.index_below(b, scope, *d),
            false => None,
        };
        indices.push(index.unwrap_or_else(|| m.value(b, scope, &Type::I64).e));
    }
    let values: Vec<SubExp> = values.iter().map(|v| v.e).collect();
    let ty = b.vars.ty(acc).clone();
    let update = |b: &mut Builder, acc: Var, indices: Vec<SubExp>| {
        b.let_one("acc", Exp::UpdAcc { acc, indices, values: values.clone() })
    };
    match m.draw.below(6) {
        0 => {
            // in a loop
            let index = b.vars.fresh("i", Type::I64);
            let binder = b.vars.fresh("acc", ty);
            let inside = binder.var;
            let body = b.inner(|b| {
                let mut indices = indices.clone();
                indices[0] = index.var.into();
                vec![update(b, inside, indices).into()]
            });
            let params = vec![LoopParam { binder, unique: true, init: acc.into() }];
            let form = LoopForm::For { index, bound: SubExp::i64(1 + m.draw.below(2) as i64) };
            b.let_one("acc", Exp::Loop { params, form, body })
        }
        1 => {
            let cond = m.cond(b, scope);
            let yes = b.inner(|b| vec![update(b, acc, indices.clone()).into()]);
            let no = Body { stms: Vec::new(), result: vec![acc.into()] };
            let pat = b.vars.fresh("acc", ty);
            b.bind(vec![pat.clone()], Exp::If { cond, yes, no });
            pat.var
        }
        2 => {
            // in a map inside
            let d = Dim::Const(2);
            let is = m.indices(b, d);
            let map = b.lambda(&[("i", Type::I64), ("acc", ty)], |b, p| {
                let mut indices = indices.clone();
                indices[0] = p[0].into();
                vec![update(b, p[1], indices).into()]
            });
            b.let_one("acc", map_exp(d, vec![is, acc], map))
        }
        3 => {
            let once = update(b, acc, indices.clone());
            update(b, once, indices)
        }
        _ => update(b, acc, indices),
    }
}

/// A value that relies on a check that fails: floats, if there are some, as derivatives have no other results.
pub(super) fn failure(m: &mut Maker, b: &mut Builder, scope: &mut Scope) -> Option<Var> {
    let check = super::control::failing(m, b, scope);
    let val = m.find(scope, |i| i.ty.is_float()).or_else(|| m.find(scope, |i| i.ty.elem().is_some()))?;
    Some(relying(m, b, scope, check, val))
}
