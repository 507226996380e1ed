//! Scalar types and the one table of scalar operators: type rule, evaluator, partial derivatives.
//!
//! Interpreter, simplifier, checker, differentiation and code generation all read this table, so that an operator means the same thing
//! everywhere. [`Prim`] names an operator at a width; [`Prim::signature`] is its type, [`Prim::eval`] its value ([`eval`]) and
//! [`Prim::partial`] its derivatives ([`partial`]).

pub mod eval;
mod float;
mod int;
pub mod partial;
mod scalar;
mod special;
#[cfg(test)]
#[path = "tests.rs"]
mod table_tests;

use std::fmt;

pub use float::zmul;
pub use half::f16;
pub use partial::{Algebra, PExp, Partial};
pub use scalar::{Scalar, ScalarType};

macro_rules! ops {
    ($(#[$meta:meta])* $enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $enum { $($(#[$doc])* $variant,)* }
        impl $enum {
            /// Every operator of the kind.
            pub const ALL: &'static [$enum] = &[$($enum::$variant,)*];
            /// The name in IR text, without the width.
            pub fn name(self) -> &'static str { match self { $($enum::$variant => $name,)* } }
            /// The operator of that name.
            pub fn from_name(name: &str) -> Option<Self> { match name { $($name => Some($enum::$variant),)* _ => None } }
        }
    };
}

ops! {
    /// Operators of one operand.
    UnOp {
        /// `-x`, wrapping.
        Neg = "neg",
        /// `!x`: logical on `bool`, bitwise on integers.
        Not = "not",
        /// `|x|`; MIN stays MIN. Derivative at 0: 0.
        Abs = "abs",
        /// −1, 0 or 1; NaN of NaN.
        Sgn = "sgn",
        /// Square root. Derivative at 0: infinite.
        Sqrt = "sqrt",
        /// 1 / sqrt x. Derivative at 0: −infinite.
        Rsqrt = "rsqrt",
        /// Cube root.
        Cbrt = "cbrt",
        /// e to the x.
        Exp = "exp",
        /// e to the x, minus 1.
        Expm1 = "expm1",
        /// Natural logarithm.
        Log = "log",
        /// Natural logarithm of 1 + x.
        Log1p = "log1p",
        /// Logarithm to base 2.
        Log2 = "log2",
        /// Logarithm to base 10.
        Log10 = "log10",
        /// Sine of an angle in radians.
        Sin = "sin",
        /// Cosine.
        Cos = "cos",
        /// Tangent.
        Tan = "tan",
        /// Inverse sine.
        Asin = "asin",
        /// Inverse cosine.
        Acos = "acos",
        /// Inverse tangent.
        Atan = "atan",
        /// Sine of an angle in half-turns: `sin (pi * x)` without rounding pi, so exact at multiples of 1/2.
        Sinpi = "sinpi",
        /// Cosine of an angle in half-turns.
        Cospi = "cospi",
        /// Tangent of an angle in half-turns; infinite at odd multiples of 1/2, its derivative too.
        Tanpi = "tanpi",
        /// Inverse sine in half-turns.
        Asinpi = "asinpi",
        /// Inverse cosine in half-turns.
        Acospi = "acospi",
        /// Inverse tangent in half-turns.
        Atanpi = "atanpi",
        /// Hyperbolic sine.
        Sinh = "sinh",
        /// Hyperbolic cosine.
        Cosh = "cosh",
        /// Hyperbolic tangent.
        Tanh = "tanh",
        /// Inverse hyperbolic sine.
        Asinh = "asinh",
        /// Inverse hyperbolic cosine.
        Acosh = "acosh",
        /// Inverse hyperbolic tangent.
        Atanh = "atanh",
        /// The error function.
        Erf = "erf",
        /// 1 − erf.
        Erfc = "erfc",
        /// The gamma function. At 0 infinite with the sign of the zero, at negative integers NaN.
        Gamma = "gamma",
        /// Natural logarithm of |gamma x|; infinite at 0 and at negative integers.
        Lgamma = "lgamma",
        /// Round up. Derivative: 0 everywhere, as of the next three.
        Ceil = "ceil",
        /// Round down.
        Floor = "floor",
        /// Round to nearest, ties to even.
        Round = "round",
        /// Round toward zero.
        Trunc = "trunc",
        /// Whether it is not a number; result `bool`.
        IsNan = "isnan",
        /// Whether it is infinite; result `bool`.
        IsInf = "isinf",
        /// The bits of a float as the unsigned integer of its width. Its derivative reinterprets the tangent likewise, as upstream's does.
        ToBits = "to_bits",
        /// The float with these bits: from the unsigned integer of the width to the float type that the operator is named by.
        FromBits = "from_bits",
        /// The number of one bits; result `i32`, derivative 0, as of the next two.
        Popc = "popc",
        /// The number of zero bits above the highest one bit: the width for 0.
        Clz = "clz",
        /// The number of zero bits below the lowest one bit: the width for 0.
        Ctz = "ctz",
    }
}

ops! {
    /// Operators of two operands of one type, with a result of that type, but for the few whose doc comment says otherwise.
    BinOp {
        /// `x + y`, wrapping.
        Add = "add",
        /// `x - y`, wrapping.
        Sub = "sub",
        /// `x * y`, wrapping.
        Mul = "mul",
        /// `x / y`: integers toward minus infinity, MIN / −1 = MIN, and 0 for y = 0 (which a check has excluded).
        Div = "div",
        /// `x % y`: integers with the sign of y; floats with the sign of x, as C's `fmod`.
        Mod = "mod",
        /// `x // y`: integer division toward zero.
        Quot = "quot",
        /// `x %% y`: the remainder of `quot`, with the sign of x.
        Rem = "rem",
        /// `x ** y`; 0 for a negative integer exponent (which a check has excluded).
        Pow = "pow",
        /// The smaller: the operand that is not NaN, on equality the first.
        Min = "min",
        /// The larger: the operand that is not NaN, on equality the first.
        Max = "max",
        /// Bitwise, or logical, and.
        And = "and",
        /// Bitwise, or logical, or.
        Or = "or",
        /// Bitwise, or logical, exclusive or.
        Xor = "xor",
        /// `x << y`; 0 when y is the width or more, or negative.
        Shl = "shl",
        /// `x >> y`, arithmetic on signed types and logical on unsigned ones; the sign when y is the width or more, or negative.
        Shr = "shr",
        /// `x >>> y`, logical; 0 when y is the width or more, or negative.
        Lshr = "lshr",
        /// `rotl x y`: the bits of x turned left by y, modulo the width, so to the right by a negative y. Derivative 0.
        Rotl = "rotl",
        /// The angle of the point (y, x): `atan2 y x`.
        Atan2 = "atan2",
        /// [`BinOp::Atan2`] in half-turns.
        Atan2pi = "atan2pi",
        /// `sqrt (x*x + y*y)` without overflow.
        Hypot = "hypot",
        /// `mul_hi x y`: the upper half of the product of double width, signed or unsigned as the type. Derivative 0: that of the product lies
        /// below the unit of the result.
        MulHi = "mul_hi",
        /// `get_bit i x`, `i32 -> t -> i32`: bit i of an integer or of a float's bits, as `(x >> i) & 1`. Derivative 0.
        GetBit = "get_bit",
        /// `nextafter x y`: the float next to x toward y. Moves with x: derivative 1 and 0.
        Nextafter = "nextafter",
        /// `ldexp x n`, `t -> i32 -> t`: x * 2^n, rounded once. Derivative with respect to n: 0, an exponent being no quantity that moves by parts.
        Ldexp = "ldexp",
        /// The magnitude of x with the sign of y. Derivative with respect to x at 0: 0, as abs; with respect to y: 0.
        Copysign = "copysign",
        /// `polygamma n x`, `i32 -> t -> t`: derivative n + 1 of the logarithm of gamma, so digamma for n = 0, trigamma for n = 1. NaN for negative n.
        /// Not in the prelude: what gamma and lgamma need, and closed under differentiation. Infinite or NaN at 0 and at negative integers.
        Polygamma = "polygamma",
        /// `zmul d t` = d*t, but zero times infinity is zero, and so is NaN times t = 0: how a partial d scales a tangent or adjoint t. See Note [Zero times infinity] in `partial.rs`.
        Zmul = "zmul",
    }
}

ops! {
    /// Operators of three operands of one type, with a result of that type, but for `set_bit`.
    TernOp {
        /// `fma x y z` = x * y + z, rounded once.
        Fma = "fma",
        /// `mad x y z` = x * y + z, rounded twice.
        Mad = "mad",
        /// `lerp x y t` = x + (y - x) * t, with t limited to [0, 1] and NaN taken as 1 (as upstream does). The derivative with respect to t is
        /// y - x on the closed interval and 0 outside.
        Lerp = "lerp",
        /// `mad_hi x y z` = mul_hi x y + z, wrapping. Derivative with respect to x and y: 0.
        MadHi = "mad_hi",
        /// `set_bit i x b`, `i32 -> t -> i32 -> t`: `(x & ~(1 << i)) | (b << i)` on an integer or a float's bits, all at the width of x (upstream
        /// shifts an i32). Derivative 0.
        SetBit = "set_bit",
    }
}

ops! {
    /// Comparisons: two operands of one type, result `bool`. False when an operand is NaN.
    CmpOp {
        /// `x == y`.
        Eq = "eq",
        /// `x < y`; false < true.
        Lt = "lt",
        /// `x <= y`.
        Le = "le",
    }
}

/// A scalar operator at a width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Prim {
    /// One operand.
    Un(UnOp, ScalarType),
    /// Two operands.
    Bin(BinOp, ScalarType),
    /// Three operands.
    Tern(TernOp, ScalarType),
    /// A comparison.
    Cmp(CmpOp, ScalarType),
    /// Conversion from the first type to the second. Float to integer truncates; NaN and infinities give 0, out of range saturates. To `bool`:
    /// whether it is not zero.
    Conv(ScalarType, ScalarType),
    /// `select c x y` = if c then x else y, with both operands evaluated.
    Select(ScalarType),
}

