-- `reverse`, `rotate`, `concat`, `flatten` and `unflatten` of two to four dimensions, `transpose`. Expected values: `futhark run` of 0.25.32.
-- ==
-- entry: backwards
-- input { [1, 2, 3] [[1u8, 2u8], [3u8, 4u8]] }
-- output { [3, 2, 1] [[3u8, 4u8], [1u8, 2u8]] [[2u8, 1u8], [4u8, 3u8]] }
-- input { empty([0]i32) empty([0][2]u8) }
-- output { empty([0]i32) empty([0][2]u8) empty([0][2]u8) }
entry backwards [n][m] (xs: [n]i32) (ys: [m][2]u8) : ([n]i32, [m][2]u8, [m][2]u8) =
  (reverse xs, reverse ys, map reverse ys)

-- ==
-- entry: around
-- input { 1i64 [1, 2, 3] }
-- output { [2, 3, 1] }
-- input { -1i64 [1, 2, 3] }
-- output { [3, 1, 2] }
-- input { 0i64 [1, 2, 3] }
-- output { [1, 2, 3] }
-- input { 7i64 [1, 2, 3] }
-- output { [2, 3, 1] }
-- input { -7i64 [1, 2, 3] }
-- output { [3, 1, 2] }
-- input { 5i64 empty([0]i32) }
-- output { empty([0]i32) }
entry around [n] (r: i64) (xs: [n]i32) : [n]i32 = rotate r xs

-- ==
-- entry: rows_around
-- input { [[1, 2], [3, 4], [5, 6]] [1.0, 2.0, 3.0] }
-- output { [[3, 4], [5, 6], [1, 2]] [[2, 1], [4, 3], [6, 5]] [2.0, 3.0, 1.0] }
entry rows_around [n] (xs: [n][2]i32) (ys: [n]f64) : ([n][2]i32, [n][2]i32, [n]f64) =
  let (a, b) = unzip (rotate 1 (zip xs ys))
  in (a, map (rotate 1) xs, b)

-- ==
-- entry: one_after_the_other
-- input { [1, 2] [3] }
-- output { [1, 2, 3] [3, 1, 2] [1, 2, 3, 1, 2] }
-- input { empty([0]i32) [3] }
-- output { [3] [3] [3] }
-- input { empty([0]i32) empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) }
entry one_after_the_other [n][m] (xs: [n]i32) (ys: [m]i32) : ([]i32, []i32, []i32) =
  (xs ++ ys, concat ys xs, xs ++ ys ++ xs)

-- ==
-- entry: pairs
-- input { [1, 2] [true, false] }
-- output { [1, 2, 7] [true, false, true] }
entry pairs [n] (xs: [n]i32) (ys: [n]bool) : ([]i32, []bool) = unzip (zip xs ys ++ [(7, true)])

-- ==
-- entry: flat
-- input { [[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]], [[[9, 10], [11, 12]]]] }
-- output { [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]] [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]] [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] }
-- input { empty([0][1][2][2]i32) }
-- output { empty([0][2][2]i32) empty([0][2]i32) empty([0]i32) }
entry flat [n][m] (xs: [n][m][2][2]i32) : ([][2][2]i32, [][2]i32, []i32) = (flatten xs, flatten_3d xs, flatten_4d xs)

-- ==
-- entry: in_rows
-- input { 2i64 3i64 [1, 2, 3, 4, 5, 6] }
-- output { [[1, 2, 3], [4, 5, 6]] }
-- input { 2i64 2i64 [1, 2, 3, 4, 5, 6] }
-- error: of shape .*\[6\].* cannot match shape of type
-- input { 0i64 3i64 empty([0]i32) }
-- output { empty([0][3]i32) }
-- input { 3i64 0i64 empty([0]i32) }
-- output { empty([3][0]i32) }
entry in_rows (n: i64) (m: i64) (xs: []i32) : [n][m]i32 = unflatten (xs :> [n * m]i32)

-- ==
-- entry: in_more
-- input { [1, 2, 3, 4, 5, 6, 7, 8] }
-- output { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] [[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]] }
entry in_more (xs: []i32) : ([2][2][2]i32, [2][1][2][2]i32) =
  (unflatten_3d (xs :> [2 * 2 * 2]i32), unflatten_4d (xs :> [2 * 1 * 2 * 2]i32))

-- ==
-- entry: columns
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[1, 4], [2, 5], [3, 6]] [5, 7, 9] [[1, 2, 3], [4, 5, 6]] }
-- input { empty([0][3]i32) }
-- output { empty([3][0]i32) [0, 0, 0] empty([0][3]i32) }
entry columns [n][m] (xs: [n][m]i32) : ([m][n]i32, [m]i32, [n][m]i32) =
  (transpose xs, map i32.sum (transpose xs), transpose (transpose xs))

-- ==
-- entry: columns_of_pairs
-- input { [[1, 2], [3, 4]] }
-- output { [[1, 3], [2, 4]] [[false, true], [false, true]] }
entry columns_of_pairs [n][m] (xs: [n][m]i32) : ([m][n]i32, [m][n]bool) =
  unzip (map unzip (transpose (map (map (\x -> (x, x > 2))) xs)))
