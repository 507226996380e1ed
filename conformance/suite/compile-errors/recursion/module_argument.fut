-- A module is not its own argument.
-- ==
-- error: Unknown module "m"
module f (P: { val x : i32 }) = { def x = P.x }
module m = f m
entry main (x: i32) = x
