-- The same for what is replaced.
-- ==
-- error: An index must be a signed integer
entry main (xs: *[]i32) (i: u64) : []i32 = xs with [i] = 0
