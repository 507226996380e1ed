-- Arguments are evaluated from right to left: the right one must still be there at the call. (0.25.32 accepts this.)
-- ==
-- error: Using variable "xs", but this was consumed at
def f (xs: *[]i32) : i32 = xs[0]
def g (x: i32) (xs: []i32) : i32 = x + xs[0]
entry main (xs: *[]i32) : i32 = g (f xs) xs
