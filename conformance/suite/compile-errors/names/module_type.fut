-- A module type that nobody defined.
-- ==
-- error: Unknown module type "shape"
module m : shape = { def x = 1i32 }
entry main (x: i32) = x + m.x
