//! The scalar operators that inner loops are made of, at the types of the machine. Any other goes through [`Prim::eval`], which also says what these
//! mean; a test compares them.

use super::words::Word;
use futi_core::prim::{BinOp, CmpOp, Prim, ScalarType as S, UnOp};

/// Gives the table to another macro, after the tokens in brackets.
macro_rules! operators {
    ($then:ident $($with:tt)*) => { $then! { [$($with)*]
        one {
            NegF64: Prim::Un(UnOp::Neg, S::F64), f64 => f64, |x| -x;
            NegF32: Prim::Un(UnOp::Neg, S::F32), f32 => f32, |x| -x;
            NegI64: Prim::Un(UnOp::Neg, S::I64), i64 => i64, |x| x.wrapping_neg();
            NegI32: Prim::Un(UnOp::Neg, S::I32), i32 => i32, |x| x.wrapping_neg();
            AbsF64: Prim::Un(UnOp::Abs, S::F64), f64 => f64, |x| x.abs();
            AbsF32: Prim::Un(UnOp::Abs, S::F32), f32 => f32, |x| x.abs();
            AbsI64: Prim::Un(UnOp::Abs, S::I64), i64 => i64, |x| x.wrapping_abs();
            AbsI32: Prim::Un(UnOp::Abs, S::I32), i32 => i32, |x| x.wrapping_abs();
            SqrtF64: Prim::Un(UnOp::Sqrt, S::F64), f64 => f64, |x| x.sqrt();
            SqrtF32: Prim::Un(UnOp::Sqrt, S::F32), f32 => f32, |x| x.sqrt();
            Not: Prim::Un(UnOp::Not, S::Bool), bool => bool, |x| !x;
            I32ToI64: Prim::Conv(S::I32, S::I64), i32 => i64, |x| x as i64;
            I64ToI32: Prim::Conv(S::I64, S::I32), i64 => i32, |x| x as i32;
            I32ToF64: Prim::Conv(S::I32, S::F64), i32 => f64, |x| x as f64;
            I64ToF64: Prim::Conv(S::I64, S::F64), i64 => f64, |x| x as f64;
            I64ToF32: Prim::Conv(S::I64, S::F32), i64 => f32, |x| x as f32;
            I32ToF32: Prim::Conv(S::I32, S::F32), i32 => f32, |x| x as f32;
            F32ToF64: Prim::Conv(S::F32, S::F64), f32 => f64, |x| x as f64;
            F64ToF32: Prim::Conv(S::F64, S::F32), f64 => f32, |x| x as f32;
            F64ToI64: Prim::Conv(S::F64, S::I64), f64 => i64, |x| if x.is_infinite() { 0 } else { x as i64 };
            F64ToI32: Prim::Conv(S::F64, S::I32), f64 => i32, |x| if x.is_infinite() { 0 } else { x as i32 };
            BoolToI64: Prim::Conv(S::Bool, S::I64), bool => i64, |x| x as i64;
            BoolToF64: Prim::Conv(S::Bool, S::F64), bool => f64, |x| x as i64 as f64;
        }
        two {
            AddF64: Prim::Bin(BinOp::Add, S::F64), f64 => f64, |x, y| x + y;
            SubF64: Prim::Bin(BinOp::Sub, S::F64), f64 => f64, |x, y| x - y;
            MulF64: Prim::Bin(BinOp::Mul, S::F64), f64 => f64, |x, y| x * y;
            DivF64: Prim::Bin(BinOp::Div, S::F64), f64 => f64, |x, y| x / y;
            MinF64: Prim::Bin(BinOp::Min, S::F64), f64 => f64, |x, y| if x <= y || y.is_nan() { x } else { y };
            MaxF64: Prim::Bin(BinOp::Max, S::F64), f64 => f64, |x, y| if x >= y || y.is_nan() { x } else { y };
            ZmulF64: Prim::Bin(BinOp::Zmul, S::F64), f64 => f64, |x, y| futi_core::prim::zmul(x, y);
            AddF32: Prim::Bin(BinOp::Add, S::F32), f32 => f32, |x, y| x + y;
            SubF32: Prim::Bin(BinOp::Sub, S::F32), f32 => f32, |x, y| x - y;
            MulF32: Prim::Bin(BinOp::Mul, S::F32), f32 => f32, |x, y| x * y;
            DivF32: Prim::Bin(BinOp::Div, S::F32), f32 => f32, |x, y| x / y;
            ZmulF32: Prim::Bin(BinOp::Zmul, S::F32), f32 => f32, |x, y| futi_core::prim::zmul(x, y);
            MinF32: Prim::Bin(BinOp::Min, S::F32), f32 => f32, |x, y| if x <= y || y.is_nan() { x } else { y };
            MaxF32: Prim::Bin(BinOp::Max, S::F32), f32 => f32, |x, y| if x >= y || y.is_nan() { x } else { y };
            AddI64: Prim::Bin(BinOp::Add, S::I64), i64 => i64, |x, y| x.wrapping_add(y);
            SubI64: Prim::Bin(BinOp::Sub, S::I64), i64 => i64, |x, y| x.wrapping_sub(y);
            MulI64: Prim::Bin(BinOp::Mul, S::I64), i64 => i64, |x, y| x.wrapping_mul(y);
            DivI64: Prim::Bin(BinOp::Div, S::I64), i64 => i64,
                |x, y| if y == 0 { 0 } else { x.wrapping_div(y) - (x.wrapping_rem(y) != 0 && (x < 0) != (y < 0)) as i64 };
            ModI64: Prim::Bin(BinOp::Mod, S::I64), i64 => i64,
                |x, y| if y == 0 { 0 } else { x.wrapping_rem(y) + if x.wrapping_rem(y) != 0 && (x < 0) != (y < 0) { y } else { 0 } };
            QuotI64: Prim::Bin(BinOp::Quot, S::I64), i64 => i64, |x, y| if y == 0 { 0 } else { x.wrapping_div(y) };
            RemI64: Prim::Bin(BinOp::Rem, S::I64), i64 => i64, |x, y| if y == 0 { 0 } else { x.wrapping_rem(y) };
            MinI64: Prim::Bin(BinOp::Min, S::I64), i64 => i64, |x, y| x.min(y);
            MaxI64: Prim::Bin(BinOp::Max, S::I64), i64 => i64, |x, y| x.max(y);
            AndI64: Prim::Bin(BinOp::And, S::I64), i64 => i64, |x, y| x & y;
            OrI64: Prim::Bin(BinOp::Or, S::I64), i64 => i64, |x, y| x | y;
            XorI64: Prim::Bin(BinOp::Xor, S::I64), i64 => i64, |x, y| x ^ y;
            AddI32: Prim::Bin(BinOp::Add, S::I32), i32 => i32, |x, y| x.wrapping_add(y);
            SubI32: Prim::Bin(BinOp::Sub, S::I32), i32 => i32, |x, y| x.wrapping_sub(y);
            MulI32: Prim::Bin(BinOp::Mul, S::I32), i32 => i32, |x, y| x.wrapping_mul(y);
            DivI32: Prim::Bin(BinOp::Div, S::I32), i32 => i32,
                |x, y| if y == 0 { 0 } else { x.wrapping_div(y) - (x.wrapping_rem(y) != 0 && (x < 0) != (y < 0)) as i32 };
            ModI32: Prim::Bin(BinOp::Mod, S::I32), i32 => i32,
                |x, y| if y == 0 { 0 } else { x.wrapping_rem(y) + if x.wrapping_rem(y) != 0 && (x < 0) != (y < 0) { y } else { 0 } };
            MinI32: Prim::Bin(BinOp::Min, S::I32), i32 => i32, |x, y| x.min(y);
            MaxI32: Prim::Bin(BinOp::Max, S::I32), i32 => i32, |x, y| x.max(y);
            AndI32: Prim::Bin(BinOp::And, S::I32), i32 => i32, |x, y| x & y;
            OrI32: Prim::Bin(BinOp::Or, S::I32), i32 => i32, |x, y| x | y;
            XorI32: Prim::Bin(BinOp::Xor, S::I32), i32 => i32, |x, y| x ^ y;
            And: Prim::Bin(BinOp::And, S::Bool), bool => bool, |x, y| x & y;
            Or: Prim::Bin(BinOp::Or, S::Bool), bool => bool, |x, y| x | y;
            Xor: Prim::Bin(BinOp::Xor, S::Bool), bool => bool, |x, y| x ^ y;
            EqF64: Prim::Cmp(CmpOp::Eq, S::F64), f64 => bool, |x, y| x == y;
            LtF64: Prim::Cmp(CmpOp::Lt, S::F64), f64 => bool, |x, y| x < y;
            LeF64: Prim::Cmp(CmpOp::Le, S::F64), f64 => bool, |x, y| x <= y;
            EqF32: Prim::Cmp(CmpOp::Eq, S::F32), f32 => bool, |x, y| x == y;
            LtF32: Prim::Cmp(CmpOp::Lt, S::F32), f32 => bool, |x, y| x < y;
            LeF32: Prim::Cmp(CmpOp::Le, S::F32), f32 => bool, |x, y| x <= y;
            EqI64: Prim::Cmp(CmpOp::Eq, S::I64), i64 => bool, |x, y| x == y;
            LtI64: Prim::Cmp(CmpOp::Lt, S::I64), i64 => bool, |x, y| x < y;
            LeI64: Prim::Cmp(CmpOp::Le, S::I64), i64 => bool, |x, y| x <= y;
            EqI32: Prim::Cmp(CmpOp::Eq, S::I32), i32 => bool, |x, y| x == y;
            LtI32: Prim::Cmp(CmpOp::Lt, S::I32), i32 => bool, |x, y| x < y;
            LeI32: Prim::Cmp(CmpOp::Le, S::I32), i32 => bool, |x, y| x <= y;
            EqBool: Prim::Cmp(CmpOp::Eq, S::Bool), bool => bool, |x, y| x == y;
        }
    } };
}
pub(super) use operators;

