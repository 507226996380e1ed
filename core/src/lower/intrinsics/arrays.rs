//! Whole arrays: new ones, and those that hold the elements of others in another order or shape.

use super::array_of;
use crate::ir::*;
use crate::lower::Lowerer;
use crate::lower::value::{Shape, Val};

impl Lowerer<'_> {
    pub(super) fn iota(&mut self, n: SubExp) -> Val {
        let cert = self.size_check(n);
        let exp = Exp::Iota { n, start: SubExp::i64(0), step: SubExp::i64(1), elem: ScalarType::I64 };
        Val::Leaf(self.certified("iota", exp, cert).into())
    }

    pub(super) fn replicate(&mut self, n: SubExp, x: &Val) -> Val {
        let cert = self.size_check(n);
        let shape: Vec<Dim> = Dim::from_subexp(n).into_iter().collect();
        self.each_leaf(x, |l, value| {
            l.certified("rep", Exp::Replicate { shape: shape.clone(), value }, cert.clone()).into()
        })
    }

    /// An array of whatever; all of it is written before any of it is read.
    pub(super) fn scratch(&mut self, n: SubExp, elem: &Shape) -> Val {
        let cert = self.size_check(n);
        let n = Dim::from_subexp(n).unwrap_or(Dim::Const(0));
        let mut new = Vec::new();
        for ty in array_of(n, elem).leaves() {
            let Type::Array(elem, shape) = ty else { continue };
            new.push(self.certified("scratch", Exp::Scratch { elem, shape }, cert.clone()).into());
        }
        elem.value(&mut new.into_iter())
    }

    /// The certificate that a size is not negative; none is needed for a constant. Futhark's arrays are maps over ranges, and so fail.
    pub(super) fn size_check(&mut self, n: SubExp) -> Vec<Var> {
        match n {
            SubExp::Lit(Scalar::I64(0..)) => Vec::new(),
            end => {
                let start = SubExp::i64(0);
                self.emit("size", Exp::Check(Check::Range { start, second: None, end, kind: RangeKind::UpTo }))
            }
        }
    }

    pub(super) fn zip(&mut self, n: Dim, types: &[&Shape], sides: Vec<Val>) -> Val {
        let sides = sides.into_iter().zip(types);
        Val::Tuple(sides.map(|(v, t)| self.coerce(v, &array_of(n, t))).collect())
    }

    pub(super) fn transpose(&mut self, xs: &Val) -> Val {
        self.each_array(xs, |l, array| {
            let mut perm: Vec<usize> = (0..l.vars.ty(array).rank()).collect();
            perm.swap(0, 1);
            l.emit("tr", Exp::Rearrange { perm, array })[0]
        })
    }

    pub(super) fn flatten(&mut self, sizes: &[Dim], xs: &Val) -> Val {
        let size = self.arithmetic(BinOp::Mul, &[sizes[0].into(), sizes[1].into()]);
        let size = Dim::from_subexp(size).unwrap_or(Dim::Const(0));
        self.each_array(xs, |l, array| {
            let rest = l.vars.ty(array).shape()[2..].to_vec();
            l.emit("flat", Exp::Reshape { shape: [vec![size], rest].concat(), array })[0]
        })
    }

    pub(super) fn unflatten(&mut self, sizes: &[Dim], xs: &Val) -> Val {
        self.each_array(xs, |l, array| {
            let rest = l.vars.ty(array).shape()[1..].to_vec();
            l.emit("unflat", Exp::Reshape { shape: [sizes.to_vec(), rest].concat(), array })[0]
        })
    }

    pub(super) fn reverse(&mut self, xs: &Val) -> Val {
        self.each_array(xs, |l, array| l.emit("rev", Exp::Reverse { array })[0])
    }

    pub(super) fn rotate(&mut self, by: SubExp, xs: &Val) -> Val {
        self.each_array(xs, |l, array| l.emit("rot", Exp::Rotate { by, array })[0])
    }

    pub(super) fn concat(&mut self, sizes: &[Dim], elem: &Shape, args: Vec<Val>) -> Val {
        let size = self.arithmetic(BinOp::Add, &[sizes[0].into(), sizes[1].into()]);
        let size = Dim::from_subexp(size).unwrap_or(Dim::Const(0));
        let right = self.coerce(args[1].clone(), &array_of(sizes[1], elem)).leaves();
        let left = self.coerce(args[0].clone(), &array_of(sizes[0], elem));
        let mut right = right.into_iter();
        self.each_array(&left, |l, array| {
            let other = right.next().and_then(|e| e.as_var());
            let arrays = std::iter::once(array).chain(other).collect();
            l.emit("concat", Exp::Concat { arrays, size })[0]
        })
    }

    pub(super) fn copy(&mut self, x: &Val) -> Val {
        self.each_array(x, |l, array| l.emit("copy", Exp::Copy(array))[0])
    }

    pub(super) fn manifest(&mut self, x: &Val) -> Val {
        self.each_array(x, |l, array| {
            let perm = (0..l.vars.ty(array).rank()).collect();
            l.emit("manifest", Exp::Manifest { perm, array })[0]
        })
    }

    pub(super) fn opaque(&mut self, x: &Val) -> Val {
        self.each_leaf(x, |l, e| l.emit("opaque", Exp::Opaque(e))[0].into())
    }
}
