-- The product of matrices, and the outer product: maps in maps with what is free from outside.
-- ==
-- input { [[1.0, 2.0], [3.0, 4.0]] [[5.0], [6.0]] }
-- output { [[17.0], [39.0]] [[5.0, 10.0], [6.0, 12.0]] }
def matmul [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64): [n][k]f64 =
  map (\row -> map (\column -> f64.sum (map2 (*) row column)) (transpose b)) a

entry main [n] [m] (a: [n][m]f64) (b: [m][1]f64): ([n][1]f64, [m][m]f64) =
  (matmul a b, map (\x -> map (\y -> x * y) a[0]) (flatten b :> [m]f64))
