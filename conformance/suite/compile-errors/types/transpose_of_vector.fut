-- A vector has no columns.
-- ==
-- error: Cannot apply "transpose" to "xs" \(invalid type\)
entry main (xs: []i32) : [][]i32 = transpose xs
