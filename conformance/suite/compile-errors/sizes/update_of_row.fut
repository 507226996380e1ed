-- A new row has the length of the old one.
-- ==
-- error: The new value must have the type of the part that it replaces\..*Expected: \[m\]i32.*Actual: +\[k\]i32
entry main [n][m][k] (xss: *[n][m]i32) (xs: [k]i32) : [n][m]i32 = xss with [0] = xs
