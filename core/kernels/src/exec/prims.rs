//! The operators that kernels apply most, on bits: integers and booleans as [`Scalar::bits`] has them, widened with zeros. All others go by way of [`Prim::eval`], which these agree with.

use futi_core::prim::{BinOp, CmpOp, Prim, Scalar, ScalarType, UnOp};

/// Something of one operand.
pub type Unary = fn(u64) -> u64;
/// Something of two.
pub type Binary = fn(u64, u64) -> u64;

/// Bits of a type as its values.
trait Bits: Copy {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($ty:ty, $bits:ty;)*) => { $(
        impl Bits for $ty {
            fn of(bits: u64) -> $ty { bits as $ty }
            fn bits(self) -> u64 { self as $bits as u64 }
        }
    )* };
}
bits! { i8, u8; i16, u16; i32, u32; i64, u64; u8, u8; u16, u16; u32, u32; u64, u64; }

impl Bits for f32 {
    fn of(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Bits for f64 {
    fn of(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

macro_rules! of_int {
    ($op:expr, $ty:ty) => {
        match $op {
            Prim::Bin(BinOp::Add, _) => |a, b| <$ty>::of(a).wrapping_add(<$ty>::of(b)).bits(),
            Prim::Bin(BinOp::Sub, _) => |a, b| <$ty>::of(a).wrapping_sub(<$ty>::of(b)).bits(),
            Prim::Bin(BinOp::Mul, _) => |a, b| <$ty>::of(a).wrapping_mul(<$ty>::of(b)).bits(),
            Prim::Bin(BinOp::Quot, _) => |a, b| {
                <$ty>::of(a)
                    .checked_rem(<$ty>::of(b))
                    .map_or_else(|| quot_edge::<$ty>(a, b), |_| (<$ty>::of(a) / <$ty>::of(b)).bits())
            },
            Prim::Bin(BinOp::Rem, _) => |a, b| <$ty>::of(a).checked_rem(<$ty>::of(b)).map_or(0, <$ty>::bits),
            Prim::Bin(BinOp::Min, _) => |a, b| <$ty>::of(a).min(<$ty>::of(b)).bits(),
            Prim::Bin(BinOp::Max, _) => |a, b| <$ty>::of(a).max(<$ty>::of(b)).bits(),
            Prim::Bin(BinOp::And, _) => |a, b| a & b,
            Prim::Bin(BinOp::Or, _) => |a, b| a | b,
            Prim::Bin(BinOp::Xor, _) => |a, b| a ^ b,
            Prim::Cmp(CmpOp::Eq, _) => |a, b| u64::from(a == b),
            Prim::Cmp(CmpOp::Lt, _) => |a, b| u64::from(<$ty>::of(a) < <$ty>::of(b)),
            Prim::Cmp(CmpOp::Le, _) => |a, b| u64::from(<$ty>::of(a) <= <$ty>::of(b)),
            _ => return None,
        }
    };
}

/// A quotient that there is none of: 0 of a division by zero, and else that of the least number by −1, which is itself.
fn quot_edge<T: Bits>(a: u64, b: u64) -> u64 {
    if b == 0 { 0 } else { T::of(a).bits() }
}

macro_rules! of_float {
    ($op:expr, $ty:ty) => {
        match $op {
            Prim::Bin(BinOp::Add, _) => |a, b| (<$ty>::of(a) + <$ty>::of(b)).bits(),
            Prim::Bin(BinOp::Sub, _) => |a, b| (<$ty>::of(a) - <$ty>::of(b)).bits(),
            Prim::Bin(BinOp::Mul, _) => |a, b| (<$ty>::of(a) * <$ty>::of(b)).bits(),
            Prim::Bin(BinOp::Div, _) => |a, b| (<$ty>::of(a) / <$ty>::of(b)).bits(),
            Prim::Cmp(CmpOp::Eq, _) => |a, b| u64::from(<$ty>::of(a) == <$ty>::of(b)),
            Prim::Cmp(CmpOp::Lt, _) => |a, b| u64::from(<$ty>::of(a) < <$ty>::of(b)),
            Prim::Cmp(CmpOp::Le, _) => |a, b| u64::from(<$ty>::of(a) <= <$ty>::of(b)),
            _ => return None,
        }
    };
}

/// An operator of two operands of one type.
pub fn binary(op: Prim) -> Option<Binary> {
    let (Prim::Bin(_, ty) | Prim::Cmp(_, ty)) = op else { return None };
    Some(match ty {
        ScalarType::I8 => of_int!(op, i8),
        ScalarType::I16 => of_int!(op, i16),
        ScalarType::I32 => of_int!(op, i32),
        ScalarType::I64 => of_int!(op, i64),
        ScalarType::U8 => of_int!(op, u8),
        ScalarType::U16 => of_int!(op, u16),
        ScalarType::U32 => of_int!(op, u32),
        ScalarType::U64 => of_int!(op, u64),
        ScalarType::F32 => of_float!(op, f32),
        ScalarType::F64 => of_float!(op, f64),
        ScalarType::F16 => return None,
        ScalarType::Bool => match op {
            Prim::Bin(BinOp::And, _) => |a, b| a & b,
            Prim::Bin(BinOp::Or, _) => |a, b| a | b,
            Prim::Bin(BinOp::Xor, _) => |a, b| a ^ b,
            Prim::Cmp(CmpOp::Eq, _) => |a, b| u64::from(a == b),
            _ => return None,
        },
    })
}

/// An operator of one operand.
pub fn unary(op: Prim) -> Option<Unary> {
    use ScalarType::{Bool, F32, F64, I32, I64, U32, U64};
    Some(match op {
        Prim::Un(UnOp::Not, Bool) => |x| x ^ 1,
        Prim::Un(UnOp::Neg, F32) => |x| (-f32::of(x)).bits(),
        Prim::Un(UnOp::Neg, F64) => |x| (-f64::of(x)).bits(),
        Prim::Conv(I32, I64) => |x| i64::from(i32::of(x)).bits(),
        Prim::Conv(I64 | U64, I32 | U32) | Prim::Conv(I32, U32) | Prim::Conv(U32, I32 | I64 | U64) => {
            |x| x & 0xffff_ffff
        }
        Prim::Conv(I64, U64) | Prim::Conv(U64, I64) | Prim::Conv(Bool, I32 | I64) => |x| x,
        Prim::Conv(I32, F32) => |x| (i32::of(x) as f32).bits(),
        Prim::Conv(I64, F32) => |x| (i64::of(x) as f32).bits(),
        Prim::Conv(I64, F64) => |x| (i64::of(x) as f64).bits(),
        _ => return None,
    })
}

/// An operator of any operands, as the table of operators has it.
pub fn any(op: Prim, types: &[ScalarType], bits: &[u64]) -> u64 {
    let mut args = [Scalar::Bool(false); 3];
    for (arg, (ty, bits)) in args.iter_mut().zip(types.iter().zip(bits)) {
        *arg = Scalar::from_bits(*ty, *bits);
    }
    op.eval(&args[..types.len().min(3)]).bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::{QuickCheck, quickcheck};

    /// Numbers of a type among which the edges are frequent.
    fn spread(ty: ScalarType, x: u64) -> u64 {
        let edge = [
            0,
            1,
            u64::MAX,
            u64::MAX >> 1,
            1 << 63,
            0x7f,
            0x80,
            0x7fff,
            0x8000,
            0x7fff_ffff,
            0x8000_0000,
            0x7f80_0000,
            0x7fc0_0000,
        ];
        let x = if x.is_multiple_of(3) { edge[(x / 3 % edge.len() as u64) as usize] } else { x };
        Scalar::from_bits(ty, x).bits()
    }

    #[test]
    fn they_agree_with_the_table() {
        let mut fast = 0;
        for op in Prim::all() {
            let Some((types, result)) = op.signature() else { continue };
            let (one, two) = (unary(op), binary(op));
            fast += usize::from(one.is_some()) + usize::from(two.is_some());
            let agrees = move |x: u64, y: u64| {
                let (types, _) = op.signature().unwrap();
                let bits: Vec<u64> = types.iter().zip([x, y]).map(|(ty, x)| spread(*ty, x)).collect();
                let by_table = any(op, &types, &bits);
                let here = match &bits[..] {
                    [x] => unary(op).map(|f| f(*x)),
                    [x, y] => binary(op).map(|f| f(*x, *y)),
                    _ => None,
                };
                // all that are not numbers are one
                let fine = here.is_none_or(|here| {
                    Scalar::from_bits(result, here) == Scalar::from_bits(result, by_table)
                        && (result.is_float() || here == by_table)
                });
                if !fine {
                    eprintln!("{op} {bits:?}");
                }
                fine
            };
            if types.len() <= 2 && (one.is_some() || two.is_some()) {
                QuickCheck::new().tests(60).quickcheck(WithOp(agrees));
            }
        }
        assert!(fast > 120, "{fast}");
    }

    /// A property that holds what it is about.
    struct WithOp<F>(F);

    impl<F: Fn(u64, u64) -> bool + 'static> quickcheck::Testable for WithOp<F> {
        fn result(&self, g: &mut quickcheck::Gen) -> quickcheck::TestResult {
            let [x, y] = [0, 1].map(|_| <u64 as quickcheck::Arbitrary>::arbitrary(g));
            quickcheck::TestResult::from_bool((self.0)(x, y))
        }
    }

    quickcheck! {
        fn bits_come_back(x: u64) -> bool {
            i32::of(x).bits() == x & 0xffff_ffff && i8::of(x).bits() == x & 0xff && f32::of(x).bits() == x & 0xffff_ffff
        }
    }
}
