-- R31: a map with a free scalar, a free array, and an array both mapped and free, for the harness to differentiate.
-- ==
-- entry: scalar
-- input { [1.0, 2.0, 3.0] 2.0 } output { [2.0, 8.0, 18.0] }
entry scalar [n] (xs: [n]f64) (a: f64): [n]f64 = map (\x -> a * x * x) xs

-- ==
-- entry: array
-- input { [1.0, 2.0] [10.0, 20.0, 30.0] [2i64, 0i64] } output { [30.0, 20.0] }
entry array [n] [m] (xs: [n]f64) (ys: [m]f64) (is: [n]i64): [n]f64 = map2 (\x i -> x * ys[i]) xs is

-- ==
-- entry: both
-- input { [1.0, 2.0, 3.0] } output { [6.0, 12.0, 18.0] }
entry both [n] (xs: [n]f64): [n]f64 = map (\x -> x * f64.sum xs) xs
