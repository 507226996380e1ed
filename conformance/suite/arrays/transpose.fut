-- ==
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[1, 4], [2, 5], [3, 6]] }
-- input { empty([0][3]i32) }
-- output { empty([3][0]i32) }
entry main [n] [m] (xs: [n][m]i32): [m][n]i32 = transpose xs

-- The inner two dimensions of three.
-- ==
-- entry: inner
-- input { [[[1, 2], [3, 4], [5, 6]]] }
-- output { [[[1, 3, 5], [2, 4, 6]]] }
entry inner [k] [n] [m] (xs: [k][n][m]i32): [k][m][n]i32 = map transpose xs
