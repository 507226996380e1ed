-- R2: the adjoint of an array indexed at [0, 2, 2], with the adjoints [1, 10, 100] of what was read.
-- ==
-- input { [1.0, 2.0, 3.0] [0i64, 2i64, 2i64] [1.0, 10.0, 100.0] }
-- output { [1.0, 0.0, 110.0] }
entry main [n] [m] (as: [n]f64) (is: [m]i64) (x_bar: [m]f64): [n]f64 =
  vjp (\as -> map (\i -> as[i]) is) as x_bar
