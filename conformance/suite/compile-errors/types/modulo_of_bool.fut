-- Truth values have no rest.
-- ==
-- error: Cannot apply "%" to "x" \(invalid type\)
entry main (x: bool) : bool = x % x
