-- O4 (digest 001, 5.3): a gradient costs a constant times the function, whatever its size, where forward mode costs a pass for each
-- argument. What it costs is counted in core/tests/ad_costs.rs (derivatives_cost_a_constant_times_the_primal_code); here it is right for
-- many arguments: of the sum of (x^2 + 1)^2 it is 4 x (x^2 + 1). Of x = i % 7 the number of those that differ.
def f [n] (xs: [n]f64) : f64 =
  f64.sum (map (\x -> x * x) (map (+ 1) (map (\x -> x * x) xs)))

-- ==
-- entry: wrong
-- input { 1000i64 } output { 0i64 }
-- input { 100000i64 } output { 0i64 }
entry wrong (n: i64) : i64 =
  let xs = map (\i -> f64.i64 (i % 7)) (iota n)
  in i64.sum (map2 (\x g -> i64.bool (g != 4 * x * (x * x + 1)))
                   xs
                   (vjp f xs 1))

-- The same of a few, by both modes.
-- ==
-- entry: reverse forward
-- input { [0.0, 1.0, 2.0] } output { [0.0, 8.0, 40.0] }
entry reverse [n] (xs: [n]f64) : [n]f64 = vjp f xs 1

entry forward [n] (xs: [n]f64) : [n]f64 =
  map (\i -> jvp f xs (map (\j -> f64.bool (i == j)) (iota n))) (iota n)
