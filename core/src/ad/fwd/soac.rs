//! Forward mode of SOACs and accumulators: operators become operators on pairs of value and tangent, with (ne, 0) or the given tangent of the
//! neutral element as neutral element; an accumulator that adds gets a second accumulator for the tangents.

use super::*;

impl Fwd<'_, '_> {
    /// The λ, its operators and its results with tangents. Results of λ: for each scan, then each reduce, the operands and their tangents; then the
    /// mapped results, then theirs.
    pub(super) fn screma(&mut self, b: &mut Builder, stm: &Stm, s: &Screma) -> Res<()> {
        let depth = self.seed.len();
        let tangent_prov = self.shared.prov.role(Role::Tangent, stm.prov);
        let mut arrays = s.arrays.clone();
        let mut params = s.map.params.clone();
        for (p, a) in s.map.params.iter().zip(&s.arrays) {
            let Some(SubExp::Var(t)) = self.tangent((*a).into()) else { continue };
            // mutant: of which role the statements are that turn the tangents of several seeds, listings alone tell
            b.prov = tangent_prov;
            let t = if matches!(p.ty, Type::Acc(_)) { t } else { seed::outermost(b, t, depth) };
            arrays.push(t);
            self.with_tangents(b, &mut params, std::slice::from_ref(p), &[true]);
        }

        let mut inner = Builder::new(b.vars, stm.prov);
        self.stms(&mut inner, &s.map.body.stms)?;
        let mut out = Outputs::default();
        let mut after = Vec::new();
        let mut first = 0;
        let mut scans = Vec::new();
        let mut reduces = Vec::new();
        for (j, op) in s.scans.iter().chain(&s.reduces).enumerate() {
            let m = op.neutral.len();
            let scan = j < s.scans.len();
            let ops = if scan { &mut scans } else { &mut reduces };
            let operands = first..first + m;
            let wanted: Vec<bool> = op.lambda.params[..m].iter().map(|p| self.active.contains(&p.var)).collect();
            for k in operands.clone() {
                out.push(stm.pat[k].clone(), s.map.body.result[k], s.map.ret[k].clone());
            }
            for k in operands.filter(|k| wanted[k - first]) {
                let t = self.tangent_or_zero(&mut inner, s.map.body.result[k]);
                let ty = self.tangent_type(&s.map.ret[k]);
                let result = if scan { ty.array_of(&[s.width]) } else { ty.clone() };
                let binder = inner.vars.fresh(format!("{}_tan", stm.pat[k].name).as_str(), result);
                after.push((stm.pat[k].var, binder.var, scan));
                out.push(binder, t, ty);
            }
            let mut builder = Builder::new(inner.vars, stm.prov);
            ops.extend(self.operator(&mut builder, op, &wanted)?);
            out.outer.extend(builder.stms);
            first += m;
        }
        for (k, e) in s.map.body.result.iter().enumerate().skip(first) {
            out.push(stm.pat[k].clone(), *e, s.map.ret[k].clone());
        }
        for (k, e) in s.map.body.result.iter().enumerate().skip(first) {
            let Some(t) = self.tangent(*e) else { continue };
            let ty = match &s.map.ret[k] {
                Type::Acc(_) => inner.vars.type_of(t),
                ty => self.tangent_type(ty),
            };
            let name = format!("{}_tan", stm.pat[k].name);
            let binder = inner.vars.fresh(name.as_str(), ty.array_of(&[s.width]));
            after.push((stm.pat[k].var, binder.var, !matches!(ty, Type::Acc(_))));
            out.push(binder, t, ty);
        }
        let Outputs { pat, result, ret, outer } = out;
        let map = Lambda { params, ret, body: Body { stms: inner.stms, result } };
        b.stms.extend(outer);
        b.push(Stm {
            pat,
            exp: Exp::from(Screma { width: s.width, arrays, map, scans, reduces, post: None }),
            ..stm.clone()
        });
        // mutant: of which role the statements are that turn the tangents of several seeds, listings alone tell
        b.prov = tangent_prov;
        for (primal, tangent, mapped) in after {
            let t = if mapped { seed::innermost(b, tangent, depth) } else { tangent };
            self.tangents.insert(primal, t.into());
        }
        Ok(())
    }

    /// The operator on pairs. Of a sum in one direction, two sums.
    pub(super) fn operator(&mut self, b: &mut Builder, op: &Operator, wanted: &[bool]) -> Res<Vec<Operator>> {
        if !wanted.contains(&true) {
            return Ok(vec![op.clone()]);
        }
        // mutant swap: it is asked only of operators that are one scalar operator, and these have one neutral element
        let zeros = op.neutral.iter().all(|e| self.tangent(*e).is_none());
        if let (Some(prim), true, true) = (op.lambda.as_prim(), self.seed.is_empty(), zeros)
            && is_sum(prim)
            && let Some(elem) = op.lambda.ret[0].elem()
        {
            return Ok(vec![op.clone(), b.operator(elem.plus(), elem.zero())]);
        }
        let m = op.neutral.len();
        let mut neutral = op.neutral.clone();
        for (e, _) in op.neutral.iter().zip(wanted).filter(|(_, w)| **w) {
            let t = self.tangent_or_zero(b, *e);
            neutral.push(t);
        }
        let mut params = Vec::new();
        for side in [&op.lambda.params[..m], &op.lambda.params[m..]] {
            params.extend_from_slice(side);
            self.with_tangents(b, &mut params, side, wanted);
        }
        let body = self.body(b, &op.lambda.body, wanted)?;
        let tangents = op.lambda.ret.iter().zip(wanted).filter(|(_, w)| **w).map(|(t, _)| self.tangent_type(t));
        let ret = op.lambda.ret.iter().cloned().chain(tangents).collect();
        // of equal operands a maximum has the tangent of the first
        let commutative = op.commutative && !has_kinks(&op.lambda);
        Ok(vec![Operator { lambda: Lambda { params, ret, body }, neutral, commutative }])
    }

