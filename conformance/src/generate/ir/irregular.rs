//! Nests whose inner widths differ from point to point.

use super::maker::{LIMIT, Maker, Param};
use super::scope::{Scope, Val};
use futi_core::ir::build::{Builder, map_exp};
use futi_core::ir::*;

/// Points have fewer elements than this.
const FEWER: i64 = 4;

/// A map whose function folds elements of its own, as many as each point says; now and then they are scanned, or some of them chosen, before.
pub(super) fn irregular(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let source = m.mapped(b, scope, true);
    let (map, bounds) = m.lambda(b, scope, &source.params, |m, b, scope, p| {
        let index = p[p.len() - 1].into();
        let width = own_size(m, b, scope, index);
        let mut results = match m.draw.below(4) {
            0 if m.soacs > 1 => {
                let rows = fold(m, b, scope, depth, width, true);
                added_up(m, b, scope, rows)
            }
            1 if m.soacs > 1 => chosen(m, b, scope, depth, width),
            _ => fold(m, b, scope, depth, width, false),
        };
        m.absorb(b, scope, &mut results);
        results.into_iter().map(|v| m.tame(b, v, LIMIT)).collect()
    });
    let out = b.let_many("map", map_exp(source.width, source.arrays, map));
    out.into_iter().zip(bounds).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
}

/// A size from zero on that differs from one index to the next.
pub(super) fn own_size(m: &mut Maker, b: &mut Builder, scope: &mut Scope, index: SubExp) -> SubExp {
    let add = ScalarType::I64.plus();
    let from = match m.draw.chance(50) {
        true => index,
        false => {
            let other = m.value(b, scope, &Type::I64).e;
            b.prim_op(add, &[index, other])
        }
    };
    let from = b.prim_op(add, &[from, SubExp::i64(m.draw.below(3) as i64)]);
    b.prim_op(Prim::Bin(BinOp::Mod, ScalarType::I64), &[from, SubExp::i64(FEWER)])
}

/// The numbers below a size of a point's own.
fn numbers(m: &mut Maker, b: &mut Builder, size: SubExp) -> (Dim, Var) {
    let iota = Exp::Iota { n: size, start: SubExp::i64(0), step: SubExp::i64(1), elem: ScalarType::I64 };
    let is = m.checked(b, Check::NonNegativeSize(size), "is", iota);
    (Dim::from_subexp(size).unwrap_or(Dim::Const(0)), is)
}

/// What is made of the numbers, folded: a reduction, or a scan. Its results.
fn fold(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize, size: SubExp, is_scan: bool) -> Vec<Val> {
    let (width, is) = numbers(m, b, size);
    let reduction = m.reduction(b, false, false);
    let (map, _) = m.lambda(b, scope, &[Param::index(Some(FEWER))], |m, b, scope, _| {
        let values = m.inside(b, scope, depth - 1, &reduction.types, LIMIT);
        reduction.operands(m, b, &values)
    });
    let bounds = reduction.bounds((FEWER - 1) as f64);
    let (scans, reduces) = if is_scan { (vec![reduction.op], vec![]) } else { (vec![], vec![reduction.op]) };
    let name = if is_scan { "scan" } else { "fold" };
    let made = b.let_many(name, Exp::Screma(Screma { width, arrays: vec![is], map, scans, reduces, post: None }));
    made.into_iter().zip(bounds).map(|(v, bound)| Val::new(v, bound)).collect()
}

/// Of what is made of the numbers that of even ones, laid one after the other and added up.
fn chosen(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize, size: SubExp) -> Vec<Val> {
    let (width, is) = numbers(m, b, size);
    let (elem, int) = (m.elem(), ScalarType::I64);
    let (map, bounds) = m.lambda(b, scope, &[Param::index(Some(FEWER))], |m, b, scope, p| {
        let mut values = m.inside(b, scope, depth - 1, &[Type::Scalar(elem)], LIMIT);
        let odd = b.prim_op(Prim::Bin(BinOp::And, int), &[p[0].into(), SubExp::i64(1)]);
        let one = b.prim_op(Prim::Bin(BinOp::Sub, int), &[SubExp::i64(1), odd]);
        values.push(Val::new(one, 1.0));
        values
    });
    let made = b.let_many("xs", map_exp(width, vec![is], map));
    let (xs, ones) = (made[0], made[1]);
    let fold = |b: &mut Builder, scans: bool| {
        let (op, map) = (vec![b.operator(int.plus(), int.zero())], b.identity("x", &[Type::I64]));
        let (scans, reduces) = if scans { (op, vec![]) } else { (vec![], op) };
        b.let_one("fold", Exp::Screma(Screma { width, arrays: vec![ones], map, scans, reduces, post: None }))
    };
    let (ends, count) = (fold(b, true), fold(b, false));
    let dest = b.let_one("none", Exp::Replicate { shape: vec![Dim::Var(count)], value: elem.zero().into() });
    let params = [("end", Type::I64), ("one", Type::I64), ("x", Type::Scalar(elem))];
    let map = b.lambda(&params, |b, p| {
        let some = b.prim_op(Prim::Cmp(CmpOp::Lt, int), &[SubExp::i64(0), p[1].into()]);
        let last = b.prim_op(Prim::Bin(BinOp::Sub, int), &[p[0].into(), SubExp::i64(1)]);
        vec![b.prim_op(Prim::Select(int), &[some, last, SubExp::i64(-1)]), p[2].into()]
    });
    let dests = vec![ScatterDest { shape: vec![Dim::Var(count)], array: dest }];
    let scatter = Scatter { width, arrays: vec![ends, ones, xs], map, dests };
    let kept = b.let_one("kept", Exp::Scatter(scatter));
    added_up(m, b, scope, vec![Val::new(kept, bounds[0])])
}

/// What arrays come to, each.
fn added_up(m: &mut Maker, b: &mut Builder, scope: &mut Scope, arrays: Vec<Val>) -> Vec<Val> {
    let sum = |val: Val| {
        let elem = b.vars.type_of(val.e).elem()?;
        m.as_scalar(b, scope, val, elem)
    };
    let sums: Vec<Val> = arrays.into_iter().filter_map(sum).collect();
    // the last SOAC may have been one before
    if sums.is_empty() { vec![Val::new(SubExp::i64(0), 0.0)] } else { sums }
}
