-- A slice at each point of a map, with a start, an end and a stride of its own: the last index that it takes is in the array, wherever its end is. Futhark 0.25.32 says the same, and writes a stride of 1 as well.

-- From 4 on by -2 before -2 there are the indices 4, 2, 0.
-- ==
-- entry: points
-- input { [1, 2, 3, 4, 5] [4i64, 4i64, 0i64, 2i64, 3i64] [-2i64, -1i64, 6i64, 2i64, 0i64] [-2i64, -1i64, 2i64, 1i64, -2i64] } output { [309, 515, 309, 0, 206] }
-- input { [1, 2, 3, 4, 5] [4i64, 3i64] [-2i64, 1i64] [-2i64, 1i64] } error: Index \[3:1\] out of bounds for array of shape \[5\]
-- input { [1, 2, 3, 4, 5] [4i64, 5i64] [-2i64, -2i64] [-2i64, -2i64] } error: Index \[5:-2:-2\] out of bounds for array of shape \[5\]
-- input { [1, 2, 3, 4, 5] [4i64, 4i64] [-2i64, -3i64] [-2i64, -2i64] } error: Index \[4:-3:-2\] out of bounds for array of shape \[5\]
-- input { [1, 2, 3, 4, 5] [0i64, 0i64] [4i64, 4i64] [2i64, -1i64] } error: Index \[0:4:-1\] out of bounds for array of shape \[5\]
entry points (xs: []i32) (is: []i64) (js: []i64) (ss: []i64): []i32 =
  map3 (\i j s -> let ys = xs[i:j:s] in i32.i64 (length ys) * 100 + i32.sum ys) is js ss
