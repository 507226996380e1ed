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
    let made = b.let_many(name, Exp::from(Screma { width, arrays: vec![is], map, scans, reduces, post: None }));
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
        b.let_one("fold", Exp::from(Screma { width, arrays: vec![ones], map, scans, reduces, post: None }))
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
    let kept = b.let_one("kept", scatter.into());
    added_up(m, b, scope, vec![Val::new(kept, bounds[0])])
}

/// A map whose function goes rounds, as many at all points or as each says, with an array that a round makes longer, or shorter, or either, and with one of a size that stays, of which it
/// replaces an element.
pub(super) fn growing(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let source = m.mapped(b, scope, true);
    let (map, bounds) = m.lambda(b, scope, &source.params, |m, b, scope, p| {
        let index = p[p.len() - 1].into();
        let (width, is) = {
            let size = own_size(m, b, scope, index);
            numbers(m, b, size)
        };
        let elem = m.elem();
        let (map, first) = m.lambda(b, scope, &[Param::index(Some(FEWER))], |m, b, scope, _| {
            m.inside(b, scope, depth - 1, &[Type::Scalar(elem)], LIMIT)
        });
        let xs = b.let_one("xs", map_exp(width, vec![is], map));
        let form_bound = match m.draw.chance(50) {
            true => SubExp::i64(m.draw.below(FEWER as usize) as i64),
            false => own_size(m, b, scope, index),
        };
        let room = m.known(b, BinOp::Add, width, Dim::Const(FEWER));
        let noted = b.let_one("noted", Exp::Replicate { shape: vec![room], value: SubExp::i64(0) });
        let one = m.within(b, scope, &Type::Scalar(elem), LIMIT);
        let grown = rounds(m, b, (width, xs), noted, form_bound, one.e);
        let bound = first[0].max(one.bound);
        let most = 2.0 * LIMIT;
        let arrays = vec![Val::new(grown[1], bound), Val::new(grown[2], most)];
        let mut results = added_up(m, b, scope, arrays);
        m.absorb(b, scope, &mut results);
        results.into_iter().map(|v| m.tame(b, v, LIMIT)).collect()
    });
    let out = b.let_many("map", map_exp(source.width, source.arrays, map));
    out.into_iter().zip(bounds).for_each(|(v, bound)| scope.add_own(b.vars, v, bound));
}

/// The loop of [`growing`]: the size in the end, the array, and the sizes that there were.
fn rounds(m: &mut Maker, b: &mut Builder, (width, xs): (Dim, Var), noted: Var, bound: SubExp, one: SubExp) -> [Var; 3] {
    let (elem, int) = (b.vars.ty(xs).elem().unwrap_or(ScalarType::I64), ScalarType::I64);
    let size = b.vars.fresh("k", Type::I64);
    let now = b.vars.fresh("xs", Type::Array(elem, vec![Dim::Var(size.var)]));
    let note = b.vars.fresh("noted", b.vars.ty(noted).clone());
    let index = b.vars.fresh("i", Type::I64);
    let (either, longer, twice) = (m.draw.chance(50), m.draw.chance(60), m.draw.chance(30));
    let longer_body = |b: &mut Builder| {
        let lit = b.let_one("one", Exp::ArrayLit { elems: vec![one], row: Type::Scalar(elem) });
        let (arrays, more) =
            if twice { (vec![now.var, now.var], size.var.into()) } else { (vec![now.var, lit], SubExp::i64(1)) };
        let next = b.prim_op(int.plus(), &[size.var.into(), more]);
        let size = Dim::from_subexp(next).unwrap_or(Dim::Const(0));
        vec![next, b.let_one("longer", Exp::Concat { arrays, size }).into()]
    };
    let shorter_body = |m: &mut Maker, b: &mut Builder| {
        let half = b.prim_op(Prim::Bin(BinOp::Shr, int), &[size.var.into(), SubExp::i64(1)]);
        let count = Dim::from_subexp(half).unwrap_or(Dim::Const(0));
        let (start, stride) = (SubExp::i64(0), SubExp::i64(1));
        let slice = vec![SliceDim::Range { start, count, stride }];
        let check = Check::Slice { start, end: half, stride, size: Dim::Var(size.var) };
        vec![half, m.certified(b, check, "half", Exp::Slice { array: now.var, slice }).into()]
    };
    let body = b.inner(|b| {
        let mut results = if either {
            let odd = b.prim_op(Prim::Bin(BinOp::And, int), &[size.var.into(), SubExp::i64(1)]);
            let cond = b.prim_op(Prim::Cmp(CmpOp::Eq, int), &[odd, SubExp::i64(1)]);
            let (yes, no) = (b.inner(longer_body), b.inner(|b| shorter_body(m, b)));
            let size = b.vars.fresh("k", Type::I64);
            let xs = b.vars.fresh("xs", Type::Array(elem, vec![Dim::Var(size.var)]));
            b.bind(vec![size.clone(), xs.clone()], Exp::If { cond, yes, no });
            vec![size.var.into(), xs.var.into()]
        } else if longer {
            longer_body(b)
        } else {
            shorter_body(m, b)
        };
        let check = Check::Bounds { indices: vec![index.var.into()], sizes: b.vars.ty(noted).shape().to_vec() };
        let update = Exp::Update { array: note.var, indices: vec![index.var.into()], value: size.var.into() };
        results.push(m.certified(b, check, "noted", update).into());
        results
    });
    let param = |binder: &Binder, unique: bool, init: SubExp| LoopParam { binder: binder.clone(), unique, init };
    let params =
        vec![param(&size, false, width.into()), param(&now, false, xs.into()), param(&note, true, noted.into())];
    let after = b.vars.fresh("k", Type::I64);
    let pat = [
        after.clone(),
        b.vars.fresh("xs", Type::Array(elem, vec![Dim::Var(after.var)])),
        b.vars.fresh("noted", b.vars.ty(noted).clone()),
    ];
    b.bind(pat.to_vec(), Exp::Loop { params, form: LoopForm::For { index, bound }, body });
    pat.map(|p| p.var)
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
