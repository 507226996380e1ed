//! Forward mode: each statement is followed by the statements of its tangents; what takes or returns a value takes or returns its tangent beside
//! it (Schenck et al. §3; digest 002 §1A.4). The rules of SOACs are in [`soac`].

mod soac;

use super::activity::{self, Active};
use super::*;
use std::collections::HashMap;

/// The code of `jvp λ args seeds`: the primal results, then their tangents.
pub fn jvp(vars: &mut Vars, prov: &mut ProvTable, stm: &Stm, ad: &Ad) -> Res<Vec<Stm>> {
    let mut b = Builder::new(vars, stm.prov);
    bind_params(&mut b, &ad.lambda.params, &ad.args);
    let body = split::columns_only(b.vars, &ad.lambda.body);
    let mut active: Active = ad.lambda.params.iter().map(|p| p.var).collect();
    activity::extend(&mut active, &body);
    let tangents = ad.lambda.params.iter().map(|p| p.var).zip(ad.seeds.iter().copied()).collect();
    let mut fwd = Fwd { seed: ad.seed_shape.clone(), active, tangents, prov };
    fwd.stms(&mut b, &body.stms)?;
    b.prov = stm.prov;
    b.certs = stm.certs.clone();
    let n = body.result.len();
    for (p, e) in stm.pat[..n].iter().zip(&body.result) {
        b.bind(vec![p.clone()], Exp::SubExp(*e));
    }
    b.prov = fwd.prov.role(Role::Tangent, stm.prov);
    for (p, e) in stm.pat[n..].iter().zip(&body.result) {
        let tangent = fwd.tangent_or_zero(&mut b, *e);
        b.bind(vec![p.clone()], Exp::SubExp(tangent));
    }
    Ok(b.stms)
}

struct Fwd<'p> {
    seed: Vec<Dim>,
    active: Active,
    /// The tangents that are not zero.
    tangents: HashMap<Var, SubExp>,
    prov: &'p mut ProvTable,
}

impl Fwd<'_> {
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
    fn body(&mut self, b: &mut Builder, body: &Body, wanted: &[bool]) -> Res<Body> {
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
            Exp::If { .. } | Exp::Loop { .. } | Exp::Screma(_) | Exp::WithAcc(_) => {
                b.prov = stm.prov;
                let (exp, pat) = match &stm.exp {
                    Exp::If { cond, yes, no } => self.branch(b, stm, *cond, yes, no)?,
                    Exp::Loop { params, form, body } => self.loop_(b, stm, params, form, body)?,
                    Exp::WithAcc(w) => self.withacc(b, stm, w)?,
                    Exp::Screma(s) => return self.screma(b, stm, s),
                    _ => return Ok(()),
                };
                b.push(Stm { pat, exp, ..stm.clone() });
                Ok(())
            }
            _ => {
                b.push(stm.clone());
                b.prov = self.prov.role(Role::Tangent, stm.prov);
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
            Exp::SubExp(e) => self.tangent(*e),
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
            Exp::Reverse { array } => {
                let Some(t) = self.tangent((*array).into()) else { return Ok(None) };
                Some(
                    seed::over(b, &seed, &[t], &mut |b, t| match t[0] {
                        SubExp::Var(array) => vec![b.let_one(&name, Exp::Reverse { array }).into()],
                        lit => vec![lit],
                    })[0],
                )
            }
            Exp::Concat { arrays, size } => {
                let tangents: Vec<SubExp> = arrays.iter().map(|a| self.tangent_or_zero(b, (*a).into())).collect();
                Some(
                    seed::over(b, &seed, &tangents, &mut |b, t| {
                        let arrays = t.iter().filter_map(|e| e.as_var()).collect();
                        vec![b.let_one(&name, Exp::Concat { arrays, size: *size }).into()]
                    })[0],
                )
            }
            Exp::UpdAcc { acc, indices, values } => {
                let Some(SubExp::Var(t)) = self.tangent((*acc).into()) else { return Ok(None) };
                if values.iter().all(|v| self.tangent(*v).is_none()) {
                    return Ok(Some(t.into()));
                }
                let values: Vec<SubExp> = values.iter().map(|v| self.tangent_or_zero(b, *v)).collect();
                Some(seed::acc_update(b, s, t, indices, &values).into())
            }
            Exp::Apply { fun, .. } => {
                return unsupported(&format!("the call of {fun}"), "recursive functions have no derivative", stm.prov);
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
            b.prov = self.prov.role(Role::Tangent, stm.prov);
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
