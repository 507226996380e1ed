-- Only a module with a parameter is applied.
-- ==
-- error: This module takes no parameter
module m = { def x = 1i32 }
module n = m { def y = 1i32 }
entry main (x: i32) = x + n.x
