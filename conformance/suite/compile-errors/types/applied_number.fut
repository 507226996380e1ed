-- A number is no function.
-- ==
-- error: Cannot apply "x" as a function: it has type i32
entry main (x: i32) : i32 = x 1
