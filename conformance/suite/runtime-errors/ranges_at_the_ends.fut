-- Ranges at the ends of their types: without a second element nothing wraps. Ranges whose distance, step or count is no i64 are invalid.
-- Expected: by hand. 0.25.32 has ranges of signed integers only.
-- ==
-- entry: inclusive
-- input { 9223372036854775807i64 9223372036854775807i64 } output { [9223372036854775807i64] }
-- input { 9223372036854775806i64 9223372036854775807i64 } output { [9223372036854775806i64, 9223372036854775807i64] }
-- input { 9223372036854775807i64 -9223372036854775808i64 } error: Range 9223372036854775807\.\.\.-9223372036854775808 is invalid
-- input { -9223372036854775808i64 9223372036854775807i64 } error: Range -9223372036854775808\.\.\.9223372036854775807 is invalid

-- ==
-- entry: up
-- input { 9223372036854775807i64 9223372036854775807i64 } output { empty([0]i64) }
-- input { 9223372036854775806i64 9223372036854775807i64 } output { [9223372036854775806i64] }
-- input { -9223372036854775808i64 9223372036854775807i64 } error: Range -9223372036854775808\.\.<9223372036854775807 is invalid

-- ==
-- entry: down
-- input { -9223372036854775808i64 -9223372036854775808i64 } output { empty([0]i64) }
-- input { -9223372036854775807i64 -9223372036854775808i64 } output { [-9223372036854775807i64] }
-- input { 9223372036854775807i64 -9223372036854775808i64 } error: Range 9223372036854775807\.\.>-9223372036854775808 is invalid

-- ==
-- entry: bytes
-- input { 255u8 250u8 } error: Range 255\.\.\.250 is invalid
-- input { 250u8 255u8 } output { [250u8, 251u8, 252u8, 253u8, 254u8, 255u8] }
-- input { 0u8 0u8 } output { [0u8] }

-- ==
-- entry: signed_bytes
-- input { 127i8 -128i8 } error: Range 127\.\.\.-128 is invalid
-- input { 126i8 127i8 } output { [126i8, 127i8] }

-- ==
-- entry: by_two
-- input { 250u8 255u8 } output { [250u8, 252u8, 254u8] }
-- input { 254u8 255u8 } error: Range 254\.\.0\.\.\.255 is invalid

-- ==
-- entry: in_map
-- input { [9223372036854775805i64, 9223372036854775807i64] } output { [2i64, 0i64] }

-- ==
-- entry: counted
-- input { -9223372036854775807i64 0i64 } error: Range -9223372036854775807\.\.\.0 is invalid
-- input { 0i64 9223372036854775807i64 } error: Range 0\.\.\.9223372036854775807 is invalid

-- ==
-- entry: each_counted
-- input { [-3i64, 7i64] } error: Range 7\.\.\.0 is invalid
-- input { [-1i64, -9223372036854775807i64] } error: Range -9223372036854775807\.\.\.0 is invalid

-- ==
-- entry: by_step each_by_step
-- input { [0i64] [-1i64] [-9223372036854775807i64] } error: Range 0\.\.-1\.\.\.-9223372036854775807 is invalid
-- input { [0i64] [9223372036854775806i64] [9223372036854775807i64] } output { [2i64] }
-- input { [0i64] [9223372036854775807i64] [9223372036854775806i64] } output { [1i64] }
-- input { [-1i64] [9223372036854775807i64] [5i64] } error: Range -1\.\.9223372036854775807\.\.\.5 is invalid
-- input { [1i64] [-9223372036854775808i64] [-5i64] } error: Range 1\.\.-9223372036854775808\.\.\.-5 is invalid

entry inclusive (a: i64) (b: i64) : []i64 = a...b
entry up (a: i64) (b: i64) : []i64 = a..<b
entry down (a: i64) (b: i64) : []i64 = a..>b
entry bytes (a: u8) (b: u8) : []u8 = a...b
entry signed_bytes (a: i8) (b: i8) : []i8 = a...b
entry by_two (a: u8) (b: u8) : []u8 = a..(a + 2)...b
entry in_map [n] (as: [n]i64) : [n]i64 = map (\a -> length (a..<i64.highest)) as
entry counted (a: i64) (b: i64) : i64 = length (a...b)
entry each_counted [n] (as: [n]i64) : [n]i64 = map (\a -> length (a...0)) as
entry by_step (as: []i64) (bs: []i64) (cs: []i64) : []i64 = [length (as[0]..bs[0]...cs[0])]
entry each_by_step [n] (as: [n]i64) (bs: [n]i64) (cs: [n]i64) : [n]i64 = map3 (\a b c -> length (a..b...c)) as bs cs
