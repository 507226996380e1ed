-- A type that may hold functions where the module type has a plain one. 0.25.32 rejects it too.
-- ==
-- error: E0311
module m: { type t 'a } = { type^ t '^a = a }
entry main (x: i32) = x
