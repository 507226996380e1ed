-- Folds, scans and choices at each type, with its extreme values and with nothing. By hand; written by a program of
-- a few lines in another language, and the same in 0.25.32.
-- The largest of numbers, of truth values whether one is true. (0.25.32 has no exscan.)

-- ==
-- entry: i8_folds
-- input { [127i8, -128i8, 1i8, -127i8, 126i8] } output { 127i8 [127i8, 127i8, 127i8, 127i8, 127i8] [-128i8, 127i8, 127i8, 127i8, 127i8] 127i8 [127i8, 1i8, 126i8] [127i8, 1i8, 126i8, -128i8, -127i8] false true }
-- input { [-128i8, 7i8] } output { 7i8 [-128i8, 7i8] [-128i8, -128i8] 7i8 [7i8] [7i8, -128i8] false true }
-- input { [127i8] } output { 127i8 [127i8] [-128i8] 127i8 [127i8] [127i8] true true }
-- input { empty([0]i8) } output { -128i8 empty([0]i8) empty([0]i8) -128i8 empty([0]i8) empty([0]i8) true false }
entry i8_folds [n] (xs: [n]i8) : (i8, [n]i8, [n]i8, i8, []i8, []i8, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce i8.max i8.lowest xs, scan i8.max i8.lowest xs, exscan i8.max i8.lowest xs, foldl i8.max i8.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: i16_folds
-- input { [32767i16, -32768i16, 1i16, -32767i16, 32766i16] } output { 32767i16 [32767i16, 32767i16, 32767i16, 32767i16, 32767i16] [-32768i16, 32767i16, 32767i16, 32767i16, 32767i16] 32767i16 [32767i16, 1i16, 32766i16] [32767i16, 1i16, 32766i16, -32768i16, -32767i16] false true }
-- input { [-32768i16, 7i16] } output { 7i16 [-32768i16, 7i16] [-32768i16, -32768i16] 7i16 [7i16] [7i16, -32768i16] false true }
-- input { [32767i16] } output { 32767i16 [32767i16] [-32768i16] 32767i16 [32767i16] [32767i16] true true }
-- input { empty([0]i16) } output { -32768i16 empty([0]i16) empty([0]i16) -32768i16 empty([0]i16) empty([0]i16) true false }
entry i16_folds [n] (xs: [n]i16) : (i16, [n]i16, [n]i16, i16, []i16, []i16, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce i16.max i16.lowest xs, scan i16.max i16.lowest xs, exscan i16.max i16.lowest xs, foldl i16.max i16.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: i32_folds
-- input { [2147483647i32, -2147483648i32, 1i32, -2147483647i32, 2147483646i32] } output { 2147483647i32 [2147483647i32, 2147483647i32, 2147483647i32, 2147483647i32, 2147483647i32] [-2147483648i32, 2147483647i32, 2147483647i32, 2147483647i32, 2147483647i32] 2147483647i32 [2147483647i32, 1i32, 2147483646i32] [2147483647i32, 1i32, 2147483646i32, -2147483648i32, -2147483647i32] false true }
-- input { [-2147483648i32, 7i32] } output { 7i32 [-2147483648i32, 7i32] [-2147483648i32, -2147483648i32] 7i32 [7i32] [7i32, -2147483648i32] false true }
-- input { [2147483647i32] } output { 2147483647i32 [2147483647i32] [-2147483648i32] 2147483647i32 [2147483647i32] [2147483647i32] true true }
-- input { empty([0]i32) } output { -2147483648i32 empty([0]i32) empty([0]i32) -2147483648i32 empty([0]i32) empty([0]i32) true false }
entry i32_folds [n] (xs: [n]i32) : (i32, [n]i32, [n]i32, i32, []i32, []i32, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce i32.max i32.lowest xs, scan i32.max i32.lowest xs, exscan i32.max i32.lowest xs, foldl i32.max i32.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: i64_folds
-- input { [9223372036854775807i64, -9223372036854775808i64, 1i64, -9223372036854775807i64, 9223372036854775806i64] } output { 9223372036854775807i64 [9223372036854775807i64, 9223372036854775807i64, 9223372036854775807i64, 9223372036854775807i64, 9223372036854775807i64] [-9223372036854775808i64, 9223372036854775807i64, 9223372036854775807i64, 9223372036854775807i64, 9223372036854775807i64] 9223372036854775807i64 [9223372036854775807i64, 1i64, 9223372036854775806i64] [9223372036854775807i64, 1i64, 9223372036854775806i64, -9223372036854775808i64, -9223372036854775807i64] false true }
-- input { [-9223372036854775808i64, 7i64] } output { 7i64 [-9223372036854775808i64, 7i64] [-9223372036854775808i64, -9223372036854775808i64] 7i64 [7i64] [7i64, -9223372036854775808i64] false true }
-- input { [9223372036854775807i64] } output { 9223372036854775807i64 [9223372036854775807i64] [-9223372036854775808i64] 9223372036854775807i64 [9223372036854775807i64] [9223372036854775807i64] true true }
-- input { empty([0]i64) } output { -9223372036854775808i64 empty([0]i64) empty([0]i64) -9223372036854775808i64 empty([0]i64) empty([0]i64) true false }
entry i64_folds [n] (xs: [n]i64) : (i64, [n]i64, [n]i64, i64, []i64, []i64, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce i64.max i64.lowest xs, scan i64.max i64.lowest xs, exscan i64.max i64.lowest xs, foldl i64.max i64.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: u8_folds
-- input { [255u8, 0u8, 1u8, 1u8, 254u8] } output { 255u8 [255u8, 255u8, 255u8, 255u8, 255u8] [0u8, 255u8, 255u8, 255u8, 255u8] 255u8 [255u8, 1u8, 1u8, 254u8] [255u8, 1u8, 1u8, 254u8, 0u8] false true }
-- input { [0u8, 7u8] } output { 7u8 [0u8, 7u8] [0u8, 0u8] 7u8 [7u8] [7u8, 0u8] false true }
-- input { [255u8] } output { 255u8 [255u8] [0u8] 255u8 [255u8] [255u8] true true }
-- input { empty([0]u8) } output { 0u8 empty([0]u8) empty([0]u8) 0u8 empty([0]u8) empty([0]u8) true false }
entry u8_folds [n] (xs: [n]u8) : (u8, [n]u8, [n]u8, u8, []u8, []u8, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce u8.max u8.lowest xs, scan u8.max u8.lowest xs, exscan u8.max u8.lowest xs, foldl u8.max u8.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: u16_folds
-- input { [65535u16, 0u16, 1u16, 1u16, 65534u16] } output { 65535u16 [65535u16, 65535u16, 65535u16, 65535u16, 65535u16] [0u16, 65535u16, 65535u16, 65535u16, 65535u16] 65535u16 [65535u16, 1u16, 1u16, 65534u16] [65535u16, 1u16, 1u16, 65534u16, 0u16] false true }
-- input { [0u16, 7u16] } output { 7u16 [0u16, 7u16] [0u16, 0u16] 7u16 [7u16] [7u16, 0u16] false true }
-- input { [65535u16] } output { 65535u16 [65535u16] [0u16] 65535u16 [65535u16] [65535u16] true true }
-- input { empty([0]u16) } output { 0u16 empty([0]u16) empty([0]u16) 0u16 empty([0]u16) empty([0]u16) true false }
entry u16_folds [n] (xs: [n]u16) : (u16, [n]u16, [n]u16, u16, []u16, []u16, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce u16.max u16.lowest xs, scan u16.max u16.lowest xs, exscan u16.max u16.lowest xs, foldl u16.max u16.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: u32_folds
-- input { [4294967295u32, 0u32, 1u32, 1u32, 4294967294u32] } output { 4294967295u32 [4294967295u32, 4294967295u32, 4294967295u32, 4294967295u32, 4294967295u32] [0u32, 4294967295u32, 4294967295u32, 4294967295u32, 4294967295u32] 4294967295u32 [4294967295u32, 1u32, 1u32, 4294967294u32] [4294967295u32, 1u32, 1u32, 4294967294u32, 0u32] false true }
-- input { [0u32, 7u32] } output { 7u32 [0u32, 7u32] [0u32, 0u32] 7u32 [7u32] [7u32, 0u32] false true }
-- input { [4294967295u32] } output { 4294967295u32 [4294967295u32] [0u32] 4294967295u32 [4294967295u32] [4294967295u32] true true }
-- input { empty([0]u32) } output { 0u32 empty([0]u32) empty([0]u32) 0u32 empty([0]u32) empty([0]u32) true false }
entry u32_folds [n] (xs: [n]u32) : (u32, [n]u32, [n]u32, u32, []u32, []u32, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce u32.max u32.lowest xs, scan u32.max u32.lowest xs, exscan u32.max u32.lowest xs, foldl u32.max u32.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: u64_folds
-- input { [18446744073709551615u64, 0u64, 1u64, 1u64, 18446744073709551614u64] } output { 18446744073709551615u64 [18446744073709551615u64, 18446744073709551615u64, 18446744073709551615u64, 18446744073709551615u64, 18446744073709551615u64] [0u64, 18446744073709551615u64, 18446744073709551615u64, 18446744073709551615u64, 18446744073709551615u64] 18446744073709551615u64 [18446744073709551615u64, 1u64, 1u64, 18446744073709551614u64] [18446744073709551615u64, 1u64, 1u64, 18446744073709551614u64, 0u64] false true }
-- input { [0u64, 7u64] } output { 7u64 [0u64, 7u64] [0u64, 0u64] 7u64 [7u64] [7u64, 0u64] false true }
-- input { [18446744073709551615u64] } output { 18446744073709551615u64 [18446744073709551615u64] [0u64] 18446744073709551615u64 [18446744073709551615u64] [18446744073709551615u64] true true }
-- input { empty([0]u64) } output { 0u64 empty([0]u64) empty([0]u64) 0u64 empty([0]u64) empty([0]u64) true false }
entry u64_folds [n] (xs: [n]u64) : (u64, [n]u64, [n]u64, u64, []u64, []u64, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce u64.max u64.lowest xs, scan u64.max u64.lowest xs, exscan u64.max u64.lowest xs, foldl u64.max u64.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: f16_folds
-- input { [f16.inf, 65504.0f16, -0.0f16, 5.9604645e-8f16, -65504.0f16] } output { f16.inf [f16.inf, f16.inf, f16.inf, f16.inf, f16.inf] [-f16.inf, f16.inf, f16.inf, f16.inf, f16.inf] f16.inf [f16.inf, 65504.0f16, 5.9604645e-8f16] [f16.inf, 65504.0f16, 5.9604645e-8f16, -0.0f16, -65504.0f16] false true }
-- input { [-2.5f16, 1.5f16] } output { 1.5f16 [-2.5f16, 1.5f16] [-f16.inf, -2.5f16] 1.5f16 [1.5f16] [1.5f16, -2.5f16] false true }
-- input { [f16.inf] } output { f16.inf [f16.inf] [-f16.inf] f16.inf [f16.inf] [f16.inf] true true }
-- input { empty([0]f16) } output { -f16.inf empty([0]f16) empty([0]f16) -f16.inf empty([0]f16) empty([0]f16) true false }
entry f16_folds [n] (xs: [n]f16) : (f16, [n]f16, [n]f16, f16, []f16, []f16, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce f16.max f16.lowest xs, scan f16.max f16.lowest xs, exscan f16.max f16.lowest xs, foldl f16.max f16.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: f32_folds
-- input { [f32.inf, 3.4028235e38f32, -0.0f32, 1.0e-45f32, -3.4028235e38f32] } output { f32.inf [f32.inf, f32.inf, f32.inf, f32.inf, f32.inf] [-f32.inf, f32.inf, f32.inf, f32.inf, f32.inf] f32.inf [f32.inf, 3.4028235e38f32, 1.0e-45f32] [f32.inf, 3.4028235e38f32, 1.0e-45f32, -0.0f32, -3.4028235e38f32] false true }
-- input { [-2.5f32, 1.5f32] } output { 1.5f32 [-2.5f32, 1.5f32] [-f32.inf, -2.5f32] 1.5f32 [1.5f32] [1.5f32, -2.5f32] false true }
-- input { [f32.inf] } output { f32.inf [f32.inf] [-f32.inf] f32.inf [f32.inf] [f32.inf] true true }
-- input { empty([0]f32) } output { -f32.inf empty([0]f32) empty([0]f32) -f32.inf empty([0]f32) empty([0]f32) true false }
entry f32_folds [n] (xs: [n]f32) : (f32, [n]f32, [n]f32, f32, []f32, []f32, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce f32.max f32.lowest xs, scan f32.max f32.lowest xs, exscan f32.max f32.lowest xs, foldl f32.max f32.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: f64_folds
-- input { [f64.inf, 1.7976931348623157e308f64, -0.0f64, 5.0e-324f64, -1.7976931348623157e308f64] } output { f64.inf [f64.inf, f64.inf, f64.inf, f64.inf, f64.inf] [-f64.inf, f64.inf, f64.inf, f64.inf, f64.inf] f64.inf [f64.inf, 1.7976931348623157e308f64, 5.0e-324f64] [f64.inf, 1.7976931348623157e308f64, 5.0e-324f64, -0.0f64, -1.7976931348623157e308f64] false true }
-- input { [-2.5f64, 1.5f64] } output { 1.5f64 [-2.5f64, 1.5f64] [-f64.inf, -2.5f64] 1.5f64 [1.5f64] [1.5f64, -2.5f64] false true }
-- input { [f64.inf] } output { f64.inf [f64.inf] [-f64.inf] f64.inf [f64.inf] [f64.inf] true true }
-- input { empty([0]f64) } output { -f64.inf empty([0]f64) empty([0]f64) -f64.inf empty([0]f64) empty([0]f64) true false }
entry f64_folds [n] (xs: [n]f64) : (f64, [n]f64, [n]f64, f64, []f64, []f64, bool, bool) =
  let positive x = x > 0
  let (a, b) = partition positive xs
  in ( reduce f64.max f64.lowest xs, scan f64.max f64.lowest xs, exscan f64.max f64.lowest xs, foldl f64.max f64.lowest xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )

-- ==
-- entry: bool_folds
-- input { [true, false, false, true, true] } output { true [true, true, true, true, true] [false, true, true, true, true] true [true, true, true] [true, true, true, false, false] false true }
-- input { [false, true] } output { true [false, true] [false, false] true [true] [true, false] false true }
-- input { [true] } output { true [true] [false] true [true] [true] true true }
-- input { empty([0]bool) } output { false empty([0]bool) empty([0]bool) false empty([0]bool) empty([0]bool) true false }
entry bool_folds [n] (xs: [n]bool) : (bool, [n]bool, [n]bool, bool, []bool, []bool, bool, bool) =
  let positive x = x
  let (a, b) = partition positive xs
  in ( reduce (\x y -> x || y) false xs, scan (\x y -> x || y) false xs, exscan (\x y -> x || y) false xs, foldl (\x y -> x || y) false xs
     , filter positive xs, a ++ b, all positive xs, any positive xs )
