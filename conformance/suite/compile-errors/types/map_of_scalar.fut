-- `map` is of arrays.
-- ==
-- error: Cannot apply "map" to "x" \(invalid type\)
entry main (x: i32) : i32 = map (+ 1) x
