//! The table of partials against numerical differentiation of the evaluator, and at kinks and extremes against what it says of itself.

use super::*;
use std::convert::Infallible;

/// Scalars as they are.
struct Plain;
impl Algebra for Plain {
    type Value = Scalar;
    type Error = Infallible;
    fn lit(&mut self, x: Scalar) -> Scalar {
        x
    }
    fn prim(&mut self, op: Prim, args: &[Scalar]) -> Result<Scalar, Infallible> {
        Ok(op.eval(args))
    }
}

/// ∂op/∂args[i] · t
fn derivative(op: Prim, args: &[Scalar], i: usize, t: Scalar) -> Scalar {
    let Some((params, result)) = op.signature() else { panic!("{op} does not exist") };
    let Ok(d) = op.partial(i).contribution(&mut Plain, args, &op.eval(args), &t, (params[i], result));
    d.unwrap_or(result.zero())
}

fn f64s(xs: &[f64]) -> Vec<Scalar> {
    xs.iter().map(|x| Scalar::F64(*x)).collect()
}

/// Points inside the domain of an operator, away from its kinks.
fn ordinary(op: Prim) -> Vec<Vec<f64>> {
    let one = |xs: &[f64]| xs.iter().map(|x| vec![*x]).collect::<Vec<_>>();
    let two = |xs: &[f64], ys: &[f64]| xs.iter().flat_map(|x| ys.iter().map(|y| vec![*x, *y])).collect::<Vec<_>>();
    match op {
        Prim::Un(UnOp::Sqrt | UnOp::Rsqrt | UnOp::Log | UnOp::Log2 | UnOp::Log10 | UnOp::Cbrt, _) => {
            one(&[0.01, 0.3, 1.0, 2.5, 80.0])
        }
        Prim::Un(UnOp::Log1p, _) => one(&[-0.9, -0.1, 1e-3, 0.7, 30.0]),
        Prim::Un(UnOp::Asin | UnOp::Acos | UnOp::Asinpi | UnOp::Acospi | UnOp::Atanh, _) => one(&[-0.95, -0.4, 0.05, 0.5, 0.9]),
        Prim::Un(UnOp::Acosh, _) => one(&[1.05, 1.4, 2.0, 9.0]),
        Prim::Un(..) => one(&[-2.3, -1.1, -0.2, 0.35, 0.8, 1.7, 3.4]),
        Prim::Bin(BinOp::Pow, _) => two(&[0.2, 0.9, 1.6, 4.0], &[-1.3, -0.5, 0.6, 2.0, 3.1]),
        Prim::Bin(..) => two(&[-2.3, -0.7, 0.45, 1.9], &[-1.2, -0.37, 0.55, 2.6]),
        _ => Vec::new(),
    }
}

/// The central difference of the f64 operator in one operand, by Richardson's extrapolation from two steps.
fn difference(op: Prim, point: &[f64], i: usize) -> f64 {
    let at = |x: f64| {
        let mut p = point.to_vec();
        p[i] = x;
        op.eval(&f64s(&p)).to_f64()
    };
    let step = |h: f64| (at(point[i] + h) - at(point[i] - h)) / (2.0 * h);
    let h = 3e-4 * point[i].abs();
    (4.0 * step(h / 2.0) - step(h)) / 3.0
}

