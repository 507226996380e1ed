-- The seed has the type of the result.
-- ==
-- error: Cannot apply "vjp" to "1f32" \(invalid type\)\..*Expected: f64.*Actual: +f32
entry main (x: f64) : f64 = vjp f64.sin x 1f32
