-- What is added has the type of the elements.
-- ==
-- error: Function body does not have the declared type\..*Expected: \[2\]i32.*Actual: +\[2\]f32
entry main (is: []i64) (vs: []f32) : []i32 = reduce_by_index [0, 0] (+) 0 is vs