/// Applies `f` to each word of a column.
#[inline(always)]
fn each<A: Word, R: Word>(out: &mut [u64], x: &[u64], f: impl Fn(A) -> R) {
    out.iter_mut().zip(x).for_each(|(out, x)| *out = f(A::of_word(*x)).word());
}

/// Applies `f` to the words of two columns.
#[inline(always)]
fn both<A: Word, R: Word>(out: &mut [u64], x: &[u64], y: &[u64], f: impl Fn(A, A) -> R) {
    out.iter_mut().zip(x).zip(y).for_each(|((out, x), y)| *out = f(A::of_word(*x), A::of_word(*y)).word());
}

/// `state ⊙ x0 ⊙ x1 …`, from left to right; `out` gets each value on the way.
#[inline(always)]
fn scan<A: Word>(state: u64, xs: &[u64], out: &mut [u64], f: impl Fn(A, A) -> A) -> u64 {
    let mut state = A::of_word(state);
    for (x, out) in xs.iter().zip(out) {
        state = f(state, A::of_word(*x));
        *out = state.word();
    }
    state.word()
}

/// [`scan`] without the values on the way.
#[inline(always)]
fn fold<A: Word>(state: u64, xs: &[u64], f: impl Fn(A, A) -> A) -> u64 {
    xs.iter().fold(A::of_word(state), |state, x| f(state, A::of_word(*x))).word()
}

