//! Return sweep of scalar operators and of statements on arrays (digest 002 §1A.6–1A.7, §1A.13).

use super::adj::Entry;
use super::*;
use crate::ir::build::map_exp;

impl Rev<'_, '_> {
    pub(super) fn basic(&mut self, b: &mut Builder, stm: &Stm, adjoints: Vec<Option<Adj>>) {
        let Some(adjoint) = adjoints.into_iter().next().flatten() else { return };
        let result = &stm.pat[0];
        match (&stm.exp, adjoint) {
            (Exp::SubExp(e) | Exp::Opaque(e), adjoint) => {
                let adjoint = relying(b, adjoint);
                self.add_adjoint(b, *e, adjoint);
            }
            (Exp::Copy(array) | Exp::Manifest { array, .. }, adjoint) => {
                let adjoint = relying(b, adjoint);
                self.add_adjoint(b, (*array).into(), adjoint);
            }
            (Exp::Index { array, indices }, Adj::Sparse(entries)) => {
                for entry in entries {
                    self.add_at(b, *array, entry.below(indices, &stm.certs));
                }
            }
            (exp, adjoint) => {
                let (adjoint, owned) = self.dense(b, &result.ty, adjoint);
                self.with_dense(b, stm, exp, adjoint, owned);
            }
        }
    }

    fn with_dense(&mut self, b: &mut Builder, stm: &Stm, exp: &Exp, adjoint: SubExp, owned: bool) {
        let seed = self.seed.clone();
        let s = seed.len();
        match (exp, adjoint) {
            (Exp::Prim(op, args), _) => self.scalar(b, *op, args, stm.pat[0].var.into(), adjoint),
            (Exp::Index { array, indices }, value) => {
                let (indices, certs) = (indices.clone(), stm.certs.clone());
                self.add_at(b, *array, Entry { indices, value, certs, guard: None });
            }
            (Exp::Iota { n, start, step, elem }, SubExp::Var(v)) => {
                if self.is_active(*start) {
                    let sums = seed::over(b, &seed, &[adjoint], &mut |b, t| sum_all(b, t, 1));
                    self.add(b, *start, sums[0], true);
                }
                if self.is_active(*step) {
                    let (zero, one) = (SubExp::Lit(elem.zero()), SubExp::Lit(elem.one()));
                    let weights = b.let_one("weights", Exp::Iota { n: *n, start: zero, step: one, elem: *elem });
                    let sums = seed::over(b, &seed, &[v.into()], &mut |b, t| {
                        let weighted = b.elementwise("weighted", elem.times(), weights.into(), t[0]);
                        sum_all(b, &[weighted], 1)
                    });
                    self.add(b, *step, sums[0], true);
                }
            }
            (Exp::Replicate { shape, value }, _) if self.is_active(*value) => {
                let sums = seed::over(b, &seed, &[adjoint], &mut |b, t| sum_all(b, t, shape.len()));
                self.add(b, *value, sums[0], true);
            }
            (Exp::ArrayLit { elems, .. }, SubExp::Var(v)) => {
                let rows = seed::outermost(b, v, s);
                for (i, e) in elems.iter().enumerate() {
                    if self.is_active(*e) {
                        let row = b.index(rows, &[SubExp::i64(i as i64)]);
                        self.add(b, *e, row.into(), false);
                    }
                }
            }
            (Exp::Update { array, indices, value }, SubExp::Var(v)) => {
                if self.is_active(*value) {
                    let at = seed::index_all(b, &seed, v, indices);
                    // a row would alias what is overwritten next
                    let at = self.owned(b, at, false);
                    self.add(b, *value, at, true);
                }
                if self.active.contains(array)
                    && let SubExp::Var(v) = self.owned(b, adjoint, owned)
                {
                    let row = self.adjoint_type(&b.vars.ty(*array).peel(indices.len()));
                    let zero = seed::zero(b, &row);
                    let rest = seed::update_all(b, &seed, v, indices, zero);
                    self.add(b, *array, rest.into(), true);
                }
            }
            (Exp::Rearrange { perm, array }, SubExp::Var(v)) => {
                let mut inverse: Vec<usize> = (0..s + perm.len()).collect();
                for (i, p) in perm.iter().enumerate() {
                    inverse[s + p] = s + i;
                }
                let back = b.let_one("adj", Exp::Rearrange { perm: inverse, array: v });
                self.add(b, *array, back.into(), false);
            }
            (Exp::Reshape { array, .. }, SubExp::Var(v)) => {
                let shape = self.adjoint_type(b.vars.ty(*array)).shape().to_vec();
                let back = b.let_one("adj", Exp::Reshape { shape, array: v });
                self.add(b, *array, back.into(), false);
            }
            (Exp::Coerce { array, .. }, SubExp::Var(v)) => {
                let shape = self.adjoint_type(b.vars.ty(*array)).shape().to_vec();
                let back = b.let_one("adj", Exp::Coerce { shape, array: v });
                self.add(b, *array, back.into(), false);
            }
            (Exp::Reverse { array }, _) => {
                let back = seed::over_arrays(b, &seed, "adj", &[adjoint], &|a| Exp::Reverse { array: a[0] });
                self.add(b, *array, back, true);
            }
            (Exp::Rotate { by, array }, _) => {
                // back by what is left of a whole turn: -by may be too large
                let n = b.vars.ty(*array).shape()[0];
                // mutant off by one: an array of one element is the same, however far it is turned
                let turn = b.prim_op(Prim::Bin(BinOp::Max, ScalarType::I64), &[n.into(), SubExp::i64(1)]);
                let rest = b.prim_op(Prim::Bin(BinOp::Mod, ScalarType::I64), &[*by, turn]);
                let by = seed::minus(b, turn, rest);
                let back = seed::over_arrays(b, &seed, "adj", &[adjoint], &|a| Exp::Rotate { by, array: a[0] });
                self.add(b, *array, back, true);
            }
            (Exp::Slice { array, slice }, _) => self.add_slice(b, *array, slice, adjoint),
            (Exp::UpdateSlice { array, slice, value }, SubExp::Var(v)) => {
                let slice = seed::whole(&seed, slice);
                if self.active.contains(value) {
                    let part = b.let_one("adj", Exp::Slice { array: v, slice: slice.clone() });
                    // it would alias what is overwritten next
                    let part = self.owned(b, part.into(), false);
                    self.add(b, *value, part, true);
                }
                if self.active.contains(array)
                    && let SubExp::Var(v) = self.owned(b, adjoint, owned)
                    && let SubExp::Var(value) = seed::zero(b, &self.adjoint_type(b.vars.ty(*value)))
                {
                    let rest = b.let_one("adj", Exp::UpdateSlice { array: v, slice, value });
                    self.add(b, *array, rest.into(), true);
                }
            }
            (Exp::Concat { arrays, .. }, SubExp::Var(v)) => {
                let rows = seed::outermost(b, v, s);
                let mut offset = SubExp::i64(0);
                for array in arrays {
                    let n = b.vars.ty(*array).shape()[0];
                    if self.active.contains(array) {
                        let part = slice(b, rows, offset, n);
                        let part = seed::innermost(b, part, s);
                        self.add(b, *array, part.into(), s == 0);
                    }
                    offset = b.prim_op(ScalarType::I64.plus(), &[offset, n.into()]);
                }
            }
            (Exp::FlatIndex { array, offset, dims }, _) => self.flat_index(b, *array, (*offset, dims), adjoint),
            (Exp::FlatUpdate { array, offset, dims, value }, _) => {
                self.flat_update(b, *array, (*offset, dims), *value, (adjoint, owned));
            }
            _ => {}
        }
    }

