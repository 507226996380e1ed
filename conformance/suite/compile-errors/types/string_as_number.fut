-- A string is an array of u8.
-- ==
-- error: Cannot apply "\+" to ""a"" \(invalid type\)\..*Expected: i32.*Actual: +\[1\]u8
entry main (x: i32) : i32 = x + "a"
