//! Puts the SOACs of a body into the shapes that the rules of reverse mode know: maps alone, and scans and reductions of one operator each over
//! arrays as they are (digest 000 §1.7 R-SCAN-MULTI, §1.9). A scan or reduction of rows by a vectorised operator becomes a map of scans or reductions
//! of columns (R-SCAN-VEC, R-RED-VEC). Fusion puts together again what is worth it.

use super::{collected, plain, rewritten};
use crate::analysis::may_fail::may_fail;
use crate::ir::build::{Builder, Vars, map_exp};
use crate::ir::rename::renamed;
use crate::ir::visit::free_vars;
use crate::ir::*;
use crate::prim::{BinOp, CmpOp, Prim, ScalarType};

/// The body in that shape.
pub fn body(vars: &mut Vars, body: &Body) -> Body {
    let body = plain::body(vars, body, false);
    let body = plain::without_names(vars, body);
    let body = collected::body(vars, &body);
    split(vars, &body, true)
}

/// The body with only the vectorised operators gone, as forward mode wants it.
pub fn columns_only(vars: &mut Vars, body: &Body) -> Body {
    let body = plain::body(vars, body, true);
    let body = collected::body(vars, &body);
    split(vars, &body, false)
}

fn split(vars: &mut Vars, body: &Body, all: bool) -> Body {
    rewritten(vars, body, &mut |b, stm| {
        b.certs = stm.certs.clone();
        b.attrs = stm.attrs.clone();
        match stm.exp {
            Exp::Screma(s) if s.scans.iter().chain(&s.reduces).any(|op| all || vectorised(op).is_some()) => {
                screma(b, *s, stm.pat);
            }
            exp => b.push(Stm { exp, ..stm }),
        }
    })
}

fn screma(b: &mut Builder, s: Screma, pat: Vec<Binder>) {
    let (scans, reduces) = s.operand_counts();
    let operands = scans + reduces;
    // operands that are elements of the arrays as they are need no map
    let given = |e: &SubExp| s.map.params.iter().position(|p| SubExp::Var(p.var) == *e).map(|i| s.arrays[i]);
    let as_is: Option<Vec<Var>> = s.map.body.result.iter().map(given).collect();
    let arrays = match as_is {
        Some(arrays) if s.map.body.result.len() == operands => arrays,
        _ => {
            let mut map_pat: Vec<Binder> =
                s.map.ret[..operands].iter().map(|t| b.vars.fresh("operand", t.array_of(&[s.width]))).collect();
            let arrays = map_pat.iter().map(|p| p.var).collect();
            map_pat.extend_from_slice(&pat[operands..]);
            b.bind(map_pat, map_exp(s.width, s.arrays.clone(), s.map.clone()));
            arrays
        }
    };
    let mut first = 0;
    for op in s.scans.into_iter().chain(s.reduces) {
        let range = first..first + op.neutral.len();
        first = range.end;
        single(b, s.width, &arrays[range.clone()], op, range.start < scans, &pat[range]);
    }
}

/// One scan or reduction of arrays as they are.
fn single(b: &mut Builder, width: Dim, arrays: &[Var], op: Operator, scan: bool, pat: &[Binder]) {
    if let Some(inner) = vectorised(&op) {
        return columns(b, width, arrays, &op, &inner, scan, pat);
    }
    if !scan && may_fail(&op.lambda) {
        return last_of_scan(b, width, arrays, op, pat);
    }
    let map = b.identity("x", &op.lambda.ret);
    let (scans, reduces) = if scan { (vec![op], Vec::new()) } else { (Vec::new(), vec![op]) };
    b.bind(pat.to_vec(), Exp::from(Screma { width, arrays: arrays.to_vec(), map, scans, reduces, post: None }));
}

