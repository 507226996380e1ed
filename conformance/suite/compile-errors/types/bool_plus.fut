-- Truth values are not added.
-- ==
-- error: Cannot apply "\+" to "x" \(invalid type\)
entry main (x: bool) (y: bool) : bool = x + y
