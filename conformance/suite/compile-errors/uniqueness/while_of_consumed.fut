-- A condition sees what its loop has.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : i32 = let ys = loop zs = xs while xs[0] < 3 do zs with [0] = 4 in ys[0]
