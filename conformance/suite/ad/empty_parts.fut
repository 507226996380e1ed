-- Parts without elements, at the end of an array and of its rows, have no share in the derivative: f = the sum of the squares of all, of nothing, and of the
-- row that a nothing stands behind. By hand: 2 x, for the last row 4 x.
-- ==
-- entry: rows
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[2.0, 4.0], [12.0, 16.0]] }
entry rows (xss: [2][2]f64): [2][2]f64 =
  let square (xs: []f64) = f64.sum (map (\x -> x * x) xs)
  in vjp (\xss -> f64.sum (map square xss) + f64.sum (map square xss[2:2]) + square xss[1] + square xss[1, 2:2]) xss 1
