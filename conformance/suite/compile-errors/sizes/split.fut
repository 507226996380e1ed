-- The parts of split are to be found out.
-- ==
-- error: Cannot apply "split" to "xs" \(invalid type\)
entry main [k] (xs: [k]i32) (n: i64) (m: i64) : ([n]i32, [m]i32) = split xs
