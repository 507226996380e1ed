-- A module type says a type once.
-- ==
-- error: The type "t" is defined twice
module type s = { type t type t }
entry main (y: i32) = y
