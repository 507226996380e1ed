-- Arrays of one type are put together.
-- ==
-- error: Cannot apply "\+\+" to "ys" \(invalid type\)\..*Expected: \[\]i32.*Actual: +\[\]f32
entry main (xs: []i32) (ys: []f32) : []i32 = xs ++ ys
