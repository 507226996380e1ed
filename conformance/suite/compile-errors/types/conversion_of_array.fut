-- A conversion is of numbers.
-- ==
-- error: Cannot apply "f32\.i32" to "xs" \(invalid type\)\..*Expected: i32.*Actual: +\[\]i32
entry main (xs: []i32) : []f32 = f32.i32 xs
