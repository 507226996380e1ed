//! Scalar code: in smooth programs operators within their domains, in wild ones any operators.

use super::maker::{LIMIT, Maker};
use super::scope::{Scope, Val};
use futi_core::ir::build::Builder;
use futi_core::ir::*;
use futi_core::prim::TernOp;

/// Where an operator of one operand is smooth.
#[derive(Clone, Copy, PartialEq)]
enum Domain {
    /// Up to [`LIMIT`] in magnitude.
    All,
    /// Up to 0.4 in magnitude.
    Unit,
    /// From 1.25 to 5.25.
    Positive,
}

/// Smooth operators of one operand, where they are smooth, and how large the result can be.
const SMOOTH: &[(UnOp, Domain, f64)] = {
    use Domain::*;
    use UnOp::*;
    &[
        (Neg, All, 2.0),
        (Exp, All, 7.4),
        (Expm1, All, 6.4),
        (Sin, All, 1.0),
        (Cos, All, 1.0),
        (Atan, All, 1.2),
        (Sinpi, All, 1.0),
        (Cospi, All, 1.0),
        (Atanpi, All, 0.4),
        (Sinh, All, 3.7),
        (Cosh, All, 3.8),
        (Tanh, All, 1.0),
        (Asinh, All, 1.5),
        (Erf, All, 1.0),
        (Erfc, All, 2.0),
        (Tan, Unit, 0.5),
        (Asin, Unit, 0.5),
        (Acos, Unit, 2.0),
        (Tanpi, Unit, 3.1),
        (Asinpi, Unit, 0.2),
        (Acospi, Unit, 0.7),
        (Atanh, Unit, 0.5),
        (Sqrt, Positive, 2.3),
        (Rsqrt, Positive, 0.9),
        (Cbrt, Positive, 1.8),
        (Log, Positive, 1.7),
        (Log1p, Positive, 1.9),
        (Log2, Positive, 2.4),
        (Log10, Positive, 0.8),
        (Acosh, Positive, 2.4),
        (Gamma, Positive, 36.0),
        (Lgamma, Positive, 3.6),
        (Abs, Positive, 5.25),
    ]
};

/// A scalar operator, or a few that belong together.
pub(super) fn scalar(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _depth: usize) {
    if m.smooth && m.draw.chance(88) {
        let t = m.float_elem();
        let val = smooth(m, b, scope, t);
        scope.push(b.vars, val);
    } else {
        wild(m, b, scope);
    }
}

fn un(b: &mut Builder, op: UnOp, t: ScalarType, x: SubExp) -> SubExp {
    b.prim_op(Prim::Un(op, t), &[x])
}

fn bin(b: &mut Builder, op: BinOp, t: ScalarType, x: SubExp, y: SubExp) -> SubExp {
    b.prim_op(Prim::Bin(op, t), &[x, y])
}

fn lit(t: ScalarType, x: f64) -> SubExp {
    Scalar::from_f64(t, x).into()
}

impl Maker {
    /// A float scalar of at most [`LIMIT`].
    pub(super) fn float(&mut self, b: &mut Builder, scope: &mut Scope, t: ScalarType) -> Val {
        self.within(b, scope, &Type::Scalar(t), LIMIT)
    }

    /// From 1.25 to 5.25: 1.25 + x².
    fn positive(&mut self, b: &mut Builder, x: Val, t: ScalarType) -> SubExp {
        let x = self.tame(b, x, LIMIT);
        let square = bin(b, BinOp::Mul, t, x.e, x.e);
        bin(b, BinOp::Add, t, square, lit(t, 1.25))
    }

    /// Up to 0.4 in magnitude.
    fn unit(&mut self, b: &mut Builder, x: Val, t: ScalarType) -> SubExp {
        let op = if self.draw.chance(50) { UnOp::Tanh } else { UnOp::Sin };
        let x = un(b, op, t, x.e);
        bin(b, BinOp::Mul, t, x, lit(t, 0.375))
    }

