//! Parallel nests as flattening makes them.

use super::maker::{LIMIT, Maker};
use super::operators::Reduction;
use super::scope::{Scope, Val};
use futi_core::ir::build::Builder;
use futi_core::ir::visit::free_vars;
use futi_core::ir::*;

/// Only a map.
pub(super) fn segmap(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    segop(m, b, scope, depth, [0, 0, 0]);
}

/// A reduction of the last dimension.
pub(super) fn segred(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    segop(m, b, scope, depth, [0, 1, 0]);
}

/// A scan of the last dimension.
pub(super) fn segscan(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    segop(m, b, scope, depth, [1, 0, 0]);
}

/// Histograms of the last dimension.
pub(super) fn seghist(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    segop(m, b, scope, depth, [0, 0, 1]);
}

fn segop(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize, [scans, reduces, hists]: [usize; 3]) {
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
    let hist: Vec<Reduction> = (0..hists).map(|_| m.reduction(b, true, true)).collect();
    let bins = m.shape(1);
    let elems: Vec<Type> = hist.iter().flat_map(|r| r.types.clone()).collect();
    let (dests, start) = m.dests(b, scope, &elems, &[outer, &bins].concat());
    // what is written to is not read
    let found = found.filter(|(v, _)| scope.items.iter().any(|i| i.e == (*v).into()));
    let scan: Vec<Reduction> = (0..scans).map(|_| m.reduction(b, false, true)).collect();
    let reduce: Vec<Reduction> = (0..reduces).map(|_| m.reduction(b, false, filled)).collect();
    let mapped = usize::from(scans + reduces + hists == 0 || m.draw.chance(25));
    let rows: Vec<Type> = (0..mapped).map(|_| m.row_type()).collect();
    let space: Vec<(Binder, Dim)> = dims.iter().map(|d| (b.vars.fresh("i", Type::I64), *d)).collect();
    let all: Vec<&Reduction> = scan.iter().chain(&reduce).chain(&hist).collect();
    let types: Vec<Type> = all.iter().flat_map(|r| r.types.clone()).chain(rows.clone()).collect();
    let mut inner = scope.inner();
    let mut bounds = Vec::new();
    let mut ret = Vec::new();
    let body = b.inner(|b| {
        for (i, d) in &space {
            inner.add(b.vars, i.var, 16.0).below = m.size(*d);
        }
        if let Some((array, bound)) = found {
            let x = b.let_one("x", Exp::Index { array, indices: space.iter().map(|(i, _)| i.var.into()).collect() });
            inner.add(b.vars, x, bound);
        }
        let values = m.inside(b, &mut inner, depth - 1, &types, LIMIT);
        let (mut out, mut at) = (Vec::new(), 0);
        for (k, r) in all.iter().enumerate() {
            if k == scan.len() + reduce.len() {
                let index = m.index_below(b, &mut inner, bins[0]).filter(|_| m.draw.chance(80));
                out.push(Val::new(index.unwrap_or_else(|| m.value(b, &mut inner, &Type::I64).e), 0.0));
            }
            out.extend(r.operands(m, b, &values[at..at + r.types.len()]));
            at += r.types.len();
        }
        out.extend_from_slice(&values[at..]);
        bounds = values[at..].iter().map(|v| v.bound).collect();
        ret = out.iter().map(|v| b.vars.type_of(v.e)).collect();
        out.into_iter().map(|v| v.e).collect()
    });
    scope.mark(&free_vars(&body));
    let n = m.at_most(last[0]);
    let folded: Vec<f64> = scan.iter().chain(&reduce).flat_map(|r| r.bounds(n)).collect();
    let counted: Vec<f64> = hist.iter().flat_map(|r| r.bounds_from(start, n)).collect();
    let level = if m.draw.chance(60) { Level::Grid } else { Level::Group };
    let ops = |rs: Vec<Reduction>| rs.into_iter().map(|r| r.op).collect();
    let hists = hist.into_iter().map(|r| HistOp { shape: bins.clone(), dests: dests.clone(), op: r.op }).collect();
    let seg = SegOp { level, space, scans: ops(scan), reduces: ops(reduce), hists, ret, body };
    let out = b.let_many("seg", Exp::SegOp(seg));
    let bounds = folded.into_iter().chain(counted).chain(bounds);
    out.into_iter().zip(bounds).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
}
