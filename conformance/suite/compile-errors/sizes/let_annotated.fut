-- An annotation of `let` does not change sizes.
-- ==
-- error: The value does not have the type of its pattern\..*Expected: \[m\]i32.*Actual: +\[n\]i32
entry main [n][m] (xs: [n]i32) (ys: [m]i32) : i32 = let zs : [m]i32 = xs in zs[0] + ys[0]
