-- An operator on arrays: sums of columns, and of rows.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [5, 7, 9] [6, 15] }
-- input { empty([0][3]i32) }
-- output { [0, 0, 0] empty([0]i32) }
entry main [n] [m] (xs: [n][m]i32): ([m]i32, [n]i32) =
  (reduce (map2 (+)) (replicate m 0) xs, map (reduce (+) 0) xs)

-- Many rows of many columns, which are summed by chunks: 0 j + 1 j + ... + 99 j = 4950 j; all columns together 4950 * 780.
-- ==
-- entry: columns
-- input { 100i64 } output { 4950i64 193050i64 3861000i64 }
-- input { 0i64 } output { 0i64 0i64 0i64 }
entry columns (n: i64) =
  let sums = reduce (map2 (+)) (replicate 40 0) (map (\i -> map (* i) (iota 40)) (iota n))
  in (sums[1], sums[39], i64.sum sums)
