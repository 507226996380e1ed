-- Writes and histograms at each type, with its extreme values and with nothing. By hand; written by a program of
-- a few lines in another language, and the same in 0.25.32.
-- Indices out of range, extreme ones too, are left out. A histogram keeps the largest, or whether one is true.

-- ==
-- entry: i8_writes
-- input { [127i8, -128i8, 1i8, -127i8] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [126i8, -127i8, 1i8, -128i8, 127i8] } output { [1i8, -128i8, 126i8, 127i8] [1i8, -128i8, 126i8] [127i8, -128i8, 126i8, 127i8] [1i8, 127i8] }
-- input { [127i8, -128i8] empty([0]i64) empty([0]i8) } output { [127i8, -128i8] [-128i8, -128i8, -128i8] [127i8, -128i8] [-128i8, -128i8] }
-- input { empty([0]i8) [0i64, 1i64] [-128i8, 7i8] } output { empty([0]i8) [-128i8, 7i8, -128i8] empty([0]i8) [7i8, -128i8] }
entry i8_writes [k][n] (dest: [k]i8) (is: [n]i64) (vs: [n]i8) : ([k]i8, [3]i8, [k]i8, [2]i8) =
  ( scatter (copy dest) is vs, spread 3 i8.lowest is vs, reduce_by_index (copy dest) i8.max i8.lowest is vs
  , hist i8.max i8.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: i16_writes
-- input { [32767i16, -32768i16, 1i16, -32767i16] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [32766i16, -32767i16, 1i16, -32768i16, 32767i16] } output { [1i16, -32768i16, 32766i16, 32767i16] [1i16, -32768i16, 32766i16] [32767i16, -32768i16, 32766i16, 32767i16] [1i16, 32767i16] }
-- input { [32767i16, -32768i16] empty([0]i64) empty([0]i16) } output { [32767i16, -32768i16] [-32768i16, -32768i16, -32768i16] [32767i16, -32768i16] [-32768i16, -32768i16] }
-- input { empty([0]i16) [0i64, 1i64] [-32768i16, 7i16] } output { empty([0]i16) [-32768i16, 7i16, -32768i16] empty([0]i16) [7i16, -32768i16] }
entry i16_writes [k][n] (dest: [k]i16) (is: [n]i64) (vs: [n]i16) : ([k]i16, [3]i16, [k]i16, [2]i16) =
  ( scatter (copy dest) is vs, spread 3 i16.lowest is vs, reduce_by_index (copy dest) i16.max i16.lowest is vs
  , hist i16.max i16.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: i32_writes
-- input { [2147483647i32, -2147483648i32, 1i32, -2147483647i32] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [2147483646i32, -2147483647i32, 1i32, -2147483648i32, 2147483647i32] } output { [1i32, -2147483648i32, 2147483646i32, 2147483647i32] [1i32, -2147483648i32, 2147483646i32] [2147483647i32, -2147483648i32, 2147483646i32, 2147483647i32] [1i32, 2147483647i32] }
-- input { [2147483647i32, -2147483648i32] empty([0]i64) empty([0]i32) } output { [2147483647i32, -2147483648i32] [-2147483648i32, -2147483648i32, -2147483648i32] [2147483647i32, -2147483648i32] [-2147483648i32, -2147483648i32] }
-- input { empty([0]i32) [0i64, 1i64] [-2147483648i32, 7i32] } output { empty([0]i32) [-2147483648i32, 7i32, -2147483648i32] empty([0]i32) [7i32, -2147483648i32] }
entry i32_writes [k][n] (dest: [k]i32) (is: [n]i64) (vs: [n]i32) : ([k]i32, [3]i32, [k]i32, [2]i32) =
  ( scatter (copy dest) is vs, spread 3 i32.lowest is vs, reduce_by_index (copy dest) i32.max i32.lowest is vs
  , hist i32.max i32.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: i64_writes
-- input { [9223372036854775807i64, -9223372036854775808i64, 1i64, -9223372036854775807i64] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [9223372036854775806i64, -9223372036854775807i64, 1i64, -9223372036854775808i64, 9223372036854775807i64] } output { [1i64, -9223372036854775808i64, 9223372036854775806i64, 9223372036854775807i64] [1i64, -9223372036854775808i64, 9223372036854775806i64] [9223372036854775807i64, -9223372036854775808i64, 9223372036854775806i64, 9223372036854775807i64] [1i64, 9223372036854775807i64] }
-- input { [9223372036854775807i64, -9223372036854775808i64] empty([0]i64) empty([0]i64) } output { [9223372036854775807i64, -9223372036854775808i64] [-9223372036854775808i64, -9223372036854775808i64, -9223372036854775808i64] [9223372036854775807i64, -9223372036854775808i64] [-9223372036854775808i64, -9223372036854775808i64] }
-- input { empty([0]i64) [0i64, 1i64] [-9223372036854775808i64, 7i64] } output { empty([0]i64) [-9223372036854775808i64, 7i64, -9223372036854775808i64] empty([0]i64) [7i64, -9223372036854775808i64] }
entry i64_writes [k][n] (dest: [k]i64) (is: [n]i64) (vs: [n]i64) : ([k]i64, [3]i64, [k]i64, [2]i64) =
  ( scatter (copy dest) is vs, spread 3 i64.lowest is vs, reduce_by_index (copy dest) i64.max i64.lowest is vs
  , hist i64.max i64.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: u8_writes
-- input { [255u8, 0u8, 1u8, 1u8] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [254u8, 1u8, 1u8, 0u8, 255u8] } output { [1u8, 0u8, 254u8, 255u8] [1u8, 0u8, 254u8] [255u8, 0u8, 254u8, 255u8] [1u8, 255u8] }
-- input { [255u8, 0u8] empty([0]i64) empty([0]u8) } output { [255u8, 0u8] [0u8, 0u8, 0u8] [255u8, 0u8] [0u8, 0u8] }
-- input { empty([0]u8) [0i64, 1i64] [0u8, 7u8] } output { empty([0]u8) [0u8, 7u8, 0u8] empty([0]u8) [7u8, 0u8] }
entry u8_writes [k][n] (dest: [k]u8) (is: [n]i64) (vs: [n]u8) : ([k]u8, [3]u8, [k]u8, [2]u8) =
  ( scatter (copy dest) is vs, spread 3 u8.lowest is vs, reduce_by_index (copy dest) u8.max u8.lowest is vs
  , hist u8.max u8.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: u16_writes
-- input { [65535u16, 0u16, 1u16, 1u16] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [65534u16, 1u16, 1u16, 0u16, 65535u16] } output { [1u16, 0u16, 65534u16, 65535u16] [1u16, 0u16, 65534u16] [65535u16, 0u16, 65534u16, 65535u16] [1u16, 65535u16] }
-- input { [65535u16, 0u16] empty([0]i64) empty([0]u16) } output { [65535u16, 0u16] [0u16, 0u16, 0u16] [65535u16, 0u16] [0u16, 0u16] }
-- input { empty([0]u16) [0i64, 1i64] [0u16, 7u16] } output { empty([0]u16) [0u16, 7u16, 0u16] empty([0]u16) [7u16, 0u16] }
entry u16_writes [k][n] (dest: [k]u16) (is: [n]i64) (vs: [n]u16) : ([k]u16, [3]u16, [k]u16, [2]u16) =
  ( scatter (copy dest) is vs, spread 3 u16.lowest is vs, reduce_by_index (copy dest) u16.max u16.lowest is vs
  , hist u16.max u16.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: u32_writes
-- input { [4294967295u32, 0u32, 1u32, 1u32] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [4294967294u32, 1u32, 1u32, 0u32, 4294967295u32] } output { [1u32, 0u32, 4294967294u32, 4294967295u32] [1u32, 0u32, 4294967294u32] [4294967295u32, 0u32, 4294967294u32, 4294967295u32] [1u32, 4294967295u32] }
-- input { [4294967295u32, 0u32] empty([0]i64) empty([0]u32) } output { [4294967295u32, 0u32] [0u32, 0u32, 0u32] [4294967295u32, 0u32] [0u32, 0u32] }
-- input { empty([0]u32) [0i64, 1i64] [0u32, 7u32] } output { empty([0]u32) [0u32, 7u32, 0u32] empty([0]u32) [7u32, 0u32] }
entry u32_writes [k][n] (dest: [k]u32) (is: [n]i64) (vs: [n]u32) : ([k]u32, [3]u32, [k]u32, [2]u32) =
  ( scatter (copy dest) is vs, spread 3 u32.lowest is vs, reduce_by_index (copy dest) u32.max u32.lowest is vs
  , hist u32.max u32.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: u64_writes
-- input { [18446744073709551615u64, 0u64, 1u64, 1u64] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [18446744073709551614u64, 1u64, 1u64, 0u64, 18446744073709551615u64] } output { [1u64, 0u64, 18446744073709551614u64, 18446744073709551615u64] [1u64, 0u64, 18446744073709551614u64] [18446744073709551615u64, 0u64, 18446744073709551614u64, 18446744073709551615u64] [1u64, 18446744073709551615u64] }
-- input { [18446744073709551615u64, 0u64] empty([0]i64) empty([0]u64) } output { [18446744073709551615u64, 0u64] [0u64, 0u64, 0u64] [18446744073709551615u64, 0u64] [0u64, 0u64] }
-- input { empty([0]u64) [0i64, 1i64] [0u64, 7u64] } output { empty([0]u64) [0u64, 7u64, 0u64] empty([0]u64) [7u64, 0u64] }
entry u64_writes [k][n] (dest: [k]u64) (is: [n]i64) (vs: [n]u64) : ([k]u64, [3]u64, [k]u64, [2]u64) =
  ( scatter (copy dest) is vs, spread 3 u64.lowest is vs, reduce_by_index (copy dest) u64.max u64.lowest is vs
  , hist u64.max u64.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: f16_writes
-- input { [f16.inf, 65504.0f16, -0.0f16, 5.9604645e-8f16] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [-65504.0f16, 5.9604645e-8f16, -0.0f16, 65504.0f16, f16.inf] } output { [-0.0f16, 65504.0f16, -65504.0f16, f16.inf] [-0.0f16, -f16.inf, -65504.0f16] [f16.inf, 65504.0f16, -0.0f16, f16.inf] [-0.0f16, f16.inf] }
-- input { [f16.inf, 65504.0f16] empty([0]i64) empty([0]f16) } output { [f16.inf, 65504.0f16] [-f16.inf, -f16.inf, -f16.inf] [f16.inf, 65504.0f16] [-f16.inf, -f16.inf] }
-- input { empty([0]f16) [0i64, 1i64] [-2.5f16, 1.5f16] } output { empty([0]f16) [-2.5f16, 1.5f16, -f16.inf] empty([0]f16) [1.5f16, -f16.inf] }
entry f16_writes [k][n] (dest: [k]f16) (is: [n]i64) (vs: [n]f16) : ([k]f16, [3]f16, [k]f16, [2]f16) =
  ( scatter (copy dest) is vs, spread 3 f16.lowest is vs, reduce_by_index (copy dest) f16.max f16.lowest is vs
  , hist f16.max f16.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: f32_writes
-- input { [f32.inf, 3.4028235e38f32, -0.0f32, 1.0e-45f32] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [-3.4028235e38f32, 1.0e-45f32, -0.0f32, 3.4028235e38f32, f32.inf] } output { [-0.0f32, 3.4028235e38f32, -3.4028235e38f32, f32.inf] [-0.0f32, -f32.inf, -3.4028235e38f32] [f32.inf, 3.4028235e38f32, -0.0f32, f32.inf] [-0.0f32, f32.inf] }
-- input { [f32.inf, 3.4028235e38f32] empty([0]i64) empty([0]f32) } output { [f32.inf, 3.4028235e38f32] [-f32.inf, -f32.inf, -f32.inf] [f32.inf, 3.4028235e38f32] [-f32.inf, -f32.inf] }
-- input { empty([0]f32) [0i64, 1i64] [-2.5f32, 1.5f32] } output { empty([0]f32) [-2.5f32, 1.5f32, -f32.inf] empty([0]f32) [1.5f32, -f32.inf] }
entry f32_writes [k][n] (dest: [k]f32) (is: [n]i64) (vs: [n]f32) : ([k]f32, [3]f32, [k]f32, [2]f32) =
  ( scatter (copy dest) is vs, spread 3 f32.lowest is vs, reduce_by_index (copy dest) f32.max f32.lowest is vs
  , hist f32.max f32.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: f64_writes
-- input { [f64.inf, 1.7976931348623157e308f64, -0.0f64, 5.0e-324f64] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [-1.7976931348623157e308f64, 5.0e-324f64, -0.0f64, 1.7976931348623157e308f64, f64.inf] } output { [-0.0f64, 1.7976931348623157e308f64, -1.7976931348623157e308f64, f64.inf] [-0.0f64, -f64.inf, -1.7976931348623157e308f64] [f64.inf, 1.7976931348623157e308f64, -0.0f64, f64.inf] [-0.0f64, f64.inf] }
-- input { [f64.inf, 1.7976931348623157e308f64] empty([0]i64) empty([0]f64) } output { [f64.inf, 1.7976931348623157e308f64] [-f64.inf, -f64.inf, -f64.inf] [f64.inf, 1.7976931348623157e308f64] [-f64.inf, -f64.inf] }
-- input { empty([0]f64) [0i64, 1i64] [-2.5f64, 1.5f64] } output { empty([0]f64) [-2.5f64, 1.5f64, -f64.inf] empty([0]f64) [1.5f64, -f64.inf] }
entry f64_writes [k][n] (dest: [k]f64) (is: [n]i64) (vs: [n]f64) : ([k]f64, [3]f64, [k]f64, [2]f64) =
  ( scatter (copy dest) is vs, spread 3 f64.lowest is vs, reduce_by_index (copy dest) f64.max f64.lowest is vs
  , hist f64.max f64.lowest 2 (map (/ 2) is) vs )

-- ==
-- entry: bool_writes
-- input { [true, false, false, true] [2i64, -1i64, 0i64, 9223372036854775807i64, 3i64] [true, true, false, false, true] } output { [false, false, true, true] [false, false, true] [true, false, true, true] [false, true] }
-- input { [true, false] empty([0]i64) empty([0]bool) } output { [true, false] [false, false, false] [true, false] [false, false] }
-- input { empty([0]bool) [0i64, 1i64] [false, true] } output { empty([0]bool) [false, true, false] empty([0]bool) [true, false] }
entry bool_writes [k][n] (dest: [k]bool) (is: [n]i64) (vs: [n]bool) : ([k]bool, [3]bool, [k]bool, [2]bool) =
  ( scatter (copy dest) is vs, spread 3 false is vs, reduce_by_index (copy dest) (\x y -> x || y) false is vs
  , hist (\x y -> x || y) false 2 (map (/ 2) is) vs )
