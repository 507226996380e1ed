-- C1, C10 (digest 000, table 5.C): d_c1_reduce_sum.fut with the sum's value, from the columns of the Jacobian, and where the operator is
-- not recognised. 2 + 3 + 4.
-- ==
-- entry: special general forward
-- input { [2.0, 3.0, 4.0] 3.0 } output { 9.0 [3.0, 3.0, 3.0] }
-- input { [5.0] -1.5 } output { 5.0 [-1.5] }
-- input { empty([0]f64) 3.0 } output { 0.0 empty([0]f64) }
entry special [n] (xs: [n]f64) (seed: f64) : (f64, [n]f64) =
  vjp2 (reduce (+) 0) xs seed

entry general [n] (xs: [n]f64) (seed: f64) : (f64, [n]f64) =
  vjp2 (reduce (\x y -> -(-x - y)) 0) xs seed

entry forward [n] (xs: [n]f64) (seed: f64) : (f64, [n]f64) =
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  in (f64.sum xs, map (\i -> seed * jvp (reduce (+) 0) xs (unit i)) (iota n))
