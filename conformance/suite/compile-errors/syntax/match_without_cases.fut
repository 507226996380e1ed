-- A match has a case.
-- ==
-- error: the end of the text
entry main (x: i32) : i32 = match x
