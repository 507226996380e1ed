-- A vector has no rows.
-- ==
-- error: Cannot apply "flatten" to "xs" \(invalid type\)
entry main (xs: []i32) : []i32 = flatten xs
