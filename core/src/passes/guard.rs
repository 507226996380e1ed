//! Checks for programs that come as IR from outside. What lowering and passes make relies on checks, or on what is known where it is made; of a text nobody
//! knows. So each access, size and view that lists no certificate of the check that it needs gets that check: a text may fail, as a source program may,
//! but it reads and writes no place outside of an array, on any backend.

use crate::hash::HashMap;
use crate::ir::build::{Builder, Vars};
use crate::ir::visit::{Visit, VisitMut, walk_body_mut, walk_fun, walk_fun_mut, walk_stm};
use crate::ir::*;

/// The program with all checks that it needs.
pub fn guarded(mut program: Program) -> Program {
    #[derive(Default)]
    struct Checks(HashMap<Var, Check>);
    impl Visit for Checks {
        fn stm(&mut self, stm: &Stm) {
            if let (Exp::Check(check), [cert]) = (&stm.exp, &stm.pat[..]) {
                self.0.insert(cert.var, check.clone());
            }
            walk_stm(self, stm);
        }
    }
    let mut checks = Checks::default();
    program.funs.iter().for_each(|fun| walk_fun(&mut checks, fun));
    let mut guard = Guard { vars: Vars::of(&program), checks: checks.0 };
    program.funs.iter_mut().for_each(|fun| walk_fun_mut(&mut guard, fun));
    program
}

struct Guard {
    vars: Vars,
    checks: HashMap<Var, Check>,
}

impl VisitMut for Guard {
    fn body(&mut self, body: &mut Body) {
        walk_body_mut(self, body);
        let mut stms = Vec::new();
        for mut stm in std::mem::take(&mut body.stms) {
            let mut b = Builder::new(&mut self.vars, stm.prov);
            for needed in needed(&mut b, &stm) {
                if !stm.certs.iter().filter_map(|c| self.checks.get(c)).any(|check| implies(check, &needed)) {
                    stm.certs.push(b.let_one("guard", Exp::Check(needed)));
                }
            }
            stms.append(&mut b.stms);
            stms.push(stm);
        }
        body.stms = stms;
    }
}

/// Whether what passes the first check passes the second.
fn implies(check: &Check, needed: &Check) -> bool {
    match (check, needed) {
        (Check::Bounds { indices, sizes }, Check::Bounds { indices: i, sizes: n }) => {
            let known: Vec<_> = indices.iter().zip(sizes).collect();
            i.iter().zip(n).all(|pair| known.contains(&pair))
        }
        (Check::Range { start, second: None, end, kind: RangeKind::UpTo }, Check::NonNegativeSize(n)) => {
            *start == SubExp::i64(0) && end == n
        }
        (check, needed) => check == needed,
    }
}

/// The checks that a statement needs.
fn needed(b: &mut Builder, stm: &Stm) -> Vec<Check> {
    let bounds = |indices: Vec<SubExp>, sizes: &[Dim]| {
        let inside = |(i, n): &(SubExp, Dim)| matches!((i.as_lit().and_then(Scalar::as_i64), n), (Some(i), Dim::Const(n)) if (0..*n).contains(&i));
        let open = indices.into_iter().zip(sizes.iter().copied()).filter(|pair| !inside(pair));
        let (indices, sizes): (Vec<_>, Vec<_>) = open.unzip();
        if indices.is_empty() { Vec::new() } else { vec![Check::Bounds { indices, sizes }] }
    };
    match &stm.exp {
        Exp::Index { array, indices } | Exp::Update { array, indices, .. } => {
            bounds(indices.clone(), &b.vars.ty(*array).shape()[..indices.len()])
        }
        Exp::Slice { array, slice } | Exp::UpdateSlice { array, slice, .. } => {
            let sizes = b.vars.ty(*array).shape()[..slice.len()].to_vec();
            let mut checks = Vec::new();
            for (d, n) in slice.iter().zip(sizes) {
                match *d {
                    SliceDim::Fix(i) => checks.extend(bounds(vec![i], &[n])),
                    SliceDim::Range { start, count, stride }
                        if (start, stride) == (SubExp::i64(0), SubExp::i64(1)) && count == n => {}
                    SliceDim::Range { start, count, stride } => checks.extend(within(b, n, start, &[(count, stride)])),
                }
            }
            checks
        }
        Exp::FlatIndex { array, offset, dims } | Exp::FlatUpdate { array, offset, dims, .. } => {
            within(b, b.vars.ty(*array).shape()[0], *offset, dims)
        }
        Exp::Reshape { shape, array } => {
            let old = b.vars.ty(*array).shape().to_vec();
            if old == *shape {
                return Vec::new();
            }
            let sizes = [&old[..], shape].map(|dims| Dim::from_subexp(product(b, dims)));
            let equal = |sizes: [Dim; 2]| Check::SizeEq { actual: vec![sizes[0]], expected: vec![sizes[1]] };
            let [Some(old), Some(new)] = sizes else { return Vec::new() };
            [Check::Shape(shape.clone())].into_iter().chain((old != new).then(|| equal([old, new]))).collect()
        }
        Exp::Coerce { shape, array } => {
            let actual = b.vars.ty(*array).shape().to_vec();
            if actual == *shape { Vec::new() } else { vec![Check::SizeEq { actual, expected: shape.clone() }] }
        }
        Exp::Iota { n, .. } => size(*n),
        Exp::Replicate { shape, .. } | Exp::Scratch { shape, .. } => {
            shape.iter().flat_map(|d| size((*d).into())).collect()
        }
        Exp::Concat { arrays, size } => {
            let sizes: Vec<SubExp> = arrays.iter().map(|a| b.vars.ty(*a).shape()[0].into()).collect();
            let sum = sizes.into_iter().reduce(|x, y| b.prim_op(ScalarType::I64.plus(), &[x, y]));
            let Some(sum) = sum.and_then(Dim::from_subexp) else { return Vec::new() };
            vec![Check::NonNegativeSize(sum.into()), Check::SizeEq { actual: vec![sum], expected: vec![*size] }]
        }
        _ => Vec::new(),
    }
}

/// That a size is not negative.
fn size(n: SubExp) -> Vec<Check> {
    match n {
        SubExp::Lit(Scalar::I64(0..)) => Vec::new(),
        n => vec![Check::NonNegativeSize(n)],
    }
}

fn product(b: &mut Builder, dims: &[Dim]) -> SubExp {
    let sizes = dims.iter().map(|d| SubExp::from(*d));
    sizes.reduce(|x, y| b.prim_op(ScalarType::I64.times(), &[x, y])).unwrap_or(SubExp::i64(1))
}

/// That all positions of a view by offset and strides are in an array of this size.
fn within(b: &mut Builder, n: Dim, offset: SubExp, dims: &[(Dim, SubExp)]) -> Vec<Check> {
    let dims: Vec<(SubExp, SubExp)> = dims.iter().map(|(count, stride)| ((*count).into(), *stride)).collect();
    let fine = b.view_fits(n, offset, &dims);
    let mut checks: Vec<Check> = dims.iter().flat_map(|(count, _)| size(*count)).collect();
    checks.push(Check::view(fine));
    checks
}
