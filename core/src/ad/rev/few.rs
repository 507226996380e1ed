//! Loops of which there is no memory to keep every trip's state: the forward sweep keeps some of the states, and the return sweep executes trips again to
//! come from these to the others. Which are kept is the binomial schedule.

// Note [Binomial checkpoints]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// With c states kept, C(c + r, c) trips can be reversed such that none is executed more than r times to come to a state (Griewank & Walther, "Revolve", ACM TOMS
// 2000, Proposition 1). So of l trips that follow a kept state, with room for c states, that one included, and the least r that will do, the next state to be kept is
// l − C(c − 1 + r, r) trips further on: what follows it can be reversed with the room that is left, and what precedes it, when that room is free again, in one
// execution less. The first sweep keeps as many states as there is room for; whenever the return sweep has to come to a trip, it keeps states on its way in
// the room that has become free. With room for all states each is kept, and no trip is executed to come to another.
//
// The room is known at run time, as the number of trips and the sizes are. Each trip is executed once to know the loop's results, at most r times to come to
// a state, and once to be reversed.

use super::tape::own_param;
use super::*;
use crate::ad::checkpoints::Chosen;

/// What is kept of a loop, some of its states. Parameters that are settled are no part of a state: see Note [Settled arrays].
pub struct Few {
    /// The loop as trips are executed again: its settled parameters are what the loop leaves.
    exp: Exp,
    /// For each parameter of `exp` its values at the trips kept.
    states: Vec<Var>,
    /// The numbers of the trips kept.
    places: Var,
    /// How many there is room for.
    room: SubExp,
}

/// The names that the return sweep has for what is kept, before a trip or after it.
pub struct Held {
    pub states: Vec<Binder>,
    pub places: Binder,
    pub used: Binder,
}

fn less(b: &mut Builder, x: SubExp, y: SubExp) -> SubExp {
    b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[x, y])
}

fn equal(b: &mut Builder, x: SubExp, y: SubExp) -> SubExp {
    b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[x, y])
}

/// The parameters that a state consists of.
fn of_state<'a>(params: &'a [LoopParam], last: &[Option<Settled>]) -> Vec<&'a LoopParam> {
    params.iter().zip(last).filter(|(_, last)| last.is_none()).map(|(p, _)| p).collect()
}

/// The bytes of a state, where they are known.
fn known_bytes(params: &[&LoopParam]) -> Option<u64> {
    let bytes = |ty: &Type| u64::try_from(ty.known_size()?).ok()?.checked_mul(ty.elem()?.bytes() as u64);
    params.iter().map(|p| bytes(&p.binder.ty)).try_fold(0u64, |sum, n| sum.checked_add(n?))
}

/// Whether all states of a loop are known to fit into this many bytes.
pub fn all_fit(params: &[LoopParam], last: &[Option<Settled>], trips: SubExp, budget: u64) -> bool {
    let trips = match trips {
        SubExp::Lit(n) => n.to_int().map(|n| u64::try_from(n).unwrap_or(0)),
        SubExp::Var(_) => None,
    };
    match (known_bytes(&of_state(params, last)), trips) {
        (Some(0), _) | (_, Some(0)) => true,
        (Some(state), Some(trips)) => state.checked_mul(trips).is_some_and(|all| all <= budget),
        _ => false,
    }
}

/// The bytes of a state.
fn bytes(b: &mut Builder, params: &[&LoopParam]) -> SubExp {
    let mut sum = SubExp::i64(0);
    for ty in params.iter().map(|p| &p.binder.ty) {
        // a state has no accumulators
        let Some(elem) = ty.elem() else { continue };
        let elem = SubExp::i64(elem.bytes() as i64);
        let size = ty.shape().iter().fold(elem, |n, d| b.int(BinOp::Mul, n, (*d).into()));
        sum = b.int(BinOp::Add, sum, size);
    }
    sum
}

