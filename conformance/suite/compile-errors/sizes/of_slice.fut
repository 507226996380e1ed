-- How long a slice is follows from its bounds only.
-- ==
-- error: Function body does not have the declared type\..*Expected: \[n\]i32.*Actual: +\[j - i\]i32
entry main [n] (xs: [n]i32) (i: i64) (j: i64) : [n]i32 = xs[i:j]
