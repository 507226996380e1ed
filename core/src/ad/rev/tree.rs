//! The total adjoints of a scan by a tree: without matrices, for operands of any types (digest 000 §1.7, B5, B7).

// Note [Total adjoints by a tree]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// With rs the results, the total adjoints obey r̄ᵢ = ȳᵢ + Cᵢ·r̄ᵢ₊₁, where Cᵢ is what reverse mode makes of rᵢ ⊙ aᵢ₊₁ with respect to rᵢ. As ⊙ is associative,
// r₁ ⊙ (a₂ ⊙ a₃) = r₃: the results at odd positions, and the products of pairs, are a scan of half the length, whose total adjoints are those at odd positions. So there are
// log n levels. On the way up, from level to level, the elements are multiplied in pairs, and the adjoint of each even position goes through C to the odd one before it. At the top one
// position is left. On the way down the total adjoint of each odd position goes through C to the even one before it. All of a level is done at once.
//
// Position j of level l is position (j + 1)·2ˡ − 1 of the scan. There its adjoint stays, and its result. The elements of the levels stand one level behind the other: there are
// less than 2n of them. In all ⊙ is applied n times, and reversed 2n times.

use super::*;
use crate::ir::build::map_exp;

/// The positions of a level: where its elements begin, how many there are, and how many positions of the scan are one.
struct Level {
    at: SubExp,
    count: SubExp,
    step: SubExp,
}

fn plus(b: &mut Builder, x: SubExp, y: SubExp) -> SubExp {
    b.int(BinOp::Add, x, y)
}

fn half(b: &mut Builder, x: SubExp) -> SubExp {
    b.int(BinOp::Shr, x, SubExp::i64(1))
}

/// The logarithm of a number of elements, down to a whole one; 0 of none.
fn levels(b: &mut Builder, n: SubExp) -> SubExp {
    let zeros = b.prim_op(Prim::Un(UnOp::Clz, ScalarType::I64), &[n]);
    let zeros = b.prim_op(Prim::Conv(ScalarType::I32, ScalarType::I64), &[zeros]);
    let log = b.int(BinOp::Sub, SubExp::i64(63), zeros);
    b.int(BinOp::Max, log, SubExp::i64(0))
}

/// The elements of arrays at a position.
fn rows(b: &mut Builder, arrays: &[Var], position: SubExp) -> Vec<SubExp> {
    arrays.iter().map(|a| SubExp::Var(b.index(*a, &[position]))).collect()
}

/// The operands of an application of ⊙: results, and elements.
fn read(b: &mut Builder, rs: &[Var], position: SubExp, elements: &[Var], element: SubExp) -> Vec<SubExp> {
    [rows(b, rs, position), rows(b, elements, element)].concat()
}

/// What is at each of the first positions.
fn at_each(
    b: &mut Builder,
    count: SubExp,
    ret: &[Type],
    f: impl FnOnce(&mut Builder, SubExp) -> Res<Vec<SubExp>>,
) -> Res<Vec<Var>> {
    // mutant: a count is an i64, which is always a size
    let width = Dim::from_subexp(count).unwrap_or(Dim::Const(0));
    let j = b.vars.fresh("j", Type::I64);
    let mut inner = Builder::new(b.vars, b.prov);
    let result = f(&mut inner, j.var.into())?;
    let body = Body { stms: inner.stms, result };
    let iota = b.iota(width);
    Ok(b.let_many("level", map_exp(width, vec![iota], Lambda { params: vec![j], ret: ret.to_vec(), body })))
}

/// Puts values at positions that are a stride apart.
fn put(b: &mut Builder, arrays: &[Var], values: Vec<Var>, start: SubExp, count: SubExp, stride: SubExp) -> Vec<Var> {
    // mutant: a count is an i64, which is always a size
    let count = Dim::from_subexp(count).unwrap_or(Dim::Const(0));
    let put = |(array, value): (&Var, Var)| {
        let name = b.vars.name(*array).clone();
        let slice = vec![SliceDim::Range { start, count, stride }];
        b.let_one(name.as_str(), Exp::UpdateSlice { array: *array, slice, value })
    };
    arrays.iter().zip(values).map(put).collect()
}

/// A loop over levels that updates arrays of its own in place, beside the number of elements in the levels that it has been through.
fn each_level(
    b: &mut Builder,
    bound: SubExp,
    arrays: &[Var],
    at: SubExp,
    f: impl FnOnce(&mut Builder, SubExp, &[Var], SubExp) -> Res<(Vec<Var>, SubExp)>,
) -> Res<(Vec<Var>, SubExp)> {
    let index = b.vars.fresh("l", Type::I64);
    let mut binders = Vec::new();
    for array in arrays {
        let (name, ty) = (b.vars.name(*array).clone(), b.vars.ty(*array).clone());
        binders.push(b.vars.fresh(name, ty));
    }
    let offset = b.vars.fresh("at", Type::I64);
    let own: Vec<Var> = binders.iter().map(|p| p.var).collect();
    let mut inner = Builder::new(b.vars, b.prov);
    let (next, behind) = f(&mut inner, index.var.into(), &own, offset.var.into())?;
    let result = next.into_iter().map(SubExp::Var).chain([behind]).collect();
    let body = Body { stms: inner.stms, result };
    let inits = arrays.iter().map(|v| SubExp::Var(*v)).chain([at]);
    let params = binders.into_iter().chain([offset]).zip(inits).map(tape::own_param).collect();
    let mut out = b.let_many("levels", Exp::Loop { params, form: LoopForm::For { index, bound }, body });
    let behind = out.pop().map_or(at, SubExp::Var);
    Ok((out, behind))
}

