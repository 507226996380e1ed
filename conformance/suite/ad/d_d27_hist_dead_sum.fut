-- D27 (digest 000, table 5.D): the adjoint of a sum in bins does not need the sum: where it is not asked for there is no histogram, only
-- what gathers the bins' adjoints. Expected: D1's literal vectors.
-- ==
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1.0, 2.0, 3.0, 4.0]
--   [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [1.0, 10.0, 100.0, 1000.0] [100.0, 1.0, 0.0, 100.0, 0.0, 1.0, 1000.0, 100.0, 0.0] }
-- structure { Hist 0 WithAcc 0 Screma 1 Map 1 }
entry main [w] [n]
           (is: [n]i64)
           (dst: [w]f64)
           (vs: [n]f64)
           (seed: [w]f64) : ([w]f64, [n]f64) =
  vjp (\(dst, vs) -> reduce_by_index (copy dst) (+) 0 is vs) (dst, vs) seed
