-- A module with a parameter has no names of its own.
-- ==
-- error: A module with a parameter cannot be opened
module f (P: { val x : i32 }) = { def y = P.x }
open f
entry main (x: i32) = x
