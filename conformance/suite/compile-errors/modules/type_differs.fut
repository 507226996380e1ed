-- A type is what the module type says.
-- ==
-- error: The type "t" is i32, where the module type asks for f32\..*Expected: f32.*Actual: +i32
module m : { type t = f32 } = { type t = i32 }
entry main (x: i32) : m.t = x
