-- A module is no value.
-- ==
-- error: Unknown name "m"
module m = { def x = 1i32 }
entry main (x: i32) : i32 = x + m
