//! The partial derivatives of every scalar operator, as total expressions over its operands and its result.
//!
//! Both implementations of AD read this table: the interpreter evaluates the expressions (over values that may themselves be dual or traced), the
//! transformation emits them as statements. Each supplies an [`Algebra`]; [`Partial::contribution`] is the one place that says how a partial
//! scales a tangent or an adjoint.
//!
//! Integers and booleans are differentiated as futhark-compat.md §2.2 lists; derivatives at kinks are in the doc comments of the operators.

use super::{BinOp, CmpOp, Prim, Scalar, ScalarType, TernOp, UnOp};

/// A total scalar expression over an operator's operands and result.
#[derive(Clone, PartialEq, Debug)]
pub enum PExp {
    /// The operand of that position.
    Arg(usize),
    /// The result of the operator.
    Res,
    /// A constant.
    Lit(Scalar),
    /// An operator applied.
    App(Prim, Vec<PExp>),
}

/// ∂result/∂operand, as the linear map it is: what it makes of a tangent `t` of the operand, or of an adjoint `t` of the result.
#[derive(Clone, PartialEq, Debug)]
pub enum Partial {
    /// t ↦ 0.
    Zero,
    /// t ↦ t.
    Pass,
    /// t ↦ −t.
    Negate,
    /// t ↦ t converted to the type of the other side.
    Convert,
    /// t ↦ the bits of t at the type of the other side: of `to_bits` and `from_bits`, so that one undoes the other (futhark-compat.md §2.2; checked against
    /// Futhark 0.25.32).
    Reinterpret,
    /// t ↦ d·t, where zero times infinity is zero: see Note [Zero times infinity].
    Times(PExp),
    /// The first where the condition holds, else the second. The choice is made on the contribution, never as 0·d.
    If(PExp, Box<Partial>, Box<Partial>),
}

// Note [Zero times infinity]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// `loop s = 0 for i < 2 do sqrt s + a*a` reaches sqrt'(0) = inf with a tangent that is zero, and `sqrt ((x - x)^2)` reaches it with an adjoint that meets a zero only
// further back. By IEEE both are NaN, and poison a derivative that is plainly finite. Here a product along a path is zero as soon as one of its factors is, whatever
// the others: partials, tangents and adjoints alike. So the order in which finite and infinite factors of a path are multiplied does not matter, and both modes, and both
// implementations, give the same (docs/zero-times-infinity.md says what others do, and where that is not the limit; strict mode reports it). Modes can differ still
// where infinite contributions cancel before they meet a zero, as in `sqrt (x - x)`, and where a NaN partial comes before a zero in one and after it in the other.
//
// The product is an operator of its own, `zmul d t`: IEEE's product, but for zero times infinity, and a NaN partial d times zero, which are zero. A NaN tangent or
// adjoint t stays NaN: with a seed of NaN one sees what depends on what, also where a partial is zero (lib/ad.fut, patterns of sparse matrices). It is no `select (t == 0) 0 (d*t)`: that is right at
// first order, but its derivative with respect to t at t = 0 is 0 instead of d, and a derivative taken with respect to a *seed* at zero (the well-known vjp-of-vjp that
// computes J·t, jvp of a pullback) would silently be zero. `zmul` is bilinear, and its partials say so: zmul d ṫ and zmul ḋ t.

/// Scalar operations over some representation of values: scalars, dual numbers, traced values, IR operands.
pub trait Algebra {
    /// The representation.
    type Value: Clone;
    /// How it fails.
    type Error;
    /// A constant.
    fn lit(&mut self, x: Scalar) -> Self::Value;
    /// An operator applied to values of its operand types.
    fn prim(&mut self, op: Prim, args: &[Self::Value]) -> Result<Self::Value, Self::Error>;
}

impl PExp {
    /// The expression's value in an algebra, given operands and result.
    pub fn fold<A: Algebra>(&self, alg: &mut A, args: &[A::Value], res: &A::Value) -> Result<A::Value, A::Error> {
        Ok(match self {
            PExp::Arg(i) => args[*i].clone(),
            PExp::Res => res.clone(),
            PExp::Lit(x) => alg.lit(*x),
            PExp::App(op, es) => {
                let vs: Result<Vec<_>, _> = es.iter().map(|e| e.fold(alg, args, res)).collect();
                alg.prim(*op, &vs?)?
            }
        })
    }
}

