-- A module ends.
-- ==
-- error: The `\{` is not closed
module m = { def x = 1i32
entry main (x: i32) = x
