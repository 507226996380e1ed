-- Every definition of the three modules of floats. Expected values: `futhark run` of 0.25.32. By hand are
-- `%` (there the interpreter rounds down, compiled programs do not), `nextafter` of f16 (steps of 2^-10; there those of f32),
-- `epsilon` of f16 (likewise) and bit 63 of f64 (`set_bit` shifts an i32 there).

-- ==
-- entry: f16_arithmetic
-- input { [1.5f16, -7.25f16, f16.inf, 0.0f16, f16.nan] [2.0f16, 3.0f16, 2.0f16, -0.5f16, 1.0f16] }
-- output { [3.5f16, -4.25f16, f16.inf, -0.5f16, f16.nan] [-0.5f16, -10.25f16, f16.inf, 0.5f16, f16.nan] [3.0f16, -21.75f16, f16.inf, -0.0f16, f16.nan] [0.75f16, -2.4160156f16, f16.inf, -0.0f16, f16.nan] [1.5f16, -1.25f16, f16.nan, 0.0f16, f16.nan] [2.25f16, 52.5625f16, f16.inf, 0.0f16, f16.nan] [-1.5f16, 7.25f16, -f16.inf, -0.0f16, f16.nan] }
entry f16_arithmetic [n] (xs: [n]f16) (ys: [n]f16) : ([n]f16, [n]f16, [n]f16, [n]f16, [n]f16, [n]f16, [n]f16) =
  ( map2 (f16.+) xs ys, map2 (f16.-) xs ys, map2 (f16.*) xs ys, map2 (f16./) xs ys, map2 (f16.%) xs ys, map (f16.** 2) xs, map f16.neg xs)

-- ==
-- entry: f16_choices
-- input { [1.5f16, -7.25f16, f16.inf, -0.0f16, f16.nan, -f16.inf] [2.0f16, -7.25f16, 2.0f16, 0.0f16, 1.0f16, 3.0f16] }
-- output { [1.5f16, -7.25f16, 2.0f16, 0.0f16, 1.0f16, -f16.inf] [2.0f16, -7.25f16, f16.inf, 0.0f16, 1.0f16, 3.0f16] [1.5f16, 7.25f16, f16.inf, 0.0f16, f16.nan, f16.inf] [1.0f16, -1.0f16, 1.0f16, 0.0f16, f16.nan, -1.0f16] [false, true, false, true, false, false] [true, false, true, false, true, true] [true, false, false, false, false, true] [true, true, false, true, false, true] [false, false, true, false, false, false] [false, true, true, true, false, false] [false, false, false, false, true, false] [false, false, true, false, false, true] [1.5f16, -7.25f16, f16.inf, 0.0f16, f16.nan, f16.inf] }
entry f16_choices [n] (xs: [n]f16) (ys: [n]f16)
    : ([n]f16, [n]f16, [n]f16, [n]f16, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]f16) =
  ( map2 f16.min xs ys, map2 f16.max xs ys, map f16.abs xs, map f16.sgn xs
  , map2 (f16.==) xs ys, map2 (f16.!=) xs ys, map2 (f16.<) xs ys, map2 (f16.<=) xs ys, map2 (f16.>) xs ys, map2 (f16.>=) xs ys
  , map f16.isnan xs, map f16.isinf xs, map2 f16.copysign xs ys)

-- ==
-- entry: f16_rounding
-- input { [0.5f16, 1.5f16, 2.5f16, -0.5f16, -1.5f16, -2.5f16, 2.75f16, -2.75f16, 7.0f16] }
-- output { [1.0f16, 2.0f16, 3.0f16, 0.0f16, -1.0f16, -2.0f16, 3.0f16, -2.0f16, 7.0f16] [0.0f16, 1.0f16, 2.0f16, -1.0f16, -2.0f16, -3.0f16, 2.0f16, -3.0f16, 7.0f16] [0.0f16, 1.0f16, 2.0f16, 0.0f16, -1.0f16, -2.0f16, 2.0f16, -2.0f16, 7.0f16] [0.0f16, 2.0f16, 2.0f16, 0.0f16, -2.0f16, -2.0f16, 3.0f16, -3.0f16, 7.0f16] [0i64, 1i64, 2i64, 0i64, -1i64, -2i64, 2i64, -2i64, 7i64] }
entry f16_rounding [n] (xs: [n]f16) : ([n]f16, [n]f16, [n]f16, [n]f16, [n]i64) =
  (map f16.ceil xs, map f16.floor xs, map f16.trunc xs, map f16.round xs, map f16.to_i64 xs)

