//! Arrays that a loop updates in place, losing values: reverse mode keeps the elements that are overwritten, and puts them back on its way (digest 002 §1A.13, for loops
//! around updates, and for branches).

// Note [Tapes of overwritten elements]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// To keep an array for each trip of a loop that updates one element of it would take, of n trips over an array of n elements, n² space and work. So the loop's forward
// sweep writes down each element that it overwrites, and where it was: on a tape, as long as the updates of all trips. The return sweep has the array in the state that the
// statement at hand found it in: it begins with the array that the loop leaves, and each update puts back on its way what it has overwritten. Nothing is copied, trip
// by trip, and what reads the array, in the return sweep, reads it in that state.
//
// A trip is executed again from its beginning, and so is a branch: for that all their updates are undone first, then made again, and then undone one by one. An
// update that is made again need not be written down again: it overwrites what it has overwritten before, and that is still on the tape. So on its way back
// the tape is only read, and all that the code carries is how much of the tape is used. And an update that nobody reads, up to where it would be undone, is not made.
//
// That is done of arrays that go from update to update by one name each, through loops and branches, and of which no part has a name of its own that would outlive an
// update. A row or slice that is read is copied. An update is of one element or row, at as many indices as all others of the array; or else of a part: a slice, or what a
// scatter writes (see `parts`). Of arrays that a histogram updates the states are kept.

mod lineage;
mod parts;
mod thread;

use super::loops::varying;
use super::*;
use crate::ir::build::map_exp;
pub(super) use lineage::lineages;
use lineage::{Lineage, is_update};
use parts::{Length, Part, Unit};
pub use thread::{Mark, own_param};
use thread::{Thread, behind, length};

/// The tape of an array, in a sweep.
pub struct Tape {
    lineage: Lineage,
    /// In the return sweep, the array as the statement at hand has found it; before, as the last statement leaves it.
    now: Var,
    /// Its arrays: see `parts`. The first is what has been overwritten.
    arrays: Vec<Var>,
    /// How many updates there are by now.
    used: SubExp,
}

/// The parameter of a loop that goes by a tape.
pub struct Trail {
    /// Which of the parameters of the forward sweep's loop, which has no accumulators that are spent.
    pub param: usize,
    /// Its name in a trip.
    binder: Binder,
    pub tape: Of,
    pub mark: Mark,
}

/// Whose tape it is.
pub enum Of {
    /// That of a loop around it, with this number.
    Outer(usize),
    /// The loop's own.
    Own(Box<Tape>),
}

impl Tape {
    /// Puts what the update of this number has overwritten back into the array.
    fn put_back(&self, b: &mut Builder, array: Var, at: SubExp) -> Var {
        self.lineage.unit.map_or(array, |unit| unit.put_back(b, &self.arrays, array, at))
    }

    /// Undoes what has been written down behind a mark.
    fn undo(&mut self, b: &mut Builder, mark: SubExp) {
        let ty = b.vars.ty(self.now).clone();
        let (index, array) = (b.vars.fresh("k", Type::I64), b.vars.fresh("undone", ty));
        let count = seed::minus(b, self.used, mark);
        let (last, trip, now) = (seed::minus(b, self.used, SubExp::i64(1)), index.var.into(), array.var);
        let body = b.inner(|b| {
            let at = seed::minus(b, last, trip);
            vec![self.put_back(b, now, at).into()]
        });
        let params = vec![own_param((array, self.now.into()))];
        self.now = b.let_one("undone", Exp::Loop { params, form: LoopForm::For { index, bound: count }, body });
        self.used = mark;
    }
}

/// Whether this variable is all that a statement binds.
fn binds(stm: &Stm, v: Var) -> bool {
    matches!(&stm.pat[..], [p] if p.var == v)
}

/// Whether no statement uses a variable, once it is bound.
fn is_unread(stms: &[Stm], v: Var) -> bool {
    stms.iter().rev().take_while(|stm| !binds(stm, v)).all(|stm| !free_vars(stm).contains(&v))
}

/// A tape in the body of a return sweep's loop: what its parameters are, and what they begin as.
pub struct Entered {
    tape: usize,
    params: Vec<Binder>,
    inits: Vec<SubExp>,
    before: SubExp,
}

