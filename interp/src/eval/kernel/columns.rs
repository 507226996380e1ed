//! A scalar operator on whole columns: for derivatives, which treat the steps of a parallel node all at once.

use super::operators::operators;
use futi_core::prim::{BinOp, CmpOp, Prim, Scalar, ScalarType as S, UnOp};
use futi_core::value::{Array, Column, Elem};

/// An operand of [`map_prim`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum ColArg<'a> {
    /// The elements of an array, of any shape.
    Array(&'a Array),
    /// The same scalar everywhere.
    Scalar(Scalar),
}

impl ColArg<'_> {
    fn elem(&self) -> S {
        match self {
            ColArg::Array(a) => a.elem(),
            ColArg::Scalar(x) => x.scalar_type(),
        }
    }

    pub(crate) fn get(&self, i: usize) -> Scalar {
        match self {
            ColArg::Array(a) => a.get(i),
            ColArg::Scalar(x) => *x,
        }
    }
}

/// The operator applied element by element to n elements, in row-major order; the result has shape `[n]`. `None` when the operands are not of the
/// operator's types, or an array among them has not n elements. The values are those of [`Prim::eval`]; nothing is counted or rounded.
pub(crate) fn map_prim(op: Prim, args: &[ColArg<'_>], n: usize) -> Option<Array> {
    let (types, result) = op.signature()?;
    let fits = |(a, ty): (&ColArg, &S)| a.elem() == *ty && !matches!(a, ColArg::Array(a) if a.len() != n);
    if args.len() != types.len() || !args.iter().zip(&types).all(fits) {
        return None;
    }
    if let Some(result) = frequent(op, args, n) {
        return Some(result);
    }
    let column = match args {
        [x] => Column::from_scalars(result, (0..n).map(|i| op.eval(&[x.get(i)]))),
        [x, y] => Column::from_scalars(result, (0..n).map(|i| op.eval(&[x.get(i), y.get(i)]))),
        [x, y, z] => Column::from_scalars(result, (0..n).map(|i| op.eval(&[x.get(i), y.get(i), z.get(i)]))),
        _ => None,
    };
    column.map(|column| Array::new(&[n], column))
}

/// An operand at its type.
enum Typed<'a, T> {
    Slice(&'a [T]),
    Scalar(T),
}

fn typed<'a, T: Elem>(a: &ColArg<'a>) -> Option<Typed<'a, T>> {
    match a {
        ColArg::Array(a) => a.slice().map(Typed::Slice),
        ColArg::Scalar(x) => T::from_scalar(*x).map(Typed::Scalar),
    }
}

#[inline(always)]
fn one<A: Elem, R: Elem>(x: &ColArg, n: usize, f: impl Fn(A) -> R) -> Option<Array> {
    let result = match typed::<A>(x)? {
        Typed::Slice(xs) => xs.iter().map(|x| f(*x)).collect(),
        Typed::Scalar(x) => vec![f(x); n],
    };
    Some(Array::from_vec(&[n], result))
}

#[inline(always)]
fn two<A: Elem, R: Elem>(x: &ColArg, y: &ColArg, n: usize, f: impl Fn(A, A) -> R) -> Option<Array> {
    let result = match (typed::<A>(x)?, typed::<A>(y)?) {
        (Typed::Slice(xs), Typed::Slice(ys)) => xs.iter().zip(ys).map(|(x, y)| f(*x, *y)).collect(),
        (Typed::Slice(xs), Typed::Scalar(y)) => xs.iter().map(|x| f(*x, y)).collect(),
        (Typed::Scalar(x), Typed::Slice(ys)) => ys.iter().map(|y| f(x, *y)).collect(),
        (Typed::Scalar(x), Typed::Scalar(y)) => vec![f(x, y); n],
    };
    Some(Array::from_vec(&[n], result))
}

macro_rules! whole {
    ([]
        one { $($one:ident: $p1:pat, $A1:ty => $R1:ty, |$x1:ident| $e1:expr;)* }
        two { $($two:ident: $p2:pat, $A2:ty => $R2:ty, |$x:ident, $y:ident| $e2:expr;)* }
    ) => {
        /// [`map_prim`] of the operators of the table; `None` for any other.
        fn frequent(op: Prim, args: &[ColArg], n: usize) -> Option<Array> {
            match (op, args) {
                $(($p1, [x]) => one::<$A1, $R1>(x, n, |$x1| $e1),)*
                $(($p2, [x, y]) => two::<$A2, $R2>(x, y, n, |$x, $y| $e2),)*
                _ => None,
            }
        }
    };
}
operators!(whole);

#[cfg(test)]
mod tests {
    use super::super::operators::tests::samples;
    use super::*;

    #[test]
    fn whole_columns_are_the_operator_at_each_element() {
        for op in Prim::all() {
            let (types, result) = op.signature().unwrap();
            // Each operand an array or a scalar, in all combinations.
            let n = 12;
            for broadcast in 0..1 << types.len() {
                let columns: Vec<Vec<Scalar>> = (types.iter().enumerate())
                    .map(|(k, ty)| {
                        let xs = samples(*ty);
                        (0..n)
                            .map(|i| if broadcast >> k & 1 == 1 { xs[4] } else { xs[(i * (2 * k + 1)) % n] })
                            .collect()
                    })
                    .collect();
                let arrays: Vec<Array> = (types.iter().zip(&columns))
                    .map(|(ty, xs)| Array::new(&[3, 4], Column::from_scalars(*ty, xs.iter().copied()).unwrap()))
                    .collect();
                let args: Vec<ColArg> = (arrays.iter().enumerate())
                    .map(|(k, a)| if broadcast >> k & 1 == 1 { ColArg::Scalar(a.get(0)) } else { ColArg::Array(a) })
                    .collect();
                let got = map_prim(op, &args, n).unwrap();
                assert_eq!((got.elem(), &got.shape()[..]), (result, &[n][..]));
                for i in 0..n {
                    let operands: Vec<Scalar> = columns.iter().map(|xs| xs[i]).collect();
                    assert_eq!(got.get(i), op.eval(&operands), "{op} {operands:?}");
                }
            }
        }
    }

    #[test]
    fn operands_that_do_not_fit_are_refused() {
        let add = Prim::Bin(BinOp::Add, S::F64);
        let (a, b) = (Array::filled(&[3], Scalar::F64(1.)), Array::filled(&[3], Scalar::I64(1)));
        assert!(map_prim(add, &[ColArg::Array(&a), ColArg::Array(&b)], 3).is_none());
        assert!(map_prim(add, &[ColArg::Array(&a), ColArg::Array(&a)], 4).is_none());
        assert!(map_prim(add, &[ColArg::Array(&a)], 3).is_none());
    }
}
