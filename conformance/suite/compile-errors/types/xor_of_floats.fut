-- Bits are of integers and truth values.
-- ==
-- error: Cannot apply "\^" to "x" \(invalid type\)
entry main (x: f64) : f64 = x ^ x