#[test]
fn every_partial_agrees_with_a_difference() {
    let mut checked = 0;
    for op in Prim::all() {
        let narrow = match op {
            Prim::Un(o, ScalarType::F64) => Prim::Un(o, ScalarType::F32),
            Prim::Bin(o, ScalarType::F64) => Prim::Bin(o, ScalarType::F32),
            _ => continue,
        };
        if op.signature().is_none_or(|s| s.1 == ScalarType::Bool) {
            continue;
        }
        for point in ordinary(op) {
            for i in 0..point.len() {
                let expected = difference(op, &point, i);
                let got = derivative(op, &f64s(&point), i, Scalar::F64(1.0)).to_f64();
                assert!(
                    (got - expected).abs() <= 1e-8 * expected.abs().max(1.0),
                    "{op} at {point:?}, operand {i}: {got}, by difference {expected}"
                );
                // the f32 entry against the difference of the f64 function
                let args: Vec<Scalar> = point.iter().map(|x| Scalar::F32(*x as f32)).collect();
                let got = derivative(narrow, &args, i, Scalar::F32(1.0)).to_f64();
                assert!(
                    (got - expected).abs() <= 2e-4 * expected.abs().max(1.0),
                    "{narrow} at {point:?}, operand {i}: {got}, by difference {expected}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "{checked} points");
}

/// ∂op/∂args[i] · t at f64.
fn at(op: Prim, args: &[f64], i: usize, t: f64) -> f64 {
    derivative(op, &f64s(args), i, Scalar::F64(t)).to_f64()
}

#[test]
fn kinks() {
    let un = |op| Prim::Un(op, ScalarType::F64);
    let bin = |op| Prim::Bin(op, ScalarType::F64);
    assert_eq!(at(un(UnOp::Abs), &[0.0], 0, 1.0), 0.0);
    assert_eq!(at(un(UnOp::Sqrt), &[0.0], 0, 1.0), f64::INFINITY);
    assert_eq!(at(un(UnOp::Sqrt), &[0.0], 0, 0.0), 0.0);
    // DESIGN.md, Decisions; futhark-compat.md §2.2: d/dx x**y is 0 if x = 0 and y < 1; d/dy is 0 if x <= 0
    assert_eq!(at(bin(BinOp::Pow), &[0.0, 0.5], 0, 1.0), 0.0);
    assert_eq!(at(bin(BinOp::Pow), &[0.0, 1.0], 0, 1.0), 1.0);
    assert_eq!(at(bin(BinOp::Pow), &[-2.0, 3.0], 0, 1.0), 12.0);
    assert_eq!(at(bin(BinOp::Pow), &[-2.0, 3.0], 1, 1.0), 0.0);
    assert_eq!(at(bin(BinOp::Pow), &[0.0, 0.0], 1, 1.0), 0.0);
    // on equality the first operand; a NaN is not returned
    for op in [BinOp::Min, BinOp::Max] {
        assert_eq!((at(bin(op), &[2.0, 2.0], 0, 1.0), at(bin(op), &[2.0, 2.0], 1, 1.0)), (1.0, 0.0));
        assert_eq!((at(bin(op), &[f64::NAN, 2.0], 0, 1.0), at(bin(op), &[f64::NAN, 2.0], 1, 1.0)), (0.0, 1.0));
        assert_eq!((at(bin(op), &[2.0, f64::NAN], 0, 1.0), at(bin(op), &[2.0, f64::NAN], 1, 1.0)), (1.0, 0.0));
        // the choice is a selection, not 0 * t
        assert_eq!(at(bin(op), &[2.0, 2.0], 1, f64::INFINITY), 0.0);
    }
}

#[test]
fn zero_times_a_singular_partial_is_zero_and_stays_linear() {
    let zmul = Prim::Bin(BinOp::Zmul, ScalarType::F64);
    assert_eq!(zmul.eval(&f64s(&[f64::INFINITY, 0.0])), Scalar::F64(0.0));
    // with respect to the tangent it is d, also at zero
    assert_eq!(at(zmul, &[3.0, 0.0], 1, 1.0), 3.0);
    // with respect to d it is the tangent, and zero absorbs
    assert_eq!(at(zmul, &[3.0, 5.0], 0, 1.0), 5.0);
    assert_eq!(at(zmul, &[3.0, 0.0], 0, f64::INFINITY), 0.0);
    // far out: the quotient rule neither overflows nor divides inf by inf
    let div = Prim::Bin(BinOp::Div, ScalarType::F64);
    assert_eq!(at(div, &[1e300, 1e200], 1, 1.0), -1e-100);
}

#[test]
fn integers_and_booleans_have_derivatives_of_their_own_type() {
    let int = |op, x: i32, y: i32, i| {
        derivative(Prim::Bin(op, ScalarType::I32), &[Scalar::I32(x), Scalar::I32(y)], i, Scalar::I32(1))
    };
    assert_eq!(int(BinOp::Mul, 3, 4, 0), Scalar::I32(4));
    assert_eq!(int(BinOp::Pow, 3, 4, 0), Scalar::I32(108)); // 4 * 3^3
    // futhark-compat.md §2.2: conversions pass (co)tangents through; rounding has derivative zero; comparisons too
    let conv = Prim::Conv(ScalarType::F64, ScalarType::I32);
    assert_eq!(derivative(conv, &[Scalar::F64(2.5)], 0, Scalar::F64(2.0)), Scalar::I32(2));
    assert_eq!(at(Prim::Un(UnOp::Round, ScalarType::F64), &[2.4], 0, 1.0), 0.0);
    let lt = Prim::Cmp(CmpOp::Lt, ScalarType::F64);
    assert_eq!(derivative(lt, &f64s(&[1.0, 2.0]), 0, Scalar::F64(1.0)), Scalar::Bool(false));
    let and = Prim::Bin(BinOp::And, ScalarType::Bool);
    assert_eq!(derivative(and, &[Scalar::Bool(true), Scalar::Bool(false)], 0, Scalar::Bool(true)), Scalar::Bool(false));
    let not = Prim::Un(UnOp::Not, ScalarType::Bool);
    assert_eq!(derivative(not, &[Scalar::Bool(true)], 0, Scalar::Bool(true)), Scalar::Bool(true));
}

#[test]
fn every_partial_is_total() {
    let extremes = [0.0, -0.0, 1.0, -1.0, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for op in Prim::all() {
        let Some((params, result)) = op.signature() else { continue };
        for x in extremes {
            for y in extremes {
                let args: Vec<Scalar> = params.iter().zip([x, y, y]).map(|(t, x)| Scalar::from_f64(*t, x)).collect();
                for (i, t) in params.iter().enumerate() {
                    assert_eq!(derivative(op, &args, i, t.one()).scalar_type(), result, "{op}");
                }
            }
        }
    }
}