impl Rev<'_, '_> {
    /// Threads tapes through a loop, of which `whole` is all: those of arrays that it gets, and new ones of parameters that can go by tapes, where `may_begin` says so.
    /// The new ones' arrays are the second result.
    pub(super) fn threaded(
        &mut self,
        b: &mut Builder,
        stm: &mut Stm,
        whole: &Exp,
        may_begin: impl Fn(usize) -> bool,
    ) -> (Vec<Trail>, Vec<Var>) {
        let mut trails = Vec::new();
        let mut arrays = Vec::new();
        for (t, tape) in self.tapes.iter_mut().enumerate() {
            let Exp::Loop { params, .. } = &stm.exp else { continue };
            let of_tape = |p: &LoopParam| p.init.as_var().is_some_and(|v| tape.lineage.names.contains(&v));
            let Some(param) = params.iter().position(of_tape).filter(|_| tape.lineage.is_updated(stm)) else {
                continue;
            };
            let (binder, after) = (params[param].binder.clone(), stm.pat[param].var);
            self.before.insert(after, (tape.used, tape.now));
            let mut thread = Thread::executed_again(&tape.lineage, tape.used);
            let Some(mark) = thread.loop_(b, stm) else { continue };
            tape.used = thread.used;
            tape.now = after;
            trails.push(Trail { param, binder, tape: Of::Outer(t), mark });
        }
        let Exp::Loop { params, form: LoopForm::For { .. }, .. } = &stm.exp else { return (trails, arrays) };
        let has_tape = |k: usize| trails.iter().any(|t| t.param == k);
        let new = lineages(params, whole, |k| has_tape(k) || !may_begin(k));
        let original = if new.is_empty() { None } else { Some(stm.clone()) };
        for (param, lineage) in new {
            let (Exp::Loop { params, .. }, Some(original)) = (&stm.exp, &original) else { continue };
            let binder = params[param].binder.clone();
            let (Some(unit), Some(length)) = (lineage.unit, length(b, original, param, &lineage)) else { continue };
            let layout = unit.layout(&binder.ty, &length);
            let tape: Vec<Var> = layout.iter().map(|ty| seed::scratch(b, ty)).collect();
            arrays.extend(&tape);
            let filled = length.elements.map(|_| SubExp::i64(0));
            let mut thread = Thread { lineage: &lineage, tape, filled, used: SubExp::i64(0) };
            let Some(mark) = thread.loop_(b, stm) else { continue };
            let (used, arrays, now) = (thread.used, thread.tape, stm.pat[param].var);
            let tape = Of::Own(Box::new(Tape { lineage, now, arrays, used }));
            trails.push(Trail { param, binder, tape, mark });
        }
        (trails, arrays)
    }

    /// What the forward sweep does, beside it, with a statement that has to do with arrays that go by tapes.
    pub(super) fn taped(&mut self, b: &mut Builder, stm: &mut Stm) {
        for tape in &mut self.tapes {
            if let Some(after) = tape.lineage.updated(stm) {
                self.before.insert(after, (tape.used, tape.now));
                let mut thread = Thread::executed_again(&tape.lineage, tape.used);
                thread.stm(b, stm);
                tape.used = thread.used;
                tape.now = after;
            }
        }
    }

    /// Whether the variable is a row of an array that goes by a tape.
    pub(super) fn is_taped_row(&self, v: Var) -> bool {
        self.tapes.iter().any(|t| t.lineage.rows.contains(&v))
    }

    /// Whether the variable is an array that goes by a tape.
    pub(super) fn is_taped(&self, v: Var) -> bool {
        self.tapes.iter().any(|t| t.lineage.names.contains(&v))
    }

