-- A module has the modules of its module type.
-- ==
-- error: lacks the module "n"|module named "n"
module m : { module n : { val x : i32 } } = { def x = 1i32 }
entry main (x: i32) = x
