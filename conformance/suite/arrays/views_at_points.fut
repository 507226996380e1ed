-- Views of views at each point of a map. Hand calculation; Futhark 0.25.32 gives the same.

-- Columns of the matrix at each point, one row behind the other.
-- ==
-- entry: columns_flattened
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] 1i64 3i64 } output { [[2, 3, 5, 6], [8, 9, 11, 12]] }
entry columns_flattened [n] (xsss: [n][2][3]i32) (i: i64) (j: i64): [n][4]i32 =
  map (\xss -> flatten xss[:, i:j] :> [4]i32) xsss

-- ==
-- entry: flattened_sum
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] [1i64, 0i64] [3i64, 1i64] } output { [2356, 80] }
entry flattened_sum [n] (xsss: [n][2][3]i32) (is: [n]i64) (js: [n]i64): [n]i32 =
  map3 (\xss i j -> let ys = flatten xss[:, i:j] in loop s = 0 for y in ys do s * 10 + y) xsss is js

-- Two rows from i on of a matrix take the place of rows of another one at each point, which all of them stand in at last.
-- ==
-- entry: rows_replaced
-- input { [[1, 2], [3, 4], [5, 6]] [0i64, 1i64] } output { [[[0, 0], [0, 0], [1, 2], [3, 4]], [[0, 0], [0, 0], [3, 4], [5, 6]]] }
entry rows_replaced [n][m][k] (xss: [n][m]i32) (is: [k]i64): [k][4][m]i32 =
  map (\i -> loop yss = replicate 4 (replicate m 0) for j < 2 do yss with [j + 1:j + 3] = if j == 0 then replicate 2 (replicate m 0) else xss[i:i + 2]) is

-- ==
-- entry: rows_moved
-- input { [[1, 2], [3, 4], [5, 6], [7, 8]] [2i64, 1i64] } output { [[[5, 6], [7, 8], [5, 6], [7, 8]], [[3, 4], [5, 6], [5, 6], [7, 8]]] }
entry rows_moved [m][k] (xss: [4][m]i32) (is: [k]i64): [k][4][m]i32 =
  map (\i -> #[sequential] let yss = copy xss in yss with [0:2] = copy xss[i:i + 2]) is
