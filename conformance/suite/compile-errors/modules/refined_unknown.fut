-- `with` gives a type that the module type has.
-- ==
-- error: The module type has no type "u" that is open
module type s = { type t }
module type r = s with u = i32
entry main (x: i32) = x
