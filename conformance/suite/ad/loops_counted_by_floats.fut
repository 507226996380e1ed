-- A loop's number of trips comes from what is differentiated. Of f x = x + x²·(0 + 1 + ... + (n - 1)), n the whole part of x, the first derivative is 1 + x·n·(n - 1),
-- the second n·(n - 1), whatever derivative n itself has as an integer: the number of a trip has none, also where the return sweep counts backwards.

let forwards (x: f64): f64 = loop y = x for i < i64.f64 x do y + x * x * f64.i64 i

let counted (x: f64): f64 = (loop (y, i) = (x, 0) while i < i64.f64 x do (y + x * x * f64.i64 i, i + 1)).0

let first (f: f64 -> f64) (x: f64): f64 = vjp f x 1

-- ==
-- entry: gradients
-- input { [3.5, 2.0, 1.0, 0.5, -2.0] }
-- output { [22.0, 5.0, 1.0, 1.0, 1.0] [22.0, 5.0, 1.0, 1.0, 1.0] }
entry gradients (xs: []f64) = (map (first forwards) xs, map (first counted) xs)

-- ==
-- entry: second_forward_of_reverse
-- input { [3.5, 2.0, 1.0, 0.5, -2.0] }
-- output { [6.0, 2.0, 0.0, 0.0, 0.0] [6.0, 2.0, 0.0, 0.0, 0.0] }
entry second_forward_of_reverse (xs: []f64) =
  let second f x = jvp (first f) x 1 in (map (second forwards) xs, map (second counted) xs)

-- ==
-- entry: second_otherwise
-- input { [3.5, 2.0, 1.0, 0.5, -2.0] }
-- output { [6.0, 2.0, 0.0, 0.0, 0.0] [6.0, 2.0, 0.0, 0.0, 0.0] [6.0, 2.0, 0.0, 0.0, 0.0] [6.0, 2.0, 0.0, 0.0, 0.0] }
entry second_otherwise (xs: []f64) =
  let twice f x = vjp (first f) x 1
  let inwards f x = vjp (\x -> jvp f x 1) x 1
  in (map (twice forwards) xs, map (twice counted) xs, map (inwards forwards) xs, map (inwards counted) xs)

-- ==
-- entry: of_a_sum
-- input { [3.5, 2.0, 1.0] }
-- output { [6.0, 2.0, 0.0] }
entry of_a_sum [m] (xs: [m]f64): [m]f64 = jvp (\xs -> vjp (\xs -> f64.sum (map forwards xs)) xs 1) xs (replicate m 1)
