-- B7 (digest 000, table 5.B; 1.4.1): scalar code of the innermost scope is executed at most twice, where the value is asked for, too: there
-- is an exp and a sin, and again an exp, with the cos. (That no more are executed is counted by b7_scalar_code_is_executed_at_most_twice,
-- core/tests/rows_000/ad.rs.) Expected values by Python: sin (exp x), and exp x cos (exp x) times the seed.
-- ==
-- input { [[0.0, 0.5], [1.0, -1.0]] [[1.0, 10.0], [100.0, 1000.0]] }
-- output { [[0.8414709848078965, 0.9969653876139676], [0.41078129050290885, 0.3596375654124956]]
--   [[0.5403023058681398, -1.2834652741859814], [-247.8349732955235, 343.2653913325702]] }
-- input { empty([2][0]f64) empty([2][0]f64) } output { empty([2][0]f64) empty([2][0]f64) }
-- structure { UnOp 4 }
entry main [n] [m] (xss: [n][m]f64) (seed: [n][m]f64) : ([n][m]f64, [n][m]f64) =
  vjp2 (map (map (\x -> f64.sin (f64.exp x)))) xss seed
