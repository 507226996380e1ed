-- E14 (digest 000, table 5.E): the derivative of a scan of pairs is one more scan. Expected: E4's literal vectors.
-- ==
-- input { [1.0, 2.0, 3.0] [10.0, 11.0, 12.0] [1.0, 3.0, 5.0] [2.0, 4.0, 6.0] } output { [694.0, 630.0, 550.0] [1129.0, 973.0, 815.0] }
-- structure { Scan 2 Loop 0 WithAcc 0 Scatter 0 }
entry main [n]
           (as: [n]f64)
           (bs: [n]f64)
           (s: [n]f64)
           (t: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(as, bs) ->
         unzip (scan (\(a, b) (c, d) -> (b * c + d * a, b * d))
                     (0, 1)
                     (zip as bs)))
      (as, bs)
      (s, t)
