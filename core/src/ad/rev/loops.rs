//! Return sweep of loops (digest 002 §1A.9, §1A.11, with their errata): the forward sweep keeps the parameters' values at the beginning of each
//! trip; the return sweep goes through the trips backwards, re-installs them, executes the body again and reverses it. It carries the adjoints of
//! the parameters, at the beginning of the trip, and those of the variables free in the body.
//!
//! Of parameters whose shape varies from trip to trip the values are kept one after the other: the loop is run once more before, to count their elements
//! (digest 002 §1A.11: count, allocate, run).
//!
//! Arrays that are updated in place without losing a value are not kept ([`settled`]). Where the states of the others would take more memory than is allowed,
//! [`few`] states are kept.
//!
//! A `while` loop is run once more before, to count its trips (what does not matter for that is dead code), or, with `#[bound(n)]`, keeps up to n
//! trips and fails when there are more. Where it begins a tape, it is counted in both cases.

use super::few::{self, Held};
use super::*;
use crate::ad::checkpoints::{Chosen, Remark};
use crate::ad::plain::{MINED, STRIPMINE};
use crate::ir::build::substitute_type;

/// The loop with checkpoints. What the return sweep executes again is all of it: also what the forward sweep does not, as it only updates accumulators that are spent.
pub fn forward(rev: &mut Rev, b: &mut Builder, mut stm: Stm, whole: &Exp) -> Res<Saved> {
    let bound = stm.attr("bound").and_then(|a| a.arg);
    let Exp::Loop { params, form, .. } = &stm.exp else { return Ok(Saved::Nothing) };
    let varying = varying(params);
    let mut last: Vec<Option<Settled>> = Vec::new();
    for (k, p) in params.iter().enumerate() {
        if rev.is_taped(p.binder.var) {
            last.push(None);
            continue;
        }
        let inherited = rev.settled.contains(&p.binder.var).then(HashSet::default);
        let names = inherited.or_else(|| settled::names(p.binder.var, whole));
        last.push(names.map(|names| Settled { left: stm.pat[k].var, names }));
    }
    let kept_once = last.iter().flatten().count();
    let mined = stm.attr(MINED).and_then(|a| a.arg);
    let all = mined.is_some() || stm.attr(STRIPMINE).is_some();
    // where some states may do: accumulators, what changes its shape, and what goes by a tape cannot be kept so
    let others = |p: &LoopParam| p.binder.ty.elem().is_none() || rev.is_taped(p.binder.var);
    let some = !all && varying.is_empty() && !params.iter().any(others);
    let budget = rev.shared.options.checkpoints.filter(|_| some);
    let mut remarks = Vec::new();
    let claims = stm.attrs.iter().filter(|a| a.name.as_str() == "true_dep").count();
    if claims > kept_once {
        remarks.push(Remark::TrueDep);
    }
    if !varying.is_empty() && rev.shared.options.checkpoints.is_some() {
        remarks.push(Remark::NoBudget);
    }
    if all && matches!(form, LoopForm::While(_)) {
        remarks.push(Remark::NotMined);
    }
    let may_begin = |k: usize| !all && budget.is_none() && last[k].is_none();
    // of a tape, it must be known how long it is
    let begins = || !tape::lineages(params, whole, |k| rev.is_taped(params[k].binder.var) || !may_begin(k)).is_empty();
    let counts_trips =
        matches!(form, LoopForm::While(_)) && (bound.is_none() || !varying.is_empty() || budget.is_some() || begins());
    let mut totals = Vec::new();
    if counts_trips || !varying.is_empty() {
        totals = count(b, &stm, counts_trips, &varying);
    }
    if counts_trips && let (Exp::Loop { form, .. }, Some(trips)) = (&mut stm.exp, totals.pop()) {
        if let Some(most) = bound {
            let fine = b.prim_op(Prim::Cmp(CmpOp::Le, ScalarType::I64), &[trips, SubExp::i64(most)]);
            let cert = b.let_one("cert", Exp::Check(Check::within_bound(fine, most)));
            stm.certs.push(cert);
        }
        *form = LoopForm::For { index: b.vars.fresh("i", Type::I64), bound: trips };
    }
    let own = params_of(&stm.exp);
    let (mut trails, tapes) = rev.threaded(b, &mut stm, whole, may_begin);
    copy_consumed(b, &mut stm, |v| tapes.contains(&v) || rev.is_taped(v));
    if let (Some(budget), Exp::Loop { params, form: LoopForm::For { bound, .. }, .. }) = (budget, &stm.exp)
        && !few::all_fit(params, &last, *bound, budget)
    {
        let (bound, prov) = (*bound, stm.prov);
        let trips = seed::trips(b, bound);
        let Some((kept, chosen)) = few::forward(b, stm, &last, trips, budget) else { return Ok(Saved::Nothing) };
        rev.shared.report(prov, chosen, remarks);
        return Ok(Saved::Loop { trips, kept: Kept::Few(Box::new(kept), last) });
    }
    let chosen = match (kept_once, trails.len()) {
        (0, 0) => Chosen::All,
        (settled, overwritten) => Chosen::InPlace { settled, overwritten },
    };
    rev.shared.report(stm.prov, mined.map_or(chosen, Chosen::StripMined), remarks);
    let Exp::Loop { mut params, form, body } = renamed(&stm.exp, b.vars) else { return Ok(Saved::Nothing) };

    let space = match &form {
        LoopForm::For { bound, .. } => seed::trips(b, *bound),
        // mutant off by one: there is room for one state more than there are
        LoopForm::While(_) => SubExp::i64(bound.unwrap_or_default().max(0)),
    };
    let Some(size) = Dim::from_subexp(space) else { return Ok(Saved::Nothing) };
    let counter = matches!(form, LoopForm::While(_)).then(|| b.vars.fresh("trips", Type::I64));
    let mut pat = stm.pat.clone();
    let mut kept = Vec::new();
    let mut checkpoints = Vec::new();
    let mut keep = |b: &mut Builder, name: &str, ty: Type, value: Store| {
        let init = seed::scratch(b, &ty).into();
        let binder = b.vars.fresh(name, ty.clone());
        kept.push((value, LoopParam { binder, unique: true, init }));
        let out = b.vars.fresh(name, ty);
        pat.push(out.clone());
        out.var
    };
    for (k, p) in params.iter().enumerate() {
        let name = format!("{}_kept", p.binder.name);
        let value = p.binder.var;
        let total = varying.iter().position(|v| *v == k).map(|i| totals[i]);
        if k >= own {
            // of the tapes, only how much is used of them is kept
            for trail in &mut trails {
                if let tape::Mark::Counted { before, counter } = trail.mark
                    && counter == k
                {
                    let at = keep(b, "used", p.binder.ty.array_of(&[size]), Store::At(value));
                    trail.mark = tape::Mark::Kept { before, at };
                }
            }
            continue;
        }
        let last = last[k].take();
        checkpoints.push(match (p.binder.ty.elem(), total) {
            (None, _) => None,
            _ if trails.iter().any(|t| t.param == k) => Some(Checkpoint::Taped),
            _ if last.is_some() => last.map(Checkpoint::Last),
            (Some(_), None) => Some(Checkpoint::Each(keep(b, &name, p.binder.ty.array_of(&[size]), Store::At(value)))),
            (Some(elem), Some(total)) => {
                let Some(total) = Dim::from_subexp(total) else { continue };
                let all = keep(b, &name, Type::Array(elem, vec![total]), Store::Elements(value));
                let offsets = keep(b, "offsets", Type::I64.array_of(&[size]), Store::Offset(value));
                Some(Checkpoint::Flat { all, offsets })
            }
        });
    }

    let mut inner = Builder::new(b.vars, b.prov);
    let index = match (&form, &counter) {
        (LoopForm::For { index, .. }, _) => seed::converted(&mut inner, index.var.into(), ScalarType::I64),
        (_, Some(counter)) => {
            let fine = inner.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[counter.var.into(), space]);
            let cert = inner.let_one("cert", Exp::Check(Check::within_bound(fine, bound.unwrap_or_default())));
            inner.certs = vec![cert];
            counter.var.into()
        }
        // mutant: a while loop has a counter: the case before
        _ => SubExp::i64(0),
    };
    let mut next: Vec<Option<SubExp>> = Vec::new();
    // where the elements of a parameter of varying shape go: behind those of the trips before
    let mut places = HashMap::default();
    for k in &varying {
        let place = inner.vars.fresh("place", Type::I64);
        places.insert(params[*k].binder.var, place);
    }
    for (value, kept) in &kept {
        let array = kept.binder.var;
        let name = kept.binder.name.clone();
        let exp = match value {
            Store::At(value) if is_size(&params, *value) => {
                next.push(None);
                continue;
            }
            Store::At(value) => Exp::Update { array, indices: vec![index], value: (*value).into() },
            Store::Offset(of) => Exp::Update { array, indices: vec![index], value: places[of].var.into() },
            Store::Elements(of) => {
                let (count, value) = flat(&mut inner, *of);
                let (start, stride) = (places[of].var.into(), SubExp::i64(1));
                Exp::UpdateSlice { array, slice: vec![SliceDim::Range { start, count, stride }], value }
            }
        };
        next.push(Some(inner.let_one(name.as_str(), exp).into()));
    }
    let mut behind = Vec::new();
    for k in &varying {
        let of = params[*k].binder.var;
        let count = elements(&mut inner, of);
        behind.push(inner.prim_op(ScalarType::I64.plus(), &[places[&of].var.into(), count]));
    }
    let fine = std::mem::take(&mut inner.certs);
    let checks = checks(&body);
    let mut result = inner.splice(body);
    // the sizes behind the trip's checks: see `checks`
    for ((value, kept), next) in kept.iter().zip(next) {
        result.push(match (next, value) {
            (None, Store::At(value)) => {
                let (array, indices) = (kept.binder.var, vec![index]);
                let put = Exp::Update { array, indices, value: (*value).into() };
                let certs = [&fine[..], &checks].concat();
                inner.under(certs, |b| b.let_one(kept.binder.name.as_str(), put)).into()
            }
            (next, _) => next.unwrap_or(kept.binder.var.into()),
        });
    }
    result.extend(behind);
    params.extend(kept.into_iter().map(|(_, p)| p));
    for k in &varying {
        let binder = places[&params[*k].binder.var].clone();
        pat.push(inner.vars.fresh("place", Type::I64));
        // mutant negation: on scalars uniqueness says nothing
        params.push(LoopParam { binder, unique: false, init: SubExp::i64(0) });
    }
    let mut trips = space;
    if let Some(counter) = counter {
        result.push(inner.prim_op(ScalarType::I64.plus(), &[counter.var.into(), SubExp::i64(1)]));
        params.push(LoopParam { binder: counter, unique: false, init: SubExp::i64(0) });
        let out = inner.vars.fresh("trips", Type::I64);
        trips = out.var.into();
        pat.push(out);
    }
    let body = Body { stms: inner.stms, result };
    b.push(Stm { pat, exp: Exp::Loop { params, form, body }, ..stm });
    Ok(Saved::Loop { trips, kept: Kept::All(checkpoints, trails) })
}

