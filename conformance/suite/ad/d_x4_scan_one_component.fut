-- X4 (digest 000, table 5.F; B3): of a scan of matrices one component alone is used. By hand of E6's X0, X1, X2, with Y0 = X0, Y1 = [[8,
-- 5], [20, 13]], and the seed 1, 10, 100 at the top left: R2 = 100 E, R1 = R2 X2^T + 10 E = [[110, 200], [0, 0]], R0 = R1 X1^T + E =
-- [[1041, 420], [0, 0]]; the adjoints are R0, Y0^T R1, Y1^T R2.
-- ==
-- input { [[1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], [1.0, 0.0, 2.0, 1.0]] [1.0, 10.0, 100.0] }
-- output { [1.0, 8.0, 18.0] [[1041.0, 420.0, 0.0, 0.0], [110.0, 200.0, 220.0, 400.0], [800.0, 0.0, 500.0, 0.0]] }
entry main [n] (xs: [n][4]f64) (seed: [n]f64) : ([n]f64, [n][4]f64) =
  let times (a: f64, b: f64, c: f64, d: f64) (e: f64, f: f64, g: f64, h: f64) =
    (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  in vjp2 (\xs ->
             map (.0)
                 (scan times
                       (1, 0, 0, 1)
                       (map (\x -> (x[0], x[1], x[2], x[3])) xs)))
          xs
          seed
