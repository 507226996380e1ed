-- A module defines a name once.
-- ==
-- error: The value "x" is defined twice
module m = { def x = 1i32 def x = 2i32 }
entry main (y: i32) = y + m.x