/// Of a loop that only updates accumulators, all that the return sweep needs.
pub fn trips_alone(b: &mut Builder, exp: &Exp) -> Saved {
    match exp {
        Exp::Loop { form: LoopForm::For { bound, .. }, .. } => {
            Saved::Loop { trips: seed::trips(b, *bound), kept: Kept::All(Vec::new(), Vec::new()) }
        }
        _ => Saved::Nothing,
    }
}

/// The checks that a trip makes. What counts sizes relies on them: where the trip's values are not needed, and the checks with them, what it leaves need not be sizes.
fn checks(body: &Body) -> Vec<Var> {
    body.stms.iter().flat_map(|stm| &stm.pat).filter(|p| p.ty == Type::Cert).map(|p| p.var).collect()
}

/// Whether the shape of a parameter mentions the variable.
fn is_size(params: &[LoopParam], v: Var) -> bool {
    params.iter().any(|p| p.binder.ty.shape().contains(&Dim::Var(v)))
}

/// How many parameters a loop has.
fn params_of(exp: &Exp) -> usize {
    if let Exp::Loop { params, .. } = exp { params.len() } else { 0 }
}

/// The parameters whose shape mentions others, by their positions.
pub(super) fn varying(params: &[LoopParam]) -> Vec<usize> {
    let own = |d: &Dim| matches!(d, Dim::Var(v) if params.iter().any(|p| p.binder.var == *v));
    (0..params.len()).filter(|k| params[*k].binder.ty.shape().iter().any(own)).collect()
}

