//! Parallel nests as flattening makes them.

use super::maker::{LIMIT, Maker};
use super::operators::Reduction;
use super::scope::{Scope, Val};
use super::writes::place;
use futi_core::ir::build::Builder;
use futi_core::ir::visit::free_vars;
use futi_core::ir::*;

/// What becomes of the points.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Map,
    Scan,
    Reduce,
    Write,
}

/// Only a map.
pub(super) fn segmap(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    segop(m, b, scope, depth, Kind::Map);
}

/// A reduction of the last dimension.
pub(super) fn segred(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    segop(m, b, scope, depth, Kind::Reduce);
}

/// A scan of the last dimension.
pub(super) fn segscan(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    segop(m, b, scope, depth, Kind::Scan);
}

/// Writes to places that are all different.
pub(super) fn segwrite(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    segop(m, b, scope, depth, Kind::Write);
}

fn segop(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize, kind: Kind) {
    // the sizes of an array in scope, so that there is something to read
    let found = m.find_array(scope, |t| t.rank() <= 2).filter(|_| m.draw.chance(80));
    let dims = match found {
        Some((v, _)) => b.vars.ty(v).shape().to_vec(),
        None => {
            let rank = 1 + m.draw.below(2);
            m.shape(rank)
        }
    };
    let (outer, last) = dims.split_at(dims.len() - 1);
    let filled = m.filled(last[0]);
    let shape = [outer, &m.shape(1)].concat();
    let written: Vec<Type> = if kind == Kind::Write { vec![m.row_type()] } else { vec![] };
    let (dests, start) = m.dests(b, scope, &written, &shape);
    // what is written to is not read
    let found = found.filter(|(v, _)| scope.items.iter().any(|i| i.e == (*v).into()));
    let reduction: Option<Reduction> = match kind {
        Kind::Map | Kind::Write => None,
        Kind::Scan => Some(m.reduction(b, false, true)),
        Kind::Reduce => Some(m.reduction(b, false, filled)),
    };
    let mapped = usize::from(kind == Kind::Map || m.draw.chance(25));
    let rows: Vec<Type> = (0..mapped).map(|_| m.row_type()).collect();
    let space: Vec<(Binder, Dim)> = dims.iter().map(|d| (b.vars.fresh("i", Type::I64), *d)).collect();
    let operands = reduction.iter().flat_map(|r| r.types.clone()).chain(written);
    let types: Vec<Type> = operands.chain(rows.clone()).collect();
    let folded = types.len() - rows.len();
    let mut inner = scope.inner();
    let mut bounds = Vec::new();
    let mut ret = Vec::new();
    let body = b.inner(|b| {
        for (i, d) in &space {
            inner.add(b.vars, i.var, 16.0).below = m.size(*d);
        }
        let here: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        if let Some((array, bound)) = found {
            let x = b.let_one("x", Exp::Index { array, indices: here.clone() });
            inner.add(b.vars, x, bound);
        }
        let values = m.inside(b, &mut inner, depth - 1, &types, LIMIT);
        let (operands, rest) = values.split_at(folded);
        let mut out = Vec::new();
        if !dests.is_empty() {
            let (own, outer) = here.split_last().map_or((SubExp::i64(0), &here[..]), |(own, outer)| (*own, outer));
            out.extend(outer.iter().map(|i| Val::new(*i, 0.0)));
            out.push(Val::new(place(m, b, last[0], own), 0.0));
        }
        match &reduction {
            Some(r) => out.extend(r.operands(m, b, operands)),
            None => out.extend_from_slice(operands),
        }
        bounds = if dests.is_empty() { Vec::new() } else { operands.iter().map(|v| v.bound.max(start)).collect() };
        bounds.extend(rest.iter().map(|v| v.bound));
        out.extend_from_slice(rest);
        ret = out.iter().map(|v| b.vars.type_of(v.e)).collect();
        out.into_iter().map(|v| v.e).collect()
    });
    scope.mark(&free_vars(&body));
    let n = m.at_most(last[0]);
    let folded: Vec<f64> = reduction.iter().flat_map(|r| r.bounds(n)).collect();
    let level = if m.draw.chance(60) { Level::Grid } else { Level::Group };
    let dests = dests.into_iter().map(|array| ScatterDest { shape: shape.clone(), array }).collect();
    let ops = reduction.into_iter().map(|r| r.op).collect();
    let kind = match kind {
        Kind::Map => SegKind::Map,
        Kind::Scan => SegKind::Scan(ops),
        Kind::Reduce => SegKind::Reduce(ops),
        Kind::Write => SegKind::Write(dests),
    };
    let out = b.let_many("seg", Exp::SegOp(SegOp { level, space, kind, ret, body }));
    out.into_iter().zip(folded.into_iter().chain(bounds)).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
}
