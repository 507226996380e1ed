-- The seed is as long as the result.
-- ==
-- error: Cannot apply "vjp" to "seed" \(invalid type\)\..*Expected: \[n\]f64.*Actual: +\[m\]f64
entry main [n][m] (xs: [n]f64) (seed: [m]f64) : [n]f64 = vjp (map f64.sin) xs seed
