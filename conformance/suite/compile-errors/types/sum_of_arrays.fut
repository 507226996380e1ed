-- `+` is of numbers, not of arrays.
-- ==
-- error: Cannot apply "\+" to "xs" \(invalid type\)
entry main (xs: []i32) : []i32 = xs + xs
