-- What is wrong in a module with a parameter is said where it is defined, and not again where it is applied. 0.25.32 rejects it too.
-- ==
-- error: ^[^╯]*E0301[^╯]*def b : bool = P\.k[^╯]*╯[^╯]*$
module f (P: { val k: i32 }) = { def b : bool = P.k }
module m = f { def k = 1i32 }
entry main (x: i32) = x