/// How many elements an array has.
fn elements(b: &mut Builder, array: Var) -> SubExp {
    let shape = b.vars.ty(array).shape().to_vec();
    seed::count(b, &shape)
}

/// The elements of an array in one dimension, and how many they are.
fn flat(b: &mut Builder, array: Var) -> (Dim, Var) {
    let count = elements(b, array);
    let size = Dim::from_subexp(count).unwrap_or(Dim::Const(0));
    (size, b.let_one("flat", Exp::Reshape { shape: vec![size], array }))
}

/// What a copy of a loop counts: for each parameter of varying shape its elements in all trips, then, if it is asked, its trips.
fn count(b: &mut Builder, stm: &Stm, trips: bool, varying: &[usize]) -> Vec<SubExp> {
    let mut stm = stm.clone();
    copy_consumed(b, &mut stm, |_| false);
    let mut exp = renamed(&stm.exp, b.vars);
    if let Exp::Loop { params, body, .. } = &mut exp {
        let mut inner = Builder::new(b.vars, b.prov);
        let (mut counters, mut counts) = (Vec::new(), Vec::new());
        for array in varying.iter().map(|k| Some(params[*k].binder.var)).chain(trips.then_some(None)) {
            let counter = inner.vars.fresh("count", Type::I64);
            let more = array.map_or(SubExp::i64(1), |array| elements(&mut inner, array));
            counts.push((counter.var.into(), more));
            counters.push(LoopParam { binder: counter, unique: false, init: SubExp::i64(0) });
        }
        // before the body, which may consume the arrays
        body.stms.splice(..0, std::mem::take(&mut inner.stms));
        inner.certs = checks(body);
        for (counter, more) in counts {
            body.result.push(inner.prim_op(ScalarType::I64.plus(), &[counter, more]));
        }
        body.stms.extend(inner.stms);
        params.extend(counters);
    }
    let counters = varying.len() + usize::from(trips);
    let mut pat = fresh_pattern(b.vars, &stm.pat);
    pat.extend((0..counters).map(|_| b.vars.fresh("count", Type::I64)));
    let results = pat[stm.pat.len()..].iter().map(|p| p.var.into()).collect();
    b.bind(pat, exp);
    results
}

