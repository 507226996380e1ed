-- The neutral element is as long as a row.
-- ==
-- error: Cannot apply "scan" to "xss" \(invalid type\)
entry main [n][m] (xss: [n][m]i32) : [n][m]i32 = scan (map2 (+)) (replicate n 0) xss
