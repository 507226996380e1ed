-- A pattern has the shape of its value.
-- ==
-- error: This pattern does not fit the value
entry main (p: (i32, i32)) : i32 = let (a, b, c) = p in a
