//! Return sweep of accumulators that add: an update reads the adjoint of what it updated (digest 002 §1A.18). For `out = withacc arrays λ` the
//! arrays' adjoint is that of `out`, as it is; on the way back through λ, whose updates are not made again, each `updacc i v` contributes `ōut[i]` to
//! the adjoint of v, or nothing if i is out of range.

use super::*;

impl Rev<'_, '_> {
    pub(super) fn withacc(&mut self, b: &mut Builder, stm: &Stm, w: &WithAcc, adjoints: Vec<Option<Adj>>) -> Res<()> {
        let n = w.inputs.len();
        let (ids, _) = w.lambda.params.split_at(n);
        let count: usize = w.inputs.iter().map(|i| i.arrays.len()).sum();
        let types: Vec<Type> = stm.pat[..count].iter().map(|p| p.ty.clone()).collect();
        let mut outs = Vec::new();
        for (ty, adjoint) in types.iter().zip(&adjoints) {
            let out = adjoint.clone().map(|a| self.dense(b, ty, a));
            // all that λ's return sweep computes relies on what the statement relies on
            outs.push(out.map(|(e, owned)| (b.relying(e), owned)));
        }
        let mut first = 0;
        for (id, input) in ids.iter().zip(&w.inputs) {
            let outs = &outs[first..first + input.arrays.len()];
            first += input.arrays.len();
            let sums = input.op.lambda.as_prim().is_some_and(is_sum);
            if !sums && self.active.contains(&id.var) {
                return unsupported(
                    "an accumulator",
                    "of another operator than a sum it has a derivative only where all its updates can be seen",
                    stm.prov,
                );
            }
            self.accs.insert(id.var, outs.iter().map(|o| o.map(|(e, _)| e)).collect());
        }
        let others = adjoints.into_iter().skip(count);
        let results = std::iter::repeat_n(None, n).chain(others).collect();
        b.under(Vec::new(), |b| self.again(b, &w.lambda.body, results))?;
        for (array, out) in w.inputs.iter().flat_map(|i| &i.arrays).zip(outs) {
            if let Some((value, owned)) = out {
                self.add(b, *array, value, owned);
            }
        }
        Ok(())
    }

    pub(super) fn updacc(&mut self, b: &mut Builder, acc: Var, indices: &[SubExp], values: &[SubExp]) -> Res<()> {
        let Type::Acc(ty) = b.vars.ty(acc).clone() else { return Ok(()) };
        let Some(outs) = self.accs.get(&ty.id).cloned() else { return Ok(()) };
        let seed = self.seed.clone();
        for (value, out) in values.iter().zip(outs) {
            let (Some(SubExp::Var(out)), true) = (out, self.is_active(*value)) else { continue };
            let elem = b.vars.type_of(*value);
            let inside = b.in_range(indices, &ty.shape);
            let row = seed::over(b, &seed, &[out.into()], &mut |b, out| {
                let Some(out) = out[0].as_var() else { return out.to_vec() };
                let yes = b.inner(|b| vec![b.index(out, indices).into()]);
                let no = b.inner(|b| vec![seed::zero(b, &elem)]);
                vec![b.let_one("adj", Exp::If { cond: inside, yes, no }).into()]
            });
            self.add(b, *value, row[0], false);
        }
        Ok(())
    }
}
