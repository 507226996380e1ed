//! Return sweep of what writes to computed positions: an update reads the adjoint where it wrote (digest 002 §1A.13; 000 §1.7 for histograms that add), and of what it
//! overwrote the adjoint is zero. What went nowhere, as its index is out of range, has the adjoint zero, and so has what a later value was written over.

use super::*;
use crate::ad::custom::closed_over;
use crate::ir::build::{map_exp, reduce_exp};

impl Rev<'_, '_> {
    /// The λ is the identity: `plain` has seen to it.
    pub(super) fn scatter(&mut self, b: &mut Builder, s: &Scatter, adjoints: Vec<Option<Adj>>) {
        let ranks: usize = s.dests.iter().map(|d| d.shape.len()).sum();
        let mut first = 0;
        for (k, (dest, adjoint)) in s.dests.iter().zip(adjoints).enumerate() {
            let indices = &s.arrays[first..first + dest.shape.len()];
            first += dest.shape.len();
            let Some(adjoint) = adjoint else { continue };
            let ty = b.vars.ty(dest.array).clone();
            let (adjoint, owned) = self.dense(b, &ty, adjoint);
            let values = s.arrays[ranks + k];
            if self.active.contains(&values) {
                let lasting = self.lasting(b, s.width, indices, &dest.shape);
                self.gathered(b, s.width, &lasting, values, &dest.shape, adjoint);
            }
            if self.active.contains(&dest.array)
                && let SubExp::Var(whole) = self.owned(b, adjoint, owned)
                && let SubExp::Var(zeros) = seed::zero(b, &self.adjoint_type(b.vars.ty(values)))
            {
                let rest = seed::scatter(b, self.seed.len(), s.width, indices, zeros, &dest.shape, whole);
                self.add(b, dest.array, rest.into(), true);
            }
        }
    }

    /// The indices, but out of range where a later position writes to the same element: what is written there is lost. Nothing is where no two can be the same.
    fn lasting(&self, b: &mut Builder, width: Dim, indices: &[Var], shape: &[Dim]) -> Vec<Var> {
        if indices.iter().any(|i| self.shared.distinct.contains(*i)) {
            return indices.to_vec();
        }
        let numbers = b.iota(width);
        let first = match width {
            // mutant comparison: either way is right for so many
            Dim::Const(n) if n <= FEW => last_of_few(b, width, indices, numbers),
            _ => last_written(b, width, indices, numbers, shape),
        };
        [&[first], &indices[1..]].concat()
    }

    /// Of a histogram whose operator adds: each value's adjoint is that of its bin, and the destination's is that of the result.
    pub(super) fn sums(&mut self, b: &mut Builder, h: &Hist, adjoints: Vec<Option<Adj>>) {
        let op = &h.ops[0];
        let (indices, values) = h.arrays.split_at(op.shape.len());
        for ((values, dest), adjoint) in values.iter().zip(&op.dests).zip(adjoints) {
            let Some(adjoint) = adjoint else { continue };
            let ty = b.vars.ty(*dest).clone();
            let (adjoint, owned) = self.dense(b, &ty, adjoint);
            self.gathered(b, h.width, indices, *values, &op.shape, adjoint);
            self.add(b, *dest, adjoint, owned);
        }
    }

    /// Adds to the adjoint of values that went to these indices what the adjoint of the destination has there.
    fn gathered(&mut self, b: &mut Builder, width: Dim, indices: &[Var], values: Var, shape: &[Dim], adjoint: SubExp) {
        if self.active.contains(&values)
            && let SubExp::Var(adjoint) = adjoint
        {
            let row = b.vars.ty(values).row();
            let read = self.at_each(b, width, indices, shape, adjoint, &row);
            self.add(b, values, read.into(), false);
        }
    }

    /// What the adjoint of an array of this shape, of rows of this type, has at each of the indices: zero out of range.
    pub(super) fn at_each(
        &self,
        b: &mut Builder,
        width: Dim,
        indices: &[Var],
        shape: &[Dim],
        adjoint: Var,
        row: &Type,
    ) -> Var {
        let depth = self.seed.len();
        let adjoint = seed::inwards(b, adjoint, depth, shape.len());
        let row = self.adjoint_type(row);
        let params: Vec<(&str, Type)> = indices.iter().map(|_| ("i", Type::I64)).collect();
        let map = b.lambda(&params, |b, p| {
            let at: Vec<SubExp> = p.iter().map(|v| SubExp::Var(*v)).collect();
            vec![seed::inside(b, "adj", &at, shape, |b| b.index(adjoint, &at).into(), |b| seed::zero(b, &row))]
        });
        let read = b.let_one("adj", map_exp(width, indices.to_vec(), map));
        seed::innermost(b, read, depth)
    }

