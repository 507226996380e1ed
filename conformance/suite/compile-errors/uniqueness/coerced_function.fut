-- A coercion does not make a function that consumes its argument one that does not. 0.25.32 rejects the call, which would consume `xs`.
-- ==
-- error: E0301[^╯]*A size coercion can change sizes only[^╯]*regarding consuming their arguments
def h (g: *[]i64 -> i64) (xs: []i64) = (g :> []i64 -> i64) xs
