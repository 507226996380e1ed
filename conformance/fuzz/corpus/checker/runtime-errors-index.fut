-- ==
-- input { [1, 2, 3] 1i64 }  output { 2 }
-- input { [1, 2, 3] 3i64 }  error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] -1i64 } error: Index \[-1\] out of bounds for array of shape \[3\]
-- input { empty([0]i32) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry main [n] (xs: [n]i32) (i: i64): i32 = xs[i]

-- ==
-- entry: two
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 3i64 } error: Index \[1, 3\] out of bounds for array of shape \[2\]\[3\]
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 0i64 } error: Index \[2, 0\] out of bounds for array of shape \[2\]\[3\]
entry two [n] [m] (xs: [n][m]i32) (i: i64) (j: i64): i32 = xs[i, j]
