-- ==
-- input { -8 }
-- output { -4 -32 8 -1 -16 7 }
entry main (x: i32): (i32, i32, i32, i32, i32, i32) = (x >> 1, x << 2, x & 12, x | 7, x ^ 8, !x)
