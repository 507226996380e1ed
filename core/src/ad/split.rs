//! Puts the SOACs of a body into the shapes that the rules of reverse mode know: maps alone, and scans and reductions of one operator each over
//! arrays as they are (digest 000 §1.7 R-SCAN-MULTI, §1.9). A scan or reduction of rows by a vectorised operator becomes a map of scans or reductions
//! of columns (R-SCAN-VEC, R-RED-VEC). Fusion puts together again what is worth it.

use crate::ir::build::{Builder, Vars, map_exp};
use crate::ir::rename::renamed;
use crate::ir::visit::{VisitMut, free_vars, walk_exp_mut};
use crate::ir::*;

/// The body in that shape.
pub fn body(vars: &mut Vars, body: &Body) -> Body {
    let mut body = body.clone();
    Split { vars }.body(&mut body);
    body
}

struct Split<'a> {
    vars: &'a mut Vars,
}

impl VisitMut for Split<'_> {
    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            walk_exp_mut(self, &mut stm.exp);
            let mut b = Builder::new(self.vars, stm.prov);
            b.certs = stm.certs.clone();
            b.attrs = stm.attrs.clone();
            match stm.exp {
                Exp::Screma(s) if !s.scans.is_empty() || !s.reduces.is_empty() => screma(&mut b, s, stm.pat),
                exp => b.push(Stm { exp, ..stm }),
            }
            body.stms.extend(b.stms);
        }
    }
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
    if let ([array], Some(inner)) = (arrays, vectorised(&op)) {
        return columns(b, width, *array, &op, inner, scan, &pat[0]);
    }
    let params: Vec<(&str, Type)> = op.lambda.ret.iter().map(|t| ("x", t.clone())).collect();
    let map = b.lambda(&params, |_, p| p.iter().map(|v| SubExp::Var(*v)).collect());
    let (scans, reduces) = if scan { (vec![op], Vec::new()) } else { (Vec::new(), vec![op]) };
    b.bind(pat.to_vec(), Exp::Screma(Screma { width, arrays: arrays.to_vec(), map, scans, reduces }));
}

/// The operator on elements, when this one is `\xs ys -> map ⊙ xs ys` on arrays.
fn vectorised(op: &Operator) -> Option<&Lambda> {
    let Lambda { params, body, .. } = &op.lambda;
    let ([x, y], [stm], [SubExp::Var(r)]) = (&params[..], &body.stms[..], &body.result[..]) else { return None };
    let Exp::Screma(s) = &stm.exp else { return None };
    let simple = s.scans.is_empty() && s.reduces.is_empty() && stm.pat[0].var == *r && s.map.ret.len() == 1;
    // ⊙ must not see the operands another way
    let seen = free_vars(&s.map).into_iter().any(|v| v == x.var || v == y.var);
    (simple && !seen && s.arrays == [x.var, y.var]).then_some(&s.map)
}

/// `scan (map ⊙) nes xss = transpose (map (scan ⊙) nes (transpose xss))`, and of a reduction without the second transposition.
fn columns(b: &mut Builder, width: Dim, array: Var, op: &Operator, inner: &Lambda, scan: bool, pat: &Binder) {
    let ty = b.vars.ty(array).clone();
    let perm: Vec<usize> = [1, 0].into_iter().chain(2..ty.rank()).collect();
    let transposed = b.let_one("columns", Exp::Rearrange { perm: perm.clone(), array });
    let elem = ty.row().row();
    let column = elem.array_of(&[width]);
    let outer = ty.shape()[1];
    let SubExp::Var(neutral) = op.neutral[0] else { return };
    let map = b.lambda(&[("ne", elem.clone()), ("column", column.clone())], |b, p| {
        let lambda = renamed(inner, b.vars);
        let op = Operator { lambda, neutral: vec![p[0].into()], commutative: op.commutative };
        let result = b.vars.fresh("column", if scan { column.clone() } else { elem.clone() });
        single(b, width, &[p[1]], op, scan, std::slice::from_ref(&result));
        vec![result.var.into()]
    });
    let exp = map_exp(outer, vec![neutral, transposed], map);
    if !scan {
        return b.bind(vec![pat.clone()], exp);
    }
    let array = b.let_one("columns", exp);
    b.bind(vec![pat.clone()], Exp::Rearrange { perm, array });
}
