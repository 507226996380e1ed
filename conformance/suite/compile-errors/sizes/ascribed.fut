-- An ascription does not change sizes.
-- ==
-- error: Expression does not have expected type from explicit ascription\..*Expected: \[m\]i32.*Actual: +\[n\]i32
entry main [n][m] (xs: [n]i32) (ys: [m]i32) : [m]i32 = xs : [m]i32
