-- There is no i128.
-- ==
-- error: Unknown type "i128"
entry main (x: i32) : i128 = x