/// A reduction by an operator that may fail: reverse mode would apply it to other operands than the reduction does, of a scan it does not.
fn last_of_scan(b: &mut Builder, width: Dim, arrays: &[Var], op: Operator, pat: &[Binder]) {
    let mut scanned = Vec::new();
    for p in pat {
        scanned.push(b.vars.fresh(p.name.clone(), p.ty.array_of(&[width])));
    }
    let neutral = op.neutral.clone();
    single(b, width, arrays, op, true, &scanned);
    // mutant: no width is negative
    let empty = Prim::Cmp(CmpOp::Eq, ScalarType::I64);
    // mutant swap: equality is symmetric
    let cond = b.prim_op(empty, &[width.into(), SubExp::i64(0)]);
    let yes = Body { stms: Vec::new(), result: neutral };
    let no = b.inner(|b| {
        let last = b.int(BinOp::Sub, width.into(), SubExp::i64(1));
        scanned.iter().map(|p| b.index(p.var, &[last]).into()).collect()
    });
    b.bind(pat.to_vec(), Exp::If { cond, yes, no });
}

/// The operator on elements, when this one is `\xs ys -> map ⊙ xs ys` on (tuples of) arrays.
fn vectorised(op: &Operator) -> Option<Lambda> {
    let Lambda { params, body, .. } = &op.lambda;
    let [stm] = &body.stms[..] else { return None };
    let Exp::Screma(s) = &stm.exp else { return None };
    let results = stm.pat.iter().map(|b| SubExp::Var(b.var)).eq(body.result.iter().copied());
    // ⊙ must not see the operands another way
    let seen = free_vars(&s.map).into_iter().any(|v| params.iter().any(|p| p.var == v));
    if !s.scans.is_empty() || !s.reduces.is_empty() || s.post.is_some() || !results || seen {
        return None;
    }
    // the parameters of ⊙ in the order of the operands; each must be there, once
    let place = |p: &Binder| s.arrays.iter().position(|a| *a == p.var).map(|i| s.map.params[i].clone());
    let elements: Vec<Binder> = params.iter().map(place).collect::<Option<_>>()?;
    (elements.len() == s.arrays.len()).then(|| Lambda { params: elements, ..s.map.clone() })
}

/// `scan (map ⊙) nes xss = transpose (map (scan ⊙) nes (transpose xss))`, and of a reduction without the second transposition.
fn columns(b: &mut Builder, width: Dim, arrays: &[Var], op: &Operator, inner: &Lambda, scan: bool, pat: &[Binder]) {
    let transpose = |b: &mut Builder, array: Var| {
        let perm = [1, 0].into_iter().chain(2..b.vars.ty(array).rank()).collect();
        Exp::Rearrange { perm, array }
    };
    let mut inputs: Vec<Var> = op.neutral.iter().filter_map(|e| e.as_var()).collect();
    let outer = b.vars.ty(arrays[0]).shape()[1];
    for array in arrays {
        let exp = transpose(b, *array);
        inputs.push(b.let_one("columns", exp));
    }
    let m = arrays.len();
    let params: Vec<(&str, Type)> = inputs.iter().map(|v| ("column", b.vars.ty(*v).row())).collect();
    let map = b.lambda(&params, |b, p| {
        let (neutral, columns) = p.split_at(m);
        let neutral = neutral.iter().map(|v| SubExp::Var(*v)).collect();
        let op = Operator { lambda: renamed(inner, b.vars), neutral, commutative: op.commutative };
        let types = inner.ret.iter().map(|t| if scan { t.array_of(&[width]) } else { t.clone() });
        let results: Vec<Binder> = types.map(|t| b.vars.fresh("column", t)).collect();
        single(b, width, columns, op, scan, &results);
        results.iter().map(|r| r.var.into()).collect()
    });
    let exp = map_exp(outer, inputs, map);
    if !scan {
        return b.bind(pat.to_vec(), exp);
    }
    let columns = b.let_many("columns", exp);
    for (p, column) in pat.iter().zip(columns) {
        let exp = transpose(b, column);
        b.bind(vec![p.clone()], exp);
    }
}
