-- Digest 004, appendix B, P20: a reduction of rows is as many reductions of columns. Of no rows it is the neutral element.
-- ==
-- entry: rows columns
-- input { [[1, 2, 3], [4, 5, 6]] } output { [5, 7, 9] }
-- input { empty([0][3]i32) } output { [0, 0, 0] }
-- input { empty([2][0]i32) } output { empty([0]i32) }
entry rows [n][m] (z: [n][m]i32) : [m]i32 = reduce (map2 (+)) (replicate m 0) z
entry columns [n][m] (z: [n][m]i32) : [m]i32 = map (reduce (+) 0) (transpose z)
