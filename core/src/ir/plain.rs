//! Constructs said with others: `match` by `if`, a stream by its function.

use super::build::{Builder, bind_params, fresh_pattern, in_type};
use super::*;

/// Binds what `match` gives, by branches. Their conditions are computed first; then each `if` halves the bodies that are left, so that none stands deeper than the logarithm of their number.
pub fn branches(b: &mut Builder, scrutinees: &[SubExp], cases: Vec<Case>, default: Body, pat: Vec<Binder>) {
    let conds: Vec<SubExp> = cases.iter().map(|case| meets(b, scrutinees, &case.pattern)).collect();
    let mut bodies: Vec<Body> = cases.into_iter().map(|case| case.body).collect();
    if bodies.is_empty() {
        let results = b.splice(default);
        return named(b, pat, results);
    }
    bodies.push(default);
    halves(b, &conds, bodies, pat);
}

/// Whether the operands are the constants.
fn meets(b: &mut Builder, scrutinees: &[SubExp], pattern: &[Option<Scalar>]) -> SubExp {
    let (mut all, and) = (None, Prim::Bin(BinOp::And, ScalarType::Bool));
    for (e, constant) in scrutinees.iter().zip(pattern) {
        let Some(constant) = *constant else { continue };
        let equal = b.prim_op(Prim::Cmp(CmpOp::Eq, constant.scalar_type()), &[*e, constant.into()]);
        all = Some(all.map_or(equal, |before| b.prim_op(and, &[before, equal])));
    }
    all.unwrap_or(Scalar::Bool(true).into())
}

/// The first of at least two bodies whose condition holds, else the last one, which needs none.
fn halves(b: &mut Builder, conds: &[SubExp], mut bodies: Vec<Body>, pat: Vec<Binder>) {
    let later = bodies.split_off(bodies.len() / 2);
    let (first, rest) = conds.split_at(bodies.len());
    let or = Prim::Bin(BinOp::Or, ScalarType::Bool);
    let any = first.iter().copied().reduce(|x, y| b.prim_op(or, &[x, y]));
    let mut half = |conds: &[SubExp], mut bodies: Vec<Body>| match bodies.pop() {
        Some(only) if bodies.is_empty() => only,
        last => b.inner(|b| {
            bodies.extend(last);
            let inner = fresh_pattern(b.vars, &pat);
            let result = inner.iter().map(|p| p.var.into()).collect();
            halves(b, conds, bodies, inner);
            result
        }),
    };
    let (yes, no) = (half(first, bodies), half(rest, later));
    b.bind(pat, Exp::If { cond: any.unwrap_or(Scalar::Bool(true).into()), yes, no });
}

/// Binds what a stream gives whose arrays are one chunk: any partition will do.
pub fn one_chunk(b: &mut Builder, s: Stream, pat: Vec<Binder>) {
    let mut results = b.under(Vec::new(), |b| {
        let (size, params) = s.lambda.params.split_at(1);
        b.bind(size.to_vec(), Exp::SubExp(s.width.into()));
        let (carried, chunks) = params.split_at(params.len() - s.arrays.len());
        if let StreamForm::Seq(first) = &s.form {
            bind_params(b, carried, first);
        }
        for (p, array) in chunks.iter().zip(&s.arrays) {
            b.bind(vec![p.clone()], Exp::Coerce { shape: p.ty.shape().to_vec(), array: *array });
        }
        b.splice(s.lambda.body)
    });
    if let StreamForm::Par(op) = s.form {
        let args: Vec<SubExp> = op.neutral.iter().chain(&results[..op.neutral.len()]).copied().collect();
        bind_params(b, &op.lambda.params, &args);
        let combined = b.splice(op.lambda.body);
        results.splice(..combined.len(), combined);
    }
    for (p, e) in pat.into_iter().zip(results) {
        // its results share nothing with the arrays, those of λ may
        match in_type(b, e, &p.ty) {
            SubExp::Var(v) if p.ty.rank() > 0 => b.bind(vec![p], Exp::Copy(v)),
            e => b.bind(vec![p], Exp::SubExp(e)),
        }
    }
}

/// Binds other names of operands.
fn named(b: &mut Builder, pat: Vec<Binder>, results: Vec<SubExp>) {
    for (p, e) in pat.into_iter().zip(results) {
        let e = in_type(b, e, &p.ty);
        b.bind(vec![p], Exp::SubExp(e));
    }
}
