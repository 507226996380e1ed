-- `!` is of truth values and integers.
-- ==
-- error: Cannot apply "!x" to "x" \(invalid type\)
entry main (x: f64) : f64 = !x
