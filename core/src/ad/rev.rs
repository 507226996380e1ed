//! Reverse mode without a tape: the forward sweep of a scope, then its return sweep, statement by statement in reverse; what enters an inner scope
//! on the way back executes that scope's forward sweep again (Schenck et al. §4; digest 002 §1A.5, 000 §1.4.1).
//!
//! One file a rule: [`basic`] scalars and arrays, [`branch`], [`loops`], [`map`], [`reduce`], [`scan`] with the [`pattern`] of its matrices or by a [`tree`], [`acc`] accumulators,
//! [`writes`] to computed positions, [`hist`]ograms, [`strided`] views, arrays that go by a [`tape`]; [`adj`] is the
//! environment of adjoints.

// Note [Consumption]
// ~~~~~~~~~~~~~~~~~~
// The return sweep may read any array of the forward sweep, so the forward sweep consumes copies. A copy of an array that nobody reads later is
// removed again by the simplifier, which knows what the return sweep has come to need. What a body inside of a statement consumes of what is outside, the
// row of an array mapped over or an array in one branch, is copied before the statement, as a whole.

// Note [Views]
// ~~~~~~~~~~~~
// In the body of a map, the adjoint of a free array is collected by an accumulator. A row of that array has no adjoint of its own there: what
// contributes to it contributes to the accumulator, at the row's index. So the body of a nest makes no arrays of adjoints that are only added to
// others later, and a row that is free in an inner map needs no accumulator of its own.

// Note [Binders]
// ~~~~~~~~~~~~~~
// A body of an inner scope is emitted twice: in the forward sweep of the outer scope, with fresh binders, and in its return sweep, with the binders
// that it has, for which activity is known.

mod acc;
mod adj;
mod basic;
mod branch;
mod few;
mod hist;
mod loops;
mod map;
mod pattern;
mod reduce;
mod scan;
mod settled;
mod strided;
mod tape;
mod tree;
mod writes;

use super::activity::{self, Active};
use super::*;
use crate::analysis::alias::consumable_in;
use crate::hash::{HashMap, HashSet, SharedMap};
use crate::ir::rename::renamed;
use crate::ir::visit::{Node, free_vars, substitute};
use crate::simplify::dce::sweep_stm;
use adj::Adj;
use settled::Settled;

/// The code of `vjp λ args seeds`: the primal results, then the adjoints of the arguments.
pub fn vjp(vars: &mut Vars, shared: &mut Shared, stm: &Stm, ad: &Ad) -> Res<Vec<Stm>> {
    let mut b = Builder::new(vars, stm.prov);
    let params = &ad.lambda.params;
    bind_params(&mut b, params, &ad.args);
    let body = split::body(b.vars, &ad.lambda.body);
    let mut active: Active = params.iter().map(|p| p.var).collect();
    activity::extend(&mut active, &body);
    let mut rev = Rev::new(ad.seed_shape.clone(), active, shared);
    let seeds = ad.seeds.iter().map(|e| Some(Adj::Dense(*e, false))).collect();
    rev.body(&mut b, &body, seeds)?;
    b.prov = stm.prov;
    b.certs = stm.certs.clone();
    let n = body.result.len();
    for (p, e) in stm.pat.iter().zip(&body.result) {
        b.bind(vec![p.clone()], Exp::SubExp(*e));
    }
    b.prov = rev.shared.prov.role(Role::Adjoint, stm.prov);
    for (p, param) in stm.pat[n..].iter().zip(params) {
        let (adjoint, _) = rev.take_or_zero(&mut b, param.var);
        b.bind(vec![p.clone()], Exp::SubExp(adjoint));
    }
    Ok(b.stms)
}

/// Reverse mode at work.
pub struct Rev<'a, 'p> {
    seed: Vec<Dim>,
    active: Active,
    /// The adjoints so far; none is zero.
    adjoints: SharedMap<Var, Adj>,
    /// Rows whose adjoints are parts of those of other arrays, at these indices: see Note [Views].
    views: HashMap<Var, View>,
    /// For each accumulator of the primal code whose updates are being reversed, by its identity, the adjoints of the arrays that it became.
    accs: HashMap<Var, Vec<Option<SubExp>>>,
    shared: &'a mut Shared<'p>,
    /// The names of arrays whose updates need not be repeated: see Note [Settled arrays].
    settled: HashSet<Var>,
    /// The arrays whose overwritten elements are put back: see Note [Tapes of overwritten elements].
    tapes: Vec<tape::Tape>,
    /// Before the statement that leaves such an array by this name: how much of the tape was used, and the array.
    before: HashMap<Var, (SubExp, Var)>,
    /// Whether the forward sweep at hand is executed again.
    recomputing: bool,
}

