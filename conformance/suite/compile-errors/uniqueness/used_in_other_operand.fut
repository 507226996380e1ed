-- Both operands are evaluated.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : i32 = (xs with [0] = 1)[0] + xs[0]
