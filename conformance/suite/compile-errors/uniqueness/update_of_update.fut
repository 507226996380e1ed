-- What was updated twice was gone after the first.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : i32 = let a = xs with [0] = 1 let b = xs with [1] = 2 in a[0] + b[0]