/// A part of an array.
#[derive(Clone)]
struct View {
    of: Var,
    indices: Vec<SubExp>,
    certs: Vec<Var>,
}

/// What the forward sweep keeps of a statement for its return sweep, beside its results.
enum Saved {
    Nothing,
    /// Of a function with a reverse rule of its own: what the rule reads.
    Custom(Vec<SubExp>),
    /// Of a loop: the number of trips, and states at the trips' beginnings.
    Loop {
        trips: SubExp,
        kept: Kept,
    },
}

/// What is kept of the states of a loop.
enum Kept {
    /// Each parameter's values at the beginnings of all trips (none for accumulators), and the tapes of those that go by tapes.
    All(Vec<Option<Checkpoint>>, Vec<tape::Trail>),
    /// The states at the beginnings of some trips, and the parameters that are no part of them, as they are settled.
    Few(Box<few::Few>, Vec<Option<Settled>>),
}

impl Kept {
    /// The parameters that are settled.
    fn settled(&self) -> impl Iterator<Item = &Settled> {
        let (checkpoints, last): (&[Option<Checkpoint>], &[Option<Settled>]) = match self {
            Kept::All(checkpoints, _) => (checkpoints, &[]),
            Kept::Few(_, last) => (&[], last),
        };
        checkpoints.iter().flatten().filter_map(Checkpoint::settled).chain(last.iter().flatten())
    }
}

/// The values of a loop's parameter at the beginnings of the trips.
enum Checkpoint {
    /// An element each of this array.
    Each(Var),
    /// One after the other, as their sizes vary, and where each begins.
    Flat { all: Var, offsets: Var },
    /// All in the array that the loop leaves.
    Last(Settled),
    /// None: what it overwrites is on a tape.
    Taped,
}

impl Checkpoint {
    fn settled(&self) -> Option<&Settled> {
        if let Checkpoint::Last(settled) = self { Some(settled) } else { None }
    }
}

impl<'a, 'p> Rev<'a, 'p> {
    /// For code with these active variables.
    pub fn new(seed: Vec<Dim>, active: Active, shared: &'a mut Shared<'p>) -> Self {
        Rev {
            seed,
            active,
            adjoints: SharedMap::default(),
            views: HashMap::default(),
            accs: HashMap::default(),
            shared,
            settled: HashSet::default(),
            tapes: Vec::new(),
            before: HashMap::default(),
            recomputing: false,
        }
    }

    /// The adjoints of the variables `wrt` from those of a function's results.
    pub fn of_body(
        &mut self,
        b: &mut Builder,
        body: &Body,
        adjoints: &[Option<SubExp>],
        wrt: &[&Binder],
    ) -> Res<Vec<SubExp>> {
        let adjoints = adjoints.iter().map(|a| a.map(|e| Adj::Dense(e, false))).collect();
        self.body(b, body, adjoints)?;
        Ok(wrt.iter().map(|p| self.take_or_zero(b, p.var).0).collect())
    }
}

impl Rev<'_, '_> {
    /// Forward and return sweep of a body whose results have these adjoints. The adjoints of its free variables are in the environment afterwards.
    fn body(&mut self, b: &mut Builder, body: &Body, adjoints: Vec<Option<Adj>>) -> Res<()> {
        let saved: Res<Vec<Saved>> = body.stms.iter().map(|stm| self.forward(b, stm)).collect();
        for (e, adjoint) in body.result.iter().zip(adjoints) {
            if let Some(adjoint) = adjoint {
                let adjoint = self.in_sizes_of(b, *e, adjoint);
                self.add_adjoint(b, *e, adjoint);
            }
        }
        for (stm, saved) in body.stms.iter().zip(saved?).rev() {
            self.reverse(b, stm, saved)?;
        }
        Ok(())
    }

    /// The same, as part of a return sweep: the forward sweep has been executed before.
    fn again(&mut self, b: &mut Builder, body: &Body, adjoints: Vec<Option<Adj>>) -> Res<()> {
        // whatever comes after a return sweep began is part of one
        self.recomputing = true;
        self.body(b, body, adjoints)
    }

    fn is_active(&self, e: SubExp) -> bool {
        activity::is_active(&self.active, e)
    }

    /// Whether a type is that of an accumulator of the primal code. Its updates have been made: on the way back they are only reversed.
    fn is_spent(&self, ty: &Type) -> bool {
        matches!(ty, Type::Acc(acc) if self.accs.contains_key(&acc.id))
    }

