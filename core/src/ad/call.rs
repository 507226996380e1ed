//! Derivatives of recursive functions, the only ones that are still called: each gets a function of its own for the arguments that matter, the results that have an
//! adjoint and the directions at once (DESIGN.md §3, Decisions: order of nested AD). A call in reverse mode executes the function in the forward sweep and its derivative, which does so again, in the
//! return sweep.

use super::activity::{self, Active};
use super::checkpoints::{Chosen, Options, Remark, Report};
use super::fwd::Fwd;
use super::rev::Rev;
use super::*;
use crate::hash::HashMap;
use crate::ir::build::substitute_type;

/// Which derivative of a function.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    fun: Name,
    /// Which parameters have a tangent, or are to have an adjoint.
    active: Vec<bool>,
    /// In reverse mode, which results have an adjoint.
    given: Option<Vec<bool>>,
    /// The seed shape, as far as it is known.
    seed: Vec<Option<i64>>,
    /// Whether it is differentiated again.
    nested: bool,
}

/// The derivative of a function, to be called.
#[derive(Clone)]
pub struct Derived {
    /// The function's name.
    pub fun: Name,
    /// In reverse mode the results that are sizes of those with an adjoint: they are arguments, before the adjoints.
    pub sizes: Vec<usize>,
}

/// What all derivatives of a program share.
pub struct Shared<'a> {
    /// The places of the program.
    pub prov: &'a mut ProvTable,
    /// The program's functions.
    funs: HashMap<Name, Fun>,
    known: HashMap<Key, Derived>,
    /// The derivatives of functions so far.
    pub made: Vec<Fun>,
    /// The functions whose own derivatives are being replaced.
    within: Vec<Name>,
    /// Whether the derivative at hand is differentiated again.
    pub nested: bool,
    /// What is to be heeded.
    pub options: Options,
    /// What is kept of loops.
    pub reports: Vec<Report>,
    /// Of the code so far, the arrays at whose elements nothing is written twice.
    pub distinct: Distinct,
}

impl<'a> Shared<'a> {
    /// Of a program with these functions.
    pub fn new(funs: &[Fun], prov: &'a mut ProvTable, options: Options) -> Self {
        let funs = funs.iter().map(|f| (f.name.clone(), f.clone())).collect();
        let (made, within, reports) = (Vec::new(), Vec::new(), Vec::new());
        Shared {
            prov,
            funs,
            known: HashMap::default(),
            made,
            within,
            // mutant negation: it is set before each derivative
            nested: false,
            options,
            reports,
            distinct: Distinct::default(),
        }
    }

    /// Puts on record what is kept of a loop: once, though its forward sweep may be there several times.
    pub fn report(&mut self, prov: Prov, chosen: Chosen, remarks: Vec<Remark>) {
        let same = |r: &Report| r.chosen == chosen && self.prov.span(r.prov) == self.prov.span(prov);
        if !self.reports.iter().any(same) {
            self.reports.push(Report { prov, chosen, remarks });
        }
    }

    /// The derivative of a function in forward mode: it takes the arguments, the sizes of the seed that are variables, and the tangents of the active arguments,
    /// and returns the results, then their tangents.
    pub fn forward(&mut self, vars: &mut Vars, fun: &Name, active: Vec<bool>, seed: &[Dim], at: Prov) -> Res<Derived> {
        let key = Key { fun: fun.clone(), active, given: None, seed: known(seed), nested: self.nested };
        if let Some(derived) = self.known.get(&key) {
            return Ok(derived.clone());
        }
        let f = self.plain(vars, fun, at)?;
        let derived = self.named(&key, "jvp", Vec::new());
        let (dims, seed) = seed_params(vars, seed);
        let mut params = f.params.clone();
        params.extend(dims);
        let mut tangents = HashMap::default();
        for (p, _) in f.params.iter().zip(&key.active).filter(|(_, active)| **active) {
            let binder = vars.fresh(format!("{}_tan", p.binder.name).as_str(), p.binder.ty.array_of(&seed));
            tangents.insert(p.binder.var, binder.var.into());
            params.push(FunParam { binder, unique: p.unique });
        }
        let body = split::columns_only(vars, &f.body);
        let mut active: Active = tangents.keys().copied().collect();
        activity::extend(&mut active, &body);
        let mut results = f.results.clone();
        for r in f.results.iter().filter(|r| r.binder.ty.elem().is_some()) {
            let binder = vars.fresh(format!("{}_tan", r.binder.name).as_str(), r.binder.ty.array_of(&seed));
            results.push(FunResult { binder, unique: r.unique });
        }
        let wanted: Vec<bool> = f.results.iter().map(|r| r.binder.ty.elem().is_some()).collect();
        let mut b = Builder::new(vars, at);
        let body = Fwd { seed, active, tangents, shared: self }.body(&mut b, &body, &wanted)?;
        self.made.push(Fun { name: derived.fun.clone(), entry: None, params, results, body });
        Ok(derived)
    }

