-- D20 (digest 000, table 5.D; 1.6): what the rule for any operator is made of. Where the histogram is not asked for, there is none; the
-- sort is a loop, a pass of which is one scan of all counts and one scatter; nothing is accumulated. Expected: D5's literal vectors.
-- ==
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1.0, 2.0, 3.0, 4.0] [1.0, 2.0, 9.0, 3.0, 9.0, 4.0, 5.0, 6.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [32.0, 10.0, 14400.0, 10000.0] [43200.0, 16.0, 0.0, 14400.0, 0.0, 8.0, 8000.0, 7200.0, 0.0] }
-- structure { Hist 0 WithAcc 0 Loop 1 Loop/Screma 1 Loop/Scatter 1 }
entry main [w] [n]
           (is: [n]i64)
           (dst: [w]f64)
           (vs: [n]f64)
           (seed: [w]f64) : ([w]f64, [n]f64) =
  vjp (\(dst, vs) -> reduce_by_index (copy dst) (\x y -> x * y * 2) 0.5 is vs)
      (dst, vs)
      seed
