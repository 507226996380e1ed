-- A reversed view of what was consumed is gone.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : i32 = let r = reverse xs let ys = xs with [0] = 1 in r[0] + ys[0]
