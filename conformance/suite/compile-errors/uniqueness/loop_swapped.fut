-- Two parameters that are updated are not exchanged for one.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (n: i64) : i64 = let (a, b) = loop (xs, ys) = (iota n, iota n) for i < 3 do (xs with [0] = i, xs) in a[0] + b[0]
