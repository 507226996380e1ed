-- X5, X6 (digest 000, table 5.F; B5): where the matrices would be too large, or are none of one type, the derivative of a scan has none:
-- the adjoints go up a tree and down again, all of a level at once, in two loops. Here linear functions of any number of variables with one factor. Expected:
-- E5's literal vectors, in the variable that has a seed.
-- ==
-- input { [[1.0, 7.0], [4.0, 8.0], [3.0, 9.0], [4.0, 7.0]] [2.0, 3.0, 4.0, 2.0]
--   [[1.0, 0.0], [3.0, 0.0], [5.0, 0.0], [7.0, 0.0]] [2.0, 4.0, 6.0, 8.0] }
-- output { [[238.0, 0.0], [79.0, 0.0], [19.0, 0.0], [7.0, 0.0]] [278.0, 263.0, 265.0, 409.0] }
-- structure { Scan 1 Loop 2 }
entry main [n] [d]
           (vs: [n][d]f64)
           (cs: [n]f64)
           (s: [n][d]f64)
           (t: [n]f64) : ([n][d]f64, [n]f64) =
  let after (v: [d]f64, b: f64) (u: [d]f64, c: f64) =
    (map2 (\x y -> y + c * x) v u, b * c)
  in vjp (\(vs, cs) -> unzip (scan after (replicate d 0, 1) (zip vs cs)))
         (vs, cs)
         (s, t)
