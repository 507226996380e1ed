-- An operator of reduce gives what it takes.
-- ==
-- error: Cannot apply "reduce" to "\+\+" \(invalid type\)
entry main [n][m] (xss: [n][m]i32) : []i32 = reduce (++) [] xss
