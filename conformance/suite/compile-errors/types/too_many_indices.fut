-- There are no more indices than dimensions.
-- ==
-- error: Cannot index with 2 indices into a value of type \[\]i32
entry main (xs: []i32) : i32 = xs[0, 0]
