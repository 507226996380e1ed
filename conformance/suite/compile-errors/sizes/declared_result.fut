-- A result has the size that is declared.
-- ==
-- error: Function body does not have the declared type\..*Expected: \[n\]i32.*Actual: +\[m\]i32
entry main [n][m] (xs: [n]i32) (ys: [m]i32) : [n]i32 = ys
