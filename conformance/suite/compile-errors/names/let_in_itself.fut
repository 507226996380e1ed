-- A value is not in scope in itself.
-- ==
-- error: Unknown name "y"
entry main (x: i32) : i32 = let y = x + y in y
