-- What was given to a function that consumes it is gone.
-- ==
-- error: Using variable "xs", but this was consumed at
def f (xs: *[]i32) : []i32 = xs with [0] = 1
entry main (xs: *[]i32) : i32 = let ys = f xs in xs[0] + ys[0]
