-- Both branches are there.
-- ==
-- error: The `if` has no `else`
entry main (x: bool) : i32 = if x then 1
