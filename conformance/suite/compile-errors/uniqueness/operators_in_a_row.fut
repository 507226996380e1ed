-- The message points at what is consumed: the first two of three operands.
-- ==
-- error: Using variable "xs", but this was consumed at .*:6:42-48
def (+<) (xs: []i32) (_: i32) : []i32 = xs
def (+^) (xs: *[]i32) (y: i32) : *[]i32 = xs with [0] = y
entry main (xs: *[]i32) : i32 = let ys = xs +< 1 +^ 2 in xs[0] + ys[0]
