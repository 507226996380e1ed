-- `scatter`, `spread`, `reduce_by_index`, `hist`, of one to three dimensions. Positions out of range are ignored. Expected values: `futhark test -i` of
-- 0.25.32; no position is written twice, which has no meaning of its own.
-- ==
-- entry: scatters
-- input { [1, 2, 3, 4] [3i64, -1i64, 4i64, 0i64] [10, 20, 30, 40] }
-- output { [40, 2, 3, 10] }
-- input { [1, 2, 3, 4] empty([0]i64) empty([0]i32) }
-- output { [1, 2, 3, 4] }
-- input { empty([0]i32) [0i64, 1i64, -9223372036854775808i64, 9223372036854775807i64] [1, 2, 3, 4] }
-- output { empty([0]i32) }
entry scatters [k][n] (dest: *[k]i32) (is: [n]i64) (vs: [n]i32) : *[k]i32 = scatter dest is vs

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4], [5, 6]] [2i64, 7i64] [[10, 20], [30, 40]] }
-- output { [[1, 2], [3, 4], [10, 20]] }
entry rows [k][n][m] (dest: *[k][m]i32) (is: [n]i64) (vs: [n][m]i32) : *[k][m]i32 = scatter dest is vs

-- ==
-- entry: pairs
-- input { [1i64, 5i64, 0i64] [1.5, 2.5, 3.5] [true, true, true] }
-- output { [3.5, 1.5, 0.0] [true, true, false] }
entry pairs [n] (is: [n]i64) (xs: [n]f64) (ys: [n]bool) : ([]f64, []bool) =
  unzip (scatter (replicate 3 (0, false)) is (zip xs ys))

-- ==
-- entry: spreads
-- input { 4i64 [2i64, -5i64, 0i64] [7u8, 8u8, 9u8] }
-- output { [9u8, 1u8, 7u8, 1u8] }
-- input { 0i64 [2i64, -5i64, 0i64] [7u8, 8u8, 9u8] }
-- output { empty([0]u8) }
-- input { -1i64 [0i64] [7u8] }
-- error: Range 0\.\.1\.\.<-1 is invalid\.
entry spreads [n] (k: i64) (is: [n]i64) (vs: [n]u8) : []u8 = spread k 1 is vs

-- ==
-- entry: in_two
-- input { [[1, 2, 3], [4, 5, 6]] [0i64, 1i64, 2i64, 0i64, 1i64] [2i64, -1i64, 0i64, 3i64, 0i64] [10, 20, 30, 40, 50] }
-- output { [[1, 2, 10], [50, 5, 6]] }
entry in_two [k][m][n] (dest: *[k][m]i32) (is: [n]i64) (js: [n]i64) (vs: [n]i32) : *[k][m]i32 =
  scatter_2d dest (zip is js) vs

-- ==
-- entry: in_three
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] [0i64, 1i64, 1i64] [1i64, 1i64, 2i64] [0i64, 1i64, 0i64] [10, 20, 30] }
-- output { [[[1, 2], [10, 4]], [[5, 6], [7, 20]]] }
entry in_three [k][m][o][n] (dest: *[k][m][o]i32) (is: [n]i64) (js: [n]i64) (ls: [n]i64) (vs: [n]i32) : *[k][m][o]i32 =
  scatter_3d dest (zip3 is js ls) vs

-- ==
-- entry: sums
-- input { [1, 2, 3] [0i64, 0i64, 2i64, -1i64, 3i64] [10, 20, 30, 40, 50] }
-- output { [31, 2, 33] }
-- input { [1, 2, 3] empty([0]i64) empty([0]i32) }
-- output { [1, 2, 3] }
-- input { empty([0]i32) [0i64] [1] }
-- output { empty([0]i32) }
entry sums [k][n] (dest: *[k]i32) (is: [n]i64) (vs: [n]i32) : *[k]i32 = reduce_by_index dest (+) 0 is vs

