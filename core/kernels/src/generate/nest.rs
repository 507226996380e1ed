//! The kernel of a nest without reductions over the grid: one invocation of each point.

use super::array::Array;
use super::emit::{BlockArg, Context, Emitter, Launchable, Made, Value};
use super::exps::*;
use super::unshared::unshared;
use crate::ir::{self, Exp, GroupSizes};
use futi_core::ir::{Binder, Dim, Prov, ScalarType, SegOp, SubExp, Type};

/// A kernel whose invocations run the points of a nest without reductions.
pub(super) fn map_kernel(
    name: &str,
    seg: &SegOp,
    group: GroupSizes,
    context: &Context,
    prov: Prov,
) -> Made<Launchable> {
    points(name, seg, group, context, prov, |e, indices| {
        let results = results(e, seg, 0)?;
        let rows = rows(e, seg, &results, indices);
        let values = e.body(&seg.body)?;
        write_results(e, &results, &rows, indices, &values)
    })
}

/// A kernel that does something at each point of a nest, given its indices: each invocation at the points that are congruent to it modulo their number.
pub(super) fn points(
    name: &str,
    seg: &SegOp,
    group: GroupSizes,
    context: &Context,
    prov: Prov,
    act: impl FnOnce(&mut Emitter, &[Exp]) -> Made<()>,
) -> Made<Launchable> {
    let mut e = Emitter::new(name, group, &futi_core::ir::Exp::SegOp(seg.clone()), context, prov)?;
    e.unshared = unshared(seg, context.vars, context.numbers);
    let (first, points, step) = (e.invocation.clone(), e.points.clone(), e.invocations.clone());
    e.looped(ScalarType::I64, "point", [first, points.clone(), step], None, |e, point| {
        e.point = point.clone();
        let indices = split(e, &seg.space, point)?;
        act(e, &indices)
    })?;
    e.finish(points)
}

/// The arrays that hold the mapped results, from the one of that number on; nothing for accumulators.
pub(super) fn results(e: &mut Emitter, seg: &SegOp, first: usize) -> Made<Vec<Option<Array>>> {
    let types = seg.result_types(e.context.vars).into_iter().enumerate().skip(first);
    let result = |(k, ty)| match ty {
        Type::Array(elem, shape) => {
            let block = e.block("result", elem, BlockArg::Result(k));
            e.packed(elem, &shape, ir::Array::Block(block), [ZERO, ONE], false).map(Some)
        }
        Type::Scalar(_) | Type::Acc(_) | Type::Cert => Ok(None),
    };
    types.map(result).collect()
}

/// The rows of the results that are arrays at each point, which are made there.
fn rows(e: &mut Emitter, seg: &SegOp, results: &[Option<Array>], indices: &[Exp]) -> Vec<Option<Array>> {
    let operands = &seg.body.result;
    let row = |(operand, result): (&SubExp, &Option<Array>)| match (operand, result) {
        (SubExp::Var(v), Some(array)) if array.shape.len() > indices.len() => {
            let row = e.row(array, indices);
            if operands.iter().filter(|r| *r == operand).count() == 1 {
                e.places.insert(*v, row.clone());
            }
            Some(row)
        }
        _ => None,
    };
    operands.iter().zip(results).map(row).collect()
}

pub(super) fn write_results(
    e: &mut Emitter,
    results: &[Option<Array>],
    rows: &[Option<Array>],
    indices: &[Exp],
    values: &[Value],
) -> Made<()> {
    for (k, (result, value)) in results.iter().zip(values).enumerate() {
        match (rows.get(k), result, value) {
            (Some(Some(row)), _, Value::Array(source)) => e.copy(row, source)?,
            (_, Some(array), _) => e.write(array, indices, value)?,
            (_, None, _) => {}
        }
    }
    Ok(())
}

/// The indices of the point of a flat number.
pub(super) fn split(e: &mut Emitter, space: &[(Binder, Dim)], flat: Exp) -> Made<Vec<Exp>> {
    let mut rest = flat;
    let mut indices = Vec::new();
    for (k, (index, dim)) in space.iter().enumerate().rev() {
        let own = if k == 0 {
            rest.clone()
        } else {
            let size = e.dim(*dim)?;
            let next = e.declare(ScalarType::I64, "rest", quotient(rest.clone(), size.clone()));
            let own = minus(rest, times(next.clone(), size));
            rest = next;
            e.declare(ScalarType::I64, index.name.as_str(), own)
        };
        e.bind(index.var, Value::Scalar(own.clone()));
        indices.push(own);
    }
    indices.reverse();
    Ok(indices)
}