impl Prim {
    /// Operand types and result type; `None` when the operator does not exist at this width.
    pub fn signature(self) -> Option<(Vec<ScalarType>, ScalarType)> {
        use ScalarType::{Bool, I32};
        Some(match self {
            Prim::Un(op, t) => {
                let ok = match op {
                    UnOp::Not => !t.is_float(),
                    UnOp::Neg | UnOp::Abs | UnOp::Sgn => t != Bool,
                    UnOp::Popc | UnOp::Clz | UnOp::Ctz => t.is_int(),
                    _ => t.is_float(),
                };
                let (arg, result) = match op {
                    UnOp::IsNan | UnOp::IsInf => (t, Bool),
                    UnOp::Popc | UnOp::Clz | UnOp::Ctz => (t, I32),
                    UnOp::ToBits => (t, t.bits_type()?),
                    UnOp::FromBits => (t.bits_type()?, t),
                    _ => (t, t),
                };
                ok.then_some((vec![arg], result))?
            }
            Prim::Bin(op, t) => {
                let ok = match op {
                    BinOp::And | BinOp::Or | BinOp::Xor => !t.is_float(),
                    BinOp::Quot | BinOp::Rem | BinOp::Shl | BinOp::Shr | BinOp::Lshr => t.is_int(),
                    BinOp::Rotl | BinOp::MulHi => t.is_int(),
                    BinOp::Atan2 | BinOp::Atan2pi | BinOp::Hypot => t.is_float(),
                    BinOp::Nextafter | BinOp::Ldexp | BinOp::Copysign | BinOp::Polygamma => t.is_float(),
                    BinOp::Min | BinOp::Max => true,
                    _ => t != Bool,
                };
                let (args, result) = match op {
                    BinOp::GetBit => (vec![I32, t], I32),
                    BinOp::Ldexp => (vec![t, I32], t),
                    BinOp::Polygamma => (vec![I32, t], t),
                    _ => (vec![t, t], t),
                };
                ok.then_some((args, result))?
            }
            Prim::Tern(op, t) => {
                let ok = match op {
                    TernOp::Fma | TernOp::Mad | TernOp::Lerp => t.is_float(),
                    TernOp::MadHi => t.is_int(),
                    TernOp::SetBit => t != Bool,
                };
                let args = if op == TernOp::SetBit { vec![I32, t, I32] } else { vec![t, t, t] };
                ok.then_some((args, t))?
            }
            Prim::Cmp(_, t) => (vec![t, t], Bool),
            Prim::Conv(from, to) => (vec![from], to),
            Prim::Select(t) => (vec![Bool, t, t], t),
        })
    }

