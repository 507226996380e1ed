-- An operator on arrays: sums of columns, and of rows.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [5, 7, 9] [6, 15] }
-- input { empty([0][3]i32) }
-- output { [0, 0, 0] empty([0]i32) }
entry main [n] [m] (xs: [n][m]i32): ([m]i32, [n]i32) =
  (reduce (map2 (+)) (replicate m 0) xs, map (reduce (+) 0) xs)
