//! Return sweep of scans (digest 000 §1.7 with errata E1 and E2, 002 §1A.16). With rs the results, the total adjoints obey
//! r̄ᵢ = ȳᵢ + Cᵢ·r̄ᵢ₊₁, Cᵢ = (∂(rᵢ⊙aᵢ₊₁)/∂rᵢ)ᵀ, a backward linear recurrence: a scan with composition of linear functions. Then
//! āᵢ = ∂(rᵢ₋₁⊙aᵢ)/∂aᵢ · r̄ᵢ, with the neutral element for r₋₁. Of operands that are scalars of one type the functions are matrices; of others, and of many, the
//! recurrence is solved by a [`tree`], without any matrix (digest 000 §1.7, B5, B7), or, if ⊙ may fail, by a loop, as the tree applies it to what the scan does not. Of the matrices only what their [`pattern`] leaves open is computed. Vectorised
//! operators have been split.

use super::pattern::{Entry, Pattern};
use super::*;
use crate::analysis::may_fail::may_fail;
use crate::ir::build::{map_exp, scan_exp};

/// Of so many operands at most there are matrices: their code has the operator's for each of them.
const MATRIX: usize = 16;

/// Of matrices at most so many elements are known by name: the derivative's scan has them for operands, and that scan's derivative again.
const CLASSES: usize = 64;

impl Rev<'_, '_> {
    pub(super) fn scan(
        &mut self,
        b: &mut Builder,
        stm: &Stm,
        s: &Screma,
        op: &Operator,
        adjoints: Vec<Option<Adj>>,
    ) -> Res<()> {
        let types: Vec<Type> = s.map.ret.iter().map(|t| t.array_of(&[s.width])).collect();
        let elem = match &s.map.ret[0] {
            Type::Scalar(t) if s.map.ret.len() <= MATRIX && s.map.ret.iter().all(|u| *u == Type::Scalar(*t)) => {
                Some(*t)
            }
            _ => None,
        };
        let ys = self.dense_or_zero(b, &types, adjoints);
        let seed = self.seed.clone();
        let totals = match (op.lambda.as_prim(), elem) {
            (Some(prim), Some(elem)) if is_sum(prim) => suffix_sums(b, &seed, s.width, elem, ys[0]),
            (_, elem) => {
                let jacobians = elem.map(|elem| self.jacobians(b, stm, s, op, elem)).transpose()?.flatten();
                match (jacobians, elem) {
                    (Some(jacobians), Some(elem)) => recurrence(b, &seed, s.width, elem, &ys, &jacobians),
                    _ => {
                        let totals = match may_fail(&op.lambda) {
                            false => self.by_tree(b, stm, s, op, &ys)?,
                            true => self.one_by_one(b, stm, s, op, &ys)?,
                        };
                        return self.last_map(b, stm, s, op, totals);
                    }
                }
            }
        };
        let totals = totals.into_iter().map(|t| seed::outermost(b, t, seed.len())).collect();
        self.last_map(b, stm, s, op, totals)
    }