    /// Every operator at every width where it exists.
    pub fn all() -> impl Iterator<Item = Prim> {
        use ScalarType as T;
        let un = T::ALL.into_iter().flat_map(|t| UnOp::ALL.iter().map(move |op| Prim::Un(*op, t)));
        let bin = T::ALL.into_iter().flat_map(|t| BinOp::ALL.iter().map(move |op| Prim::Bin(*op, t)));
        let tern = T::ALL.into_iter().flat_map(|t| TernOp::ALL.iter().map(move |op| Prim::Tern(*op, t)));
        let cmp = T::ALL.into_iter().flat_map(|t| CmpOp::ALL.iter().map(move |op| Prim::Cmp(*op, t)));
        let conv = T::ALL.into_iter().flat_map(|a| T::ALL.into_iter().map(move |b| Prim::Conv(a, b)));
        let select = T::ALL.into_iter().map(Prim::Select);
        un.chain(bin).chain(tern).chain(cmp).chain(conv).chain(select).filter(|p| p.signature().is_some())
    }

    /// The operator of a name as [`fmt::Display`] writes it.
    pub fn from_name(name: &str) -> Option<Prim> {
        let parts: Vec<&str> = name.split('.').collect();
        let prim = match parts[..] {
            ["conv", from, to] => Prim::Conv(ScalarType::from_name(from)?, ScalarType::from_name(to)?),
            ["select", t] => Prim::Select(ScalarType::from_name(t)?),
            [op, t] => {
                let t = ScalarType::from_name(t)?;
                (UnOp::from_name(op).map(|op| Prim::Un(op, t)))
                    .or(BinOp::from_name(op).map(|op| Prim::Bin(op, t)))
                    .or(TernOp::from_name(op).map(|op| Prim::Tern(op, t)))
                    .or(CmpOp::from_name(op).map(|op| Prim::Cmp(op, t)))?
            }
            _ => return None,
        };
        prim.signature().map(|_| prim)
    }

