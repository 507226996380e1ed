-- O3 (digest 002, 4.4; 1A.19): updates that each have a place of their own are results of the nest, without an accumulator. By hand: of
-- w[i, j] x[i] by w the seed times x[i].
-- ==
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [10.0, 100.0] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [[10.0, 20.0, 30.0], [400.0, 500.0, 600.0]] }
-- input { empty([2][0]f64) [10.0, 100.0] empty([2][0]f64) } output { empty([2][0]f64) }
-- input { empty([0][3]f64) empty([0]f64) empty([0][3]f64) } output { empty([0][3]f64) }
-- structure { WithAcc 0 UpdAcc 0 Map 2 Map/Map 1 }
entry main [n] [m] (ws: [n][m]f64) (xs: [n]f64) (seed: [n][m]f64) : [n][m]f64 =
  vjp (\(ws: [n][m]f64) -> tabulate_2d n m (\i j -> ws[i, j] * xs[i])) ws seed
