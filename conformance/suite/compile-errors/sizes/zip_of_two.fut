-- zip takes arrays of one size.
-- ==
-- error: Cannot apply "zip" to "ys" \(invalid type\)
entry main [n][m] (xs: [n]i32) (ys: [m]i32) : [](i32, i32) = zip xs ys
