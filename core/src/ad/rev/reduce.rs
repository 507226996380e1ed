//! Return sweep of reductions (digest 000 §1.5, 002 §1A.14): sums, products, min and max have rules of their own; any other operator is reversed at
//! each element between the reductions of what stands before and after it, two exclusive scans. Vectorised operators have been split.

use super::adj::Entry;
use super::*;
use crate::ir::build::{map_exp, reduce_exp, scan_exp};

impl Rev<'_, '_> {
    /// The whole adjoint goes to the operand that was returned: the neutral element if that equals the result, else the first element that does. If none
    /// does, all are NaN and the neutral element was returned. The index is found on the way back, so that the reduction itself stays what it is.
    fn min_max(&mut self, b: &mut Builder, stm: &Stm, s: &Screma, t: ScalarType, adjoint: SubExp) {
        let (neutral, y) = (s.reduces[0].neutral[0], SubExp::Var(stm.pat[0].var));
        let none = SubExp::i64(-1);
        let equal = Prim::Cmp(CmpOp::Eq, t);
        let select = Prim::Select(ScalarType::I64);
        let iota = b.iota(s.width);
        let map = b.lambda(&[("x", Type::Scalar(t)), ("i", Type::I64)], |b, p| {
            let here = b.prim_op(equal, &[p[0].into(), y]);
            vec![b.prim_op(select, &[here, p[1].into(), s.width.into()])]
        });
        let (arrays, first) = (vec![s.arrays[0], iota], Scalar::I64(i64::MAX));
        let reduces = vec![b.operator(Prim::Bin(BinOp::Min, ScalarType::I64), first)];
        let found = b.let_one("at", reduce_exp(s.width, arrays, map, reduces)).into();
        let is_element = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[found, s.width.into()]);
        let found = b.prim_op(select, &[is_element, found, none]);
        let is_neutral = b.prim_op(equal, &[neutral, y]);
        let index = b.prim_op(select, &[is_neutral, none, found]);
        if self.is_active(neutral) {
            let none = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[index, SubExp::i64(0)]);
            let term = seed::over(b, &self.seed.clone(), &[adjoint], &mut |b, a| {
                vec![b.prim_op(Prim::Select(t), &[none, a[0], SubExp::Lit(t.zero())])]
            });
            // mutant negation: the adjoint of a scalar is not updated in place
            self.add(b, neutral, term[0], true);
        }
        let entry = Entry { indices: vec![index], value: adjoint, certs: Vec::new(), guard: Some(index) };
        self.add_at(b, s.arrays[0], entry);
    }

    pub(super) fn reduce(
        &mut self,
        b: &mut Builder,
        stm: &Stm,
        s: &Screma,
        op: &Operator,
        adjoints: Vec<Option<Adj>>,
    ) -> Res<()> {
        let adjoints = self.dense_all(b, &s.map.ret, adjoints);
        match op.lambda.as_prim() {
            Some(prim) if is_sum(prim) => {
                let Some(adjoint) = adjoints[0] else { return Ok(()) };
                self.add(b, op.neutral[0], adjoint, false);
                if self.active.contains(&s.arrays[0]) {
                    let same = b.let_one("adj", Exp::Replicate { shape: vec![s.width], value: adjoint });
                    let same = seed::innermost(b, same, self.seed.len());
                    self.add(b, s.arrays[0], same.into(), true);
                }
                Ok(())
            }
            Some(Prim::Bin(BinOp::Min | BinOp::Max, t)) => {
                let Some(adjoint) = adjoints[0] else { return Ok(()) };
                self.min_max(b, stm, s, t, adjoint);
                Ok(())
            }
            Some(Prim::Bin(BinOp::Mul, t)) => {
                let Some(adjoint) = adjoints[0] else { return Ok(()) };
                self.product(b, stm, s, op, t, adjoint)
            }
            _ => self.general(b, stm, s, op, adjoints),
        }
    }

    /// ∂y/∂aᵢ of a product is the product of the others: the quotient of the whole if that is a normal number (so that no element is zero), else, and
    /// for integers, prefix times suffix. See Note [Zeros in a product].
    fn product(
        &mut self,
        b: &mut Builder,
        stm: &Stm,
        s: &Screma,
        op: &Operator,
        t: ScalarType,
        adjoint: SubExp,
    ) -> Res<()> {
        let (width, array) = (s.width, s.arrays[0]);
        let times = t.times_along();
        // what stands before is a value, what stands after is multiplied by on the way back
        let others = |b: &mut Builder| {
            // mutant neutral element: what it begins with is what the product does
            let back = b.operator(times, t.one());
            let before = exclusive_scan(b, width, op, &[array], false);
            let after = exclusive_scan(b, width, &Operator { neutral: op.neutral.clone(), ..back }, &[array], true);
            b.elementwise("others", times, before[0].into(), after[0].into())
        };
        let others = if t.is_float() && !self.shared.nested {
            let product: SubExp = whole_product(b, width, array, t).into();
            let cond = is_normal(b, t, product);
            let yes = b.inner(|b| vec![quotients(b, width, array, t, product)]);
            let no = b.inner(|b| vec![others(b)]);
            b.let_one("others", Exp::If { cond, yes, no }).into()
        } else {
            others(b)
        };
        let y = stm.pat[0].var;
        let seed = self.seed.clone();
        if self.is_active(op.neutral[0]) {
            let term = or_if_empty(b, width, &[adjoint], |b| {
                Ok(seed::over(b, &seed, &[adjoint], &mut |b, a| vec![b.prim_op(times, &[y.into(), a[0]])]))
            })?;
            self.add(b, op.neutral[0], term[0], false);
        }
        let term = seed::over(b, &seed, &[adjoint], &mut |b, a| {
            let arrays = others.as_var().into_iter().collect();
            let map = b.lambda(&[("d", Type::Scalar(t))], |b, p| vec![b.prim_op(times, &[p[0].into(), a[0]])]);
            vec![b.let_one("adj", map_exp(width, arrays, map)).into()]
        });
        self.add(b, array, term[0], true);
        Ok(())
    }

    /// y = (l ⊙ a) ⊙ r for each element a, with l and r the reductions of what stands before and after it. The contributions to the free
    /// variables of ⊙ are those of the application l ⊙ a; all other applications belong to other elements.
    fn general(
        &mut self,
        b: &mut Builder,
        stm: &Stm,
        s: &Screma,
        op: &Operator,
        adjoints: Vec<Option<SubExp>>,
    ) -> Res<()> {
        let m = op.neutral.len();
        let depth = self.seed.len();
        let outer: Vec<Option<Adj>> = adjoints.iter().map(|a| a.map(|e| Adj::Dense(e, false))).collect();
        let before = exclusive_scan(b, s.width, op, &s.arrays, false);
        let after = exclusive_scan(b, s.width, op, &s.arrays, true);
        let arrays = [&before[..], &s.arrays, &after].concat();
        let params: Vec<Binder> = arrays.iter().map(|a| b.vars.fresh("x", b.vars.ty(*a).row())).collect();
        let args: Vec<SubExp> = params.iter().map(|p| p.var.into()).collect();
        let active: Vec<bool> = s.arrays.iter().map(|a| self.active.contains(a)).collect();
        let free = self.active_free(b, &op.lambda);
        let elements = outer.clone();
        let out = self.mapped(b, s.width, &arrays, params, &free, |rev, b| {
            let (left, right) = args.split_at(2 * m);
            let first = renamed(&op.lambda, b.vars);
            bind_params(b, &first.params, left);
            let prefix = b.splice(first.body);
            let operands = [&prefix, right].concat();
            let through = rev.applied(b, &op.lambda, &operands, |i| i < m, false, elements)?;
            let through = through.iter().map(|a| a.map(|e| Adj::Dense(e, false))).collect();
            let ends = rev.applied(b, &op.lambda, left, |i| i >= m && active[i - m], true, through)?;
            Ok(ends[m..].to_vec())
        })?;
        for (a, out) in s.arrays.iter().zip(out) {
            if let Some(out) = out {
                let out = seed::innermost(b, out, depth);
                self.add(b, *a, out.into(), depth == 0);
            }
        }
        if op.neutral.iter().any(|e| self.is_active(*e)) {
            let types: Vec<Type> = s.map.ret.iter().map(|t| self.adjoint_type(t)).collect();
            let mut own = Vec::new();
            for (adjoint, ty) in adjoints.iter().zip(&types) {
                own.push(adjoint.unwrap_or_else(|| seed::zero(b, ty)));
            }
            let ends = or_if_empty(b, s.width, &own, |b| {
                let results = stm.pat.iter().map(|p| SubExp::Var(p.var));
                let operands: Vec<SubExp> = op.neutral.iter().copied().chain(results).collect();
                let ends = self.applied(b, &op.lambda, &operands, |i| i < m, false, outer)?;
                let or_zero = |(end, ty): (Option<SubExp>, &Type)| match end {
                    Some(end) => in_type(b, end, ty),
                    None => seed::zero(b, ty),
                };
                Ok(ends.into_iter().zip(&types).map(or_zero).collect())
            })?;
            for (e, end) in op.neutral.iter().zip(ends) {
                if self.is_active(*e) {
                    self.add(b, *e, end, false);
                }
            }
        }
        Ok(())
    }
}

