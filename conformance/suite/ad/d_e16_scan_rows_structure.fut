-- E16 (digest 000, table 5.E; R-SCAN-VEC): in a derivative a scan of rows becomes a scan of each column, the scan itself too. By hand: of
-- sums from the top the adjoint of a row is the sum of those from there on (1 + 10 + 100 as in E15).
-- ==
-- input { [[1.0, 2.0], [3.0, 0.0], [2.0, 5.0]] [[1.0, 1.0], [10.0, 20.0], [100.0, 300.0]] }
-- output { [[1.0, 2.0], [4.0, 2.0], [6.0, 7.0]] [[111.0, 321.0], [110.0, 320.0], [100.0, 300.0]] }
-- input { empty([0][2]f64) empty([0][2]f64) } output { empty([0][2]f64) empty([0][2]f64) }
-- input { empty([2][0]f64) empty([2][0]f64) } output { empty([2][0]f64) empty([2][0]f64) }
-- structure { Scan 2 Map/Scan 2 Scan/Map 0 }
entry main [n] [m] (xs: [n][m]f64) (seed: [n][m]f64) : ([n][m]f64, [n][m]f64) =
  vjp2 (scan (map2 (+)) (replicate m 0)) xs seed