-- ==
-- entry: f16_functions
-- input { 0.625f16 }
-- output { [1.5996094f16, 0.79052734f16, 1.2646484f16, 0.85498047f16, 1.8681641f16, -0.4699707f16, -0.67822266f16, -0.20410156f16, 0.4855957f16, 0.58496094f16, 0.81103516f16, 0.7216797f16, 0.67529297f16, 0.8955078f16, 0.55859375f16, 0.6665039f16, 1.2021484f16, 0.5546875f16, 0.59033203f16, 1.0664063f16, 0.73339844f16, 1.4345703f16, 0.36083984f16, 0.6230469f16, 0.37670898f16, 13.8671875f16] }
entry f16_functions (x: f16) : [26]f16 =
  [ f16.recip x, f16.sqrt x, f16.rsqrt x, f16.cbrt x, f16.exp x, f16.log x, f16.log2 x, f16.log10 x, f16.log1p x
  , f16.sin x, f16.cos x, f16.tan x, f16.asin x, f16.acos x, f16.atan x, f16.sinh x, f16.cosh x, f16.tanh x
  , f16.asinh x, f16.acosh (x + 1), f16.atanh x, f16.gamma x, f16.lgamma x, f16.erf x, f16.erfc x, f16.gamma (x + 4) ]

-- ==
-- entry: f16_half_turns
-- input { 0.375f16 }
-- output { [0.9238281f16, 0.38305664f16, 2.4121094f16, 0.12237549f16, 0.37768555f16, 0.11425781f16, 0.79541016f16] }
entry f16_half_turns (x: f16) : [7]f16 =
  [f16.sinpi x, f16.cospi x, f16.tanpi x, f16.asinpi x, f16.acospi x, f16.atanpi x, f16.atan2pi x (-0.5)]

-- ==
-- entry: f16_of_several
-- input { 0.625f16 -1.5f16 0.25f16 }
-- output { [2.7460938f16, 1.625f16, 9.375e-2f16, -0.6875f16, -0.6875f16, 5.0f16] }
-- input { 3.0f16 4.0f16 1.5f16 }
-- output { [0.6435547f16, 5.0f16, 4.0f16, 13.5f16, 13.5f16, 24.0f16] }
-- input { 3.0f16 4.0f16 -1.5f16 }
-- output { [0.6435547f16, 5.0f16, 3.0f16, 10.5f16, 10.5f16, 24.0f16] }
entry f16_of_several (x: f16) (y: f16) (z: f16) : [6]f16 =
  [f16.atan2 x y, f16.hypot x y, f16.lerp x y z, f16.mad x y z, f16.fma x y z, f16.ldexp x 3]

-- ==
-- entry: f16_bits
-- input { 1.5f16 -2.0f16 }
-- output { [1.5f16, -1.5f16, 1.4990234375f16, 1.5009765625f16] [15872u16, 49152u16] [0, 1] }
entry f16_bits (x: f16) (y: f16) : ([4]f16, [2]u16, [2]i32) =
  ( [f16.from_bits (f16.to_bits x), f16.set_bit 15 x 1, f16.nextafter x y, f16.nextafter x 2]
  , [f16.to_bits x, f16.to_bits y], [f16.get_bit 15 x, f16.get_bit 15 y])

