//! Forward mode: each statement is followed by the statements of its tangents; what takes or returns a value takes or returns its tangent beside
//! it (Schenck et al. §3; digest 002 §1A.4). The rules of SOACs are in [`soac`], those of
//! what writes to computed positions, and of rows of their own sizes, in [`irregular`].

mod irregular;
mod soac;

use super::activity::{self, Active};
use super::*;
use crate::hash::HashMap;

/// The code of `jvp λ args seeds`: the primal results, then their tangents.
pub fn jvp(vars: &mut Vars, shared: &mut Shared, stm: &Stm, ad: &Ad) -> Res<Vec<Stm>> {
    let mut b = Builder::new(vars, stm.prov);
    bind_params(&mut b, &ad.lambda.params, &ad.args);
    let body = split::columns_only(b.vars, &ad.lambda.body);
    let mut active: Active = ad.lambda.params.iter().map(|p| p.var).collect();
    activity::extend(&mut active, &body);
    let tangents = ad.lambda.params.iter().map(|p| p.var).zip(ad.seeds.iter().copied()).collect();
    let mut fwd = Fwd { seed: ad.seed_shape.clone(), active, tangents, shared };
    fwd.stms(&mut b, &body.stms)?;
    b.prov = stm.prov;
    b.certs = stm.certs.clone();
    let n = body.result.len();
    for (p, e) in stm.pat.iter().zip(&body.result) {
        b.bind(vec![p.clone()], Exp::SubExp(*e));
    }
    b.prov = fwd.shared.prov.role(Role::Tangent, stm.prov);
    for (p, e) in stm.pat[n..].iter().zip(&body.result) {
        let tangent = fwd.tangent_or_zero(&mut b, *e);
        b.bind(vec![p.clone()], Exp::SubExp(tangent));
    }
    Ok(b.stms)
}

/// Forward mode at work.
pub struct Fwd<'a, 'p> {
    /// The seed shape.
    pub seed: Vec<Dim>,
    /// The variables that have tangents.
    pub active: Active,
    /// The tangents that are not zero.
    pub tangents: HashMap<Var, SubExp>,
    /// What all derivatives share.
    pub shared: &'a mut Shared<'p>,
}

impl Fwd<'_, '_> {
    fn tangent(&self, e: SubExp) -> Option<SubExp> {
        self.tangents.get(&e.as_var()?).copied()
    }

    fn tangent_type(&self, ty: &Type) -> Type {
        ty.array_of(&self.seed)
    }

    fn tangent_or_zero(&mut self, b: &mut Builder, e: SubExp) -> SubExp {
        self.tangent(e).unwrap_or_else(|| {
            let ty = self.tangent_type(&b.vars.type_of(e));
            seed::zero(b, &ty)
        })
    }

    /// A fresh binder for the tangent of what this one binds, which gets to be known as such.
    fn tangent_binder(&mut self, b: &mut Builder, of: &Binder) -> Binder {
        let binder = b.vars.fresh(format!("{}_tan", of.name).as_str(), self.tangent_type(&of.ty));
        self.tangents.insert(of.var, binder.var.into());
        binder
    }

    fn stms(&mut self, b: &mut Builder, stms: &[Stm]) -> Res<()> {
        stms.iter().try_for_each(|stm| self.stm(b, stm))
    }

    /// A body with its tangents: the results, then the tangents of those that are wanted.
    pub fn body(&mut self, b: &mut Builder, body: &Body, wanted: &[bool]) -> Res<Body> {
        let mut inner = Builder::new(b.vars, b.prov);
        self.stms(&mut inner, &body.stms)?;
        let mut result = body.result.clone();
        for (e, _) in body.result.iter().zip(wanted).filter(|(_, w)| **w) {
            let tangent = self.tangent_or_zero(&mut inner, *e);
            result.push(tangent);
        }
        Ok(Body { stms: inner.stms, result })
    }

