//! Smaller programs: a part in place of the whole, a literal in place of an expression, fewer results, parameters, definitions and elements. All are
//! well-typed if the program is; whether one still fails is for the caller to see.

use super::ast::*;
use super::{SourceProgram, places_in};
use crate::random::rebuilt;
use futi_core::prim::Scalar;
use futi_core::value::Value;

/// Programs that are a little smaller than this one, the boldest first.
pub fn shrink(p: &SourceProgram) -> impl Iterator<Item = SourceProgram> + use<> {
    let (a, b, c, d) = (p.clone(), p.clone(), p.clone(), p.clone());
    let mut all = Vec::new();
    for (d, def) in p.defs().iter().enumerate().rev() {
        let mut here = Vec::new();
        places_in(&def.body, false, &mut 0, &mut here);
        all.extend(here.into_iter().map(|i| (d, i)));
    }
    let places = move || all.clone().into_iter();
    let parts = places().flat_map(move |(d, i)| at(&b, d, i, parts));
    let leaves = places().flat_map(move |(d, i)| at(&c, d, i, |e| leaf(e).into_iter().collect()));
    without_definitions(&a).chain(without_results(&a)).chain(parts).chain(leaves).chain(smaller_inputs(&d))
}

/// The program with each of the proposals for one expression.
fn at(p: &SourceProgram, def: usize, i: usize, propose: impl Fn(&Exp) -> Vec<Exp>) -> Vec<SourceProgram> {
    let mut proposals = Vec::new();
    let mut q = p.clone();
    if let Some(d) = q.defs_mut().into_iter().nth(def)
        && let Some(e) = d.body.nth(i)
    {
        proposals = propose(e);
    }
    let with = |e: Exp| {
        let mut q = p.clone();
        if let Some(d) = q.defs_mut().into_iter().nth(def)
            && let Some(place) = d.body.nth(i)
        {
            *place = e;
        }
        q
    };
    proposals.into_iter().map(with).collect()
}

/// Expressions inside that can stand in place of the whole: of its type, and without the names that it binds.
fn parts(e: &Exp) -> Vec<Exp> {
    let mut found = Vec::new();
    let mut own: Vec<Name> = e.patterns().into_iter().flat_map(Pat::names).map(|(n, _)| n).collect();
    match &*e.kind {
        Kind::Loop(_, _, Form::For(i, _), _) => own.push(i.clone()),
        Kind::LetFun(d, _) => own.push(d.name.clone()),
        _ => {}
    }
    for c in e.children() {
        if own.iter().all(|n| c.uses(n) == 0) {
            if c.ty == e.ty {
                found.push(c.clone());
            } else {
                found.extend(parts(c).into_iter().filter(|x| x.ty == e.ty));
            }
        }
    }
    // a tuple taken apart at once
    if let Kind::Project(t, i) = &*e.kind
        && let Kind::Tuple(es) = &*t.kind
    {
        found.push(es[*i].clone());
    }
    found
}

/// The simplest expression of the type, unless the expression is one of the simplest.
fn leaf(e: &Exp) -> Option<Exp> {
    match &*e.kind {
        Kind::Lit(x) if x.to_f64() == 0.0 || x.to_f64() == 1.0 => None,
        Kind::App(f, args) if matches!(&*f.kind, Kind::Var(n) if **n == *"replicate") && args[1].size() == 1 => None,
        Kind::Tuple(es) if es.iter().all(|e| e.size() == 1) => None,
        _ => simplest(&e.ty).filter(|s| s.size() < e.size() || s.size() == e.size() && s != e),
    }
}

fn simplest(t: &Ty) -> Option<Exp> {
    match t {
        Ty::Scalar(s) => Some(Exp::lit(s.one())),
        Ty::Tuple(ts) => Some(Exp::tuple(ts.iter().map(simplest).collect::<Option<_>>()?)),
        Ty::Array(n, elem) => Some(Exp::call("replicate", vec![n.exp(), simplest(elem)?], t.clone())),
        Ty::Fun(..) | Ty::Param(_) => None,
    }
}