    /// The derivative of a function in reverse mode: it takes the arguments, the sizes of the seed that are variables, the sizes of results, and the adjoints of the
    /// results that have one, and returns the adjoints of the active arguments.
    pub fn reverse(
        &mut self,
        vars: &mut Vars,
        fun: &Name,
        (active, given): (Vec<bool>, Vec<bool>),
        seed: &[Dim],
        at: Prov,
    ) -> Res<Derived> {
        let key = Key { fun: fun.clone(), active, given: Some(given.clone()), seed: known(seed), nested: self.nested };
        if let Some(derived) = self.known.get(&key) {
            return Ok(derived.clone());
        }
        let f = self.plain(vars, fun, at)?;
        let with_adjoint = || f.results.iter().zip(&given).filter(|(_, given)| **given).map(|(r, _)| &r.binder);
        let mentioned = |v: Var| with_adjoint().any(|r| r.ty.shape().contains(&Dim::Var(v)));
        let sizes: Vec<usize> = (0..f.results.len()).filter(|k| mentioned(f.results[*k].binder.var)).collect();
        let derived = self.named(&key, "vjp", sizes.clone());
        let (dims, seed) = seed_params(vars, seed);
        let mut params: Vec<FunParam> =
            f.params.iter().map(|p| FunParam { unique: false, binder: p.binder.clone() }).collect();
        params.extend(dims);
        let mut subst = HashMap::default();
        for k in &sizes {
            let of = &f.results[*k].binder;
            let binder = vars.fresh(of.name.clone(), Type::I64);
            subst.insert(of.var, binder.var.into());
            params.push(FunParam { binder, unique: false });
        }
        let mut adjoints = Vec::new();
        for (r, given) in f.results.iter().zip(&given) {
            adjoints.push(given.then(|| {
                let ty = substitute_type(&r.binder.ty, &subst).array_of(&seed);
                let binder = vars.fresh(format!("{}_adj", r.binder.name).as_str(), ty);
                params.push(FunParam { binder: binder.clone(), unique: false });
                binder.var.into()
            }));
        }
        let body = split::body(vars, &f.body);
        let wrt: Vec<&Binder> = f.params.iter().zip(&key.active).filter(|(_, a)| **a).map(|(p, _)| &p.binder).collect();
        let mut active: Active = wrt.iter().map(|p| p.var).collect();
        activity::extend(&mut active, &body);
        let mut b = Builder::new(vars, at);
        let result = Rev::new(seed.clone(), active, self).of_body(&mut b, &body, &adjoints, &wrt)?;
        let body = Body { stms: b.stms, result };
        let mut results = Vec::new();
        for p in wrt {
            let binder = vars.fresh(format!("{}_adj", p.name).as_str(), p.ty.array_of(&seed));
            results.push(FunResult { binder, unique: false });
        }
        self.made.push(Fun { name: derived.fun.clone(), entry: None, params, results, body });
        Ok(derived)
    }

    /// A copy of the function with fresh binders, in which no derivative is left.
    fn plain(&mut self, vars: &mut Vars, fun: &Name, at: Prov) -> Res<Fun> {
        let found = self.made.iter().find(|f| f.name == *fun).or_else(|| self.funs.get(fun));
        let Some(f) = found else { return unsupported(&format!("the call of {fun}"), "there is no such function", at) };
        if self.within.contains(fun) {
            let missing = "it differentiates itself, and each derivative would need one of a higher order";
            return unsupported(&format!("the call of {fun}"), missing, at);
        }
        let mut f = renamed(f, vars);
        self.within.push(fun.clone());
        let nested = self.nested;
        let mut expand = Expand { vars, shared: self, errors: Vec::new(), depth: 1, taken: 0 };
        walk_fun_mut(&mut expand, &mut f);
        let error = expand.errors.into_iter().next();
        self.nested = nested;
        self.within.pop();
        error.map_or(Ok(f), Err)
    }

    fn named(&mut self, key: &Key, what: &str, sizes: Vec<usize>) -> Derived {
        let free = |name: &Name, known: &HashMap<Key, Derived>| {
            !self.funs.contains_key(name) && known.values().all(|d| d.fun != *name)
        };
        // mutant: the number tells names apart, wherever it begins
        let names = (0..).map(|k| Name::from(format!("{}_{what}{k}", key.fun).as_str()));
        let fun = names.into_iter().find(|name| free(name, &self.known)).unwrap_or_else(|| key.fun.clone());
        let derived = Derived { fun, sizes };
        self.known.insert(key.clone(), derived.clone());
        derived
    }
}

fn known(seed: &[Dim]) -> Vec<Option<i64>> {
    seed.iter().map(|d| if let Dim::Const(n) = d { Some(*n) } else { None }).collect()
}

/// The sizes of the seed that are variables, as arguments.
pub fn seed_args(seed: &[Dim]) -> impl Iterator<Item = SubExp> {
    seed.iter().filter(|d| matches!(d, Dim::Var(_))).map(|d| (*d).into())
}

/// Parameters for the sizes of the seed that are variables, and the seed of these.
fn seed_params(vars: &mut Vars, seed: &[Dim]) -> (Vec<FunParam>, Vec<Dim>) {
    let mut params = Vec::new();
    let mut own = |d: &Dim| match d {
        Dim::Const(_) => *d,
        Dim::Var(_) => {
            let binder = vars.fresh("seeds", Type::I64);
            let size = Dim::Var(binder.var);
            params.push(FunParam { binder, unique: false });
            size
        }
    };
    let seed = seed.iter().map(&mut own).collect();
    (params, seed)
}