    fn stm(&mut self, b: &mut Builder, stm: &Stm) -> Res<()> {
        let active = |stm: &Stm| stm.pat.iter().any(|p| self.active.contains(&p.var));
        if !active(stm) {
            b.push(stm.clone());
            return Ok(());
        }
        match &stm.exp {
            Exp::If { .. }
            | Exp::Loop { .. }
            | Exp::Screma(_)
            | Exp::WithAcc(_)
            | Exp::Scatter(_)
            | Exp::Hist(_)
            | Exp::FlatMap(_)
            | Exp::Apply { .. }
            | Exp::Custom(_) => {
                b.prov = stm.prov;
                let (exp, pat) = match &stm.exp {
                    Exp::If { cond, yes, no } => self.branch(b, stm, *cond, yes, no)?,
                    Exp::Loop { params, form, body } => self.loop_(b, stm, params, form, body)?,
                    Exp::WithAcc(w) => self.withacc(b, stm, w)?,
                    Exp::Screma(s) => return self.screma(b, stm, s),
                    Exp::Scatter(s) => return self.scatter(b, stm, s),
                    Exp::Hist(h) => return self.histogram(b, stm, h),
                    Exp::FlatMap(f) => return self.flatmap(b, stm, f),
                    Exp::Apply { fun, args } => self.call(b, stm, fun, args)?,
                    Exp::Custom(c) => return self.custom(b, stm, c),
                    _ => return Ok(()),
                };
                b.push(Stm { pat, exp, ..stm.clone() });
                Ok(())
            }
            _ => {
                b.push(stm.clone());
                b.prov = self.shared.prov.role(Role::Tangent, stm.prov);
                // derivatives of scalar operators are total: see DESIGN.md, Decisions
                if !matches!(stm.exp, Exp::Prim(..)) {
                    b.certs = stm.certs.clone();
                }
                let tangent = self.simple(b, stm);
                b.certs.clear();
                if let Some(t) = tangent? {
                    self.tangents.insert(stm.pat[0].var, t);
                }
                Ok(())
            }
        }
    }