-- ==
-- entry: f16_folds
-- input { [1.5f16, -2.0f16, 4.0f16] }
-- output { 3.5f16 -12.0f16 4.0f16 -2.0f16 [1.5, -2.0, 4.0] }
-- input { empty([0]f16) }
-- output { 0.0f16 1.0f16 -f16.inf f16.inf empty([0]f64) }
entry f16_folds [n] (xs: [n]f16) : (f16, f16, f16, f16, [n]f64) =
  (f16.sum xs, f16.product xs, f16.maximum xs, f16.minimum xs, map f16.to_f64 xs)

-- ==
-- entry: f16_constants
-- input { 1i64 3i64 }
-- output { [3.140625f16, 2.71875f16, f16.inf, f16.nan, f16.inf, -f16.inf, 0.33325195f16] 16 }
entry f16_constants (p: i64) (q: i64) : ([7]f16, i32) =
  ([f16.pi, f16.e, f16.inf, f16.nan, f16.highest, f16.lowest, f16.from_fraction p q], f16.num_bits)

-- ==
-- entry: f16_step
-- input { 0 } output { 9.765625e-4f16 }
entry f16_step (_: i32) : f16 = f16.epsilon

-- ==
-- entry: f16_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true 1.5f16 2.25f32 3.75 }
-- output { [-3.0f16, 300.0f16, -f16.inf, f16.inf, 200.0f16, f16.inf, f16.inf, f16.inf, 1.0f16, 0.0f16, 1.5f16, 2.25f16, 3.75f16] }
entry f16_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) (x: f16) (y: f32) (z: f64) : [13]f16 =
  [ f16.i8 a, f16.i16 b, f16.i32 c, f16.i64 d, f16.u8 e, f16.u16 f, f16.u32 g, f16.u64 h, f16.bool p, f16.bool (bool.f16 0)
  , f16.f16 x, f16.f32 y, f16.f64 z ]

-- ==
-- entry: f32_arithmetic
-- input { [1.5f32, -7.25f32, f32.inf, 0.0f32, f32.nan] [2.0f32, 3.0f32, 2.0f32, -0.5f32, 1.0f32] }
-- output { [3.5f32, -4.25f32, f32.inf, -0.5f32, f32.nan] [-0.5f32, -10.25f32, f32.inf, 0.5f32, f32.nan] [3.0f32, -21.75f32, f32.inf, -0.0f32, f32.nan] [0.75f32, -2.4166667f32, f32.inf, -0.0f32, f32.nan] [1.5f32, -1.25f32, f32.nan, 0.0f32, f32.nan] [2.25f32, 52.5625f32, f32.inf, 0.0f32, f32.nan] [-1.5f32, 7.25f32, -f32.inf, -0.0f32, f32.nan] }
entry f32_arithmetic [n] (xs: [n]f32) (ys: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32, [n]f32, [n]f32, [n]f32) =
  ( map2 (f32.+) xs ys, map2 (f32.-) xs ys, map2 (f32.*) xs ys, map2 (f32./) xs ys, map2 (f32.%) xs ys, map (f32.** 2) xs, map f32.neg xs)

-- ==
-- entry: f32_choices
-- input { [1.5f32, -7.25f32, f32.inf, -0.0f32, f32.nan, -f32.inf] [2.0f32, -7.25f32, 2.0f32, 0.0f32, 1.0f32, 3.0f32] }
-- output { [1.5f32, -7.25f32, 2.0f32, -0.0f32, 1.0f32, -f32.inf] [2.0f32, -7.25f32, f32.inf, 0.0f32, 1.0f32, 3.0f32] [1.5f32, 7.25f32, f32.inf, 0.0f32, f32.nan, f32.inf] [1.0f32, -1.0f32, 1.0f32, -0.0f32, f32.nan, -1.0f32] [false, true, false, true, false, false] [true, false, true, false, true, true] [true, false, false, false, false, true] [true, true, false, true, false, true] [false, false, true, false, false, false] [false, true, true, true, false, false] [false, false, false, false, true, false] [false, false, true, false, false, true] [1.5f32, -7.25f32, f32.inf, 0.0f32, f32.nan, f32.inf] }
entry f32_choices [n] (xs: [n]f32) (ys: [n]f32)
    : ([n]f32, [n]f32, [n]f32, [n]f32, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]f32) =
  ( map2 f32.min xs ys, map2 f32.max xs ys, map f32.abs xs, map f32.sgn xs
  , map2 (f32.==) xs ys, map2 (f32.!=) xs ys, map2 (f32.<) xs ys, map2 (f32.<=) xs ys, map2 (f32.>) xs ys, map2 (f32.>=) xs ys
  , map f32.isnan xs, map f32.isinf xs, map2 f32.copysign xs ys)

