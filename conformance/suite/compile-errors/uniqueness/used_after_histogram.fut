-- What was added to is gone.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : i32 = let ys = reduce_by_index xs (+) 0 [0] [1] in xs[0] + ys[0]