    /// āᵢ += ∂f/∂aᵢ · ȳ for each operand.
    fn scalar(&mut self, b: &mut Builder, op: Prim, args: &[SubExp], res: SubExp, adjoint: SubExp) {
        let Some((params, from)) = op.signature() else { return };
        for (i, arg) in args.iter().enumerate() {
            let partial = op.partial(i);
            if !self.is_active(*arg) || is_zero(&partial) {
                continue;
            }
            if matches!(partial, crate::prim::Partial::Pass) {
                self.add(b, *arg, adjoint, false);
                continue;
            }
            let term = seed::over(b, &self.seed.clone(), &[adjoint], &mut |b, t| {
                let Ok(term) = partial.contribution(b, args, &res, &t[0], (from, params[i]));
                // mutant: operands whose partial is zero wherever it is taken have been left out, and every other partial contributes a term
                vec![term.unwrap_or(SubExp::Lit(params[i].zero()))]
            });
            self.add(b, *arg, term[0], true);
        }
    }
}

fn sum_all(b: &mut Builder, es: &[SubExp], count: usize) -> Vec<SubExp> {
    es.iter().filter_map(|e| e.as_var()).map(|v| seed::sum_outer(b, v, count)).collect()
}

/// `array[offset .. offset+n]`.
fn slice(b: &mut Builder, array: Var, offset: SubExp, n: Dim) -> Var {
    let iota = b.iota(n);
    let map = b.lambda(&[("i", Type::I64)], |b, p| {
        let i = b.prim_op(ScalarType::I64.plus(), &[offset, p[0].into()]);
        vec![b.index(array, &[i]).into()]
    });
    b.let_one("slice", map_exp(n, vec![iota], map))
}

/// The adjoint, which from here on relies on the current certificates.
fn relying(b: &mut Builder, adjoint: Adj) -> Adj {
    match adjoint {
        Adj::Dense(e, owned) => Adj::Dense(b.relying(e), owned),
        Adj::Sparse(mut entries) => {
            entries.iter_mut().for_each(|entry| entry.certs.extend(&b.certs));
            Adj::Sparse(entries)
        }
        Adj::Acc(acc) => Adj::Acc(acc),
    }
}