/// How many trips behind a kept state the next one is, of `left` trips (two at least) with room for `free` states.
fn stride(b: &mut Builder, left: SubExp, free: SubExp) -> SubExp {
    // from here on the products would not fit; it is no less right, but for the count of executions
    let many = b.int(BinOp::Min, left, SubExp::i64(i64::from(i32::MAX)));
    let (r, all, more) =
        (b.vars.fresh("r", Type::I64), b.vars.fresh("all", Type::I64), b.vars.fresh("more", Type::BOOL));
    let (executions, reach, goes_on) = (r.var, all.var, more.var);
    let body = b.inner(|b| {
        let next = b.int(BinOp::Add, executions.into(), SubExp::i64(1));
        let factor = b.int(BinOp::Add, free, next);
        let product = b.int(BinOp::Mul, reach.into(), factor);
        let all = b.int(BinOp::Quot, product, next);
        vec![next, all, less(b, all, many)]
    });
    let first = SubExp::Lit(Scalar::Bool(true));
    let params = [(r, SubExp::i64(0)), (all, SubExp::i64(1)), (more, first)].into_iter().map(own_param).collect();
    let found = b.let_many("schedule", Exp::Loop { params, form: LoopForm::While(goes_on), body });
    // C(c − 1 + r, r) = C(c + r, c) · c / (c + r)
    let product = b.int(BinOp::Mul, found[1].into(), free);
    let both = b.int(BinOp::Add, free, found[0].into());
    // at least 1, so that the next is kept before the last trip
    let behind = b.int(BinOp::Quot, product, both);
    let before = b.int(BinOp::Sub, left, behind);
    b.int(BinOp::Max, before, SubExp::i64(1))
}

/// The parameters of a loop after some of its trips.
fn advance(b: &mut Builder, exp: &Exp, from: SubExp, count: SubExp, state: &[SubExp]) -> Vec<SubExp> {
    let Exp::Loop { params, form, body } = renamed(exp, b.vars) else { return Vec::new() };
    let at = b.vars.fresh("j", Type::I64);
    let mut inner = Builder::new(b.vars, b.prov);
    if let LoopForm::For { index, .. } = form {
        let trip = inner.int(BinOp::Add, from, at.var.into());
        let trip = seed::converted(&mut inner, trip, index.ty.elem().unwrap_or(ScalarType::I64));
        inner.bind(vec![index], Exp::SubExp(trip));
    }
    let result = inner.splice(body);
    let body = Body { stms: inner.stms, result };
    let params = params.into_iter().zip(state).map(|(p, init)| LoopParam { init: *init, ..p }).collect();
    let form = LoopForm::For { index: at, bound: count };
    b.let_many("state", Exp::Loop { params, form, body }).into_iter().map(SubExp::Var).collect()
}

/// The loop with its settled parameters bound to what it leaves, which trips that are executed again read and do not update.
fn without_settled(stm: &Stm, last: &[Option<Settled>]) -> Exp {
    let mut stm = stm.clone();
    let settled = last.iter().flatten().flat_map(|s| &s.names).copied().collect();
    settled::without_updates(&mut stm, &settled);
    if let Exp::Loop { params, body, .. } = &mut stm.exp {
        let mut left = Vec::new();
        for (k, last) in last.iter().enumerate().rev() {
            if let Some(Settled { left: array, .. }) = last {
                let pat = vec![params.remove(k).binder];
                body.result.remove(k);
                left.push(Stm { pat, exp: Exp::SubExp((*array).into()), certs: vec![], attrs: vec![], prov: stm.prov });
            }
        }
        body.stms.splice(..0, left);
    }
    stm.exp
}

