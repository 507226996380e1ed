-- The index of an update is a use.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i64) (ys: *[]i64) : ([]i64, []i64) = let zs = xs with [0] = 1 in (zs, ys with [xs[0]] = 1)
