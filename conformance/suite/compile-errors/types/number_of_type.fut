-- No number is a truth value.
-- ==
-- error: Cannot apply "==" to "1" \(invalid type\)
entry main (x: bool) : bool = x == 1
