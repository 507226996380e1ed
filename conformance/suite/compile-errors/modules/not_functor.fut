-- A parameter is asked for, and the module has none.
-- ==
-- error: asks for a parametric module, and this one has no parameter
module type s = (P: { val x : i32 }) -> { val y : i32 }
module m : s = { def y = 1i32 }
entry main (x: i32) = x