    /// The return sweep of a statement, which finds the arrays that go by tapes in the state that it once found them in.
    pub(super) fn reverse(&mut self, b: &mut Builder, stm: &Stm, saved: Saved) -> Res<()> {
        if self.tapes.is_empty() {
            return self.reversed(b, stm, saved);
        }
        let swept = matches!(stm.exp, Exp::Loop { .. }) && !self.is_idle(stm);
        b.prov = self.shared.prov.role(Role::Recomputed, stm.prov);
        for tape in self.tapes.iter_mut().filter(|_| !swept) {
            let Some(after) = tape.lineage.updated(stm) else { continue };
            let Some((mark, before)) = self.before.remove(&after) else { continue };
            let single = stm.pat.len() == 1 && is_update(&stm.exp);
            match &stm.exp {
                _ if single && tape.now == after && is_unread(&b.stms, after) => {
                    b.stms.retain(|stm| !binds(stm, after));
                    tape.now = before;
                }
                Exp::Update { indices, .. } if matches!(tape.lineage.unit, Some(Unit::Row(_))) => {
                    let value = b.index(tape.arrays[0], &[mark]).into();
                    let put_back = Exp::Update { array: tape.now, indices: indices.clone(), value };
                    tape.now = b.under(stm.certs.clone(), |b| b.let_one("undone", put_back));
                }
                Exp::SubExp(_) => {}
                exp if is_update(exp) => tape.now = tape.put_back(b, tape.now, mark),
                _ => tape.undo(b, mark),
            }
            tape.used = mark;
        }
        let mut now = HashMap::default();
        for v in free_vars(stm) {
            let tape = self.tapes.iter().find(|t| t.lineage.names.contains(&v));
            now.extend(tape.map(|t| (v, t.now.into())));
        }
        let mut inner = Builder::new(b.vars, b.prov);
        let result = self.reversed(&mut inner, stm, saved);
        let mut stms = inner.stms;
        stms.iter_mut().for_each(|stm| substitute(stm, &now));
        b.stms.extend(stms);
        result
    }

    /// The states of the arrays that go by tapes.
    pub(super) fn states(&self) -> Vec<Var> {
        self.tapes.iter().map(|t| t.now).collect()
    }

    pub(super) fn set_states(&mut self, states: &[Var]) {
        self.tapes.iter_mut().zip(states).for_each(|(tape, now)| tape.now = *now);
    }

    /// Makes a tape of the loop's own one of those that there are. The array that the loop leaves is a result: its copy goes back.
    pub(super) fn adopt(&mut self, b: &mut Builder, trail: &mut Trail) {
        if let Of::Outer(_) = trail.tape {
            return;
        }
        if let Of::Own(tape) = std::mem::replace(&mut trail.tape, Of::Outer(self.tapes.len())) {
            let name = b.vars.name(tape.now).clone();
            let now = b.let_one(name.as_str(), Exp::Copy(tape.now));
            self.tapes.push(Tape { now, ..*tape });
        }
    }

    /// The parameters of a return sweep's loop for an array that goes by a tape; `inner` gets the state at the beginning of this trip.
    pub(super) fn enter(&mut self, inner: &mut Builder, trail: &Trail, trip: SubExp) -> Option<Entered> {
        let Of::Outer(t) = trail.tape else { return None };
        let (tape, param) = (&mut self.tapes[t], &trail.binder);
        let mut params = vec![inner.vars.fresh(param.name.clone(), param.ty.clone())];
        let mut inits = vec![tape.now.into()];
        tape.now = params[0].var;
        let before = trail.mark.before();
        let mark = match &trail.mark {
            Mark::Every { each, .. } => {
                let mark = behind(inner, before, *each, trip);
                tape.used = behind(inner, mark, *each, SubExp::i64(1));
                mark
            }
            Mark::Kept { at, .. } => {
                let used = inner.vars.fresh("used", Type::I64);
                inits.push(tape.used);
                tape.used = used.var.into();
                params.push(used);
                inner.index(*at, &[trip]).into()
            }
            Mark::Counted { .. } => return None,
        };
        tape.undo(inner, mark);
        inner.bind(vec![param.clone()], Exp::SubExp(tape.now.into()));
        Some(Entered { tape: t, params, inits, before })
    }
}

impl Entered {
    /// What the trip hands on to the one before.
    pub fn results(&self, rev: &Rev) -> Vec<SubExp> {
        let tape = &rev.tapes[self.tape];
        [tape.now.into(), tape.used][..self.params.len()].to_vec()
    }

    /// The parameters of the loop, and binders of what it leaves.
    pub fn leave(self, b: &mut Builder, rev: &mut Rev) -> (Vec<LoopParam>, Vec<Binder>) {
        let pat: Vec<Binder> = self.params.iter().map(|p| b.vars.fresh(p.name.clone(), p.ty.clone())).collect();
        let tape = &mut rev.tapes[self.tape];
        tape.now = pat[0].var;
        tape.used = self.before;
        (self.params.into_iter().zip(self.inits).map(own_param).collect(), pat)
    }
}
