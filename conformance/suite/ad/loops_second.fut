-- Second derivatives of loops that read a free array in a map, whose reversal carries accumulators beside numbers: ab + bc + ca has the gradient [b + c, a + c,
-- a + b], and that along [1, 10, 100] the derivative [110, 101, 11].
-- ==
-- entry: reverse_of_reverse forward_of_reverse
-- input { [2.0, 3.0, 5.0] [1.0, 10.0, 100.0] } output { [110.0, 101.0, 11.0] }
def f (as: [3]f64) = f64.sum (map (\i -> loop s = 1 for j < 2 do s * as[(i + j) % 3]) (iota 3))

entry reverse_of_reverse (as: [3]f64) (seed: [3]f64): [3]f64 = vjp (\as -> vjp f as 1) as seed
entry forward_of_reverse (as: [3]f64) (seed: [3]f64): [3]f64 = jvp (\as -> vjp f as 1) as seed

-- ==
-- entry: first
-- input { [2.0, 3.0, 5.0] } output { [8.0, 7.0, 5.0] }
entry first (as: [3]f64): [3]f64 = vjp f as 1