    /// The total adjoints from the last to the first, each by way of the one that follows; the outer dimension is the width.
    fn one_by_one(&mut self, b: &mut Builder, stm: &Stm, s: &Screma, op: &Operator, ys: &[SubExp]) -> Res<Vec<Var>> {
        let d = op.neutral.len();
        let types: Vec<Type> = s.map.ret.iter().map(|t| self.adjoint_type(t)).collect();
        let depth = self.seed.len();
        let ys: Vec<Var> = ys.iter().filter_map(|e| e.as_var()).map(|v| seed::outermost(b, v, depth)).collect();
        let mut params = Vec::new();
        for ty in &types {
            let (binder, init) = (b.vars.fresh("total", ty.clone()), seed::zero(b, ty));
            params.push(LoopParam { binder, unique: false, init });
        }
        for ty in &types {
            let ty = ty.array_of(&[s.width]);
            let elem = ty.elem().unwrap_or(ScalarType::Bool);
            let init = b.let_one("totals", Exp::Scratch { elem, shape: ty.shape().to_vec() }).into();
            params.push(LoopParam { binder: b.vars.fresh("totals", ty), unique: true, init });
        }
        let index = b.vars.fresh("i", Type::I64);
        let mut body = Builder::new(b.vars, b.prov);
        let next = seed::minus(&mut body, s.width.into(), index.var.into());
        let at = seed::minus(&mut body, next, SubExp::i64(1));
        let more = body.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[next, s.width.into()]);
        let mut inner = Builder::new(body.vars, b.prov);
        let before = stm.pat.iter().map(|p| SubExp::Var(inner.index(p.var, &[at]))).collect::<Vec<_>>();
        let after = s.arrays.iter().map(|a| SubExp::Var(inner.index(*a, &[next]))).collect::<Vec<_>>();
        let own: Vec<SubExp> = ys.iter().map(|y| SubExp::Var(inner.index(*y, &[at]))).collect();
        let following: Vec<SubExp> = params[..d].iter().map(|p| p.binder.var.into()).collect();
        let result = self.through(&mut inner, op, &[before, after].concat(), &own, &following)?;
        let yes = Body { stms: inner.stms, result };
        let no = body.inner(|b| ys.iter().map(|y| b.index(*y, &[at]).into()).collect());
        let pat: Vec<Binder> = types.iter().map(|t| body.vars.fresh("total", t.clone())).collect();
        let mut result: Vec<SubExp> = pat.iter().map(|p| p.var.into()).collect();
        body.bind(pat, Exp::If { cond: more, yes, no });
        for (p, k) in params[d..].iter().zip(0..d) {
            let (array, indices, value) = (p.binder.var, vec![at], result[k]);
            result.push(body.let_one("totals", Exp::Update { array, indices, value }).into());
        }
        let body = Body { stms: body.stms, result };
        let form = LoopForm::For { index, bound: s.width.into() };
        Ok(b.let_many("totals", Exp::Loop { params, form, body })[d..].to_vec())
    }

    /// The adjoints of a result, and what comes to them through the application of ⊙ to it and the element behind it, of which the following result has adjoints.
    pub(super) fn through(
        &mut self,
        b: &mut Builder,
        op: &Operator,
        operands: &[SubExp],
        own: &[SubExp],
        following: &[SubExp],
    ) -> Res<Vec<SubExp>> {
        let adjoints = following.iter().map(|e| Some(Adj::Dense(*e, false))).collect();
        let through = self.applied(b, &op.lambda, operands, |i| i < own.len(), false, adjoints)?;
        let total = |(own, through): (&SubExp, Option<SubExp>)| match through {
            Some(through) => {
                let ty = b.vars.type_of(*own);
                let through = in_type(b, through, &ty);
                seed::plus(b, "total", *own, through)
            }
            None => *own,
        };
        Ok(own.iter().zip(through).map(total).collect())
    }

    /// The matrices Cᵢ for i < n−1; the last is never read. `None` where there is too much of them.
    fn jacobians(
        &mut self,
        b: &mut Builder,
        stm: &Stm,
        s: &Screma,
        op: &Operator,
        elem: ScalarType,
    ) -> Res<Option<Jacobians>> {
        let d = op.neutral.len();
        let one_direction = std::mem::take(&mut self.seed);
        let i = b.vars.fresh("next", Type::I64);
        let next: SubExp = i.var.into();
        let mut inner = Builder::new(b.vars, b.prov);
        let at = seed::minus(&mut inner, next, SubExp::i64(1));
        let rs = stm.pat.iter().map(|p| SubExp::Var(inner.index(p.var, &[at]))).collect::<Vec<_>>();
        let as_ = s.arrays.iter().map(|a| SubExp::Var(inner.index(*a, &[next]))).collect::<Vec<_>>();
        let args = [rs, as_].concat();
        // column k of C is what reverse mode makes of the k-th unit vector
        let mut columns = Vec::new();
        for k in 0..d {
            // mutant negation: it is a scalar, which nobody updates in place
            // mutant off by one `0..d`: an adjoint more, none, than the operator has results, with which they are paired
            let unit = (0..d).map(|j| (j == k).then(|| Adj::Dense(elem.one().into(), true))).collect();
            columns.push(self.applied(&mut inner, &op.lambda, &args, |i| i < d, false, unit)?);
        }
        self.seed = one_direction;
        let zero = SubExp::Lit(elem.zero());
        let result = (0..d).flat_map(|r| columns.iter().map(move |c| c[r].unwrap_or(zero))).collect();
        let mut yes = Body { stms: inner.stms, result };
        let pattern = Pattern::of(b.vars, &yes, d, elem);
        let n = pattern.classes();
        // mutant: how many numbers at most a scan may have for operands is a matter of taste
        if n > CLASSES {
            return Ok(None);
        }
        if n == 0 {
            return Ok(Some(Jacobians { pattern, arrays: Vec::new() }));
        }
        yes.result = pattern.first.iter().map(|at| yes.result[*at]).collect();
        let mut map = Builder::new(b.vars, b.prov);
        let inside = map.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[next, s.width.into()]);
        let no = Body { stms: Vec::new(), result: vec![zero; n] };
        let pat: Vec<Binder> = (0..n).map(|_| map.vars.fresh("c", elem.into())).collect();
        let result: Vec<SubExp> = pat.iter().map(|p| p.var.into()).collect();
        map.bind(pat, Exp::If { cond: inside, yes, no });
        let body = Body { stms: map.stms, result };
        let lambda = Lambda { params: vec![i], ret: vec![elem.into(); n], body };
        let iota = b.iota_from(1, s.width);
        let arrays = b.let_many("jacobian", map_exp(s.width, vec![iota], lambda));
        Ok(Some(Jacobians { pattern, arrays }))
    }

    /// āᵢ, and the contributions to the free variables of ⊙ and to the neutral element, given the total adjoints.
    fn last_map(&mut self, b: &mut Builder, stm: &Stm, s: &Screma, op: &Operator, totals: Vec<Var>) -> Res<()> {
        let d = op.neutral.len();
        let depth = self.seed.len();
        let iota = b.iota_from(-1, s.width);
        let arrays: Vec<Var> = [&[iota], &s.arrays[..], &totals].concat();
        let params: Vec<Binder> = arrays.iter().map(|a| b.vars.fresh("x", b.vars.ty(*a).row())).collect();
        let vars: Vec<Var> = params.iter().map(|p| p.var).collect();
        let active: Vec<bool> = s.arrays.iter().map(|a| self.active.contains(a)).collect();
        let neutral: Vec<Var> = op.neutral.iter().filter(|e| self.is_active(**e)).filter_map(|e| e.as_var()).collect();
        let mut free = self.active_free(b, &op.lambda);
        free.extend(neutral.iter().filter(|v| !free.contains(v)).copied().collect::<Vec<_>>());
        let wrt_left: Vec<bool> = op.neutral.iter().map(|e| self.is_active(*e)).collect();
        let out = self.mapped(b, s.width, &arrays, params, &free, |rev, b| {
            let before = SubExp::Var(vars[0]);
            let at_start = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[before, SubExp::i64(0)]);
            let yes = Body { stms: Vec::new(), result: op.neutral.clone() };
            let no = b.inner(|b| stm.pat.iter().map(|p| b.index(p.var, &[before]).into()).collect());
            let pat: Vec<Binder> = s.map.ret.iter().map(|t| b.vars.fresh("l", t.clone())).collect();
            let left: Vec<SubExp> = pat.iter().map(|p| p.var.into()).collect();
            b.bind(pat, Exp::If { cond: at_start, yes, no });
            let right = vars[1..=d].iter().map(|v| SubExp::Var(*v));
            let args: Vec<SubExp> = left.into_iter().chain(right).collect();
            let totals = vars[d + 1..].iter().map(|v| Some(Adj::Dense((*v).into(), false))).collect();
            let wrt = |k: usize| if k < d { wrt_left[k] } else { active[k - d] };
            let ends = rev.applied(b, &op.lambda, &args, wrt, true, totals)?;
            for (e, end) in op.neutral.iter().zip(&ends) {
                let Some(end) = end else { continue };
                let ty = b.vars.type_of(*end);
                let (yes, no) = (Body { stms: Vec::new(), result: vec![*end] }, b.inner(|b| vec![seed::zero(b, &ty)]));
                let pat = b.vars.fresh("term", ty);
                b.bind(vec![pat.clone()], Exp::If { cond: at_start, yes, no });
                let term = rev.in_sizes_of(b, *e, Adj::Dense(pat.var.into(), false));
                rev.add_adjoint(b, *e, term);
            }
            Ok(ends[d..].to_vec())
        })?;
        for (a, out) in s.arrays.iter().zip(out) {
            if let Some(out) = out {
                let out = seed::innermost(b, out, depth);
                self.add(b, *a, out.into(), depth == 0);
            }
        }
        Ok(())
    }
}

