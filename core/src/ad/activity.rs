//! Activity: which variables depend, differentiably, on those that a derivative is taken with respect to. All others have no tangent and no
//! adjoint, so that no code is made for them.
//!
//! An accumulator is active when any value added to it is, or the array that it came from: activity is of its identity, the certificate.

use super::is_zero;
use crate::hash::HashSet;
use crate::ir::visit::free_vars;
use crate::ir::*;

/// The active variables.
pub type Active = HashSet<Var>;

/// Adds to the active variables those that a body makes from them.
pub fn extend(active: &mut Active, body: &Body) {
    // the rules are monotone, so what loops and operators carry back needs only another round
    loop {
        let before = active.len();
        walk(active, body);
        if active.len() == before {
            return;
        }
    }
}

/// Whether the operand is active.
pub fn is_active(active: &Active, e: SubExp) -> bool {
    e.as_var().is_some_and(|v| active.contains(&v))
}

fn mark(active: &mut Active, b: &Binder, if_: bool) {
    let acc = matches!(&b.ty, Type::Acc(acc) if active.contains(&acc.id));
    if (if_ && b.ty != Type::Cert) || acc {
        active.insert(b.var);
        if let Type::Acc(acc) = &b.ty {
            active.insert(acc.id);
        }
    }
}

fn walk(active: &mut Active, body: &Body) {
    for stm in &body.stms {
        let on = |active: &Active, e: SubExp| is_active(active, e);
        let any = |active: &Active, es: &[SubExp]| es.iter().any(|e| is_active(active, *e));
        let results: Vec<bool> = match &stm.exp {
            Exp::SubExp(e) | Exp::Opaque(e) | Exp::Replicate { value: e, .. } => vec![on(active, *e)],
            Exp::Prim(op, args) => {
                vec![args.iter().enumerate().any(|(i, e)| on(active, *e) && !is_zero(&op.partial(i)))]
            }
            Exp::ArrayLit { elems, .. } => vec![any(active, elems)],
            Exp::Index { array, .. }
            | Exp::Rearrange { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Coerce { array, .. }
            | Exp::Reverse { array }
            | Exp::Rotate { array, .. }
            | Exp::Slice { array, .. }
            | Exp::FlatIndex { array, .. }
            | Exp::Manifest { array, .. }
            | Exp::Copy(array) => vec![active.contains(array)],
            Exp::Update { array, value, .. } => vec![active.contains(array) || on(active, *value)],
            Exp::UpdateSlice { array, value, .. } | Exp::FlatUpdate { array, value, .. } => {
                vec![active.contains(array) || active.contains(value)]
            }
            // mutant swap `[*start, *step]`: whether any of two is active
            Exp::Iota { start, step, .. } => vec![any(active, &[*start, *step])],
            Exp::Concat { arrays, .. } => vec![arrays.iter().any(|a| active.contains(a))],
            Exp::Scratch { .. } | Exp::Check(_) => vec![false],
            Exp::Apply { args, .. } => vec![any(active, args); stm.pat.len()],
            Exp::If { yes, no, .. } => {
                walk(active, yes);
                walk(active, no);
                yes.result.iter().zip(&no.result).map(|(y, n)| on(active, *y) || on(active, *n)).collect()
            }
            Exp::Loop { params, body, .. } => {
                for (p, next) in params.iter().zip(&body.result) {
                    let varies = on(active, p.init) || on(active, *next);
                    mark(active, &p.binder, varies);
                }
                walk(active, body);
                params.iter().map(|p| active.contains(&p.binder.var)).collect()
            }
            Exp::Screma(s) => screma(active, s),
            Exp::WithAcc(w) => {
                let n = w.inputs.len();
                for (input, p) in w.inputs.iter().zip(&w.lambda.params[n..]) {
                    let varies = input.arrays.iter().any(|a| active.contains(a));
                    mark(active, p, varies);
                }
                walk(active, &w.lambda.body);
                let ids = w.lambda.params[..n].iter().zip(&w.inputs);
                let arrays = ids.flat_map(|(id, input)| vec![active.contains(&id.var); input.arrays.len()]);
                arrays.chain(w.lambda.body.result[n..].iter().map(|e| on(active, *e))).collect()
            }
            // that of an active accumulator is active by its identity
            Exp::UpdAcc { values, .. } => vec![any(active, values)],
            // the λ is the identity
            Exp::Scatter(s) => {
                let ranks: usize = s.dests.iter().map(|d| d.shape.len()).sum();
                let values = s.dests.iter().zip(&s.arrays[ranks..]);
                values.map(|(d, v)| active.contains(v) || active.contains(&d.array)).collect()
            }
            Exp::Hist(h) => histogram(active, h),
            Exp::FlatMap(f) => {
                for (p, a) in f.lambda.params.iter().zip(&f.arrays) {
                    let varies = active.contains(a);
                    mark(active, p, varies);
                }
                walk(active, &f.lambda.body);
                let rows = f.lambda.body.result[1..].iter().map(|e| on(active, *e));
                [false; 4].into_iter().chain(rows).collect()
            }
            // a derivative with respect to what is free in it is refused where it is asked for
            Exp::Custom(c) => {
                let varies = any(active, &c.args) || free_vars(&c.lambda).iter().any(|v| active.contains(v));
                vec![varies; stm.pat.len()]
            }
            // gone before, or not to be differentiated
            Exp::Jvp(_) | Exp::Vjp(_) | Exp::SegOp(_) | Exp::Match { .. } | Exp::Stream(_) => {
                let varies = free_vars(&stm.exp).iter().any(|v| active.contains(v));
                vec![varies; stm.pat.len()]
            }
        };
        for (b, varies) in stm.pat.iter().zip(results) {
            mark(active, b, varies);
        }
    }
}

/// Of a histogram of one operator, whose λ is the identity.
fn histogram(active: &mut Active, h: &Hist) -> Vec<bool> {
    let op = &h.ops[0];
    let values = h.arrays[op.shape.len()..].iter().zip(&op.dests);
    let mut results: Vec<bool> = values.map(|(v, d)| active.contains(v) || active.contains(d)).collect();
    operator(active, &op.op, &mut results);
    results
}

/// Of operands that vary or not, whether the results of an operator on them do.
fn operator(active: &mut Active, op: &Operator, varies: &mut [bool]) {
    let m = op.neutral.len();
    for k in 0..m {
        let varies = varies[k] || is_active(active, op.neutral[k]) || is_active(active, op.lambda.body.result[k]);
        mark(active, &op.lambda.params[k], varies);
        mark(active, &op.lambda.params[m + k], varies);
    }
    walk(active, &op.lambda.body);
    for (k, varies) in varies.iter_mut().enumerate() {
        *varies |= active.contains(&op.lambda.params[k].var) || is_active(active, op.lambda.body.result[k]);
    }
}

fn screma(active: &mut Active, s: &Screma) -> Vec<bool> {
    for (p, a) in s.map.params.iter().zip(&s.arrays) {
        let varies = active.contains(a);
        mark(active, p, varies);
    }
    walk(active, &s.map.body);
    let mut results: Vec<bool> = s.map.body.result.iter().map(|e| is_active(active, *e)).collect();
    let mut first = 0;
    for op in s.scans.iter().chain(&s.reduces) {
        let m = op.neutral.len();
        operator(active, op, &mut results[first..first + m]);
        first += m;
    }
    results
}
