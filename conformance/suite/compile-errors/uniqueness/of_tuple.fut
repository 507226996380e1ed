-- A component of a pair that was consumed is gone.
-- ==
-- error: Using variable "p", but this was consumed at
def f (xs: *[]i32) : i32 = xs[0]
entry main (p: *([]i32, []i32)) : i32 = let (a, b) = p in f a + p.0[0] + b[0]
