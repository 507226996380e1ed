-- A type that takes functions is refined by one that does not. 0.25.32 rejects it too.
-- ==
-- error: E0311
module type s = { type t '^a }
module type plain = s with t 'a = a
entry main (x: i32) = x
