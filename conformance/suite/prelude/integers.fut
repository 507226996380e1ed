-- Every definition of the eight modules of integers, on pairs with the extreme values. Expected values: `futhark run` of 0.25.32, but for two of its
-- errors: `u8.>>` and its kin keep the sign there (though `>>` alone does not), and `set_bit` shifts an i32, so that bits from 32 on are out of reach.

-- ==
-- entry: i8_arithmetic
-- input { [7i8, -7i8, 127i8, -128i8, 0i8, 100i8] [3i8, 3i8, 2i8, 3i8, 5i8, -9i8] }
-- output { [10i8, -4i8, -127i8, -125i8, 5i8, 91i8] [4i8, -10i8, 125i8, 125i8, -5i8, 109i8] [21i8, -21i8, -2i8, -128i8, 0i8, 124i8] [2i8, -3i8, 63i8, -43i8, 0i8, -12i8] [1i8, 2i8, 1i8, 1i8, 0i8, -8i8] [2i8, -2i8, 63i8, -42i8, 0i8, -11i8] [1i8, -1i8, 1i8, -2i8, 0i8, 1i8] [87i8, -87i8, 1i8, 0i8, 0i8, 100i8] [1i8, 0i8, 1i8, -1i8, 1i8, -3i8] }
entry i8_arithmetic [n] (xs: [n]i8) (ys: [n]i8) : ([n]i8, [n]i8, [n]i8, [n]i8, [n]i8, [n]i8, [n]i8, [n]i8, [n]i8) =
  ( map2 (i8.+) xs ys, map2 (i8.-) xs ys, map2 (i8.*) xs ys, map2 (i8./) xs ys, map2 (i8.%) xs ys, map2 (i8.//) xs ys
  , map2 (i8.%%) xs ys, map2 (\x y -> x i8.** (i8.abs y % 8)) xs ys, map2 (\x y -> i8.mad_hi x y 1) xs ys)

-- ==
-- entry: i8_choices
-- input { [7i8, -7i8, 127i8, -128i8, 0i8, 100i8] [3i8, 3i8, 2i8, 3i8, 5i8, -9i8] }
-- output { [3i8, -7i8, 2i8, -128i8, 0i8, -9i8] [7i8, 3i8, 127i8, 3i8, 5i8, 100i8] [7i8, 7i8, 127i8, -128i8, 0i8, 100i8] [1i8, -1i8, 1i8, -1i8, 0i8, 1i8] [-7i8, 7i8, -127i8, -128i8, 0i8, -100i8] [false, false, false, false, false, false] [true, true, true, true, true, true] [false, true, false, true, true, false] [false, true, false, true, true, false] [true, false, true, false, false, true] [true, false, true, false, false, true] }
entry i8_choices [n] (xs: [n]i8) (ys: [n]i8)
    : ([n]i8, [n]i8, [n]i8, [n]i8, [n]i8, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  ( map2 i8.min xs ys, map2 i8.max xs ys, map i8.abs xs, map i8.sgn xs, map i8.neg xs
  , map2 (i8.==) xs ys, map2 (i8.!=) xs ys, map2 (i8.<) xs ys, map2 (i8.<=) xs ys, map2 (i8.>) xs ys, map2 (i8.>=) xs ys)

-- ==
-- entry: i8_bits
-- input { [7i8, -7i8, 127i8, -128i8, 0i8, 100i8] [3i8, 3i8, 2i8, 3i8, 5i8, -9i8] }
-- output { [3i8, 1i8, 2i8, 0i8, 0i8, 100i8] [7i8, -5i8, 127i8, -125i8, 5i8, -9i8] [4i8, -6i8, 125i8, -125i8, 5i8, -109i8] [-8i8, 6i8, -128i8, 127i8, -1i8, -101i8] [14i8, -14i8, -2i8, 0i8, 0i8, -56i8] [1i8, -2i8, 31i8, -32i8, 0i8, 25i8] [1i8, 62i8, 31i8, 32i8, 0i8, 25i8] [0, 1, 0, 1, 0, 0] [-122i8, -8i8, -2i8, -128i8, -128i8, -28i8] [3, 6, 7, 1, 0, 3] [5, 0, 1, 0, 8, 1] [0, 0, 0, 7, 8, 2] [0i8, -1i8, 0i8, -2i8, 0i8, -4i8] }
entry i8_bits [n] (xs: [n]i8) (ys: [n]i8)
    : ([n]i8, [n]i8, [n]i8, [n]i8, [n]i8, [n]i8, [n]i8, [n]i32, [n]i8, [n]i32, [n]i32, [n]i32, [n]i8) =
  ( map2 (i8.&) xs ys, map2 (i8.|) xs ys, map2 (i8.^) xs ys, map i8.not xs, map (\x -> x i8.<< 1) xs, map (\x -> x i8.>> 2) xs
  , map (\x -> x i8.>>> 2) xs, map (i8.get_bit 7) xs, map (\x -> i8.set_bit 7 (i8.set_bit 0 x 0) 1) xs
  , map i8.popc xs, map i8.clz xs, map i8.ctz xs, map2 i8.mul_hi xs ys)

-- ==
-- entry: i8_folds
-- input { [7i8, -7i8, 127i8, -128i8, 0i8, 100i8] }
-- output { 99i8 0i8 127i8 -128i8 127i8 -128i8 8 [7i64, -7i64, 127i64, -128i64, 0i64, 100i64] }
-- input { empty([0]i8) }
-- output { 0i8 1i8 -128i8 127i8 127i8 -128i8 8 empty([0]i64) }
entry i8_folds [n] (xs: [n]i8) : (i8, i8, i8, i8, i8, i8, i32, [n]i64) =
  ( i8.sum xs, i8.product xs, i8.maximum xs, i8.minimum xs, i8.highest, i8.lowest, i8.num_bits, map i8.to_i64 xs)

-- ==
-- entry: i8_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true }
-- output { [-3i8, 44i8, -112i8, 0i8, -56i8, -1i8, -1i8, -1i8, 1i8, 0i8, 1i8] }
entry i8_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) : [11]i8 =
  [ i8.i8 a, i8.i16 b, i8.i32 c, i8.i64 d, i8.u8 e, i8.u16 f, i8.u32 g, i8.u64 h, i8.bool p, i8.bool (bool.i8 0), i8.bool (bool.i8 2) ]

-- ==
-- entry: i8_of_floats
-- input { 100.75f16 3.5f32 2.25 }
-- output { [100i8, 3i8, 2i8] }
-- input { 0.5f16 99.999f32 1e-300 }
-- output { [0i8, 99i8, 0i8] }
entry i8_of_floats (x: f16) (y: f32) (z: f64) : [3]i8 = [i8.f16 x, i8.f32 y, i8.f64 z]

