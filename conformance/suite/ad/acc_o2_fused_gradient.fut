-- O2 (digest 001, 5.3; 3.3.1): the gradient of sum (zipWith (*) (map (^2) a) (map (+1) a)) is one map, 3 x^2 + 2 x, without an array
-- between; it is one kernel. Expected: the digest's golden values.
-- ==
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { [7.1875, 10.6875, 3.1875, 38.1875, 0.1875, 18.92] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- structure { Screma 1 Map 1 Replicate 0 }
-- structure gpu { SegMap 1 Screma 0 Replicate 0 }
entry main [n] (a: [n]f64) : [n]f64 =
  vjp (\a -> f64.sum (map2 (*) (map (\x -> x * x) a) (map (+ 1) a))) a 1
