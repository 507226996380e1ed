//! Reductions of arrays, component by component, become reductions of scalars over columns: `reduce (map2 ⊕) (replicate m ne) xs` is `map (reduce ⊕ ne) (transpose xs)`
//! (digest 004, rule G5).

use super::irregular::{as_dim, product};
use super::nest::Nest;
use crate::hash::{HashMap, HashSet};
use crate::ir::build::{Builder, map_exp, reduce_exp};
use crate::ir::visit::{Node, Visit, free_vars, walk_exp, walk_fun};
use crate::ir::*;

/// An array that is known.
pub(super) enum Constant {
    /// All elements are this scalar.
    Fill(SubExp),
    /// It is written out.
    Literal(Exp),
}

impl Constant {
    fn fill(&self) -> Option<SubExp> {
        match self {
            Constant::Fill(scalar) => Some(*scalar),
            Constant::Literal(_) => None,
        }
    }

    /// What makes such an array, of this type.
    fn exp(&self, ty: &Type) -> Exp {
        match self {
            Constant::Fill(value) => Exp::Replicate { shape: ty.shape().to_vec(), value: *value },
            Constant::Literal(exp) => exp.clone(),
        }
    }
}

/// The arrays of a program that are known.
pub(super) fn constants(program: &Program) -> HashMap<Var, Constant> {
    struct Constants(HashMap<Var, Constant>);
    impl Visit for Constants {
        fn stm(&mut self, stm: &Stm) {
            if let [pat] = &stm.pat[..] {
                let constant = match &stm.exp {
                    Exp::Replicate { shape, value } if pat.ty.rank() == shape.len() => Some(Constant::Fill(*value)),
                    Exp::Replicate { value, .. } => {
                        value.as_var().and_then(|v| self.0.get(&v)?.fill()).map(Constant::Fill)
                    }
                    // mutant comparison: what is not known is made at each point, with the same results
                    Exp::ArrayLit { elems, .. } if pat.ty.rank() == 1 => Some(match &elems[..] {
                        [first, rest @ ..] if rest.iter().all(|e| e == first) => Constant::Fill(*first),
                        _ => Constant::Literal(stm.exp.clone()),
                    }),
                    _ => None,
                };
                self.0.extend(constant.map(|constant| (pat.var, constant)));
            }
            walk_exp(self, &stm.exp);
        }
    }
    let mut constants = Constants(HashMap::default());
    program.funs.iter().for_each(|fun| walk_fun(&mut constants, fun));
    constants.0
}

/// The operator on scalars that an operator on arrays applies to each component of its operands, and the shape of these.
fn componentwise(op: &Operator, constants: &HashMap<Var, Constant>) -> Option<(Vec<Dim>, Operator)> {
    let neutral: Option<Vec<SubExp>> = op.neutral.iter().map(|e| constants.get(&e.as_var()?)?.fill()).collect();
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
pub(super) fn columns(
    b: &mut Builder,
    s: &Screma,
    pat: &[Binder],
    constants: &HashMap<Var, Constant>,
) -> Option<Vec<Stm>> {
    let ops: Vec<_> = s.reduces.iter().map(|op| (op, componentwise(op, constants))).collect();
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

impl Nest {
    /// The neutral elements of a statement that are arrays of constants, made once for all points. `own` are the variables of its body.
    pub(super) fn neutral_once(&self, b: &mut Builder, stm: &mut Stm, own: &HashSet<Var>) {
        let ops: Vec<&mut Operator> = match &mut stm.exp {
            Exp::Screma(s) => s.scans.iter_mut().chain(&mut s.reduces).collect(),
            Exp::WithAcc(w) => w.inputs.iter_mut().map(|input| &mut input.op).collect(),
            _ => return,
        };
        let known = |node: &dyn Node| free_vars(node).iter().all(|v| !self.bound.contains(v) && !own.contains(v));
        for e in ops.into_iter().flat_map(|op| &mut op.neutral).filter(|e| !known(*e)) {
            let constant = e.as_var().and_then(|v| Some((v, self.constants.get(&v)?)));
            if let Some((array, constant)) = constant
                && known(b.vars.ty(array))
                && known(&constant.exp(b.vars.ty(array)))
            {
                // mutant negation: code of each point has the same results
                self.lifted.iter().for_each(|lifted| lifted.used.set(true));
                let exp = constant.exp(b.vars.ty(array));
                *e = b.let_one("neutral", exp).into();
            }
        }
    }
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
