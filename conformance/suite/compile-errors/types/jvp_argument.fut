-- The direction has the type of the argument.
-- ==
-- error: Cannot apply "jvp" to "x" \(invalid type\)\..*Expected: \(f64, f64\).*Actual: +f64
entry main (x: f64) : f64 = jvp (\(x, y) -> x * y) (x, x) x
