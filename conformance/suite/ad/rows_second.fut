-- The adjoint of rows that are repeated is their sum; that of this sum, along s, is s in each row.
-- ==
-- entry: repeated
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [1.0, 10.0, 100.0] } output { [5.0, 7.0, 9.0] [[1.0, 10.0, 100.0], [1.0, 10.0, 100.0]] }
entry repeated (t: [2][3]f64) (s: [3]f64): ([3]f64, [2][3]f64) =
  vjp2 (\t -> vjp (\xs -> replicate 2 xs) [7, 8, 9] t) t s
