-- A part of what was updated is gone.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : i32 = let s = xs[1:] let ys = xs with [0] = 1 in s[0] + ys[0]
