-- A value has the type of its pattern.
-- ==
-- error: The value does not have the type of its pattern\..*Expected: i64.*Actual: +i32
entry main (x: i32) : i64 = let (y: i64) = x in y
