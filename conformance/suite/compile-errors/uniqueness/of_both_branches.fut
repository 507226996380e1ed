-- A branch gives one of two arrays: with it both are consumed.
-- ==
-- error: Using variable "ys", but this was consumed at
entry main (c: bool) (xs: *[]i32) (ys: *[]i32) : i32 = let z = if c then xs else ys let w = z with [0] = 1 in ys[0] + w[0]
