-- X6 (digest 000, table 5.F; B5): the products of 3x3 matrices, as arrays: an operator that is no map, without a Jacobian. Expected are
-- d_e10_scan_mm.fut's exact numbers (in Python's fractions).

def times [k] (x: [k][k]f64) (y: [k][k]f64) : [k][k]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose y)) x

def f [n] [k] (xs: [n][k][k]f64) : [n][k][k]f64 =
  scan times (tabulate_2d k k (\i j -> f64.bool (i == j))) xs

-- ==
-- entry: reverse
-- input {
--   [[[-1.0, 2.0, 1.0], [0.0, -1.0, 2.0], [1.0, 0.0, -1.0]], [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0], [2.0, 2.0, 2.0]],
--   [[1.0, 2.0, -1.0], [0.0, 1.0, 2.0], [-1.0, 0.0, 1.0]]]
--   [[[-3.0, -1.0, 1.0], [3.0, -2.0, 0.0], [2.0, -3.0, -1.0]], [[2.0, -3.0, -1.0], [1.0, 3.0, -2.0], [0.0, 2.0, -3.0]],
--   [[0.0, 2.0, -3.0], [-1.0, 1.0, 3.0], [-2.0, 0.0, 2.0]]] }
-- output {
--   [[[-7.0, -5.0, -3.0], [25.0, 20.0, 22.0], [8.0, 3.0, 5.0]], [[-13.0, 13.0, 5.0], [19.0, -24.0, -10.0], [11.0, 7.0, -1.0]],
--   [[-2.0, 10.0, -6.0], [-2.0, 10.0, -6.0], [-2.0, 10.0, -6.0]]] }
entry reverse [n] [k] (xs: [n][k][k]f64) (seed: [n][k][k]f64) : [n][k][k]f64 =
  vjp f xs seed
