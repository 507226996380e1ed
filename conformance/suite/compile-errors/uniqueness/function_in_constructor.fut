-- A function in a constructor still refers to what is around it.
-- ==
-- error: Using variable "xs", but this was consumed at
type^ t = #f (i64 -> i32)
entry main (xs: *[]i32) : i32 = let y : t = #f (\i -> xs[i]) let zs = xs with [0] = 1 in match y case #f f -> f 0 + zs[0]
