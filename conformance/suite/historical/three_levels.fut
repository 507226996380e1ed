-- Derivatives nested three deep (futhark-compat.md §2.2). The third derivative of x^4 is 24 x: 48 at 2.
-- ==
-- entry: reverse forward mixed other
-- input { 2.0 } output { 48.0 }
def f (x: f64): f64 = x * x * x * x

entry reverse (x: f64): f64 = vjp (\x -> vjp (\x -> vjp f x 1.0) x 1.0) x 1.0

entry forward (x: f64): f64 = jvp (\x -> jvp (\x -> jvp f x 1.0) x 1.0) x 1.0

entry mixed (x: f64): f64 = vjp (\x -> jvp (\x -> vjp f x 1.0) x 1.0) x 1.0

entry other (x: f64): f64 = jvp (\x -> vjp (\x -> jvp f x 1.0) x 1.0) x 1.0
