-- An exponent has digits.
-- ==
-- error: Malformed number: `e`
entry main (x: f64) : f64 = x + 1e
