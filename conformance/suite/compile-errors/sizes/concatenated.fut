-- n + m is not n.
-- ==
-- error: Function body does not have the declared type\..*Expected: \[n\]i32.*Actual: +\[n \+ m\]i32
entry main [n][m] (xs: [n]i32) (ys: [m]i32) : [n]i32 = xs ++ ys