    /// The tangent of the one result of a statement without bodies; `None` for zero.
    fn simple(&mut self, b: &mut Builder, stm: &Stm) -> Res<Option<SubExp>> {
        let seed = self.seed.clone();
        let s = seed.len();
        let name = format!("{}_tan", stm.pat[0].name);
        let with_seed = |shape: &[Dim]| [&seed[..], shape].concat();
        Ok(match &stm.exp {
            Exp::SubExp(e) | Exp::Opaque(e) => self.tangent(*e).map(|t| b.relying(t)),
            Exp::Prim(op, args) => self.scalar(b, *op, args, stm.pat[0].var.into()),
            Exp::ArrayLit { elems, row } => {
                let rows: Vec<SubExp> = elems.iter().map(|e| self.tangent_or_zero(b, *e)).collect();
                let lit = b.let_one(&name, Exp::ArrayLit { elems: rows, row: self.tangent_type(row) });
                Some(seed::innermost(b, lit, s).into())
            }
            Exp::Index { array, indices } => {
                let Some(SubExp::Var(t)) = self.tangent((*array).into()) else { return Ok(None) };
                Some(seed::index_all(b, &seed, t, indices))
            }
            Exp::Update { array, indices, value } => {
                let (value, array) = (self.tangent_or_zero(b, *value), self.tangent_or_zero(b, (*array).into()));
                let SubExp::Var(array) = array else { return Ok(None) };
                Some(seed::update_all(b, &seed, array, indices, value).into())
            }
            Exp::Iota { n, start, step, elem } => {
                let of = [self.tangent_or_zero(b, *start), self.tangent_or_zero(b, *step)];
                Some(
                    seed::over(b, &seed, &of, &mut |b, t| {
                        vec![b.let_one(&name, Exp::Iota { n: *n, start: t[0], step: t[1], elem: *elem }).into()]
                    })[0],
                )
            }
            Exp::Replicate { shape, value } => {
                let Some(t) = self.tangent(*value) else { return Ok(None) };
                Some(
                    seed::over(b, &seed, &[t], &mut |b, t| {
                        vec![b.let_one(&name, Exp::Replicate { shape: shape.clone(), value: t[0] }).into()]
                    })[0],
                )
            }
            Exp::Rearrange { perm, array } => self.array(b, *array, |array| {
                let perm = (0..s).chain(perm.iter().map(|d| d + s)).collect();
                Exp::Rearrange { perm, array }
            }),
            Exp::Reshape { shape, array } => {
                self.array(b, *array, |array| Exp::Reshape { shape: with_seed(shape), array })
            }
            Exp::Coerce { shape, array } => {
                self.array(b, *array, |array| Exp::Coerce { shape: with_seed(shape), array })
            }
            Exp::Copy(array) => self.array(b, *array, Exp::Copy),
            Exp::Manifest { perm, array } => self.array(b, *array, |array| {
                let perm = (0..s).chain(perm.iter().map(|d| d + s)).collect();
                Exp::Manifest { perm, array }
            }),
            Exp::Slice { array, slice } => {
                self.array(b, *array, |array| Exp::Slice { array, slice: seed::whole(&seed, slice) })
            }
            Exp::UpdateSlice { array, slice, value } => {
                let both = [*value, *array].map(|v| self.tangent_or_zero(b, v.into()));
                let [SubExp::Var(value), SubExp::Var(array)] = both else { return Ok(None) };
                let slice = seed::whole(&seed, slice);
                Some(b.let_one(&name, Exp::UpdateSlice { array, slice, value }).into())
            }
            Exp::FlatIndex { array, offset, dims } => {
                let Some(t) = self.tangent((*array).into()) else { return Ok(None) };
                let exp = |array| Exp::FlatIndex { array, offset: *offset, dims: dims.clone() };
                Some(seed::over_arrays(b, &seed, &name, &[t], &|arrays| exp(arrays[0])))
            }
            Exp::FlatUpdate { array, offset, dims, value } => {
                let both = [*array, *value].map(|v| self.tangent_or_zero(b, v.into()));
                let exp = |array, value| Exp::FlatUpdate { array, offset: *offset, dims: dims.clone(), value };
                Some(seed::over_arrays(b, &seed, &name, &both, &|arrays| exp(arrays[0], arrays[1])))
            }
            Exp::Rotate { by, array } => {
                let Some(t) = self.tangent((*array).into()) else { return Ok(None) };
                Some(seed::over_arrays(b, &seed, &name, &[t], &|a| Exp::Rotate { by: *by, array: a[0] }))
            }
            Exp::Reverse { array } => {
                let Some(t) = self.tangent((*array).into()) else { return Ok(None) };
                Some(seed::over_arrays(b, &seed, &name, &[t], &|a| Exp::Reverse { array: a[0] }))
            }
            Exp::Concat { arrays, size } => {
                let tangents: Vec<SubExp> = arrays.iter().map(|a| self.tangent_or_zero(b, (*a).into())).collect();
                Some(seed::over_arrays(b, &seed, &name, &tangents, &|arrays| {
                    let arrays = arrays.to_vec();
                    Exp::Concat { arrays, size: *size }
                }))
            }
            Exp::UpdAcc { acc, indices, values } => {
                let Some(SubExp::Var(t)) = self.tangent((*acc).into()) else { return Ok(None) };
                // mutant swap: an accumulator that has a tangent adds with one scalar operator, so an update of it has one value
                if values.iter().all(|v| self.tangent(*v).is_none()) {
                    return Ok(Some(t.into()));
                }
                let values: Vec<SubExp> = values.iter().map(|v| self.tangent_or_zero(b, *v)).collect();
                Some(seed::acc_update(b, s, t, indices, &values).into())
            }
            _ => return unsupported("this construct", "it has no rule in forward mode", stm.prov),
        })
    }

    fn array(&mut self, b: &mut Builder, of: Var, f: impl FnOnce(Var) -> Exp) -> Option<SubExp> {
        let t = self.tangent(of.into())?.as_var()?;
        let name = format!("{}_tan", b.vars.name(of));
        Some(b.let_one(&name, f(t)).into())
    }

    /// Σ ∂f/∂aᵢ · ȧᵢ over the operands that have a tangent.
    fn scalar(&mut self, b: &mut Builder, op: Prim, args: &[SubExp], res: SubExp) -> Option<SubExp> {
        let (params, to) = op.signature()?;
        let terms: Vec<(usize, SubExp)> = args
            .iter()
            .enumerate()
            .filter(|(i, _)| !is_zero(&op.partial(*i)))
            .filter_map(|(i, e)| Some((i, self.tangent(*e)?)))
            .collect();
        let tangents: Vec<SubExp> = terms.iter().map(|(_, t)| *t).collect();
        if terms.is_empty() {
            return None;
        }
        let sums = seed::over(b, &self.seed, &tangents, &mut |b, ts| {
            let mut sum: Option<SubExp> = None;
            for ((i, _), t) in terms.iter().zip(ts) {
                let Ok(term) = op.partial(*i).contribution(b, args, &res, t, (params[*i], to));
                sum = match (sum, term) {
                    (Some(x), Some(y)) => Some(b.prim_op(to.plus(), &[x, y])),
                    (x, y) => x.or(y),
                };
            }
            // mutant: operands whose partial is zero wherever it is taken have been left out, and every other partial contributes a term
            vec![sum.unwrap_or(SubExp::Lit(to.zero()))]
        });
        Some(sums[0])
    }

