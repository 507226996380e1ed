//! Scalar types and the one table of scalar operators: type rule, evaluator, partial derivatives.
//!
//! Interpreter, simplifier, checker, differentiation and code generation all read this table, so that an operator means the same thing
//! everywhere. [`Prim`] names an operator at a width; [`Prim::signature`] is its type, [`Prim::eval`] its value ([`eval`]) and
//! [`Prim::partial`] its derivatives ([`partial`]).

pub mod eval;
pub mod partial;
#[cfg(test)]
#[path = "tests.rs"]
mod table_tests;

use std::fmt;

pub use partial::{Algebra, PExp, Partial};

/// The type of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ScalarType {
    /// Signed 32-bit integer, wrapping.
    I32,
    /// Signed 64-bit integer, wrapping; the type of sizes and indices.
    I64,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// Truth value.
    Bool,
}

impl ScalarType {
    /// Every scalar type.
    pub const ALL: [ScalarType; 5] =
        [ScalarType::I32, ScalarType::I64, ScalarType::F32, ScalarType::F64, ScalarType::Bool];

    /// The name in source and IR text: `i32`, `f64`, `bool` …
    pub fn name(self) -> &'static str {
        match self {
            ScalarType::I32 => "i32",
            ScalarType::I64 => "i64",
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
            ScalarType::Bool => "bool",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }

    /// Whether it is `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, ScalarType::F32 | ScalarType::F64)
    }

    /// Whether it is an integer type.
    pub fn is_int(self) -> bool {
        matches!(self, ScalarType::I32 | ScalarType::I64)
    }

    /// Size of one element in an array, in bytes.
    pub fn bytes(self) -> usize {
        match self {
            ScalarType::I32 | ScalarType::F32 => 4,
            ScalarType::I64 | ScalarType::F64 => 8,
            ScalarType::Bool => 1,
        }
    }

    /// Zero; `false` for `bool`.
    pub fn zero(self) -> Scalar {
        Scalar::from_i64(self, 0)
    }

    /// One; `true` for `bool`.
    pub fn one(self) -> Scalar {
        Scalar::from_i64(self, 1)
    }

    /// The operator that adds two tangents or adjoints of this type: `+`, for booleans `||`
    /// (futhark-compat.md §2.2).
    pub fn plus(self) -> Prim {
        Prim::Bin(if self == ScalarType::Bool { BinOp::Or } else { BinOp::Add }, self)
    }

    /// The operator that scales a tangent or adjoint of this type: `*`, for booleans `&&`.
    pub fn times(self) -> Prim {
        Prim::Bin(if self == ScalarType::Bool { BinOp::And } else { BinOp::Mul }, self)
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A scalar value. Equality and hashing are by bits, except that there is one `nan`, which equals itself; `0.0` differs from `-0.0`: what a compiler needs.
/// [`CmpOp::Eq`] is IEEE's.
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    /// An `i32`.
    I32(i32),
    /// An `i64`.
    I64(i64),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// A `bool`.
    Bool(bool),
}

impl Scalar {
    /// Its type.
    pub fn scalar_type(self) -> ScalarType {
        match self {
            Scalar::I32(_) => ScalarType::I32,
            Scalar::I64(_) => ScalarType::I64,
            Scalar::F32(_) => ScalarType::F32,
            Scalar::F64(_) => ScalarType::F64,
            Scalar::Bool(_) => ScalarType::Bool,
        }
    }

    /// The number `x` at type `ty` (wrapping; non-zero is `true`).
    pub fn from_i64(ty: ScalarType, x: i64) -> Scalar {
        match ty {
            ScalarType::I32 => Scalar::I32(x as i32),
            ScalarType::I64 => Scalar::I64(x),
            ScalarType::F32 => Scalar::F32(x as f32),
            ScalarType::F64 => Scalar::F64(x as f64),
            ScalarType::Bool => Scalar::Bool(x != 0),
        }
    }

    /// The number `x` at type `ty`: rounded for `f32`, converted as [`Prim::Conv`] for integers.
    pub fn from_f64(ty: ScalarType, x: f64) -> Scalar {
        Prim::Conv(ScalarType::F64, ty).eval(&[Scalar::F64(x)])
    }

    /// The bits, widened.
    pub fn bits(self) -> u64 {
        match self {
            Scalar::I32(x) => x as u32 as u64,
            Scalar::I64(x) => x as u64,
            Scalar::F32(x) => x.to_bits() as u64,
            Scalar::F64(x) => x.to_bits(),
            Scalar::Bool(x) => x as u64,
        }
    }

    fn key(self) -> (ScalarType, u64) {
        (self.scalar_type(), if self.to_f64().is_nan() { u64::MAX } else { self.bits() })
    }

