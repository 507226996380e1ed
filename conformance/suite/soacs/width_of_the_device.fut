-- A reduction over as many numbers as a sum says. Futhark 0.25.32 gives the same.

-- ==
-- entry: squares
-- input { [1i64, 2i64, 3i64] } output { 55i64 }
-- input { empty([0]i64) } output { 0i64 }
-- input { [1i64, -2i64] } error: Range 0..1..<-1 is invalid
entry squares [n] (xs: [n]i64): i64 = i64.sum (map (\i -> i * i) (iota (i64.sum xs)))
