//! Arrays as accumulators: written at computed positions by all rounds of a map at once. An accumulator is an operand like another, whose type is that
//! of its variable.

use super::{array_of, arrays};
use crate::ir::build::map_exp;
use crate::ir::*;
use crate::lower::Lowerer;
use crate::lower::value::{Shape, Val};

impl Lowerer<'_> {
    /// `scatter_stream dest f xs`: `f` gets the accumulator of `dest` and an element, and gives the accumulator with what it has written. Beside each value
    /// is whether it has been written, so that there is a neutral element: what has not.
    pub(super) fn scatter_stream(&mut self, k: Dim, n: Dim, elem: &Shape, from: &Shape, args: &[Val]) -> Val {
        let [dest, f, xs] = args else { panic!("internal error: scatter_stream takes three arguments") };
        let marked = Shape::Record(vec![elem.clone(), Shape::Scalar(ScalarType::Bool)]);
        let lambda = self.lambda(&[("x", &marked), ("y", &marked)], &marked, |l, args| l.last_written(elem, &args));
        let neutral = marked.leaves().iter().map(|t| self.zero_of(t)).collect();
        let op = Operator { lambda, neutral, commutative: true };
        let unwritten = self.emit("new", Exp::Replicate { shape: vec![k], value: Scalar::Bool(false).into() })[0];
        let dest = self.coerce(dest.clone(), &array_of(k, elem));
        let own = [self.consumed(&dest), vec![unwritten]].concat();
        let results = self.accumulate((k, marked.leaves(), own), op, (n, from, xs), f);
        elem.value(&mut results.into_iter().map(SubExp::from))
    }

    /// The second of two values, if it has been written, else the first.
    fn last_written(&mut self, elem: &Shape, args: &[Val]) -> Val {
        let parts = |v: &Val| {
            let mut leaves = v.leaves();
            (leaves.pop().unwrap_or(Scalar::Bool(false).into()), leaves)
        };
        let ((before, x), (cond, y)) = (parts(&args[0]), parts(&args[1]));
        let body = |result| Body { stms: Vec::new(), result };
        let pat: Vec<Binder> = elem.leaves().into_iter().map(|t| self.vars.fresh("last", t)).collect();
        let value = elem.value(&mut pat.iter().map(|b| b.var.into()));
        self.bind(pat, Exp::If { cond, yes: body(y), no: body(x) }, Vec::new());
        let written = self.prim(Prim::Bin(BinOp::Or, ScalarType::Bool), &[before, cond]);
        Val::Tuple(vec![value, Val::Leaf(written)])
    }

    /// `hist_stream dest op ne f xs`: the same, but what is written is combined with what was there.
    pub(super) fn hist_stream(&mut self, k: Dim, n: Dim, elem: &Shape, from: &Shape, args: &[Val]) -> Val {
        let [dest, op, neutral, f, xs] = args else { panic!("internal error: hist_stream takes five arguments") };
        let op = self.associative(elem, op, neutral, true);
        let dest = self.coerce(dest.clone(), &array_of(k, elem));
        let own = self.consumed(&dest);
        let results = self.accumulate((k, elem.leaves(), own), op, (n, from, xs), f);
        elem.value(&mut results.into_iter().map(SubExp::from))
    }

    /// `acc_write acc i x`
    pub(super) fn acc_write(&mut self, elem: &Shape, args: &[Val]) -> Val {
        let [acc, i, x] = args else { panic!("internal error: acc_write takes three arguments") };
        let Some(acc) = acc.scalar().as_var() else { panic!("internal error: a constant as accumulator") };
        let mut values = self.coerce(x.clone(), elem).leaves();
        if matches!(self.vars.ty(acc), Type::Acc(ty) if ty.elems.len() > values.len()) {
            values.push(Scalar::Bool(true).into());
        }
        let exp = Exp::UpdAcc { acc, indices: vec![i.scalar()], values };
        Val::Leaf(self.emit("acc", exp)[0].into())
    }

    /// The arrays, of `k` elements of these types, after `f` has written to their accumulator.
    fn accumulate(
        &mut self,
        (k, elems, own): (Dim, Vec<Type>, Vec<Var>),
        op: Operator,
        (n, from, xs): (Dim, &Shape, &Val),
        f: &Val,
    ) -> Vec<Var> {
        let xs = self.coerce(xs.clone(), &array_of(n, from));
        let id = self.vars.fresh("id", Type::Cert);
        let ty = Type::Acc(AccType { id: id.var, shape: vec![k], elems });
        let acc = self.vars.fresh("acc", ty.clone());
        let body = self.inner(|l| {
            let inner = l.vars.fresh("acc", ty.clone());
            let mut params: Vec<Binder> = from.leaves().into_iter().map(|t| l.vars.fresh("x", t)).collect();
            let x = from.value(&mut params.iter().map(|b| b.var.into()));
            params.push(inner.clone());
            let body = l.inner(|l| l.apply(f.clone(), vec![Val::Leaf(inner.var.into()), x]).leaves());
            let map = Lambda { params, ret: vec![ty.clone()], body };
            let arrays = [arrays(&xs), vec![acc.var]].concat();
            l.emit("acc", map_exp(n, arrays, map)).into_iter().map(SubExp::from).collect()
        });
        let input = AccInput { shape: vec![k], arrays: own, op };
        let lambda = Lambda { params: vec![id, acc], ret: vec![ty], body };
        self.emit("written", Exp::WithAcc(WithAcc { inputs: vec![input], lambda }))
    }
}