/// The adjoints of the neutral element, which is the result where there are no elements. (What else gives it is right there, too, but its derivative is not: that
/// looks at the result as at something else than the neutral element.)
fn or_if_empty(
    b: &mut Builder,
    width: Dim,
    adjoints: &[SubExp],
    others: impl FnOnce(&mut Builder) -> Res<Vec<SubExp>>,
) -> Res<Vec<SubExp>> {
    if matches!(width, Dim::Const(n) if n > 0) {
        return others(b);
    }
    // mutant comparison: a width is not negative
    let cond = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[width.into(), SubExp::i64(0)]);
    let mut inner = Builder::new(b.vars, b.prov);
    let result = others(&mut inner)?;
    let no = Body { stms: inner.stms, result };
    let yes = Body { stms: Vec::new(), result: adjoints.to_vec() };
    Ok(b.let_many("of_neutral", Exp::If { cond, yes, no }).into_iter().map(SubExp::Var).collect())
}

/// `[ne, a0, a0⊙a1, …]` without the last; from the right `[…, a(n-2)⊙a(n-1), a(n-1), ne]`: the operands of ⊙ change places, as it need not commute.
pub fn exclusive_scan(b: &mut Builder, width: Dim, op: &Operator, arrays: &[Var], right: bool) -> Vec<Var> {
    let mut op = Operator { lambda: renamed(&op.lambda, b.vars), ..op.clone() };
    if right {
        op.lambda.params.rotate_left(op.neutral.len());
    }
    let map = b.lambda(&[("i", Type::I64)], |b, p| {
        let i: SubExp = p[0].into();
        let at_end = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[i, SubExp::i64(0)]);
        let yes = Body { stms: Vec::new(), result: op.neutral.clone() };
        let no = b.inner(|b| {
            let (from, to) = if right { (width.into(), i) } else { (i, SubExp::i64(1)) };
            let j = seed::minus(b, from, to);
            arrays.iter().map(|a| b.index(*a, &[j]).into()).collect()
        });
        let types: Vec<Type> = arrays.iter().map(|a| b.vars.ty(*a).row()).collect();
        let pat: Vec<Binder> = types.into_iter().map(|t| b.vars.fresh("x", t)).collect();
        let results = pat.iter().map(|p| p.var.into()).collect();
        b.bind(pat, Exp::If { cond: at_end, yes, no });
        results
    });
    let iota = b.iota(width);
    let scanned = b.let_many("scanned", scan_exp(width, vec![iota], map, vec![op]));
    if !right {
        return scanned;
    }
    scanned.into_iter().map(|array| b.let_one("reversed", Exp::Reverse { array })).collect()
}

