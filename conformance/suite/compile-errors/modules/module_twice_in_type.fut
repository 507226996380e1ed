-- A module type names a module once. 0.25.32 rejects it too.
-- ==
-- error: The module "m" is defined twice
module type s = { module m: { val x: i32 } module m: { val y: i32 } }
entry main (x: i32) = x
