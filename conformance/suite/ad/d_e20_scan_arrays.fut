-- E20 (digest 000, table 5.E): operators on arrays that are no maps: the product of dual numbers as arrays of two, and of 2x2 matrices.
-- Expected are the literal vectors of E4 and E6.

-- ==
-- entry: dual
-- input { [[1.0, 10.0], [2.0, 11.0], [3.0, 12.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[1.0, 10.0], [31.0, 110.0], [702.0, 1320.0]] [[694.0, 1129.0], [630.0, 973.0], [550.0, 815.0]] }
entry dual [n] (xs: [n][2]f64) (seed: [n][2]f64): ([n][2]f64, [n][2]f64) =
  vjp2 (scan (\x y -> [x[1] * y[0] + y[1] * x[0], x[1] * y[1]]) [0.0, 1.0]) xs seed

-- ==
-- entry: matrices
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[4.0, 3.0], [2.0, 1.0]], [[1.0, 0.0], [2.0, 1.0]]]
--   [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]] }
-- output { [[[1.0, 2.0], [3.0, 4.0]], [[8.0, 5.0], [20.0, 13.0]], [[18.0, 5.0], [46.0, 13.0]]]
--   [[[159.0, 64.0], [201.0, 82.0]], [[68.0, 160.0], [100.0, 236.0]], [[292.0, 320.0], [188.0, 206.0]]] }
entry matrices [n] (xs: [n][2][2]f64) (seed: [n][2][2]f64): ([n][2][2]f64, [n][2][2]f64) =
  let times [k] (x: [k][k]f64) (y: [k][k]f64): [k][k]f64 = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose y)) x
  in vjp2 (scan times [[1.0, 0.0], [0.0, 1.0]]) xs seed