    /// Both branches return the tangents too. The condition has none.
    fn branch(&mut self, b: &mut Builder, stm: &Stm, cond: SubExp, yes: &Body, no: &Body) -> Res<(Exp, Vec<Binder>)> {
        let wanted: Vec<bool> = stm.pat.iter().map(|p| self.active.contains(&p.var)).collect();
        let (yes, no) = (self.body(b, yes, &wanted)?, self.body(b, no, &wanted)?);
        let mut pat = stm.pat.clone();
        self.with_tangents(b, &mut pat, &stm.pat, &wanted);
        Ok((Exp::If { cond, yes, no }, pat))
    }

    /// The function's derivative takes and returns the tangents, too.
    fn call(&mut self, b: &mut Builder, stm: &Stm, fun: &Name, args: &[SubExp]) -> Res<(Exp, Vec<Binder>)> {
        let tangents: Vec<Option<SubExp>> = args.iter().map(|e| self.tangent(*e)).collect();
        let active = tangents.iter().map(Option::is_some).collect();
        let derived = self.shared.forward(b.vars, fun, active, &self.seed, stm.prov)?;
        let dims = call::seed_args(&self.seed);
        let args = args.iter().copied().chain(dims).chain(tangents.into_iter().flatten()).collect();
        let wanted: Vec<bool> = stm.pat.iter().map(|p| p.ty.elem().is_some()).collect();
        let mut pat = stm.pat.clone();
        self.with_tangents(b, &mut pat, &stm.pat, &wanted);
        Ok((Exp::Apply { fun: derived.fun, args }, pat))
    }

    /// Adds the binders of the wanted tangents to a pattern. Accumulators have tangents of their own types.
    fn with_tangents(&mut self, b: &mut Builder, pat: &mut Vec<Binder>, of: &[Binder], wanted: &[bool]) {
        for (p, _) in of.iter().zip(wanted).filter(|(_, w)| **w) {
            let mut t = self.tangent_binder(b, p);
            if let Type::Acc(acc) = &p.ty
                && let Some(ty) = self.acc_type(acc)
            {
                t = b.vars.fresh(t.name, ty);
                self.tangents.insert(p.var, t.var.into());
            }
            pat.push(t);
        }
    }

    /// The type of the accumulator of tangents that goes with an accumulator: its identity is recorded as the tangent of the identity.
    fn acc_type(&self, acc: &AccType) -> Option<Type> {
        let id = self.tangent(acc.id.into())?.as_var()?;
        let shape = [&self.seed[..], &acc.shape].concat();
        Some(Type::Acc(AccType { id, shape, elems: acc.elems.clone() }))
    }

    /// Parameters carry the tangents along.
    fn loop_(
        &mut self,
        b: &mut Builder,
        stm: &Stm,
        params: &[LoopParam],
        form: &LoopForm,
        body: &Body,
    ) -> Res<(Exp, Vec<Binder>)> {
        let wanted: Vec<bool> = params.iter().map(|p| self.active.contains(&p.binder.var)).collect();
        let mut all = params.to_vec();
        for (p, _) in params.iter().zip(&wanted).filter(|(_, w)| **w) {
            b.prov = self.shared.prov.role(Role::Tangent, stm.prov);
            let init = self.tangent_or_zero(b, p.init);
            b.prov = stm.prov;
            let mut binder = Vec::new();
            self.with_tangents(b, &mut binder, std::slice::from_ref(&p.binder), &[true]);
            all.extend(binder.into_iter().map(|binder| LoopParam { binder, unique: p.unique, init }));
        }
        let body = self.body(b, body, &wanted)?;
        let mut pat = stm.pat.clone();
        self.with_tangents(b, &mut pat, &stm.pat, &wanted);
        Ok((Exp::Loop { params: all, form: form.clone(), body }, pat))
    }
}
