-- What is written into a slice has an adjoint of its own, to which more is added: by ys 1 (of the slice) and 2 ys[0] (of the square). [3, 4] at seed 1 each
-- for the array and 1 for the square.
-- ==
-- entry: slice
-- input { [1.0, 2.0, 5.0] [3.0, 4.0] } output { [1.0, 0.0, 0.0] [7.0, 1.0] }
entry slice (xs: [3]f64) (ys: [2]f64): ([3]f64, [2]f64) =
  vjp (\(xs, ys) -> (copy xs with [1:3] = ys, ys[0] * ys[0])) (xs, ys) ([1, 1, 1], 1)

-- The same of a row: [[1, 2], [3, 4]] with [0] = ys.
-- ==
-- entry: row
-- input { [[1.0, 2.0], [5.0, 6.0]] [3.0, 4.0] } output { [[0.0, 0.0], [1.0, 1.0]] [7.0, 1.0] }
entry row (xss: [2][2]f64) (ys: [2]f64): ([2][2]f64, [2]f64) =
  vjp (\(xss, ys) -> (copy xss with [0] = ys, ys[0] * ys[0])) (xss, ys) ([[1, 1], [1, 1]], 1)
