-- What is consumed is not given once more in a function.
-- ==
-- error: Argument is consumed, but aliases "xs", which is also aliased by another argument
def f (xs: *[]i32) (g: i64 -> i32) : []i32 = xs with [0] = g 0
entry main (xs: *[]i32) : []i32 = f xs (\i -> xs[i])
