-- Futhark #1564 (futhark-compat.md §2.2): forward mode over reverse mode.
-- f = x^2 y^3 has the gradient (2 x y^3, 3 x^2 y^2) and the Hessian [[2 y^3, 6 x y^2], [6 x y^2, 6 x^2 y]], at (2, 1) [[2, 12], [12, 24]]; times (1, 2):
-- (26, 60).
-- ==
-- entry: forward_over_reverse reverse_over_forward
-- input { 2.0 1.0 1.0 2.0 } output { 26.0 60.0 }
def f (x: f64, y: f64): f64 = x * x * y * y * y

entry forward_over_reverse (x: f64) (y: f64) (x': f64) (y': f64): (f64, f64) =
  jvp (\p -> vjp f p 1.0) (x, y) (x', y')

entry reverse_over_forward (x: f64) (y: f64) (x': f64) (y': f64): (f64, f64) =
  vjp (\p -> jvp f p (x', y')) (x, y) 1.0

-- Over arrays: the sum of the cubes has the Hessian diag (6 x).
-- ==
-- entry: array
-- input { [1.0, 2.0, -3.0] [1.0, 0.5, 2.0] } output { [6.0, 6.0, -36.0] }
entry array [n] (xs: [n]f64) (xs': [n]f64): [n]f64 =
  jvp (\xs -> vjp (\xs -> f64.sum (map (\x -> x * x * x) xs)) xs 1.0) xs xs'