macro_rules! define {
    ([]
        one { $($one:ident: $p1:pat, $A1:ty => $R1:ty, |$x1:ident| $e1:expr;)* }
        two { $($two:ident: $p2:pat, $A2:ty => $R2:ty, |$x:ident, $y:ident| $e2:expr;)* }
    ) => {
        /// An operator of one operand.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum One { $($one,)* }
        /// An operator of two operands.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Two { $($two,)* }

        impl One {
            pub fn of(op: Prim) -> Option<One> {
                match op { $($p1 => Some(One::$one),)* _ => None }
            }
            #[inline(always)]
            pub fn apply(self, x: u64) -> u64 {
                match self { $(One::$one => { let $x1 = <$A1>::of_word(x); let r: $R1 = $e1; r.word() })* }
            }
            pub fn column(self, out: &mut [u64], x: &[u64]) {
                match self { $(One::$one => each::<$A1, $R1>(out, x, |$x1| $e1),)* }
            }
        }

        impl Two {
            pub fn of(op: Prim) -> Option<Two> {
                match op { $($p2 => Some(Two::$two),)* _ => None }
            }
            #[inline(always)]
            pub fn apply(self, x: u64, y: u64) -> u64 {
                match self { $(Two::$two => {
                    let ($x, $y) = (<$A2>::of_word(x), <$A2>::of_word(y));
                    let r: $R2 = $e2;
                    r.word()
                })* }
            }
            pub fn column(self, out: &mut [u64], x: &[u64], y: &[u64]) {
                match self { $(Two::$two => both::<$A2, $R2>(out, x, y, |$x, $y| $e2),)* }
            }
        }
    };
}
operators!(define);