impl Partial {
    /// What this partial of an operator makes of `t`, which has scalar type `from` and becomes `to` (they differ for conversions only); `None` is a
    /// structural zero. `args` and `res` are the operator's operands and result.
    pub fn contribution<A: Algebra>(
        &self,
        alg: &mut A,
        args: &[A::Value],
        res: &A::Value,
        t: &A::Value,
        (from, to): (ScalarType, ScalarType),
    ) -> Result<Option<A::Value>, A::Error> {
        Ok(match self {
            Partial::Zero => None,
            Partial::Pass => Some(t.clone()),
            Partial::Negate => Some(alg.prim(Prim::Un(UnOp::Neg, to), std::slice::from_ref(t))?),
            Partial::Convert => Some(alg.prim(Prim::Conv(from, to), std::slice::from_ref(t))?),
            Partial::Reinterpret if from.is_float() => {
                Some(alg.prim(Prim::Un(UnOp::ToBits, from), std::slice::from_ref(t))?)
            }
            Partial::Reinterpret => Some(alg.prim(Prim::Un(UnOp::FromBits, to), std::slice::from_ref(t))?),
            Partial::Times(d) => {
                let d = d.fold(alg, args, res)?;
                Some(alg.prim(to.times_along(), &[d, t.clone()])?)
            }
            Partial::If(cond, yes, no) => {
                let yes = yes.contribution(alg, args, res, t, (from, to))?;
                let no = no.contribution(alg, args, res, t, (from, to))?;
                if yes.is_none() && no.is_none() {
                    return Ok(None);
                }
                let cond = cond.fold(alg, args, res)?;
                let yes = yes.unwrap_or_else(|| alg.lit(to.zero()));
                let no = no.unwrap_or_else(|| alg.lit(to.zero()));
                Some(alg.prim(Prim::Select(to), &[cond, yes, no])?)
            }
        })
    }
}

// A small language for the table.
fn arg(i: usize) -> PExp {
    PExp::Arg(i)
}
fn un(op: UnOp, t: ScalarType, x: PExp) -> PExp {
    PExp::App(Prim::Un(op, t), vec![x])
}
fn bin(op: BinOp, t: ScalarType, x: PExp, y: PExp) -> PExp {
    PExp::App(Prim::Bin(op, t), vec![x, y])
}
fn cmp(op: CmpOp, t: ScalarType, x: PExp, y: PExp) -> PExp {
    PExp::App(Prim::Cmp(op, t), vec![x, y])
}
fn select(t: ScalarType, c: PExp, x: PExp, y: PExp) -> PExp {
    PExp::App(Prim::Select(t), vec![c, x, y])
}
fn times(d: PExp) -> Partial {
    Partial::Times(d)
}
fn if_(c: PExp, yes: Partial, no: Partial) -> Partial {
    Partial::If(c, Box::new(yes), Box::new(no))
}

impl Prim {
    /// ∂result/∂operand `i`.
    pub fn partial(self, i: usize) -> Partial {
        match self {
            Prim::Un(op, t) => unary(op, t),
            Prim::Bin(op, t) if t.is_float() => float_binary(op, t, i),
            Prim::Bin(op, t) if t.is_int() => int_binary(op, t, i),
            Prim::Bin(op, _) => bool_binary(op, i),
            Prim::Tern(op, t) => ternary(op, t, i),
            Prim::Cmp(..) => Partial::Zero,
            Prim::Conv(..) => Partial::Convert,
            Prim::Select(_) => match i {
                0 => Partial::Zero,
                1 => if_(arg(0), Partial::Pass, Partial::Zero),
                _ => if_(arg(0), Partial::Zero, Partial::Pass),
            },
        }
    }
}

