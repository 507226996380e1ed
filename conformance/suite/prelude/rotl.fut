-- Bits turned left by any number, modulo the width. The module of each type has it beside Futhark's definitions. Expected values: each is the number in binary
-- with its last digits moved to the front, or its first to the end: of i8, -127 is 10000001 and becomes 00000011.

-- ==
-- entry: i8s
-- input { [-127i8, 1i8, 127i8, -128i8, 100i8] [1i8, -1i8, 8i8, 3i8, 0i8] }
-- output { [3i8, -128i8, 127i8, 4i8, 100i8] }
entry i8s [n] (xs: [n]i8) (ys: [n]i8) : [n]i8 = map2 i8.rotl xs ys

-- ==
-- entry: i16s
-- input { [-127i16, 1i16, 32767i16, -32768i16, 100i16] [1i16, -1i16, 16i16, 3i16, 0i16] }
-- output { [-253i16, -32768i16, 32767i16, 4i16, 100i16] }
entry i16s [n] (xs: [n]i16) (ys: [n]i16) : [n]i16 = map2 i16.rotl xs ys

-- ==
-- entry: i32s
-- input { [-127i32, 1i32, 2147483647i32, -2147483648i32, 100i32] [1i32, -1i32, 32i32, 3i32, 0i32] }
-- output { [-253i32, -2147483648i32, 2147483647i32, 4i32, 100i32] }
entry i32s [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 i32.rotl xs ys

-- ==
-- entry: i64s
-- input { [-127i64, 1i64, 9223372036854775807i64, -9223372036854775808i64, 100i64] [1i64, -1i64, 64i64, 3i64, 0i64] }
-- output { [-253i64, -9223372036854775808i64, 9223372036854775807i64, 4i64, 100i64] }
entry i64s [n] (xs: [n]i64) (ys: [n]i64) : [n]i64 = map2 i64.rotl xs ys

-- ==
-- entry: u8s
-- input { [129u8, 1u8, 127u8, 254u8, 100u8] [1u8, 7u8, 8u8, 3u8, 0u8] }
-- output { [3u8, 128u8, 127u8, 247u8, 100u8] }
entry u8s [n] (xs: [n]u8) (ys: [n]u8) : [n]u8 = map2 u8.rotl xs ys

-- ==
-- entry: u16s
-- input { [129u16, 1u16, 32767u16, 65534u16, 100u16] [1u16, 15u16, 16u16, 3u16, 0u16] }
-- output { [258u16, 32768u16, 32767u16, 65527u16, 100u16] }
entry u16s [n] (xs: [n]u16) (ys: [n]u16) : [n]u16 = map2 u16.rotl xs ys

-- ==
-- entry: u32s
-- input { [129u32, 1u32, 2147483647u32, 4294967294u32, 100u32] [1u32, 31u32, 32u32, 3u32, 0u32] }
-- output { [258u32, 2147483648u32, 2147483647u32, 4294967287u32, 100u32] }
entry u32s [n] (xs: [n]u32) (ys: [n]u32) : [n]u32 = map2 u32.rotl xs ys

-- ==
-- entry: u64s
-- input { [129u64, 1u64, 9223372036854775807u64, 18446744073709551614u64, 100u64] [1u64, 63u64, 64u64, 3u64, 0u64] }
-- output { [258u64, 9223372036854775808u64, 9223372036854775807u64, 18446744073709551607u64, 100u64] }
entry u64s [n] (xs: [n]u64) (ys: [n]u64) : [n]u64 = map2 u64.rotl xs ys

-- What shifts make of it where they may.
-- ==
-- entry: by_shifts
-- input { 305419896u32 } output { true }
-- input { 4294967294u32 } output { true }
entry by_shifts (x: u32) : bool =
  all (\k -> u32.rotl x k == (x << k) | (x >> (32 - k))) (map u32.i64 (1..<32))
