-- The neutral element is an element.
-- ==
-- error: Cannot apply "scan" to "xs" \(invalid type\)\..*Expected: \[\]f32.*Actual: +\[\]i32
entry main (xs: []i32) : []i32 = scan (+) 0f32 xs
