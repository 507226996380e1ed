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

/// The same backwards: from an adjoint `t` of the result to one of the operand.
fn adjoint(op: Prim, args: &[Scalar], i: usize, t: Scalar) -> Scalar {
    let Some((params, result)) = op.signature() else { panic!("{op} does not exist") };
    let Ok(d) = op.partial(i).contribution(&mut Plain, args, &op.eval(args), &t, (result, params[i]));
    d.unwrap_or(params[i].zero())
}

fn f64s(xs: &[f64]) -> Vec<Scalar> {
    xs.iter().map(|x| Scalar::F64(*x)).collect()
}

/// The operands of an operator at these numbers.
fn operands(op: Prim, point: &[f64]) -> Vec<Scalar> {
    let params = op.signature().map(|s| s.0).unwrap_or_default();
    params.iter().zip(point).map(|(t, x)| Scalar::from_f64(*t, *x)).collect()
}

/// Points inside the domain of a float operator, away from its kinks; none for operators that numerics do not judge.
fn ordinary(op: Prim) -> Vec<Vec<f64>> {
    let one = |xs: &[f64]| xs.iter().map(|x| vec![*x]).collect::<Vec<_>>();
    let two = |xs: &[f64], ys: &[f64]| xs.iter().flat_map(|x| ys.iter().map(|y| vec![*x, *y])).collect::<Vec<_>>();
    match op {
        Prim::Un(UnOp::IsNan | UnOp::IsInf | UnOp::ToBits | UnOp::FromBits, _) => Vec::new(),
        Prim::Un(op, t) if t.is_float() => match op {
            UnOp::Sqrt | UnOp::Rsqrt | UnOp::Log | UnOp::Log2 | UnOp::Log10 | UnOp::Cbrt => {
                one(&[0.01, 0.3, 1.0, 2.5, 80.0])
            }
            UnOp::Log1p => one(&[-0.9, -0.1, 1e-3, 0.7, 30.0]),
            UnOp::Asin | UnOp::Acos | UnOp::Asinpi | UnOp::Acospi | UnOp::Atanh => one(&[-0.95, -0.4, 0.05, 0.5, 0.9]),
            UnOp::Acosh => one(&[1.05, 1.4, 2.0, 9.0]),
            UnOp::Tanpi => one(&[-1.1, -0.2, 0.1, 0.8, 1.25]),
            _ => one(&[-2.3, -1.1, -0.2, 0.35, 0.8, 1.7, 3.4]),
        },
        Prim::Bin(op, t) if t.is_float() => match op {
            BinOp::GetBit => Vec::new(),
            BinOp::Pow => two(&[0.2, 0.9, 1.6, 4.0], &[-1.3, -0.5, 0.6, 2.0, 3.1]),
            BinOp::Ldexp => two(&[-2.3, -0.7, 0.45, 1.9], &[-3.0, 0.0, 5.0]),
            BinOp::Polygamma => two(&[0.0, 1.0, 2.0, 3.0, 5.0], &[-2.3, -0.7, 0.4, 1.6, 6.2, 20.0]),
            _ => two(&[-2.3, -0.7, 0.45, 1.9], &[-1.2, -0.37, 0.55, 2.6]),
        },
        Prim::Tern(op, t) if t.is_float() => match op {
            TernOp::SetBit => Vec::new(),
            // below, inside and above the interval
            _ => two(&[-2.3, 1.9], &[-1.2, 2.6])
                .iter()
                .flat_map(|p| [-0.7, 0.3, 0.8, 1.4].map(|t| [&p[..], &[t]].concat()))
                .collect(),
        },
        _ => Vec::new(),
    }
}

/// The operator at f64.
fn widened(op: Prim) -> Prim {
    match op {
        Prim::Un(o, _) => Prim::Un(o, ScalarType::F64),
        Prim::Bin(o, _) => Prim::Bin(o, ScalarType::F64),
        Prim::Tern(o, _) => Prim::Tern(o, ScalarType::F64),
        op => op,
    }
}

/// The central difference of the f64 operator in one operand, by Richardson's extrapolation from two steps.
fn difference(op: Prim, point: &[f64], i: usize) -> f64 {
    let at = |x: f64| {
        let mut p = point.to_vec();
        p[i] = x;
        op.eval(&operands(op, &p)).to_f64()
    };
    let step = |h: f64| (at(point[i] + h) - at(point[i] - h)) / (2.0 * h);
    let h = 3e-4 * point[i].abs();
    (4.0 * step(h / 2.0) - step(h)) / 3.0
}

