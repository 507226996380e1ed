-- The parts of unflatten are to be found out.
-- ==
-- error: Cannot apply "unflatten" to "xs" \(invalid type\)
entry main [k] (xs: [k]i32) (n: i64) (m: i64) : [n][m]i32 = unflatten xs
