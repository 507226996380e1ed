//! Writes to computed positions: scatter and histograms.

use super::{array_of, arrays};
use crate::ir::*;
use crate::lower::Lowerer;
use crate::lower::value::{Shape, Val};

impl Lowerer<'_> {
    /// `scatter dest is vs`; `sizes` are those of the destination, then of the other arrays.
    pub(super) fn scatter(&mut self, sizes: &[Dim], elem: &Shape, args: &[Val]) -> Val {
        let [dest, is, vs] = args else { panic!("internal error: a scatter takes three arguments") };
        let Some((width, shape)) = sizes.split_last() else { panic!("internal error: a scatter without sizes") };
        let dests = self.destinations(shape, elem, dest);
        let (arrays, map) = self.indexed(*width, shape.len(), dests.len(), elem, is, vs);
        if dests.is_empty() {
            return dest.clone();
        }
        let dests = dests.into_iter().map(|array| ScatterDest { shape: shape.to_vec(), array }).collect();
        let results = self.emit("scatter", Exp::from(Scatter { width: *width, arrays, map, dests }));
        elem.value(&mut results.into_iter().map(SubExp::from))
    }

    /// `hist dest op ne is vs`; `sizes` are those of the destination, then of the other arrays.
    pub(super) fn hist(&mut self, sizes: &[Dim], elem: &Shape, args: &[Val]) -> Val {
        let [dest, op, neutral, is, vs] = args else { panic!("internal error: a histogram takes five arguments") };
        let Some((width, shape)) = sizes.split_last() else { panic!("internal error: a histogram without sizes") };
        let dests = self.destinations(shape, elem, dest);
        let op = self.associative(elem, op, neutral, true);
        let (arrays, map) = self.indexed(*width, shape.len(), 1, elem, is, vs);
        if dests.is_empty() {
            return dest.clone();
        }
        let ops = vec![HistOp { shape: shape.to_vec(), dests, op }];
        let results = self.emit("hist", Exp::from(Hist { width: *width, arrays, map, ops }));
        elem.value(&mut results.into_iter().map(SubExp::from))
    }

    /// The arrays of a destination, to be consumed.
    fn destinations(&mut self, shape: &[Dim], elem: &Shape, dest: &Val) -> Vec<Var> {
        let whole = shape.iter().rev().fold(elem.clone(), |t, n| array_of(*n, &t));
        let dest = self.coerce(dest.clone(), &whole);
        self.consumed(&dest)
    }

    /// The arrays of a value, as they may be consumed: new, and known nowhere else. What the source says of uniqueness does not come this far, so all but
    /// scratch space is copied; the pass `copies` removes what is not needed.
    pub(super) fn consumed(&mut self, value: &Val) -> Vec<Var> {
        let mut own = Vec::new();
        for array in arrays(value) {
            let bound = self.stms.iter().rev().find(|s| s.pat.iter().any(|b| b.var == array));
            let scratch = bound.is_some_and(|s| matches!(s.exp, Exp::Scratch { .. }));
            own.push(if scratch { array } else { self.emit("dest", Exp::Copy(array))[0] });
        }
        own
    }

    /// Arrays of indices of this rank and of values, and the λ that gives the index `times` times, then the values.
    fn indexed(
        &mut self,
        width: Dim,
        rank: usize,
        times: usize,
        elem: &Shape,
        is: &Val,
        vs: &Val,
    ) -> (Vec<Var>, Lambda) {
        let index = match rank {
            1 => Shape::Scalar(ScalarType::I64),
            _ => Shape::Record(vec![Shape::Scalar(ScalarType::I64); rank]),
        };
        let is = self.coerce(is.clone(), &array_of(width, &index));
        let vs = self.coerce(vs.clone(), &array_of(width, elem));
        let mut binders = Vec::new();
        binders.extend(index.leaves().into_iter().map(|t| self.vars.fresh("i", t)));
        binders.extend(elem.leaves().into_iter().map(|t| self.vars.fresh("v", t)));
        let (indices, values) = binders.split_at(rank);
        let results = || (0..times).flat_map(|_| indices).chain(values);
        let map = Lambda {
            params: binders.clone(),
            ret: results().map(|b| b.ty.clone()).collect(),
            body: Body { stms: Vec::new(), result: results().map(|b| b.var.into()).collect() },
        };
        ([arrays(&is), arrays(&vs)].concat(), map)
    }
}