#[test]
fn every_partial_agrees_with_a_difference() {
    let mut checked = [0; 3];
    for op in Prim::all() {
        let points = ordinary(op);
        let Some((params, result)) = op.signature().filter(|_| !points.is_empty()) else { continue };
        let (width, tolerance, largest) = match result {
            ScalarType::F16 => (0, 2e-2, 3e4),
            ScalarType::F32 => (1, 4e-6, 1e37),
            _ => (2, 1e-8, f64::MAX),
        };
        for point in points {
            let args = operands(op, &point);
            // where the narrow operator is evaluated, not where it was meant to be
            let point: Vec<f64> = args.iter().map(|x| x.to_f64()).collect();
            for (i, param) in params.iter().enumerate() {
                if !param.is_float() {
                    assert_eq!(op.partial(i), Partial::Zero, "{op}: an integer among floats");
                    continue;
                }
                let expected = difference(widened(op), &point, i);
                if expected.abs() > largest {
                    continue;
                }
                let got = derivative(op, &args, i, result.one()).to_f64();
                assert!(
                    (got - expected).abs() <= tolerance * expected.abs().max(1.0),
                    "{op} at {point:?}, operand {i}: {got}, by difference {expected}"
                );
                assert_eq!(adjoint(op, &args, i, result.one()).to_f64(), got, "{op} backwards");
                checked[width] += 1;
            }
        }
    }
    assert!(checked.iter().all(|n| *n > 500), "{checked:?} points");
}

/// What numerics do not judge, as `op operands | tangent of each operand in turn = derivative`: at every width where the operator exists, `T` standing for it.
const LITERAL: &str = "
neg.T 5T | 1T = -1T
not.T 5T | 1T = -1T
sgn.T 5T | 1T = 0T
popc.T 5T | 3T = 0i32
clz.T 5T | 3T = 0i32
ctz.T 5T | 3T = 0i32
add.T 5T 3T | 2T = 2T, 2T
sub.T 5T 3T | 2T = 2T, -2T
mul.T 5T 3T | 2T = 6T, 10T
div.T 7T 1T | 2T = 2T, -14T
div.T 7T 2T | 2T = 0T, -2T
quot.T 7T 1T | 2T = 2T, -14T
mod.T 7T 2T | 1T = 1T, -3T
rem.T 7T 2T | 1T = 1T, -3T
pow.T 2T 3T | 1T = 12T, 0T
pow.T 2T 0T | 1T = 0T, 0T
min.T 5T 3T | 2T = 0T, 2T
min.T 3T 3T | 2T = 2T, 0T
max.T 5T 3T | 2T = 2T, 0T
max.T 3T 3T | 2T = 2T, 0T
and.T 5T 3T | 2T = 0T, 0T
or.T 5T 3T | 2T = 0T, 0T
xor.T 5T 3T | 2T = 0T, 0T
shl.T 5T 3T | 2T = 16T, 0T
shr.T 5T 1T | 2T = 0T, 0T
lshr.T 5T 1T | 2T = 0T, 0T
rotl.T 5T 3T | 2T = 0T, 0T
mul_hi.T 5T 3T | 2T = 0T, 0T
zmul.T 5T 3T | 2T = 6T, 10T
zmul.T 5T 0T | 2T = 0T, 10T
mad_hi.T 5T 3T 1T | 2T = 0T, 0T, 2T
";

/// As [`LITERAL`], at the types that are written.
const LITERAL_AT: &str = "
abs.i8 -5i8 | 2i8 = -2i8
abs.i16 -5i16 | 2i16 = -2i16
abs.i32 -5i32 | 2i32 = -2i32
abs.i64 0i64 | 2i64 = 0i64
abs.u8 0u8 | 2u8 = 2u8
abs.u16 5u16 | 2u16 = 2u16
abs.u32 5u32 | 2u32 = 2u32
abs.u64 5u64 | 2u64 = 2u64
not.bool true | true = true
and.bool true false | true = false, true
or.bool true false | true = true, true
xor.bool true false | true = true, true
min.bool true false | true = false, true
max.bool true false | true = true, false
isnan.f16 1f16 | 1f16 = false
isnan.f32 1f32 | 1f32 = false
isnan.f64 1f64 | 1f64 = false
isinf.f16 1f16 | 1f16 = false
isinf.f32 1f32 | 1f32 = false
isinf.f64 1f64 | 1f64 = false
to_bits.f16 5f16 | 1f16 = 0x3c00u16
to_bits.f32 5f32 | 1f32 = 1065353216u32
to_bits.f64 5f64 | 1f64 = 4607182418800017408u64
from_bits.f16 5u16 | 0x3c00u16 = 1f16
from_bits.f32 5u32 | 1u32 = 1e-45f32
from_bits.f64 5u64 | 1u64 = 5e-324f64
";

