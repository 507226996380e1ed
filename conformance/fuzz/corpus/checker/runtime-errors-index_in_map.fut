-- A failure inside of a map is the program's.
-- ==
-- input { [1, 2, 3] [0i64, 2i64] } output { [1, 3] }
-- input { [1, 2, 3] [0i64, 5i64] } error: Index \[5\] out of bounds for array of shape \[3\]
entry main [n] [m] (xs: [n]i32) (is: [m]i64): [m]i32 = map (\i -> xs[i]) is
