-- A9: integers beside floats are data. f(xs, is) = sum of xs[is[k]] (k+1); the gradient counts the uses.
-- ==
-- input { [5.0, 6.0, 7.0] [0i64, 2i64, 2i64] }
-- output { [1.0, 0.0, 5.0] }
entry main [n] [m] (xs: [n]f64) (is: [m]i64): [n]f64 =
  vjp (\xs -> f64.sum (map2 (\i k -> xs[i] * f64.i64 (k + 1)) is (iota m))) xs 1.0
