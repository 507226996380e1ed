//! Return sweep of loops (digest 002 §1A.9, §1A.11, with their errata): the forward sweep keeps the parameters' values at the beginning of each
//! trip; the return sweep goes through the trips backwards, re-installs them, executes the body again and reverses it. It carries the adjoints of
//! the parameters, at the beginning of the trip, and those of the variables free in the body.
//!
//! A `while` loop is run once more before, to count its trips (what does not matter for that is dead code), or, with `#[bound(n)]`, keeps up to n
//! trips and fails when there are more.

use super::*;

/// The loop with checkpoints.
pub fn forward(b: &mut Builder, mut stm: Stm) -> Res<Saved> {
    let bound = stm.attrs.iter().find(|a| a.name.as_str() == "bound").and_then(|a| a.arg);
    if let (Exp::Loop { form: LoopForm::While(_), .. }, None) = (&stm.exp, bound) {
        let trips = count_trips(b, &stm);
        if let Exp::Loop { form, .. } = &mut stm.exp {
            *form = LoopForm::For { index: b.vars.fresh("i", Type::I64), bound: trips };
        }
    }
    copy_consumed(b, &mut stm);
    let Exp::Loop { mut params, form, body } = renamed(&stm.exp, b.vars) else { return Ok(Saved::Nothing) };
    let own: Vec<Var> = params.iter().map(|p| p.binder.var).collect();
    let varying = |p: &LoopParam| p.binder.ty.shape().iter().any(|d| matches!(d, Dim::Var(v) if own.contains(v)));
    if params.iter().any(varying) {
        return unsupported("a loop", "the shape of one of its parameters varies", stm.prov);
    }

    let space = match &form {
        LoopForm::For { bound, .. } => trips(b, *bound),
        LoopForm::While(_) => SubExp::i64(bound.unwrap_or_default().max(0)),
    };
    let Some(size) = Dim::from_subexp(space) else { return Ok(Saved::Nothing) };
    let counter = matches!(form, LoopForm::While(_)).then(|| b.vars.fresh("trips", Type::I64));
    let mut pat = stm.pat.clone();
    let mut kept = Vec::new();
    let mut checkpoints = Vec::new();
    for p in &params {
        checkpoints.push(p.binder.ty.elem().map(|elem| {
            let ty = p.binder.ty.array_of(&[size]);
            let init = b.let_one("scratch", Exp::Scratch { elem, shape: ty.shape().to_vec() }).into();
            let name = format!("{}_kept", p.binder.name);
            let binder = b.vars.fresh(name.as_str(), ty.clone());
            kept.push((p.binder.var, LoopParam { binder, unique: true, init }));
            let out = b.vars.fresh(name.as_str(), ty);
            pat.push(out.clone());
            out.var
        }));
    }

    let mut inner = Builder::new(b.vars, b.prov);
    let index = match (&form, &counter) {
        (LoopForm::For { index, .. }, _) => to_i64(&mut inner, index.var.into()),
        (_, Some(counter)) => {
            let indices = vec![counter.var.into()];
            let cert = inner.let_one("cert", Exp::Check(Check::Bounds { indices, sizes: vec![size] }));
            inner.certs = vec![cert];
            counter.var.into()
        }
        _ => SubExp::i64(0),
    };
    let mut next: Vec<SubExp> = Vec::new();
    for (value, kept) in &kept {
        let (array, indices) = (kept.binder.var, vec![index]);
        let name = kept.binder.name.clone();
        next.push(inner.let_one(name.as_str(), Exp::Update { array, indices, value: (*value).into() }).into());
    }
    inner.certs.clear();
    let mut result = inner.splice(body);
    result.extend(next);
    params.extend(kept.into_iter().map(|(_, p)| p));
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
    Ok(Saved::Loop { trips, checkpoints })
}

/// Of a loop that only updates accumulators, all that the return sweep needs.
pub fn trips_alone(b: &mut Builder, exp: &Exp) -> Saved {
    match exp {
        Exp::Loop { form: LoopForm::For { bound, .. }, .. } => {
            Saved::Loop { trips: trips(b, *bound), checkpoints: Vec::new() }
        }
        _ => Saved::Nothing,
    }
}

fn trips(b: &mut Builder, bound: SubExp) -> SubExp {
    let trips = to_i64(b, bound);
    b.prim_op(Prim::Bin(BinOp::Max, ScalarType::I64), &[trips, SubExp::i64(0)])
}

