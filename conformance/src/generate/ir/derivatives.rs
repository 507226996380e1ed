//! Derivatives inside of programs, and functions with derivatives of their own.

use super::maker::{LIMIT, Maker, Param, each};
use super::scope::{Scope, Val};
use futi_core::ir::build::{Builder, map_exp};
use futi_core::ir::*;

/// Forward mode.
pub(super) fn jvp(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    derivative(m, b, scope, depth, true);
}

/// Reverse mode.
pub(super) fn vjp(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    derivative(m, b, scope, depth, false);
}

/// Whether simplification by the laws of integers keeps the operator's derivative: not that of `x | x`, which is zero, and that of x is not.
fn is_ring(op: Prim) -> bool {
    matches!(
        op,
        Prim::Bin(BinOp::Add | BinOp::Sub | BinOp::Mul, _) | Prim::Un(UnOp::Neg, _) | Prim::Cmp(..) | Prim::Select(_)
    )
}

/// The derivative of a lambda; in wild programs of integers only, since sums of float adjoints depend on their order.
fn derivative(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize, forward: bool) {
    let outer = (m.elems.clone(), m.prims.clone(), m.rules_only, m.callees.clone(), m.differentiated);
    if !m.smooth {
        m.elems.retain(|t| !t.is_float());
        m.prims.retain(|op| op.signature().is_some_and(|(args, r)| args.iter().chain([&r]).all(|t| !t.is_float())));
        m.prims.retain(|op| is_ring(*op));
        m.callees.clear();
    }
    let smooth = m.smooth;
    let differentiable = |t: &Type| t.elem().is_some_and(|t| t.is_float() == smooth && t != ScalarType::Bool);
    let (mut args, mut params) = (Vec::new(), Vec::new());
    for _ in 0..1 + m.draw.below(2) {
        let Some(val) = m.find(scope, |i| differentiable(&i.ty)) else { break };
        let val = m.tame(b, val, LIMIT);
        args.push(val.e);
        params.push(Param::new(b.vars.type_of(val.e), val.bound));
    }
    if args.is_empty() {
        let val = m.value(b, scope, &Type::I64);
        args.push(val.e);
        params.push(Param::new(Type::I64, val.bound));
    }
    let mut types = Vec::new();
    for _ in 0..1 + usize::from(m.draw.chance(35)) {
        let arg = m.draw.pick(&params).ty;
        let elem = if m.smooth { m.float_elem() } else { arg.elem().unwrap_or(ScalarType::I64) };
        types.push(if m.draw.chance(40) { arg } else { Type::Scalar(elem) });
    }
    // what the transformation has no rule for ends its stages: not too often
    m.rules_only |= m.draw.chance(75);
    m.differentiated = true;
    let weights = m.restrict();
    let (lambda, bounds) = m.lambda(b, scope, &params, |m, b, scope, _| m.inside(b, scope, depth - 1, &types, LIMIT));
    m.restore(weights);
    (m.elems, m.prims, m.rules_only, m.callees, m.differentiated) = outer;

    let seed_shape = if m.draw.chance(12) { vec![Dim::Const(1 + m.draw.below(2) as i64)] } else { Vec::new() };
    let seeded: Vec<Type> = match forward {
        true => params.iter().map(|p| p.ty.clone()).collect(),
        false => types.clone(),
    };
    let seeds = seeded.iter().map(|t| seed(m, b, scope, &t.array_of(&seed_shape))).collect();
    let ad = Ad { lambda, args, seeds, seed_shape };
    let out = b.let_many("d", if forward { Exp::Jvp(ad) } else { Exp::Vjp(ad) });
    scope.share_all();
    for (k, v) in out.into_iter().enumerate() {
        match bounds.get(k) {
            Some(bound) => {
                scope.add(b.vars, v, *bound);
            }
            // of derivatives little is known: brought within 1
            None => {
                let val = if m.smooth { bounded(m, b, v) } else { Val::new(v, 0.0) };
                scope.push(b.vars, val);
            }
        }
    }
}

fn seed(m: &mut Maker, b: &mut Builder, scope: &mut Scope, ty: &Type) -> SubExp {
    if m.draw.chance(40) {
        let elem = ty.elem().unwrap_or(ScalarType::I64);
        let x = m.constant(elem);
        return b.fill(ty, x);
    }
    m.within(b, scope, ty, LIMIT).e
}

fn bounded(m: &mut Maker, b: &mut Builder, v: Var) -> Val {
    let Some(t) = b.vars.ty(v).elem().filter(|t| t.is_float()) else { return Val::new(v, 0.0) };
    let op = if m.draw.chance(60) { UnOp::Sin } else { UnOp::Tanh };
    let e = each(b, v.into(), &mut |b, x| {
        let x = b.prim_op(t.times(), &[x, Scalar::from_f64(t, 0.25).into()]);
        b.prim_op(Prim::Un(op, t), &[x])
    });
    Val::new(e, 1.0)
}

