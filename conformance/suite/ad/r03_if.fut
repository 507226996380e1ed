-- R3: a branch reads both variables, the other only one. d(x y) = (y, x); d(y^2) = (0, 2 y).
-- ==
-- input { true 3.0 5.0 }  output { 5.0 3.0 }
-- input { false 3.0 5.0 } output { 0.0 10.0 }
entry main (b: bool) (x: f64) (y: f64): (f64, f64) =
  vjp (\(x, y) -> if b then x * y else y * y) (x, y) 1.0