-- ==
-- entry: f32_rounding
-- input { [0.5f32, 1.5f32, 2.5f32, -0.5f32, -1.5f32, -2.5f32, 2.75f32, -2.75f32, 7.0f32] }
-- output { [1.0f32, 2.0f32, 3.0f32, -0.0f32, -1.0f32, -2.0f32, 3.0f32, -2.0f32, 7.0f32] [0.0f32, 1.0f32, 2.0f32, -1.0f32, -2.0f32, -3.0f32, 2.0f32, -3.0f32, 7.0f32] [0.0f32, 1.0f32, 2.0f32, 0.0f32, -1.0f32, -2.0f32, 2.0f32, -2.0f32, 7.0f32] [0.0f32, 2.0f32, 2.0f32, -0.0f32, -2.0f32, -2.0f32, 3.0f32, -3.0f32, 7.0f32] [0i64, 1i64, 2i64, 0i64, -1i64, -2i64, 2i64, -2i64, 7i64] }
entry f32_rounding [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32, [n]i64) =
  (map f32.ceil xs, map f32.floor xs, map f32.trunc xs, map f32.round xs, map f32.to_i64 xs)

-- ==
-- entry: f32_functions
-- input { 0.625f32 }
-- output { [1.6f32, 0.7905694f32, 1.264911f32, 0.854988f32, 1.868246f32, -0.47000363f32, -0.6780719f32, -0.20411998f32, 0.48550782f32, 0.58509725f32, 0.8109631f32, 0.7214844f32, 0.67513156f32, 0.8956648f32, 0.5585993f32, 0.6664923f32, 1.2017537f32, 0.5545997f32, 0.5901437f32, 1.0667324f32, 0.73316854f32, 1.4345188f32, 0.3608295f32, 0.6232409f32, 0.3767591f32, 13.86363f32] }
entry f32_functions (x: f32) : [26]f32 =
  [ f32.recip x, f32.sqrt x, f32.rsqrt x, f32.cbrt x, f32.exp x, f32.log x, f32.log2 x, f32.log10 x, f32.log1p x
  , f32.sin x, f32.cos x, f32.tan x, f32.asin x, f32.acos x, f32.atan x, f32.sinh x, f32.cosh x, f32.tanh x
  , f32.asinh x, f32.acosh (x + 1), f32.atanh x, f32.gamma x, f32.lgamma x, f32.erf x, f32.erfc x, f32.gamma (x + 4) ]

-- ==
-- entry: f32_half_turns
-- input { 0.375f32 }
-- output { [0.9238795f32, 0.38268343f32, 2.4142137f32, 0.12235729f32, 0.3776427f32, 0.11420025f32, 0.79516727f32] }
entry f32_half_turns (x: f32) : [7]f32 =
  [f32.sinpi x, f32.cospi x, f32.tanpi x, f32.asinpi x, f32.acospi x, f32.atanpi x, f32.atan2pi x (-0.5)]

