-- The size of a branch is not that of another.
-- ==
-- error: Function body does not have the declared type
entry main [n][m] (c: bool) (xs: [n]i32) (ys: [m]i32) : [n]i32 = if c then xs else ys
