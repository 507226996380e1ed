//! A stable radix sort in the IR, for histograms whose operator has no rule of its own (digest 000 §1.7): two bits a pass, of the bits that keys can have.

use super::seed;
use crate::ir::build::{Builder, map_exp};
use crate::ir::*;

/// The positions of keys in their order; those of equal keys in order, too. The keys are between zero and `greatest`.
pub fn by_key(b: &mut Builder, n: Dim, keys: Var, greatest: SubExp) -> Var {
    let i64_op = |op| Prim::Bin(op, ScalarType::I64);
    let zeros = b.prim_op(Prim::Un(UnOp::Clz, ScalarType::I64), &[greatest]);
    let zeros = b.prim_op(Prim::Conv(ScalarType::I32, ScalarType::I64), &[zeros]);
    // half of the bits, rounded up
    let bits = b.prim_op(i64_op(BinOp::Sub), &[SubExp::i64(65), zeros]);
    let passes = b.prim_op(i64_op(BinOp::Shr), &[bits, SubExp::i64(1)]);
    let first = b.iota(n);
    let order = b.vars.fresh("order", Type::I64.array_of(&[n]));
    let pass = b.vars.fresh("pass", Type::I64);
    let param = order.var;
    let at = pass.var;
    let body = b.inner(|b| {
        let shift = b.prim_op(i64_op(BinOp::Shl), &[at.into(), SubExp::i64(1)]);
        vec![one_pass(b, n, keys, param, shift).into()]
    });
    let params = vec![LoopParam { binder: order, unique: false, init: first.into() }];
    b.let_one("order", Exp::Loop { params, form: LoopForm::For { index: pass, bound: passes }, body })
}

/// The order by two more bits: each position goes behind all with a lower digit and those before it with the same.
fn one_pass(b: &mut Builder, n: Dim, keys: Var, order: Var, shift: SubExp) -> Var {
    let i64_op = |op| Prim::Bin(op, ScalarType::I64);
    let digit = b.lambda(&[("p", Type::I64)], |b, p| {
        let key = b.index(keys, &[p[0].into()]).into();
        let rest = b.prim_op(i64_op(BinOp::Shr), &[key, shift]);
        vec![b.prim_op(i64_op(BinOp::And), &[rest, SubExp::i64(3)])]
    });
    let digits = b.let_one("digits", map_exp(n, vec![order], digit));
    let has = |b: &mut Builder, digit: SubExp, which: i64| {
        let equal = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[digit, SubExp::i64(which)]);
        b.prim_op(Prim::Conv(ScalarType::Bool, ScalarType::I64), &[equal])
    };
    // how many there are of each digit up to here, and of each of the lower three altogether
    let count = b.lambda(&[("d", Type::I64)], |b, p| {
        let counts: Vec<SubExp> = (0..4).map(|k| has(b, p[0].into(), k)).collect();
        counts.iter().chain(&counts[..3]).copied().collect()
    });
    let sum = |b: &mut Builder| b.operator(i64_op(BinOp::Add), Scalar::I64(0));
    let scans = (0..4).map(|_| sum(b)).collect();
    let reduces = (0..3).map(|_| sum(b)).collect();
    let counted = Screma { width: n, arrays: vec![digits], map: count, scans, reduces, post: None };
    let counts = b.let_many("counts", counted.into());
    let mut before = vec![SubExp::i64(-1)];
    for total in &counts[4..] {
        let next = b.prim_op(i64_op(BinOp::Add), &[before[before.len() - 1], (*total).into()]);
        before.push(next);
    }
    let params = vec![("c", Type::I64); 5];
    let place = b.lambda(&params, |b, p| {
        let mut place = SubExp::i64(0);
        for k in 0..4 {
            let own = b.prim_op(i64_op(BinOp::Add), &[before[k], p[k + 1].into()]);
            let equal = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[p[0].into(), SubExp::i64(k as i64)]);
            place = b.prim_op(Prim::Select(ScalarType::I64), &[equal, own, place]);
        }
        vec![place]
    });
    let places = b.let_one("places", map_exp(n, [&[digits], &counts[..4]].concat(), place));
    let dest = b.let_one("order", Exp::Scratch { elem: ScalarType::I64, shape: vec![n] });
    seed::scatter(b, 0, n, &[places], order, &[n], dest)
}
