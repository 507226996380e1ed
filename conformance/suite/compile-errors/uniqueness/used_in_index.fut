-- An index is evaluated before what consumes.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i64) : i64 = let ys = xs with [0] = 1 in ys[xs[0]]
