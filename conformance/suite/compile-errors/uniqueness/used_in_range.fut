-- The bounds of a range are uses.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i64) : i64 = let ys = xs with [0] = 1 in ys[0] + i64.sum (0..<xs[0])