    /// A `bool`. In smooth programs it hardly ever changes near the arguments.
    pub(super) fn cond(&mut self, b: &mut Builder, scope: &mut Scope) -> SubExp {
        if self.draw.chance(25)
            && let Some(val) = self.find(scope, |i| i.ty == Type::BOOL)
        {
            return val.e;
        }
        let float = self.float_elem();
        if self.smooth && self.draw.chance(45) {
            let threshold = if self.draw.chance(7) { 0.1 } else { self.draw.pick(&[8.0, -8.0]) };
            let x = self.float(b, scope, float);
            return b.prim_op(Prim::Cmp(CmpOp::Lt, float), &[x.e, lit(float, threshold)]);
        }
        let elems: Vec<ScalarType> = self.elems.iter().copied().filter(|t| !self.smooth || t.is_int()).collect();
        let t = self.draw.pick(&elems);
        let x = self.value(b, scope, &Type::Scalar(t));
        if t.is_int() && self.draw.chance(40) {
            let bit = bin(b, BinOp::And, t, x.e, t.one().into());
            return b.prim_op(Prim::Cmp(CmpOp::Eq, t), &[bit, t.zero().into()]);
        }
        let y = if self.smooth { self.draw.literal(t).into() } else { self.value(b, scope, &Type::Scalar(t)).e };
        let op = self.draw.pick(CmpOp::ALL);
        b.prim_op(Prim::Cmp(op, t), &[x.e, y])
    }
}

/// A smooth function of floats in scope.
fn smooth(m: &mut Maker, b: &mut Builder, scope: &mut Scope, t: ScalarType) -> Val {
    let x = m.float(b, scope, t);
    match m.draw.below(20) {
        0..=8 => {
            let (op, domain, bound) = m.draw.pick(SMOOTH);
            let arg = match domain {
                Domain::All => x.e,
                Domain::Unit => m.unit(b, x, t),
                Domain::Positive => m.positive(b, x, t),
            };
            Val::new(un(b, op, t, arg), bound)
        }
        9..=13 => {
            let y = m.float(b, scope, t);
            match m.draw.below(3) {
                0 => Val::new(bin(b, BinOp::Add, t, x.e, y.e), x.bound + y.bound),
                1 => Val::new(bin(b, BinOp::Sub, t, x.e, y.e), x.bound + y.bound),
                _ => Val::new(bin(b, BinOp::Mul, t, x.e, y.e), x.bound * y.bound),
            }
        }
        14..=16 => smooth_of_two(m, b, scope, t, x),
        17 => smooth_of_three(m, b, scope, t, x),
        18 => {
            let cond = m.cond(b, scope);
            let y = m.float(b, scope, t);
            Val::new(b.prim_op(Prim::Select(t), &[cond, x.e, y.e]), x.bound.max(y.bound))
        }
        _ => kinked(m, b, scope, t, x),
    }
}

fn smooth_of_two(m: &mut Maker, b: &mut Builder, scope: &mut Scope, t: ScalarType, x: Val) -> Val {
    use BinOp::*;
    let op = m.draw.pick(&[Div, Div, Pow, Atan2, Atan2pi, Hypot, Copysign, Ldexp, Nextafter, Polygamma, Zmul, Mod]);
    if op == Nextafter && t != ScalarType::F64 {
        let y = m.float(b, scope, t);
        let y = m.positive(b, y, t);
        return Val::new(bin(b, Div, t, x.e, y), x.bound);
    }
    let val = |e, bound| Val::new(e, bound);
    match op {
        Mod => val(bin(b, op, t, x.e, lit(t, 8.0)), x.bound),
        Nextafter => val(bin(b, op, t, x.e, lit(t, 8.0)), x.bound),
        Copysign => {
            let x = m.positive(b, x, t);
            let sign = m.draw.moderate(t);
            val(bin(b, op, t, x, sign.into()), 5.25)
        }
        Ldexp => {
            let n = Scalar::I32(m.draw.below(3) as i32 - 1).into();
            val(bin(b, op, t, x.e, n), 2.0 * x.bound)
        }
        Polygamma => {
            let n = Scalar::I32(m.draw.below(3) as i32).into();
            let x = m.positive(b, x, t);
            val(bin(b, op, t, n, x), 2.0)
        }
        Zmul => {
            let y = m.float(b, scope, t);
            val(bin(b, op, t, x.e, y.e), x.bound * y.bound)
        }
        Pow => {
            let y = m.float(b, scope, t);
            let y = m.tame(b, y, 1.5);
            let x = m.positive(b, x, t);
            val(bin(b, op, t, x, y.e), 12.1)
        }
        op => {
            let y = m.float(b, scope, t);
            let y = m.positive(b, y, t);
            let bound = match op {
                Div => x.bound,
                Hypot => 7.3,
                _ => 1.6,
            };
            val(bin(b, op, t, x.e, y), bound)
        }
    }
}

fn smooth_of_three(m: &mut Maker, b: &mut Builder, scope: &mut Scope, t: ScalarType, x: Val) -> Val {
    let op = m.draw.pick(&[TernOp::Fma, TernOp::Mad, TernOp::Lerp]);
    let (y, z) = (m.float(b, scope, t), m.float(b, scope, t));
    if op != TernOp::Lerp {
        return Val::new(b.prim_op(Prim::Tern(op, t), &[x.e, y.e, z.e]), x.bound * y.bound + z.bound);
    }
    // between 0.1 and 0.9
    let at = m.unit(b, z, t);
    let at = bin(b, BinOp::Add, t, at, lit(t, 0.5));
    Val::new(b.prim_op(Prim::Tern(op, t), &[x.e, y.e, at]), x.bound.max(y.bound))
}