-- ==
-- entry: i8_by_zero
-- input { 1i8 0i8 } error: division by zero
entry i8_by_zero (x: i8) (y: i8) : i8 = x i8.// y

-- ==
-- entry: i16_arithmetic
-- input { [7i16, -7i16, 32767i16, -32768i16, 0i16, 100i16] [3i16, 3i16, 2i16, 3i16, 5i16, -9i16] }
-- output { [10i16, -4i16, -32767i16, -32765i16, 5i16, 91i16] [4i16, -10i16, 32765i16, 32765i16, -5i16, 109i16] [21i16, -21i16, -2i16, -32768i16, 0i16, -900i16] [2i16, -3i16, 16383i16, -10923i16, 0i16, -12i16] [1i16, 2i16, 1i16, 1i16, 0i16, -8i16] [2i16, -2i16, 16383i16, -10922i16, 0i16, -11i16] [1i16, -1i16, 1i16, -2i16, 0i16, 1i16] [343i16, -343i16, 1i16, 0i16, 0i16, 100i16] [1i16, 0i16, 1i16, -1i16, 1i16, 0i16] }
entry i16_arithmetic [n] (xs: [n]i16) (ys: [n]i16) : ([n]i16, [n]i16, [n]i16, [n]i16, [n]i16, [n]i16, [n]i16, [n]i16, [n]i16) =
  ( map2 (i16.+) xs ys, map2 (i16.-) xs ys, map2 (i16.*) xs ys, map2 (i16./) xs ys, map2 (i16.%) xs ys, map2 (i16.//) xs ys
  , map2 (i16.%%) xs ys, map2 (\x y -> x i16.** (i16.abs y % 8)) xs ys, map2 (\x y -> i16.mad_hi x y 1) xs ys)

-- ==
-- entry: i16_choices
-- input { [7i16, -7i16, 32767i16, -32768i16, 0i16, 100i16] [3i16, 3i16, 2i16, 3i16, 5i16, -9i16] }
-- output { [3i16, -7i16, 2i16, -32768i16, 0i16, -9i16] [7i16, 3i16, 32767i16, 3i16, 5i16, 100i16] [7i16, 7i16, 32767i16, -32768i16, 0i16, 100i16] [1i16, -1i16, 1i16, -1i16, 0i16, 1i16] [-7i16, 7i16, -32767i16, -32768i16, 0i16, -100i16] [false, false, false, false, false, false] [true, true, true, true, true, true] [false, true, false, true, true, false] [false, true, false, true, true, false] [true, false, true, false, false, true] [true, false, true, false, false, true] }
entry i16_choices [n] (xs: [n]i16) (ys: [n]i16)
    : ([n]i16, [n]i16, [n]i16, [n]i16, [n]i16, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  ( map2 i16.min xs ys, map2 i16.max xs ys, map i16.abs xs, map i16.sgn xs, map i16.neg xs
  , map2 (i16.==) xs ys, map2 (i16.!=) xs ys, map2 (i16.<) xs ys, map2 (i16.<=) xs ys, map2 (i16.>) xs ys, map2 (i16.>=) xs ys)

-- ==
-- entry: i16_bits
-- input { [7i16, -7i16, 32767i16, -32768i16, 0i16, 100i16] [3i16, 3i16, 2i16, 3i16, 5i16, -9i16] }
-- output { [3i16, 1i16, 2i16, 0i16, 0i16, 100i16] [7i16, -5i16, 32767i16, -32765i16, 5i16, -9i16] [4i16, -6i16, 32765i16, -32765i16, 5i16, -109i16] [-8i16, 6i16, -32768i16, 32767i16, -1i16, -101i16] [14i16, -14i16, -2i16, 0i16, 0i16, 200i16] [1i16, -2i16, 8191i16, -8192i16, 0i16, 25i16] [1i16, 16382i16, 8191i16, 8192i16, 0i16, 25i16] [0, 1, 0, 1, 0, 0] [-32762i16, -8i16, -2i16, -32768i16, -32768i16, -32668i16] [3, 14, 15, 1, 0, 3] [13, 0, 1, 0, 16, 9] [0, 0, 0, 15, 16, 2] [0i16, -1i16, 0i16, -2i16, 0i16, -1i16] }
entry i16_bits [n] (xs: [n]i16) (ys: [n]i16)
    : ([n]i16, [n]i16, [n]i16, [n]i16, [n]i16, [n]i16, [n]i16, [n]i32, [n]i16, [n]i32, [n]i32, [n]i32, [n]i16) =
  ( map2 (i16.&) xs ys, map2 (i16.|) xs ys, map2 (i16.^) xs ys, map i16.not xs, map (\x -> x i16.<< 1) xs, map (\x -> x i16.>> 2) xs
  , map (\x -> x i16.>>> 2) xs, map (i16.get_bit 15) xs, map (\x -> i16.set_bit 15 (i16.set_bit 0 x 0) 1) xs
  , map i16.popc xs, map i16.clz xs, map i16.ctz xs, map2 i16.mul_hi xs ys)

-- ==
-- entry: i16_folds
-- input { [7i16, -7i16, 32767i16, -32768i16, 0i16, 100i16] }
-- output { 99i16 0i16 32767i16 -32768i16 32767i16 -32768i16 16 [7i64, -7i64, 32767i64, -32768i64, 0i64, 100i64] }
-- input { empty([0]i16) }
-- output { 0i16 1i16 -32768i16 32767i16 32767i16 -32768i16 16 empty([0]i64) }
entry i16_folds [n] (xs: [n]i16) : (i16, i16, i16, i16, i16, i16, i32, [n]i64) =
  ( i16.sum xs, i16.product xs, i16.maximum xs, i16.minimum xs, i16.highest, i16.lowest, i16.num_bits, map i16.to_i64 xs)

-- ==
-- entry: i16_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true }
-- output { [-3i16, 300i16, -4464i16, -3584i16, 200i16, -1i16, -1i16, -1i16, 1i16, 0i16, 1i16] }
entry i16_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) : [11]i16 =
  [ i16.i8 a, i16.i16 b, i16.i32 c, i16.i64 d, i16.u8 e, i16.u16 f, i16.u32 g, i16.u64 h, i16.bool p, i16.bool (bool.i16 0), i16.bool (bool.i16 2) ]

-- ==
-- entry: i16_of_floats
-- input { 100.75f16 3.5f32 2.25 }
-- output { [100i16, 3i16, 2i16] }
-- input { 0.5f16 99.999f32 1e-300 }
-- output { [0i16, 99i16, 0i16] }
entry i16_of_floats (x: f16) (y: f32) (z: f64) : [3]i16 = [i16.f16 x, i16.f32 y, i16.f64 z]

-- ==
-- entry: i16_by_zero
-- input { 1i16 0i16 } error: division by zero
entry i16_by_zero (x: i16) (y: i16) : i16 = x i16.// y