fn unary(op: UnOp, t: ScalarType) -> Partial {
    use BinOp::{Add, Div, Mul, Sub};
    use std::f64::consts::{FRAC_1_PI, PI};
    let lit = |x: f64| PExp::Lit(Scalar::from_f64(t, x));
    let x = || arg(0);
    let sq = |e: PExp| bin(Mul, t, e.clone(), e);
    let recip = |e: PExp| bin(Div, t, lit(1.0), e);
    match op {
        UnOp::Neg => Partial::Negate,
        UnOp::Not if t == ScalarType::Bool => Partial::Pass,
        // !x = -x - 1
        UnOp::Not => Partial::Negate,
        UnOp::Abs if t.is_unsigned() => Partial::Pass,
        UnOp::Abs => times(un(UnOp::Sgn, t, x())),
        UnOp::Sqrt => times(bin(Div, t, lit(0.5), PExp::Res)),
        UnOp::Rsqrt => times(bin(Div, t, bin(Mul, t, lit(-0.5), PExp::Res), x())),
        UnOp::Cbrt => times(recip(bin(Mul, t, lit(3.0), sq(PExp::Res)))),
        UnOp::Exp => times(PExp::Res),
        UnOp::Expm1 => times(bin(Add, t, PExp::Res, lit(1.0))),
        UnOp::Log => times(recip(x())),
        UnOp::Log1p => times(recip(bin(Add, t, lit(1.0), x()))),
        UnOp::Log2 => times(bin(Div, t, lit(std::f64::consts::LOG2_E), x())),
        UnOp::Log10 => times(bin(Div, t, lit(std::f64::consts::LOG10_E), x())),
        UnOp::Sin => times(un(UnOp::Cos, t, x())),
        UnOp::Cos => times(un(UnOp::Neg, t, un(UnOp::Sin, t, x()))),
        UnOp::Tan => times(bin(Add, t, lit(1.0), sq(PExp::Res))),
        // (1-x)(1+x) keeps the digits that 1 - x*x loses near 1
        UnOp::Asin => times(recip(un(UnOp::Sqrt, t, one_minus_square(t)))),
        UnOp::Acos => times(bin(Div, t, lit(-1.0), un(UnOp::Sqrt, t, one_minus_square(t)))),
        UnOp::Atan => times(recip(bin(Add, t, lit(1.0), sq(x())))),
        UnOp::Sinpi => times(bin(Mul, t, lit(PI), un(UnOp::Cospi, t, x()))),
        UnOp::Cospi => times(bin(Mul, t, lit(-PI), un(UnOp::Sinpi, t, x()))),
        UnOp::Tanpi => times(bin(Mul, t, lit(PI), bin(Add, t, lit(1.0), sq(PExp::Res)))),
        UnOp::Asinpi => times(bin(Div, t, lit(FRAC_1_PI), un(UnOp::Sqrt, t, one_minus_square(t)))),
        UnOp::Acospi => times(bin(Div, t, lit(-FRAC_1_PI), un(UnOp::Sqrt, t, one_minus_square(t)))),
        UnOp::Atanpi => times(bin(Div, t, lit(FRAC_1_PI), bin(Add, t, lit(1.0), sq(x())))),
        UnOp::Sinh => times(un(UnOp::Cosh, t, x())),
        UnOp::Cosh => times(un(UnOp::Sinh, t, x())),
        UnOp::Tanh => times(bin(Sub, t, lit(1.0), sq(PExp::Res))),
        // hypot does not overflow where x*x would
        UnOp::Asinh => times(recip(bin(BinOp::Hypot, t, lit(1.0), x()))),
        UnOp::Acosh => {
            let factor = |op| un(UnOp::Sqrt, t, bin(op, t, x(), lit(1.0)));
            times(recip(bin(Mul, t, factor(Sub), factor(Add))))
        }
        UnOp::Atanh => times(recip(one_minus_square(t))),
        UnOp::Erf | UnOp::Erfc => {
            let two_over_sqrt_pi = std::f64::consts::FRAC_2_SQRT_PI * if op == UnOp::Erf { 1.0 } else { -1.0 };
            times(bin(Mul, t, lit(two_over_sqrt_pi), un(UnOp::Exp, t, un(UnOp::Neg, t, sq(x())))))
        }
        UnOp::Gamma => times(bin(Mul, t, PExp::Res, digamma(t))),
        UnOp::Lgamma => times(digamma(t)),
        UnOp::ToBits | UnOp::FromBits => Partial::Reinterpret,
        UnOp::Sgn | UnOp::Ceil | UnOp::Floor | UnOp::Round | UnOp::Trunc | UnOp::IsNan | UnOp::IsInf => Partial::Zero,
        UnOp::Popc | UnOp::Clz | UnOp::Ctz => Partial::Zero,
    }
}

fn digamma(t: ScalarType) -> PExp {
    bin(BinOp::Polygamma, t, PExp::Lit(Scalar::I32(0)), arg(0))
}

