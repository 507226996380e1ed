-- O3 (digest 002, 4.4): updates that may meet, at indices that are only known when they come, are those of a histogram with (+). By hand,
-- and written as this histogram: [2, 0, 2] with the seed 1, 10, 100; all at one index; none.
-- ==
-- entry: gather histogram
-- input { [2i64, 0i64, 2i64] [5.0, 6.0, 7.0, 8.0] [1.0, 10.0, 100.0] } output { [10.0, 0.0, 101.0, 0.0] }
-- input { [1i64, 1i64, 1i64] [5.0, 6.0] [1.0, 10.0, 100.0] } output { [0.0, 111.0] }
-- input { empty([0]i64) [5.0, 6.0] empty([0]f64) } output { [0.0, 0.0] }
-- structure { Hist 2 WithAcc 0 UpdAcc 0 }
-- structure gpu { Hist 0 WithAcc 2 UpdAcc 2 }
entry gather [n] [m] (is: [m]i64) (xs: [n]f64) (seed: [m]f64) : [n]f64 =
  vjp (\xs -> map (\i -> xs[i]) is) xs seed

entry histogram [n] [m] (is: [m]i64) (_: [n]f64) (seed: [m]f64) : [n]f64 =
  reduce_by_index (replicate n 0) (+) 0 is seed