    /// Whether swapping the operands does not change the value.
    pub fn is_commutative(self) -> bool {
        use BinOp::*;
        matches!(self, Prim::Bin(Add | Mul | And | Or | Xor | Hypot | MulHi, _) | Prim::Cmp(CmpOp::Eq, _))
    }
}

/// `add.f64`, `lt.i64`, `conv.i64.f64`, `select.bool`.
impl fmt::Display for Prim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Prim::Un(op, t) => write!(f, "{}.{t}", op.name()),
            Prim::Bin(op, t) => write!(f, "{}.{t}", op.name()),
            Prim::Tern(op, t) => write!(f, "{}.{t}", op.name()),
            Prim::Cmp(op, t) => write!(f, "{}.{t}", op.name()),
            Prim::Conv(a, b) => write!(f, "conv.{a}.{b}"),
            Prim::Select(t) => write!(f, "select.{t}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for prim in Prim::all() {
            assert_eq!(Prim::from_name(&prim.to_string()), Some(prim));
        }
        assert_eq!(Prim::from_name("fma.f16"), Some(Prim::Tern(TernOp::Fma, ScalarType::F16)));
        assert_eq!(Prim::from_name("sin.i32"), None);
        assert_eq!(Prim::from_name("to_bits.u32"), None);
        assert_eq!(Prim::from_name("frob.f64"), None);
    }
}
