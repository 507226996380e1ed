-- Both branches are there.
-- ==
-- error: the end of the text
entry main (x: bool) : i32 = if x then 1