/// Binds a parameter to its value at the beginning of a trip.
fn reinstall(b: &mut Builder, param: &Binder, checkpoint: &Checkpoint, trip: SubExp) {
    let exp = match checkpoint {
        Checkpoint::Taped => return,
        Checkpoint::Last(settled) => Exp::SubExp(settled.left.into()),
        Checkpoint::Each(array) => Exp::Index { array: *array, indices: vec![trip] },
        Checkpoint::Flat { all, offsets } => {
            let start = b.index(*offsets, &[trip]).into();
            let count = elements(b, param.var);
            let count = Dim::from_subexp(count).unwrap_or(Dim::Const(0));
            let slice = vec![SliceDim::Range { start, count, stride: SubExp::i64(1) }];
            let part = b.let_one("part", Exp::Slice { array: *all, slice });
            Exp::Reshape { shape: param.ty.shape().to_vec(), array: part }
        }
    };
    b.bind(vec![param.clone()], exp);
}

/// What a forward sweep stores for a parameter at the beginning of each trip.
enum Store {
    /// The value, at the trip.
    At(Var),
    /// Its elements, behind those of the trips before.
    Elements(Var),
    /// Where they begin, at the trip.
    Offset(Var),
}

/// A variable whose adjoint the return sweep carries.
struct Carried {
    /// The variable of the primal code: a parameter of its loop, or free in its body.
    of: Var,
    /// The adjoint in the body.
    param: Binder,
    /// Its first value.
    init: SubExp,
    /// The adjoint after the loop, if one contributed to it in the body.
    next: Option<SubExp>,
}

