-- Truth values have no sign.
-- ==
-- error: Cannot apply "-x" to "x" \(invalid type\)
entry main (x: bool) : bool = -x
