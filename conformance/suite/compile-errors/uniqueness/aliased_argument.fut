-- What is consumed is not given twice.
-- ==
-- error: Argument is consumed, but aliases "xs", which is also aliased by another argument
def f (xs: *[]i64) (ys: []i64) : i64 = xs[0] + ys[0]
entry main (n: i64) : i64 = let xs = iota n in f xs xs
