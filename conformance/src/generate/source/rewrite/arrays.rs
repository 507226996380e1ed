//! Rewrites of maps, reductions and loops.

use super::*;
use crate::generate::source::make::applied;
use futi_core::prim::Scalar;

/// The arguments of a call of this function of the prelude.
fn args_of<'a>(e: &'a Exp, f: &str) -> Option<&'a [Exp]> {
    match &*e.kind {
        Kind::App(head, args) => matches!(&*head.kind, Kind::Var(n) if **n == *f).then_some(&args[..]),
        _ => None,
    }
}

fn elem(t: &Ty) -> Option<(&Size, &Ty)> {
    if let Ty::Array(n, t) = t { Some((n, t)) } else { None }
}

/// `map (\\x -> e) xs` becomes `map (\\a -> e') (map (\\x -> a') xs)` for an operand `a'` of `e`.
pub fn split_map(c: &mut Context, e: &Exp) -> Option<Exp> {
    let [f, xs] = args_of(e, "map")? else { return None };
    let Kind::Lambda(ps, body) = &*f.kind else { return None };
    let ([p], true) = (&ps[..], is_strict(body)) else { return None };
    if matches!(&*body.kind, Kind::App(f, _) if c.is_sized(f)) {
        return None;
    }
    let operands: Vec<usize> = (0..body.children().len()).filter(|i| is_value(&body.children()[*i].ty)).collect();
    let i = *operands.get(c.roll(operands.len()))?;
    let mut rest = body.clone();
    let a = c.param(&body.children()[i].ty);
    let first = std::mem::replace(rest.children_mut().swap_remove(i), a.exp());
    if p.names().iter().any(|(n, _)| in_types(&a.exp(), n)) {
        return None;
    }
    let (n, _) = elem(&xs.ty)?;
    let inner_ty = Ty::array(n.clone(), first.ty.clone());
    let used = p.names().iter().any(|(n, _)| rest.uses(n) > 0);
    if !used {
        let inner = Exp::call("map", vec![Exp::lambda(vec![p.clone()], first), xs.clone()], inner_ty);
        return Some(Exp::call("map", vec![Exp::lambda(vec![a], rest), inner], e.ty.clone()));
    }
    // the parameter is needed in both
    let all = c.param(&xs.ty);
    let first = c.copy(&Exp::lambda(vec![p.clone()], first));
    let inner = Exp::call("map", vec![first, all.exp()], inner_ty);
    let both = Exp::call("map2", vec![Exp::lambda(vec![a, p.clone()], rest), inner, all.exp()], e.ty.clone());
    Some(Exp::bind(all, xs.clone(), both))
}

/// `map f (map g xs)` becomes `map (g >-> f) xs`, or with a lambda.
pub fn merge_maps(c: &mut Context, e: &Exp) -> Option<Exp> {
    let [f, inner] = args_of(e, "map")? else { return None };
    let [g, xs] = args_of(inner, "map")? else { return None };
    let ((_, from), (_, middle), (_, to)) = (elem(&xs.ty)?, elem(&inner.ty)?, elem(&e.ty)?);
    let h = match c.roll(2) {
        0 => Exp::new(Kind::Compose(g.clone(), f.clone()), Ty::fun(vec![from.clone()], to.clone())),
        _ => {
            let x = c.param(from);
            let y = applied(g.clone(), vec![x.exp()], middle);
            Exp::lambda(vec![x], applied(f.clone(), vec![y], to))
        }
    };
    Some(Exp::call("map", vec![h, xs.clone()], e.ty.clone()))
}

/// `map f xs` becomes a loop that puts one element after the other into an array.
pub fn map_to_loop(c: &mut Context, e: &Exp) -> Option<Exp> {
    let [f, xs] = args_of(e, "map")? else { return None };
    let ((n, _), (_, from)) = (elem(&e.ty)?, elem(&xs.ty)?);
    let (_, to) = elem(&e.ty)?;
    let zero = Exp::lit(to.scalar()?.zero());
    let (all, acc) = (c.param(&xs.ty), c.param(&e.ty));
    let (i, j) = (c.fresh("j"), c.fresh("j"));
    let var = |n: &Name| Exp::var(n, &Ty::I64);
    let at = |a: &Exp, i: &Name, t: &Ty| Exp::new(Kind::Index(a.clone(), vec![var(i)]), t.clone());
    let y = c.param(to);
    let here = Exp::infix("==", var(&j), var(&i), Ty::BOOL);
    let chosen = Exp::new(Kind::If(here, y.exp(), at(&acc.exp(), &j, to)), to.clone());
    let row = Exp::lambda(vec![Pat::Name(j, Ty::I64, true)], chosen);
    let next = Exp::call("tabulate", vec![n.exp(), row], e.ty.clone());
    let value = applied(f.clone(), vec![at(&all.exp(), &i, from)], to);
    let body = Exp::bind(y, value, next);
    let start = Exp::call("replicate", vec![n.exp(), zero], e.ty.clone());
    let whole = Exp::new(Kind::Loop(acc, start, Form::For(i, n.exp()), body), e.ty.clone());
    Some(Exp::bind(all, xs.clone(), whole))
}

