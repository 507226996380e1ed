-- A module has the types whose meaning its module type says, too. 0.25.32 rejects it too.
-- ==
-- error: The module lacks the type "t"
module m: { type t = i32 } = { def x = 1i32 }
entry main (x: i32) = x
