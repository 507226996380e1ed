//! Scalar types and scalars.

use super::{BinOp, Prim, float};
use half::f16;
use std::fmt;

/// The type of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ScalarType {
    /// Signed 8-bit integer, wrapping.
    I8,
    /// Signed 16-bit integer, wrapping.
    I16,
    /// Signed 32-bit integer, wrapping.
    I32,
    /// Signed 64-bit integer, wrapping; the type of sizes and indices.
    I64,
    /// Unsigned 8-bit integer, wrapping.
    U8,
    /// Unsigned 16-bit integer, wrapping.
    U16,
    /// Unsigned 32-bit integer, wrapping.
    U32,
    /// Unsigned 64-bit integer, wrapping.
    U64,
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// Truth value.
    Bool,
}

impl ScalarType {
    /// Every scalar type.
    pub const ALL: [ScalarType; 12] = {
        use ScalarType::*;
        [I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, Bool]
    };

    /// The name in source and IR text: `i32`, `f64`, `bool` …
    pub fn name(self) -> &'static str {
        match self {
            ScalarType::I8 => "i8",
            ScalarType::I16 => "i16",
            ScalarType::I32 => "i32",
            ScalarType::I64 => "i64",
            ScalarType::U8 => "u8",
            ScalarType::U16 => "u16",
            ScalarType::U32 => "u32",
            ScalarType::U64 => "u64",
            ScalarType::F16 => "f16",
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
            ScalarType::Bool => "bool",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }

