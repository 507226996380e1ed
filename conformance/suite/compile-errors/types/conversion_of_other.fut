-- f64.i32 is of i32.
-- ==
-- error: Cannot apply "f64\.i32" to "x" \(invalid type\)\..*Expected: i32.*Actual: +i64
entry main (x: i64) : f64 = f64.i32 x