/// A function with derivatives of its own.
pub(super) fn custom(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let rules = m.draw.below(4);
    if rules == 0 || !m.smooth {
        return without_rules(m, b, scope, depth);
    }
    let t = m.float_elem();
    let vector = m.find_array(scope, |ty| ty.rank() == 1 && ty.elem() == Some(t)).filter(|_| m.draw.chance(40));
    let (x, y) = match vector {
        Some((v, bound)) => {
            let x = m.tame(b, Val::new(v, bound), LIMIT);
            let ty = b.vars.type_of(x.e);
            (x, m.within(b, scope, &ty, LIMIT))
        }
        None => (m.float(b, scope, t), m.float(b, scope, t)),
    };
    let ty = b.vars.type_of(x.e);
    let true_rule = m.draw.chance(90);
    let square = m.draw.chance(50);
    let params = [("x", ty.clone()), ("y", ty.clone())];
    // sin x · y or x²y, which saves x and y or nothing but x and y
    let lambda = b.lambda(&params, |b, p| {
        let z = zipped(b, &[p[0], p[1]], 1, &mut |b, xs| vec![product(b, t, square, xs)]);
        vec![p[0].into(), p[1].into(), z[0]]
    });
    let reverse = [("x", ty.clone()), ("y", ty.clone()), ("z_bar", ty.clone())];
    let vjp = (rules != 2).then(|| {
        b.lambda(&reverse, |b, p| {
            zipped(b, &[p[0], p[1], p[2]], 2, &mut |b, xs| {
                let [dx, dy] = partials(b, t, square, xs[0], xs[1]);
                let dx = times(b, t, dx, xs[2]);
                let dx = if true_rule { dx } else { times(b, t, dx, Scalar::from_f64(t, 2.0).into()) };
                vec![dx, times(b, t, dy, xs[2])]
            })
        })
    });
    let forward = [params.clone(), params].concat();
    let jvp = (rules != 1).then(|| {
        b.lambda(&forward, |b, p| {
            zipped(b, p, 1, &mut |b, xs| {
                let [dx, dy] = partials(b, t, square, xs[0], xs[1]);
                let (dx, dy) = (times(b, t, dx, xs[2]), times(b, t, dy, xs[3]));
                let dx = if true_rule { dx } else { times(b, t, dx, Scalar::from_f64(t, 2.0).into()) };
                vec![b.prim_op(t.plus(), &[dx, dy])]
            })
        })
    });
    let out = b.let_many("own", Exp::from(Custom { lambda, saved: 2, vjp, jvp, args: vec![x.e, y.e] }));
    scope.share_all();
    out.into_iter().for_each(|v| {
        scope.add(b.vars, v, 4.0 * y.bound);
    });
}

/// A scalar function of scalars, or of the elements of vectors of one size.
fn zipped(
    b: &mut Builder,
    vs: &[Var],
    results: usize,
    f: &mut dyn FnMut(&mut Builder, &[SubExp]) -> Vec<SubExp>,
) -> Vec<SubExp> {
    let ty = b.vars.ty(vs[0]).clone();
    if ty.rank() == 0 {
        let es: Vec<SubExp> = vs.iter().map(|v| (*v).into()).collect();
        return f(b, &es);
    }
    let params: Vec<(&str, Type)> = vs.iter().map(|_| ("x", ty.row())).collect();
    let map = b.lambda(&params, |b, p| {
        let es: Vec<SubExp> = p.iter().map(|v| (*v).into()).collect();
        f(b, &es)
    });
    let out = b.let_many("zipped", map_exp(ty.shape()[0], vs.to_vec(), map));
    out.into_iter().take(results).map(SubExp::Var).collect()
}

fn times(b: &mut Builder, t: ScalarType, x: SubExp, y: SubExp) -> SubExp {
    b.prim_op(t.times(), &[x, y])
}

fn product(b: &mut Builder, t: ScalarType, square: bool, xs: &[SubExp]) -> SubExp {
    let first = if square { times(b, t, xs[0], xs[0]) } else { b.prim_op(Prim::Un(UnOp::Sin, t), &[xs[0]]) };
    times(b, t, first, xs[1])
}

/// Of sin x · y: cos x · y and sin x; of x²y: 2xy and x².
fn partials(b: &mut Builder, t: ScalarType, square: bool, x: SubExp, y: SubExp) -> [SubExp; 2] {
    if square {
        let xy = times(b, t, x, y);
        return [b.prim_op(t.plus(), &[xy, xy]), times(b, t, x, x)];
    }
    let cos = b.prim_op(Prim::Un(UnOp::Cos, t), &[x]);
    [times(b, t, cos, y), b.prim_op(Prim::Un(UnOp::Sin, t), &[x])]
}

fn without_rules(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let (mut args, mut params) = (Vec::new(), Vec::new());
    for _ in 0..1 + m.draw.below(2) {
        let Some(val) = m.find(scope, |i| i.ty.elem().is_some()) else { break };
        let val = m.tame(b, val, LIMIT);
        args.push(val.e);
        params.push(Param::new(b.vars.type_of(val.e), val.bound));
    }
    let types: Vec<Type> = (0..1 + m.draw.below(3)).map(|_| Type::Scalar(m.elem())).collect();
    let saved = m.draw.below(types.len());
    let (lambda, bounds) = m.lambda(b, scope, &params, |m, b, scope, _| m.inside(b, scope, depth - 1, &types, LIMIT));
    let out = b.let_many("own", Exp::from(Custom { lambda, saved, vjp: None, jvp: None, args }));
    scope.share_all();
    out.into_iter().zip(&bounds[saved..]).for_each(|(v, bound)| {
        scope.add(b.vars, v, *bound);
    });
}