impl Rev<'_, '_> {
    pub(super) fn loop_(&mut self, b: &mut Builder, stm: &Stm, saved: Saved, adjoints: Vec<Option<Adj>>) -> Res<()> {
        let Exp::Loop { params, form, body } = &stm.exp else { return Ok(()) };
        let Saved::Loop { trips, mut kept } = saved else { return Ok(()) };
        let own: Vec<Var> = params.iter().map(|p| p.binder.var).collect();
        // what is spent has been swept out of the forward sweep, and has no checkpoint
        let values: Vec<(usize, &LoopParam)> =
            params.iter().enumerate().filter(|(_, p)| p.binder.ty.elem().is_some()).collect();
        let free: Vec<Var> = self.active_free(b, body).into_iter().filter(|v| !own.contains(v)).collect();
        let outer = self.adjoints.clone();

        // the sizes that shapes mention: for each, what stands for it in the adjoints' types, by its name after the loop
        let of_shapes: Vec<usize> = (0..params.len()).filter(|k| is_size(params, own[*k])).collect();
        let size_params: Vec<Binder> = of_shapes.iter().map(|_| b.vars.fresh("n", Type::I64)).collect();
        let of_loop = of_shapes.iter().map(|k| stm.pat[*k].var);
        let sizes: HashMap<Var, SubExp> = of_loop.zip(size_params.iter().map(|p| p.var.into())).collect();
        let mut carried = Vec::new();
        for (k, p) in &values {
            if !self.active.contains(&p.binder.var) {
                continue;
            }
            let adjoint = adjoints[*k].clone();
            let after = &stm.pat[*k].ty;
            let (value, owned) = match adjoint {
                Some(adjoint) => self.dense(b, after, adjoint),
                None => (seed::zero(b, &self.adjoint_type(after)), true),
            };
            let init = self.owned(b, value, owned);
            let mut carry = self.carry(b, p.binder.var, init);
            // its sizes are those of the trip
            let ty = substitute_type(&carry.param.ty, &sizes);
            carry.param = b.vars.fresh(carry.param.name, ty);
            carried.push(carry);
        }
        let params_carried = carried.len();
        for v in &free {
            let init = match outer.get(v) {
                Some(Adj::Acc(acc)) => (*acc).into(),
                _ => {
                    let (value, owned) = self.take_or_zero(b, *v);
                    self.owned(b, value, owned)
                }
            };
            carried.push(self.carry(b, *v, init));
        }

        let outer_tapes = self.tapes.len();
        if let Kept::All(_, trails) = &mut kept {
            trails.iter_mut().for_each(|trail| self.adopt(b, trail));
        }
        let index = b.vars.fresh("i", Type::I64);
        let first = b.vars.count();
        let mut inner = Builder::new(b.vars, b.prov);
        let last = seed::minus(&mut inner, trips, SubExp::i64(1));
        let trip = seed::minus(&mut inner, last, index.var.into());
        if let LoopForm::For { index, .. } = form {
            let exp = match index.ty.elem() {
                Some(t) if t != ScalarType::I64 => Exp::Prim(Prim::Conv(ScalarType::I64, t), vec![trip]),
                _ => Exp::SubExp(trip),
            };
            inner.bind(vec![index.clone()], exp);
        }
        let mut few = None;
        let mut entered = Vec::new();
        match &kept {
            Kept::All(checkpoints, trails) => {
                for trail in trails {
                    entered.extend(self.enter(&mut inner, trail, trip));
                }
                for ((_, p), checkpoint) in values.iter().zip(checkpoints.iter().flatten()) {
                    reinstall(&mut inner, &p.binder, checkpoint, trip);
                }
            }
            Kept::Few(kept, last) => {
                let (held, init) = kept.carried(&mut inner);
                let (state, next) = kept.state(&mut inner, trip, &held);
                let mut state = state.into_iter();
                for ((_, p), last) in values.iter().zip(last) {
                    let value = last.as_ref().map(|settled| settled.left.into()).or_else(|| state.next());
                    if let Some(value) = value {
                        inner.bind(vec![p.binder.clone()], Exp::SubExp(value));
                    }
                }
                few = Some((held, init, next));
            }
        }
        let acc = |c: &Carried| matches!(c.param.ty, Type::Acc(_));
        let current = |c: &Carried| match acc(c) {
            true => Adj::Acc(c.param.var),
            false => Adj::Dense(c.param.var.into(), true),
        };
        for c in &carried[params_carried..] {
            self.adjoints.insert(c.of, current(c));
        }
        let mut results = vec![None; params.len()];
        for c in &carried[..params_carried] {
            if let Some(k) = own.iter().position(|p| *p == c.of) {
                results[k] = Some(current(c));
            }
        }
        let outer_settled = self.settled.clone();
        self.settled.extend(kept.settled().flat_map(|settled| &settled.names));
        self.again(&mut inner, body, results)?;
        self.settled = outer_settled;
        for (k, c) in carried.iter_mut().enumerate() {
            if k >= params_carried && self.adjoints.get(&c.of) == Some(&current(c)) {
                continue;
            }
            let (value, mut owned) = self.take_or_zero(&mut inner, c.of);
            // the adjoint of another parameter is that other's
            // mutant negation: a literal is a number, which nobody copies or updates in place
            // mutant comparison `v.0 >= first`: the first variable made in the body is the number of the last trip, which is no adjoint
            owned &= value == c.param.var.into() || value.as_var().is_none_or(|v| v.0 >= first);
            c.next = Some(if acc(c) { value } else { self.owned(&mut inner, value, owned) });
        }
        let stms = inner.stms;

        self.adjoints = outer;
        carried.retain(|c| c.next.is_some());
        let mut loop_params = Vec::new();
        let mut pat = Vec::new();
        let mut result = Vec::new();
        let mut last = HashMap::default();
        for (k, binder) in of_shapes.iter().zip(&size_params) {
            let out = b.vars.fresh("n", Type::I64);
            last.insert(binder.var, out.var.into());
            pat.push(out);
            // mutant negation: on scalars uniqueness says nothing
            loop_params.push(LoopParam { binder: binder.clone(), unique: false, init: stm.pat[*k].var.into() });
            result.push(own[*k].into());
        }
        for c in &carried {
            let unique = matches!(c.param.ty, Type::Array(..));
            pat.push(b.vars.fresh(c.param.name.clone(), substitute_type(&c.param.ty, &last)));
            loop_params.push(LoopParam { binder: c.param.clone(), unique, init: c.init });
            result.extend(c.next);
        }
        if let Some((Held { states, places, used }, init, next)) = few {
            for (binder, init) in states.into_iter().chain([places, used]).zip(init) {
                pat.push(b.vars.fresh(binder.name.clone(), binder.ty.clone()));
                // mutant: on scalars uniqueness says nothing
                loop_params.push(LoopParam { unique: binder.ty.rank() > 0, binder, init });
            }
            result.extend(next);
        }
        for tape in entered {
            result.extend(tape.results(self));
            let (params, out) = tape.leave(b, self);
            loop_params.extend(params);
            pat.extend(out);
        }
        // mutant removal: the names of a tape are those in its loop, which is through
        self.tapes.truncate(outer_tapes);
        let form = LoopForm::For { index, bound: trips };
        b.bind(pat.clone(), Exp::Loop { params: loop_params, form, body: Body { stms, result } });
        let pat = &pat[of_shapes.len()..];
        for (c, out) in carried.iter().zip(pat).filter(|(c, _)| !own.contains(&c.of)) {
            let adjoint = if acc(c) { Adj::Acc(out.var) } else { Adj::Dense(out.var.into(), true) };
            self.adjoints.insert(c.of, adjoint);
        }
        for (c, out) in carried.iter().zip(pat) {
            if let Some(p) = params.iter().find(|p| p.binder.var == c.of) {
                let adjoint = self.in_sizes_of(b, p.init, Adj::Dense(out.var.into(), true));
                self.add_adjoint(b, p.init, adjoint);
            }
        }
        Ok(())
    }

    fn carry(&self, b: &mut Builder, of: Var, init: SubExp) -> Carried {
        let name = format!("{}_adj", b.vars.name(of));
        let ty = b.vars.type_of(init);
        Carried { of, param: b.vars.fresh(name.as_str(), ty), init, next: None }
    }
}
