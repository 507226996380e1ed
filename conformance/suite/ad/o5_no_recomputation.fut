-- O5 (digest 002, 4.4): of a nest of maps with nothing between, no forward sweep is left but the innermost's, and of this what the adjoints
-- need: exp once, cos once, no sin. Expected values by Python: exp x cos (exp x) times the seed.
-- ==
-- input { [[[0.0, 0.5]], [[1.0, -1.0]]] [[[1.0, 10.0]], [[100.0, 1000.0]]] }
-- output { [[[0.5403023058681398, -1.2834652741859814]], [[-247.8349732955235, 343.2653913325702]]] }
-- input { empty([2][0][2]f64) empty([2][0][2]f64) } output { empty([2][0][2]f64) }
-- structure { Screma 3 Map/Map/Map 1 UnOp 2 }
entry main [n] [m] [k] (xs: [n][m][k]f64) (seed: [n][m][k]f64) : [n][m][k]f64 =
  vjp (map (map (map (\x -> f64.sin (f64.exp x))))) xs seed