/// For a sum: `reverse (scan (+) 0 (reverse ȳs))`.
fn suffix_sums(b: &mut Builder, seed: &[Dim], width: Dim, elem: ScalarType, ys: SubExp) -> Vec<Var> {
    let sums = seed::over(b, seed, &[ys], &mut |b, ys| {
        let Some(array) = ys[0].as_var() else { return ys.to_vec() };
        let array = b.let_one("reversed", Exp::Reverse { array });
        let op = b.operator(elem.plus(), elem.zero());
        let map = b.lambda(&[("y", elem.into())], |_, p| vec![p[0].into()]);
        let array = b.let_one("sums", scan_exp(width, vec![array], map, vec![op]));
        vec![b.let_one("total", Exp::Reverse { array }).into()]
    });
    sums.into_iter().filter_map(|e| e.as_var()).collect()
}

/// Matrices, one for each point: an array for each class of their elements.
struct Jacobians {
    pattern: Pattern,
    arrays: Vec<Var>,
}

/// The total adjoints: a scan over the reversed adjoints and matrices, with (d₁,c₁)∘(d₂,c₂) = (d₂ + c₂·d₁, c₂×c₁), neutral (0, I).
fn recurrence(
    b: &mut Builder,
    seed: &[Dim],
    width: Dim,
    elem: ScalarType,
    ys: &[SubExp],
    jacobians: &Jacobians,
) -> Vec<Var> {
    let (d, pattern) = (ys.len(), &jacobians.pattern);
    let all = d + pattern.classes();
    let times = elem.times_along();
    let jacobians: Vec<Var> =
        jacobians.arrays.iter().map(|array| b.let_one("reversed", Exp::Reverse { array: *array })).collect();
    let sums = seed::over(b, seed, ys, &mut |b, ys| {
        let ys: Vec<Var> =
            ys.iter().filter_map(|e| e.as_var()).map(|array| b.let_one("reversed", Exp::Reverse { array })).collect();
        let arrays = [&ys[..], &jacobians].concat();
        let params = vec![("y", Type::Scalar(elem)); all];
        let map = b.identity("y", &vec![Type::Scalar(elem); all]);
        let lambda = b.lambda(&[&params[..], &params].concat(), |b, p| {
            let (first, second) = p.split_at(all);
            let one = SubExp::Lit(elem.one());
            let element = |side: &[Var], r: usize, c: usize| match pattern.entry(r, c) {
                Entry::Zero => None,
                Entry::One => Some(one),
                Entry::Class(k) => Some(SubExp::Var(side[d + k])),
            };
            let dot = |b: &mut Builder, r: usize, other: &dyn Fn(usize) -> Option<SubExp>, plus: Option<SubExp>| {
                (0..d).fold(plus, |sum, k| {
                    let (Some(x), Some(y)) = (element(second, r, k), other(k)) else { return sum };
                    let term = match (x == one, y == one) {
                        (true, _) => y,
                        (_, true) => x,
                        _ => b.prim_op(times, &[x, y]),
                    };
                    Some(sum.map_or(term, |sum| b.prim_op(elem.plus(), &[sum, term])))
                })
            };
            let mut result: Vec<SubExp> =
                (0..d).filter_map(|r| dot(b, r, &|k| Some(first[k].into()), Some(second[r].into()))).collect();
            for at in &pattern.first {
                result.extend(dot(b, at / d, &|k| element(first, k, at % d), None));
            }
            result
        });
        let one_or_zero = |k| if pattern.is_one_in_identity(k) { elem.one() } else { elem.zero() };
        let identity = (0..pattern.classes()).map(one_or_zero);
        let neutral = std::iter::repeat_n(elem.zero(), d).chain(identity).map(SubExp::Lit).collect();
        let op = Operator { lambda, neutral, commutative: false };
        let scanned = b.let_many("totals", scan_exp(width, arrays, map, vec![op]));
        let back = |array: &Var| b.let_one("total", Exp::Reverse { array: *array }).into();
        scanned[..d].iter().map(back).collect()
    });
    sums.into_iter().filter_map(|e| e.as_var()).collect()
}
