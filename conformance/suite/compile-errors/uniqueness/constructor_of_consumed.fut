-- An array is not put beside what it has become, in a constructor. (0.25.32 accepts this.)
-- ==
-- error: Using variable "xs", but this was consumed at
type t [n] = #b ([n]i32) ([n]i32)
def f [n] (xs: *[n]i32) : t [n] = #b xs (xs with [0] = 1)
entry main (xs: *[]i32) : i32 = match f xs case #b a b -> a[0] + b[0]