    fn forward(&mut self, b: &mut Builder, stm: &Stm) -> Res<Saved> {
        let updates = stm.pat.iter().any(|p| self.is_spent(&p.ty));
        let active = updates || stm.pat.iter().any(|p| self.active.contains(&p.var));
        let mut all = stm.clone();
        if !self.settled.is_empty() {
            settled::without_updates(&mut all, &self.settled);
        }
        let whole = (active && matches!(all.exp, Exp::Loop { .. })).then(|| all.exp.clone());
        let vars = &b.vars;
        let Some(mut stm) = sweep_stm(all, &|v| !self.is_spent(vars.ty(v))) else {
            return Ok(loops::trips_alone(b, &stm.exp));
        };
        if self.recomputing {
            stm.prov = self.shared.prov.role(Role::Recomputed, stm.prov);
        }
        b.prov = stm.prov;
        if let Some(whole) = whole {
            return loops::forward(self, b, stm, &whole);
        }
        self.taped(b, &mut stm);
        if let Exp::Index { array, indices } = &stm.exp
            && active
            && stm.pat[0].ty.rank() > 0
            && self.is_collected(*array)
        {
            let view = View { of: *array, indices: indices.clone(), certs: stm.certs.clone() };
            self.views.insert(stm.pat[0].var, view);
        }
        copy_consumed(b, &mut stm, |v| self.is_taped(v));
        let saved = match &stm.exp {
            // mutant swap: what the rule does not read is removed
            Exp::Custom(c) if active && c.vjp.is_some() => Saved::Custom(writes::saved(b, c)),
            _ => Saved::Nothing,
        };
        stm.exp = renamed(&stm.exp, b.vars);
        // mutant: what makes a row has one result
        if stm.pat.iter().any(|p| self.is_taped_row(p.var)) {
            // the array is going to change
            let row = b.vars.fresh(stm.pat[0].name.clone(), stm.pat[0].ty.clone());
            let copy = Stm { exp: Exp::Copy(row.var), ..stm.clone() };
            b.push(Stm { pat: vec![row], ..stm });
            b.push(copy);
            return Ok(saved);
        }
        b.push(stm);
        Ok(saved)
    }

    /// Whether there is nothing to be done for a statement on the way back.
    fn is_idle(&self, stm: &Stm) -> bool {
        stm.pat.iter().all(|p| !self.adjoints.contains_key(&p.var) && !self.is_spent(&p.ty))
    }

    fn reversed(&mut self, b: &mut Builder, stm: &Stm, saved: Saved) -> Res<()> {
        if self.is_idle(stm) {
            return Ok(());
        }
        let adjoints: Vec<Option<Adj>> = stm.pat.iter().map(|p| self.adjoints.remove(&p.var)).collect();
        b.prov = self.shared.prov.role(Role::Adjoint, stm.prov);
        // derivatives of scalar operators are total: see DESIGN.md, Decisions
        if !matches!(stm.exp, Exp::Prim(..)) {
            b.certs = stm.certs.clone();
        }
        b.attrs = kept_attrs(&stm.attrs);
        let result = match &stm.exp {
            Exp::If { cond, yes, no } => self.branch(b, *cond, yes, no, adjoints),
            Exp::Loop { .. } => self.loop_(b, stm, saved, adjoints),
            Exp::Screma(s) => self.screma(b, stm, s, adjoints),
            Exp::WithAcc(w) => self.withacc(b, stm, w, adjoints),
            Exp::UpdAcc { acc, indices, values } => self.updacc(b, *acc, indices, values),
            Exp::Scatter(s) => {
                self.scatter(b, s, adjoints);
                Ok(())
            }
            Exp::Hist(h) => self.hist(b, stm, h, adjoints),
            Exp::FlatMap(f) => self.flatmap(b, stm, f, adjoints),
            Exp::Custom(c) => {
                let saved = if let Saved::Custom(saved) = saved { saved } else { Vec::new() };
                self.custom(b, stm, c, &saved, adjoints)
            }
            Exp::Apply { fun, args } => self.call(b, stm, fun, args, adjoints),
            Exp::SegOp(_) => unsupported("a flattened nest", "differentiation comes before flattening", stm.prov),
            _ => {
                self.basic(b, stm, adjoints);
                Ok(())
            }
        };
        b.certs.clear();
        b.attrs.clear();
        result
    }

