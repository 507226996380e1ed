//! What is built in: arrays, SOACs, derivatives.

use super::Lowerer;
use super::value::{Inst, Shape, Val};
use crate::ir::*;
use crate::types::typed::Intrinsic;

impl Intrinsic {
    /// The number of arguments after which it can be evaluated.
    pub(super) fn arity(self) -> usize {
        match self {
            Intrinsic::Iota | Intrinsic::Unzip | Intrinsic::Transpose | Intrinsic::Flatten | Intrinsic::Unflatten => 1,
            Intrinsic::Reverse | Intrinsic::Copy => 1,
            Intrinsic::Map | Intrinsic::Replicate | Intrinsic::Zip | Intrinsic::Concat => 2,
            Intrinsic::Reduce | Intrinsic::ReduceComm | Intrinsic::Scan | Intrinsic::Jvp2 | Intrinsic::Vjp2 => 3,
        }
    }
}

/// The instance's sizes and types, in order.
fn split(insts: &[Inst]) -> (Vec<Dim>, Vec<&Shape>) {
    let sizes = insts.iter().filter_map(|i| if let Inst::Size(d) = i { Some(*d) } else { None });
    let types = insts.iter().filter_map(|i| if let Inst::Type(t) = i { Some(t) } else { None });
    (sizes.collect(), types.collect())
}

