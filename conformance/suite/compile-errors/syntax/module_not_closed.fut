-- A module ends.
-- ==
-- error: the end of the text
module m = { def x = 1i32
entry main (x: i32) = x
