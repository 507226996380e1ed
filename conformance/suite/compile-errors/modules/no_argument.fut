-- A module with a parameter is no module of values.
-- ==
-- error: asks for a module without parameters, and this one is parametric
module f (P: { val x : i32 }) = { def y = P.x }
module m : { val y : i32 } = f
entry main (x: i32) = x + m.y
