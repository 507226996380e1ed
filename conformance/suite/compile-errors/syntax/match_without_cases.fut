-- A match has a case.
-- ==
-- error: end of the text
entry main (x: i32) : i32 = match x
