-- A module type says once what a type is. 0.25.32 rejects it too.
-- ==
-- error: The type "t" is defined twice
module type s = { type t = i32 type t = i64 }
entry main (x: i32) = x
