-- Digest 004, appendix B, P25: sums of elements that an array of indices names, in any order, again and again, or none.
-- ==
-- input { [2i64, 0i64, 1i64] [[1, 2, 3], [10, 20, 30]] } output { [6, 60] }
-- input { [1i64, 1i64, 1i64] [[1, 2, 3], [10, 20, 30]] } output { [6, 60] }
-- input { [0i64] [[1, 2, 3], [10, 20, 30]] } output { [1, 10] }
-- input { empty([0]i64) [[1, 2, 3], [10, 20, 30]] } output { [0, 0] }
-- input { [3i64] empty([0][3]i32) } output { empty([0]i32) }
-- input { [3i64] [[1, 2, 3]] } error: out of bounds
entry main [k][n][m] (js: [k]i64) (xss: [n][m]i32) : [n]i32 =
  map (\xs -> loop sum = 0 for p < k do sum + xs[js[p]]) xss