impl Level {
    /// Level l, whose elements begin there, of n.
    fn new(b: &mut Builder, n: SubExp, l: SubExp, at: SubExp) -> Level {
        let count = b.int(BinOp::Shr, n, l);
        let step = b.int(BinOp::Shl, SubExp::i64(1), l);
        Level { at, count, step }
    }

    /// The position of the scan that every second position is, from the first or the second on: that of number j, and the one behind it; and the place of the latter's element.
    fn pair(&self, b: &mut Builder, j: SubExp, second: bool) -> (SubExp, SubExp, SubExp) {
        let (twice, stride) = (plus(b, j, j), plus(b, self.step, self.step));
        let (before, first) = if second { (SubExp::i64(2), stride) } else { (SubExp::i64(1), self.step) };
        let position = b.int(BinOp::Mul, j, stride);
        let position = plus(b, position, first);
        let position = seed::minus(b, position, SubExp::i64(1));
        let next = plus(b, position, self.step);
        let element = plus(b, self.at, twice);
        (position, next, plus(b, element, before))
    }
}

impl Rev<'_, '_> {
    /// The total adjoints; the outer dimension is the width. See Note [Total adjoints by a tree].
    pub(super) fn by_tree(
        &mut self,
        b: &mut Builder,
        stm: &Stm,
        s: &Screma,
        op: &Operator,
        ys: &[SubExp],
    ) -> Res<Vec<Var>> {
        let (d, depth, n) = (op.neutral.len(), self.seed.len(), SubExp::from(s.width));
        let types: Vec<Type> = s.map.ret.iter().map(|t| self.adjoint_type(t)).collect();
        let mut totals = Vec::new();
        for y in ys.iter().filter_map(|e| e.as_var()) {
            let y = seed::outermost(b, y, depth);
            totals.push(b.let_one("totals", Exp::Copy(y)));
        }
        let twice = plus(b, n, n);
        let room = Dim::from_subexp(twice).unwrap_or(s.width);
        let mut elements = Vec::new();
        for ty in &s.map.ret {
            elements.push(seed::scratch(b, &ty.array_of(&[room])));
        }
        let elements = put(b, &elements, s.arrays.clone(), SubExp::i64(0), n, SubExp::i64(1));
        let rs: Vec<Var> = stm.pat.iter().map(|p| p.var).collect();

        let levels = levels(b, n);
        let both = [&elements[..], &totals].concat();
        let (both, behind) = each_level(b, levels, &both, SubExp::i64(0), |b, l, own, at| {
            let level = Level::new(b, n, l, at);
            let (elements, totals) = own.split_at(d);
            let pairs = half(b, level.count);
            let products = at_each(b, pairs, &s.map.ret, |b, j| {
                let first = plus(b, j, j);
                let first = plus(b, level.at, first);
                let second = plus(b, first, SubExp::i64(1));
                let args = [rows(b, elements, first), rows(b, elements, second)].concat();
                let op = renamed(&op.lambda, b.vars);
                bind_params(b, &op.params, &args);
                Ok(b.splice(op.body))
            })?;
            let next = plus(b, level.at, level.count);
            let elements = put(b, elements, products, next, pairs, SubExp::i64(1));
            let rest = seed::minus(b, level.count, SubExp::i64(1));
            let odd = half(b, rest);
            let through = at_each(b, odd, &types, |b, j| {
                let (position, next, element) = level.pair(b, j, true);
                let operands = read(b, &rs, position, &elements, element);
                let (own, following) = (rows(b, totals, position), rows(b, totals, next));
                self.through(b, op, &operands, &own, &following)
            })?;
            let stride = plus(b, level.step, level.step);
            let start = seed::minus(b, stride, SubExp::i64(1));
            let totals = put(b, totals, through, start, odd, stride);
            Ok(([elements, totals].concat(), next))
        })?;
        let (elements, totals) = both.split_at(d);
        let (totals, _) = each_level(b, levels, totals, behind, |b, l, totals, behind| {
            let top = seed::minus(b, levels, SubExp::i64(1));
            let l = seed::minus(b, top, l);
            let mut level = Level::new(b, n, l, behind);
            level.at = seed::minus(b, behind, level.count);
            let even = half(b, level.count);
            let through = at_each(b, even, &types, |b, j| {
                let (position, next, element) = level.pair(b, j, false);
                let operands = read(b, &rs, position, elements, element);
                let (own, following) = (rows(b, totals, position), rows(b, totals, next));
                self.through(b, op, &operands, &own, &following)
            })?;
            let stride = plus(b, level.step, level.step);
            let start = seed::minus(b, level.step, SubExp::i64(1));
            Ok((put(b, totals, through, start, even, stride), level.at))
        })?;
        Ok(totals)
    }
}
