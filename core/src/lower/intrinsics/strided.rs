//! Views by offset and strides, and updates of them. A position counts rows; rows may be arrays.

use super::array_of;
use crate::ir::build::Builder;
use crate::ir::*;
use crate::lower::Lowerer;
use crate::lower::value::{Shape, Val};

/// A dimension of a view: its size, and how far it is from one to the next.
type Stride = (SubExp, SubExp);

impl Lowerer<'_> {
    /// `flat_index_kd as offset n1 s1 … nk sk`
    pub(super) fn flat_index(&mut self, n: Dim, args: &[Val]) -> Val {
        let [xs, offset, strides @ ..] = args else { panic!("internal error: a view takes an array and an offset") };
        let scalars: Vec<SubExp> = strides.iter().map(Val::scalar).collect();
        let strides: Vec<Stride> = scalars.chunks_exact(2).map(|s| (s[0], s[1])).collect();
        let mut certs: Vec<Var> = Vec::new();
        for (size, _) in &strides {
            certs.extend(self.size_check(*size));
        }
        certs.push(self.view_check(n, offset.scalar(), &strides));
        self.each_array(xs, |l, array| {
            let (array, offset, dims) = l.in_scalars(array, offset.scalar(), &strides);
            l.certified("view", Exp::FlatIndex { array, offset, dims }, certs.clone())
        })
    }

    /// `flat_update_kd as offset s1 … sk vs`; the sizes are those of `as`, then of `vs`.
    pub(super) fn flat_update(&mut self, sizes: &[Dim], elem: &Shape, args: &[Val]) -> Val {
        let ([dest, offset, strides @ .., vs], [n, sizes @ ..]) = (args, sizes) else {
            panic!("internal error: an update of a view takes an array, an offset and values")
        };
        let (offset, scalars) = (offset.scalar(), strides.iter().map(Val::scalar));
        let strides: Vec<Stride> = sizes.iter().map(|n| (*n).into()).zip(scalars).collect();
        let cert = self.view_check(*n, offset, &strides);
        let dest = self.coerce(dest.clone(), &array_of(*n, elem));
        let own = self.consumed(&dest);
        let vs = self.coerce(vs.clone(), &sizes.iter().rev().fold(elem.clone(), |t, n| array_of(*n, &t)));
        let mut results = Vec::new();
        for (own, value) in own.into_iter().zip(super::arrays(&vs)) {
            let shape = self.vars.ty(own).shape().to_vec();
            let (array, offset, dims) = self.in_scalars(own, offset, &strides);
            let new = self.certified("upd", Exp::FlatUpdate { array, offset, dims, value }, vec![cert]);
            let whole = shape.len() == 1;
            results.push(if whole { new } else { self.emit("upd", Exp::Reshape { shape, array: new })[0] }.into());
        }
        elem.value(&mut results.into_iter())
    }

    /// The same view of the scalars of an array, whose rows become dimensions of their own.
    fn in_scalars(&mut self, array: Var, offset: SubExp, strides: &[Stride]) -> (Var, SubExp, Vec<(Dim, SubExp)>) {
        let dim = |e: SubExp| Dim::from_subexp(e).unwrap_or(Dim::Const(0));
        let shape = self.vars.ty(array).shape().to_vec();
        if shape.len() == 1 {
            return (array, offset, strides.iter().map(|(n, s)| (dim(*n), *s)).collect());
        }
        let mut row = SubExp::i64(1);
        let mut inner = Vec::new();
        for n in shape[1..].iter().rev() {
            inner.push((*n, row));
            row = self.arithmetic(BinOp::Mul, &[row, (*n).into()]);
        }
        let offset = self.arithmetic(BinOp::Mul, &[offset, row]);
        let mut dims = Vec::new();
        for (n, s) in strides {
            dims.push((dim(*n), self.arithmetic(BinOp::Mul, &[*s, row])));
        }
        dims.extend(inner.into_iter().rev());
        let all = self.arithmetic(BinOp::Mul, &[shape[0].into(), row]);
        let flat = self.emit("flat", Exp::Reshape { shape: vec![dim(all)], array })[0];
        (flat, offset, dims)
    }

    /// The certificate that all positions of a view are among `n`.
    fn view_check(&mut self, n: Dim, offset: SubExp, strides: &[Stride]) -> Var {
        let mut b = Builder::new(&mut self.vars, self.prov);
        let fine = b.view_fits(n, offset, strides);
        for stm in b.stms {
            self.bind(stm.pat, stm.exp, stm.certs);
        }
        self.emit("view", Exp::Check(Check::view(fine)))[0]
    }
}
