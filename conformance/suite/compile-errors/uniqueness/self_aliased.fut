-- A pair that is consumed has two arrays.
-- ==
-- error: Argument passed for consuming parameter is self-aliased
def f (p: *([]i64, []i64)) : i64 = p.0[0]
entry main (n: i64) : i64 = let xs = iota n in f (xs, xs)
