-- An array is consumed once.
-- ==
-- error: Using variable "xs", but this was consumed at
def f (xs: *[]i32) : i32 = xs[0]
entry main (xs: *[]i32) : i32 = f xs + f xs
