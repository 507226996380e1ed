//! A `flatmap` inside of a nest: one row after the other.

use crate::analysis::alias::consumable_by;
use crate::ir::build::{Builder, in_type, map_exp, scan_exp};
use crate::ir::rename::{applied, renamed};
use crate::ir::*;

/// Binds what a `flatmap` gives. How many elements its rows have, and what else it gives of each, is mapped first; then memory for the elements is filled by a loop, which applies the function once
/// more to each row: it has no effects, as no accumulator can be mapped over by it.
pub(super) fn row_by_row(b: &mut Builder, f: &FlatMap, pat: Vec<Binder>) {
    let (total, sizes, flags, starts) = (&pat[0], &pat[1], &pat[2], &pat[3]);
    let (rows, others) = pat[4..].split_at(f.irregular);

    let mut map = renamed(&f.lambda, b.vars);
    map.body.result.drain(1..=f.irregular);
    map.ret.drain(1..=f.irregular);
    b.bind([std::slice::from_ref(sizes), others].concat(), map_exp(f.width, f.arrays.clone(), map));

    let (map, scans) = (b.identity("x", &[Type::I64]), vec![b.operator(ScalarType::I64.plus(), Scalar::I64(0))]);
    let ends = b.let_one("ends", scan_exp(f.width, vec![sizes.var], map, scans));
    let before =
        // mutant swap: by which names they go changes no result
        b.lambda(&[("end", Type::I64), ("size", Type::I64)], |b, p| vec![b.int(BinOp::Sub, p[0].into(), p[1].into())]);
    b.bind(vec![starts.clone()], map_exp(f.width, vec![ends, sizes.var], before));
    let (zero, less) = (SubExp::i64(0), Prim::Cmp(CmpOp::Lt, ScalarType::I64));
    let some = b.prim_op(less, &[zero, f.width.into()]);
    let yes = b.inner(|b| {
        let last = b.int(BinOp::Sub, f.width.into(), SubExp::i64(1));
        vec![b.index(ends, &[last]).into()]
    });
    let no = Body { stms: Vec::new(), result: vec![zero] };
    b.bind(vec![total.clone()], Exp::If { cond: some, yes, no });

    let array = b.fill(&flags.ty, Scalar::Bool(false));
    // mutant swap: by which names they go changes no result
    let begins = b.lambda(&[("start", Type::I64), ("size", Type::I64)], |b, p| {
        let some = b.prim_op(less, &[zero, p[1].into()]);
        let at = b.prim_op(Prim::Select(ScalarType::I64), &[some, p[0].into(), SubExp::i64(-1)]);
        vec![at, Scalar::Bool(true).into()]
    });
    let dests = array.as_var().map(|array| ScatterDest { shape: vec![Dim::Var(total.var)], array });
    let (arrays, dests) = (vec![starts.var, sizes.var], dests.into_iter().collect());
    b.bind(vec![flags.clone()], Exp::from(Scatter { width: f.width, arrays, map: begins, dests }));

    if !rows.is_empty() {
        fill_rows(b, f, starts.var, rows);
    }
}

/// Binds the arrays of the elements of all rows, which begin at these places.
fn fill_rows(b: &mut Builder, f: &FlatMap, starts: Var, rows: &[Binder]) {
    let empty = |b: &mut Builder, ty: &Type| match ty {
        Type::Array(elem, shape) => b.let_one("rows", Exp::Scratch { elem: *elem, shape: shape.clone() }).into(),
        _ => SubExp::i64(0),
    };
    let params: Vec<LoopParam> = rows
        .iter()
        .map(|p| {
            let init = empty(b, &p.ty);
            LoopParam { binder: b.vars.fresh(p.name.clone(), p.ty.clone()), unique: true, init }
        })
        .collect();
    let index = b.vars.fresh("i", Type::I64);
    let consumed = consumable_by(&f.lambda.body, &[]);
    let body = b.inner(|b| {
        let mut args = Vec::new();
        for (array, param) in f.arrays.iter().zip(&f.lambda.params) {
            let row = b.index(*array, &[index.var.into()]);
            args.push(if consumed.may_be_consumed(param.var) { b.let_one("own", Exp::Copy(row)) } else { row }.into());
        }
        let made = applied(&f.lambda, &args, b.vars);
        let results = b.splice(made);
        let start = b.index(starts, &[index.var.into()]).into();
        // mutant off by one: a size has 64 bits
        let count = Dim::from_subexp(results[0]).unwrap_or(Dim::Const(0));
        let slice = vec![SliceDim::Range { start, count, stride: SubExp::i64(1) }];
        let mut next = Vec::new();
        for (param, row) in params.iter().zip(&results[1..]) {
            let ty = param.binder.ty.row().array_of(&[count]);
            let SubExp::Var(value) = in_type(b, *row, &ty) else { continue };
            let update = Exp::UpdateSlice { array: param.binder.var, slice: slice.clone(), value };
            next.push(b.let_one("rows", update).into());
        }
        next
    });
    let form = LoopForm::For { index, bound: f.width.into() };
    b.bind(rows.to_vec(), Exp::Loop { params, form, body });
}
