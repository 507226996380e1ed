-- n * m and m * n are different sizes until someone says that they are the same.
-- ==
-- error: Function body does not have the declared type\..*Expected: \[m \* n\]i32.*Actual: +\[n \* m\]i32
entry main [n][m] (xs: [n][m]i32) : [m * n]i32 = flatten xs
