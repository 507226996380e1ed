-- A coercion changes sizes, not types.
-- ==
-- error: A size coercion can change sizes only\..*Expected: \[n\]\[1\]i32.*Actual: +\[n\]i32
entry main [n] (xs: [n]i32) : [n][1]i32 = xs :> [n][1]i32
