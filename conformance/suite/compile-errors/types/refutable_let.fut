-- A pattern of let fits all values.
-- ==
-- error: must fit all values, but does not fit _|Refutable pattern
entry main (x: i32) : i32 = let 1 = x in 2