    /// Whether it is `f16`, `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, ScalarType::F16 | ScalarType::F32 | ScalarType::F64)
    }

    /// Whether it is an integer type, signed or not.
    pub fn is_int(self) -> bool {
        !self.is_float() && self != ScalarType::Bool
    }

    /// Whether it is an unsigned integer type.
    pub fn is_unsigned(self) -> bool {
        matches!(self, ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64)
    }

    /// Size of one element in an array, in bytes.
    pub fn bytes(self) -> usize {
        match self {
            ScalarType::I8 | ScalarType::U8 | ScalarType::Bool => 1,
            ScalarType::I16 | ScalarType::U16 | ScalarType::F16 => 2,
            ScalarType::I32 | ScalarType::U32 | ScalarType::F32 => 4,
            ScalarType::I64 | ScalarType::U64 | ScalarType::F64 => 8,
        }
    }

    /// The unsigned integer type that holds a float's bits.
    pub fn bits_type(self) -> Option<ScalarType> {
        match self {
            ScalarType::F16 => Some(ScalarType::U16),
            ScalarType::F32 => Some(ScalarType::U32),
            ScalarType::F64 => Some(ScalarType::U64),
            _ => None,
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

    /// The product of partials, tangents and adjoints along a path: Note [Zero times infinity].
    pub fn times_along(self) -> Prim {
        if self.is_float() { Prim::Bin(BinOp::Zmul, self) } else { self.times() }
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A scalar value. Equality and hashing are by bits, except that there is one `nan`, which equals itself; `0.0` differs from `-0.0`: what a compiler needs.
/// [`super::CmpOp::Eq`] is IEEE's.
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    /// An `i8`.
    I8(i8),
    /// An `i16`.
    I16(i16),
    /// An `i32`.
    I32(i32),
    /// An `i64`.
    I64(i64),
    /// A `u8`.
    U8(u8),
    /// A `u16`.
    U16(u16),
    /// A `u32`.
    U32(u32),
    /// A `u64`.
    U64(u64),
    /// An `f16`.
    F16(f16),
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
            Scalar::I8(_) => ScalarType::I8,
            Scalar::I16(_) => ScalarType::I16,
            Scalar::I32(_) => ScalarType::I32,
            Scalar::I64(_) => ScalarType::I64,
            Scalar::U8(_) => ScalarType::U8,
            Scalar::U16(_) => ScalarType::U16,
            Scalar::U32(_) => ScalarType::U32,
            Scalar::U64(_) => ScalarType::U64,
            Scalar::F16(_) => ScalarType::F16,
            Scalar::F32(_) => ScalarType::F32,
            Scalar::F64(_) => ScalarType::F64,
            Scalar::Bool(_) => ScalarType::Bool,
        }
    }

    /// The number `x` at type `ty` (wrapping; rounded for floats; non-zero is `true`).
    pub fn from_i64(ty: ScalarType, x: i64) -> Scalar {
        match ty {
            ScalarType::I8 => Scalar::I8(x as i8),
            ScalarType::I16 => Scalar::I16(x as i16),
            ScalarType::I32 => Scalar::I32(x as i32),
            ScalarType::I64 => Scalar::I64(x),
            ScalarType::U8 => Scalar::U8(x as u8),
            ScalarType::U16 => Scalar::U16(x as u16),
            ScalarType::U32 => Scalar::U32(x as u32),
            ScalarType::U64 => Scalar::U64(x as u64),
            // what f64 does not hold exactly is infinite as f16
            ScalarType::F16 => Scalar::F16(float::to_f16(x as f64)),
            ScalarType::F32 => Scalar::F32(x as f32),
            ScalarType::F64 => Scalar::F64(x as f64),
            ScalarType::Bool => Scalar::Bool(x != 0),
        }
    }

    /// The number `x` at an integer type, if the type has it.
    pub fn from_int(ty: ScalarType, x: i128) -> Option<Scalar> {
        match ty {
            ScalarType::I8 => x.try_into().ok().map(Scalar::I8),
            ScalarType::I16 => x.try_into().ok().map(Scalar::I16),
            ScalarType::I32 => x.try_into().ok().map(Scalar::I32),
            ScalarType::I64 => x.try_into().ok().map(Scalar::I64),
            ScalarType::U8 => x.try_into().ok().map(Scalar::U8),
            ScalarType::U16 => x.try_into().ok().map(Scalar::U16),
            ScalarType::U32 => x.try_into().ok().map(Scalar::U32),
            ScalarType::U64 => x.try_into().ok().map(Scalar::U64),
            ScalarType::F16 | ScalarType::F32 | ScalarType::F64 | ScalarType::Bool => None,
        }
    }

    /// The number `x` at type `ty`: rounded for `f16` and `f32`, converted as [`Prim::Conv`] for integers.
    pub fn from_f64(ty: ScalarType, x: f64) -> Scalar {
        Prim::Conv(ScalarType::F64, ty).eval(&[Scalar::F64(x)])
    }

    /// The bits, widened with zeros.
    pub fn bits(self) -> u64 {
        match self {
            Scalar::I8(x) => x as u8 as u64,
            Scalar::I16(x) => x as u16 as u64,
            Scalar::I32(x) => x as u32 as u64,
            Scalar::I64(x) => x as u64,
            Scalar::U8(x) => x as u64,
            Scalar::U16(x) => x as u64,
            Scalar::U32(x) => x as u64,
            Scalar::U64(x) => x,
            Scalar::F16(x) => x.to_bits() as u64,
            Scalar::F32(x) => x.to_bits() as u64,
            Scalar::F64(x) => x.to_bits(),
            Scalar::Bool(x) => x as u64,
        }
    }

    /// The scalar with these bits, of which those above the width are ignored.
    pub fn from_bits(ty: ScalarType, bits: u64) -> Scalar {
        match ty {
            ScalarType::F16 => Scalar::F16(f16::from_bits(bits as u16)),
            ScalarType::F32 => Scalar::F32(f32::from_bits(bits as u32)),
            ScalarType::F64 => Scalar::F64(f64::from_bits(bits)),
            _ => Scalar::from_i64(ty, bits as i64),
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

    /// The value of an integer scalar of any width; 0 or 1 for booleans, `None` for floats.
    pub fn to_int(self) -> Option<i128> {
        match self {
            Scalar::I8(x) => Some(x.into()),
            Scalar::I16(x) => Some(x.into()),
            Scalar::I32(x) => Some(x.into()),
            Scalar::I64(x) => Some(x.into()),
            Scalar::U8(x) => Some(x.into()),
            Scalar::U16(x) => Some(x.into()),
            Scalar::U32(x) => Some(x.into()),
            Scalar::U64(x) => Some(x.into()),
            Scalar::Bool(x) => Some(x.into()),
            Scalar::F16(_) | Scalar::F32(_) | Scalar::F64(_) => None,
        }
    }

    /// The nearest `f64`, for any numeric scalar; 0 or 1 for booleans.
    pub fn to_f64(self) -> f64 {
        match self {
            Scalar::I8(x) => x.into(),
            Scalar::I16(x) => x.into(),
            Scalar::I32(x) => x.into(),
            Scalar::I64(x) => x as f64,
            Scalar::U8(x) => x.into(),
            Scalar::U16(x) => x.into(),
            Scalar::U32(x) => x.into(),
            Scalar::U64(x) => x as f64,
            Scalar::F16(x) => x.to_f64(),
            Scalar::F32(x) => x.into(),
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

macro_rules! from {
    ($($ty:ty: $variant:ident;)*) => { $(
        impl From<$ty> for Scalar {
            fn from(x: $ty) -> Scalar {
                Scalar::$variant(x)
            }
        }
    )* };
}
from! { i8: I8; i16: I16; i32: I32; i64: I64; u8: U8; u16: U16; u32: U32; u64: U64; f16: F16; f32: F32; f64: F64; bool: Bool; }

/// The fewest significant digits that name the `f16`, as a number that prints with them.
fn shortest(x: f16) -> f64 {
    let fits = |s: &String| s.parse().is_ok_and(|y| float::to_f16(y) == x);
    let text = (0..5).map(|digits| format!("{:.digits$e}", x.to_f64())).find(fits);
    text.and_then(|s| s.parse().ok()).unwrap_or(x.to_f64())
}

/// Futhark's text: `1i32`, `2.5f64`, `f32.nan`, `-f64.inf`, `true`. Floats have the fewest digits that name them.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ty = self.scalar_type();
        match self {
            x if x.to_f64().is_nan() => write!(f, "{ty}.nan"),
            x if ty.is_float() && x.to_f64().is_infinite() => {
                write!(f, "{}{ty}.inf", if x.to_f64() < 0.0 { "-" } else { "" })
            }
            Scalar::I8(x) => write!(f, "{x}{ty}"),
            Scalar::I16(x) => write!(f, "{x}{ty}"),
            Scalar::I32(x) => write!(f, "{x}{ty}"),
            Scalar::I64(x) => write!(f, "{x}{ty}"),
            Scalar::U8(x) => write!(f, "{x}{ty}"),
            Scalar::U16(x) => write!(f, "{x}{ty}"),
            Scalar::U32(x) => write!(f, "{x}{ty}"),
            Scalar::U64(x) => write!(f, "{x}{ty}"),
            Scalar::F16(x) => write!(f, "{:?}{ty}", shortest(*x)),
            Scalar::F32(x) => write!(f, "{x:?}{ty}"),
            Scalar::F64(x) => write!(f, "{x:?}{ty}"),
            Scalar::Bool(x) => write!(f, "{x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_print_as_futhark_does() {
        let text: Vec<String> = [
            Scalar::I32(-1),
            Scalar::F64(2.0),
            Scalar::F32(f32::NAN),
            Scalar::F64(f64::NEG_INFINITY),
            Scalar::Bool(true),
            Scalar::F64(1e300),
            Scalar::U64(u64::MAX),
            Scalar::I8(-128),
            Scalar::from_f64(ScalarType::F16, 0.1),
            Scalar::F16(f16::MAX),
            Scalar::F16(f16::from_bits(1)),
            Scalar::F16(f16::NEG_INFINITY),
        ]
        .iter()
        .map(Scalar::to_string)
        .collect();
        let expected = "-1i32 2.0f64 f32.nan -f64.inf true 1e300f64 18446744073709551615u64 -128i8";
        assert_eq!(text.join(" "), format!("{expected} 0.1f16 65500.0f16 6e-8f16 -f16.inf"));
    }

    #[test]
    fn every_f16_is_named_by_its_text() {
        for bits in 0..=u16::MAX {
            let x = f16::from_bits(bits);
            if x.is_finite() {
                let text = Scalar::F16(x).to_string();
                let parsed: f64 = text.strip_suffix("f16").unwrap().parse().unwrap();
                assert_eq!(Scalar::F16(float::to_f16(parsed)), Scalar::F16(x), "{text}");
            }
        }
    }

    #[test]
    fn bits_and_integers_round_trip() {
        for t in ScalarType::ALL {
            assert_eq!(Scalar::from_bits(t, t.one().bits()), t.one());
            assert_eq!(t.one().bits() >> (8 * t.bytes() - 1), 0, "{t}");
            if t.is_int() {
                assert_eq!(Scalar::from_bits(t, u64::MAX), Scalar::from_i64(t, -1));
                let max = (1i128 << (8 * t.bytes() - usize::from(!t.is_unsigned()))) - 1;
                assert_eq!(Scalar::from_int(t, max).and_then(Scalar::to_int), Some(max), "{t}");
                assert_eq!(Scalar::from_int(t, max + 1), None);
                assert_eq!(Scalar::from_int(t, -1).is_none(), t.is_unsigned());
            }
        }
    }
}
