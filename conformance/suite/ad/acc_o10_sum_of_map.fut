-- O10 (digest 001, 5.3): the digest's test map, sum (map (*3) a): no condition, and, as it does not depend on the elements, no map.
-- Expected: its golden value.
-- ==
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { [3.0, 3.0, 3.0, 3.0, 3.0, 3.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- structure { If 0 Assert 0 Screma 0 Replicate 1 }
entry main [n] (a: [n]f64) : [n]f64 = vjp (\a -> f64.sum (map (* 3) a)) a 1
