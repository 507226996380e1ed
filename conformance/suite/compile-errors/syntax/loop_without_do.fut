-- A loop has a body.
-- ==
-- error: end of the text
entry main (x: i32) : i32 = loop y = x for i < 3
