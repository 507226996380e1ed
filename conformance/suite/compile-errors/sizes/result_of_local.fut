-- A local function has the size that it declares.
-- ==
-- error: Function body does not have the declared type\..*Expected: \[n\]i32.*Actual: +\[n - 1\]i32
entry main [n] (xs: [n]i32) : [n]i32 = let f (ys: [n]i32) : [n]i32 = tail ys in f xs
