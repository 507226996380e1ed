-- O6 (digest 002, 4.4): the forward and the return sweep of a map of a map of a map are one map, and one kernel. By hand: ((x + 1)^2)^2 has
-- 4 (x + 1)^3.
-- ==
-- input { [0.0, 1.0, -3.0] [1.0, 10.0, 100.0] } output { [4.0, 320.0, -3200.0] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) }
-- structure { Screma 1 Map 1 }
-- structure gpu { SegMap 1 Screma 0 }
entry main [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 =
  vjp (\xs -> map (\x -> x * x) (map (\x -> x * x) (map (+ 1) xs))) xs seed
