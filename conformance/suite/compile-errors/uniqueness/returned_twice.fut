-- Two results with stars are two arrays.
-- ==
-- error: A unique-typed component of the return value is aliased to some other component
def f (n: i64) : (*[]i64, *[]i64) = let xs = iota n in (xs, xs)
entry main (n: i64) : []i64 = (f n).0