macro_rules! folds {
    ($($op:ident $T:ty, |$x:ident, $y:ident| $e:expr;)*) => {
        impl Two {
            /// `state ⊙ x0 ⊙ x1 …`, from left to right.
            pub fn fold(self, state: u64, xs: &[u64]) -> u64 {
                match self {
                    $(Two::$op => fold::<$T>(state, xs, |$x, $y| $e),)*
                    op => xs.iter().fold(state, |state, x| op.apply(state, *x)),
                }
            }
            /// [`Two::fold`] with each value on the way.
            pub fn scan(self, state: u64, xs: &[u64], out: &mut [u64]) -> u64 {
                match self {
                    $(Two::$op => scan::<$T>(state, xs, out, |$x, $y| $e),)*
                    op => {
                        let mut state = state;
                        for (x, out) in xs.iter().zip(out) {
                            state = op.apply(state, *x);
                            *out = state;
                        }
                        state
                    }
                }
            }
        }
    };
}
folds! {
    AddF64 f64, |x, y| x + y;
    MulF64 f64, |x, y| x * y;
    MinF64 f64, |x, y| if x <= y || y.is_nan() { x } else { y };
    MaxF64 f64, |x, y| if x >= y || y.is_nan() { x } else { y };
    AddF32 f32, |x, y| x + y;
    MulF32 f32, |x, y| x * y;
    AddI64 i64, |x, y| x.wrapping_add(y);
    MulI64 i64, |x, y| x.wrapping_mul(y);
    MinI64 i64, |x, y| x.min(y);
    MaxI64 i64, |x, y| x.max(y);
    AddI32 i32, |x, y| x.wrapping_add(y);
    And bool, |x, y| x & y;
    Or bool, |x, y| x | y;
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::words::{scalar, word};
    use super::*;
    use futi_core::prim::Scalar;

    /// Values at which operators differ, of a type.
    pub fn samples(ty: S) -> Vec<Scalar> {
        let floats =
            [0.0, -0.0, 1.0, -1.0, 1.5, -3.25, 1e10, -1e300, 1e-320, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let ints = [0, 1, -1, 2, 3, -7, 63, 64, i32::MAX as i64, i32::MIN as i64, i64::MAX, i64::MIN];
        let from_float = |x: f64| Prim::Conv(S::F64, ty).eval(&[Scalar::F64(x)]);
        let from_int = |x: i64| Prim::Conv(S::I64, ty).eval(&[Scalar::I64(x)]);
        if ty.is_float() { floats.map(from_float).to_vec() } else { ints.map(from_int).to_vec() }
    }

    #[test]
    fn they_are_those_of_the_table() {
        let (mut one, mut two) = (0, 0);
        for op in Prim::all() {
            let (args, result) = op.signature().unwrap();
            if let Some(fast) = One::of(op) {
                for x in samples(args[0]) {
                    let expected = op.eval(&[x]);
                    let mut column = [0];
                    fast.column(&mut column, &[word(x)]);
                    assert_eq!(scalar(result, fast.apply(word(x))), expected, "{op} {x}");
                    assert_eq!(scalar(result, column[0]), expected, "{op} {x}");
                }
                one += 1;
            }
            if let Some(fast) = Two::of(op) {
                for (x, y) in
                    samples(args[0]).into_iter().flat_map(|x| samples(args[1]).into_iter().map(move |y| (x, y)))
                {
                    let expected = op.eval(&[x, y]);
                    let mut column = [0];
                    fast.column(&mut column, &[word(x)], &[word(y)]);
                    assert_eq!(scalar(result, fast.apply(word(x), word(y))), expected, "{op} {x} {y}");
                    assert_eq!(scalar(result, column[0]), expected, "{op} {x} {y}");
                    if args[0] == result {
                        assert_eq!(scalar(result, fast.fold(word(x), &[word(y)])), expected, "{op} {x} {y}");
                        fast.scan(word(x), &[word(y)], &mut column);
                        assert_eq!(scalar(result, column[0]), expected, "{op} {x} {y}");
                    }
                }
                two += 1;
            }
        }
        assert_eq!((one, two), (23, 52));
    }
}
