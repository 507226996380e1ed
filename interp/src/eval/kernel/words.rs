//! Scalars as 64 bits: what the registers of a kernel hold. A float is its bits, a signed integer is sign-extended, `false` is 0 and `true` 1; so a word
//! of any integer type but `u64` is its value as an `i64`.

use futi_core::prim::{Scalar, ScalarType, f16};
use futi_core::value::{Array, Elem};

/// An element type as a word.
pub(crate) trait Word: Elem {
    fn word(self) -> u64;
    fn of_word(w: u64) -> Self;
}

macro_rules! words {
    ($($T:ty: $variant:ident, |$x:ident| $to:expr, |$w:ident| $from:expr;)*) => {
        $(impl Word for $T {
            #[inline(always)]
            fn word(self) -> u64 {
                let $x = self;
                $to
            }
            #[inline(always)]
            fn of_word($w: u64) -> Self {
                $from
            }
        })*

        /// The elements of an array, to be read one by one.
        #[derive(Clone, Copy)]
        pub(crate) enum Slice<'a> { $($variant(&'a [$T]),)* }

        impl<'a> Slice<'a> {
            /// The elements of an array.
            pub fn of(a: &'a Array) -> Option<Slice<'a>> {
                Some(match a.elem() { $(ScalarType::$variant => Slice::$variant(a.slice()?),)* })
            }

            /// The element at a position, if there is one.
            #[inline]
            pub fn word(self, at: usize) -> Option<u64> {
                match self { $(Slice::$variant(xs) => xs.get(at).map(|x| x.word()),)* }
            }

            /// Copies the elements from a position on.
            pub fn read(self, at: usize, into: &mut [u64]) {
                match self { $(Slice::$variant(xs) => into.iter_mut().zip(&xs[at..]).for_each(|(w, x)| *w = x.word()),)* }
            }

            /// The elements at many positions; `None` when one of them is out of range.
            pub fn gather(self, at: &[u64], into: &mut [u64]) -> Option<()> {
                match self { $(Slice::$variant(xs) => {
                    for (w, at) in into.iter_mut().zip(at) {
                        *w = xs.get(*at as usize)?.word();
                    }
                    Some(())
                })* }
            }
        }

        /// A scalar's word.
        #[inline]
        pub(crate) fn word(x: Scalar) -> u64 {
            match x { $(Scalar::$variant(x) => x.word(),)* }
        }

        /// The scalar of this type.
        #[inline]
        pub(crate) fn scalar(ty: ScalarType, w: u64) -> Scalar {
            match ty { $(ScalarType::$variant => Scalar::$variant(Word::of_word(w)),)* }
        }
    };
}
words! {
    i8: I8, |x| x as i64 as u64, |w| w as i8;
    i16: I16, |x| x as i64 as u64, |w| w as i16;
    i32: I32, |x| x as i64 as u64, |w| w as i32;
    i64: I64, |x| x as u64, |w| w as i64;
    u8: U8, |x| x as u64, |w| w as u8;
    u16: U16, |x| x as u64, |w| w as u16;
    u32: U32, |x| x as u64, |w| w as u32;
    u64: U64, |x| x, |w| w;
    f16: F16, |x| x.to_bits() as u64, |w| f16::from_bits(w as u16);
    f32: F32, |x| x.to_bits() as u64, |w| f32::from_bits(w as u32);
    f64: F64, |x| x.to_bits(), |w| f64::from_bits(w);
    bool: Bool, |x| x as u64, |w| w != 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_read_back() {
        for ty in ScalarType::ALL {
            for x in [0, 1, -1, 7] {
                let x = Scalar::from_i64(ty, x);
                assert_eq!(scalar(ty, word(x)), x);
            }
        }
        assert_eq!(word(Scalar::I32(-3)) as i64, -3);
    }
}