-- ==
-- entry: f32_of_several
-- input { 0.625f32 -1.5f32 0.25f32 }
-- output { [2.7468016f32, 1.625f32, 9.375e-2f32, -0.6875f32, -0.6875f32, 5.0f32] }
-- input { 3.0f32 4.0f32 1.5f32 }
-- output { [0.6435011f32, 5.0f32, 4.0f32, 13.5f32, 13.5f32, 24.0f32] }
-- input { 3.0f32 4.0f32 -1.5f32 }
-- output { [0.6435011f32, 5.0f32, 3.0f32, 10.5f32, 10.5f32, 24.0f32] }
entry f32_of_several (x: f32) (y: f32) (z: f32) : [6]f32 =
  [f32.atan2 x y, f32.hypot x y, f32.lerp x y z, f32.mad x y z, f32.fma x y z, f32.ldexp x 3]

-- ==
-- entry: f32_bits
-- input { 1.5f32 -2.0f32 }
-- output { [1.5f32, -1.5f32, 1.4999999f32, 1.5000001f32] [1069547520u32, 3221225472u32] [0, 1] }
entry f32_bits (x: f32) (y: f32) : ([4]f32, [2]u32, [2]i32) =
  ( [f32.from_bits (f32.to_bits x), f32.set_bit 31 x 1, f32.nextafter x y, f32.nextafter x 2]
  , [f32.to_bits x, f32.to_bits y], [f32.get_bit 31 x, f32.get_bit 31 y])

-- ==
-- entry: f32_folds
-- input { [1.5f32, -2.0f32, 4.0f32] }
-- output { 3.5f32 -12.0f32 4.0f32 -2.0f32 [1.5, -2.0, 4.0] }
-- input { empty([0]f32) }
-- output { 0.0f32 1.0f32 -f32.inf f32.inf empty([0]f64) }
entry f32_folds [n] (xs: [n]f32) : (f32, f32, f32, f32, [n]f64) =
  (f32.sum xs, f32.product xs, f32.maximum xs, f32.minimum xs, map f32.to_f64 xs)

-- ==
-- entry: f32_constants
-- input { 1i64 3i64 }
-- output { [3.1415927f32, 2.7182817f32, f32.inf, f32.nan, f32.inf, -f32.inf, 0.33333334f32] 32 }
entry f32_constants (p: i64) (q: i64) : ([7]f32, i32) =
  ([f32.pi, f32.e, f32.inf, f32.nan, f32.highest, f32.lowest, f32.from_fraction p q], f32.num_bits)

-- ==
-- entry: f32_step
-- input { 0 } output { 1.1920929e-7f32 }
entry f32_step (_: i32) : f32 = f32.epsilon

-- ==
-- entry: f32_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true 1.5f16 2.25f32 3.75 }
-- output { [-3.0f32, 300.0f32, -70000.0f32, 5.0e9f32, 200.0f32, 65535.0f32, 4.2949673e9f32, 1.8446744e19f32, 1.0f32, 0.0f32, 1.5f32, 2.25f32, 3.75f32] }
entry f32_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) (x: f16) (y: f32) (z: f64) : [13]f32 =
  [ f32.i8 a, f32.i16 b, f32.i32 c, f32.i64 d, f32.u8 e, f32.u16 f, f32.u32 g, f32.u64 h, f32.bool p, f32.bool (bool.f32 0)
  , f32.f16 x, f32.f32 y, f32.f64 z ]

-- ==
-- entry: f64_arithmetic
-- input { [1.5f64, -7.25f64, f64.inf, 0.0f64, f64.nan] [2.0f64, 3.0f64, 2.0f64, -0.5f64, 1.0f64] }
-- output { [3.5, -4.25, f64.inf, -0.5, f64.nan] [-0.5, -10.25, f64.inf, 0.5, f64.nan] [3.0, -21.75, f64.inf, -0.0, f64.nan] [0.75, -2.4166666666666665, f64.inf, -0.0, f64.nan] [1.5, -1.25, f64.nan, 0.0, f64.nan] [2.25, 52.5625, f64.inf, 0.0, f64.nan] [-1.5, 7.25, -f64.inf, -0.0, f64.nan] }
entry f64_arithmetic [n] (xs: [n]f64) (ys: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64, [n]f64, [n]f64, [n]f64) =
  ( map2 (f64.+) xs ys, map2 (f64.-) xs ys, map2 (f64.*) xs ys, map2 (f64./) xs ys, map2 (f64.%) xs ys, map (f64.** 2) xs, map f64.neg xs)

