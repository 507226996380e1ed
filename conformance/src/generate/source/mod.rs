//! Generated source programs: well-typed, accepted by Futi's front end and by Futhark's, with an input.
//!
//! [`program`] makes one; [`mod@rewrite`] changes one so that nothing it computes changes; [`shrink`] proposes smaller ones.

pub mod ast;
mod make;
pub mod print;
pub mod rewrite;
mod shrink;
#[cfg(test)]
mod tests;

pub use shrink::shrink;

use ast::{Decl, Def, Exp, Kind, Name, Pat, Size, Ty};
use futi_core::hash::HashMap;
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::Value;
use make::{Maker, Signature};
use print::Parentheses;

use crate::random::rebuilt;

/// A generated program with an input.
#[derive(Clone, PartialEq, Debug)]
pub struct SourceProgram {
    /// Its declarations; the last is the entry point, [`super::ENTRY`].
    pub decls: Vec<Decl>,
    /// Values for the entry point's parameters.
    pub inputs: Vec<Value>,
    /// How it is written.
    pub parentheses: Parentheses,
}

impl SourceProgram {
    /// The program as text.
    pub fn text(&self) -> String {
        print::program(&self.decls, self.parentheses)
    }

    /// The entry point.
    pub fn entry(&self) -> Option<&Def> {
        match self.decls.last() {
            Some(Decl::Entry(d)) => Some(d),
            _ => None,
        }
    }

    /// Its definitions, also those in modules.
    pub fn defs(&self) -> Vec<&Def> {
        let mut all = Vec::new();
        for d in &self.decls {
            match d {
                Decl::Def(d) | Decl::Entry(d) => all.push(d),
                Decl::Module(_, ds) => all.extend(ds),
            }
        }
        all
    }

    /// The same, mutable.
    pub fn defs_mut(&mut self) -> Vec<&mut Def> {
        let mut all = Vec::new();
        for d in &mut self.decls {
            match d {
                Decl::Def(d) | Decl::Entry(d) => all.push(d),
                Decl::Module(_, ds) => all.extend(ds),
            }
        }
        all
    }

    /// How many expressions it is made of.
    pub fn size(&self) -> usize {
        self.defs().iter().map(|d| d.body.size()).sum()
    }

    /// The program under another name of its entry point, with other names for its definitions: several can stand in one file.
    pub fn named(&self, entry: &str) -> SourceProgram {
        let mut program = self.clone();
        let mut names = HashMap::default();
        for d in &program.decls {
            match d {
                Decl::Def(d) => {
                    names.insert(d.name.clone(), Name::from(format!("{entry}_{}", d.name)));
                }
                Decl::Entry(d) => {
                    names.insert(d.name.clone(), Name::from(entry));
                }
                Decl::Module(m, ds) => {
                    names.insert(m.clone(), Name::from(format!("{entry}_{m}")));
                    for d in ds {
                        names.insert(format!("{m}.{}", d.name).into(), format!("{entry}_{m}.{}", d.name).into());
                    }
                }
            }
        }
        for d in &mut program.decls {
            match d {
                Decl::Def(d) | Decl::Entry(d) => d.rename(&names),
                Decl::Module(m, ds) => {
                    *m = names[m].clone();
                    ds.iter_mut().for_each(|d| d.rename(&names));
                }
            }
        }
        program
    }
}

/// The program that follows from the seed; the larger the size, the larger the program.
pub fn program(size: usize, seed: u64) -> SourceProgram {
    let mut m = Maker::new(size, seed);
    let mut decls = Vec::new();
    let mut known = Vec::new();
    for _ in 0..m.roll(3) {
        let (def, sig) = definition(&mut m, size);
        decls.push(Decl::Def(def));
        known.push(sig);
        m.defs = known.clone();
    }
    if m.once_in(4) {
        let name = m.fresh("m");
        let (defs, sigs): (Vec<Def>, Vec<Signature>) = (0..1 + m.roll(2)).map(|_| definition(&mut m, size)).unzip();
        decls.push(Decl::Module(name.clone(), defs));
        known.extend(sigs.into_iter().map(|s| Signature { name: format!("{name}.{}", s.name).into(), ..s }));
        m.defs = known;
    }
    let (entry, inputs) = entry(&mut m, size);
    decls.push(Decl::Entry(entry));
    let parentheses = if m.once_in(8) { Parentheses::Many } else { Parentheses::Few };
    SourceProgram { decls, inputs, parentheses }
}

/// A definition, perhaps polymorphic in sizes and types.
fn definition(m: &mut Maker, size: usize) -> (Def, Signature) {
    let sizes: Vec<Name> = (0..[0, 0, 1, 1, 2][m.roll(5)]).map(|_| m.fresh("n")).collect();
    let types: Vec<Name> = (0..[0, 0, 0, 1, 2][m.roll(5)]).map(|_| m.fresh("t")).collect();
    m.sizes = sizes.iter().map(|n| (Size::Name(n.clone()), None)).chain([(Size::Const(2), Some(2))]).collect();
    m.scope.clear();
    let mut params: Vec<Ty> = types.iter().map(|a| Ty::Param(a.clone())).collect();
    for n in &sizes {
        let elem = if let (Some(a), true) = (types.first(), m.once_in(2)) {
            Ty::Param(a.clone())
        } else {
            Ty::Scalar(m.scalar_type())
        };
        params.push(Ty::array(Size::Name(n.clone()), elem));
    }
    for _ in 0..m.roll(3) {
        params.push(m.value_type(1));
    }
    if m.once_in(3) || params.is_empty() {
        let any = |m: &mut Maker| {
            let t = params.get(m.roll(params.len())).cloned();
            t.filter(|t| matches!(t, Ty::Param(_) | Ty::Scalar(_))).unwrap_or(Ty::Scalar(m.scalar_type()))
        };
        let (a, r) = (any(m), any(m));
        params.insert(0, Ty::fun(vec![a], r));
    }
    if params.iter().all(|p| matches!(p, Ty::Fun(..))) {
        params.push(Ty::Scalar(m.scalar_type()));
    }
    let pats: Vec<Pat> = params.iter().map(|t| m.pattern(t, true)).collect();
    // values of types that are not known are there for whoever needs one
    m.scope = pats.iter().flat_map(Pat::names).collect();
    let ret = match m.once_in(2) {
        true => m.value_type(1),
        false => params.iter().rev().find(|t| !matches!(t, Ty::Fun(..))).cloned().unwrap_or(Ty::I64),
    };
    m.budget = 2 * size as isize;
    let body = m.exp(&ret, 3);
    let def = Def { name: m.fresh("g"), sizes: sizes.clone(), types: types.clone(), params: pats, typed: true, body };
    let sig = Signature { name: def.name.clone(), sizes, types, params, ret };
    (def, sig)
}

