-- A power is of numbers of one type.
-- ==
-- error: Cannot apply "\*\*" to "n" \(invalid type\)\..*Expected: f64.*Actual: +i64
entry main (x: f64) (n: i64) : f64 = x ** n
