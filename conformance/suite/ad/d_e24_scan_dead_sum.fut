-- E24 (digest 000, table 5.E): the derivative of sums from the left does not read them: where they are not asked for there is the scan of
-- the adjoints alone. Expected: E3's literal vector.
-- ==
-- input { [5.0, 6.0, 7.0, 8.0] [1.0, 10.0, 100.0, 1000.0] } output { [1111.0, 1110.0, 1100.0, 1000.0] }
-- structure { Scan 1 Screma 1 }
entry main [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp (scan (+) 0) xs seed
