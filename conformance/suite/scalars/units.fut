-- One and zero where the sign of a number is asked for: neither is less than zero. A shift by the width or more leaves what the sign is made of, and zero
-- has none. By hand.
-- ==
-- entry: signs
-- input { [1i8, 0i8, -1i8] [1, 0, -1] [1i64, 0i64, -1i64] [1u8, 0u8] }
-- output { [1i8, 0i8, -1i8] [1, 0, -1] [1i64, 0i64, -1i64] [1u8, 0u8] }
entry signs (a: []i8) (b: []i32) (c: []i64) (d: []u8) = (map i8.sgn a, map i32.sgn b, map i64.sgn c, map u8.sgn d)

-- ==
-- entry: shifted_out
-- input { [0, 5, -5] [32, 32, 32] } output { [0, 0, -1] [0, 0, 0] }
entry shifted_out [n] (a: [n]i32) (by: [n]i32) = (map2 (>>) a by, map2 (<<) a by)
