-- R1: x x + x has the derivative 2 x + 1.
-- ==
-- entry: forward reverse
-- input { 3.0 }  output { 7.0 }
-- input { -0.5 } output { 0.0 }
def f (x: f64): f64 = x * x + x

entry forward (x: f64): f64 = jvp f x 1.0

entry reverse (x: f64): f64 = vjp f x 1.0

-- The function itself, for the harness to differentiate.
-- ==
-- entry: primal
-- input { 3.0 } output { 12.0 }
entry primal (x: f64): f64 = f x