fn to_i64(b: &mut Builder, e: SubExp) -> SubExp {
    match b.vars.type_of(e) {
        Type::Scalar(t) if t != ScalarType::I64 => b.prim_op(Prim::Conv(t, ScalarType::I64), &[e]),
        _ => e,
    }
}

/// A copy of a `while` loop that gives the number of its trips.
fn count_trips(b: &mut Builder, stm: &Stm) -> SubExp {
    let mut stm = stm.clone();
    copy_consumed(b, &mut stm);
    let mut exp = renamed(&stm.exp, b.vars);
    if let Exp::Loop { params, body, .. } = &mut exp {
        let trips = b.vars.fresh("trips", Type::I64);
        let mut inner = Builder::new(b.vars, b.prov);
        let next = inner.prim_op(ScalarType::I64.plus(), &[trips.var.into(), SubExp::i64(1)]);
        body.stms.extend(inner.stms);
        body.result.push(next);
        params.push(LoopParam { binder: trips, unique: false, init: SubExp::i64(0) });
    }
    b.let_many("trips", exp).last().map_or(SubExp::i64(0), |v| (*v).into())
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

impl Rev<'_> {
    pub(super) fn loop_(
        &mut self,
        b: &mut Builder,
        params: &[LoopParam],
        form: &LoopForm,
        body: &Body,
        saved: Saved,
        adjoints: Vec<Option<Adj>>,
    ) -> Res<()> {
        let Saved::Loop { trips, checkpoints } = saved else { return Ok(()) };
        let own: Vec<Var> = params.iter().map(|p| p.binder.var).collect();
        // what is spent has been swept out of the forward sweep, and has no checkpoint
        let values: Vec<(usize, &LoopParam)> =
            params.iter().enumerate().filter(|(_, p)| p.binder.ty.elem().is_some()).collect();
        let free: Vec<Var> = self.active_free(b, body).into_iter().filter(|v| !own.contains(v)).collect();
        let outer = self.adjoints.clone();

        let mut carried = Vec::new();
        for (k, p) in &values {
            if !self.active.contains(&p.binder.var) {
                continue;
            }
            let adjoint = adjoints[*k].clone();
            let (value, owned) = match adjoint {
                Some(adjoint) => self.dense(b, &p.binder.ty, adjoint),
                None => {
                    let ty = self.adjoint_type(&p.binder.ty);
                    (seed::zero(b, &ty), true)
                }
            };
            let init = self.owned(b, value, owned);
            carried.push(self.carry(b, p.binder.var, init));
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
        for ((_, p), checkpoint) in values.iter().zip(checkpoints.iter().flatten()) {
            inner.bind(vec![p.binder.clone()], Exp::Index { array: *checkpoint, indices: vec![trip] });
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
        self.again(&mut inner, body, results)?;
        for (k, c) in carried.iter_mut().enumerate() {
            if k >= params_carried && self.adjoints.get(&c.of) == Some(&current(c)) {
                continue;
            }
            let (value, mut owned) = self.take_or_zero(&mut inner, c.of);
            // the adjoint of another parameter is that other's
            owned &= value == c.param.var.into() || value.as_var().is_none_or(|v| v.0 >= first);
            c.next = Some(if acc(c) { value } else { self.owned(&mut inner, value, owned) });
        }
        let stms = inner.stms;

        self.adjoints = outer;
        carried.retain(|c| c.next.is_some());
        let mut loop_params = Vec::new();
        let mut pat = Vec::new();
        let mut result = Vec::new();
        for c in &carried {
            let unique = matches!(c.param.ty, Type::Array(..));
            pat.push(b.vars.fresh(c.param.name.clone(), c.param.ty.clone()));
            loop_params.push(LoopParam { binder: c.param.clone(), unique, init: c.init });
            result.extend(c.next);
        }
        let form = LoopForm::For { index, bound: trips };
        b.bind(pat.clone(), Exp::Loop { params: loop_params, form, body: Body { stms, result } });
        for (c, out) in carried.iter().zip(&pat).filter(|(c, _)| !own.contains(&c.of)) {
            let adjoint = if acc(c) { Adj::Acc(out.var) } else { Adj::Dense(out.var.into(), true) };
            self.adjoints.insert(c.of, adjoint);
        }
        for (c, out) in carried.iter().zip(&pat) {
            if let Some(p) = params.iter().find(|p| p.binder.var == c.of) {
                self.add(b, p.init, out.var.into(), true);
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
