//! Larger inputs than a case has, made of its own: what is an index stays one, and is there more than once.

use crate::random::rebuilt;
use futi_core::hash::HashSet;
use futi_core::ir::{Dim, Fun, Type, Var};
use futi_core::prim::Scalar;
use futi_core::value::{Array, Value};

/// How many times as large inputs are.
pub(super) const FACTORS: [usize; 3] = [1, 4, 13];
/// Which part of an array of integers all its elements are taken from, in hundredths; none: they are what they are.
pub(super) const COLLAPSES: [Option<usize>; 3] = [None, Some(50), Some(0)];
/// The most elements of an input.
const MOST: usize = 1 << 14;

/// Arguments of a function so many times as large in each dimension that has a name, what is in them repeated, and with all integers of an array the same. None if nothing changes that was
/// to change, or if they are too large.
pub(super) fn varied(fun: &Fun, args: Vec<Value>, factor: usize, collapse: Option<usize>) -> Option<Vec<Value>> {
    let named = |dim: &Dim| match dim {
        Dim::Var(var) => Some(*var),
        Dim::Const(_) => None,
    };
    let sizes: HashSet<Var> = fun.params.iter().flat_map(|p| p.binder.ty.shape()).filter_map(named).collect();
    let integers = |v: &Value| matches!(v, Value::Array(a) if a.elem().is_int() && !a.is_empty());
    let (grows, collapses) = (!sizes.is_empty(), args.iter().any(integers));
    if factor > 1 && !grows || collapse.is_some() && !collapses {
        return None;
    }
    let mut all = 0;
    let one = |(param, arg): (&futi_core::ir::FunParam, Value)| match (&param.binder.ty, arg) {
        (Type::Scalar(_), Value::Scalar(Scalar::I64(n))) if sizes.contains(&param.binder.var) => {
            Some(Value::Scalar(Scalar::I64(n.checked_mul(factor as i64)?)))
        }
        (Type::Array(_, dims), Value::Array(array)) => {
            let grown = dims.iter().zip(array.shape().iter()).map(|(dim, n)| match named(dim) {
                Some(_) => n.saturating_mul(factor),
                None => *n,
            });
            let array = repeated(&array, &grown.collect::<Vec<_>>(), &mut all)?;
            Some(match collapse.filter(|_| array.elem().is_int() && !array.is_empty()) {
                Some(part) => Array::filled(array.shape(), array.get((array.len() - 1) * part / 100)).into(),
                None => array.into(),
            })
        }
        (_, arg) => Some(arg),
    };
    fun.params.iter().zip(args).map(one).collect()
}

/// An array of a shape at least as large, with elements repeated in each dimension. None if there are too many, together with those before.
fn repeated(array: &Array, shape: &[usize], all: &mut usize) -> Option<Array> {
    let count = shape.iter().try_fold(1usize, |a, n| a.checked_mul(*n))?;
    *all += count;
    if *all > MOST {
        return None;
    }
    let element = |i: usize| {
        let (mut rest, mut at, mut stride) = (i, 0, 1);
        for (new, old) in shape.iter().zip(array.shape().iter()).rev() {
            at += rest % new % old * stride;
            (rest, stride) = (rest / new, stride * old);
        }
        array.get(at)
    };
    match rebuilt(array.elem(), shape, (0..count).map(element)) {
        Value::Array(array) => Some(array),
        Value::Scalar(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::value::text::parse_values;

    fn varied_text(factor: usize, collapse: Option<usize>) -> Option<String> {
        let program: futi_core::ir::Program = "futi-ir 1
            entry \"f\"(n_0: i64, a_1: [n_0][2]i32, b_2: i64) -> (r_3: i64)
              sig 1 (\"a\": [\"n\"][\"2\"]i32, \"b\": i64) -> i64 { in (b_2) }"
            .parse()
            .unwrap();
        let args = parse_values("2i64 [[1i32, 2i32], [3i32, 4i32]] 7i64").unwrap();
        let values = varied(&program.funs[0], args, factor, collapse)?;
        Some(values.iter().map(Value::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn what_has_a_name_grows_and_is_repeated() {
        assert_eq!(varied_text(1, None).unwrap(), "2i64 [[1i32, 2i32], [3i32, 4i32]] 7i64");
        let twice = "4i64 [[1i32, 2i32], [3i32, 4i32], [1i32, 2i32], [3i32, 4i32]] 7i64";
        assert_eq!(varied_text(2, None).unwrap(), twice);
        assert_eq!(varied_text(1, Some(0)).unwrap(), "2i64 [[1i32, 1i32], [1i32, 1i32]] 7i64");
        assert_eq!(varied_text(1, Some(50)).unwrap(), "2i64 [[2i32, 2i32], [2i32, 2i32]] 7i64");
        assert_eq!(varied_text(1 << 14, None), None);
    }
}
