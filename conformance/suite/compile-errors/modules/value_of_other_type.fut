-- A value has the type that the module type says.
-- ==
-- error: The value "x" does not|val x
module m : { val x : f32 } = { def x = 1i32 }
entry main (x: f32) = x + m.x
