-- Digest 001 §2.5, item 1: a conditional evaluated as a choice between two results crashed, or read out of bounds, as soon as a branch contained
-- indexing. Only the branch taken runs, in the function and in its derivative.

-- The derivative of xs[i]^2 is 2 xs[i] at i; elsewhere, and for an i out of range, it is 0.
-- ==
-- entry: scalar
-- input { [1.0, 2.0, 3.0] 1i64 }  output { [0.0, 4.0, 0.0] }
-- input { [1.0, 2.0, 3.0] 3i64 }  output { [0.0, 0.0, 0.0] }
-- input { [1.0, 2.0, 3.0] -4i64 } output { [0.0, 0.0, 0.0] }
entry scalar [n] (xs: [n]f64) (i: i64): [n]f64 =
  vjp (\xs -> if 0 <= i && i < n then xs[i] * xs[i] else 0.0) xs 1.0

-- Element i of 2 n is read from place i or i - n, and counts i + 1 times: (i + 1) + (i + n + 1) for place i.
-- ==
-- entry: in_map
-- input { [1.0, 2.0, 3.0] } output { [5.0, 7.0, 9.0] }
entry in_map [n] (xs: [n]f64): [n]f64 =
  vjp (\xs -> f64.sum (map (\i -> f64.i64 (i + 1) * (if i < n then xs[i] else xs[i - n])) (iota (2 * n)))) xs 1.0

-- Whole arrays: the branch not taken would read place i of every row. Sum of column i, or of everything.
-- ==
-- entry: array
-- input { [[1.0, 2.0], [3.0, 4.0]] 1i64 } output { [[0.0, 1.0], [0.0, 1.0]] }
-- input { [[1.0, 2.0], [3.0, 4.0]] 2i64 } output { [[1.0, 1.0], [1.0, 1.0]] }
entry array [n] [m] (xss: [n][m]f64) (i: i64): [n][m]f64 =
  vjp (\xss -> f64.sum (if i < m then map (\xs -> xs[i]) xss else map f64.sum xss)) xss 1.0
