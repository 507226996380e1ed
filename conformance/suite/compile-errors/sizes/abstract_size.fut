-- A type whose values do not show its size cannot be abstract.
-- ==
-- error: The type "t" cannot be made abstract: its size parameter "n" is not used constructively
module type s = { type t [n] }
module m : s = { type t [n] = [n + 1]i32 }
entry main (x: i32) = x
