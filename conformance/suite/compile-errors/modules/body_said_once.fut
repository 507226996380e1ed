-- What is wrong in a module with a parameter is said where it is defined, of the types that it sees, and not again where it is applied.
-- 0.25.32 rejects it too.
-- ==
-- error: ^[^╯]*E0301[^╯]*Actual: *P\.t[^╯]*╯[^╯]*$
module f (P: { type t val x: t }) = { def b : bool = P.x }
module m = f { type t = i32 def x = 1i32 }
entry main (x: i32) = x
