-- Futhark #2228 (futhark-compat.md §2.2): reverse mode through a loop of unknown length whose body differentiates.
-- x := x + (x^3)' = x + 3 x^2 while x < 50. From 1: 4, 52; the derivative is (1 + 6 * 1) (1 + 6 * 4) = 175. From 2: 14, 602; 13 * 85 = 1105.
-- From 60: no iteration, 60 and 1.
-- ==
-- entry: reverse forward
-- input { 1.0 }  output { 52.0 175.0 }
-- input { 2.0 }  output { 602.0 1105.0 }
-- input { 60.0 } output { 60.0 1.0 }
def f (a: f64): f64 = loop x = a while x < 50.0 do x + vjp (\y -> y * y * y) x 1.0

entry reverse (a: f64): (f64, f64) = vjp2 f a 1.0

entry forward (a: f64): (f64, f64) = jvp2 f a 1.0
