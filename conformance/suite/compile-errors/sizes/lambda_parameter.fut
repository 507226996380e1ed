-- What a lambda takes has the size of what it is applied to.
-- ==
-- error: Cannot apply "map" to "xss" \(invalid type\)\..*Expected: \[n\]\[2\]i32.*Actual: +\[n\]\[m\]i32
entry main [n][m] (xss: [n][m]i32) : []i32 = map (\(xs: [2]i32) -> xs[0]) xss
