-- Indices of scatter are i64.
-- ==
-- error: Cannot apply "scatter" to "is" \(invalid type\)\..*Expected: \[\]i64.*Actual: +\[\]i32
entry main (xs: *[]i32) (is: []i32) (vs: []i32) : []i32 = scatter xs is vs