-- ==
-- entry: f64_choices
-- input { [1.5f64, -7.25f64, f64.inf, -0.0f64, f64.nan, -f64.inf] [2.0f64, -7.25f64, 2.0f64, 0.0f64, 1.0f64, 3.0f64] }
-- output { [1.5, -7.25, 2.0, -0.0, 1.0, -f64.inf] [2.0, -7.25, f64.inf, 0.0, 1.0, 3.0] [1.5, 7.25, f64.inf, 0.0, f64.nan, f64.inf] [1.0, -1.0, 1.0, -0.0, f64.nan, -1.0] [false, true, false, true, false, false] [true, false, true, false, true, true] [true, false, false, false, false, true] [true, true, false, true, false, true] [false, false, true, false, false, false] [false, true, true, true, false, false] [false, false, false, false, true, false] [false, false, true, false, false, true] [1.5, -7.25, f64.inf, 0.0, f64.nan, f64.inf] }
entry f64_choices [n] (xs: [n]f64) (ys: [n]f64)
    : ([n]f64, [n]f64, [n]f64, [n]f64, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]bool, [n]f64) =
  ( map2 f64.min xs ys, map2 f64.max xs ys, map f64.abs xs, map f64.sgn xs
  , map2 (f64.==) xs ys, map2 (f64.!=) xs ys, map2 (f64.<) xs ys, map2 (f64.<=) xs ys, map2 (f64.>) xs ys, map2 (f64.>=) xs ys
  , map f64.isnan xs, map f64.isinf xs, map2 f64.copysign xs ys)

-- ==
-- entry: f64_rounding
-- input { [0.5f64, 1.5f64, 2.5f64, -0.5f64, -1.5f64, -2.5f64, 2.75f64, -2.75f64, 7.0f64] }
-- output { [1.0, 2.0, 3.0, -0.0, -1.0, -2.0, 3.0, -2.0, 7.0] [0.0, 1.0, 2.0, -1.0, -2.0, -3.0, 2.0, -3.0, 7.0] [0.0, 1.0, 2.0, 0.0, -1.0, -2.0, 2.0, -2.0, 7.0] [0.0, 2.0, 2.0, -0.0, -2.0, -2.0, 3.0, -3.0, 7.0] [0i64, 1i64, 2i64, 0i64, -1i64, -2i64, 2i64, -2i64, 7i64] }
entry f64_rounding [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64, [n]i64) =
  (map f64.ceil xs, map f64.floor xs, map f64.trunc xs, map f64.round xs, map f64.to_i64 xs)

-- ==
-- entry: f64_functions
-- input { 0.625f64 }
-- output { [1.6, 0.7905694150420949, 1.2649110640673518, 0.8549879733383484, 1.8682459574322223, -0.4700036292457356, -0.6780719051126377, -0.20411998265592476, 0.48550781578170077, 0.5850972729404622, 0.8109631195052179, 0.7214844409909045, 0.6751315329370317, 0.895664793857865, 0.5585993153435624, 0.666492264456616, 1.2017536929756063, 0.5545997223493823, 0.590143685781959, 1.0667324319014355, 0.7331685343967135, 1.4345188480905569, 0.36082949548894017, 0.623240882188418, 0.376759117811582, 13.863630029703293] }
entry f64_functions (x: f64) : [26]f64 =
  [ f64.recip x, f64.sqrt x, f64.rsqrt x, f64.cbrt x, f64.exp x, f64.log x, f64.log2 x, f64.log10 x, f64.log1p x
  , f64.sin x, f64.cos x, f64.tan x, f64.asin x, f64.acos x, f64.atan x, f64.sinh x, f64.cosh x, f64.tanh x
  , f64.asinh x, f64.acosh (x + 1), f64.atanh x, f64.gamma x, f64.lgamma x, f64.erf x, f64.erfc x, f64.gamma (x + 4) ]