#[test]
fn integers_booleans_and_bits_have_the_derivatives_listed() {
    let integers = ScalarType::ALL.into_iter().filter(|t| t.is_int());
    let at_each = |line: &str| integers.clone().map(|t| line.replace('T', t.name())).collect::<Vec<_>>();
    let lines: Vec<String> = LITERAL
        .lines()
        .flat_map(at_each)
        .chain(LITERAL_AT.lines().map(str::to_string))
        .filter(|l| !l.is_empty())
        .collect();
    // −2 of an unsigned type is what wraps to it
    let scalar = |w: &str| {
        let wrapped = w
            .find(['i', 'u'])
            .filter(|_| w.starts_with('-'))
            .map(|at| Scalar::from_i64(ScalarType::from_name(&w[at..]).unwrap(), w[..at].parse().unwrap()));
        wrapped.or_else(|| crate::value::text::parse_scalar(w)).unwrap()
    };
    let mut judged = crate::hash::HashSet::default();
    for line in &lines {
        let (application, expected) = line.split_once(" = ").unwrap();
        let (application, t) = application.split_once(" | ").unwrap();
        let mut words = application.split(' ');
        let op = Prim::from_name(words.next().unwrap()).unwrap();
        let args: Vec<Scalar> = words.map(scalar).collect();
        for (i, expected) in expected.split(", ").enumerate() {
            assert_eq!(derivative(op, &args, i, scalar(t)), scalar(expected), "{line}, operand {i}");
        }
        assert_eq!(expected.split(", ").count(), args.len(), "{line}");
        judged.insert(op);
    }
    for op in Prim::all() {
        let covered = match op {
            // no tangent, whatever the operands
            Prim::Cmp(..) => (0..2).all(|i| op.partial(i) == Partial::Zero),
            Prim::Bin(BinOp::GetBit, _) => (0..2).all(|i| op.partial(i) == Partial::Zero),
            Prim::Tern(TernOp::SetBit, _) => (0..3).all(|i| op.partial(i) == Partial::Zero),
            // futhark-compat.md §2.2: (co)tangents are converted
            Prim::Conv(from, to) => {
                derivative(op, &[from.one()], 0, from.one()) == to.one()
                    && adjoint(op, &[from.zero()], 0, to.one()) == from.one()
            }
            Prim::Select(t) => [true, false].into_iter().all(|c| {
                let args = [Scalar::Bool(c), t.zero(), t.one()];
                let d = [0, 1, 2].map(|i| derivative(op, &args, i, if i == 0 { ScalarType::Bool } else { t }.one()));
                d == if c { [t.zero(), t.one(), t.zero()] } else { [t.zero(), t.zero(), t.one()] }
            }),
            op => judged.contains(&op) || !ordinary(op).is_empty(),
        };
        assert!(covered, "{op} is judged by neither numerics nor a literal");
    }
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
    let tern = |op| Prim::Tern(op, ScalarType::F64);
    // a zero tangent stays zero where the partial is infinite or NaN
    assert_eq!(at(un(UnOp::Rsqrt), &[0.0], 0, 1.0), f64::NEG_INFINITY);
    assert_eq!(at(un(UnOp::Cbrt), &[0.0], 0, 1.0), f64::INFINITY);
    assert_eq!(at(un(UnOp::Tanpi), &[0.5], 0, 1.0), f64::INFINITY);
    for op in [UnOp::Asin, UnOp::Atanh, UnOp::Asinpi] {
        assert_eq!(at(un(op), &[1.0], 0, 1.0), f64::INFINITY, "{op:?}");
    }
    for op in [UnOp::Acos, UnOp::Acospi] {
        assert_eq!(at(un(op), &[1.0], 0, 1.0), f64::NEG_INFINITY, "{op:?}");
    }
    assert_eq!(at(un(UnOp::Acosh), &[1.0], 0, 1.0), f64::INFINITY);
    for op in [UnOp::Log, UnOp::Log2, UnOp::Log10] {
        assert_eq!(at(un(op), &[0.0], 0, 1.0), f64::INFINITY, "{op:?}");
    }
    assert_eq!(at(un(UnOp::Log1p), &[-1.0], 0, 1.0), f64::INFINITY);
    assert_eq!(at(un(UnOp::Gamma), &[0.0], 0, 1.0), f64::NEG_INFINITY);
    assert_eq!(at(un(UnOp::Lgamma), &[0.0], 0, 1.0), f64::NEG_INFINITY);
    for (op, x) in [
        (UnOp::Rsqrt, 0.0),
        (UnOp::Cbrt, 0.0),
        (UnOp::Log, 0.0),
        (UnOp::Log1p, -1.0),
        (UnOp::Log2, 0.0),
        (UnOp::Log10, 0.0),
        (UnOp::Asin, 1.0),
        (UnOp::Acos, -1.0),
        (UnOp::Acosh, 1.0),
        (UnOp::Atanh, -1.0),
        (UnOp::Tanpi, 1.5),
        (UnOp::Asinpi, -1.0),
        (UnOp::Acospi, 1.0),
        (UnOp::Gamma, 0.0),
        (UnOp::Gamma, -3.0),
        (UnOp::Lgamma, 0.0),
        (UnOp::Lgamma, -3.0),
    ] {
        assert_eq!(at(un(op), &[x], 0, 0.0), 0.0, "{op:?} at {x}");
    }
    let singular = [
        (BinOp::Div, [0.0, 0.0]),
        (BinOp::Mod, [1.0, 0.0]),
        (BinOp::Hypot, [0.0, 0.0]),
        (BinOp::Atan2, [0.0, 0.0]),
        (BinOp::Atan2pi, [0.0, 0.0]),
    ];
    for (op, args) in singular {
        assert_eq!((at(bin(op), &args, 0, 0.0), at(bin(op), &args, 1, 0.0)), (0.0, 0.0), "{op:?}");
    }
    let pole = |x: f64, t: f64| {
        let op = bin(BinOp::Polygamma);
        derivative(op, &[Scalar::I32(0), Scalar::F64(x)], 1, Scalar::F64(t)).to_f64()
    };
    assert_eq!((pole(0.0, 1.0), pole(-2.0, 1.0), pole(-2.0, 0.0)), (f64::INFINITY, f64::INFINITY, 0.0));
    // trigamma 1 = π²/6
    assert!((pole(1.0, 1.0) - 1.6449340668482264).abs() < 1e-15);
    let ldexp = |t: f64| derivative(bin(BinOp::Ldexp), &[Scalar::F64(0.0), Scalar::I32(2000)], 0, Scalar::F64(t));
    assert_eq!((ldexp(1.0), ldexp(0.0)), (Scalar::F64(f64::INFINITY), Scalar::F64(0.0)));
    for op in [UnOp::Ceil, UnOp::Floor, UnOp::Round, UnOp::Trunc, UnOp::Sgn] {
        assert_eq!((at(un(op), &[0.0], 0, 1.0), at(un(op), &[0.5], 0, 1.0)), (0.0, 0.0), "{op:?}");
    }
    assert_eq!(at(bin(BinOp::Copysign), &[0.0, 2.0], 0, 1.0), 0.0);
    assert_eq!(at(bin(BinOp::Copysign), &[-5.0, -0.0], 0, 1.0), 1.0);
    assert_eq!(at(bin(BinOp::Copysign), &[5.0, -0.0], 0, 1.0), -1.0);
    assert_eq!(at(bin(BinOp::Nextafter), &[1.0, 1.0], 0, 1.0), 1.0);
    assert_eq!(at(bin(BinOp::Mod), &[6.0, 3.0], 1, 1.0), -2.0);
    // the closed interval; then x or y alone
    let lerp = |t: f64| [0, 1, 2].map(|i| at(tern(TernOp::Lerp), &[1.0, 3.0, t], i, 1.0));
    assert_eq!((lerp(0.0), lerp(1.0)), ([1.0, 0.0, 2.0], [0.0, 1.0, 2.0]));
    assert_eq!((lerp(-0.1), lerp(1.1)), ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
    assert_eq!(lerp(f64::NAN), [0.0, 1.0, 0.0]);
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
fn zero_times_infinity_is_zero_and_stays_bilinear() {
    let zmul = Prim::Bin(BinOp::Zmul, ScalarType::F64);
    for other in [f64::INFINITY, f64::NEG_INFINITY] {
        // with the sign of a product
        assert_eq!(zmul.eval(&f64s(&[other, 0.0])), Scalar::F64(0.0f64.copysign(other)));
        assert_eq!(zmul.eval(&f64s(&[-0.0, other])), Scalar::F64(-0.0f64.copysign(other)));
    }
    // a partial that is no number, of what does not move; but not what is no number itself
    assert_eq!(zmul.eval(&f64s(&[f64::NAN, 0.0])), Scalar::F64(0.0));
    assert!(zmul.eval(&f64s(&[0.0, f64::NAN])).to_f64().is_nan());
    // all else is IEEE's product, the sign of zero included
    assert_eq!(zmul.eval(&f64s(&[-3.0, 0.0])).bits(), (-0.0f64).to_bits());
    assert!(zmul.eval(&f64s(&[2.0, f64::NAN])).to_f64().is_nan());
    // with respect to the tangent it is d, also at zero
    assert_eq!(at(zmul, &[3.0, 0.0], 1, 1.0), 3.0);
    // with respect to d it is the tangent, and zero absorbs
    assert_eq!(at(zmul, &[3.0, 5.0], 0, 1.0), 5.0);
    assert_eq!(at(zmul, &[3.0, 0.0], 0, f64::INFINITY), 0.0);
    assert_eq!(at(zmul, &[3.0, f64::INFINITY], 0, 0.0), 0.0);
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
fn angles_have_the_sign_and_size_that_they_should() {
    // futhark-compat.md §2.3: d atan2(y, x)/dy = x / (x² + y²), which 300² and 400² would overflow as f16
    let half = |op, i| {
        derivative(
            Prim::Bin(op, ScalarType::F16),
            &[300.0, 400.0].map(|x| Scalar::from_f64(ScalarType::F16, x)),
            i,
            ScalarType::F16.one(),
        )
    };
    let near = |got: Scalar, expected: f64| (got.to_f64() / expected - 1.0).abs() < 4e-3;
    assert!(near(half(BinOp::Atan2, 0), 0.0016) && near(half(BinOp::Atan2, 1), -0.0012));
    let pi = std::f64::consts::PI;
    assert!(near(half(BinOp::Atan2pi, 0), 0.0016 / pi) && near(half(BinOp::Atan2pi, 1), -0.0012 / pi));
    assert!(near(half(BinOp::Hypot, 0), 0.6) && near(half(BinOp::Hypot, 1), 0.8));
    let atan2 = Prim::Bin(BinOp::Atan2, ScalarType::F64);
    assert!((at(atan2, &[3e200, 4e200], 0, 1.0) / 1.6e-201 - 1.0).abs() < 1e-15);
    assert_eq!(at(atan2, &[0.0, -2.0], 0, 1.0), -0.5);
}

#[test]
fn every_partial_is_total() {
    let extremes =
        [0.0, -0.0, 1.0, -1.0, f64::MAX, -f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    // of the operand's own type: out of range saturates for integers, f64::MAX is infinite when narrow
    let of = |t: ScalarType| -> Vec<Scalar> {
        let mut values: Vec<Scalar> = extremes.iter().map(|x| Scalar::from_f64(t, *x)).collect();
        values.extend(match t {
            ScalarType::F16 => vec![Scalar::from_f64(t, 65504.0), Scalar::from_bits(t, 1), Scalar::from_bits(t, 0x400)],
            ScalarType::F32 => vec![Scalar::F32(f32::MAX), Scalar::F32(f32::MIN_POSITIVE), Scalar::from_bits(t, 1)],
            ScalarType::F64 => vec![Scalar::from_bits(t, 1), Scalar::F64(-170.5)],
            t => vec![Scalar::from_i64(t, 8 * t.bytes() as i64)],
        });
        values.dedup();
        values
    };
    for op in Prim::all() {
        let Some((params, result)) = op.signature() else { continue };
        let mut points = vec![vec![]];
        for t in &params {
            let extend = |p: Vec<Scalar>| of(*t).into_iter().map(move |x| [&p[..], &[x]].concat());
            points = points.into_iter().flat_map(extend).collect();
        }
        for args in points {
            assert_eq!(op.eval(&args).scalar_type(), result, "{op} {args:?}");
            for (i, t) in params.iter().enumerate() {
                assert_eq!(derivative(op, &args, i, t.one()).scalar_type(), result, "{op} {args:?}");
                assert_eq!(adjoint(op, &args, i, result.one()).scalar_type(), *t, "{op} {args:?}");
                // a zero tangent never turns into NaN, whatever the partial
                assert_eq!(derivative(op, &args, i, t.zero()).to_f64(), 0.0, "{op} {args:?}");
            }
        }
    }
}