    /// A function with a reverse rule of its own.
    pub(super) fn custom(
        &mut self,
        b: &mut Builder,
        stm: &Stm,
        c: &Custom,
        saved: &[SubExp],
        adjoints: Vec<Option<Adj>>,
    ) -> Res<()> {
        closed_over(b, c, |v| self.active.contains(&v), stm.prov)?;
        let Some(rule) = &c.vjp else { return self.transposed(b, c, adjoints) };
        let results: Vec<Type> = stm.pat.iter().map(|p| p.ty.clone()).collect();
        let seeds = self.dense_or_zero(b, &results, adjoints);
        let types: Vec<Type> = c.args.iter().map(|e| b.vars.type_of(*e)).collect();
        let outs = seed::over(b, &self.seed, &seeds, &mut |b, ys| {
            let args: Vec<SubExp> = saved.iter().chain(ys).copied().collect();
            let results = called(b, rule, &args);
            results.into_iter().zip(&types).map(|(e, ty)| in_type(b, e, ty)).collect()
        });
        for (e, out) in c.args.iter().zip(outs) {
            self.add(b, *e, out, false);
        }
        Ok(())
    }

    /// A function with a forward rule alone: the rule is linear in the tangents, and this its transpose.
    fn transposed(&mut self, b: &mut Builder, c: &Custom, adjoints: Vec<Option<Adj>>) -> Res<()> {
        let Some(rule) = &c.jvp else { return Ok(()) };
        let n = c.args.len();
        let mut operands = c.args.clone();
        for e in &c.args {
            let ty = b.vars.type_of(*e);
            operands.push(seed::zero(b, &ty));
        }
        let outs = self.applied(b, rule, &operands, |i| i >= n, false, adjoints)?;
        for (e, out) in c.args.iter().zip(&outs[n..]) {
            if let Some(out) = out {
                let adjoint = self.in_sizes_of(b, *e, Adj::Dense(*out, true));
                self.add_adjoint(b, *e, adjoint);
            }
        }
        Ok(())
    }
}

/// So many positions are compared each with each, which takes no array of the destination's size.
const FEW: i64 = 32;

/// An index out of range, whatever the size.
fn nowhere() -> SubExp {
    // mutant off by one: any negative one is
    SubExp::i64(-1)
}

/// The first of the indices of each position, −1 where a later position has the same indices.
fn last_of_few(b: &mut Builder, width: Dim, indices: &[Var], numbers: Var) -> Var {
    let arrays = [indices, &[numbers]].concat();
    let params = vec![("i", Type::I64); arrays.len()];
    let map = b.lambda(&params, |b, own| {
        let again = b.lambda(&params, |b, other| {
            let (own, other) = (own.iter().rev(), other.iter().rev());
            let same = own.zip(other).enumerate().map(|(k, (x, y))| {
                let op = if k == 0 { CmpOp::Lt } else { CmpOp::Eq };
                b.prim_op(Prim::Cmp(op, ScalarType::I64), &[(*x).into(), (*y).into()])
            });
            let same: Vec<SubExp> = same.collect();
            let and = |all: SubExp, e: &SubExp| b.prim_op(Prim::Bin(BinOp::And, ScalarType::Bool), &[all, *e]);
            vec![same[1..].iter().fold(same[0], and)]
        });
        let or = b.operator(Prim::Bin(BinOp::Or, ScalarType::Bool), Scalar::Bool(false));
        let again = b.let_one("again", reduce_exp(width, arrays.clone(), again, vec![or])).into();
        vec![b.prim_op(Prim::Select(ScalarType::I64), &[again, nowhere(), own[0].into()])]
    });
    b.let_one("lasting", map_exp(width, arrays.clone(), map))
}

/// The same by writing the positions' numbers, of which the last stays.
fn last_written(b: &mut Builder, width: Dim, indices: &[Var], numbers: Var, shape: &[Dim]) -> Var {
    let unwritten = b.let_one("unwritten", Exp::Scratch { elem: ScalarType::I64, shape: shape.to_vec() });
    let written = seed::scatter(b, 0, width, indices, numbers, shape, unwritten);
    let params = vec![("i", Type::I64); indices.len() + 1];
    let map = b.lambda(&params, |b, p| {
        let (at, number) = p.split_at(indices.len());
        let at: Vec<SubExp> = at.iter().map(|v| SubExp::Var(*v)).collect();
        let lasts = |b: &mut Builder| {
            let last = b.index(written, &at).into();
            // mutant comparison: the last position is not before this one
            let is_last = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[last, number[0].into()]);
            b.prim_op(Prim::Select(ScalarType::I64), &[is_last, at[0], nowhere()])
        };
        vec![seed::inside(b, "lasting", &at, shape, lasts, |_| nowhere())]
    });
    b.let_one("lasting", map_exp(width, [indices, &[numbers]].concat(), map))
}

/// What a function's own reverse rule reads: the leading results of its λ. The function itself stays, so that what differentiates the result differentiates it by
/// its rules.
pub fn saved(b: &mut Builder, c: &Custom) -> Vec<SubExp> {
    if c.saved == 0 {
        return Vec::new();
    }
    let mut results = called(b, &c.lambda, &c.args);
    results.truncate(c.saved);
    results
}
