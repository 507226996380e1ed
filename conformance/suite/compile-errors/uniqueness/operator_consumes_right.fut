-- An operator may consume its right operand.
-- ==
-- error: Using variable "xs", but this was consumed at
def (+^) (x: i32) (ys: *[]i32) : *[]i32 = ys with [0] = x
entry main (xs: *[]i32) : i32 = let ys = 1 +^ xs in xs[0] + ys[0]
