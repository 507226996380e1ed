-- A matrix is not its transpose.
-- ==
-- error: Function body does not have the declared type\..*Expected: \[n\]\[m\]i32.*Actual: +\[m\]\[n\]i32
entry main [n][m] (xs: [n][m]i32) : [n][m]i32 = transpose xs
