//! Maps whose rows have sizes of their own.

use super::{array_of, arrays};
use crate::ir::*;
use crate::lower::Lowerer;
use crate::lower::value::{Shape, Val};

impl Lowerer<'_> {
    /// `flatmap f xs`, where `f` gives an array and something else: the sizes, where each begins, the offsets, the arrays one after the other, and the rest.
    pub(super) fn flatmap(&mut self, n: Dim, types: &[&Shape], args: &[Val]) -> Val {
        let ([from, many, one], [f, xs]) = (types, args) else {
            panic!("internal error: flatmap takes two arguments, of three types")
        };
        let xs = self.coerce(xs.clone(), &array_of(n, from));
        let size = self.vars.fresh("k", Type::I64);
        let irregular = many.leaves().len();
        let mut ret = vec![Type::I64];
        ret.extend(array_of(size.var.into(), many).leaves());
        ret.extend(one.leaves());
        let mut params = Vec::new();
        params.extend(from.leaves().into_iter().map(|t| self.vars.fresh("x", t)));
        let x = from.value(&mut params.iter().map(|b| b.var.into()));
        let body = self.inner(|l| {
            let Val::Tuple(results) = l.apply(f.clone(), vec![x]) else { panic!("internal error: flatmap of no pair") };
            let [own, rest] = results.as_slice() else { panic!("internal error: flatmap of no pair") };
            let k = own.leaves().first().map(|e| l.vars.type_of(*e).shape()[0]).unwrap_or(Dim::Const(0));
            let own = l.coerce(own.clone(), &array_of(k, many));
            let rest = l.coerce(rest.clone(), one);
            [vec![k.into()], own.leaves(), rest.leaves()].concat()
        });
        let lambda = Lambda { params, ret, body };
        let flatmap = FlatMap { width: n, arrays: arrays(&xs), size, irregular, lambda };
        let total = self.vars.fresh("m", Type::I64);
        let others = flatmap.result_types(total.var).into_iter().skip(1).map(|t| self.vars.fresh("flat", t));
        let pat: Vec<Binder> = std::iter::once(total).chain(others).collect();
        let mut results = pat.clone().into_iter().skip(1).map(|b| SubExp::from(b.var));
        self.bind(pat, flatmap.into(), Vec::new());
        let mut parts: Vec<Val> = results.by_ref().take(3).map(Val::Leaf).collect();
        parts.push(many.value(&mut results));
        parts.push(one.value(&mut results));
        Val::Tuple(parts)
    }
}
