-- A function that refers to what was consumed is not called any more.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : i32 = let f (i: i64) = xs[i] let ys = xs with [0] = 1 in f 0 + ys[0]
