-- Nothing says how long it is.
-- ==
-- error: Nothing determines the size "n" here
entry main (x: i32) : i64 = length (rep x)
