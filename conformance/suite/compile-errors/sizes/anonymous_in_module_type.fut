-- The parameters of a value in a module type have sizes with names. 0.25.32 rejects it too.
-- ==
-- error: E0405
module type m = { val total : []i32 -> i32 }
entry main (x: i32) = x
