-- Nothing says how long both are.
-- ==
-- error: Nothing determines the size "n" here
entry main (x: i32) : i64 = length (zip (rep x) (rep x))