/// Without a definition that nobody uses.
fn without_definitions(p: &SourceProgram) -> impl Iterator<Item = SourceProgram> + use<> {
    let p = p.clone();
    let used = |p: &SourceProgram, name: &str| p.defs().iter().any(|d| d.body.uses(name) > 0);
    (0..p.decls.len().saturating_sub(1)).filter_map(move |i| {
        let unused = match &p.decls[i] {
            Decl::Def(d) => !used(&p, &d.name),
            Decl::Module(m, ds) => !ds.iter().any(|d| used(&p, &format!("{m}.{}", d.name))),
            Decl::Entry(_) => false,
        };
        let mut q = p.clone();
        q.decls.remove(i);
        unused.then_some(q)
    })
}

/// With one of several results, or without a parameter that nobody uses.
fn without_results(p: &SourceProgram) -> impl Iterator<Item = SourceProgram> + use<> {
    let mut smaller = Vec::new();
    let Some(entry) = p.entry() else { return smaller.into_iter() };
    if let Ty::Tuple(ts) = &entry.body.ty {
        for i in 0..ts.len() {
            let mut q = p.clone();
            if let Some(Decl::Entry(d)) = q.decls.last_mut() {
                d.body = Exp::project(d.body.clone(), i);
            }
            smaller.push(q);
        }
    }
    for (i, pat) in entry.params.iter().enumerate() {
        let mut sizes = Vec::new();
        pat.ty().size_names(&mut sizes);
        let other = |n: &Name| {
            let rest = entry.params.iter().enumerate().filter(|(j, _)| *j != i);
            rest.map(|(_, p)| p.ty()).any(|t| {
                let mut names = Vec::new();
                t.size_names(&mut names);
                names.contains(n)
            })
        };
        let unused = pat.names().iter().all(|(n, _)| entry.body.uses(n) == 0);
        if unused && sizes.iter().all(other) {
            let mut q = p.clone();
            if let Some(Decl::Entry(d)) = q.decls.last_mut() {
                d.params.remove(i);
            }
            q.inputs.remove(i);
            smaller.push(q);
        }
    }
    smaller.into_iter()
}

/// With arrays one shorter in a size that has a name, or with a simpler number.
fn smaller_inputs(p: &SourceProgram) -> impl Iterator<Item = SourceProgram> + use<> {
    let mut smaller = Vec::new();
    let Some(entry) = p.entry() else { return smaller.into_iter() };
    for n in &entry.sizes {
        let size = Size::Name(n.clone());
        let dims = |t: &Ty| {
            let (mut dims, mut elem) = (Vec::new(), t.clone());
            while let Ty::Array(n, inner) = elem {
                dims.push(n);
                elem = *inner;
            }
            dims
        };
        let shorter = |(v, pat): (&Value, &Pat)| {
            let dims = dims(&pat.ty());
            let shape: Option<Vec<usize>> = v
                .shape()
                .iter()
                .zip(&dims)
                .map(|(k, d)| if *d == size { k.checked_sub(1) } else { Some(*k) })
                .collect();
            shape.map(|shape| cut(v, &shape))
        };
        if let Some(inputs) = p.inputs.iter().zip(&entry.params).map(shorter).collect::<Option<Vec<_>>>() {
            smaller.push(SourceProgram { inputs, ..p.clone() });
        }
    }
    for (i, v) in p.inputs.iter().enumerate() {
        for simple in [v.elem().zero(), v.elem().one()] {
            let all = rebuilt(v.elem(), v.shape(), v.elements().map(|_| simple));
            let (here, there) = (weight(v), weight(&all));
            if there < here {
                let mut q = p.clone();
                q.inputs[i] = all;
                smaller.push(q);
            }
        }
    }
    smaller.into_iter()
}

/// How far a value is from the simplest: what shrinking makes smaller.
fn weight(v: &Value) -> f64 {
    let simple = |x: Scalar| {
        if x == x.scalar_type().zero() {
            0.0
        } else if x == x.scalar_type().one() {
            1.0
        } else {
            2.0
        }
    };
    v.elements().map(simple).sum()
}

/// The first elements in each dimension.
fn cut(v: &Value, shape: &[usize]) -> Value {
    let old = v.shape().to_vec();
    let inside = |i: &usize| {
        let mut rest = *i;
        old.iter().zip(shape).rev().all(|(n, m)| {
            let index = rest % n.max(&1);
            rest /= n.max(&1);
            index < *m
        })
    };
    let kept: Vec<Scalar> = v.elements().enumerate().filter(|(i, _)| inside(i)).map(|(_, x)| x).collect();
    rebuilt(v.elem(), shape, kept.into_iter())
}
