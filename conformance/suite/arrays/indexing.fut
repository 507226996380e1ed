-- ==
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 2i64 }
-- output { 6 [4, 5, 6] }
entry main [n] [m] (xs: [n][m]i32) (i: i64) (j: i64): (i32, [m]i32) = (xs[i, j], xs[i])

-- A comma may stand behind the last index (language reference, "slice"). By hand.
-- ==
-- entry: trailing_comma
-- input { [[1, 2], [3, 4]] } output { 2 [[1], [3]] [[1, 9], [3, 4]] }
entry trailing_comma (xs: [][]i32) = (xs[0, 1,], xs[:, 0:1,], copy xs with [0, 1,] = 9)
