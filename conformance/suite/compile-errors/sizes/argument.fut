-- An argument has the size that another one says.
-- ==
-- error: Cannot apply "f" to "xs" \(invalid type\)\..*Expected: \[2\]i32.*Actual: +\[m\]i32
def f (n: i64) (xs: [n]i32) : i32 = 1
entry main [m] (xs: [m]i32) : i32 = f 2 xs