    /// A second accumulator for each active one, on the tangents.
    pub(super) fn withacc(&mut self, b: &mut Builder, stm: &Stm, w: &WithAcc) -> Res<(Exp, Vec<Binder>)> {
        let n = w.inputs.len();
        let (ids, accs) = w.lambda.params.split_at(n);
        let mut inputs = w.inputs.clone();
        let (mut new_ids, mut new_accs) = (ids.to_vec(), accs.to_vec());
        let mut ret = w.lambda.ret[..n].to_vec();
        let mut arrays_pat = Vec::new();
        let mut tangents_pat = Vec::new();
        let mut first = 0;
        let wanted: Vec<bool> = ids.iter().map(|id| self.active.contains(&id.var)).collect();
        for (k, input) in w.inputs.iter().enumerate() {
            let outs = &stm.pat[first..first + input.arrays.len()];
            first += input.arrays.len();
            arrays_pat.extend_from_slice(outs);
            if !wanted[k] {
                continue;
            }
            let Some(elem) = input.op.lambda.as_prim().filter(|p| is_sum(*p)).and(input.op.lambda.ret[0].elem()) else {
                return unsupported(
                    "an accumulator",
                    "of another operator than a sum it has a derivative only where all its updates can be seen",
                    stm.prov,
                );
            };
            b.prov = self.shared.prov.role(Role::Tangent, stm.prov);
            let arrays: Vec<SubExp> = input.arrays.iter().map(|a| self.tangent_or_zero(b, (*a).into())).collect();
            b.prov = stm.prov;
            let op = b.operator(elem.plus(), elem.zero());
            let shape = [&self.seed[..], &input.shape].concat();
            inputs.push(AccInput { shape, arrays: arrays.iter().filter_map(|e| e.as_var()).collect(), op });
            let id = b.vars.fresh(format!("{}_tan", ids[k].name).as_str(), Type::Cert);
            self.tangents.insert(ids[k].var, id.var.into());
            new_ids.push(id);
            self.with_tangents(b, &mut new_accs, &accs[k..=k], &[true]);
            ret.push(new_accs[new_accs.len() - 1].ty.clone());
            self.with_tangents(b, &mut tangents_pat, outs, &vec![true; outs.len()]);
        }
        let others = &w.lambda.body.result[n..];
        let other_wanted: Vec<bool> = stm.pat[first..].iter().map(|p| self.active.contains(&p.var)).collect();
        let mut inner = Builder::new(b.vars, stm.prov);
        self.stms(&mut inner, &w.lambda.body.stms)?;
        let mut result = w.lambda.body.result[..n].to_vec();
        for (e, _) in w.lambda.body.result[..n].iter().zip(&wanted).filter(|(_, w)| **w) {
            let acc = self.tangent_or_zero(&mut inner, *e);
            result.push(acc);
        }
        result.extend_from_slice(others);
        ret.extend_from_slice(&w.lambda.ret[n..]);
        for ((e, ty), _) in others.iter().zip(&w.lambda.ret[n..]).zip(&other_wanted).filter(|(_, w)| **w) {
            let t = self.tangent_or_zero(&mut inner, *e);
            result.push(t);
            ret.push(match ty {
                Type::Acc(_) => inner.vars.type_of(t),
                _ => self.tangent_type(ty),
            });
        }
        let body = Body { stms: inner.stms, result };
        let mut pat = [arrays_pat, tangents_pat, stm.pat[first..].to_vec()].concat();
        self.with_tangents(b, &mut pat, &stm.pat[first..], &other_wanted);
        let lambda = Lambda { params: [new_ids, new_accs].concat(), ret, body };
        Ok((Exp::WithAcc(WithAcc { inputs, lambda }), pat))
    }
}

/// The results of a λ under construction.
#[derive(Default)]
struct Outputs {
    pat: Vec<Binder>,
    result: Vec<SubExp>,
    ret: Vec<Type>,
    /// Statements that the operators need before the SOAC.
    outer: Vec<Stm>,
}

impl Outputs {
    fn push(&mut self, binder: Binder, result: SubExp, ty: Type) {
        self.pat.push(binder);
        self.result.push(result);
        self.ret.push(ty);
    }
}

/// Whether a function may choose among its operands: where two choices come to the same, its derivative is that of the one taken.
fn has_kinks(lambda: &Lambda) -> bool {
    let kink = |stm: &Stm| match &stm.exp {
        Exp::Prim(Prim::Bin(BinOp::Min | BinOp::Max, t) | Prim::Un(UnOp::Abs, t) | Prim::Select(t), _) => t.is_float(),
        Exp::Prim(..) | Exp::SubExp(_) | Exp::Index { .. } | Exp::ArrayLit { .. } => false,
        _ => true,
    };
    lambda.body.stms.iter().any(kink)
}
