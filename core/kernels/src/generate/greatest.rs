//! How large a size is at most that is found inside of sequential code: in rounds of loops, in branches, at elements of SOACs. Wherever it is bound, the greatest value so far is handed on.

use futi_core::ir::build::{Builder, Vars, reduce_exp};
use futi_core::ir::rename::renamed;
use futi_core::ir::{
    BinOp, Body, Dim, Exp, Lambda, LoopForm, LoopParam, Prim, Prov, Scalar, ScalarType, SegKind, SegOp, Stm, SubExp,
    Type, Var,
};
use futi_core::simplify::dce::sweep_body;

/// What of a body gives the greatest value that the size has wherever something in the body binds it, or 0 if it has none; `None` if nothing there does, or where no value can be handed on.
pub(super) fn greatest(body: &Body, size: Var, vars: &mut Vars) -> Option<Body> {
    let mut body = body.clone();
    let most = handed_on(&mut body, size, vars)?;
    body.result = vec![most];
    sweep_body(&mut body);
    Some(body)
}

/// The greatest value that the size has in a body, which hands it on.
fn handed_on(body: &mut Body, size: Var, vars: &mut Vars) -> Option<SubExp> {
    if body.stms.iter().any(|stm| stm.pat.iter().any(|pat| pat.var == size)) {
        return Some(size.into());
    }
    for at in 0..body.stms.len() {
        if let Some(most) = of_stm(&mut body.stms[at], size, vars) {
            return Some(most);
        }
        if let Some((stm, most)) = beside(&body.stms[at], size, vars) {
            body.stms.insert(at, stm);
            return Some(most);
        }
    }
    None
}

/// A statement that finds the greatest value that the size has in the function of another one, which can hand on no value itself.
fn beside(stm: &Stm, size: Var, vars: &mut Vars) -> Option<(Stm, SubExp)> {
    let (prov, max) = (stm.prov, Prim::Bin(BinOp::Max, ScalarType::I64));
    let only = |body: &Body, vars: &mut Vars| {
        let mut body = body.clone();
        body.result = vec![handed_on(&mut body, size, vars)?];
        Some(body)
    };
    let of_map = |width: Dim, arrays: &[Var], map: &Lambda, vars: &mut Vars| {
        let map = Lambda { body: only(&map.body, vars)?, ret: vec![Type::I64], ..map.clone() };
        // mutant off by one: room for one more than there is, where all sizes are zero
        let reduces = vec![Builder::new(vars, prov).operator(max, Scalar::I64(0))];
        Some(reduce_exp(width, arrays.to_vec(), map, reduces))
    };
    let exp = match &stm.exp {
        Exp::Scatter(s) => of_map(s.width, &s.arrays, &s.map, vars)?,
        Exp::SegOp(seg) if seg.space.len() == 1 => {
            let body = only(&seg.body, vars)?;
            // mutant off by one: room for one more than there is, where all sizes are zero
            let kind = SegKind::Reduce(vec![Builder::new(vars, prov).operator(max, Scalar::I64(0))]);
            Exp::SegOp(SegOp { kind, ret: vec![Type::I64], body, ..seg.clone() })
        }
        _ => return None,
    };
    // what the other one binds is bound there, too
    let exp = renamed(&exp, vars);
    let most = vars.fresh("most", Type::I64);
    let found = most.var.into();
    Some((Stm { pat: vec![most], exp, certs: stm.certs.clone(), attrs: vec![], prov }, found))
}

/// The greatest value that the size has inside of a statement, which gets one result more.
fn of_stm(stm: &mut Stm, size: Var, vars: &mut Vars) -> Option<SubExp> {
    let prov = stm.prov;
    let mut at = stm.pat.len();
    match &mut stm.exp {
        // mutant swap: each has a result more then
        Exp::If { yes, no, .. } => either(&mut [yes, no], size, vars)?,
        Exp::Loop { params, form, body } => {
            let carried = params.iter().position(|p| p.binder.var == size);
            let counted = matches!(form, LoopForm::For { index, .. } if index.var == size && index.ty == Type::I64);
            let now = match carried {
                Some(k) => body.result[k],
                None if counted => size.into(),
                None => handed_on(body, size, vars)?,
            };
            let most = vars.fresh("most", Type::I64);
            let next = greater(body, most.var.into(), now, vars, prov);
            body.result.push(next);
            // mutant off by one: room for one more than there is, where all sizes are zero
            let init = carried.map_or(SubExp::i64(0), |k| params[k].init);
            // mutant negation: a number is consumed by nobody
            params.push(LoopParam { binder: most, unique: false, init });
        }
        Exp::Screma(s) => {
            let most = handed_on(&mut s.map.body, size, vars)?;
            let (scans, reduces) = s.operand_counts();
            s.map.body.result.insert(scans + reduces, most);
            // mutant dropped term: what the others come to is not asked for, and of what is reduced nobody looks at the type
            s.map.ret.insert(scans + reduces, Type::I64);
            let max = Prim::Bin(BinOp::Max, ScalarType::I64);
            // mutant off by one: room for one more than there is, where all sizes are zero
            s.reduces.push(Builder::new(vars, prov).operator(max, Scalar::I64(0)));
            at = if s.post.is_some() { reduces } else { scans + reduces };
        }
        Exp::WithAcc(w) => {
            let most = handed_on(&mut w.lambda.body, size, vars)?;
            w.lambda.body.result.push(most);
            // mutant removal: nobody looks at the type of what comes beside accumulators
            w.lambda.ret.push(Type::I64);
        }
        _ => return None,
    }
    let most = vars.fresh("most", Type::I64);
    let found = most.var.into();
    stm.pat.insert(at, most);
    Some(found)
}

/// Hands the greatest value on from that of some bodies which binds the size; from the others, 0.
fn either(bodies: &mut [&mut Body], size: Var, vars: &mut Vars) -> Option<()> {
    let (at, most) = bodies.iter_mut().enumerate().find_map(|(k, body)| Some((k, handed_on(body, size, vars)?)))?;
    for (k, body) in bodies.iter_mut().enumerate() {
        // mutant off by one `0`: room for one more than there is
        body.result.push(if k == at { most } else { SubExp::i64(0) });
    }
    Some(())
}

/// The greater of two values, behind what a body does.
fn greater(body: &mut Body, x: SubExp, y: SubExp, vars: &mut Vars, prov: Prov) -> SubExp {
    let mut b = Builder::new(vars, prov);
    let max = b.int(BinOp::Max, x, y);
    body.stms.append(&mut b.stms);
    max
}