/// Functions with kinks and jumps, which are not often near the arguments.
fn kinked(m: &mut Maker, b: &mut Builder, scope: &mut Scope, t: ScalarType, x: Val) -> Val {
    use UnOp::*;
    match m.draw.below(6) {
        0 => Val::new(un(b, Abs, t, x.e), x.bound),
        op @ (1 | 2) => {
            let y = m.float(b, scope, t);
            let op = if op == 1 { BinOp::Min } else { BinOp::Max };
            Val::new(bin(b, op, t, x.e, y.e), x.bound.max(y.bound))
        }
        3 => {
            let op = m.draw.pick(&[Ceil, Floor, Round, Trunc, Sgn]);
            let step = un(b, op, t, x.e);
            let step = bin(b, BinOp::Mul, t, step, lit(t, 0.25));
            Val::new(bin(b, BinOp::Add, t, x.e, step), 2.0 * x.bound)
        }
        4 => {
            // defined everywhere, so never taken
            let op = m.draw.pick(&[IsNan, IsInf]);
            let cond = un(b, op, t, x.e);
            let y = m.float(b, scope, t);
            Val::new(b.prim_op(Prim::Select(t), &[cond, y.e, x.e]), x.bound.max(y.bound))
        }
        _ => {
            let limits = [lit(t, -4.0), lit(t, 4.0)];
            let low = bin(b, BinOp::Max, t, x.e, limits[0]);
            Val::new(bin(b, BinOp::Min, t, low, limits[1]), x.bound)
        }
    }
}

/// Any operator on scalars in scope; in smooth programs not of floats.
fn wild(m: &mut Maker, b: &mut Builder, scope: &mut Scope) {
    let smooth = m.smooth;
    let fits = |op: &&Prim| {
        let floats = |(args, r): (Vec<ScalarType>, ScalarType)| r.is_float() || args.iter().any(|t| t.is_float());
        !smooth || !op.signature().is_some_and(floats)
    };
    let prims: Vec<Prim> = m.prims.iter().filter(fits).copied().collect();
    // conversions and comparisons, of which there is one a pair of types, are not to outweigh the rest
    let arithmetic: Vec<Prim> =
        prims.iter().copied().filter(|op| matches!(op, Prim::Un(..) | Prim::Bin(..) | Prim::Tern(..))).collect();
    let op = if m.draw.chance(75) { m.draw.pick(&arithmetic) } else { m.draw.pick(&prims) };
    let Some((types, _)) = op.signature() else { return };
    let mut args: Vec<SubExp> = types.iter().map(|t| m.value(b, scope, &Type::Scalar(*t)).e).collect();
    // sign and payload of a NaN are not defined
    let bits = match op {
        Prim::Un(UnOp::ToBits, _) => Some(0),
        Prim::Bin(BinOp::Copysign | BinOp::GetBit, t) | Prim::Tern(TernOp::SetBit, t) if t.is_float() => Some(1),
        _ => None,
    };
    if let Some(i) = bits {
        args[i] = m.defined(b, Val::new(args[i], 0.0)).e;
    }
    let divides = matches!(op, Prim::Bin(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem, t) if t.is_int());
    let raises = matches!(op, Prim::Bin(BinOp::Pow, t) if t.is_int());
    let exp = |args: Vec<SubExp>| Exp::Prim(op, args);
    let v = match (divides, raises) {
        (true, _) if m.draw.chance(60) => {
            let t = types[1];
            args[1] = b.prim_op(Prim::Bin(BinOp::Or, t), &[args[1], t.one().into()]);
            m.certified(b, Check::NonZero(args[1]), "t", exp(args))
        }
        (_, true) if m.draw.chance(60) => {
            let t = types[1];
            args[1] = b.prim_op(Prim::Bin(BinOp::And, t), &[args[1], Scalar::from_i64(t, 7).into()]);
            m.certified(b, Check::NonNegativeExponent(args[1]), "t", exp(args))
        }
        _ => b.let_one("t", exp(args)),
    };
    let below = match op {
        Prim::Bin(BinOp::And, ScalarType::I64) => None,
        Prim::Un(UnOp::Popc, _) => Some(65),
        _ => None,
    };
    scope.add(b.vars, v, 0.0).below = below;
}
