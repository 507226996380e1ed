//! Map, reduce and scan.

use super::{array_of, arrays};
use crate::hash::HashSet;
use crate::ir::build::{map_exp, reduce_exp, scan_exp};
use crate::ir::*;
use crate::lower::Lowerer;
use crate::lower::value::{Shape, Val};

impl Lowerer<'_> {
    pub(super) fn map(&mut self, n: Dim, elem: &Shape, ret: &Shape, f: &Val, xs: Val) -> Val {
        let xs = self.coerce(xs, &array_of(n, elem));
        let map = self.lambda(&[("x", elem)], ret, |l, args| l.apply(f.clone(), args));
        let certs = self.row_checks(&xs, ret);
        let results = self.certified_many("map", map_exp(n, arrays(&xs), map), certs);
        ret.value(&mut results.into_iter().map(SubExp::from))
    }

    /// The certificates that rows of this type have sizes, but for those that rows of `xs` have: the array of them has a shape also where there are none.
    fn row_checks(&mut self, xs: &Val, row: &Shape) -> Vec<Var> {
        let there: HashSet<Dim> = arrays(xs).iter().flat_map(|a| self.vars.ty(*a).shape()).copied().collect();
        let mut sizes: Vec<Dim> = row.leaves().iter().flat_map(|ty| ty.shape()).copied().collect();
        let mut seen = there;
        sizes.retain(|d| !matches!(d, Dim::Const(0..)) && seen.insert(*d));
        sizes.into_iter().flat_map(|d| self.emit("size", Exp::Check(Check::NonNegativeSize(d.into())))).collect()
    }

    pub(super) fn reduce(&mut self, n: Dim, elem: &Shape, args: Vec<Val>, commutative: bool) -> Val {
        let (arrays, map, op) = self.fold(n, elem, args, commutative);
        let results = self.emit("reduce", reduce_exp(n, arrays, map, vec![op]));
        elem.value(&mut results.into_iter().map(SubExp::from))
    }

    pub(super) fn scan(&mut self, n: Dim, elem: &Shape, args: Vec<Val>) -> Val {
        let (arrays, map, op) = self.fold(n, elem, args, false);
        let results = self.emit("scan", scan_exp(n, arrays, map, vec![op]));
        array_of(n, elem).value(&mut results.into_iter().map(SubExp::from))
    }

    /// What a reduction or scan is made of: the arrays, a λ that leaves their rows as they are, the operator.
    fn fold(&mut self, n: Dim, elem: &Shape, args: Vec<Val>, commutative: bool) -> (Vec<Var>, Lambda, Operator) {
        let [op, neutral, xs] = args.as_slice() else { panic!("internal error: a fold takes three arguments") };
        let op = self.associative(elem, op, neutral, commutative);
        let xs = self.coerce(xs.clone(), &array_of(n, elem));
        let map = self.lambda(&[("x", elem)], elem, |_, mut args| args.swap_remove(0));
        (arrays(&xs), map, op)
    }

    /// An operator on values of this type, with its neutral element.
    pub(super) fn associative(&mut self, elem: &Shape, op: &Val, neutral: &Val, commutative: bool) -> Operator {
        let neutral = self.coerce(neutral.clone(), elem).leaves();
        let lambda = self.lambda(&[("x", elem), ("y", elem)], elem, |l, args| l.apply(op.clone(), args));
        let commutative = commutative || lambda.as_prim().is_some_and(Prim::is_commutative);
        Operator { lambda, neutral, commutative }
    }
}
