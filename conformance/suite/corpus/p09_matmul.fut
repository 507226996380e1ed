-- Digest 004, appendix B, P9. A product over no columns is a matrix of zeros; without rows there is nothing.
-- ==
-- input { [[1, 2], [3, 4]] [[5, 6], [7, 8]] } output { [[19, 22], [43, 50]] }
-- input { empty([2][0]i32) empty([0][2]i32) } output { [[0, 0], [0, 0]] }
-- input { empty([0][2]i32) [[1, 2], [3, 4]] } output { empty([0][2]i32) }
-- input { [[1, 2, 3]] [[4], [5], [6]] } output { [[32]] }
def dotprod [n] (xs: [n]i32) (ys: [n]i32) : i32 = reduce (+) 0 (map2 (*) xs ys)

entry main [n][m][p] (xss: [n][m]i32) (yss: [m][p]i32) : [n][p]i32 =
  map (\xs -> map (dotprod xs) (transpose yss)) xss
