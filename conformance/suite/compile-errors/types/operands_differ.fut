-- Operands have one type.
-- ==
-- error: Cannot apply "\+" to "y" \(invalid type\)\..*Expected: i32.*Actual: +i64
entry main (x: i32) (y: i64) : i64 = x + y
