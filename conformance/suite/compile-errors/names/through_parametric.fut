-- A module with a parameter has no names of its own.
-- ==
-- error: The module "f" takes a parameter; it has no names of its own
module f (P: { val x : i32 }) = { def y = P.x }
entry main (x: i32) : i32 = x + f.y