impl Lowerer<'_> {
    /// Something built in, applied to all of its arguments; `insts` is what the parameters of its type stand for (`prelude/intrinsics.fut`).
    pub fn intrinsic(&mut self, intrinsic: Intrinsic, insts: &[Inst], args: Vec<Val>) -> Val {
        let (sizes, types) = split(insts);
        match intrinsic {
            Intrinsic::Map => self.map(sizes[0], types[0], types[1], &args[0], args[1].clone()),
            Intrinsic::Reduce => self.reduce(sizes[0], types[0], args, false),
            Intrinsic::ReduceComm => self.reduce(sizes[0], types[0], args, true),
            Intrinsic::Scan => self.scan(sizes[0], types[0], args),
            Intrinsic::Iota => {
                let n = args[0].scalar();
                let cert = self.size_check(n);
                let exp = Exp::Iota { n, start: SubExp::i64(0), step: SubExp::i64(1), elem: ScalarType::I64 };
                Val::Leaf(self.certified("iota", exp, cert).into())
            }
            Intrinsic::Replicate => {
                let n = args[0].scalar();
                let cert = self.size_check(n);
                let shape: Vec<Dim> = Dim::from_subexp(n).into_iter().collect();
                self.each_leaf(&args[1], |l, value| {
                    l.certified("rep", Exp::Replicate { shape: shape.clone(), value }, cert.clone()).into()
                })
            }
            Intrinsic::Zip => {
                let n = sizes[0];
                let sides = args.into_iter().zip(&types);
                Val::Tuple(sides.map(|(v, t)| self.coerce(v, &Shape::Array(n, Box::new((*t).clone())))).collect())
            }
            Intrinsic::Unzip => args[0].clone(),
            Intrinsic::Transpose => self.each_array(&args[0], |l, array| {
                let mut perm: Vec<usize> = (0..l.vars.ty(array).rank()).collect();
                perm.swap(0, 1);
                l.emit("tr", Exp::Rearrange { perm, array })[0]
            }),
            Intrinsic::Flatten => {
                let size = self.arithmetic(BinOp::Mul, &[sizes[0].into(), sizes[1].into()]);
                let size = Dim::from_subexp(size).unwrap_or(Dim::Const(0));
                self.each_array(&args[0], |l, array| {
                    let rest = l.vars.ty(array).shape()[2..].to_vec();
                    l.emit("flat", Exp::Reshape { shape: [vec![size], rest].concat(), array })[0]
                })
            }
            Intrinsic::Unflatten => self.each_array(&args[0], |l, array| {
                let rest = l.vars.ty(array).shape()[1..].to_vec();
                l.emit("unflat", Exp::Reshape { shape: [sizes.clone(), rest].concat(), array })[0]
            }),
            Intrinsic::Reverse => self.each_array(&args[0], |l, array| l.emit("rev", Exp::Reverse { array })[0]),
            Intrinsic::Concat => {
                let size = self.arithmetic(BinOp::Add, &[sizes[0].into(), sizes[1].into()]);
                let size = Dim::from_subexp(size).unwrap_or(Dim::Const(0));
                let right = self.coerce(args[1].clone(), &Shape::Array(sizes[1], Box::new(types[0].clone()))).leaves();
                let left = self.coerce(args[0].clone(), &Shape::Array(sizes[0], Box::new(types[0].clone())));
                let mut right = right.into_iter();
                self.each_array(&left, |l, array| {
                    let other = right.next().and_then(|e| e.as_var());
                    let arrays = std::iter::once(array).chain(other).collect();
                    l.emit("concat", Exp::Concat { arrays, size })[0]
                })
            }
            Intrinsic::Copy => self.each_array(&args[0], |l, array| l.emit("copy", Exp::Copy(array))[0]),
            Intrinsic::Jvp2 | Intrinsic::Vjp2 => self.derivative(intrinsic, types[0], types[1], args),
        }
    }

    /// The certificate that a size is not negative; none is needed for a constant.
    fn size_check(&mut self, n: SubExp) -> Vec<Var> {
        match n {
            SubExp::Lit(Scalar::I64(0..)) => Vec::new(),
            _ => self.emit("size", Exp::Check(Check::NonNegativeSize(n))),
        }
    }

    fn each_leaf(&mut self, value: &Val, mut f: impl FnMut(&mut Self, SubExp) -> SubExp) -> Val {
        let leaves: Vec<SubExp> = value.leaves().into_iter().map(|e| f(self, e)).collect();
        value.with(&mut leaves.into_iter())
    }

    /// The same, leaving scalars as they are.
    fn each_array(&mut self, value: &Val, mut f: impl FnMut(&mut Self, Var) -> Var) -> Val {
        self.each_leaf(value, |l, e| match e.as_var().filter(|v| l.vars.ty(*v).rank() > 0) {
            Some(array) => f(l, array).into(),
            None => e,
        })
    }

    fn map(&mut self, n: Dim, elem: &Shape, ret: &Shape, f: &Val, xs: Val) -> Val {
        let xs = self.coerce(xs, &Shape::Array(n, Box::new(elem.clone())));
        let arrays = xs.leaves().into_iter().filter_map(|e| e.as_var()).collect();
        let map = self.lambda(&[("x", elem)], ret, |l, args| l.apply(f.clone(), args));
        let screma = Screma { width: n, arrays, map, scans: Vec::new(), reduces: Vec::new(), post: None };
        let results = self.emit("map", Exp::Screma(screma));
        ret.value(&mut results.into_iter().map(SubExp::from))
    }

    fn reduce(&mut self, n: Dim, elem: &Shape, args: Vec<Val>, commutative: bool) -> Val {
        let (arrays, map, op) = self.fold(n, elem, args, commutative);
        let screma = Screma { width: n, arrays, map, scans: Vec::new(), reduces: vec![op], post: None };
        let results = self.emit("reduce", Exp::Screma(screma));
        elem.value(&mut results.into_iter().map(SubExp::from))
    }

    fn scan(&mut self, n: Dim, elem: &Shape, args: Vec<Val>) -> Val {
        let (arrays, map, op) = self.fold(n, elem, args, false);
        let screma = Screma { width: n, arrays, map, scans: vec![op], reduces: Vec::new(), post: None };
        let results = self.emit("scan", Exp::Screma(screma));
        Shape::Array(n, Box::new(elem.clone())).value(&mut results.into_iter().map(SubExp::from))
    }

    /// What a reduction or scan is made of: the arrays, a λ that leaves their rows as they are, the operator.
    fn fold(&mut self, n: Dim, elem: &Shape, args: Vec<Val>, commutative: bool) -> (Vec<Var>, Lambda, Operator) {
        let [op, neutral, xs] = args.as_slice() else { panic!("internal error: a fold takes three arguments") };
        let neutral = self.coerce(neutral.clone(), elem).leaves();
        let xs = self.coerce(xs.clone(), &Shape::Array(n, Box::new(elem.clone())));
        let arrays = xs.leaves().into_iter().filter_map(|e| e.as_var()).collect();
        let map = self.lambda(&[("x", elem)], elem, |_, mut args| args.swap_remove(0));
        let lambda = self.lambda(&[("x", elem), ("y", elem)], elem, |l, args| l.apply(op.clone(), args));
        let commutative = commutative || lambda.as_prim().is_some_and(Prim::is_commutative);
        (arrays, map, Operator { lambda, neutral, commutative })
    }

    fn derivative(&mut self, which: Intrinsic, from: &Shape, to: &Shape, args: Vec<Val>) -> Val {
        let [f, x, seed] = args.as_slice() else { panic!("internal error: a derivative takes three arguments") };
        let forward = which == Intrinsic::Jvp2;
        let x = self.coerce(x.clone(), from);
        let seed = self.coerce(seed.clone(), if forward { from } else { to });
        let lambda = self.lambda(&[("x", from)], to, |l, args| l.apply(f.clone(), args));
        let ad = Ad { lambda, args: x.leaves(), seeds: seed.leaves(), seed_shape: Vec::new() };
        let results = self.emit("ad", if forward { Exp::Jvp(ad) } else { Exp::Vjp(ad) });
        let mut results = results.into_iter().map(SubExp::from);
        let value = to.value(&mut results);
        let derivative = if forward { to } else { from }.value(&mut results);
        Val::Tuple(vec![value, derivative])
    }
}
