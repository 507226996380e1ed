-- Scans whose operator is on a number and an array at once. Hand calculation; Futhark 0.25.32 gives the same.

-- ==
-- entry: both
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { [1i64, 3i64, 6i64, 10i64, 15i64] [[1i64, 1i64], [3i64, 5i64], [6i64, 14i64], [10i64, 30i64], [15i64, 55i64]] }
entry both [n] (xs: [n]i64): ([n]i64, [n][2]i64) =
  unzip (scan (\(a, as) (b, bs) -> (a + b, map2 (+) as bs)) (0, [0, 0]) (map (\x -> (x, [x, x * x])) xs))

-- ==
-- entry: rows
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- output { [[1i64, 3i64, 6i64], [4i64, 9i64, 15i64]] [[[1i64, 1i64], [3i64, 2i64], [6i64, 3i64]], [[4i64, 1i64], [9i64, 2i64], [15i64, 3i64]]] }
entry rows [n][m] (xss: [n][m]i64): ([n][m]i64, [n][m][2]i64) =
  unzip (map (\xs -> unzip (scan (\(a, as) (b, bs) -> (a + b, map2 (+) as bs)) (0, [0, 0]) (map (\x -> (x, [x, 1])) xs))) xss)
