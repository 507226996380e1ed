//! Maps, scans, reductions and their fusions.

use super::maker::{LIMIT, Maker, Param};
use super::operators::Reduction;
use super::scope::{Scope, Val};
use futi_core::ir::build::{Builder, map_exp};
use futi_core::ir::*;

/// What is mapped over: arrays of one width, and what is known of their rows.
pub(super) struct Mapped {
    pub(super) width: Dim,
    pub(super) arrays: Vec<Var>,
    pub(super) params: Vec<Param>,
}

impl Maker {
    /// Arrays to map over, the indices among them now and then, or always as the last.
    pub(super) fn mapped(&mut self, b: &mut Builder, scope: &mut Scope, indexed: bool) -> Mapped {
        let found = match self.draw.chance(80) {
            true => self.find_array(scope, |_| true),
            false => None,
        };
        let first = found.unwrap_or_else(|| {
            let rank = if self.draw.chance(25) { 2 } else { 1 };
            let shape = self.shape(rank);
            let ty = Type::Scalar(self.elem()).array_of(&shape);
            self.array(b, scope, &ty)
        });
        let width = b.vars.ty(first.0).shape()[0];
        let mut arrays = vec![first];
        for _ in 0..2 {
            if self.draw.chance(40)
                && let Some(next) = self.find_array(scope, |t| t.shape()[0] == width)
            {
                arrays.push(next);
            }
        }
        let mut params: Vec<Param> = arrays.iter().map(|(v, bound)| Param::new(b.vars.ty(*v).row(), *bound)).collect();
        let mut arrays: Vec<Var> = arrays.into_iter().map(|(v, _)| v).collect();
        if indexed || self.draw.chance(35) {
            arrays.push(self.indices(b, width));
            params.push(Param::index(self.size(width)));
        }
        Mapped { width, arrays, params }
    }

    /// Whether there is a row at all.
    pub(super) fn filled(&self, d: Dim) -> bool {
        self.size(d).is_some_and(|n| n > 0)
    }
}

/// A map; now and then one that consumes the rows of a matrix.
pub(super) fn map(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    if m.draw.chance(8) {
        return map_in_place(m, b, scope, depth);
    }
    let mapped = m.mapped(b, scope, false);
    let types: Vec<Type> = (0..1 + m.draw.below(2)).map(|_| m.row_type()).collect();
    let (map, bounds) =
        m.lambda(b, scope, &mapped.params, |m, b, scope, _| m.inside(b, scope, depth - 1, &types, LIMIT));
    let out = b.let_many("map", map_exp(mapped.width, mapped.arrays, map));
    out.into_iter().zip(bounds).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
}

fn map_in_place(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let shape = m.shape(2);
    let ty = Type::Scalar(m.elem()).array_of(&shape);
    if !m.filled(shape[1]) {
        return;
    }
    let (array, bound) = m.own(b, scope, &ty, LIMIT);
    let params = [Param::new(ty.row(), bound)];
    let (map, bounds) = m.lambda(b, scope, &params, |m, b, scope, p| {
        // what is made of the row is used before the row is consumed
        let count = m.draw.below(2);
        m.body(b, scope, depth - 1, count);
        let value = m.within(b, scope, &ty.peel(2), LIMIT);
        let index = m.index_below(b, scope, shape[1]).unwrap_or(SubExp::i64(0));
        let out = b.let_one("row", Exp::Update { array: p[0], indices: vec![index], value: value.e });
        vec![Val::new(out, bound.max(value.bound))]
    });
    let v = b.let_one("map", map_exp(shape[0], vec![array], map));
    scope.add_own(b.vars, v, bounds[0]);
}

/// A reduction, perhaps with a map.
pub(super) fn reduce(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let mapped = usize::from(m.draw.chance(15));
    screma(m, b, scope, depth, [0, 1, mapped], false);
}

/// A scan, perhaps with a map.
pub(super) fn scan(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let mapped = usize::from(m.draw.chance(15));
    screma(m, b, scope, depth, [1, 0, mapped], false);
}

/// Several scans, reductions and maps in one.
pub(super) fn several(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let counts = [m.draw.below(3), 1 + m.draw.below(2), m.draw.below(2)];
    screma(m, b, scope, depth, counts, false);
}

/// Scans, reductions and maps with a function after the scans.
pub(super) fn post(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let counts = [1 + m.draw.below(2), m.draw.below(2), m.draw.below(2)];
    screma(m, b, scope, depth, counts, true);
}

fn screma(
    m: &mut Maker,
    b: &mut Builder,
    scope: &mut Scope,
    depth: usize,
    [scans, reduces, mapped]: [usize; 3],
    post: bool,
) {
    let source = m.mapped(b, scope, false);
    let (width, filled) = (source.width, m.filled(source.width));
    let scans: Vec<Reduction> = (0..scans).map(|_| m.reduction(b, false, true)).collect();
    let reduces: Vec<Reduction> = (0..reduces).map(|_| m.reduction(b, false, filled)).collect();
    let rows: Vec<Type> = (0..mapped).map(|_| m.row_type()).collect();
    let types: Vec<Type> = scans.iter().chain(&reduces).flat_map(|r| r.types.clone()).chain(rows.clone()).collect();
    let (map, bounds) = m.lambda(b, scope, &source.params, |m, b, scope, _| {
        let values = m.inside(b, scope, depth - 1, &types, LIMIT);
        let mut at = 0;
        let mut out = Vec::new();
        for r in scans.iter().chain(&reduces) {
            let end = at + r.types.len();
            out.extend(r.operands(m, b, &values[at..end]));
            at = end;
        }
        out.extend_from_slice(&values[at..]);
        out
    });
    let n = m.at_most(width);
    let all = |rs: &[Reduction]| rs.iter().flat_map(|r| r.bounds(n)).collect::<Vec<f64>>();
    let mapped_bounds = bounds[bounds.len() - rows.len()..].to_vec();
    let scanned: Vec<Type> = scans.iter().flat_map(|r| r.types.clone()).chain(rows).collect();
    let scanned_bounds = [all(&scans), mapped_bounds.clone()].concat();
    let after = match post {
        true => {
            let params: Vec<Param> =
                scanned.iter().zip(&scanned_bounds).map(|(t, bound)| Param::new(t.clone(), *bound)).collect();
            let types: Vec<Type> = (0..1 + m.draw.below(2)).map(|_| m.row_type()).collect();
            Some(m.lambda(b, scope, &params, |m, b, scope, _| m.inside(b, scope, depth - 1, &types, LIMIT)))
        }
        false => None,
    };
    let bounds = match &after {
        Some((_, bounds)) => [all(&reduces), bounds.clone()].concat(),
        None => [all(&scans), all(&reduces), mapped_bounds].concat(),
    };
    let ops = |rs: Vec<Reduction>| rs.into_iter().map(|r| r.op).collect();
    let exp = Screma {
        width,
        arrays: source.arrays,
        map,
        scans: ops(scans),
        reduces: ops(reduces),
        post: after.map(|(post, _)| post),
    };
    let out = b.let_many("fold", exp.into());
    out.into_iter().zip(bounds).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
}
