//! Whole arrays: new ones, and those that hold the elements of others in another order or shape.

use super::array_of;
use crate::failure::elements;
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
                let (start, second) = (SubExp::i64(0), Some(SubExp::i64(1)));
                self.emit("size", Exp::Check(Check::Range { start, second, end, kind: RangeKind::UpTo }))
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
        // an array of two dimensions is there, and so is as many elements as it has
        let is_plain = |e: &SubExp| e.as_var().is_some_and(|v| self.vars.ty(v).rank() == 2);
        let certs = if xs.leaves().iter().any(is_plain) { Vec::new() } else { self.shape_check(&sizes[..2]) };
        self.each_array(xs, |l, array| {
            let rest = l.vars.ty(array).shape()[2..].to_vec();
            l.certified("flat", Exp::Reshape { shape: [vec![size], rest].concat(), array }, certs.clone())
        })
    }

    pub(super) fn unflatten(&mut self, sizes: &[Dim], xs: &Val) -> Val {
        let certs = self.shape_check(sizes);
        self.each_array(xs, |l, array| {
            let rest = l.vars.ty(array).shape()[1..].to_vec();
            l.certified("unflat", Exp::Reshape { shape: [sizes.to_vec(), rest].concat(), array }, certs.clone())
        })
    }

    /// The certificate that the product of sizes is one: where they are multiplied, that may wrap. None is needed for constants.
    fn shape_check(&mut self, sizes: &[Dim]) -> Vec<Var> {
        let constants: Option<Vec<i64>> =
            sizes.iter().map(|d| if let Dim::Const(n) = d { Some(*n) } else { None }).collect();
        match constants {
            Some(sizes) if sizes.iter().all(|n| *n >= 0) && elements(&sizes).is_some() => Vec::new(),
            _ => self.emit("shape", Exp::Check(Check::Shape(sizes.to_vec()))),
        }
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
        // two sizes that are none less than zero have a sum that is, where it wraps
        let certs = match size {
            Dim::Const(0..) => Vec::new(),
            size => self.emit("size", Exp::Check(Check::NonNegativeSize(size.into()))),
        };
        let right = self.coerce(args[1].clone(), &array_of(sizes[1], elem)).leaves();
        let left = self.coerce(args[0].clone(), &array_of(sizes[0], elem));
        let mut right = right.into_iter();
        self.each_array(&left, |l, array| {
            let other = right.next().and_then(|e| e.as_var());
            let arrays = std::iter::once(array).chain(other).collect();
            l.certified("concat", Exp::Concat { arrays, size }, certs.clone())
        })
    }

    pub(in crate::lower) fn copy(&mut self, x: &Val) -> Val {
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
