-- What a branch gives may be what was consumed.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (c: bool) (xs: *[]i32) (ys: []i32) : i32 = let z = if c then xs else ys let w = xs with [0] = 1 in z[0] + w[0]
