-- An operator may consume its left operand.
-- ==
-- error: Using variable "xs", but this was consumed at
def (+^) (xs: *[]i32) (y: i32) : *[]i32 = xs with [0] = y
entry main (xs: *[]i32) : i32 = let ys = xs +^ 1 in xs[0] + ys[0]