fn one_minus_square(t: ScalarType) -> PExp {
    let one = || PExp::Lit(t.one());
    bin(BinOp::Mul, t, bin(BinOp::Sub, t, one(), arg(0)), bin(BinOp::Add, t, one(), arg(0)))
}

/// Which operand `min` or `max` returned: true for the first.
fn took_first(op: BinOp, t: ScalarType) -> PExp {
    let (x, y) = if op == BinOp::Min { (arg(0), arg(1)) } else { (arg(1), arg(0)) };
    let better = cmp(CmpOp::Le, t, x, y);
    if t.is_float() { bin(BinOp::Or, ScalarType::Bool, better, un(UnOp::IsNan, t, arg(1))) } else { better }
}

fn min_max(op: BinOp, t: ScalarType, i: usize) -> Partial {
    let (first, second) = if i == 0 { (Partial::Pass, Partial::Zero) } else { (Partial::Zero, Partial::Pass) };
    if_(took_first(op, t), first, second)
}

/// e / (x² + y²), where the sum of squares could overflow (as f16 from 256 on) and hypot does not.
fn turned(t: ScalarType, e: PExp) -> PExp {
    let hypot = || bin(BinOp::Hypot, t, arg(0), arg(1));
    bin(BinOp::Div, t, bin(BinOp::Div, t, e, hypot()), hypot())
}

fn float_binary(op: BinOp, t: ScalarType, i: usize) -> Partial {
    use BinOp::{Add, Div, Mul, Sub};
    use std::f64::consts::FRAC_1_PI;
    let zero = || PExp::Lit(t.zero());
    let (x, y) = (|| arg(0), || arg(1));
    match (op, i) {
        (Add, _) | (Sub, 0) => Partial::Pass,
        (Sub, _) => Partial::Negate,
        (Mul, 0) => times(y()),
        (Mul, _) => times(x()),
        (Div, 0) => times(bin(Div, t, PExp::Lit(t.one()), y())),
        // -res/y rather than -x/(y*y), which overflows sooner
        (Div, _) => times(un(UnOp::Neg, t, bin(Div, t, PExp::Res, y()))),
        // x - trunc(x/y)*y
        (BinOp::Mod, 0) => Partial::Pass,
        (BinOp::Mod, _) => times(un(UnOp::Neg, t, un(UnOp::Trunc, t, bin(Div, t, x(), y())))),
        // Where the derivative is 0 by decree, 1 stands for x: no infinity then lies behind a later derivative, which would make NaN of a zero adjoint.
        (BinOp::Pow, 0) => {
            let at_zero = cmp(CmpOp::Eq, t, x(), zero());
            let below_one = cmp(CmpOp::Lt, t, y(), PExp::Lit(t.one()));
            let decreed = bin(BinOp::And, ScalarType::Bool, at_zero, below_one);
            let base = select(t, decreed.clone(), PExp::Lit(t.one()), x());
            let d = bin(Mul, t, y(), bin(BinOp::Pow, t, base, bin(Sub, t, y(), PExp::Lit(t.one()))));
            if_(decreed, Partial::Zero, times(d))
        }
        (BinOp::Pow, _) => {
            let decreed = cmp(CmpOp::Le, t, x(), zero());
            let base = select(t, decreed.clone(), PExp::Lit(t.one()), x());
            let d = bin(Mul, t, PExp::Res, un(UnOp::Log, t, base));
            if_(decreed, Partial::Zero, times(d))
        }
        (BinOp::Min | BinOp::Max, _) => min_max(op, t, i),
        // The first operand is the ordinate (futhark-compat.md §2.3, item 3).
        (BinOp::Atan2, 0) => times(turned(t, y())),
        (BinOp::Atan2, _) => times(un(UnOp::Neg, t, turned(t, x()))),
        (BinOp::Atan2pi, 0) => times(bin(Mul, t, PExp::Lit(Scalar::from_f64(t, FRAC_1_PI)), turned(t, y()))),
        (BinOp::Atan2pi, _) => times(bin(Mul, t, PExp::Lit(Scalar::from_f64(t, -FRAC_1_PI)), turned(t, x()))),
        (BinOp::Hypot, _) => times(bin(Div, t, arg(i), PExp::Res)),
        (BinOp::Nextafter, 0) => Partial::Pass,
        // 2^n can be infinite
        (BinOp::Ldexp, 0) => times(bin(BinOp::Ldexp, t, PExp::Lit(t.one()), y())),
        (BinOp::Copysign, 0) => {
            let sign = bin(BinOp::Copysign, t, PExp::Lit(t.one()), y());
            times(bin(Mul, t, un(UnOp::Sgn, t, x()), sign))
        }
        (BinOp::Polygamma, 1) => {
            let next = bin(Add, ScalarType::I32, x(), PExp::Lit(Scalar::I32(1)));
            times(bin(BinOp::Polygamma, t, next, y()))
        }
        (BinOp::Nextafter | BinOp::Ldexp | BinOp::Copysign | BinOp::Polygamma | BinOp::GetBit, _) => Partial::Zero,
        (BinOp::Zmul, _) => times(arg(1 - i)),
        (BinOp::Quot | BinOp::Rem | BinOp::And | BinOp::Or | BinOp::Xor, _) => Partial::Zero,
        (BinOp::Shl | BinOp::Shr | BinOp::Lshr | BinOp::Rotl | BinOp::MulHi, _) => Partial::Zero,
    }
}

