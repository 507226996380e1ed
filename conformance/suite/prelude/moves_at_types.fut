-- Functions that move elements, at each type, with its extreme values and with nothing. By hand; written by a program of
-- a few lines in another language, and the same in 0.25.32.

-- ==
-- entry: i8_moves
-- input { [127i8, -128i8, 1i8, -127i8, 126i8] [-128i8, 7i8] 1i64 } output { [126i8, -127i8, 1i8, -128i8, 127i8] [-128i8, 1i8, -127i8, 126i8, 127i8] [127i8, -128i8, 1i8, -127i8, 126i8, -128i8, 7i8] [[127i8, 127i8], [-128i8, -128i8], [1i8, 1i8], [-127i8, -127i8], [126i8, 126i8]] [127i8, -128i8, 1i8, -127i8, 126i8, 127i8, -128i8, 1i8, -127i8, 126i8] [127i8, -128i8, 1i8, -127i8, 126i8] [-128i8, 7i8, -128i8, 7i8] }
-- input { [127i8] empty([0]i8) -1i64 } output { [127i8] [127i8] [127i8] [[127i8, 127i8]] [127i8, 127i8] [127i8] empty([0]i8) }
-- input { empty([0]i8) [-128i8, 7i8] 3i64 } output { empty([0]i8) empty([0]i8) [-128i8, 7i8] empty([0][2]i8) empty([0]i8) empty([0]i8) [-128i8, 7i8, -128i8, 7i8] }
entry i8_moves [n][m] (xs: [n]i8) (ys: [m]i8) (k: i64) : ([n]i8, [n]i8, [n + m]i8, [n][2]i8, [2 * n]i8, [n]i8, [2 * m]i8) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]i8), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: i16_moves
-- input { [32767i16, -32768i16, 1i16, -32767i16, 32766i16] [-32768i16, 7i16] 1i64 } output { [32766i16, -32767i16, 1i16, -32768i16, 32767i16] [-32768i16, 1i16, -32767i16, 32766i16, 32767i16] [32767i16, -32768i16, 1i16, -32767i16, 32766i16, -32768i16, 7i16] [[32767i16, 32767i16], [-32768i16, -32768i16], [1i16, 1i16], [-32767i16, -32767i16], [32766i16, 32766i16]] [32767i16, -32768i16, 1i16, -32767i16, 32766i16, 32767i16, -32768i16, 1i16, -32767i16, 32766i16] [32767i16, -32768i16, 1i16, -32767i16, 32766i16] [-32768i16, 7i16, -32768i16, 7i16] }
-- input { [32767i16] empty([0]i16) -1i64 } output { [32767i16] [32767i16] [32767i16] [[32767i16, 32767i16]] [32767i16, 32767i16] [32767i16] empty([0]i16) }
-- input { empty([0]i16) [-32768i16, 7i16] 3i64 } output { empty([0]i16) empty([0]i16) [-32768i16, 7i16] empty([0][2]i16) empty([0]i16) empty([0]i16) [-32768i16, 7i16, -32768i16, 7i16] }
entry i16_moves [n][m] (xs: [n]i16) (ys: [m]i16) (k: i64) : ([n]i16, [n]i16, [n + m]i16, [n][2]i16, [2 * n]i16, [n]i16, [2 * m]i16) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]i16), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: i32_moves
-- input { [2147483647i32, -2147483648i32, 1i32, -2147483647i32, 2147483646i32] [-2147483648i32, 7i32] 1i64 } output { [2147483646i32, -2147483647i32, 1i32, -2147483648i32, 2147483647i32] [-2147483648i32, 1i32, -2147483647i32, 2147483646i32, 2147483647i32] [2147483647i32, -2147483648i32, 1i32, -2147483647i32, 2147483646i32, -2147483648i32, 7i32] [[2147483647i32, 2147483647i32], [-2147483648i32, -2147483648i32], [1i32, 1i32], [-2147483647i32, -2147483647i32], [2147483646i32, 2147483646i32]] [2147483647i32, -2147483648i32, 1i32, -2147483647i32, 2147483646i32, 2147483647i32, -2147483648i32, 1i32, -2147483647i32, 2147483646i32] [2147483647i32, -2147483648i32, 1i32, -2147483647i32, 2147483646i32] [-2147483648i32, 7i32, -2147483648i32, 7i32] }
-- input { [2147483647i32] empty([0]i32) -1i64 } output { [2147483647i32] [2147483647i32] [2147483647i32] [[2147483647i32, 2147483647i32]] [2147483647i32, 2147483647i32] [2147483647i32] empty([0]i32) }
-- input { empty([0]i32) [-2147483648i32, 7i32] 3i64 } output { empty([0]i32) empty([0]i32) [-2147483648i32, 7i32] empty([0][2]i32) empty([0]i32) empty([0]i32) [-2147483648i32, 7i32, -2147483648i32, 7i32] }
entry i32_moves [n][m] (xs: [n]i32) (ys: [m]i32) (k: i64) : ([n]i32, [n]i32, [n + m]i32, [n][2]i32, [2 * n]i32, [n]i32, [2 * m]i32) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]i32), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: i64_moves
-- input { [9223372036854775807i64, -9223372036854775808i64, 1i64, -9223372036854775807i64, 9223372036854775806i64] [-9223372036854775808i64, 7i64] 1i64 } output { [9223372036854775806i64, -9223372036854775807i64, 1i64, -9223372036854775808i64, 9223372036854775807i64] [-9223372036854775808i64, 1i64, -9223372036854775807i64, 9223372036854775806i64, 9223372036854775807i64] [9223372036854775807i64, -9223372036854775808i64, 1i64, -9223372036854775807i64, 9223372036854775806i64, -9223372036854775808i64, 7i64] [[9223372036854775807i64, 9223372036854775807i64], [-9223372036854775808i64, -9223372036854775808i64], [1i64, 1i64], [-9223372036854775807i64, -9223372036854775807i64], [9223372036854775806i64, 9223372036854775806i64]] [9223372036854775807i64, -9223372036854775808i64, 1i64, -9223372036854775807i64, 9223372036854775806i64, 9223372036854775807i64, -9223372036854775808i64, 1i64, -9223372036854775807i64, 9223372036854775806i64] [9223372036854775807i64, -9223372036854775808i64, 1i64, -9223372036854775807i64, 9223372036854775806i64] [-9223372036854775808i64, 7i64, -9223372036854775808i64, 7i64] }
-- input { [9223372036854775807i64] empty([0]i64) -1i64 } output { [9223372036854775807i64] [9223372036854775807i64] [9223372036854775807i64] [[9223372036854775807i64, 9223372036854775807i64]] [9223372036854775807i64, 9223372036854775807i64] [9223372036854775807i64] empty([0]i64) }
-- input { empty([0]i64) [-9223372036854775808i64, 7i64] 3i64 } output { empty([0]i64) empty([0]i64) [-9223372036854775808i64, 7i64] empty([0][2]i64) empty([0]i64) empty([0]i64) [-9223372036854775808i64, 7i64, -9223372036854775808i64, 7i64] }
entry i64_moves [n][m] (xs: [n]i64) (ys: [m]i64) (k: i64) : ([n]i64, [n]i64, [n + m]i64, [n][2]i64, [2 * n]i64, [n]i64, [2 * m]i64) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]i64), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: u8_moves
-- input { [255u8, 0u8, 1u8, 1u8, 254u8] [0u8, 7u8] 1i64 } output { [254u8, 1u8, 1u8, 0u8, 255u8] [0u8, 1u8, 1u8, 254u8, 255u8] [255u8, 0u8, 1u8, 1u8, 254u8, 0u8, 7u8] [[255u8, 255u8], [0u8, 0u8], [1u8, 1u8], [1u8, 1u8], [254u8, 254u8]] [255u8, 0u8, 1u8, 1u8, 254u8, 255u8, 0u8, 1u8, 1u8, 254u8] [255u8, 0u8, 1u8, 1u8, 254u8] [0u8, 7u8, 0u8, 7u8] }
-- input { [255u8] empty([0]u8) -1i64 } output { [255u8] [255u8] [255u8] [[255u8, 255u8]] [255u8, 255u8] [255u8] empty([0]u8) }
-- input { empty([0]u8) [0u8, 7u8] 3i64 } output { empty([0]u8) empty([0]u8) [0u8, 7u8] empty([0][2]u8) empty([0]u8) empty([0]u8) [0u8, 7u8, 0u8, 7u8] }
entry u8_moves [n][m] (xs: [n]u8) (ys: [m]u8) (k: i64) : ([n]u8, [n]u8, [n + m]u8, [n][2]u8, [2 * n]u8, [n]u8, [2 * m]u8) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]u8), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: u16_moves
-- input { [65535u16, 0u16, 1u16, 1u16, 65534u16] [0u16, 7u16] 1i64 } output { [65534u16, 1u16, 1u16, 0u16, 65535u16] [0u16, 1u16, 1u16, 65534u16, 65535u16] [65535u16, 0u16, 1u16, 1u16, 65534u16, 0u16, 7u16] [[65535u16, 65535u16], [0u16, 0u16], [1u16, 1u16], [1u16, 1u16], [65534u16, 65534u16]] [65535u16, 0u16, 1u16, 1u16, 65534u16, 65535u16, 0u16, 1u16, 1u16, 65534u16] [65535u16, 0u16, 1u16, 1u16, 65534u16] [0u16, 7u16, 0u16, 7u16] }
-- input { [65535u16] empty([0]u16) -1i64 } output { [65535u16] [65535u16] [65535u16] [[65535u16, 65535u16]] [65535u16, 65535u16] [65535u16] empty([0]u16) }
-- input { empty([0]u16) [0u16, 7u16] 3i64 } output { empty([0]u16) empty([0]u16) [0u16, 7u16] empty([0][2]u16) empty([0]u16) empty([0]u16) [0u16, 7u16, 0u16, 7u16] }
entry u16_moves [n][m] (xs: [n]u16) (ys: [m]u16) (k: i64) : ([n]u16, [n]u16, [n + m]u16, [n][2]u16, [2 * n]u16, [n]u16, [2 * m]u16) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]u16), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: u32_moves
-- input { [4294967295u32, 0u32, 1u32, 1u32, 4294967294u32] [0u32, 7u32] 1i64 } output { [4294967294u32, 1u32, 1u32, 0u32, 4294967295u32] [0u32, 1u32, 1u32, 4294967294u32, 4294967295u32] [4294967295u32, 0u32, 1u32, 1u32, 4294967294u32, 0u32, 7u32] [[4294967295u32, 4294967295u32], [0u32, 0u32], [1u32, 1u32], [1u32, 1u32], [4294967294u32, 4294967294u32]] [4294967295u32, 0u32, 1u32, 1u32, 4294967294u32, 4294967295u32, 0u32, 1u32, 1u32, 4294967294u32] [4294967295u32, 0u32, 1u32, 1u32, 4294967294u32] [0u32, 7u32, 0u32, 7u32] }
-- input { [4294967295u32] empty([0]u32) -1i64 } output { [4294967295u32] [4294967295u32] [4294967295u32] [[4294967295u32, 4294967295u32]] [4294967295u32, 4294967295u32] [4294967295u32] empty([0]u32) }
-- input { empty([0]u32) [0u32, 7u32] 3i64 } output { empty([0]u32) empty([0]u32) [0u32, 7u32] empty([0][2]u32) empty([0]u32) empty([0]u32) [0u32, 7u32, 0u32, 7u32] }
entry u32_moves [n][m] (xs: [n]u32) (ys: [m]u32) (k: i64) : ([n]u32, [n]u32, [n + m]u32, [n][2]u32, [2 * n]u32, [n]u32, [2 * m]u32) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]u32), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: u64_moves
-- input { [18446744073709551615u64, 0u64, 1u64, 1u64, 18446744073709551614u64] [0u64, 7u64] 1i64 } output { [18446744073709551614u64, 1u64, 1u64, 0u64, 18446744073709551615u64] [0u64, 1u64, 1u64, 18446744073709551614u64, 18446744073709551615u64] [18446744073709551615u64, 0u64, 1u64, 1u64, 18446744073709551614u64, 0u64, 7u64] [[18446744073709551615u64, 18446744073709551615u64], [0u64, 0u64], [1u64, 1u64], [1u64, 1u64], [18446744073709551614u64, 18446744073709551614u64]] [18446744073709551615u64, 0u64, 1u64, 1u64, 18446744073709551614u64, 18446744073709551615u64, 0u64, 1u64, 1u64, 18446744073709551614u64] [18446744073709551615u64, 0u64, 1u64, 1u64, 18446744073709551614u64] [0u64, 7u64, 0u64, 7u64] }
-- input { [18446744073709551615u64] empty([0]u64) -1i64 } output { [18446744073709551615u64] [18446744073709551615u64] [18446744073709551615u64] [[18446744073709551615u64, 18446744073709551615u64]] [18446744073709551615u64, 18446744073709551615u64] [18446744073709551615u64] empty([0]u64) }
-- input { empty([0]u64) [0u64, 7u64] 3i64 } output { empty([0]u64) empty([0]u64) [0u64, 7u64] empty([0][2]u64) empty([0]u64) empty([0]u64) [0u64, 7u64, 0u64, 7u64] }
entry u64_moves [n][m] (xs: [n]u64) (ys: [m]u64) (k: i64) : ([n]u64, [n]u64, [n + m]u64, [n][2]u64, [2 * n]u64, [n]u64, [2 * m]u64) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]u64), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: f16_moves
-- input { [f16.inf, 65504.0f16, -0.0f16, 5.9604645e-8f16, -f16.inf] [f16.nan, 1.5f16] 1i64 } output { [-f16.inf, 5.9604645e-8f16, -0.0f16, 65504.0f16, f16.inf] [65504.0f16, -0.0f16, 5.9604645e-8f16, -f16.inf, f16.inf] [f16.inf, 65504.0f16, -0.0f16, 5.9604645e-8f16, -f16.inf, f16.nan, 1.5f16] [[f16.inf, f16.inf], [65504.0f16, 65504.0f16], [-0.0f16, -0.0f16], [5.9604645e-8f16, 5.9604645e-8f16], [-f16.inf, -f16.inf]] [f16.inf, 65504.0f16, -0.0f16, 5.9604645e-8f16, -f16.inf, f16.inf, 65504.0f16, -0.0f16, 5.9604645e-8f16, -f16.inf] [f16.inf, 65504.0f16, -0.0f16, 5.9604645e-8f16, -f16.inf] [f16.nan, 1.5f16, f16.nan, 1.5f16] }
-- input { [f16.inf] empty([0]f16) -1i64 } output { [f16.inf] [f16.inf] [f16.inf] [[f16.inf, f16.inf]] [f16.inf, f16.inf] [f16.inf] empty([0]f16) }
-- input { empty([0]f16) [f16.nan, 1.5f16] 3i64 } output { empty([0]f16) empty([0]f16) [f16.nan, 1.5f16] empty([0][2]f16) empty([0]f16) empty([0]f16) [f16.nan, 1.5f16, f16.nan, 1.5f16] }
entry f16_moves [n][m] (xs: [n]f16) (ys: [m]f16) (k: i64) : ([n]f16, [n]f16, [n + m]f16, [n][2]f16, [2 * n]f16, [n]f16, [2 * m]f16) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]f16), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: f32_moves
-- input { [f32.inf, 3.4028235e38f32, -0.0f32, 1.0e-45f32, -f32.inf] [f32.nan, 1.5f32] 1i64 } output { [-f32.inf, 1.0e-45f32, -0.0f32, 3.4028235e38f32, f32.inf] [3.4028235e38f32, -0.0f32, 1.0e-45f32, -f32.inf, f32.inf] [f32.inf, 3.4028235e38f32, -0.0f32, 1.0e-45f32, -f32.inf, f32.nan, 1.5f32] [[f32.inf, f32.inf], [3.4028235e38f32, 3.4028235e38f32], [-0.0f32, -0.0f32], [1.0e-45f32, 1.0e-45f32], [-f32.inf, -f32.inf]] [f32.inf, 3.4028235e38f32, -0.0f32, 1.0e-45f32, -f32.inf, f32.inf, 3.4028235e38f32, -0.0f32, 1.0e-45f32, -f32.inf] [f32.inf, 3.4028235e38f32, -0.0f32, 1.0e-45f32, -f32.inf] [f32.nan, 1.5f32, f32.nan, 1.5f32] }
-- input { [f32.inf] empty([0]f32) -1i64 } output { [f32.inf] [f32.inf] [f32.inf] [[f32.inf, f32.inf]] [f32.inf, f32.inf] [f32.inf] empty([0]f32) }
-- input { empty([0]f32) [f32.nan, 1.5f32] 3i64 } output { empty([0]f32) empty([0]f32) [f32.nan, 1.5f32] empty([0][2]f32) empty([0]f32) empty([0]f32) [f32.nan, 1.5f32, f32.nan, 1.5f32] }
entry f32_moves [n][m] (xs: [n]f32) (ys: [m]f32) (k: i64) : ([n]f32, [n]f32, [n + m]f32, [n][2]f32, [2 * n]f32, [n]f32, [2 * m]f32) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]f32), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: f64_moves
-- input { [f64.inf, 1.7976931348623157e308f64, -0.0f64, 5.0e-324f64, -f64.inf] [f64.nan, 1.5f64] 1i64 } output { [-f64.inf, 5.0e-324f64, -0.0f64, 1.7976931348623157e308f64, f64.inf] [1.7976931348623157e308f64, -0.0f64, 5.0e-324f64, -f64.inf, f64.inf] [f64.inf, 1.7976931348623157e308f64, -0.0f64, 5.0e-324f64, -f64.inf, f64.nan, 1.5f64] [[f64.inf, f64.inf], [1.7976931348623157e308f64, 1.7976931348623157e308f64], [-0.0f64, -0.0f64], [5.0e-324f64, 5.0e-324f64], [-f64.inf, -f64.inf]] [f64.inf, 1.7976931348623157e308f64, -0.0f64, 5.0e-324f64, -f64.inf, f64.inf, 1.7976931348623157e308f64, -0.0f64, 5.0e-324f64, -f64.inf] [f64.inf, 1.7976931348623157e308f64, -0.0f64, 5.0e-324f64, -f64.inf] [f64.nan, 1.5f64, f64.nan, 1.5f64] }
-- input { [f64.inf] empty([0]f64) -1i64 } output { [f64.inf] [f64.inf] [f64.inf] [[f64.inf, f64.inf]] [f64.inf, f64.inf] [f64.inf] empty([0]f64) }
-- input { empty([0]f64) [f64.nan, 1.5f64] 3i64 } output { empty([0]f64) empty([0]f64) [f64.nan, 1.5f64] empty([0][2]f64) empty([0]f64) empty([0]f64) [f64.nan, 1.5f64, f64.nan, 1.5f64] }
entry f64_moves [n][m] (xs: [n]f64) (ys: [m]f64) (k: i64) : ([n]f64, [n]f64, [n + m]f64, [n][2]f64, [2 * n]f64, [n]f64, [2 * m]f64) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]f64), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )

-- ==
-- entry: bool_moves
-- input { [true, false, false, true, true] [false, true] 1i64 } output { [true, true, false, false, true] [false, false, true, true, true] [true, false, false, true, true, false, true] [[true, true], [false, false], [false, false], [true, true], [true, true]] [true, false, false, true, true, true, false, false, true, true] [true, false, false, true, true] [false, true, false, true] }
-- input { [true] empty([0]bool) -1i64 } output { [true] [true] [true] [[true, true]] [true, true] [true] empty([0]bool) }
-- input { empty([0]bool) [false, true] 3i64 } output { empty([0]bool) empty([0]bool) [false, true] empty([0][2]bool) empty([0]bool) empty([0]bool) [false, true, false, true] }
entry bool_moves [n][m] (xs: [n]bool) (ys: [m]bool) (k: i64) : ([n]bool, [n]bool, [n + m]bool, [n][2]bool, [2 * n]bool, [n]bool, [2 * m]bool) =
  ( reverse xs, rotate k xs, xs ++ ys, transpose (replicate 2 xs), flatten (rep xs : [2][n]bool), (unzip (zip xs xs)).1
  , flatten (tabulate_2d 2 m (\_ j -> ys[j])) )
