-- A function that is returned consumes its argument. 0.25.32 rejects it too.
-- ==
-- error: E0601.*Using variable "ys", but this was consumed at
def f (xs: []i64) (ys: *[]i64): i64 = let ys[0] = xs[0] in ys[0]
def g (xs: []i64): *[]i64 -> i64 = f xs
entry main (n: i64) = let (xs, ys) = (iota n, iota n) in g xs ys + ys[0]