/// The loop, of which some states are kept. Its statement comes with the form `for`.
pub fn forward(
    b: &mut Builder,
    stm: Stm,
    last: &[Option<Settled>],
    trips: SubExp,
    budget: u64,
) -> Option<(Few, Chosen)> {
    let Exp::Loop { params, .. } = &stm.exp else { return None };
    let again = without_settled(&stm, last);
    let of_state = of_state(params, last);
    let known = known_bytes(&of_state);
    let state = match known {
        Some(n) => SubExp::i64(i64::try_from(n).unwrap_or(i64::MAX)),
        None => bytes(b, &of_state),
    };
    // mutant off by one: a state that has something to differentiate has two bytes or more, or is empty; how many empty ones are kept matters to
    //   nobody
    let state = b.int(BinOp::Max, state, SubExp::i64(1));
    let room = b.int(BinOp::Quot, SubExp::i64(i64::try_from(budget).unwrap_or(i64::MAX)), state);
    let room = b.int(BinOp::Max, room, SubExp::i64(1));
    let room = b.int(BinOp::Min, room, trips);
    let size = Dim::from_subexp(room)?;

    let binders: Vec<Binder> = params.iter().map(|p| p.binder.clone()).collect();
    let outer = fresh_pattern(b.vars, &binders);
    let mut own: Vec<LoopParam> =
        params.iter().zip(&outer).map(|(p, o)| LoopParam { binder: o.clone(), ..p.clone() }).collect();
    let mut pat = stm.pat.clone();
    let mut keep = |b: &mut Builder, name: &str, ty: Type| {
        let init = seed::scratch(b, &ty).into();
        let binder = b.vars.fresh(name, ty.clone());
        let out = b.vars.fresh(name, ty);
        pat.push(out.clone());
        (LoopParam { binder, unique: true, init }, out.var)
    };
    let mut kept = Vec::new();
    let mut states = Vec::new();
    for (p, _) in outer.iter().zip(last).filter(|(_, last)| last.is_none()) {
        let (param, out) = keep(b, &format!("{}_kept", p.name), p.ty.array_of(&[size]));
        kept.push((param.binder.var, p.var));
        own.push(param);
        states.push(out);
    }
    let (param, places) = keep(b, "places", Type::I64.array_of(&[size]));
    let places_kept = param.binder.var;
    own.push(param);
    let place = b.vars.fresh("place", Type::I64);
    own.push(own_param((place.clone(), SubExp::i64(0))));
    pat.push(b.vars.fresh("place", Type::I64));

    let k = b.vars.fresh("k", Type::I64);
    let body = b.inner(|b| {
        let put = |b: &mut Builder, array: Var, value: SubExp| -> SubExp {
            let name = b.vars.name(array).clone();
            b.let_one(name.as_str(), Exp::Update { array, indices: vec![k.var.into()], value }).into()
        };
        let mut next: Vec<SubExp> = kept.iter().map(|(array, value)| put(b, *array, (*value).into())).collect();
        next.push(put(b, places_kept, place.var.into()));
        let left = b.int(BinOp::Sub, trips, place.var.into());
        let free = b.int(BinOp::Sub, room, k.var.into());
        let last = equal(b, free, SubExp::i64(1));
        let yes = Body { stms: Vec::new(), result: vec![left] };
        let no = b.inner(|b| vec![stride(b, left, free)]);
        let count = b.let_one("count", Exp::If { cond: last, yes, no }).into();
        let state: Vec<SubExp> = outer.iter().map(|p| p.var.into()).collect();
        let mut result = advance(b, &stm.exp, place.var.into(), count, &state);
        result.extend(next);
        result.push(b.int(BinOp::Add, place.var.into(), count));
        result
    });
    let form = LoopForm::For { index: k, bound: room };
    let Stm { certs, attrs, prov, .. } = stm;
    b.push(Stm { pat, exp: Exp::Loop { params: own, form, body }, certs, attrs, prov });
    let settled = last.iter().flatten().count();
    Some((Few { exp: again, states, places, room }, Chosen::Binomial { budget, state: known, settled }))
}

impl Few {
    /// What the loop of the return sweep carries, before a trip, and its first values.
    pub fn carried(&self, b: &mut Builder) -> (Held, Vec<SubExp>) {
        let held = self.fresh(b);
        let init = self.states.iter().chain([&self.places]).map(|v| SubExp::Var(*v)).chain([self.room]).collect();
        (held, init)
    }

    /// New names for it.
    pub fn fresh(&self, b: &mut Builder) -> Held {
        let mut new = |v: Var| {
            let (name, ty) = (b.vars.name(v).clone(), b.vars.ty(v).clone());
            b.vars.fresh(name, ty)
        };
        let states = self.states.iter().map(|v| new(*v)).collect();
        let places = new(self.places);
        Held { states, places, used: b.vars.fresh("used", Type::I64) }
    }