/// Of the integers there is only `mad_hi`, and `set_bit` at any type.
fn ternary(op: TernOp, t: ScalarType, i: usize) -> Partial {
    use BinOp::{Max, Min, Sub};
    let lit = |x: f64| PExp::Lit(Scalar::from_f64(t, x));
    let limited = || bin(Max, t, lit(0.0), bin(Min, t, lit(1.0), arg(2)));
    match (op, i) {
        (TernOp::Fma | TernOp::Mad, 0) => times(arg(1)),
        (TernOp::Fma | TernOp::Mad, 1) => times(arg(0)),
        (TernOp::Fma | TernOp::Mad | TernOp::MadHi, 2) => Partial::Pass,
        (TernOp::Lerp, 0) => times(bin(Sub, t, lit(1.0), limited())),
        (TernOp::Lerp, 1) => times(limited()),
        (TernOp::Lerp, _) => {
            let inside = cmp(CmpOp::Eq, t, limited(), arg(2));
            if_(inside, times(bin(Sub, t, arg(1), arg(0))), Partial::Zero)
        }
        _ => Partial::Zero,
    }
}

fn int_binary(op: BinOp, t: ScalarType, i: usize) -> Partial {
    let (x, y) = (|| arg(0), || arg(1));
    let neg = |e| un(UnOp::Neg, t, e);
    match (op, i) {
        (BinOp::Add, _) | (BinOp::Sub, 0) => Partial::Pass,
        (BinOp::Sub, _) => Partial::Negate,
        (BinOp::Mul, 0) => times(y()),
        (BinOp::Mul, _) => times(x()),
        (BinOp::Div | BinOp::Quot, 0) => times(bin(op, t, PExp::Lit(t.one()), y())),
        (BinOp::Div | BinOp::Quot, _) => times(neg(bin(op, t, x(), bin(BinOp::Mul, t, y(), y())))),
        (BinOp::Mod | BinOp::Rem, 0) => Partial::Pass,
        (BinOp::Mod, _) => times(neg(bin(BinOp::Div, t, x(), y()))),
        (BinOp::Rem, _) => times(neg(bin(BinOp::Quot, t, x(), y()))),
        (BinOp::Pow, 0) => {
            let d = bin(BinOp::Mul, t, y(), bin(BinOp::Pow, t, x(), bin(BinOp::Sub, t, y(), PExp::Lit(t.one()))));
            times(d)
        }
        (BinOp::Min | BinOp::Max, _) => min_max(op, t, i),
        (BinOp::Shl, 0) => times(bin(BinOp::Shl, t, PExp::Lit(t.one()), y())),
        (BinOp::Zmul, _) => times(arg(1 - i)),
        // No useful derivative over the integers: the power's exponent, bits, shift distances.
        _ => Partial::Zero,
    }
}

fn bool_binary(op: BinOp, i: usize) -> Partial {
    match op {
        BinOp::And => times(arg(1 - i)),
        BinOp::Or | BinOp::Xor => Partial::Pass,
        BinOp::Min | BinOp::Max => min_max(op, ScalarType::Bool, i),
        _ => Partial::Zero,
    }
}
