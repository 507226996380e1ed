-- In a lambda. 0.25.32 rejects it too.
-- ==
-- error: E0204
entry main (x: i32) = (\y y -> y) x x
