-- A view of what was updated is gone.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main [n] (xs: *[n][n]i32) : i32 = let s = transpose xs let ys = xs with [0, 0] = 1 in s[0, 0] + ys[0, 0]
