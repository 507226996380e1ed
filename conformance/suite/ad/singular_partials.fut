-- A contribution that is zero is zero, whatever the partial: s := sqrt s + a a from 0, twice, is sqrt (a^2) + a^2 = |a| + a^2.
-- The derivative of the first sqrt is infinite, but nothing depends on a there.
-- ==
-- entry: forward reverse
-- input { 2.0 }  output { 5.0 }
-- input { -2.0 } output { -5.0 }
def f (a: f64): f64 = loop s = 0.0 for _i < 2 do f64.sqrt s + a * a

entry forward (a: f64): f64 = jvp f a 1.0

entry reverse (a: f64): f64 = vjp f a 1.0