/// The entry point, and values for its parameters.
fn entry(m: &mut Maker, size: usize) -> (Def, Vec<Value>) {
    let values: Vec<i64> = (0..m.roll(3)).map(|_| if m.once_in(12) { 0 } else { 1 + m.roll(5) as i64 }).collect();
    let sizes: Vec<(Name, i64)> = values.into_iter().map(|n| (m.fresh("n"), n)).collect();
    let named = sizes.iter().map(|(n, k)| (Size::Name(n.clone()), Some(*k)));
    m.sizes = named.chain([(Size::Const(2), Some(2)), (Size::Const(3), Some(3))]).collect();
    m.scope.clear();
    let mut params = Vec::new();
    for (n, _) in &sizes {
        params.push(Ty::array(Size::Name(n.clone()), Ty::Scalar(m.scalar_type())));
    }
    for _ in 0..1 + m.roll(3) {
        let elem = Ty::Scalar(m.scalar_type());
        params.push(match m.roll(6) {
            0 => Ty::array(m.pick_size(), elem),
            1 => Ty::array(m.pick_size(), Ty::array(m.pick_size(), elem)),
            _ => elem,
        });
    }
    let pats: Vec<Pat> = params.iter().map(|t| Pat::Name(m.fresh("x"), t.clone(), true)).collect();
    m.scope = pats.iter().flat_map(Pat::names).collect();
    let mut results = Vec::new();
    for _ in 0..1 + m.roll(3) {
        let elem = Ty::Scalar(m.scalar_type());
        results.push(match m.roll(4) {
            0 => Ty::array(m.pick_size(), elem),
            _ => elem,
        });
    }
    m.budget = 6 * size as isize;
    let ret = if results.len() == 1 { results.remove(0) } else { Ty::Tuple(results) };
    let body = m.exp(&ret, 5);
    let def = Def {
        name: super::ENTRY.into(),
        sizes: sizes.iter().map(|(n, _)| n.clone()).collect(),
        types: vec![],
        params: pats,
        typed: true,
        body,
    };
    let inputs = params.iter().map(|t| input(m, t, &sizes)).collect();
    (def, inputs)
}

/// A value of a parameter's type. Half of the floats are multiples of 1/8, so that equal ones occur.
fn input(m: &mut Maker, t: &Ty, sizes: &[(Name, i64)]) -> Value {
    let (mut shape, mut elem) = (Vec::new(), t);
    while let Ty::Array(n, inner) = elem {
        shape.push(match n {
            Size::Const(n) => *n as usize,
            Size::Name(n) => sizes.iter().find(|(m, _)| m == n).map_or(0, |(_, k)| *k as usize),
            Size::Sum(_) | Size::Product(_) => 0,
        });
        elem = inner;
    }
    let s = elem.scalar().unwrap_or(ScalarType::I64);
    let coarse = m.once_in(2);
    let count: usize = shape.iter().product();
    let mut next = || match s {
        ScalarType::Bool => Scalar::Bool(m.once_in(2)),
        s if s.is_int() => Scalar::from_i64(s, m.roll(16) as i64 - 5),
        s if coarse => Scalar::from_f64(s, (m.roll(33) as f64 - 16.0) / 8.0),
        s => Scalar::from_f64(s, (m.roll(4000) as f64 - 2000.0) / 999.0),
    };
    let scalars: Vec<Scalar> = (0..count).map(|_| next()).collect();
    rebuilt(s, &shape, scalars.into_iter())
}

/// The positions, as [`Exp::nth`] counts them, of the expressions that may be changed: not of those that say how large something is, and unless
/// `operators`, not of an associative operator and its neutral element, which depend on each other.
fn places_in(e: &Exp, operators: bool, next: &mut usize, out: &mut Vec<usize>) {
    out.push(*next);
    *next += 1;
    for (i, c) in e.children().into_iter().enumerate() {
        let fixed = match &*e.kind {
            // operators inside of `f64.(…)` are the module's
            Kind::UpTo(_) | Kind::Open(..) => true,
            Kind::App(f, _) => match &*f.kind {
                Kind::Var(n) if matches!(&**n, "reduce" | "reduce_comm" | "scan") => !operators && (i == 1 || i == 2),
                // sizes: in a definition that has been abstracted they may be anywhere
                Kind::Var(n) => i > 0 && c.ty == Ty::I64 && !n.contains('.'),
                _ => false,
            },
            _ => false,
        };
        if fixed {
            *next += c.size();
        } else {
            places_in(c, operators, next, out);
        }
    }
}
