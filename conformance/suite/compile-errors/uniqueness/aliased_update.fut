-- What is written is not what is written to.
-- ==
-- error: Source array for in-place update might alias the update value: both may be in "xs"
entry main (xs: *[]i32) : []i32 = xs with [0:2] = xs[1:3]
