-- A type takes as many arguments as it has parameters.
-- ==
-- error: Type "vec" takes 1 arguments, but is given 0
type vec 't = (t, t)
entry main (x: vec) : i32 = 1
