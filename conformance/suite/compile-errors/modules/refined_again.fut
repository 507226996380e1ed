-- `with` gives a type that is abstract.
-- ==
-- error: The module type has no type "t" that is open
module type s = { type t = i32 }
module type r = s with t = f32
entry main (x: i32) = x