/// `map f xs` becomes `tabulate n (\\i -> f xs[i])`.
pub fn map_to_tabulate(c: &mut Context, e: &Exp) -> Option<Exp> {
    let [f, xs] = args_of(e, "map")? else { return None };
    let ((n, to), (_, from)) = (elem(&e.ty)?, elem(&xs.ty)?);
    let (all, i) = (c.param(&xs.ty), c.fresh("j"));
    let x = Exp::new(Kind::Index(all.exp(), vec![Exp::var(&i, &Ty::I64)]), from.clone());
    let row = Exp::lambda(vec![Pat::Name(i, Ty::I64, true)], applied(f.clone(), vec![x], to));
    let rows = Exp::call("tabulate", vec![n.exp(), row], e.ty.clone());
    Some(Exp::bind(all, xs.clone(), rows))
}

/// `map2 f xs ys` becomes `map (\\(x, y) -> f x y) (zip xs ys)`.
pub fn map_of_zip(c: &mut Context, e: &Exp) -> Option<Exp> {
    let [f, xs, ys] = args_of(e, "map2")? else { return None };
    let ((n, a), (_, b), (_, to)) = (elem(&xs.ty)?, elem(&ys.ty)?, elem(&e.ty)?);
    let (x, y) = (c.param(a), c.param(b));
    let pairs = Ty::array(n.clone(), Ty::Tuple(vec![a.clone(), b.clone()]));
    let zipped = Exp::call("zip", vec![xs.clone(), ys.clone()], pairs);
    let body = applied(f.clone(), vec![x.exp(), y.exp()], to);
    Some(Exp::call("map", vec![Exp::lambda(vec![Pat::Tuple(vec![x, y])], body), zipped], e.ty.clone()))
}

/// `reduce op ne xs` and `foldl f a xs` become `loop a = ne for x in xs do op a x`.
pub fn reduce_to_loop(c: &mut Context, e: &Exp) -> Option<Exp> {
    let [op, ne, xs] = args_of(e, "reduce").or_else(|| args_of(e, "foldl"))? else { return None };
    let (a, x) = (c.param(&e.ty), c.param(elem(&xs.ty)?.1));
    let body = applied(op.clone(), vec![a.exp(), x.exp()], &e.ty);
    Some(Exp::new(Kind::Loop(a, ne.clone(), Form::In(x, xs.clone()), body), e.ty.clone()))
}

/// `loop p = a for i < n do e` becomes `(loop (i, p) = (0, a) while i < n do (i + 1, e)).1`.
pub fn for_to_while(c: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Loop(p, a, Form::For(i, n), body) = &*e.kind else { return None };
    if in_types(body, i) {
        return None;
    }
    let (counter, limit) = (Exp::var(i, &Ty::I64), c.param(&Ty::I64));
    let more = Exp::infix("<", counter.clone(), limit.exp(), Ty::BOOL);
    let next = Exp::infix("+", counter, Exp::lit(Scalar::I64(1)), Ty::I64);
    let start = Exp::tuple(vec![Exp::lit(Scalar::I64(0)), a.clone()]);
    let both = Pat::Tuple(vec![Pat::Name(i.clone(), Ty::I64, true), p.clone()]);
    let step = Exp::tuple(vec![next, body.clone()]);
    let ty = Ty::Tuple(vec![Ty::I64, e.ty.clone()]);
    let whole = Exp::new(Kind::Loop(both, start, Form::While(more), step), ty);
    Some(Exp::bind(limit, n.clone(), Exp::project(whole, 1)))
}

/// `loop p = a for x in xs do e` becomes `loop p = a for i < length xs do let x = xs[i] in e`.
pub fn elements_to_indices(c: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Loop(p, a, Form::In(x, xs), body) = &*e.kind else { return None };
    let (all, i) = (c.param(&xs.ty), c.fresh("j"));
    let here = Exp::new(Kind::Index(all.exp(), vec![Exp::var(&i, &Ty::I64)]), x.ty());
    let body = Exp::bind(x.clone(), here, body.clone());
    let n = Exp::call("length", vec![all.exp()], Ty::I64);
    let whole = Exp::new(Kind::Loop(p.clone(), a.clone(), Form::For(i, n), body), e.ty.clone());
    Some(Exp::bind(all, xs.clone(), whole))
}
