-- A size that only a parameter of the result has is of nothing. 0.25.32 rejects it too.
-- ==
-- error: Cannot apply "uncurry" to "at"
def at (n: i64) (i: i64) (xs: [n]bool) : bool = xs[i]
def of_pair = uncurry at
entry main (n: i64) : bool = of_pair (n, 0) (replicate n true)
