-- O9 (digest 001, 5.3): a map of a map is differentiated as one map would be: one map is left. By Python: the adjoint of sin (x^2) is 2 x
-- cos (x^2) times the seed; with x = 0, 1, -2.
-- ==
-- input { [0.0, 1.0, -2.0] [1.0, 10.0, 100.0] } output { [0.0, 10.806046117362794, 261.457448345444776] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) }
-- structure { Screma 1 Map 1 }
entry main [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 =
  vjp (\xs -> map f64.sin (map (\x -> x * x) xs)) xs seed
