-- The bound of a loop is an integer.
-- ==
-- error: The bound of a loop must be an integer
entry main (x: i32) : i32 = loop y = x for i < 2.5f64 do y + 1
