-- A type takes as many arguments as it has parameters.
-- ==
-- error: Type "t" takes 0 arguments, but is given 1
type t = i32
entry main (x: t i32) : i32 = 1
