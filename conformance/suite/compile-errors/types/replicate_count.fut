-- A size is an i64.
-- ==
-- error: Cannot apply "replicate" to "n" \(invalid type\)\..*Expected: i64.*Actual: +i32
entry main (n: i32) : []i32 = replicate n n
