-- A condition is a use.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : []i32 = let ys = xs with [0] = 1 in if xs[0] == 1 then ys else copy ys