-- ==
-- entry: f64_half_turns
-- input { 0.375f64 }
-- output { [0.9238795325112867, 0.38268343236508984, 2.414213562373095, 0.12235729353912313, 0.37764270646087694, 0.11420025121990815, 0.7951672353008665] }
entry f64_half_turns (x: f64) : [7]f64 =
  [f64.sinpi x, f64.cospi x, f64.tanpi x, f64.asinpi x, f64.acospi x, f64.atanpi x, f64.atan2pi x (-0.5)]

-- ==
-- entry: f64_of_several
-- input { 0.625f64 -1.5f64 0.25f64 }
-- output { [2.7468015338900313, 1.625, 9.375e-2, -0.6875, -0.6875, 5.0] }
-- input { 3.0f64 4.0f64 1.5f64 }
-- output { [0.6435011087932844, 5.0, 4.0, 13.5, 13.5, 24.0] }
-- input { 3.0f64 4.0f64 -1.5f64 }
-- output { [0.6435011087932844, 5.0, 3.0, 10.5, 10.5, 24.0] }
entry f64_of_several (x: f64) (y: f64) (z: f64) : [6]f64 =
  [f64.atan2 x y, f64.hypot x y, f64.lerp x y z, f64.mad x y z, f64.fma x y z, f64.ldexp x 3]

-- ==
-- entry: f64_bits
-- input { 1.5f64 -2.0f64 }
-- output { [1.5, -1.5, 1.4999999999999998, 1.5000000000000002] [4609434218613702656u64, 13835058055282163712u64] [0, 1] }
entry f64_bits (x: f64) (y: f64) : ([4]f64, [2]u64, [2]i32) =
  ( [f64.from_bits (f64.to_bits x), f64.set_bit 63 x 1, f64.nextafter x y, f64.nextafter x 2]
  , [f64.to_bits x, f64.to_bits y], [f64.get_bit 63 x, f64.get_bit 63 y])

-- ==
-- entry: f64_folds
-- input { [1.5f64, -2.0f64, 4.0f64] }
-- output { 3.5 -12.0 4.0 -2.0 [1.5, -2.0, 4.0] }
-- input { empty([0]f64) }
-- output { 0.0 1.0 -f64.inf f64.inf empty([0]f64) }
entry f64_folds [n] (xs: [n]f64) : (f64, f64, f64, f64, [n]f64) =
  (f64.sum xs, f64.product xs, f64.maximum xs, f64.minimum xs, map f64.to_f64 xs)

-- ==
-- entry: f64_constants
-- input { 1i64 3i64 }
-- output { [3.141592653589793, 2.718281828459045, f64.inf, f64.nan, f64.inf, -f64.inf, 0.3333333333333333] 64 }
entry f64_constants (p: i64) (q: i64) : ([7]f64, i32) =
  ([f64.pi, f64.e, f64.inf, f64.nan, f64.highest, f64.lowest, f64.from_fraction p q], f64.num_bits)

-- ==
-- entry: f64_step
-- input { 0 } output { 2.220446049250313e-16f64 }
entry f64_step (_: i32) : f64 = f64.epsilon

-- ==
-- entry: f64_conversions
-- input { -3i8 300i16 -70000i32 5000000000i64 200u8 65535u16 4294967295u32 18446744073709551615u64 true 1.5f16 2.25f32 3.75 }
-- output { [-3.0, 300.0, -70000.0, 5.0e9, 200.0, 65535.0, 4.294967295e9, 1.8446744073709552e19, 1.0, 0.0, 1.5, 2.25, 3.75] }
entry f64_conversions (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (p: bool) (x: f16) (y: f32) (z: f64) : [13]f64 =
  [ f64.i8 a, f64.i16 b, f64.i32 c, f64.i64 d, f64.u8 e, f64.u16 f, f64.u32 g, f64.u64 h, f64.bool p, f64.bool (bool.f64 0)
  , f64.f16 x, f64.f32 y, f64.f64 z ]
