//! Sizes that a program asks for.
//!
//! Note [Sizes that are asked for]: `length (iota n)` is n, and yet it fails where n is negative: who asks for the size of an array uses the array. In a type the
//! size is n; where it is a value, it is n on the condition that the array has been made (`check made`), which passes take away when they see that nothing
//! can prevent it. The condition stands where the name of the size gets its meaning, as the array may be consumed later, and only where the name is asked for.

use super::Lowerer;
use super::sizes::numbered;
use super::value::{Scope, Val};
use crate::budget::HEAVY;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Binder, Check, Dim, Exp, Stm, SubExp, Type, Var};
use crate::types::ty::{Id, Size, Type as SourceType, TypeParam};
use crate::types::typed::Def;

/// A size of an array that may never be made.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// No other one has this number.
    number: u32,
    array: Var,
    size: Dim,
    /// The body in which its name gets its meaning: how many bodies are being made, and how many statements that one has.
    level: usize,
    position: usize,
}

/// What is asked of the sizes of arrays.
#[derive(Default)]
pub struct Sizes {
    /// Arrays that may never be made: they rely on checks, or come of code that may fail.
    unsure: HashSet<Var>,
    /// For each of the bodies that are being made, the innermost last, statements with the places before which they belong.
    bodies: Vec<Vec<(usize, [Stm; 2])>>,
    /// How many sizes there are that may be asked for.
    count: u32,
    /// The values of those that have been.
    values: HashMap<u32, Var>,
}

impl Sizes {
    /// A body begins.
    pub fn open(&mut self) {
        self.bodies.push(Vec::new());
    }

    /// The statements of the body that began last, with those that belong in between.
    pub fn close(&mut self, stms: Vec<Stm>) -> Vec<Stm> {
        let mut more = self.bodies.pop().unwrap_or_default();
        if more.is_empty() {
            return stms;
        }
        more.sort_by_key(|(position, _)| *position);
        let mut more = more.into_iter().peekable();
        let mut all = Vec::new();
        for (i, stm) in stms.into_iter().enumerate() {
            while let Some((_, own)) = more.next_if(|(position, _)| *position <= i) {
                all.extend(own);
            }
            all.push(stm);
        }
        all.extend(more.flat_map(|(_, own)| own));
        all
    }

    /// Whether the variable is the value of a size that is asked for in the body that began last.
    pub fn is_asked_here(&self, v: Var) -> bool {
        self.bodies.last().is_some_and(|more| more.iter().any(|(_, [_, size])| size.pat[0].var == v))
    }

    /// These arrays may never be made.
    pub fn are_unsure(&mut self, binders: &[Binder]) {
        self.unsure.extend(binders.iter().filter(|b| b.ty.rank() > 0).map(|b| b.var));
    }

    /// Notes whether what a statement binds may never be made.
    pub fn note(&mut self, pat: &[Binder], exp: &Exp, certs: &[Var]) {
        if !certs.is_empty() || self.may_fail(exp) {
            self.are_unsure(pat);
        }
    }

    fn may_fail(&self, exp: &Exp) -> bool {
        let unsure = |vs: &[Var]| vs.iter().any(|v| self.unsure.contains(v));
        if let Some(array) = exp.source_array() {
            return unsure(&[array]);
        }
        match exp {
            Exp::ArrayLit { elems, .. } => elems.iter().any(|e| e.as_var().is_some_and(|v| self.unsure.contains(&v))),
            Exp::Index { array, .. } => unsure(&[*array]),
            // of constants
            Exp::SubExp(_) | Exp::Opaque(_) | Exp::Replicate { .. } => false,
            Exp::Concat { arrays, .. } => unsure(arrays),
            Exp::Screma(s) => unsure(&s.arrays),
            Exp::Prim(..) | Exp::Iota { .. } | Exp::Scratch { .. } | Exp::Check(_) | Exp::UpdAcc { .. } => false,
            _ => true,
        }
    }
}

impl Lowerer<'_> {
    /// Notes which of these names are sizes of arrays in the value that may never be made.
    pub fn ask(&mut self, names: &[Id], ty: &SourceType, value: &Val, scope: &mut Scope) {
        let is_unsure = |e: &SubExp| e.as_var().is_some_and(|v| self.asked.unsure.contains(&v));
        if names.is_empty() || value.has_made() || !value.leaves().iter().any(is_unsure) {
            return;
        }
        let (shape, sizes) = numbered(ty, self.env, &scope.types);
        for (numbers, leaf) in shape.leaves().iter().zip(value.leaves()) {
            let Some(array) = leaf.as_var().filter(|v| self.asked.unsure.contains(v)) else { continue };
            for (number, size) in numbers.shape().iter().zip(self.vars.ty(array).shape()) {
                let of = |n: &i64| usize::try_from(*n).ok().and_then(|n| sizes.get(n));
                if let Dim::Const(n) = number
                    && let Some(Size::Var(id)) = of(n)
                    && names.contains(id)
                    && scope.values.contains_key(&id.num)
                    && !scope.asked.contains_key(&id.num)
                {
                    let (level, position) = (self.asked.bodies.len(), self.stms.len());
                    self.asked.count += 1;
                    let asked = Asked { number: self.asked.count, array, size: *size, level, position };
                    scope.asked.insert(id.num, asked);
                }
            }
        }
    }

    /// The value of a size that is asked for.
    pub fn asked_size(&mut self, asked: Asked) -> SubExp {
        if let Some(known) = self.asked.values.get(&asked.number) {
            return (*known).into();
        }
        self.spend(2 * HEAVY, "its code, with definitions in place of their names,");
        let (made, size) = (self.vars.fresh("made", Type::Cert), self.vars.fresh("n", Type::I64));
        let value = size.var;
        let stm = |binder, exp, certs| Stm { pat: vec![binder], exp, certs, attrs: Vec::new(), prov: self.prov };
        let certs = vec![made.var];
        let own = [
            stm(made, Exp::Check(Check::Made(asked.array)), Vec::new()),
            stm(size, Exp::SubExp(asked.size.into()), certs),
        ];
        self.asked.values.insert(asked.number, value);
        self.asked.bodies[asked.level - 1].push((asked.position, own));
        value.into()
    }
}

/// The names of a definition's size parameters.
pub fn size_names(def: &Def) -> Vec<Id> {
    def.tparams.iter().filter(|p| matches!(p, TypeParam::Size(_))).map(|p| p.id().clone()).collect()
}