-- ==
-- entry: i32_arithmetic
-- input { [7i32, -7i32, 2147483647i32, -2147483648i32, 0i32, 100i32] [3i32, 3i32, 2i32, 3i32, 5i32, -9i32] }
-- output { [10, -4, -2147483647, -2147483645, 5, 91] [4, -10, 2147483645, 2147483645, -5, 109] [21, -21, -2, -2147483648, 0, -900] [2, -3, 1073741823, -715827883, 0, -12] [1, 2, 1, 1, 0, -8] [2, -2, 1073741823, -715827882, 0, -11] [1, -1, 1, -2, 0, 1] [343, -343, 1, 0, 0, 100] [1, 0, 1, -1, 1, 0] }
entry i32_arithmetic [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32) =
  ( map2 (i32.+) xs ys, map2 (i32.-) xs ys, map2 (i32.*) xs ys, map2 (i32./) xs ys, map2 (i32.%) xs ys, map2 (i32.//) xs ys
  , map2 (i32.%%) xs ys, map2 (\x y -> x i32.** (i32.abs y % 8)) xs ys, map2 (\x y -> i32.mad_hi x y 1) xs ys)

-- ==
-- entry: i32_choices
-- input { [7i32, -7i32, 2147483647i32, -2147483648i32, 0i32, 100i32] [3i32, 3i32, 2i32, 3i32, 5i32, -9i32] }
-- output { [3, -7, 2, -2147483648, 0, -9] [7, 3, 2147483647, 3, 5, 100] [7, 7, 2147483647, -2147483648, 0, 100] [1, -1, 1, -1, 0, 1] [-7, 7, -2147483647, -2147483648, 0, -100] [false, false, false, false, false, false] [true, true, true, true, true, true] [false, true, false, true, true, false] [false, true, false, true, true, false] [true, false, true, false, false, true] [true, false, true, false, false, true] }
entry i32_choices [n] (xs: [n]i32) (ys: [n]i32)
    : ([n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  ( map2 i32.min xs ys, map2 i32.max xs ys, map i32.abs xs, map i32.sgn xs, map i32.neg xs
  , map2 (i32.==) xs ys, map2 (i32.!=) xs ys, map2 (i32.<) xs ys, map2 (i32.<=) xs ys, map2 (i32.>) xs ys, map2 (i32.>=) xs ys)

-- ==
-- entry: i32_bits
-- input { [7i32, -7i32, 2147483647i32, -2147483648i32, 0i32, 100i32] [3i32, 3i32, 2i32, 3i32, 5i32, -9i32] }
-- output { [3, 1, 2, 0, 0, 100] [7, -5, 2147483647, -2147483645, 5, -9] [4, -6, 2147483645, -2147483645, 5, -109] [-8, 6, -2147483648, 2147483647, -1, -101] [14, -14, -2, 0, 0, 200] [1, -2, 536870911, -536870912, 0, 25] [1, 1073741822, 536870911, 536870912, 0, 25] [0, 1, 0, 1, 0, 0] [-2147483642, -8, -2, -2147483648, -2147483648, -2147483548] [3, 30, 31, 1, 0, 3] [29, 0, 1, 0, 32, 25] [0, 0, 0, 31, 32, 2] [0, -1, 0, -2, 0, -1] }
entry i32_bits [n] (xs: [n]i32) (ys: [n]i32)
    : ([n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32, [n]i32) =
  ( map2 (i32.&) xs ys, map2 (i32.|) xs ys, map2 (i32.^) xs ys, map i32.not xs, map (\x -> x i32.<< 1) xs, map (\x -> x i32.>> 2) xs
  , map (\x -> x i32.>>> 2) xs, map (i32.get_bit 31) xs, map (\x -> i32.set_bit 31 (i32.set_bit 0 x 0) 1) xs
  , map i32.popc xs, map i32.clz xs, map i32.ctz xs, map2 i32.mul_hi xs ys)

-- ==
-- entry: i32_folds
-- input { [7i32, -7i32, 2147483647i32, -2147483648i32, 0i32, 100i32] }
-- output { 99 0 2147483647 -2147483648 2147483647 -2147483648 32 [7i64, -7i64, 2147483647i64, -2147483648i64, 0i64, 100i64] }
-- input { empty([0]i32) }
-- output { 0 1 -2147483648 2147483647 2147483647 -2147483648 32 empty([0]i64) }
entry i32_folds [n] (xs: [n]i32) : (i32, i32, i32, i32, i32, i32, i32, [n]i64) =
  ( i32.sum xs, i32.product xs, i32.maximum xs, i32.minimum xs, i32.highest, i32.lowest, i32.num_bits, map i32.to_i64 xs)

-- ==
-- entry: i32_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true }
-- output { [-3, 300, -70000, 705032704, 200, 65535, -1, -1, 1, 0, 1] }
entry i32_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) : [11]i32 =
  [ i32.i8 a, i32.i16 b, i32.i32 c, i32.i64 d, i32.u8 e, i32.u16 f, i32.u32 g, i32.u64 h, i32.bool p, i32.bool (bool.i32 0), i32.bool (bool.i32 2) ]

-- ==
-- entry: i32_of_floats
-- input { 100.75f16 3.5f32 2.25 }
-- output { [100, 3, 2] }
-- input { 0.5f16 99.999f32 1e-300 }
-- output { [0, 99, 0] }
entry i32_of_floats (x: f16) (y: f32) (z: f64) : [3]i32 = [i32.f16 x, i32.f32 y, i32.f64 z]

-- ==
-- entry: i32_by_zero
-- input { 1i32 0i32 } error: division by zero
entry i32_by_zero (x: i32) (y: i32) : i32 = x i32.// y

-- ==
-- entry: i64_arithmetic
-- input { [7i64, -7i64, 9223372036854775807i64, -9223372036854775808i64, 0i64, 100i64] [3i64, 3i64, 2i64, 3i64, 5i64, -9i64] }
-- output { [10i64, -4i64, -9223372036854775807i64, -9223372036854775805i64, 5i64, 91i64] [4i64, -10i64, 9223372036854775805i64, 9223372036854775805i64, -5i64, 109i64] [21i64, -21i64, -2i64, -9223372036854775808i64, 0i64, -900i64] [2i64, -3i64, 4611686018427387903i64, -3074457345618258603i64, 0i64, -12i64] [1i64, 2i64, 1i64, 1i64, 0i64, -8i64] [2i64, -2i64, 4611686018427387903i64, -3074457345618258602i64, 0i64, -11i64] [1i64, -1i64, 1i64, -2i64, 0i64, 1i64] [343i64, -343i64, 1i64, 0i64, 0i64, 100i64] [1i64, 0i64, 1i64, -1i64, 1i64, 0i64] }
entry i64_arithmetic [n] (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64, [n]i64, [n]i64, [n]i64, [n]i64, [n]i64, [n]i64, [n]i64) =
  ( map2 (i64.+) xs ys, map2 (i64.-) xs ys, map2 (i64.*) xs ys, map2 (i64./) xs ys, map2 (i64.%) xs ys, map2 (i64.//) xs ys
  , map2 (i64.%%) xs ys, map2 (\x y -> x i64.** (i64.abs y % 8)) xs ys, map2 (\x y -> i64.mad_hi x y 1) xs ys)

-- ==
-- entry: i64_choices
-- input { [7i64, -7i64, 9223372036854775807i64, -9223372036854775808i64, 0i64, 100i64] [3i64, 3i64, 2i64, 3i64, 5i64, -9i64] }
-- output { [3i64, -7i64, 2i64, -9223372036854775808i64, 0i64, -9i64] [7i64, 3i64, 9223372036854775807i64, 3i64, 5i64, 100i64] [7i64, 7i64, 9223372036854775807i64, -9223372036854775808i64, 0i64, 100i64] [1i64, -1i64, 1i64, -1i64, 0i64, 1i64] [-7i64, 7i64, -9223372036854775807i64, -9223372036854775808i64, 0i64, -100i64] [false, false, false, false, false, false] [true, true, true, true, true, true] [false, true, false, true, true, false] [false, true, false, true, true, false] [true, false, true, false, false, true] [true, false, true, false, false, true] }
entry i64_choices [n] (xs: [n]i64) (ys: [n]i64)
    : ([n]i64, [n]i64, [n]i64, [n]i64, [n]i64, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  ( map2 i64.min xs ys, map2 i64.max xs ys, map i64.abs xs, map i64.sgn xs, map i64.neg xs
  , map2 (i64.==) xs ys, map2 (i64.!=) xs ys, map2 (i64.<) xs ys, map2 (i64.<=) xs ys, map2 (i64.>) xs ys, map2 (i64.>=) xs ys)

-- ==
-- entry: i64_bits
-- input { [7i64, -7i64, 9223372036854775807i64, -9223372036854775808i64, 0i64, 100i64] [3i64, 3i64, 2i64, 3i64, 5i64, -9i64] }
-- output { [3i64, 1i64, 2i64, 0i64, 0i64, 100i64] [7i64, -5i64, 9223372036854775807i64, -9223372036854775805i64, 5i64, -9i64] [4i64, -6i64, 9223372036854775805i64, -9223372036854775805i64, 5i64, -109i64] [-8i64, 6i64, -9223372036854775808i64, 9223372036854775807i64, -1i64, -101i64] [14i64, -14i64, -2i64, 0i64, 0i64, 200i64] [1i64, -2i64, 2305843009213693951i64, -2305843009213693952i64, 0i64, 25i64] [1i64, 4611686018427387902i64, 2305843009213693951i64, 2305843009213693952i64, 0i64, 25i64] [0, 1, 0, 1, 0, 0] [-9223372036854775802i64, -8i64, -2i64, -9223372036854775808i64, -9223372036854775808i64, -9223372036854775708i64] [3, 62, 63, 1, 0, 3] [61, 0, 1, 0, 64, 57] [0, 0, 0, 63, 64, 2] [0i64, -1i64, 0i64, -2i64, 0i64, -1i64] }
entry i64_bits [n] (xs: [n]i64) (ys: [n]i64)
    : ([n]i64, [n]i64, [n]i64, [n]i64, [n]i64, [n]i64, [n]i64, [n]i32, [n]i64, [n]i32, [n]i32, [n]i32, [n]i64) =
  ( map2 (i64.&) xs ys, map2 (i64.|) xs ys, map2 (i64.^) xs ys, map i64.not xs, map (\x -> x i64.<< 1) xs, map (\x -> x i64.>> 2) xs
  , map (\x -> x i64.>>> 2) xs, map (i64.get_bit 63) xs, map (\x -> i64.set_bit 63 (i64.set_bit 0 x 0) 1) xs
  , map i64.popc xs, map i64.clz xs, map i64.ctz xs, map2 i64.mul_hi xs ys)

-- ==
-- entry: i64_folds
-- input { [7i64, -7i64, 9223372036854775807i64, -9223372036854775808i64, 0i64, 100i64] }
-- output { 99i64 0i64 9223372036854775807i64 -9223372036854775808i64 9223372036854775807i64 -9223372036854775808i64 64 [7i64, -7i64, 9223372036854775807i64, -9223372036854775808i64, 0i64, 100i64] }
-- input { empty([0]i64) }
-- output { 0i64 1i64 -9223372036854775808i64 9223372036854775807i64 9223372036854775807i64 -9223372036854775808i64 64 empty([0]i64) }
entry i64_folds [n] (xs: [n]i64) : (i64, i64, i64, i64, i64, i64, i32, [n]i64) =
  ( i64.sum xs, i64.product xs, i64.maximum xs, i64.minimum xs, i64.highest, i64.lowest, i64.num_bits, map i64.to_i64 xs)

-- ==
-- entry: i64_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true }
-- output { [-3i64, 300i64, -70000i64, 5000000000i64, 200i64, 65535i64, 4294967295i64, -1i64, 1i64, 0i64, 1i64] }
entry i64_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) : [11]i64 =
  [ i64.i8 a, i64.i16 b, i64.i32 c, i64.i64 d, i64.u8 e, i64.u16 f, i64.u32 g, i64.u64 h, i64.bool p, i64.bool (bool.i64 0), i64.bool (bool.i64 2) ]

-- ==
-- entry: i64_of_floats
-- input { 100.75f16 3.5f32 2.25 }
-- output { [100i64, 3i64, 2i64] }
-- input { 0.5f16 99.999f32 1e-300 }
-- output { [0i64, 99i64, 0i64] }
entry i64_of_floats (x: f16) (y: f32) (z: f64) : [3]i64 = [i64.f16 x, i64.f32 y, i64.f64 z]

-- ==
-- entry: i64_by_zero
-- input { 1i64 0i64 } error: division by zero
entry i64_by_zero (x: i64) (y: i64) : i64 = x i64.// y

-- ==
-- entry: u8_arithmetic
-- input { [7u8, 255u8, 250u8, 0u8, 200u8, 128u8] [3u8, 2u8, 255u8, 5u8, 7u8, 9u8] }
-- output { [10u8, 1u8, 249u8, 5u8, 207u8, 137u8] [4u8, 253u8, 251u8, 251u8, 193u8, 119u8] [21u8, 254u8, 6u8, 0u8, 120u8, 128u8] [2u8, 127u8, 0u8, 0u8, 28u8, 14u8] [1u8, 1u8, 250u8, 0u8, 4u8, 2u8] [2u8, 127u8, 0u8, 0u8, 28u8, 14u8] [1u8, 1u8, 250u8, 0u8, 4u8, 2u8] [87u8, 1u8, 128u8, 0u8, 0u8, 128u8] [1u8, 2u8, 250u8, 1u8, 6u8, 5u8] }
entry u8_arithmetic [n] (xs: [n]u8) (ys: [n]u8) : ([n]u8, [n]u8, [n]u8, [n]u8, [n]u8, [n]u8, [n]u8, [n]u8, [n]u8) =
  ( map2 (u8.+) xs ys, map2 (u8.-) xs ys, map2 (u8.*) xs ys, map2 (u8./) xs ys, map2 (u8.%) xs ys, map2 (u8.//) xs ys
  , map2 (u8.%%) xs ys, map2 (\x y -> x u8.** (u8.abs y % 8)) xs ys, map2 (\x y -> u8.mad_hi x y 1) xs ys)

-- ==
-- entry: u8_choices
-- input { [7u8, 255u8, 250u8, 0u8, 200u8, 128u8] [3u8, 2u8, 255u8, 5u8, 7u8, 9u8] }
-- output { [3u8, 2u8, 250u8, 0u8, 7u8, 9u8] [7u8, 255u8, 255u8, 5u8, 200u8, 128u8] [7u8, 255u8, 250u8, 0u8, 200u8, 128u8] [1u8, 1u8, 1u8, 0u8, 1u8, 1u8] [249u8, 1u8, 6u8, 0u8, 56u8, 128u8] [false, false, false, false, false, false] [true, true, true, true, true, true] [false, false, true, true, false, false] [false, false, true, true, false, false] [true, true, false, false, true, true] [true, true, false, false, true, true] }
entry u8_choices [n] (xs: [n]u8) (ys: [n]u8)
    : ([n]u8, [n]u8, [n]u8, [n]u8, [n]u8, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  ( map2 u8.min xs ys, map2 u8.max xs ys, map u8.abs xs, map u8.sgn xs, map u8.neg xs
  , map2 (u8.==) xs ys, map2 (u8.!=) xs ys, map2 (u8.<) xs ys, map2 (u8.<=) xs ys, map2 (u8.>) xs ys, map2 (u8.>=) xs ys)

-- ==
-- entry: u8_bits
-- input { [7u8, 255u8, 250u8, 0u8, 200u8, 128u8] [3u8, 2u8, 255u8, 5u8, 7u8, 9u8] }
-- output { [3u8, 2u8, 250u8, 0u8, 0u8, 0u8] [7u8, 255u8, 255u8, 5u8, 207u8, 137u8] [4u8, 253u8, 5u8, 5u8, 207u8, 137u8] [248u8, 0u8, 5u8, 255u8, 55u8, 127u8] [14u8, 254u8, 244u8, 0u8, 144u8, 0u8] [1u8, 63u8, 62u8, 0u8, 50u8, 32u8] [1u8, 63u8, 62u8, 0u8, 50u8, 32u8] [0, 1, 1, 0, 1, 1] [134u8, 254u8, 250u8, 128u8, 200u8, 128u8] [3, 8, 6, 0, 3, 1] [5, 0, 0, 8, 0, 0] [0, 0, 1, 8, 3, 7] [0u8, 1u8, 249u8, 0u8, 5u8, 4u8] }
entry u8_bits [n] (xs: [n]u8) (ys: [n]u8)
    : ([n]u8, [n]u8, [n]u8, [n]u8, [n]u8, [n]u8, [n]u8, [n]i32, [n]u8, [n]i32, [n]i32, [n]i32, [n]u8) =
  ( map2 (u8.&) xs ys, map2 (u8.|) xs ys, map2 (u8.^) xs ys, map u8.not xs, map (\x -> x u8.<< 1) xs, map (\x -> x u8.>> 2) xs
  , map (\x -> x u8.>>> 2) xs, map (u8.get_bit 7) xs, map (\x -> u8.set_bit 7 (u8.set_bit 0 x 0) 1) xs
  , map u8.popc xs, map u8.clz xs, map u8.ctz xs, map2 u8.mul_hi xs ys)

-- ==
-- entry: u8_folds
-- input { [7u8, 255u8, 250u8, 0u8, 200u8, 128u8] }
-- output { 72u8 0u8 255u8 0u8 255u8 0u8 8 [7i64, 255i64, 250i64, 0i64, 200i64, 128i64] }
-- input { empty([0]u8) }
-- output { 0u8 1u8 0u8 255u8 255u8 0u8 8 empty([0]i64) }
entry u8_folds [n] (xs: [n]u8) : (u8, u8, u8, u8, u8, u8, i32, [n]i64) =
  ( u8.sum xs, u8.product xs, u8.maximum xs, u8.minimum xs, u8.highest, u8.lowest, u8.num_bits, map u8.to_i64 xs)

-- ==
-- entry: u8_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true }
-- output { [253u8, 44u8, 144u8, 0u8, 200u8, 255u8, 255u8, 255u8, 1u8, 0u8, 1u8] }
entry u8_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) : [11]u8 =
  [ u8.i8 a, u8.i16 b, u8.i32 c, u8.i64 d, u8.u8 e, u8.u16 f, u8.u32 g, u8.u64 h, u8.bool p, u8.bool (bool.u8 0), u8.bool (bool.u8 2) ]

-- ==
-- entry: u8_of_floats
-- input { 100.75f16 3.5f32 2.25 }
-- output { [100u8, 3u8, 2u8] }
-- input { 0.5f16 99.999f32 1e-300 }
-- output { [0u8, 99u8, 0u8] }
entry u8_of_floats (x: f16) (y: f32) (z: f64) : [3]u8 = [u8.f16 x, u8.f32 y, u8.f64 z]

-- ==
-- entry: u8_by_zero
-- input { 1u8 0u8 } error: division by zero
entry u8_by_zero (x: u8) (y: u8) : u8 = x u8.// y

-- ==
-- entry: u16_arithmetic
-- input { [7u16, 65535u16, 65530u16, 0u16, 200u16, 128u16] [3u16, 2u16, 65535u16, 5u16, 7u16, 9u16] }
-- output { [10u16, 1u16, 65529u16, 5u16, 207u16, 137u16] [4u16, 65533u16, 65531u16, 65531u16, 193u16, 119u16] [21u16, 65534u16, 6u16, 0u16, 1400u16, 1152u16] [2u16, 32767u16, 0u16, 0u16, 28u16, 14u16] [1u16, 1u16, 65530u16, 0u16, 4u16, 2u16] [2u16, 32767u16, 0u16, 0u16, 28u16, 14u16] [1u16, 1u16, 65530u16, 0u16, 4u16, 2u16] [343u16, 1u16, 47744u16, 0u16, 0u16, 128u16] [1u16, 2u16, 65530u16, 1u16, 1u16, 1u16] }
entry u16_arithmetic [n] (xs: [n]u16) (ys: [n]u16) : ([n]u16, [n]u16, [n]u16, [n]u16, [n]u16, [n]u16, [n]u16, [n]u16, [n]u16) =
  ( map2 (u16.+) xs ys, map2 (u16.-) xs ys, map2 (u16.*) xs ys, map2 (u16./) xs ys, map2 (u16.%) xs ys, map2 (u16.//) xs ys
  , map2 (u16.%%) xs ys, map2 (\x y -> x u16.** (u16.abs y % 8)) xs ys, map2 (\x y -> u16.mad_hi x y 1) xs ys)

-- ==
-- entry: u16_choices
-- input { [7u16, 65535u16, 65530u16, 0u16, 200u16, 128u16] [3u16, 2u16, 65535u16, 5u16, 7u16, 9u16] }
-- output { [3u16, 2u16, 65530u16, 0u16, 7u16, 9u16] [7u16, 65535u16, 65535u16, 5u16, 200u16, 128u16] [7u16, 65535u16, 65530u16, 0u16, 200u16, 128u16] [1u16, 1u16, 1u16, 0u16, 1u16, 1u16] [65529u16, 1u16, 6u16, 0u16, 65336u16, 65408u16] [false, false, false, false, false, false] [true, true, true, true, true, true] [false, false, true, true, false, false] [false, false, true, true, false, false] [true, true, false, false, true, true] [true, true, false, false, true, true] }
entry u16_choices [n] (xs: [n]u16) (ys: [n]u16)
    : ([n]u16, [n]u16, [n]u16, [n]u16, [n]u16, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  ( map2 u16.min xs ys, map2 u16.max xs ys, map u16.abs xs, map u16.sgn xs, map u16.neg xs
  , map2 (u16.==) xs ys, map2 (u16.!=) xs ys, map2 (u16.<) xs ys, map2 (u16.<=) xs ys, map2 (u16.>) xs ys, map2 (u16.>=) xs ys)

-- ==
-- entry: u16_bits
-- input { [7u16, 65535u16, 65530u16, 0u16, 200u16, 128u16] [3u16, 2u16, 65535u16, 5u16, 7u16, 9u16] }
-- output { [3u16, 2u16, 65530u16, 0u16, 0u16, 0u16] [7u16, 65535u16, 65535u16, 5u16, 207u16, 137u16] [4u16, 65533u16, 5u16, 5u16, 207u16, 137u16] [65528u16, 0u16, 5u16, 65535u16, 65335u16, 65407u16] [14u16, 65534u16, 65524u16, 0u16, 400u16, 256u16] [1u16, 16383u16, 16382u16, 0u16, 50u16, 32u16] [1u16, 16383u16, 16382u16, 0u16, 50u16, 32u16] [0, 1, 1, 0, 0, 0] [32774u16, 65534u16, 65530u16, 32768u16, 32968u16, 32896u16] [3, 16, 14, 0, 3, 1] [13, 0, 0, 16, 8, 8] [0, 0, 1, 16, 3, 7] [0u16, 1u16, 65529u16, 0u16, 0u16, 0u16] }
entry u16_bits [n] (xs: [n]u16) (ys: [n]u16)
    : ([n]u16, [n]u16, [n]u16, [n]u16, [n]u16, [n]u16, [n]u16, [n]i32, [n]u16, [n]i32, [n]i32, [n]i32, [n]u16) =
  ( map2 (u16.&) xs ys, map2 (u16.|) xs ys, map2 (u16.^) xs ys, map u16.not xs, map (\x -> x u16.<< 1) xs, map (\x -> x u16.>> 2) xs
  , map (\x -> x u16.>>> 2) xs, map (u16.get_bit 15) xs, map (\x -> u16.set_bit 15 (u16.set_bit 0 x 0) 1) xs
  , map u16.popc xs, map u16.clz xs, map u16.ctz xs, map2 u16.mul_hi xs ys)

-- ==
-- entry: u16_folds
-- input { [7u16, 65535u16, 65530u16, 0u16, 200u16, 128u16] }
-- output { 328u16 0u16 65535u16 0u16 65535u16 0u16 16 [7i64, 65535i64, 65530i64, 0i64, 200i64, 128i64] }
-- input { empty([0]u16) }
-- output { 0u16 1u16 0u16 65535u16 65535u16 0u16 16 empty([0]i64) }
entry u16_folds [n] (xs: [n]u16) : (u16, u16, u16, u16, u16, u16, i32, [n]i64) =
  ( u16.sum xs, u16.product xs, u16.maximum xs, u16.minimum xs, u16.highest, u16.lowest, u16.num_bits, map u16.to_i64 xs)

-- ==
-- entry: u16_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true }
-- output { [253u16, 300u16, 61072u16, 61952u16, 200u16, 65535u16, 65535u16, 65535u16, 1u16, 0u16, 1u16] }
entry u16_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) : [11]u16 =
  [ u16.i8 a, u16.i16 b, u16.i32 c, u16.i64 d, u16.u8 e, u16.u16 f, u16.u32 g, u16.u64 h, u16.bool p, u16.bool (bool.u16 0), u16.bool (bool.u16 2) ]

-- ==
-- entry: u16_of_floats
-- input { 100.75f16 3.5f32 2.25 }
-- output { [100u16, 3u16, 2u16] }
-- input { 0.5f16 99.999f32 1e-300 }
-- output { [0u16, 99u16, 0u16] }
entry u16_of_floats (x: f16) (y: f32) (z: f64) : [3]u16 = [u16.f16 x, u16.f32 y, u16.f64 z]

-- ==
-- entry: u16_by_zero
-- input { 1u16 0u16 } error: division by zero
entry u16_by_zero (x: u16) (y: u16) : u16 = x u16.// y

-- ==
-- entry: u32_arithmetic
-- input { [7u32, 4294967295u32, 4294967290u32, 0u32, 200u32, 128u32] [3u32, 2u32, 4294967295u32, 5u32, 7u32, 9u32] }
-- output { [10u32, 1u32, 4294967289u32, 5u32, 207u32, 137u32] [4u32, 4294967293u32, 4294967291u32, 4294967291u32, 193u32, 119u32] [21u32, 4294967294u32, 6u32, 0u32, 1400u32, 1152u32] [2u32, 2147483647u32, 0u32, 0u32, 28u32, 14u32] [1u32, 1u32, 4294967290u32, 0u32, 4u32, 2u32] [2u32, 2147483647u32, 0u32, 0u32, 28u32, 14u32] [1u32, 1u32, 4294967290u32, 0u32, 4u32, 2u32] [343u32, 1u32, 4294687360u32, 0u32, 1025507328u32, 128u32] [1u32, 2u32, 4294967290u32, 1u32, 1u32, 1u32] }
entry u32_arithmetic [n] (xs: [n]u32) (ys: [n]u32) : ([n]u32, [n]u32, [n]u32, [n]u32, [n]u32, [n]u32, [n]u32, [n]u32, [n]u32) =
  ( map2 (u32.+) xs ys, map2 (u32.-) xs ys, map2 (u32.*) xs ys, map2 (u32./) xs ys, map2 (u32.%) xs ys, map2 (u32.//) xs ys
  , map2 (u32.%%) xs ys, map2 (\x y -> x u32.** (u32.abs y % 8)) xs ys, map2 (\x y -> u32.mad_hi x y 1) xs ys)

-- ==
-- entry: u32_choices
-- input { [7u32, 4294967295u32, 4294967290u32, 0u32, 200u32, 128u32] [3u32, 2u32, 4294967295u32, 5u32, 7u32, 9u32] }
-- output { [3u32, 2u32, 4294967290u32, 0u32, 7u32, 9u32] [7u32, 4294967295u32, 4294967295u32, 5u32, 200u32, 128u32] [7u32, 4294967295u32, 4294967290u32, 0u32, 200u32, 128u32] [1u32, 1u32, 1u32, 0u32, 1u32, 1u32] [4294967289u32, 1u32, 6u32, 0u32, 4294967096u32, 4294967168u32] [false, false, false, false, false, false] [true, true, true, true, true, true] [false, false, true, true, false, false] [false, false, true, true, false, false] [true, true, false, false, true, true] [true, true, false, false, true, true] }
entry u32_choices [n] (xs: [n]u32) (ys: [n]u32)
    : ([n]u32, [n]u32, [n]u32, [n]u32, [n]u32, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  ( map2 u32.min xs ys, map2 u32.max xs ys, map u32.abs xs, map u32.sgn xs, map u32.neg xs
  , map2 (u32.==) xs ys, map2 (u32.!=) xs ys, map2 (u32.<) xs ys, map2 (u32.<=) xs ys, map2 (u32.>) xs ys, map2 (u32.>=) xs ys)

-- ==
-- entry: u32_bits
-- input { [7u32, 4294967295u32, 4294967290u32, 0u32, 200u32, 128u32] [3u32, 2u32, 4294967295u32, 5u32, 7u32, 9u32] }
-- output { [3u32, 2u32, 4294967290u32, 0u32, 0u32, 0u32] [7u32, 4294967295u32, 4294967295u32, 5u32, 207u32, 137u32] [4u32, 4294967293u32, 5u32, 5u32, 207u32, 137u32] [4294967288u32, 0u32, 5u32, 4294967295u32, 4294967095u32, 4294967167u32] [14u32, 4294967294u32, 4294967284u32, 0u32, 400u32, 256u32] [1u32, 1073741823u32, 1073741822u32, 0u32, 50u32, 32u32] [1u32, 1073741823u32, 1073741822u32, 0u32, 50u32, 32u32] [0, 1, 1, 0, 0, 0] [2147483654u32, 4294967294u32, 4294967290u32, 2147483648u32, 2147483848u32, 2147483776u32] [3, 32, 30, 0, 3, 1] [29, 0, 0, 32, 24, 24] [0, 0, 1, 32, 3, 7] [0u32, 1u32, 4294967289u32, 0u32, 0u32, 0u32] }
entry u32_bits [n] (xs: [n]u32) (ys: [n]u32)
    : ([n]u32, [n]u32, [n]u32, [n]u32, [n]u32, [n]u32, [n]u32, [n]i32, [n]u32, [n]i32, [n]i32, [n]i32, [n]u32) =
  ( map2 (u32.&) xs ys, map2 (u32.|) xs ys, map2 (u32.^) xs ys, map u32.not xs, map (\x -> x u32.<< 1) xs, map (\x -> x u32.>> 2) xs
  , map (\x -> x u32.>>> 2) xs, map (u32.get_bit 31) xs, map (\x -> u32.set_bit 31 (u32.set_bit 0 x 0) 1) xs
  , map u32.popc xs, map u32.clz xs, map u32.ctz xs, map2 u32.mul_hi xs ys)

-- ==
-- entry: u32_folds
-- input { [7u32, 4294967295u32, 4294967290u32, 0u32, 200u32, 128u32] }
-- output { 328u32 0u32 4294967295u32 0u32 4294967295u32 0u32 32 [7i64, 4294967295i64, 4294967290i64, 0i64, 200i64, 128i64] }
-- input { empty([0]u32) }
-- output { 0u32 1u32 0u32 4294967295u32 4294967295u32 0u32 32 empty([0]i64) }
entry u32_folds [n] (xs: [n]u32) : (u32, u32, u32, u32, u32, u32, i32, [n]i64) =
  ( u32.sum xs, u32.product xs, u32.maximum xs, u32.minimum xs, u32.highest, u32.lowest, u32.num_bits, map u32.to_i64 xs)

-- ==
-- entry: u32_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true }
-- output { [253u32, 300u32, 4294897296u32, 705032704u32, 200u32, 65535u32, 4294967295u32, 4294967295u32, 1u32, 0u32, 1u32] }
entry u32_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) : [11]u32 =
  [ u32.i8 a, u32.i16 b, u32.i32 c, u32.i64 d, u32.u8 e, u32.u16 f, u32.u32 g, u32.u64 h, u32.bool p, u32.bool (bool.u32 0), u32.bool (bool.u32 2) ]

-- ==
-- entry: u32_of_floats
-- input { 100.75f16 3.5f32 2.25 }
-- output { [100u32, 3u32, 2u32] }
-- input { 0.5f16 99.999f32 1e-300 }
-- output { [0u32, 99u32, 0u32] }
entry u32_of_floats (x: f16) (y: f32) (z: f64) : [3]u32 = [u32.f16 x, u32.f32 y, u32.f64 z]

-- ==
-- entry: u32_by_zero
-- input { 1u32 0u32 } error: division by zero
entry u32_by_zero (x: u32) (y: u32) : u32 = x u32.// y

-- ==
-- entry: u64_arithmetic
-- input { [7u64, 18446744073709551615u64, 18446744073709551610u64, 0u64, 200u64, 128u64] [3u64, 2u64, 18446744073709551615u64, 5u64, 7u64, 9u64] }
-- output { [10u64, 1u64, 18446744073709551609u64, 5u64, 207u64, 137u64] [4u64, 18446744073709551613u64, 18446744073709551611u64, 18446744073709551611u64, 193u64, 119u64] [21u64, 18446744073709551614u64, 6u64, 0u64, 1400u64, 1152u64] [2u64, 9223372036854775807u64, 0u64, 0u64, 28u64, 14u64] [1u64, 1u64, 18446744073709551610u64, 0u64, 4u64, 2u64] [2u64, 9223372036854775807u64, 0u64, 0u64, 28u64, 14u64] [1u64, 1u64, 18446744073709551610u64, 0u64, 4u64, 2u64] [343u64, 1u64, 18446744073709271680u64, 0u64, 12800000000000000u64, 128u64] [1u64, 2u64, 18446744073709551610u64, 1u64, 1u64, 1u64] }
entry u64_arithmetic [n] (xs: [n]u64) (ys: [n]u64) : ([n]u64, [n]u64, [n]u64, [n]u64, [n]u64, [n]u64, [n]u64, [n]u64, [n]u64) =
  ( map2 (u64.+) xs ys, map2 (u64.-) xs ys, map2 (u64.*) xs ys, map2 (u64./) xs ys, map2 (u64.%) xs ys, map2 (u64.//) xs ys
  , map2 (u64.%%) xs ys, map2 (\x y -> x u64.** (u64.abs y % 8)) xs ys, map2 (\x y -> u64.mad_hi x y 1) xs ys)

-- ==
-- entry: u64_choices
-- input { [7u64, 18446744073709551615u64, 18446744073709551610u64, 0u64, 200u64, 128u64] [3u64, 2u64, 18446744073709551615u64, 5u64, 7u64, 9u64] }
-- output { [3u64, 2u64, 18446744073709551610u64, 0u64, 7u64, 9u64] [7u64, 18446744073709551615u64, 18446744073709551615u64, 5u64, 200u64, 128u64] [7u64, 18446744073709551615u64, 18446744073709551610u64, 0u64, 200u64, 128u64] [1u64, 1u64, 1u64, 0u64, 1u64, 1u64] [18446744073709551609u64, 1u64, 6u64, 0u64, 18446744073709551416u64, 18446744073709551488u64] [false, false, false, false, false, false] [true, true, true, true, true, true] [false, false, true, true, false, false] [false, false, true, true, false, false] [true, true, false, false, true, true] [true, true, false, false, true, true] }
entry u64_choices [n] (xs: [n]u64) (ys: [n]u64)
    : ([n]u64, [n]u64, [n]u64, [n]u64, [n]u64, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  ( map2 u64.min xs ys, map2 u64.max xs ys, map u64.abs xs, map u64.sgn xs, map u64.neg xs
  , map2 (u64.==) xs ys, map2 (u64.!=) xs ys, map2 (u64.<) xs ys, map2 (u64.<=) xs ys, map2 (u64.>) xs ys, map2 (u64.>=) xs ys)

-- ==
-- entry: u64_bits
-- input { [7u64, 18446744073709551615u64, 18446744073709551610u64, 0u64, 200u64, 128u64] [3u64, 2u64, 18446744073709551615u64, 5u64, 7u64, 9u64] }
-- output { [3u64, 2u64, 18446744073709551610u64, 0u64, 0u64, 0u64] [7u64, 18446744073709551615u64, 18446744073709551615u64, 5u64, 207u64, 137u64] [4u64, 18446744073709551613u64, 5u64, 5u64, 207u64, 137u64] [18446744073709551608u64, 0u64, 5u64, 18446744073709551615u64, 18446744073709551415u64, 18446744073709551487u64] [14u64, 18446744073709551614u64, 18446744073709551604u64, 0u64, 400u64, 256u64] [1u64, 4611686018427387903u64, 4611686018427387902u64, 0u64, 50u64, 32u64] [1u64, 4611686018427387903u64, 4611686018427387902u64, 0u64, 50u64, 32u64] [0, 1, 1, 0, 0, 0] [9223372036854775814u64, 18446744073709551614u64, 18446744073709551610u64, 9223372036854775808u64, 9223372036854776008u64, 9223372036854775936u64] [3, 64, 62, 0, 3, 1] [61, 0, 0, 64, 56, 56] [0, 0, 1, 64, 3, 7] [0u64, 1u64, 18446744073709551609u64, 0u64, 0u64, 0u64] }
entry u64_bits [n] (xs: [n]u64) (ys: [n]u64)
    : ([n]u64, [n]u64, [n]u64, [n]u64, [n]u64, [n]u64, [n]u64, [n]i32, [n]u64, [n]i32, [n]i32, [n]i32, [n]u64) =
  ( map2 (u64.&) xs ys, map2 (u64.|) xs ys, map2 (u64.^) xs ys, map u64.not xs, map (\x -> x u64.<< 1) xs, map (\x -> x u64.>> 2) xs
  , map (\x -> x u64.>>> 2) xs, map (u64.get_bit 63) xs, map (\x -> u64.set_bit 63 (u64.set_bit 0 x 0) 1) xs
  , map u64.popc xs, map u64.clz xs, map u64.ctz xs, map2 u64.mul_hi xs ys)

-- ==
-- entry: u64_folds
-- input { [7u64, 18446744073709551615u64, 18446744073709551610u64, 0u64, 200u64, 128u64] }
-- output { 328u64 0u64 18446744073709551615u64 0u64 18446744073709551615u64 0u64 64 [7i64, -1i64, -6i64, 0i64, 200i64, 128i64] }
-- input { empty([0]u64) }
-- output { 0u64 1u64 0u64 18446744073709551615u64 18446744073709551615u64 0u64 64 empty([0]i64) }
entry u64_folds [n] (xs: [n]u64) : (u64, u64, u64, u64, u64, u64, i32, [n]i64) =
  ( u64.sum xs, u64.product xs, u64.maximum xs, u64.minimum xs, u64.highest, u64.lowest, u64.num_bits, map u64.to_i64 xs)

-- ==
-- entry: u64_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true }
-- output { [253u64, 300u64, 4294897296u64, 5000000000u64, 200u64, 65535u64, 4294967295u64, 18446744073709551615u64, 1u64, 0u64, 1u64] }
entry u64_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) : [11]u64 =
  [ u64.i8 a, u64.i16 b, u64.i32 c, u64.i64 d, u64.u8 e, u64.u16 f, u64.u32 g, u64.u64 h, u64.bool p, u64.bool (bool.u64 0), u64.bool (bool.u64 2) ]

-- ==
-- entry: u64_of_floats
-- input { 100.75f16 3.5f32 2.25 }
-- output { [100u64, 3u64, 2u64] }
-- input { 0.5f16 99.999f32 1e-300 }
-- output { [0u64, 99u64, 0u64] }
entry u64_of_floats (x: f16) (y: f32) (z: f64) : [3]u64 = [u64.f16 x, u64.f32 y, u64.f64 z]

-- ==
-- entry: u64_by_zero
-- input { 1u64 0u64 } error: division by zero
entry u64_by_zero (x: u64) (y: u64) : u64 = x u64.// y
