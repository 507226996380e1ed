-- ==
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 2i64 }
-- output { 6 [4, 5, 6] }
entry main [n] [m] (xs: [n][m]i32) (i: i64) (j: i64): (i32, [m]i32) = (xs[i, j], xs[i])