    /// The loop's parameters at the beginning of a trip, the last one that has not been reversed, and what is kept after it.
    pub fn state(&self, b: &mut Builder, trip: SubExp, held: &Held) -> (Vec<SubExp>, Vec<SubExp>) {
        let one = SubExp::i64(1);
        let used: SubExp = held.used.var.into();
        let top = b.int(BinOp::Sub, used, one);
        let place = b.index(held.places.var, &[top]).into();
        let mut from = Vec::new();
        for s in &held.states {
            let row = b.index(s.var, &[top]);
            // what is kept is updated further on
            from.push(if b.vars.ty(row).rank() > 0 { b.let_one("state", Exp::Copy(row)).into() } else { row.into() });
        }
        let behind = less(b, place, trip);
        // place, whether it is before the trip, the state there, and what is kept
        let here = b.vars.fresh("place", Type::I64);
        let goes_on = b.vars.fresh("behind", Type::BOOL);
        let state: Vec<Binder> = from.iter().map(|e| b.vars.fresh("state", b.vars.type_of(*e))).collect();
        let kept = self.fresh(b);
        let body = b.inner(|b| {
            let end = b.int(BinOp::Add, trip, one);
            let left = b.int(BinOp::Sub, end, here.var.into());
            let free = b.int(BinOp::Sub, self.room, kept.used.var.into());
            let free = b.int(BinOp::Add, free, one);
            let count = stride(b, left, free);
            let now: Vec<SubExp> = state.iter().map(|p| p.var.into()).collect();
            let next = advance(b, &self.exp, here.var.into(), count, &now);
            let there = b.int(BinOp::Add, here.var.into(), count);
            let behind = less(b, there, trip);
            let arrays: Vec<Var> = kept.states.iter().chain([&kept.places]).map(|p| p.var).collect();
            let yes = b.inner(|b| {
                let values = next.iter().copied().chain([there]);
                let at = vec![kept.used.var.into()];
                let put = |(array, value): (&Var, SubExp)| {
                    let name = b.vars.name(*array).clone();
                    let exp = Exp::Update { array: *array, indices: at.clone(), value };
                    b.let_one(name.as_str(), exp).into()
                };
                let mut result: Vec<SubExp> = arrays.iter().zip(values).map(put).collect();
                result.push(b.int(BinOp::Add, kept.used.var.into(), one));
                result
            });
            let mut result: Vec<SubExp> = arrays.iter().map(|v| (*v).into()).collect();
            result.push(kept.used.var.into());
            let kept = b.let_many("kept", Exp::If { cond: behind, yes, no: Body { stms: Vec::new(), result } });
            let mut result = vec![there, behind];
            result.extend(next);
            result.extend(kept.into_iter().map(SubExp::Var));
            result
        });
        let form = LoopForm::While(goes_on.var);
        let states = state.len();
        let mut params = vec![own_param((here, place)), own_param((goes_on, behind))];
        let unique: Vec<bool> = if let Exp::Loop { params, .. } = &self.exp {
            params.iter().map(|p| p.unique).collect()
        } else {
            Vec::new()
        };
        let given = state.into_iter().zip(from).zip(unique);
        params.extend(given.map(|((binder, init), unique)| LoopParam { binder, init, unique }));
        let before = held.states.iter().chain([&held.places, &held.used]).map(|p| p.var.into());
        let inside = kept.states.into_iter().chain([kept.places, kept.used]);
        params.extend(inside.zip(before).map(own_param));
        let out = b.let_many("state", Exp::Loop { params, form, body });
        let (state, kept) = out[2..].split_at(states);
        let Some((used, arrays)) = kept.split_last() else { return (Vec::new(), Vec::new()) };
        // once it is reversed, a kept trip is kept no longer
        let top = b.int(BinOp::Sub, (*used).into(), one);
        let place = b.index(arrays[states], &[top]).into();
        let done = equal(b, place, trip);
        let used = b.prim_op(Prim::Select(ScalarType::I64), &[done, top, (*used).into()]);
        let all = |vars: &[Var]| vars.iter().map(|v| SubExp::Var(*v)).collect::<Vec<_>>();
        (all(state), [all(arrays), vec![used]].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parameters of a loop that carries values of these types.
    fn carried(vars: &mut Vars, types: &[Type]) -> Vec<LoopParam> {
        types.iter().map(|ty| own_param((vars.fresh("x", ty.clone()), SubExp::i64(0)))).collect()
    }

    #[test]
    fn states_fit_where_none_takes_room_or_there_is_none() {
        let mut vars = Vars::of(&Program::default());
        let n = vars.fresh("n", Type::I64).var;
        let fit = |params: &[LoopParam], trips, budget| {
            let last: Vec<Option<Settled>> = params.iter().map(|_| None).collect();
            all_fit(params, &last, trips, budget)
        };
        // 3 · 8 + 4 bytes, twice: 56
        let f64s = |size| Type::from(ScalarType::F64).array_of(&[size]);
        let known = carried(&mut vars, &[f64s(Dim::Const(3)), ScalarType::F32.into()]);
        assert_eq!([55, 56].map(|budget| fit(&known, SubExp::i64(2), budget)), [false, true]);
        // no trips, of which there may be less than none
        let unknown = carried(&mut vars, &[f64s(Dim::Var(n))]);
        for params in [&known, &unknown] {
            assert_eq!([-3, 0, 1].map(|trips| fit(params, SubExp::i64(trips), 0)), [true, true, false]);
        }
        // states without elements, however many
        let empty = carried(&mut vars, &[f64s(Dim::Const(0))]);
        assert!(fit(&empty, n.into(), 0) && !fit(&known, n.into(), 1000));
    }
}
