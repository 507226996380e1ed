//! Rewrites of `let`, tuples, branches and ascriptions.

use super::*;
use futi_core::prim::Scalar;

/// `e` becomes `let x = e in x`.
pub fn abstract_let(c: &mut Context, e: &Exp) -> Option<Exp> {
    let x = c.fresh("x");
    let typed = is_value(&e.ty) && c.roll(2) == 0;
    let head = matches!(&*e.kind, Kind::Var(_) if !is_value(&e.ty));
    (!head).then(|| Exp::bind(Pat::Name(x.clone(), e.ty.clone(), typed), e.clone(), Exp::var(&x, &e.ty)))
}

/// `let x = a in b` becomes `b` with `a` for `x`.
pub fn inline_let(c: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Let(Pat::Name(x, t, _), a, b) = &*e.kind else { return None };
    if *t == Ty::I64 && in_types(b, x) || b.uses(x) * a.size() > 200 {
        return None;
    }
    let mut b = b.clone();
    substitute(c, &mut b, x, a);
    Some(b)
}

/// A copy of `a` for each use of `x`.
pub(super) fn substitute(c: &mut Context, e: &mut Exp, x: &Name, a: &Exp) {
    if matches!(&*e.kind, Kind::Var(n) if n == x) {
        *e = c.copy(a);
        return;
    }
    e.children_mut().into_iter().for_each(|child| substitute(c, child, x, a));
}

/// `let p = a let q = b in e` with `p` and `q` the other way round.
pub fn swap_lets(_: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Let(p, a, inner) = &*e.kind else { return None };
    let Kind::Let(q, b, body) = &*inner.kind else { return None };
    let names: Vec<Name> = p.names().into_iter().map(|(n, _)| n).collect();
    let needed = names.iter().any(|n| {
        b.uses(n) > 0 || in_types(b, n) || q.names().iter().any(|(_, t)| *t != Ty::I64 && in_types(&q.exp(), n))
    });
    (!needed).then(|| Exp::bind(q.clone(), b.clone(), Exp::bind(p.clone(), a.clone(), body.clone())))
}

/// `let (x, y) = a in b` becomes `let t = a in b` with `t.0` for `x`.
pub fn name_tuple(c: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Let(Pat::Tuple(ps), a, b) = &*e.kind else { return None };
    if ps.iter().flat_map(Pat::names).any(|(n, t)| t == Ty::I64 && in_types(b, &n)) {
        return None;
    }
    let t = c.fresh("x");
    let whole = Exp::var(&t, &a.ty);
    let mut with = HashMap::default();
    for (i, p) in ps.iter().enumerate() {
        parts(p, Exp::project(whole.clone(), i), &mut with);
    }
    let mut b = b.clone();
    b.replace(&with);
    Some(Exp::bind(Pat::Name(t, a.ty.clone(), c.roll(2) == 0), a.clone(), b))
}

fn parts(p: &Pat, e: Exp, with: &mut HashMap<Name, Exp>) {
    match p {
        Pat::Name(n, ..) => {
            with.insert(n.clone(), e);
        }
        Pat::Tuple(ps) => ps.iter().enumerate().for_each(|(i, p)| parts(p, Exp::project(e.clone(), i), with)),
    }
}

/// `let t = a in b` becomes `let (x, y) = a in b` with `(x, y)` for `t`, and `x` for `t.0`.
pub fn tuple_apart(c: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Let(Pat::Name(t, Ty::Tuple(ts), typed), a, b) = &*e.kind else { return None };
    let ps: Vec<Pat> = ts.iter().map(|t| Pat::Name(c.fresh("x"), t.clone(), *typed)).collect();
    let mut b = b.clone();
    b.replace(&HashMap::from_iter([(t.clone(), Exp::tuple(ps.iter().map(Pat::exp).collect()))]));
    project(&mut b);
    Some(Exp::bind(Pat::Tuple(ps), a.clone(), b))
}

/// `(x, y).0` becomes `x`.
fn project(e: &mut Exp) {
    e.children_mut().into_iter().for_each(project);
    if let Kind::Project(t, i) = &*e.kind
        && let Kind::Tuple(es) = &*t.kind
        && es.iter().all(|e| matches!(&*e.kind, Kind::Var(_)))
    {
        *e = es[*i].clone();
    }
}

/// `let (x, y, z) = (a, b, c)` becomes `let (x, (y, z)) = (a, (b, c))`.
pub fn nest_tuple(_: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Let(Pat::Tuple(ps), a, b) = &*e.kind else { return None };
    let Kind::Tuple(es) = &*a.kind else { return None };
    if ps.len() < 3 {
        return None;
    }
    let p = Pat::Tuple(vec![ps[0].clone(), Pat::Tuple(ps[1..].to_vec())]);
    let a = Exp::tuple(vec![es[0].clone(), Exp::tuple(es[1..].to_vec())]);
    Some(Exp::bind(p, a, b.clone()))
}

/// `let (x, y) = (a, b)` becomes `let x = a let y = b`; `(a, b)` becomes `let x = a let y = b in (x, y)`.
pub fn tuple_to_variables(c: &mut Context, e: &Exp) -> Option<Exp> {
    match &*e.kind {
        Kind::Let(Pat::Tuple(ps), a, b) => {
            let Kind::Tuple(es) = &*a.kind else { return None };
            Some(ps.iter().zip(es).rev().fold(b.clone(), |b, (p, e)| Exp::bind(p.clone(), e.clone(), b)))
        }
        Kind::Tuple(es) => {
            let ps: Vec<Pat> = es.iter().map(|e| Pat::Name(c.fresh("x"), e.ty.clone(), false)).collect();
            let whole = Exp::tuple(ps.iter().map(Pat::exp).collect());
            Some(ps.into_iter().zip(es).rev().fold(whole, |b, (p, e)| Exp::bind(p, e.clone(), b)))
        }
        _ => None,
    }
}

/// `e` becomes `if true then e else e`.
pub fn if_true(c: &mut Context, e: &Exp) -> Option<Exp> {
    if !is_value(&e.ty) || e.size() > 60 {
        return None;
    }
    let truth = c.roll(2) == 0;
    let kind = Kind::If(Exp::lit(Scalar::Bool(truth)), e.clone(), c.copy(e));
    Some(Exp::new(kind, e.ty.clone()))
}

/// `if c then a else b` becomes `if !c then b else a`.
pub fn negate_condition(_: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::If(c, a, b) = &*e.kind else { return None };
    let not = Exp::new(Kind::Not(c.clone()), Ty::BOOL);
    Some(Exp::new(Kind::If(not, b.clone(), a.clone()), e.ty.clone()))
}

/// `e` becomes `(e : t)`.
pub fn ascribe(_: &mut Context, e: &Exp) -> Option<Exp> {
    is_value(&e.ty).then(|| Exp::new(Kind::Ascribe(e.clone()), e.ty.clone()))
}

/// An array `e` becomes `(e :> t)`.
pub fn coerce(_: &mut Context, e: &Exp) -> Option<Exp> {
    matches!(e.ty, Ty::Array(..)).then(|| Exp::new(Kind::Coerce(e.clone()), e.ty.clone()))
}

/// `(e : t)` becomes `e`.
pub fn leave_ascription(_: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Ascribe(inner) = &*e.kind else { return None };
    Some(inner.clone())
}
