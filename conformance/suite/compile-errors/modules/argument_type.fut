-- The argument has another type than the parameter asks for.
-- ==
-- error: The type \"t\" is i32, where the module type asks for f32
module f (P: { type t = f32 val x : t }) = { def z = P.x }
module m = f { type t = i32 def x = 1i32 }
entry main (x: f32) = x + m.z