    /// The value of an `i64` scalar: an index or a size.
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Scalar::I64(x) => Some(x),
            _ => None,
        }
    }

    /// The value of a `bool` scalar.
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Scalar::Bool(x) => Some(x),
            _ => None,
        }
    }

    /// The nearest `f64`, for any numeric scalar; 0 or 1 for booleans.
    pub fn to_f64(self) -> f64 {
        match self {
            Scalar::I32(x) => x as f64,
            Scalar::I64(x) => x as f64,
            Scalar::F32(x) => x as f64,
            Scalar::F64(x) => x,
            Scalar::Bool(x) => x as u8 as f64,
        }
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
impl Eq for Scalar {}
impl std::hash::Hash for Scalar {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// Futhark's text: `1i32`, `2.5f64`, `f32.nan`, `-f64.inf`, `true`.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn float(f: &mut fmt::Formatter<'_>, finite: String, x: f64, ty: &str) -> fmt::Result {
            match x {
                x if x.is_nan() => write!(f, "{ty}.nan"),
                x if x.is_infinite() => write!(f, "{}{ty}.inf", if x < 0.0 { "-" } else { "" }),
                _ => write!(f, "{finite}{ty}"),
            }
        }
        match self {
            Scalar::I32(x) => write!(f, "{x}i32"),
            Scalar::I64(x) => write!(f, "{x}i64"),
            Scalar::F32(x) => float(f, format!("{x:?}"), *x as f64, "f32"),
            Scalar::F64(x) => float(f, format!("{x:?}"), *x, "f64"),
            Scalar::Bool(x) => write!(f, "{x}"),
        }
    }
}

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
        /// Square root. Derivative at 0: infinite, singular.
        Sqrt = "sqrt",
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
    }
}

ops! {
    /// Operators of two operands of one type, with a result of that type.
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
        /// `x >> y`, arithmetic; the sign when y is the width or more, or negative.
        Shr = "shr",
        /// `x >>> y`, logical; 0 when y is the width or more, or negative.
        Lshr = "lshr",
        /// The angle of the point (y, x): `atan2 y x`.
        Atan2 = "atan2",
        /// `sqrt (x*x + y*y)` without overflow.
        Hypot = "hypot",
        /// `zmul d t` = if t == 0 then 0 else d*t: how a singular partial d scales a tangent or adjoint t. See
        /// Note [Zero times a singular partial] in `partial.rs`.
        Zmul = "zmul",
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
        use ScalarType::Bool;
        Some(match self {
            Prim::Un(op, t) => {
                let ok = match op {
                    UnOp::Not => !t.is_float(),
                    UnOp::Neg | UnOp::Abs | UnOp::Sgn => t != Bool,
                    _ => t.is_float(),
                };
                let res = if matches!(op, UnOp::IsNan | UnOp::IsInf) { Bool } else { t };
                ok.then_some((vec![t], res))?
            }
            Prim::Bin(op, t) => {
                let ok = match op {
                    BinOp::And | BinOp::Or | BinOp::Xor => !t.is_float(),
                    BinOp::Quot | BinOp::Rem | BinOp::Shl | BinOp::Shr | BinOp::Lshr => t.is_int(),
                    BinOp::Atan2 | BinOp::Hypot => t.is_float(),
                    BinOp::Min | BinOp::Max => true,
                    _ => t != Bool,
                };
                ok.then_some((vec![t, t], t))?
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
        let cmp = T::ALL.into_iter().flat_map(|t| CmpOp::ALL.iter().map(move |op| Prim::Cmp(*op, t)));
        let conv = T::ALL.into_iter().flat_map(|a| T::ALL.into_iter().map(move |b| Prim::Conv(a, b)));
        let select = T::ALL.into_iter().map(Prim::Select);
        un.chain(bin).chain(cmp).chain(conv).chain(select).filter(|p| p.signature().is_some())
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
                    .or(CmpOp::from_name(op).map(|op| Prim::Cmp(op, t)))?
            }
            _ => return None,
        };
        prim.signature().map(|_| prim)
    }

    /// Whether swapping the operands does not change the value.
    pub fn is_commutative(self) -> bool {
        use BinOp::*;
        matches!(self, Prim::Bin(Add | Mul | And | Or | Xor | Hypot, _) | Prim::Cmp(CmpOp::Eq, _))
    }
}

/// `add.f64`, `lt.i64`, `conv.i64.f64`, `select.bool`.
impl fmt::Display for Prim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Prim::Un(op, t) => write!(f, "{}.{t}", op.name()),
            Prim::Bin(op, t) => write!(f, "{}.{t}", op.name()),
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
        assert_eq!(Prim::from_name("sin.i32"), None);
        assert_eq!(Prim::from_name("frob.f64"), None);
    }

    #[test]
    fn scalars_print_as_futhark_does() {
        let text: Vec<String> = [
            Scalar::I32(-1),
            Scalar::F64(2.0),
            Scalar::F32(f32::NAN),
            Scalar::F64(f64::NEG_INFINITY),
            Scalar::Bool(true),
            Scalar::F64(1e300),
        ]
        .iter()
        .map(Scalar::to_string)
        .collect();
        assert_eq!(text, ["-1i32", "2.0f64", "f32.nan", "-f64.inf", "true", "1e300f64"]);
    }
}