-- ==
-- entry: several
-- input { [0i64, 1i64, 0i64, 1i64, 5i64] [3.0, 1.0, 2.0, 7.0, 9.0] }
-- output { [5.0, 8.0] [4.0, 7.0] [12.0, 21.0] }
entry several [n] (is: [n]i64) (vs: [n]f64) : ([2]f64, [2]f64, [2]f64) =
  ( hist (+) 0 2 is vs
  , reduce_by_index [4, 4] f64.max f64.lowest is vs
  , reduce_by_index [2, 3] (*) 1 is vs)

-- The greatest, and where it is first.
-- ==
-- entry: pairs_of_greatest
-- input { [0i64, 1i64, 0i64, 1i64, 0i64] [3, 1, 9, 1, 9] }
-- output { [9, 1] [2i64, 1i64] }
entry pairs_of_greatest [n] (is: [n]i64) (vs: [n]i32) : ([2]i32, [2]i64) =
  let op (x, i) (y, j) = if x > y then (x, i) else if y > x then (y, j) else (x, i64.min i j)
  in unzip (hist op (i32.lowest, i64.highest) 2 is (zip vs (iota n)))

-- ==
-- entry: vectors
-- input { [0i64, 1i64, 0i64] [[1, 2], [3, 4], [5, 6]] }
-- output { [[6, 8], [3, 4], [0, 0]] }
entry vectors [n] (is: [n]i64) (vs: [n][2]i32) : [3][2]i32 = hist (map2 (+)) [0, 0] 3 is vs

-- ==
-- entry: sums_in_two
-- input { [[1, 2], [3, 4]] [0i64, 2i64, 1i64, 1i64] [1i64, 0i64, 1i64, 1i64] [10, 20, 30, 40] }
-- output { [[1, 12], [3, 74]] }
entry sums_in_two [k][m][n] (dest: *[k][m]i32) (is: [n]i64) (js: [n]i64) (vs: [n]i32) : *[k][m]i32 =
  reduce_by_index_2d dest (+) 0 (zip is js) vs

-- ==
-- entry: sums_in_three
-- input { [[[1], [2]], [[3], [4]]] [0i64, 0i64, 1i64, 1i64] [1i64, 1i64, 1i64, 1i64] [0i64, 0i64, 0i64, 1i64] [10, 20, 30, 40] }
-- output { [[[1], [32]], [[3], [34]]] }
entry sums_in_three [k][m][o][n] (dest: *[k][m][o]i32) (is: [n]i64) (js: [n]i64) (ls: [n]i64) (vs: [n]i32) : *[k][m][o]i32 =
  reduce_by_index_3d dest (+) 0 (zip3 is js ls) vs

-- ==
-- entry: no_bins
-- input { 0i64 }
-- output { empty([0]i32) }
-- input { -1i64 }
-- error: Range 0\.\.1\.\.<-1 is invalid\.
entry no_bins (k: i64) : []i32 = hist (+) 0 k [0, 1] [5, 6]

-- The array that was there is not changed.
-- ==
-- entry: kept
-- input { [1, 2, 3] }
-- output { [1, 2, 3] [9, 2, 3] [10, 3, 3] }
entry kept [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  let ys = scatter (copy xs) [0] [9]
  let zs = reduce_by_index (copy ys) (+) 0 [0, 1] [1, 1]
  in (xs, ys, zs)

-- Inside of a map.
-- ==
-- entry: many
-- input { [[0i64, 1i64], [1i64, 1i64]] [[1, 2], [3, 4]] }
-- output { [[1, 2, 0], [0, 7, 0]] [[0, 1, 0], [0, 0, 3]] }
entry many [n][m] (is: [n][m]i64) (vs: [n][m]i32) : ([n][3]i32, [n][3]i32) =
  (map2 (hist (+) 0 3) is vs, map2 (\is vs -> scatter (replicate 3 0) (map (+ 1) (take 1 is)) (take 1 vs)) is vs)
