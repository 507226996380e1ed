-- A size that is only in a sum is not found out.
-- ==
-- error: Entry point "main" must use the size \[n\] constructively: no argument shows it
entry main [n] (xs: [n + 1]i32) : i32 = xs[0]
