-- zip is of arrays.
-- ==
-- error: Cannot apply "zip" to "y" \(invalid type\)
entry main (xs: []i32) (y: i32) : [](i32, i32) = zip xs y
