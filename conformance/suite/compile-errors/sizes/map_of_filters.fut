-- The results of map have one size.
-- ==
-- error: Cannot apply "map" to "\(filter \(> 0\)\)" \(invalid type\)
entry main [n][m] (xss: [n][m]i32) : [][]i32 = map (filter (> 0)) xss
