-- E24 (digest 000, table 5.E): the derivative of products from the left reads them: they are there, though nobody asks for them. Expected:
-- E2's literal vector, and E1's for the seed 1 of each, the sums of its Jacobian's columns.
-- ==
-- input { [2.0, 0.0, 3.0, 0.0, 5.0] [1.0, 1.0, 1.0, 1.0, 1.0] } output { [1.0, 8.0, 0.0, 0.0, 0.0] }
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] [1.0, 1.0, 1.0, 1.0, 1.0] } output { [153.0, 76.0, 50.0, 36.0, 24.0] }
-- structure { Scan 2 }
entry main [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp (scan (*) 1) xs seed
