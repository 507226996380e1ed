//! Reductions of arrays, component by component, become reductions of scalars over columns: `reduce (map2 ⊕) (replicate m ne) xs` is `map (reduce ⊕ ne) (transpose xs)`
//! (digest 004, rule G5).

use super::irregular::{as_dim, product};
use crate::hash::HashMap;
use crate::ir::build::{Builder, map_exp, reduce_exp};
use crate::ir::visit::{Visit, walk_exp, walk_fun};
use crate::ir::*;

/// The arrays of a program all of whose elements are one scalar, and that.
pub(super) fn fills(program: &Program) -> HashMap<Var, SubExp> {
    struct Fills(HashMap<Var, SubExp>);
    impl Visit for Fills {
        fn stm(&mut self, stm: &Stm) {
            if let (Exp::Replicate { shape, value }, [pat]) = (&stm.exp, &stm.pat[..]) {
                let scalar = pat.ty.rank() == shape.len();
                let fill = if scalar { Some(*value) } else { value.as_var().and_then(|v| self.0.get(&v).copied()) };
                self.0.extend(fill.map(|fill| (pat.var, fill)));
            }
            walk_exp(self, &stm.exp);
        }
    }
    let mut fills = Fills(HashMap::default());
    program.funs.iter().for_each(|fun| walk_fun(&mut fills, fun));
    fills.0
}

/// The operator on scalars that an operator on arrays applies to each component of its operands, and the shape of these.
fn componentwise(op: &Operator, fills: &HashMap<Var, SubExp>) -> Option<(Vec<Dim>, Operator)> {
    let neutral: Option<Vec<SubExp>> = op.neutral.iter().map(|e| fills.get(&e.as_var()?).copied()).collect();
    let (mut lambda, mut shape) = (&op.lambda, Vec::new());
    // mutant swap: no map alone gives arrays and scalars
    // mutant negation: an operator has results
    while lambda.ret.first().is_some_and(|ty| ty.rank() > 0) {
        let [Stm { pat, exp: Exp::Screma(s), .. }] = &lambda.body.stms[..] else { return None };
        let plain = matches!((&s.scans[..], &s.reduces[..], &s.post), ([], [], None));
        let same = s.arrays.iter().eq(lambda.params.iter().map(|p| &p.var));
        let returned = lambda.body.result.iter().copied().eq(pat.iter().map(|p| p.var.into()));
        (plain && same && returned).then_some(())?;
        shape.push(s.width);
        lambda = &s.map;
    }
    Some((shape, Operator { lambda: lambda.clone(), neutral: neutral?, commutative: op.commutative }))
}

/// The statements for a SOAC that reduces arrays by components; `None` if it does not. What its map makes of its operands is stored.
pub(super) fn columns(b: &mut Builder, s: &Screma, pat: &[Binder], fills: &HashMap<Var, SubExp>) -> Option<Vec<Stm>> {
    let ops: Vec<_> = s.reduces.iter().map(|op| (op, componentwise(op, fills))).collect();
    ops.iter().any(|(_, by)| by.is_some()).then_some(())?;
    let (mut rest, mut rest_pat) = (Screma { reduces: vec![], ..s.clone() }, Vec::new());
    (rest.map.ret, rest.map.body.result) = Default::default();
    let (mut stored, mut reductions) = (Vec::new(), Vec::new());
    let mut first = 0;
    for (op, by) in &ops {
        let own = first..first + op.neutral.len();
        first = own.end;
        let Some((shape, scalar)) = by else {
            rest.reduces.push((*op).clone());
            rest.map.ret.extend_from_slice(&s.map.ret[own.clone()]);
            rest.map.body.result.extend_from_slice(&s.map.body.result[own.clone()]);
            rest_pat.extend_from_slice(&pat[own]);
            continue;
        };
        let mut arrays = Vec::new();
        for k in own.clone() {
            let result = s.map.body.result[k];
            let param = s.map.params.iter().position(|p| SubExp::Var(p.var) == result);
            arrays.push(match param {
                Some(k) => s.arrays[k],
                None => {
                    let rows = b.vars.fresh("rows", s.map.ret[k].array_of(&[s.width]));
                    stored.push((rows.clone(), s.map.ret[k].clone(), result));
                    rows.var
                }
            });
        }
        reductions.push((arrays, shape, scalar, &pat[own]));
    }
    let mapped = (first..s.map.ret.len()).map(|k| (pat[k].clone(), s.map.ret[k].clone(), s.map.body.result[k]));
    for (pat, ty, result) in stored.into_iter().chain(mapped) {
        rest.map.ret.push(ty);
        rest.map.body.result.push(result);
        rest_pat.push(pat);
    }
    // what nothing relies on may still be a check
    if rest_pat.is_empty() && !s.map.body.stms.is_empty() {
        return None;
    }
    let outer = std::mem::take(&mut b.stms);
    if !rest_pat.is_empty() {
        b.bind(rest_pat, rest.into());
    }
    for (arrays, shape, scalar, pat) in reductions {
        reduce_columns(b, s.width, &arrays, shape, scalar, pat);
    }
    Some(std::mem::replace(&mut b.stms, outer))
}

/// Each component of the rows of arrays reduced.
fn reduce_columns(b: &mut Builder, height: Dim, arrays: &[Var], shape: &[Dim], op: &Operator, pat: &[Binder]) {
    let flat = as_dim(product(b, shape));
    let mut columns = Vec::new();
    for array in arrays {
        let rows = match shape.len() {
            1 => *array,
            _ => b.let_one("rows", Exp::Reshape { shape: vec![height, flat], array: *array }),
        };
        columns.push(b.let_one("columns", Exp::Rearrange { perm: vec![1, 0], array: rows }));
    }
    let params: Vec<Binder> = columns.iter().map(|c| b.vars.fresh("column", b.vars.ty(*c).row())).collect();
    let ret = op.lambda.ret.clone();
    let body = b.inner(|b| {
        let map = b.identity("x", &ret);
        let arrays = params.iter().map(|p| p.var).collect();
        let reduces = vec![op.clone()];
        b.let_many("sum", reduce_exp(height, arrays, map, reduces)).into_iter().map(SubExp::from).collect()
    });
    let map = Lambda { params, ret, body };
    let each = map_exp(flat, columns, map);
    if shape.len() == 1 {
        return b.bind(pat.to_vec(), each);
    }
    for (sums, pat) in b.let_many("sums", each).into_iter().zip(pat) {
        b.bind(vec![pat.clone()], Exp::Reshape { shape: shape.to_vec(), array: sums });
    }
}
