-- A type has the parameters that the module type says.
-- ==
-- error: The type "t" does not have the parameters that the module type asks for
module m : { type t 'a } = { type t = i32 }
entry main (x: i32) = x
