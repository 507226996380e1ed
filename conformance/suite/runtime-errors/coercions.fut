-- Sizes that are asserted and are others. Hand calculation.

-- ==
-- entry: matrix
-- input { [[1, 2], [3, 4]] 2i64 2i64 } output { [[1, 2], [3, 4]] }
-- input { [[1, 2], [3, 4]] 2i64 3i64 } error: shape
-- input { [[1, 2], [3, 4]] 1i64 2i64 } error: shape
-- input { empty([0][2]i32) 0i64 2i64 } output { empty([0][2]i32) }
-- input { empty([0][2]i32) 0i64 3i64 } error: shape
entry matrix [n][m] (xss: [n][m]i32) (k: i64) (l: i64) : [k][l]i32 = xss :> [k][l]i32

-- ==
-- entry: reshape
-- input { [1, 2, 3, 4] 2i64 2i64 } output { [[1, 2], [3, 4]] }
-- input { [1, 2, 3, 4] 2i64 3i64 } error: shape
-- input { empty([0]i32) 0i64 5i64 } output { empty([0][5]i32) }
-- input { empty([0]i32) 1i64 1i64 } error: shape
entry reshape [n] (xs: [n]i32) (k: i64) (l: i64) : [k][l]i32 = unflatten (xs :> [k * l]i32)

-- -2 times -2 is 4, and still there are no arrays of -2 rows.
-- ==
-- entry: negative
-- input { [1, 2, 3, 4] 2i64 2i64 } output { 2i64 }
-- input { [1, 2, 3, 4] -2i64 -2i64 } error: .
entry negative [n] (xs: [n]i32) (k: i64) (l: i64) : i64 = length (unflatten (xs :> [k * l]i32) :> [k][l]i32)

-- ==
-- entry: of_filter
-- input { [1, -2, 3] 2i64 } output { [1, 3] }
-- input { [1, -2, 3] 3i64 } error: shape
-- input { empty([0]i32) 0i64 } output { empty([0]i32) }
entry of_filter (xs: []i32) (k: i64) : [k]i32 = filter (> 0) xs :> [k]i32

-- ==
-- entry: of_two
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- input { [1, 2] [3] } error: shape
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) }
entry of_two [n][m] (xs: [n]i32) (ys: [m]i32) : [n]i32 = map2 (+) xs (ys :> [n]i32)

-- In each row another one is missing.
-- ==
-- entry: in_map
-- input { [2i64, 2i64] } output { [[0i64, 1i64], [0i64, 1i64]] }
-- input { [2i64, 3i64] } error: shape
-- input { empty([0]i64) } output { empty([0][2]i64) }
entry in_map [n] (ns: [n]i64) : [n][2]i64 = map (\n -> iota n :> [2]i64) ns

-- ==
-- entry: annotated
-- input { [1, 2, 3] } output { 6 }
-- input { [1, 2] } error: shape
entry annotated (xs: []i32) : i32 = let ys = xs :> [3]i32 in ys[0] + ys[1] + ys[2]