// Note [Zeros in a product]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// Each value's adjoint is the product of the others: a quotient of the whole, if that is a normal number. The derivative of a quotient p / x is a difference, p' / x - p x' / x^2,
// of which the terms with x' cancel: where the values are of different sizes, what is left of it is rounding. So a derivative that is differentiated again has products.
//
// The papers count zeros: with one zero its adjoint is the product of the other elements, with two all are zero (digest 000 §1.5). The value is right,
// but it is chosen by comparing elements with zero, and a choice has no derivative: the derivative of that code with respect to the zero
// itself is lost, and vjp of vjp is wrong at zeros. Prefix times suffix has no such choice, costs the same asymptotically, and is needed anyway where
// the product overflows or underflows. So a product with a zero takes that way.

/// Whether a float is finite and neither zero nor subnormal.
pub fn is_normal(b: &mut Builder, t: ScalarType, x: SubExp) -> SubExp {
    let size = b.prim_op(Prim::Un(UnOp::Abs, t), &[x]);
    let (least, inf) = match t {
        ScalarType::F16 => (
            Scalar::from_bits(t, 0x0400), // the least normal f16, 2^-14
            Scalar::from_f64(t, f64::INFINITY),
        ),
        ScalarType::F32 => (Scalar::F32(f32::MIN_POSITIVE), Scalar::F32(f32::INFINITY)),
        _ => (Scalar::F64(f64::MIN_POSITIVE), Scalar::F64(f64::INFINITY)),
    };
    // mutant tie: for the least normal number both ways are right
    let not_tiny = b.prim_op(Prim::Cmp(CmpOp::Le, t), &[least.into(), size]);
    let finite = b.prim_op(Prim::Cmp(CmpOp::Lt, t), &[size, inf.into()]);
    b.prim_op(Prim::Bin(BinOp::And, ScalarType::Bool), &[not_tiny, finite])
}

/// The product of all elements.
fn whole_product(b: &mut Builder, width: Dim, array: Var, t: ScalarType) -> Var {
    let map = b.lambda(&[("x", Type::Scalar(t))], |_, p| vec![p[0].into()]);
    let reduces = vec![b.operator(Prim::Bin(BinOp::Mul, t), t.one())];
    b.let_one("product", reduce_exp(width, vec![array], map, reduces))
}

/// The product divided by each element.
fn quotients(b: &mut Builder, width: Dim, array: Var, t: ScalarType, product: SubExp) -> SubExp {
    let map =
        b.lambda(&[("x", Type::Scalar(t))], |b, p| vec![b.prim_op(Prim::Bin(BinOp::Div, t), &[product, p[0].into()])]);
    b.let_one("others", map_exp(width, vec![array], map)).into()
}
