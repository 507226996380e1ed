-- L6: an operator that is associative, not commutative: the product of 2x2 matrices.
-- [[1,1],[0,1]] [[1,0],[1,1]] = [[2,1],[1,1]]; times [[2,0],[0,3]] = [[4,3],[2,3]].
-- ==
-- input { [1, 1, 2] [1, 0, 0] [0, 1, 0] [1, 1, 3] }
-- output { 4 3 2 3 }
-- input { empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) }
-- output { 1 0 0 1 }
entry main [n] (a: [n]i32) (b: [n]i32) (c: [n]i32) (d: [n]i32): (i32, i32, i32, i32) =
  let times (a, b, c, d) (e, f, g, h) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  let rows = map3 (\x y (z, w) -> (x, y, z, w)) a b (zip c d)
  in reduce times (1, 0, 0, 1) rows