    /// The adjoints of the arguments, from the function's derivative.
    fn call(&mut self, b: &mut Builder, stm: &Stm, fun: &Name, args: &[SubExp], adjoints: Vec<Option<Adj>>) -> Res<()> {
        let active: Vec<bool> = args.iter().map(|e| self.is_active(*e)).collect();
        let given = adjoints.iter().map(Option::is_some).collect();
        let of = (active.clone(), given);
        let derived = self.shared.reverse(b.vars, fun, of, &self.seed, stm.prov)?;
        let mut all: Vec<SubExp> = args.iter().copied().chain(call::seed_args(&self.seed)).collect();
        all.extend(derived.sizes.iter().map(|k| SubExp::Var(stm.pat[*k].var)));
        let types: Vec<Type> = stm.pat.iter().map(|p| p.ty.clone()).collect();
        all.extend(self.dense_all(b, &types, adjoints).into_iter().flatten());
        let wrt: Vec<SubExp> = args.iter().zip(active).filter(|(_, active)| *active).map(|(e, _)| *e).collect();
        let mut pat = Vec::new();
        for e in &wrt {
            let ty = self.adjoint_type(&b.vars.type_of(*e));
            pat.push(b.vars.fresh("adj", ty));
        }
        b.bind(pat.clone(), Exp::Apply { fun: derived.fun, args: all });
        for (e, adjoint) in wrt.iter().zip(pat) {
            self.add(b, *e, adjoint.var.into(), false);
        }
        Ok(())
    }

    fn screma(&mut self, b: &mut Builder, stm: &Stm, s: &Screma, adjoints: Vec<Option<Adj>>) -> Res<()> {
        match (&s.scans[..], &s.reduces[..]) {
            ([], []) => self.map(b, s, adjoints),
            ([], [op]) => self.reduce(b, stm, s, op, adjoints),
            ([op], []) => self.scan(b, stm, s, op, adjoints),
            _ => unsupported("a SOAC with several operators", "it has not been split", stm.prov),
        }
    }

    /// Runs the return sweep of an operator applied to operands, with respect to the operands marked and, where asked for, its free variables; gives
    /// the adjoints of the operands.
    fn applied(
        &mut self,
        b: &mut Builder,
        op: &Lambda,
        args: &[SubExp],
        wrt: impl Fn(usize) -> bool,
        free: bool,
        adjoints: Vec<Option<Adj>>,
    ) -> Res<Vec<Option<SubExp>>> {
        let op = renamed(op, b.vars);
        bind_params(b, &op.params, args);
        let mut active: Active = op.params.iter().enumerate().filter(|(i, _)| wrt(*i)).map(|(_, p)| p.var).collect();
        if free {
            active.extend(free_vars(&op).into_iter().filter(|v| self.active.contains(v)));
        }
        activity::extend(&mut active, &op.body);
        let outer = std::mem::replace(&mut self.active, active);
        let result = self.again(b, &op.body, adjoints);
        let adjoints = op.params.iter().map(|p| self.take(b, p.var).map(|(e, _)| e)).collect();
        self.active = outer;
        result.map(|()| adjoints)
    }

    /// The active variables that are free in a piece of IR and can have an adjoint; for views what they are parts of.
    fn active_free(&self, b: &Builder, node: &dyn Node) -> Vec<Var> {
        let mut free = Vec::new();
        for v in free_vars(node) {
            let v = self.root(v);
            if self.active.contains(&v) && b.vars.ty(v).elem().is_some() && !free.contains(&v) {
                free.push(v);
            }
        }
        free
    }

    /// The array that the variable is a part of, as far as adjoints go.
    fn root(&self, mut v: Var) -> Var {
        while let Some(view) = self.views.get(&v) {
            v = view.of;
        }
        v
    }

    /// Whether the adjoint of the array is collected by an accumulator.
    fn is_collected(&self, array: Var) -> bool {
        self.views.contains_key(&array) || matches!(self.adjoints.get(&array), Some(Adj::Acc(_)))
    }
}

/// Lets a statement consume copies of all arrays but some: see Note [Consumption].
fn copy_consumed(b: &mut Builder, stm: &mut Stm, but: impl Fn(Var) -> bool) {
    let groups = consumable_in(stm);
    let mut copies = HashMap::default();
    for v in free_vars(stm) {
        if !but(v) && matches!(b.vars.ty(v), Type::Array(..)) && groups.may_be_consumed(v) {
            let name = b.vars.name(v).clone();
            copies.insert(v, b.let_one(name.as_str(), Exp::Copy(v)).into());
        }
    }
    substitute(&mut stm.exp, &copies);
}
