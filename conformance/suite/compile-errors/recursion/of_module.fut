-- A module does not refer to itself.
-- ==
-- error: Unknown name "m"
module m = { def x = 1i32 def y = m.x }
entry main (n: i32) = n + m.y
